"""`doc2tools report NAME`: the page about a compile."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from doc2tools.cli import options as o
from doc2tools.cli.screen import stderr
from doc2tools.compiler.ir.errors import UsageError
from doc2tools.toolkits import find_toolkit

FILE = "report.html"


def report_command(
    name: Annotated[str, typer.Argument(help="A package's name or folder.", metavar="NAME")],
    *,
    open_it: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    out: o.Out = Path("generated"),
) -> int:
    """Say where the report of a compile is, and open it."""
    toolkit = find_toolkit(name, out)
    page = toolkit.project / FILE if toolkit.project is not None else None
    if page is None or not page.is_file():
        raise UsageError(
            f"{toolkit.name} has no report here: it lies beside a compiled package",
            hint="compile its documentation",
        )
    typer.echo(str(page))
    if open_it and not webbrowser.open(page.resolve().as_uri()):
        stderr().print("[bold]hint:[/] no browser was found: open the file by hand")
        return 1
    return 0
