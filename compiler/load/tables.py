"""HTML tables to grids: row and column spans expanded, headers found, layout tables told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from doc2tools.compiler.ir.document import Cell, Run, Table, plain
from doc2tools.compiler.ir.source import Span
from doc2tools.compiler.load.code import is_gutter
from doc2tools.compiler.load.dom import Node
from doc2tools.compiler.load.tags import HEADINGS

MAX_COLUMNS = 64
MAX_CELLS = 60_000

CellRuns = Callable[[Node], tuple[Run, ...]]


@dataclass(slots=True)
class _Row:
    node: Node
    cells: list[Node]
    head: bool


def rows_of(table: Node) -> list[_Row]:
    """Give the rows of `table` itself, not those of tables inside it."""
    found: list[_Row] = []
    for child in _with_rows(table):
        if child.tag == "tr":
            found.append(_row(child, head=False))
        elif child.tag in ("thead", "tbody", "tfoot", "form"):
            found.extend(
                _row(row, head=child.tag == "thead") for row in _with_rows(child) if row.tag == "tr"
            )
    return found


def _with_rows(node: Node) -> list[Node]:
    """Give the elements in `node`; cells that stand outside a row make one, as in browsers."""
    found: list[Node] = []
    implied: Node | None = None
    for child in node.children:
        if not isinstance(child, Node):
            continue
        if child.tag not in ("td", "th"):
            implied = None
            found.append(child)
            continue
        if implied is None:
            implied = Node("tr", {}, child.line)
            found.append(implied)
        implied.children.append(child)
        implied.end = max(implied.line, child.end)
    return found


def _row(node: Node, *, head: bool) -> _Row:
    cells = [
        child for child in node.children if isinstance(child, Node) and child.tag in ("td", "th")
    ]
    return _Row(node, cells, head)


def code_lines(table: Node) -> bool:
    """Tell whether `table` only lays out code beside line numbers."""
    rows = rows_of(table)
    return bool(rows) and any(is_gutter(cell) for cell in rows[0].cells)


def code_cell(table: Node) -> Node | None:
    """Give the only `pre` of a table of code and line numbers, outside the numbers."""
    cells = (cell for row in rows_of(table) for cell in row.cells if not is_gutter(cell))
    found = [node for cell in cells for node in cell.nodes() if node.tag == "pre"]
    return found[0] if len(found) == 1 else None


def is_layout(table: Node) -> bool:
    """Tell whether `table` lays out a page instead of listing facts."""
    rows = rows_of(table)
    if not rows or table.get("role") in ("presentation", "none"):
        return True
    if any(row.head or any(cell.tag == "th" for cell in row.cells) for row in rows):
        return False
    width = max(len(row.cells) for row in rows)
    inner = Counter(node.tag for node in table.nodes() if node is not table)
    if any(tag in HEADINGS for tag in inner) or (width <= 1 and len(rows) == 1):
        return True
    cells = sum(len(row.cells) for row in rows)
    nested = inner["table"]
    if nested and (cells <= 4 or nested >= cells / 2):
        return True
    return width <= 1 and any(tag in inner for tag in ("pre", "ul", "ol", "dl"))


def read_table(table: Node, page: str, cell_runs: CellRuns) -> Table | None:
    """Make a grid of `table`; `None` if it has no text."""
    rows = rows_of(table)
    grid: list[list[Cell]] = []
    heads: list[bool] = []
    pending: dict[int, tuple[int, Cell]] = {}
    total = 0
    for number, row in enumerate(rows):
        if not row.cells and not pending:
            continue
        line: list[Cell] = []
        for cell in row.cells:
            _fill(line, pending)
            made = Cell(
                runs=cell_runs(cell),
                header=cell.tag == "th",
                span=Span(page=page, start=cell.line, end=max(cell.line, cell.end)),
            )
            columns = _span(cell.get("colspan"), MAX_COLUMNS)
            down = _span(cell.get("rowspan"), len(rows) - number)
            for _ in range(columns):
                if len(line) >= MAX_COLUMNS:
                    break
                if down > 1:
                    pending[len(line)] = (down - 1, made)
                line.append(made)
        _fill(line, pending, to_end=True)
        total += len(line)
        if total > MAX_CELLS:
            break
        grid.append(line)
        heads.append(row.head or (bool(row.cells) and all(c.tag == "th" for c in row.cells)))
    if not any(plain(cell.runs) for line in grid for cell in line):
        return None
    return _assemble(table, page, grid, heads)


def _span(value: str, limit: int) -> int:
    digits = value.strip()[:9]
    number = int(digits) if digits.isascii() and digits.isdigit() else 1
    return max(1, min(number, limit)) if number else limit


def _fill(line: list[Cell], pending: dict[int, tuple[int, Cell]], *, to_end: bool = False) -> None:
    """Put in the cells that reach down from rows above, at and after the line's end."""
    while pending:
        column = len(line)
        if column not in pending:
            later = [key for key in pending if key > column]
            if not (to_end and later):
                return
            made = Cell(runs=(), header=False, span=pending[min(later)][1].span)
            line.append(made)
            continue
        left, cell = pending.pop(column)
        line.append(cell)
        if left > 1:
            pending[column] = (left - 1, cell)
        if all(key < len(line) for key in pending):
            return


def _assemble(table: Node, page: str, grid: list[list[Cell]], heads: list[bool]) -> Table:
    width = max(len(line) for line in grid)
    empty = Cell(runs=(), span=Span(page=page, start=table.line, end=table.line))
    for line in grid:
        line.extend([empty] * (width - len(line)))
    header: tuple[Cell, ...] = ()
    count = 0
    while count < len(heads) and heads[count]:
        count += 1
    if not count and len(grid) > 1 and _is_bold(grid[0]) and not any(map(_is_bold, grid[1:])):
        count = 1
    if (
        count == len(grid)
        and len(grid) > 1
        and not any(row.tag == "thead" for row in table.children if isinstance(row, Node))
    ):
        count = 1
    if count:
        # Of several header rows the last full one names the columns; a title row above spans all.
        header = tuple(grid[count - 1])
        for above in reversed(grid[: count - 1]):
            if not all(plain(cell.runs) for cell in header):
                header = tuple(
                    cell if plain(cell.runs) else other
                    for cell, other in zip(header, above, strict=True)
                )
    caption = next(
        (child for child in table.children if isinstance(child, Node) and child.tag == "caption"),
        None,
    )
    return Table(
        span=Span(page=page, start=table.line, end=max(table.line, table.end)),
        header=header,
        rows=tuple(tuple(line) for line in grid[count:]),
        caption=" ".join(caption.text().split())[:500] if caption else "",
    )


def _is_bold(line: list[Cell]) -> bool:
    """Tell whether a row is set in bold throughout, as headers without `th` are."""
    shown = [run for cell in line for run in cell.runs if run.text.strip()]
    return len(line) > 1 and len(shown) >= len(line) and all(run.strong for run in shown)
