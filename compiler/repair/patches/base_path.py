"""The base path is missing, superfluous or another one: `/api/v2` before all paths."""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.repair.address import begins, moved, whole_path


@dataclass(frozen=True, slots=True)
class BasePath:
    """Put `after` where the path begins with `before`; either may be empty."""

    before: str
    after: str

    @property
    def line(self) -> str:
        """Say what was wrong."""
        if not self.before:
            return f"the base path {self.after} is missing"
        if not self.after:
            return f"the base path {self.before} is superfluous"
        return f"the base path is {self.after}, not {self.before}"

    def apply(self, endpoint: Endpoint) -> Endpoint:
        """Give the endpoint with the other base path, or as it is where there is no such one."""
        path = whole_path(endpoint)
        if self.before and not begins(path, self.before):
            return endpoint
        if self.after and begins(path, self.after):
            return endpoint
        return moved(endpoint, f"{self.after}{path[len(self.before) :]}" or "/")
