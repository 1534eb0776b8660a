"""`doc2tools sample NAME`: tasks for training agents, drawn from the proved graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from doc2tools.cli import options as o
from doc2tools.cli.screen import escape, screen, stderr, write_json
from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.toolkits import find_toolkit


def sample_command(
    name: Annotated[str, typer.Argument(help="A package's name or folder.", metavar="NAME")],
    *,
    out: o.Out = Path("generated"),
    number: Annotated[
        int, typer.Option("--n", "-n", min=1, max=100_000, help="Tasks to draw.")
    ] = 100,
    most: Annotated[int, typer.Option("--max-nodes", min=1, max=12, help="Calls of a task.")] = 4,
    least: Annotated[
        int, typer.Option("--min-nodes", min=1, max=12, help="1 takes single calls, too.")
    ] = 2,
    seed: Annotated[int, typer.Option("--seed", help="The same seed draws the same tasks.")] = 0,
    to: Annotated[
        Path | None,
        typer.Option("--to", help="Folder for the data set; default: NAME-tasks.", metavar="DIR"),
    ] = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
    quiet: o.Quiet = False,
) -> int:
    """Draw tasks from the proved dependency graph, each of its calls made."""
    # The graph library is loaded by this command alone.
    from doc2tools.compiler.graph.sample.draw import Wanted  # noqa: PLC0415
    from doc2tools.compiler.sampling import sample_tasks  # noqa: PLC0415

    if least > most:
        raise UsageError(f"--min-nodes {least} is more than --max-nodes {most}")
    toolkit = find_toolkit(name, out)
    folder = toolkit.project.parent if toolkit.project else out
    given = o.resolve([], config, {}) if config else CompileOptions()
    set_here = given.model_fields_set
    with screen(quiet=quiet) as listener:
        sampled = sample_tasks(
            toolkit.name,
            folder,
            to or folder / f"{toolkit.name}-tasks",
            Wanted(number, least, most, seed),
            auth=given.auth if "auth" in set_here else None,
            tls=given.tls if "tls" in set_here else None,
            limits=given.limits if "limits" in set_here else None,
            on_event=listener,
        )
    summary: dict[str, JsonValue] = {
        **sampled.card,
        "calls": sampled.calls,
        "folder": str(sampled.folder),
    }
    if as_json:
        write_json(o.to_json(summary))
    else:
        console = stderr()
        edges = sampled.card["edges"]
        covered = f"{edges['used']} of {edges['proved']}" if isinstance(edges, dict) else ""
        console.print(
            f"[bold]{escape(toolkit.name)}[/]: {len(sampled.drawn.samples)} tasks over {covered} "
            f"proved edges; {sampled.calls} calls, {sampled.drawn.attempts} attempts"
        )
        console.print(f"data set: {escape(str(sampled.folder))}", soft_wrap=True)
    return 0 if len(sampled.drawn.samples) >= number else 1
