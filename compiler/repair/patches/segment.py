"""A fixed part of the path is spelled or named wrongly."""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.repair.address import parts_of, whole_path, with_parts


@dataclass(frozen=True, slots=True)
class RenameSegment:
    """Write `after` for the segment `before` at `position`, counted from the host's root."""

    position: int
    before: str
    after: str

    @property
    def line(self) -> str:
        """Say what was wrong."""
        return f"the path segment is {self.after!r}, not {self.before!r}"

    def apply(self, endpoint: Endpoint) -> Endpoint:
        """Give the endpoint with the other segment, or as it is where it has no such one."""
        parts = parts_of(whole_path(endpoint))
        if self.position >= len(parts) or parts[self.position] != self.before:
            return endpoint
        parts[self.position] = self.after
        return with_parts(endpoint, parts)
