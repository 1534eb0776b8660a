"""A general address, `/api/{resource}/`, and the table of all that can stand in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from doc2tools.compiler.extract.candidates import Candidate
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.text import Token
from doc2tools.compiler.ir.document import Table, plain

_OPEN = re.compile(
    r"[{<\[:](?P<name>resource|endpoint|method|function|operation|action|command|route|service)"
    r"(?:[_ -]?name)?[}>\]]?(?=/?(?:\?|\Z|\.\w{2,4}(?:\?|\Z)))",
    re.IGNORECASE,
)
_CELL = re.compile(r"[a-z][\w-]{1,40}(?:/(?:[a-z][\w-]{0,40}|[{<:]\w{1,40}[}>]?)){0,4}", re.I)
_MAX_ROWS = 200


class FilledTemplate:
    """Finds the operations that a table names and a general address takes."""

    name = "filled-template"

    def find(self, outline: Outline) -> Iterator[Candidate]:
        """Yield a candidate for each row of a table that is headed like the placeholder."""
        found = _template(outline)
        if not found:
            return
        token, match = found
        word = match.group("name").lower()
        for entry in outline.entries:
            table = entry.block
            if not isinstance(table, Table) or not table.header or len(table.rows) < 2:
                continue
            head = plain(table.header[0].runs).strip().lower()
            if head.rstrip("s") not in {word, f"{word} name"}:
                continue
            cells = [plain(row[0].runs).strip() for row in table.rows[:_MAX_ROWS] if row]
            if not all(_CELL.fullmatch(cell) for cell in cells):
                continue
            for number, cell in enumerate(cells):
                yield Candidate(
                    text=token.raw[: match.start()] + cell + token.raw[match.end() :],
                    index=entry.index,
                    span=table.rows[number][0].span,
                    rule=self.name,
                    reason=f"{cell} is in the table of what {token.raw[:80]} takes",
                    confidence=0.8,
                    row=number,
                    order=0,
                )


def _template(outline: Outline) -> tuple[Token, re.Match[str]] | None:
    """The first address that ends with a placeholder for an operation."""
    for place in outline.places:
        if place.role == "embedded" or place.nature == "program":
            continue
        for token in place.text.tokens[:40]:
            match = _OPEN.search(token.raw)
            if match and match.start() > 1 and token.raw[match.start() - 1] == "/":
                return token, match
    return None
