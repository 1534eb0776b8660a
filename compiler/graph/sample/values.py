"""What a user would know: the values of parameters that no earlier answer fills.

In go the plan's tools; out come candidates for one parameter, from the calls that were proved, the
documentation, and the answers recorded so far. Nothing is made up.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from doc2tools.compiler.graph.prove_plan import as_sent, usable_value
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.outcome import Tool, Validated
from doc2tools.compiler.ir.spec import ApiSpec, Endpoint, Parameter
from doc2tools.compiler.validate.filters import is_stand_in
from doc2tools.compiler.validate.harvest import documented_values, harvest
from doc2tools.param_db.values import ValueStore

__all__ = ["KnownValues", "example_of", "known_values"]

_MAX_LENGTH = 60
_VARY = 0.6
"""Share of calls in which one value is another than in the proved call."""


@dataclass(frozen=True, slots=True)
class KnownValues:
    """The values seen so far."""

    store: ValueStore
    others: dict[tuple[str, str], list[JsonValue]] = field(
        default_factory=dict[tuple[str, str], list[JsonValue]]
    )

    def choose(self, rng: random.Random, tool: Tool, filled: Sequence[str]) -> dict[str, JsonValue]:
        """Give arguments for what is not in `filled`: those of the proved call, one varied.

        Values of one call belong together, so that at most one is changed.
        """
        given = {name: value for name, value in example_of(tool).items() if name not in filled}
        endpoint = tool.endpoint
        free = [one for one in endpoint.parameters if one.name in given and one.required]
        if free and rng.random() < _VARY:
            parameter = rng.choice(free)
            choices = self.candidates(parameter, endpoint)
            if choices:
                given[parameter.name] = rng.choice(choices)
        return given

    def candidates(self, parameter: Parameter, endpoint: Endpoint) -> list[JsonValue]:
        """Give the values that a user may know for a parameter."""
        key = (endpoint.name, parameter.name)
        if key not in self.others:
            shown: list[JsonValue] = [one.value for one in parameter.examples]
            shown += [one[parameter.name] for one in endpoint.samples if parameter.name in one]
            shown += parameter.enum
            shown += [one.value for one in self.store.candidates(parameter, endpoint, 30)]
            sent = [as_sent(value, parameter) for value in shown if not is_stand_in(value)]
            fitting = [value for value in sent if _is_sayable(value, parameter)]
            self.others[key] = list({repr(value): value for value in fitting}.values())
        return self.others[key]


def _is_sayable(value: JsonValue, parameter: Parameter) -> bool:
    if isinstance(value, list):
        return all(_is_sayable(item, parameter) for item in value)
    if not isinstance(value, str | int | float) or len(str(value)) > _MAX_LENGTH:
        return False
    return usable_value(value, parameter)


def known_values(spec: ApiSpec, tools: Sequence[Tool]) -> KnownValues:
    """Collect what the documentation and the validated calls show."""
    store = ValueStore()
    store.add(documented_values(spec))
    for tool in tools:
        if isinstance(tool.outcome, Validated) and tool.outcome.attempt.exchange is not None:
            attempt = tool.outcome.attempt
            store.add(harvest(tool.endpoint, attempt.arguments, tool.outcome.attempt.exchange))
    return KnownValues(store)


def example_of(tool: Tool) -> dict[str, JsonValue]:
    """Give the arguments of the proved call, by wire name."""
    if not isinstance(tool.outcome, Validated):
        return {}
    attempt = tool.outcome.attempt
    return {one.name: one.value for one in attempt.arguments if one.value is not None}
