"""The places of a page where an endpoint can be written, each with its text and its role."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from doc2tools.compiler.extract.code import CodeReading, read_code
from doc2tools.compiler.extract.text import Text, flatten
from doc2tools.compiler.ir.document import (
    Code,
    DefinitionList,
    Embedded,
    FormField,
    Heading,
    Paragraph,
    Table,
)
from doc2tools.compiler.ir.source import Span

if TYPE_CHECKING:
    from doc2tools.compiler.extract.outline import Entry

Role = Literal[
    "heading", "paragraph", "item", "term", "cell", "code", "field", "embedded", "caption"
]


@dataclass(frozen=True, slots=True)
class Place:
    """One stretch of text.

    Attributes:
        index: The outline entry it is in.
        role: What it is; `item` is the first paragraph of a list item.
        row: Row of a table, number of a list item or definition, line of a code block.
        column: Column of a table.
        lines: For `code`, how many lines stand beside it in the block.
        nature: For `code`, what the block is.
    """

    index: int
    role: Role
    text: Text
    span: Span
    row: int | None = None
    column: int = 0
    lines: int = 1
    nature: str = ""


def places_of(entries: tuple[Entry, ...], readings: dict[int, CodeReading]) -> Iterator[Place]:
    """Yield the places of all entries in reading order; `readings` are the code blocks' own."""
    for entry in entries:
        block = entry.block
        index = entry.index
        if isinstance(block, Heading):
            yield Place(index, "heading", flatten(block.runs), block.span)
        elif isinstance(block, Paragraph):
            role: Role = "item" if entry.leads_item else "paragraph"
            yield Place(index, role, flatten(block.runs), block.span, entry.item)
        elif isinstance(block, Code):
            yield from _code_places(index, block, readings[index])
        elif isinstance(block, Table):
            for number, row in enumerate(block.rows):
                for column, cell in enumerate(row):
                    yield Place(index, "cell", flatten(cell.runs), cell.span, number, column)
        elif isinstance(block, DefinitionList):
            for number, item in enumerate(block.items):
                yield Place(index, "term", flatten(item.term), item.span, number)
        elif isinstance(block, FormField):
            yield Place(index, "field", Text(block.value, is_code=True), block.span)
        elif isinstance(block, Embedded):
            yield Place(index, "embedded", Text(block.text[:20_000]), block.span)


def read_all_code(entries: tuple[Entry, ...]) -> dict[int, CodeReading]:
    """Take all code blocks apart, by entry index."""
    return {
        entry.index: read_code(entry.block) for entry in entries if isinstance(entry.block, Code)
    }


def line_span(block: Code, first: int, last: int) -> Span:
    """Give the source lines of the block's lines `first` to `last`, as far as they can be told."""
    start = min(block.span.start + first, block.span.end)
    return Span(page=block.span.page, start=start, end=min(block.span.start + last, block.span.end))


def _code_places(index: int, block: Code, reading: CodeReading) -> Iterator[Place]:
    for line in reading.lines:
        hints = tuple(word for word in block.emphasised if word in line.text)
        yield Place(
            index,
            "code",
            Text(line.text, is_code=True, hints=hints),
            line_span(block, line.number, line.number),
            line.number,
            lines=len(reading.lines),
            nature=reading.nature,
        )
