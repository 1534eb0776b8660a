"""The slash at the end of the path."""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.repair.address import moved, whole_path


@dataclass(frozen=True, slots=True)
class TrailingSlash:
    """Add the slash at the end of the path, or take it away."""

    added: bool

    @property
    def line(self) -> str:
        """Say what was wrong."""
        return f"the path ends {'in' if self.added else 'without'} a slash"

    def apply(self, endpoint: Endpoint) -> Endpoint:
        """Give the endpoint with the slash changed, or as it is where that changes nothing."""
        path = whole_path(endpoint)
        if path.endswith("/") == self.added or path == "/":
            return endpoint
        return moved(endpoint, f"{path}/" if self.added else path.rstrip("/") or "/")
