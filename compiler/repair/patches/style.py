"""How lists and truth values are written in a query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.spec import Endpoint, Example, Parameter

Style = Literal["repeat", "comma", "space", "pipe"]
Truth = Literal["1/0", "yes/no", "on/off", "True/False"]

_WORDS: dict[Style, str] = {
    "repeat": "as repeated parameters",
    "comma": "joined by commas",
    "space": "joined by spaces",
    "pipe": "joined by |",
}


@dataclass(frozen=True, slots=True)
class ListStyle:
    """Send a list parameter repeated, or joined by a separator."""

    parameter: str
    style: Style

    @property
    def line(self) -> str:
        """Say what was wrong."""
        return f"the items of {self.parameter!r} are sent {_WORDS[self.style]}"

    def apply(self, endpoint: Endpoint) -> Endpoint:
        """Give the endpoint with the other style, or as it is where it has no such list."""

        def restyled(parameter: Parameter) -> Parameter:
            fits = parameter.name == self.parameter and parameter.location == "query"
            if not fits or parameter.type != "array":
                return parameter
            return parameter.model_copy(update={"style": self.style})

        return endpoint.model_copy(
            update={"parameters": tuple(restyled(one) for one in endpoint.parameters)}
        )


@dataclass(frozen=True, slots=True)
class BooleanStyle:
    """Send a truth value in other words than `true` and `false`."""

    parameter: str
    words: Truth

    @property
    def line(self) -> str:
        """Say what was wrong."""
        return f"{self.parameter!r} is written {self.words}, not true/false"

    def apply(self, endpoint: Endpoint) -> Endpoint:
        """Give the endpoint with the two words as the parameter's choices."""
        words = self.words.split("/")
        choices: tuple[JsonValue, ...] = tuple(words)
        if self.words == "1/0":
            choices = (1, 0)

        def reworded(parameter: Parameter) -> Parameter:
            if parameter.name != self.parameter or parameter.type != "boolean":
                return parameter
            shown = [e.value for e in parameter.examples if isinstance(e.value, bool)]
            examples = [Example(value=choices[0 if v else 1], origin="repaired") for v in shown]
            default = parameter.default
            return parameter.model_copy(
                update={
                    "type": "integer" if self.words == "1/0" else "string",
                    "enum": choices,
                    "default": choices[0 if default else 1] if default is not None else None,
                    "examples": tuple(examples),
                }
            )

        changed = tuple(reworded(one) for one in endpoint.parameters)
        if changed == endpoint.parameters:
            return endpoint
        samples = tuple(
            {
                name: choices[0 if value else 1]
                if name == self.parameter and isinstance(value, bool)
                else value
                for name, value in sample.items()
            }
            for sample in endpoint.samples
        )
        return endpoint.model_copy(update={"parameters": changed, "samples": samples})
