"""Tables of tools: boxed on a terminal, one tab-separated line a row elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from doc2tools.cli.plain import plain
from doc2tools.compiler.ir.outcome import Blocked, Unvalidated
from doc2tools.compiler.ir.plan import PackagePlan

STYLES = {"validated": "green", "failed": "red", "blocked": "yellow", "unvalidated": "magenta"}
MARKS = {"validated": "✓", "failed": "✗", "blocked": "■", "unvalidated": "?"}
COLUMNS = ("", "tool", "method", "path", "why", "source")


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print rows of (status, tool, method, path, why, source) to stdout."""
    console = Console(highlight=False)
    if not console.is_terminal:
        for row in rows:
            sys.stdout.write("\t".join(plain(" ".join(cell.split())) for cell in row) + "\n")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in COLUMNS:
        table.add_column(column, overflow="fold", no_wrap=column in {"", "method"})
    for status, *cells in rows:
        style = STYLES.get(status, "")
        mark = Text(f"{MARKS.get(status, '')} {plain(status)}", style=style)
        table.add_row(mark, *(Text(plain(" ".join(cell.split()))) for cell in cells))
    console.print(table)


def tools_table(plan: PackagePlan) -> None:
    """Print what became of each tool of a compile."""
    rows: list[tuple[str, ...]] = []
    for tool in plan.tools:
        outcome = tool.outcome
        if isinstance(outcome, Blocked | Unvalidated):
            why = outcome.reason
        else:
            why = outcome.attempt.verdict.message
        endpoint = tool.endpoint
        source = str(endpoint.spans[0]) if endpoint.spans else ""
        path = endpoint.url.removeprefix(endpoint.base_url)
        rows.append((outcome.status, endpoint.name, endpoint.method, path, why, source))
    print_table(rows)
