"""The write plan as data: families of operations on one kind of object, and their steps in order.

Pydantic values, so that a plan can be shown, written as JSON, kept, and named by its digest.
"""

from __future__ import annotations

import hashlib
import json
from typing import Literal

from pydantic import Field

from doc2tools.compiler.ir.base import Frozen, JsonValue, Origin
from doc2tools.compiler.ir.exchange import Exchange
from doc2tools.compiler.ir.outcome import Outcome

__all__ = [
    "OWN",
    "Action",
    "Family",
    "Given",
    "Held",
    "Leftover",
    "Step",
    "WritePlan",
    "Written",
]

OWN = "{our-id}"
"""Stands in a step's address for the identifier that our object gets."""

Action = Literal["list", "absent", "create", "read", "change", "delete", "gone"]


class Given(Frozen):
    """One argument that a step sends, by wire name."""

    name: str
    value: JsonValue
    origin: Origin
    source: str


class Step(Frozen):
    """One call of the plan.

    Attributes:
        action: `list` and `absent` look before we create; `gone` looks after we deleted.
        tool: The tool's name.
        method: Upper case.
        url: The address; `OWN` stands for our object's identifier.
        given: What is sent, the identifier left out.
        key: The path parameter that carries the identifier, if the step has one.
        shows: The text by which our object is known after this step, if it carries any.
    """

    action: Action
    tool: str
    method: str
    url: str
    given: tuple[Given, ...] = ()
    key: str = ""
    shows: str = ""

    @property
    def writes(self) -> bool:
        """The call changes the server."""
        return self.action in {"create", "change", "delete"}


class Family(Frozen):
    """What is done with one kind of object.

    Attributes:
        resource: The collection's address.
        marker: The name of our object: unique, the same at every compile, easy to recognise.
        own_key: Our object's identifier is ours to choose, and is `marker`.
        steps: In order.
    """

    resource: str
    marker: str
    own_key: bool
    steps: tuple[Step, ...]

    @property
    def tools(self) -> tuple[str, ...]:
        """Names of the tools that the steps call, each once."""
        return tuple(dict.fromkeys(step.tool for step in self.steps))

    def step(self, action: Action) -> Step | None:
        """Give the first step of this kind."""
        return next((step for step in self.steps if step.action == action), None)


class Held(Frozen):
    """A tool that changes state and is not in the plan, with the reason."""

    tool: str
    method: str
    url: str
    reason: str


class WritePlan(Frozen):
    """All that would be written, and what stays blocked. Empty without methods that write."""

    families: tuple[Family, ...] = ()
    blocked: tuple[Held, ...] = ()

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits that change with any step; "" for a plan without steps."""
        if not self.families:
            return ""
        text = json.dumps([one.model_dump(mode="json") for one in self.families], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def writes(self) -> int:
        """How many calls of the plan change the server."""
        return sum(step.writes for family in self.families for step in family.steps)


class Leftover(Frozen):
    """Something that we created, or may have, and could not prove gone.

    Attributes:
        command: The curl command that looks for it or deletes it; credentials are not in it.
    """

    resource: str
    marker: str
    identifier: str = ""
    reason: str
    command: str = ""


class Written(Frozen):
    """What running a plan gave.

    Attributes:
        outcomes: By tool name: those that write, and reads that our object proved.
        replays: The exchanges behind the validated outcomes, under their recordings' keys.
        clean: Nothing was left behind, nothing may pass by itself: the result stands.
    """

    outcomes: dict[str, Outcome] = Field(default_factory=dict)
    replays: dict[str, Exchange] = Field(default_factory=dict)
    leftovers: tuple[Leftover, ...] = ()
    clean: bool = True
