"""The first line of a tool's docstring."""

from __future__ import annotations

from doc2tools.compiler.emit.docstrings import headline
from doc2tools.compiler.ir.spec import Effect, Endpoint


def told(summary: str = "", title: str = "", description: str = "") -> str:
    return headline(
        Endpoint(
            name="list_ships",
            group="ships",
            method="GET",
            path="/ships",
            effect=Effect(kind="read", reason="GET"),
            summary=summary,
            title=title,
            description=description,
        )
    )


def test_summary_before_title_before_description() -> None:
    assert told(summary="all ships", title="Ships", description="Long.") == "All ships."
    assert told(title="Ships in port", description="Long.") == "Ships in port."
    assert told(description="Every ship in port. With its berth.") == "Every ship in port."


def test_a_tool_without_text_is_told_by_its_name() -> None:
    assert told() == "List ships."
