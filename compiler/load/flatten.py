"""Blocks to inline text, for table cells and headings that hold more than text."""

from __future__ import annotations

from collections.abc import Sequence

from doc2tools.compiler.ir.document import (
    Block,
    Code,
    DefinitionList,
    FormField,
    Heading,
    ListBlock,
    Paragraph,
    Run,
    Table,
)
from doc2tools.compiler.load.inline import PLAIN, Marks, Piece, runs


def flat_runs(blocks: Sequence[Block]) -> tuple[Run, ...]:
    """Give the text of `blocks` as runs; each block begins on a new line, code keeps its lines."""
    if len(blocks) == 1 and isinstance(blocks[0], Paragraph):
        return blocks[0].runs
    pieces: list[Piece] = []
    _flatten(blocks, pieces)
    return runs(pieces)


def _flatten(blocks: Sequence[Block], pieces: list[Piece]) -> None:
    for block in blocks:
        line = block.span.start
        if pieces:
            pieces.append(_break(line))
        if isinstance(block, Paragraph | Heading):
            pieces.extend(_pieces(block.runs))
        elif isinstance(block, Code):
            pieces.append(Piece(block.text, Marks(code=True), line, keep=True))
        elif isinstance(block, Table):
            for row in (block.header, *block.rows):
                for cell in row:
                    pieces.extend((*_pieces(cell.runs), Piece(" ", PLAIN, line)))
                pieces.append(_break(line))
        elif isinstance(block, ListBlock):
            for item in block.items:
                _flatten(item.blocks, pieces)
        elif isinstance(block, DefinitionList):
            for entry in block.items:
                pieces.extend((_break(line), *_pieces(entry.term)))
                _flatten(entry.blocks, pieces)
        elif isinstance(block, FormField):
            pieces.append(Piece(block.value or " ".join(block.choices), PLAIN, line))


def _break(line: int) -> Piece:
    return Piece("\n", PLAIN, line, keep=True)


def _pieces(found: tuple[Run, ...]) -> list[Piece]:
    return [
        Piece(
            run.text,
            Marks(run.code, run.strong, run.emphasis, run.badge, run.href, run.title),
            run.line,
            keep=True,
        )
        for run in found
    ]
