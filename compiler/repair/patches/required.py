"""A parameter without which a call is refused, documented as optional or not at all."""

from __future__ import annotations

import re
from dataclasses import dataclass

from doc2tools.compiler.ir.base import JsonValue, Location, ValueType
from doc2tools.compiler.ir.spec import Endpoint, Example, Parameter
from doc2tools.compiler.passes.words import identifier

NAME = re.compile(r"[A-Za-z_][\w.\-]{0,60}(?:\[\])?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Require:
    """Mark a parameter as required; one that is not documented is added.

    Attributes:
        value: A value that the server's answer or a sibling gives for it, if one does.
    """

    parameter: str
    location: Location = "query"
    value: JsonValue = None

    @property
    def line(self) -> str:
        """Say what was wrong."""
        return f"{self.parameter!r} is required"

    def apply(self, endpoint: Endpoint) -> Endpoint:
        """Give the endpoint with the parameter required, or as it is where that cannot be."""
        known = next((p for p in endpoint.parameters if p.name == self.parameter), None)
        if known is None:
            return self._added(endpoint)
        examples = known.examples
        if self.value is not None:
            examples = (Example(value=self.value, origin="repaired"), *examples)
        marked = known.model_copy(update={"required": True, "examples": examples})
        return endpoint.model_copy(
            update={"parameters": tuple(marked if p is known else p for p in endpoint.parameters)}
        )

    def _added(self, endpoint: Endpoint) -> Endpoint:
        if self.location == "path" or not NAME.fullmatch(self.parameter):
            return endpoint
        used = frozenset(parameter.identifier for parameter in endpoint.parameters)
        chosen = identifier(self.parameter, "value", used)
        if chosen in used:
            return endpoint
        examples = () if self.value is None else (Example(value=self.value, origin="repaired"),)
        parameter = Parameter(
            name=self.parameter,
            identifier=chosen,
            location=self.location,
            type=_type(self.value),
            required=True,
            examples=examples,
            inferred="the server's answer asks for it",
        )
        return endpoint.model_copy(update={"parameters": (*endpoint.parameters, parameter)})


def _type(value: JsonValue) -> ValueType:
    if isinstance(value, bool):
        return "boolean"
    return "integer" if isinstance(value, int) else "any"
