"""Another method, among those that only read."""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.ir.spec import Endpoint

READING = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Method:
    """Call with another method; one that writes is never put in."""

    before: str
    after: str

    @property
    def line(self) -> str:
        """Say what was wrong."""
        return f"the method is {self.after}, not {self.before}"

    def apply(self, endpoint: Endpoint) -> Endpoint:
        """Give the endpoint with the other method, or as it is where that may not be."""
        if endpoint.method.upper() != self.before or self.after not in READING:
            return endpoint
        return endpoint.model_copy(update={"method": self.after})
