"""`doc2tools publish NAME --index URL`: wheel and sdist to a package index."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from doc2tools.cli import options as o
from doc2tools.cli.screen import escape, screen, stderr, write_json
from doc2tools.publish.release import Plan, Release, plan_release, release, settle
from doc2tools.publish.upload import target
from doc2tools.toolkits import find_toolkit

SHOWN = 10


def publish_command(
    name: Annotated[str, typer.Argument(help="A package's name or folder.", metavar="NAME")],
    *,
    index: Annotated[
        str,
        typer.Option(
            "--index",
            help="Where to upload: an address, or a section of ~/.pypirc.",
            envvar="DOC2TOOLS_INDEX",
            metavar="URL",
        ),
    ],
    version: Annotated[
        str,
        typer.Option(
            "--version",
            help="The version to publish; default: what the changes since the last one mean.",
            metavar="VERSION",
        ),
    ] = "",
    simple_url: Annotated[
        str,
        typer.Option(
            "--simple-url",
            help="Where installers look, if it is none of the usual places.",
            metavar="URL",
        ),
    ] = "",
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Take the proposed version without asking.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Build and check; upload nothing.")
    ] = False,
    out: o.Out = Path("generated"),
    as_json: o.AsJson = False,
) -> int:
    """Build, check and upload a package; nothing on the index is overwritten."""
    toolkit = find_toolkit(name, out)
    to = target(index)
    plan = plan_release(toolkit, to, version=version, simple=simple_url)
    _show_plan(plan)
    unchanged = not plan.version and plan.drift is not None and plan.drift.step == "none"
    if unchanged:
        done = Release("unchanged", plan)
    else:
        with screen() as asker:
            plan = settle(
                plan, agree=lambda found: yes or asker.ask(f"Publish it as version {found}?")
            )
        done = release(toolkit, to, plan, dry_run=dry_run, simple=simple_url)
    if as_json:
        write_json(o.to_json(_json(done)))
    _show(done)
    return 0


def _show_plan(plan: Plan) -> None:
    console = stderr()
    if not plan.latest:
        console.print(escape(f"{plan.distribution}: nothing on this index yet"), soft_wrap=True)
        return
    console.print(escape(f"{plan.distribution}: the index has {plan.latest}"), soft_wrap=True)
    drift = plan.drift
    if drift is None:
        console.print("its manifest cannot be read, so nothing is compared", soft_wrap=True)
        return
    changed = tuple(change.name for change in drift.changed)
    for words, names in (
        ("added", drift.added), ("removed", drift.removed), ("changed", changed),
    ):  # fmt: skip
        if names:
            more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
            listed = ", ".join(names[:SHOWN])
            console.print(escape(f"  {len(names)} {words}: {listed}{more}"), soft_wrap=True)
    if drift.step != "none":
        text = f"a {drift.step} step, so the next version is {plan.proposed}"
        console.print(escape(text), soft_wrap=True)


def _show(done: Release) -> None:
    console, plan = stderr(), done.plan
    if done.status == "unchanged":
        text = f"nothing changed since {plan.latest}, so nothing was uploaded"
        console.print(escape(text), soft_wrap=True)
        console.print("[bold]hint:[/] --version publishes it again under another version")
        return
    for file in done.files:
        console.print(escape(f"  {file}"), soft_wrap=True)
    if done.status == "checked":
        console.print("built and checked; nothing was uploaded (--dry-run)")
        return
    what = f"{plan.distribution}=={plan.version}"
    console.print(f"[bold]published[/] {escape(what)}")
    where = f" --index-url {plan.simple}/" if plan.simple else ""
    console.print(f"next: pip install{escape(where)} {escape(what)}", soft_wrap=True)


def _json(done: Release) -> dict[str, JsonValue]:
    plan = done.plan
    return {
        "status": done.status,
        "name": plan.distribution,
        "version": plan.version or plan.latest,
        "latest": plan.latest,
        "proposed": plan.proposed,
        "simple_url": plan.simple,
        "files": list(done.files),
        "drift": plan.drift.to_json() if plan.drift is not None else None,
    }
