"""What proposals are made from, and what they are: a patch, how likely it is, and why."""

from __future__ import annotations

from dataclasses import dataclass, field

from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.compiler.repair.evidence import Evidence
from doc2tools.compiler.repair.patches import Patch
from doc2tools.compiler.repair.siblings import Siblings
from doc2tools.param_db.values import Values

__all__ = ["Proposal", "Suspect"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A patch that may help.

    Attributes:
        likelihood: From 0 to 1; only the order matters.
        reason: What speaks for it.
    """

    patch: Patch
    likelihood: float
    reason: str


@dataclass(frozen=True, slots=True)
class Suspect:
    """An endpoint that does not work, and all that may tell why.

    Attributes:
        shown: Paths that the server itself shows, as segments.
        bases: Base paths that the documentation states.
        missing: Parameters for which no value is known.
        lost: How many tools have an address that is not there.
        words: The words of the whole documentation.
    """

    endpoint: Endpoint
    evidence: Evidence
    siblings: Siblings
    values: Values
    allow: tuple[str, ...]
    shown: tuple[list[str], ...] = ()
    bases: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    lost: int = 0
    words: frozenset[str] = frozenset()

    @property
    def gone(self) -> bool:
        """The address itself may be wrong."""
        return self.evidence.trouble in {"route", "method"}

    @property
    def sent(self) -> dict[str, object]:
        """The arguments of the failed attempt."""
        return {argument.name: argument.value for argument in self.evidence.arguments}

    def parameter(self, name: str) -> Parameter | None:
        """Give the parameter of this wire name."""
        return next((one for one in self.endpoint.parameters if one.name == name), None)


@dataclass(slots=True)
class Notes:
    """What was tried for a tool and what came of it, a line each, bounded."""

    lines: list[str] = field(default_factory=list[str])
    most: int = 8

    def add(self, line: str) -> None:
        """Keep a line, unless it is there already."""
        if line not in self.lines and len(self.lines) < self.most:
            self.lines.append(line)
