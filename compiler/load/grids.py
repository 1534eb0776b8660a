"""Tables of Markdown: those the parser knows, and lines of cells without a delimiter row."""

from __future__ import annotations

from collections.abc import Callable

from markdown_it.token import Token

from doc2tools.compiler.ir.document import Cell, Run, Table
from doc2tools.compiler.ir.source import Span

ReadInline = Callable[[str, int], tuple[Run, ...]]
MakeSpan = Callable[[int, int], Span]
MAX_COLUMNS = 64


def read_grid(tokens: list[Token], span: Span, read: ReadInline, place: MakeSpan) -> Table:
    """Make a table of the tokens between `table_open` and `table_close`."""
    header: tuple[Cell, ...] = ()
    rows: list[tuple[Cell, ...]] = []
    cells: list[Cell] = []
    line = span.start
    in_head = False
    for position, token in enumerate(tokens):
        if token.type in ("thead_open", "thead_close"):
            in_head = token.type == "thead_open"
        elif token.type == "tr_open":
            cells = []
            line = token.map[0] + 1 if token.map else line
        elif token.type in ("th_open", "td_open"):
            runs = read(tokens[position + 1].content, line)
            is_head = token.type == "th_open"
            cells.append(Cell(runs=runs, header=is_head, span=place(line, line)))
        elif token.type == "tr_close":
            if in_head:
                header = tuple(cells)
            else:
                rows.append(tuple(cells))
    if not any(cell.runs for cell in header):
        header = ()
    return Table(span=span, header=header, rows=tuple(rows), caption="")


def is_loose_grid(rows: list[str]) -> bool:
    """Tell whether lines of a paragraph are rows of cells."""
    return len(rows) > 1 and all(row.lstrip().startswith("|") for row in rows)


def read_loose_grid(
    rows: list[str], span: Span, first: int, read: ReadInline, place: MakeSpan
) -> Table | None:
    """Make a table of lines of cells, the first on line `first`."""
    grid: list[list[Cell]] = []
    for number, row in enumerate(rows):
        line = first + number
        cells = [cell.strip() for cell in row.strip().strip("|").split("|")[:MAX_COLUMNS]]
        if not all(set(cell) <= set("-:+= ") for cell in cells):
            grid.append([Cell(runs=read(cell, line), span=place(line, line)) for cell in cells])
    if not grid:
        return None
    width = max(map(len, grid))
    empty = Cell(runs=(), span=span)
    full = tuple((*row, *[empty] * (width - len(row))) for row in grid)
    return Table(span=span, rows=full)
