"""A placeholder that is fixed text, and fixed text that is a placeholder."""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.ir.spec import Endpoint, Example, Parameter
from doc2tools.compiler.passes.words import identifier
from doc2tools.compiler.repair.address import parts_of, placeholder_in, whole_path, with_parts


@dataclass(frozen=True, slots=True)
class ClosePlaceholder:
    """Write fixed text for a placeholder: `/{users}/{id}` is `/users/{id}`."""

    name: str
    literal: str

    @property
    def line(self) -> str:
        """Say what was wrong."""
        return f"{{{self.name}}} is no placeholder but the fixed segment {self.literal!r}"

    def apply(self, endpoint: Endpoint) -> Endpoint:
        """Give the endpoint without the placeholder, or as it is where it has no such one."""
        parts = parts_of(whole_path(endpoint))
        changed = [self.literal if placeholder_in(part) == self.name else part for part in parts]
        return endpoint if changed == parts else with_parts(endpoint, changed)


@dataclass(frozen=True, slots=True)
class OpenSegment:
    """Make fixed text a placeholder: `/users/anna` is `/users/{user}`."""

    position: int
    literal: str
    name: str

    @property
    def line(self) -> str:
        """Say what was wrong."""
        return (
            f"{self.literal!r} in the path is no fixed segment but the placeholder {{{self.name}}}"
        )

    def apply(self, endpoint: Endpoint) -> Endpoint:
        """Give the endpoint with a parameter there, or as it is where that cannot be done."""
        parts = parts_of(whole_path(endpoint))
        taken = any(parameter.name == self.name for parameter in endpoint.parameters)
        if self.position >= len(parts) or parts[self.position] != self.literal or taken:
            return endpoint
        parts[self.position] = f"{{{self.name}}}"
        used = {parameter.identifier for parameter in endpoint.parameters}
        chosen = identifier(self.name, "value", frozenset(used))
        if chosen in used:
            return endpoint
        parameter = Parameter(
            name=self.name,
            identifier=chosen,
            location="path",
            type="string",
            required=True,
            examples=(Example(value=self.literal),),
            inferred="the path segment is a value",
        )
        opened = with_parts(endpoint, parts)
        return opened.model_copy(update={"parameters": (parameter, *opened.parameters)})
