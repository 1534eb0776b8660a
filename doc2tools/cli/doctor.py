"""`doc2tools doctor`: what this machine can do."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import platform
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.markup import escape

from doc2tools import __version__
from doc2tools.cli import options as o
from doc2tools.cli.screen import write_json
from doc2tools.compiler.consulting import describe_model
from doc2tools.compiler.ir.errors import Doc2ToolsError
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.param_db.chroma import Folder, place_of
from doc2tools.sandbox.sandbox import probe

LIBRARIES = ("beautifulsoup4", "markdown-it-py", "pydantic", "jinja2", "requests", "ruff")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: whether it is well, what was seen, what to do."""

    name: str
    well: bool
    seen: str
    hint: str = ""


def doctor_command(
    out: o.Out = Path("generated"),
    ask_model: Annotated[
        bool, typer.Option("--ask-model", help="Ask the model one question; may cost tokens.")
    ] = False,
    llm_model: o.LlmModel = None,
    llm_base_url: o.LlmBaseUrl = None,
    as_json: o.AsJson = False,
) -> int:
    """Show what this machine can do: sandbox, libraries, output folder, values kept, model."""
    model = _model(llm_model or "", llm_base_url or "", ask=ask_model)
    findings = [_python(), _sandbox(), _libraries(), _output(out), _values(out), model]
    if as_json:
        data: list[JsonValue] = [
            {"name": one.name, "well": one.well, "seen": one.seen, "hint": one.hint}
            for one in findings
        ]
        write_json(o.to_json({"version": __version__, "findings": data}))
    else:
        console = Console(highlight=False)
        console.print(f"doc2tools {__version__}")
        for one in findings:
            mark = "[green]ok  [/]" if one.well else "[red]no  [/]"
            console.print(f"{mark} {one.name:<14} {escape(one.seen)}", soft_wrap=True)
            if one.hint:
                console.print(f"     [bold]hint:[/] {escape(one.hint)}", soft_wrap=True)
    return 0 if all(one.well for one in findings) else 1


def _python() -> Finding:
    seen = f"{platform.python_implementation()} {platform.python_version()} on {sys.platform}"
    well = sys.version_info >= (3, 11)
    return Finding("python", well, seen, "" if well else "Python 3.11 or newer is needed")


def _sandbox() -> Finding:
    found = probe()
    if not found.works:
        return Finding(
            "sandbox",
            well=False,
            seen=f"none: {found.reason}",
            hint="apt-get install bubblewrap, or accept less: --sandbox weak (docs/security.md)",
        )
    user = "root" if found.root else "an ordinary user"
    parts = [f"bubblewrap {found.version} works as {user}"]
    parts.append("system calls filtered" if found.seccomp else "no system call filter here")
    return Finding("sandbox", well=True, seen=", ".join(parts))


def _libraries() -> Finding:
    seen: list[str] = []
    missing: list[str] = []
    for name in LIBRARIES:
        try:
            seen.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
    hint = f"pip install {' '.join(missing)}" if missing else ""
    return Finding("libraries", not missing, ", ".join(seen), hint)


def _model(name: str, base_url: str, *, ask: bool) -> Finding:
    options = CompileOptions(llm_model=name, llm_base_url=base_url)
    try:
        seen = describe_model(options, ask=ask)
    except Doc2ToolsError as fault:
        return Finding("model", well=False, seen=str(fault), hint=fault.hint)
    return Finding("model", well=True, seen=seen)


def _output(out: Path) -> Finding:
    folder = out.resolve()
    while not folder.exists():
        folder = folder.parent
    well = os.access(folder, os.W_OK) and folder.is_dir()
    if well:
        with tempfile.TemporaryFile(dir=folder):
            pass
    seen = f"{out} can be written" if well else f"{folder} cannot be written"
    return Finding("output", well, seen, "" if well else "choose another folder with --out")


def _values(out: Path) -> Finding:
    library = f"chromadb {importlib.metadata.version('chromadb')}"
    try:
        place = place_of(os.environ.get("DOC2TOOLS_PARAM_DB", ""), out / ".doc2tools" / "params")
        if isinstance(place, Folder) and not place.exists:
            return Finding("values", well=True, seen=f"none kept yet in {place}, {library}")
        store = importlib.import_module("doc2tools.param_db.store")
        embedding = importlib.import_module("doc2tools.param_db.embedding")
        model = embedding.embedder(os.environ.get("DOC2TOOLS_EMBEDDER", "wordllama"))
        with store.stored_values(place, model) as held:
            return Finding("values", well=True, seen=f"{len(held)} kept in {place}, {library}")
    except Doc2ToolsError as fault:
        return Finding("values", well=False, seen=str(fault), hint=fault.hint)
