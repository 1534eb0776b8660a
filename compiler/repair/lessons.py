"""What was learnt from one tool's repair and may hold for others.

A lesson is a patch that says nothing of one tool alone, such as a missing base path. It is put to
other tools only after it held on two; each still has to prove it by a call of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.repair.patches import (
    BasePath,
    FixedHeader,
    FormatSuffix,
    ListStyle,
    Patch,
    PathEncoding,
    Relocate,
    RenameParameter,
    RenameSegment,
    TrailingSlash,
)
from doc2tools.compiler.repair.suspect import Proposal

__all__ = ["ENOUGH", "Lessons"]

ENOUGH = 2
_GENERAL = (
    BasePath,
    FixedHeader,
    FormatSuffix,
    ListStyle,
    PathEncoding,
    Relocate,
    RenameParameter,
    RenameSegment,
    TrailingSlash,
)


@dataclass(slots=True)
class Lessons:
    """Patches that held, each with the tools on which it did."""

    _held: dict[Patch, list[str]] = field(default_factory=dict[Patch, list[str]])
    _failed: dict[Patch, list[str]] = field(default_factory=dict[Patch, list[str]])

    def learn(self, patch: Patch, tool: str) -> None:
        """Note that a patch held on a tool."""
        if isinstance(patch, _GENERAL):
            tools = self._held.setdefault(patch, [])
            if tool not in tools:
                tools.append(tool)

    def unlearn(self, patch: Patch, tool: str) -> None:
        """Note that a patch changed nothing for a tool."""
        if isinstance(patch, BasePath):
            tools = self._failed.setdefault(patch, [])
            if tool not in tools:
                tools.append(tool)

    def is_doubtful(self, patch: Patch) -> bool:
        """Tell whether a patch that says something of the whole API failed twice and never held."""
        return len(self._failed.get(patch, ())) >= ENOUGH and patch not in self._held

    def for_endpoint(self, endpoint: Endpoint) -> Iterator[Proposal]:
        """Propose what held on two other tools and changes this endpoint."""
        for patch, tools in self._held.items():
            others = [tool for tool in tools if tool != endpoint.name]
            if len(others) >= ENOUGH and patch.apply(endpoint) != endpoint:
                reason = f"it held on {', '.join(others[:3])}"
                yield Proposal(patch, 1.0 + 0.01 * min(len(others), 50), reason)
