"""A parameter that is sent in another place: path, query, header, form or JSON body."""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.ir.base import Location
from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.compiler.repair.address import parts_of, placeholder_in, whole_path, with_parts


@dataclass(frozen=True, slots=True)
class Relocate:
    """Send a parameter in another place.

    Attributes:
        parameter: Its wire name.
        position: For a place in the path, the segment before which it goes.
    """

    parameter: str
    before: Location
    after: Location
    position: int = -1

    @property
    def line(self) -> str:
        """Say what was wrong."""
        where = f" as segment {self.position + 1}" if self.after == "path" else ""
        return f"{self.parameter!r} is sent in the {self.after}{where}, not in the {self.before}"

    def apply(self, endpoint: Endpoint) -> Endpoint:
        """Give the endpoint with the parameter there, or as it is where it has no such one."""
        found = next((p for p in endpoint.parameters if self._is_meant(p)), None)
        if found is None or self.before == self.after or not self._may_go(endpoint):
            return endpoint
        sent = found.model_copy(update={"location": self.after, "format": _format(found)})
        if self.after == "path":
            sent = sent.model_copy(update={"required": True})
        parameters = tuple(sent if p is found else p for p in endpoint.parameters)
        parts = parts_of(whole_path(endpoint))
        if self.before == "path":
            parts = [part for part in parts if placeholder_in(part) != self.parameter]
        elif self.after == "path":
            slash = parts[-1] == ""
            parts = parts[:-1] if slash else parts
            parts.insert(self.position, f"{{{self.parameter}}}")
            parts += [""] if slash else []
        bodies = {p.location for p in parameters} & {"body", "form"}
        kind = "none"
        if bodies:
            kind = "form" if "form" in bodies else "json"
        changed = endpoint.model_copy(update={"parameters": parameters, "body_kind": kind})
        return with_parts(changed, parts)

    def _is_meant(self, parameter: Parameter) -> bool:
        return parameter.name == self.parameter and parameter.location == self.before

    def _may_go(self, endpoint: Endpoint) -> bool:
        parts = parts_of(whole_path(endpoint))
        if self.before == "path":
            return any(placeholder_in(part) == self.parameter for part in parts)
        plain = not set("{}/?#%") & set(self.parameter)
        return self.after != "path" or (plain and 0 < self.position <= len(parts))


def _format(parameter: Parameter) -> str:
    return "" if parameter.format == "path" else parameter.format
