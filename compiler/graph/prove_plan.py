"""Plans the calls that can prove an edge: which values of the field, and what goes beside them.

In go an edge and the tools; out come at most `MAX_TRIES` argument sets, or the reason why there
are none. Nothing is called here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from doc2tools.compiler.graph.prove_fields import Held, answer_payload, nearest, read_field
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Exchange
from doc2tools.compiler.ir.graph import Edge
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Argument, Tool, Validated
from doc2tools.compiler.ir.spec import Parameter
from doc2tools.compiler.passes.answer_paths import EACH, last_key
from doc2tools.compiler.validate.filters import (
    changes_state,
    is_credential,
    is_long_poll,
    is_stand_in,
)
from doc2tools.compiler.validate.plan import ArgumentSet, refusal
from doc2tools.param_db.fit import fits, shaped
from doc2tools.param_db.naming import fold
from doc2tools.param_db.privacy import is_personal_value, is_secret_name

__all__ = ["MAX_TRIES", "Known", "Obstacle", "Plan", "Try", "as_sent", "plan_edge", "usable_value"]

MAX_TRIES = 6
LEAST_TRUSTED = 0.6
"""An edge that was judged less sure than this needs `WEAKLY_JUDGED` values that hold."""
WEAKLY_JUDGED = 2
LEAST_JUDGED = 0.5
"""An edge below this was not judged at all."""
_MAX_VALUES = 3
_MAX_LENGTH = 300


@dataclass(frozen=True, slots=True)
class Try:
    """One call of the target that is worth making."""

    held: Held
    chosen: ArgumentSet


@dataclass(frozen=True, slots=True)
class Plan:
    """The calls for one edge, best first.

    Attributes:
        known: All values at the field: no control is one of them.
        needed: How many different values have to hold. Where little but values speaks for an edge,
            one may fit by chance.
        spare: How many values may fail before the edge is given up.
    """

    edge: Edge
    target: Tool
    parameter: Parameter
    tries: tuple[Try, ...]
    known: frozenset[str]
    needed: int = 1
    spare: int = 0


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why an edge is not tried; `refuted` if the recorded answer itself speaks against it."""

    reason: str
    kind: str
    refuted: bool = False


@dataclass(frozen=True)
class Known:
    """The tools by name, the edges between two tools, and their recorded answers, read once."""

    tools: Mapping[str, Tool]
    edges: Sequence[Edge]
    options: CompileOptions
    payloads: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])

    @cached_property
    def between(self) -> dict[tuple[str, str], list[Edge]]:
        """The edges by source and target."""
        found: dict[tuple[str, str], list[Edge]] = {}
        for edge in self.edges:
            found.setdefault((edge.source, edge.target), []).append(edge)
        return found

    def exchange(self, tool: str) -> Exchange | None:
        """Give the recorded call that validated a tool."""
        outcome = self.tools[tool].outcome
        return outcome.attempt.exchange if isinstance(outcome, Validated) else None

    def values(self, tool: str, path: str) -> list[Held]:
        """Give the values at a field of a tool's recorded answer."""
        if tool not in self.payloads:
            exchange = self.exchange(tool)
            self.payloads[tool] = answer_payload(exchange.response if exchange else None)
        return read_field(self.payloads[tool], path)


def plan_edge(edge: Edge, known: Known) -> Plan | Obstacle:
    """Give the calls for an edge, or why it cannot be tried."""
    source, target = known.tools.get(edge.source), known.tools.get(edge.target)
    found = target.endpoint.parameters if target is not None else ()
    parameter = next((one for one in found if one.name == edge.parameter), None)
    if source is None or target is None or parameter is None:
        return Obstacle("the package does not hold both tools and the parameter", "not held")
    obstacle = _obstacle(source, target, parameter, known.options)
    if obstacle is not None:
        return obstacle
    return _planned(edge, target, parameter, known)


def _planned(edge: Edge, target: Tool, parameter: Parameter, known: Known) -> Plan | Obstacle:
    values = known.values(edge.source, edge.field)
    if not values:
        return Obstacle("the recorded answer holds no value there", "no value")
    if edge.field.endswith(EACH) and len({isinstance(held.value, str) for held in values}) > 1:
        return Obstacle("the list holds values of several kinds", "several kinds", refuted=True)
    secret = is_secret_name(last_key(edge.field))
    usable = [held for held in values if not secret and usable_value(held.value, parameter)]
    if not usable:
        return Obstacle("no value there fits the parameter", "does not fit", refuted=True)
    needed = 1
    if edge.score < LEAST_TRUSTED:
        needed = WEAKLY_JUDGED
        shown = _shown(target, parameter)
        others = [held for held in usable if str(held.value) not in shown]
        if len(values) == 1 and others and isinstance(values[0].value, str):
            needed = 1
        elif len(usable) < needed:
            reason = "all that speaks for it is one value, which may fit by chance"
            return Obstacle(reason, "one value")
        usable = others or usable
    tries = _tries(edge, usable, target, parameter, known)
    if not tries:
        return Obstacle("another parameter of the target has no value", "no value")
    taken = frozenset(str(held.value) for held in values)
    distinct = len({str(one.held.value) for one in tries})
    if edge.score < LEAST_JUDGED:
        needed = max(needed, min(WEAKLY_JUDGED, distinct))
    return Plan(edge, target, parameter, tries, taken, needed, spare=distinct - needed)


def _shown(target: Tool, parameter: Parameter) -> set[str]:
    """Give the values that were known to work before: that they do so again proves little."""
    values = [one.value for one in parameter.examples]
    values += [one[parameter.name] for one in target.endpoint.samples if parameter.name in one]
    if isinstance(target.outcome, Validated):
        arguments = target.outcome.attempt.arguments
        values += [one.value for one in arguments if one.name == parameter.name]
    return {
        str(item) for value in values for item in (value if isinstance(value, list) else [value])
    }


def _obstacle(
    source: Tool, target: Tool, parameter: Parameter, options: CompileOptions
) -> Obstacle | None:
    for tool in (source, target):
        name = tool.endpoint.name
        if tool.endpoint.effect.kind != "read" and name not in options.allow_unsafe:
            return Obstacle(f"{name} changes state: it is called by the write plan only", "write")
        if not isinstance(tool.outcome, Validated):
            return Obstacle(f"{name} is {tool.outcome.status}: no call of it is known", "no call")
    if refusal(target.endpoint, options) is not None:
        return Obstacle(f"{target.endpoint.name} may not be called", "write")
    if is_credential(parameter) or parameter.type == "file":
        return Obstacle("credentials and files are never taken from answers", "credential")
    if is_long_poll(parameter.name):
        return Obstacle("the parameter makes the server hold the answer back", "waits")
    return None


def usable_value(value: JsonValue, parameter: Parameter) -> bool:
    """Tell whether a value may be sent for a parameter, and says enough to prove something."""
    if isinstance(value, bool):
        return parameter.type == "boolean"
    if isinstance(value, str):
        text = value.strip(" *")  # asterisks are what redaction leaves
        if not text or len(value) > _MAX_LENGTH or is_personal_value(value):
            return False
        if is_stand_in(value):
            return False
    sent = as_sent(value, parameter)
    return value not in (0, "0") and fits(sent, parameter) and not changes_state(parameter, sent)


def as_sent(value: JsonValue, parameter: Parameter) -> JsonValue:
    """Give a value as the parameter takes it: of its type, without the slash before a path."""
    if isinstance(value, str) and parameter.location == "path" and len(value) > 1:
        value = value.removeprefix("/")
    return shaped(value, parameter)


def _tries(
    edge: Edge, usable: list[Held], target: Tool, parameter: Parameter, known: Known
) -> tuple[Try, ...]:
    tries: dict[str, Try] = {}
    for held in _spread(usable):
        for others in _companions(edge, held, target, known):
            given = {**others, parameter.name: as_sent(held.value, parameter)}
            needed = [one for one in target.endpoint.parameters if one.required]
            if any(one.name not in given for one in needed):
                continue
            chosen = ArgumentSet(
                tuple(
                    Argument(name=one.name, value=given[one.name], origin="observed")
                    for one in target.endpoint.parameters
                    if one.name in given
                ),
                proved=True,
            )
            tries.setdefault(chosen.key, Try(held, chosen))
    return tuple(tries.values())[:MAX_TRIES]


def _spread(usable: list[Held]) -> list[Held]:
    """Take the first, the last and the middle: neighbours tend to fail for the same reason."""
    # A zero or a one fits too many things.
    telling = [held for held in usable if held.value not in (0, 1, "0", "1")] or usable
    chosen = [telling[0], telling[-1], telling[len(telling) // 2]]
    return list({id(held): held for held in chosen}.values())[:_MAX_VALUES]


def _companions(edge: Edge, held: Held, target: Tool, known: Known) -> list[dict[str, JsonValue]]:
    """Give what may go beside the value: what lies beside it in the answer, then the example."""
    outcome = target.outcome
    assert isinstance(outcome, Validated), "plan_edge looked"  # noqa: S101 - our own invariant
    shown: dict[str, JsonValue] = {
        one.name: one.value for one in outcome.attempt.arguments if one.value is not None
    }
    shown.pop(edge.parameter, None)
    beside: dict[str, JsonValue] = {}
    parameters = {one.name: one for one in target.endpoint.parameters}
    for name, value in _context(edge.source, known).items():
        twin = next((one for one in parameters if fold(one) == name and one in shown), None)
        if twin is not None and twin != edge.parameter:
            beside[twin] = as_sent(value, parameters[twin])
    for other in known.between.get((edge.source, edge.target), ()):
        wanted = parameters.get(other.parameter)
        if wanted is None or other.parameter == edge.parameter or not wanted.required:
            continue
        mate = nearest(held, known.values(edge.source, other.field))
        if mate is not None and usable_value(mate.value, wanted):
            beside.setdefault(other.parameter, as_sent(mate.value, wanted))
    return [shown | beside, shown] if beside else [shown]


def _context(tool: str, known: Known) -> dict[str, JsonValue]:
    """Give the arguments of a tool's recorded call, by folded name."""
    outcome = known.tools[tool].outcome
    if not isinstance(outcome, Validated):
        return {}
    return {fold(one.name): one.value for one in outcome.attempt.arguments}
