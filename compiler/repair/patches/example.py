"""A documented value with which no call works."""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.spec import Endpoint, Example, Parameter
from doc2tools.compiler.passes.examples import same_value


@dataclass(frozen=True, slots=True)
class ReplaceExample:
    """Put a value that works in the place of a documented one that does not."""

    parameter: str
    wrong: JsonValue
    right: JsonValue

    @property
    def line(self) -> str:
        """Say what was wrong."""
        wrong, right = repr(self.wrong)[:60], repr(self.right)[:60]
        return (
            f"the documented value {wrong} of {self.parameter!r} does not work here; {right} does"
        )

    def apply(self, endpoint: Endpoint) -> Endpoint:
        """Give the endpoint with the other value, or as it is where it has no such parameter."""
        known = next((p for p in endpoint.parameters if p.name == self.parameter), None)
        if known is None:
            return endpoint
        replaced = self._in(known)
        samples = tuple(
            {
                name: self.right
                if name == self.parameter and same_value(value, self.wrong)
                else value
                for name, value in sample.items()
            }
            for sample in endpoint.samples
        )
        parameters = tuple(replaced if p is known else p for p in endpoint.parameters)
        return endpoint.model_copy(update={"parameters": parameters, "samples": samples})

    def _in(self, parameter: Parameter) -> Parameter:
        kept = tuple(
            example
            for example in parameter.examples
            if not same_value(example.value, self.wrong)
            and not same_value(example.value, self.right)
        )
        right = Example(value=self.right, origin="repaired")
        return parameter.model_copy(update={"examples": (right, *kept)})
