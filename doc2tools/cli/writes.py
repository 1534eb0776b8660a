"""The write plan on the screen and in `--json`, and the question whether it may be run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from pydantic import JsonValue
from rich.markup import escape as escape_markup

from doc2tools.cli.plain import plain
from doc2tools.compiler.validate.writes.model import OWN, Family, Leftover, Step, WritePlan

if TYPE_CHECKING:
    from doc2tools.compiler.pipeline import CompileResult

SHOWN_BLOCKED = 30
WHAT = {
    "list": "read the list, to know what is there",
    "absent": "read, to be sure that nothing is there",
    "create": "create",
    "read": "read",
    "change": "change",
    "delete": "delete",
    "gone": "read, to be sure that it is gone",
}


class Asker(Protocol):
    """Puts a question to the user."""

    def ask(self, question: str) -> bool:
        """Give whether they said yes."""
        ...


def confirm(asker: Asker, plan: WritePlan) -> bool:
    """Ask whether a plan that was shown may be run."""
    return asker.ask(f"Make these {plan.writes} writes?")


def plan_lines(plan: WritePlan, *, confirmed: bool) -> Iterator[str]:
    """Write a plan for people, as lines of rich markup."""
    number = len(plan.families)
    things = f"{number} object{'s' if number != 1 else ''}"
    yield (
        f"[bold]write plan {plan.digest}[/]: {things} of our own, {plan.writes} calls that write"
    )
    for family in plan.families:
        yield from _family_lines(family)
    for one in plan.blocked[:SHOWN_BLOCKED]:
        yield _escape(f"  stays blocked: {one.method} {one.url} ({one.tool}): {one.reason}")
    if len(plan.blocked) > SHOWN_BLOCKED:
        yield f"  and {len(plan.blocked) - SHOWN_BLOCKED} more stay blocked; --json lists them all"
    if not confirmed:
        yield (
            "[bold]hint:[/] nothing is written without your word: "
            f"--confirm-writes {plan.digest} runs just this plan"
        )


def leftover_lines(leftover: Leftover) -> Iterator[str]:
    """Write what was left behind for people, with the command to look for or delete it."""
    name = f"{leftover.marker} at {leftover.resource}"
    known = f" ({leftover.identifier})" if leftover.identifier else ""
    yield f"[bold red]left behind:[/] {_escape(name + known)}: {_escape(leftover.reason)}"
    if leftover.command:
        yield f"  [bold]hint:[/] {_escape(leftover.command)}"


def writes_json(result: CompileResult) -> JsonValue:
    """Give what `--json` says about writes."""
    plan = result.writes.plan
    return {
        "digest": plan.digest,
        "confirmed": result.writes.confirmed,
        "families": [
            {
                **family.model_dump(mode="json"),
                "tools": list(family.tools),
            }
            for family in plan.families
        ],
        "blocked": [one.model_dump(mode="json") for one in plan.blocked],
        "leftovers": [one.model_dump(mode="json") for one in result.writes.leftovers],
    }


def _family_lines(family: Family) -> Iterator[str]:
    own = f"key {family.marker}" if family.own_key else f"name {family.marker}"
    yield f"  [bold]{_escape(family.resource.replace(OWN, family.marker))}[/] ({_escape(own)})"
    for number, step in enumerate(family.steps, 1):
        yield _escape(f"    {number}. {_step(step, family)}")


def _step(step: Step, family: Family) -> str:
    shown = family.marker if family.own_key else "<our id>"
    line = f"{WHAT[step.action]}: {step.method} {step.url.replace(OWN, shown)}"
    sent = {one.name: one.value for one in step.given if step.writes}
    if not sent:
        return line
    return f"{line} {json.dumps(sent, ensure_ascii=False)}"


def _escape(text: str) -> str:
    return escape_markup(plain(text))
