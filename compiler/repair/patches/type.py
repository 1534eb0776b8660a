"""A parameter's type is another one."""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.ir.base import ValueType
from doc2tools.compiler.ir.spec import Endpoint, Parameter


@dataclass(frozen=True, slots=True)
class ChangeType:
    """Take a parameter for another type; examples that the old type ruled out count again."""

    parameter: str
    before: ValueType
    after: ValueType

    @property
    def line(self) -> str:
        """Say what was wrong."""
        return f"{self.parameter!r} is of the type {self.after}, not {self.before}"

    def apply(self, endpoint: Endpoint) -> Endpoint:
        """Give the endpoint with the other type, or as it is where it has no such parameter."""

        def retyped(parameter: Parameter) -> Parameter:
            if parameter.name != self.parameter or parameter.type != self.before:
                return parameter
            return parameter.model_copy(
                update={
                    "type": self.after,
                    "item_type": "string" if self.after == "array" else None,
                    "enum": () if self.before == "boolean" else parameter.enum,
                    "format": parameter.format if parameter.format == "path" else "",
                    "minimum": None,
                    "maximum": None,
                    "examples": (*parameter.examples, *parameter.unfit_examples),
                    "unfit_examples": (),
                }
            )

        return endpoint.model_copy(
            update={"parameters": tuple(retyped(one) for one in endpoint.parameters)}
        )
