"""A page as numbered lines for a model, and which pages and which parts of them it is shown."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from doc2tools.compiler.ir.document import Block, Code, Document, Table, plain, walk
from doc2tools.compiler.ir.draft import PageDraft
from doc2tools.compiler.ir.source import Span
from doc2tools.compiler.load.reading import own_text

__all__ = ["Line", "doubtful", "parts", "shown_lines"]

LOW_RANK = 0.7
PASSING = "in passing"
"""What the rules say of an address that may be an endpoint, for want of evidence."""
MOST_PARTS = 2
PART_CHARACTERS = 3_500
LINE_CHARACTERS = 300
REACH = 4
MOST_LINES = 5_000

_ADDRESS = re.compile(r"(?<![\w.])/[A-Za-z_{<:$][\w{}<>:$.-]{1,80}|https?://[^\s/]{1,80}/\w")
_VERB = re.compile(r"\b(?:GET|POST|PUT|PATCH|DELETE|HEAD)\b")


@dataclass(frozen=True, slots=True)
class Line:
    """One line as the model sees it.

    Attributes:
        number: Ours, from 1 on; what an answer cites.
        span: The lines of the page that it stands for.
    """

    number: int
    text: str
    span: Span


def doubtful(draft: PageDraft) -> bool:
    """Tell whether the rules found nothing on a page, or doubt what they found."""
    low = any(endpoint.rank < LOW_RANK for endpoint in draft.endpoints)
    grade = draft.quality.grade
    passed = any(PASSING in one.reason for one in draft.rejected) and grade != "organised"
    return not draft.endpoints or low or passed or grade == "unorganised"


def shown_lines(document: Document) -> tuple[Line, ...]:
    """Give the page's text, a line for each that a reader sees."""
    found: list[Line] = []
    for block in walk(document.blocks):
        for span, text in _texts(block):
            for piece in text.split("\n"):
                clean = " ".join(piece.split())[:LINE_CHARACTERS]
                if clean and len(found) < MOST_LINES:
                    found.append(Line(len(found) + 1, clean, span))
    return tuple(found)


def _texts(block: Block) -> list[tuple[Span, str]]:
    if isinstance(block, Table):
        rows = (block.header, *block.rows) if block.header else block.rows
        return [(row[0].span, " | ".join(plain(cell.runs) for cell in row)) for row in rows if row]
    if isinstance(block, Code):
        return [(block.span, block.text)]
    return [(block.span, own_text(block))]


def parts(draft: PageDraft, lines: Sequence[Line]) -> tuple[tuple[Line, ...], ...]:
    """Give the parts worth showing, in reading order: those with most addresses not yet known."""
    known = {endpoint.path.value for endpoint in draft.endpoints}
    if draft.endpoints and draft.quality.grade != "unorganised":
        lines = _around_doubts(draft, lines)
    chunks: list[list[Line]] = [[]]
    size = 0
    for line in lines:
        if size + len(line.text) > PART_CHARACTERS and chunks[-1]:
            chunks.append([])
            size = 0
        chunks[-1].append(line)
        size += len(line.text) + 6
    weighed = [(_weight(chunk, known), -place) for place, chunk in enumerate(chunks)]
    best = sorted((item for item in weighed if item[0] > 0), reverse=True)[:MOST_PARTS]
    return tuple(tuple(chunks[place]) for place in sorted(-place for _, place in best))


def _around_doubts(draft: PageDraft, lines: Sequence[Line]) -> list[Line]:
    """Give the lines around what the rules passed over or hold for unlikely."""
    spans = [one.span for one in draft.rejected if PASSING in one.reason]
    low = (one for one in draft.endpoints if one.rank < LOW_RANK)
    spans += [span for endpoint in low for span in endpoint.path.spans]
    starts = sorted({span.start for span in spans})
    open_lines = [line.number for line in lines if _within(line.span, starts)]
    near = {number + step for number in open_lines for step in range(-REACH, REACH + 1)}
    return [line for line in lines if line.number in near]


def _within(span: Span, starts: Sequence[int]) -> bool:
    """Tell whether one of the sorted line numbers lies in the span."""
    place = bisect_left(starts, span.start)
    return place < len(starts) and starts[place] <= span.end


def _weight(chunk: Sequence[Line], known: set[str]) -> int:
    found = 0
    for line in chunk:
        addresses = _ADDRESS.findall(line.text)
        fresh = [one for one in addresses if not any(one in path for path in known)]
        found += len(fresh) * (2 if _VERB.search(line.text) else 1)
    return found
