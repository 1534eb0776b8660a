"""Whether a slash inside a path value is a part of the path or is percent-encoded."""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.ir.spec import Endpoint


@dataclass(frozen=True, slots=True)
class PathEncoding:
    """Send the slashes of a path value as they are, or percent-encoded."""

    parameter: str
    slashes: bool

    @property
    def line(self) -> str:
        """Say what was wrong."""
        how = "as they are" if self.slashes else "percent-encoded"
        return f"the slashes in {self.parameter!r} are sent {how}"

    def apply(self, endpoint: Endpoint) -> Endpoint:
        """Give the endpoint with the other encoding, or as it is where that changes nothing."""
        wanted = "path" if self.slashes else ""
        parameters = tuple(
            parameter.model_copy(update={"format": wanted})
            if parameter.name == self.parameter
            and parameter.location == "path"
            and (parameter.format == "path") != self.slashes
            else parameter
            for parameter in endpoint.parameters
        )
        return endpoint.model_copy(update={"parameters": parameters})
