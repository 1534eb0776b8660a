"""A finished compile, kept in the state folder for the commands that go on from it."""

from __future__ import annotations

from doc2tools.compiler.emit.manifest import without_secrets
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.state import State, key_of

__all__ = ["keep_plan", "kept_plan"]

KIND = "compiled"


def keep_plan(plan: PackagePlan, state: State) -> None:
    """Keep a plan under its package's name; no secret that the configuration spells out.

    Raises:
        StoreError: The state folder can't be written.
    """
    auth = without_secrets(plan.options.auth, f"{plan.name.upper()}_PASSWORD")
    options = plan.options.model_copy(update={"auth": auth})
    state.put(KIND, key_of(plan.name), plan.model_copy(update={"options": options}))


def kept_plan(name: str, state: State) -> PackagePlan | None:
    """Give the plan of the last compile of `name` by this version, or `None`."""
    return state.get(KIND, key_of(name), PackagePlan)
