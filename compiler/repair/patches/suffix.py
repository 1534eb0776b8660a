"""A format suffix such as `.json` at the end of the path."""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.repair.address import moved, whole_path


@dataclass(frozen=True, slots=True)
class FormatSuffix:
    """Add a suffix to the path, or take it away."""

    suffix: str
    added: bool

    @property
    def line(self) -> str:
        """Say what was wrong."""
        return f"the path ends {'in' if self.added else 'without'} {self.suffix}"

    def apply(self, endpoint: Endpoint) -> Endpoint:
        """Give the endpoint with the suffix changed, or as it is where that cannot be done."""
        path = whole_path(endpoint)
        if path.endswith(self.suffix) == self.added or path.endswith("/"):
            return endpoint
        changed = f"{path}{self.suffix}" if self.added else path.removesuffix(self.suffix)
        return endpoint if changed.endswith("/") else moved(endpoint, changed)
