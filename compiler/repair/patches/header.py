"""A header that every call needs, such as `Accept`."""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.ir.spec import Endpoint

NAMES = frozenset({"accept", "content-type", "x-requested-with", "accept-language"})
"""The headers that a repair may set: none that names a host, a method or a credential."""


@dataclass(frozen=True, slots=True)
class FixedHeader:
    """Send a header with every call."""

    name: str
    value: str

    @property
    def line(self) -> str:
        """Say what was wrong."""
        return f"the call needs the header {self.name}: {self.value}"

    def apply(self, endpoint: Endpoint) -> Endpoint:
        """Give the endpoint with the header, or as it is where a repair may not set it."""
        if self.name.lower() not in NAMES:
            return endpoint
        others = {
            name: value
            for name, value in endpoint.fixed_headers.items()
            if name.lower() != self.name.lower()
        }
        return endpoint.model_copy(update={"fixed_headers": {**others, self.name: self.value}})
