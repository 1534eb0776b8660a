"""`doc2tools compile --check`: has the documentation drifted from the package? Nothing is written.

The compile runs in a folder of its own, with a copy of the state, so that recorded answers and
outcomes are used and neither the package nor the state changes. No write plan is run or taken back.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from pydantic import JsonValue

from doc2tools.cli.options import to_json
from doc2tools.cli.screen import escape, stderr, write_json
from doc2tools.compiler.emit.drift import Difference, Drift, compare
from doc2tools.compiler.events import Listener
from doc2tools.compiler.ir.errors import StoreError, UsageError
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.pipeline import compile_docs
from doc2tools.compiler.values_file import VALUES_SUFFIX
from doc2tools.toolkits import MANIFEST, Toolkit, find_toolkit

SHOWN = 40
_STYLES = {"major": "red", "minor": "yellow", "patch": "cyan", "none": "green"}


def check_docs(
    docs: Sequence[str],
    options: CompileOptions,
    out: Path,
    *,
    fresh: bool = False,
    on_event: Listener,
) -> tuple[Toolkit, Drift]:
    """Compile without writing, and compare with the package below `out`.

    With no method allowed nothing is called, and the documentation alone is compared.

    Raises:
        UsageError: There is no package of that name, or no documentation.
        StoreError: The state cannot be copied.
    """
    offline = not options.allow
    changes: dict[str, object] = {"confirm_writes": ""}
    if offline:
        changes["export"] = "all"
    with tempfile.TemporaryDirectory(prefix="doc2tools-check-") as name:
        apart = Path(name)
        _copy_state(out / ".doc2tools", apart / ".doc2tools")
        for file in out.glob(f"*{VALUES_SUFFIX}"):
            shutil.copyfile(file, apart / file.name)
        settled = options.model_copy(update=changes)
        result = compile_docs(docs, settled, apart, fresh=fresh, on_event=on_event)
        package = result.plan.name
        toolkit = find_toolkit(package, out)
        built = apart / package / "src" / package / MANIFEST
        new = cast("dict[str, JsonValue]", json.loads(built.read_bytes()))
    old = toolkit.read()
    if offline:
        _export_alike(old, new)
    try:
        return toolkit, compare(old, new)
    except ValueError as fault:
        raise UsageError(
            f"{toolkit.manifest}: {fault}", hint="compile the package again"
        ) from fault


def show(toolkit: Toolkit, drift: Drift, *, as_json: bool) -> int:
    """Say what has drifted; give the exit code: 1 where something has, else 0."""
    if as_json:
        data: dict[str, JsonValue] = {"name": toolkit.name, "folder": str(toolkit.package)}
        write_json(to_json({**data, **drift.to_json()}))
        return 0 if drift.step == "none" else 1
    console = stderr()
    lines = [f"[green]added[/]    {escape(name)}" for name in drift.added]
    for name in drift.removed:
        reason = drift.reasons.get(name, "")
        lines.append(f"[red]removed[/]  {escape(f'{name}: {reason}')}")
    lines += [_line("package", one) for one in drift.package]
    for change in drift.changed:
        lines += [_line(change.name, one) for one in change.differences]
    for line in lines[:SHOWN]:
        console.print(line, soft_wrap=True)
    if len(lines) > SHOWN:
        console.print(f"{len(lines) - SHOWN} more; --json lists them all")
    if drift.unchecked:
        count = len(drift.unchecked)
        console.print(f"[bold]note:[/] {count} tools were compared by their documentation alone")
    step = drift.step
    if step == "none":
        console.print(f"[bold]{escape(toolkit.name)}[/]: no drift")
        return 0
    style = _STYLES[step]
    console.print(
        f"[bold]{escape(toolkit.name)}[/]: {len(drift.added)} added, {len(drift.removed)} removed, "
        f"{len(drift.changed)} changed; this is a [{style}]{step}[/] version step"
    )
    console.print("[bold]hint:[/] compile again, and publish the next version", soft_wrap=True)
    return 1


def _line(name: str, difference: Difference) -> str:
    style = _STYLES[difference.step]
    text = escape(f"{name}: {difference.what}")
    return f"[{style}]changed[/]  {text} ({difference.step})"


def _copy_state(state: Path, copy: Path) -> None:
    """Copy what is kept between runs, but not the journal of writes: nothing is to be taken back.

    Raises:
        StoreError: It cannot be read.
    """
    if not state.is_dir():
        return
    try:
        shutil.copytree(state, copy, ignore=shutil.ignore_patterns("writes", "lock", ".tmp-*"))
    except (OSError, shutil.Error) as fault:
        raise StoreError(
            f"{state} cannot be copied", hint="wait until no other compile is under way"
        ) from fault


def _export_alike(old: dict[str, JsonValue], new: dict[str, JsonValue]) -> None:
    """Have the new manifest export what the old one does, and what the old one does not know."""
    known = {str(tool.get("name")): bool(tool.get("exported")) for tool in _tools(old)}
    for tool in _tools(new):
        tool["exported"] = known.get(str(tool.get("name")), True)


def _tools(manifest: dict[str, JsonValue]) -> list[dict[str, JsonValue]]:
    tools = manifest.get("tools")
    listed = tools if isinstance(tools, list) else []
    return [tool for tool in listed if isinstance(tool, dict)]
