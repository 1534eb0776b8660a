"""`doc2tools export NAME --format FORMAT`: a toolkit in the shapes that others take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

import typer
from pydantic import JsonValue

from doc2tools.cli import options as o
from doc2tools.cli.screen import write_json
from doc2tools.compiler.emit.mcp_tools import exported
from doc2tools.compiler.ir.errors import UsageError
from doc2tools.export.schemas import anthropic_tools, openai_responses_tools, openai_tools
from doc2tools.toolkits import find_toolkit

FORMATS = ("openapi", "anthropic", "openai", "openai-responses")


def export_command(
    name: Annotated[str, typer.Argument(help="A package's name or folder.", metavar="NAME")],
    *,
    form: Annotated[
        str,
        typer.Option(
            "--format", "-f", help="openapi, anthropic, openai or openai-responses.", metavar="FORM"
        ),
    ],
    tool: Annotated[
        list[str] | None,
        typer.Option("--tool", help="Only this tool; may be repeated.", metavar="TOOL"),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="openai: schemas for strict mode where possible.")
    ] = False,
    out: o.Out = Path("generated"),
) -> int:
    """Write a toolkit as OpenAPI, or as tool definitions of a model provider's API."""
    toolkit = find_toolkit(name, out)
    names = set(tool or ())
    if form == "openapi":
        if names:
            raise UsageError("--tool does not go with --format openapi")
        write_json(o.to_json(toolkit.read("openapi.json")))
        return 0
    manifest = toolkit.read()
    known = {str(entry["name"]) for entry in exported(manifest)}
    if missing := sorted(names - known):
        raise UsageError(
            f"{toolkit.name} has no tool {missing[0]!r}",
            hint=f"doc2tools inspect {toolkit.name} lists them",
        )
    match form:
        case "anthropic":
            found = anthropic_tools(manifest, names)
        case "openai":
            found = openai_tools(manifest, names, strict=strict)
        case "openai-responses":
            found = openai_responses_tools(manifest, names, strict=strict)
        case _:
            raise UsageError(f"there is no format {form!r}", hint=", ".join(FORMATS))
    write_json(o.to_json(cast("JsonValue", found)))
    return 0
