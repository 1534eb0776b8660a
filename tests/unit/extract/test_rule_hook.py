"""Rules need no registration: a class with a name and `find` is enough."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import EntryPoint

import pytest

from doc2tools.compiler.extract import rules
from doc2tools.compiler.extract.candidates import Candidate
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.page import draft_page
from doc2tools.compiler.ir.document import Paragraph, plain
from doc2tools.compiler.load.source import Source


class Whispered:
    """Finds what a page whispers: `psst /path`."""

    name = "whispered"

    def find(self, outline: Outline) -> Iterable[Candidate]:
        """Yield the whispered paths."""
        for entry in outline.entries:
            if isinstance(entry.block, Paragraph) and plain(entry.block.runs).startswith("psst "):
                text = plain(entry.block.runs).removeprefix("psst ")
                yield Candidate(
                    text=text,
                    index=entry.index,
                    span=entry.block.span,
                    rule=self.name,
                    reason="it is whispered",
                    confidence=0.9,
                    method="GET",
                )


def paths(text: str) -> list[str]:
    draft = draft_page(Source(name="a.md", data=text.encode(), media="markdown"))
    return [endpoint.path.value for endpoint in draft.endpoints]


def test_every_rule_file_holds_a_rule() -> None:
    names = [rule.name for rule in rules.all_rules()]
    assert len(names) == len(set(names)) >= 10
    assert names == sorted(names)


def test_a_plug_in_is_asked_too(monkeypatch: pytest.MonkeyPatch) -> None:
    page = "# Secrets\n\npsst /attic\n"
    assert paths(page) != ["/attic"]
    point = EntryPoint("whispered", f"{__name__}:Whispered", "doc2tools.rules")

    def installed(group: str) -> list[EntryPoint]:
        return [point] if group == point.group else []

    rules.all_rules.cache_clear()
    monkeypatch.setattr(rules, "entry_points", installed)
    try:
        assert paths(page) == ["/attic"]
    finally:
        rules.all_rules.cache_clear()
