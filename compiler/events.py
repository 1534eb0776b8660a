"""What the engine tells its listeners while it works; the terminal, JSON and journal subscribe."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from doc2tools.compiler.ir.source import Diagnostic
from doc2tools.compiler.validate.writes.model import Leftover, WritePlan

Stage = Literal[
    "load",
    "extract",
    "normalise",
    "model",
    "run",
    "repair",
    "write",
    "verify",
    "graph",
    "emit",
    "sample",
]


@dataclass(frozen=True, slots=True)
class StageStarted:
    """A stage begins; `total` is its number of units (pages, tools), 0 if not known."""

    stage: Stage
    total: int = 0


@dataclass(frozen=True, slots=True)
class PageDrafted:
    """One page was read; `cached` if its drafts came from the state folder."""

    page: str
    endpoints: int
    cached: bool


@dataclass(frozen=True, slots=True)
class DiagnosticFound:
    """A fault of the documentation was met."""

    diagnostic: Diagnostic


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the user should know that is no fault of the documentation."""

    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class EdgeTried:
    """What became of an edge of the dependency graph: proved, refuted or untested."""

    source: str
    target: str
    stage: str


@dataclass(frozen=True, slots=True)
class SampleDrawn:
    """A task was drawn: the `number`th."""

    number: int


@dataclass(frozen=True, slots=True)
class WritesPlanned:
    """What would be written is settled; `confirmed` if the user has agreed to just this plan."""

    plan: WritePlan
    confirmed: bool


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """Something that we created, or may have, could not be proved gone."""

    leftover: Leftover


@dataclass(frozen=True, slots=True)
class StageFinished:
    """A stage ended after `seconds`; `note` sums it up in a few words."""

    stage: Stage
    seconds: float
    note: str = ""


Listener = Callable[[object], None]
"""Takes any event: those here, and those of `validate`."""


def ignore(event: object) -> None:
    """Listen to nothing."""
    del event
