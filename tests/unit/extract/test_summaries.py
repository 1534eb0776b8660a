"""What a line says beside its address is the summary, whole."""

from __future__ import annotations

import pytest

from doc2tools.compiler.extract.page import draft_page
from doc2tools.compiler.load.source import Source


@pytest.mark.parametrize(
    ("line", "summaries"),
    [
        (
            "`GET /lifting` or `GET /lift`: tells whether the crane lifts a load.",
            {
                "/lift": "tells whether the crane lifts a load.",
                "/lifting": "tells whether the crane lifts a load.",
            },
        ),
        (
            "`GET /cranes`: lists the cranes of the yard.",
            {"/cranes": "lists the cranes of the yard."},
        ),
    ],
)
def test_summary_of_a_line(line: str, summaries: dict[str, str]) -> None:
    text = f"# Yard\n\nAt http://yard.example.org\n\n- {line}\n"
    draft = draft_page(Source(name="yard.md", data=text.encode(), media="markdown"))
    assert {one.path.value: one.summary for one in draft.endpoints} == summaries
