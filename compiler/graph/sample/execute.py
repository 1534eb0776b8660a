"""Calls the tools of a subgraph in order: arguments from earlier answers, the free ones as known.

Call first, words later: what cannot be called, or adds nothing, never becomes a task (GOAT,
arXiv 2510.12218, section 3.3).
"""

from __future__ import annotations

import random
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from doc2tools.compiler.graph.prove_fields import Held, answer_payload, nearest, read_field
from doc2tools.compiler.graph.prove_plan import as_sent, usable_value
from doc2tools.compiler.graph.sample.phrases import is_search_name
from doc2tools.compiler.graph.sample.picks import Pick, at_place, pick
from doc2tools.compiler.graph.sample.subgraphs import Subgraph
from doc2tools.compiler.graph.sample.values import KnownValues, example_of
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Response
from doc2tools.compiler.ir.graph import Edge
from doc2tools.compiler.ir.outcome import Argument, Tool
from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.compiler.passes.answer_paths import KEYS, last_key
from doc2tools.compiler.validate.body_rules import nothing_in
from doc2tools.compiler.validate.plan import ArgumentSet
from doc2tools.compiler.validate.tool_run import Context, Tried, call_tool
from doc2tools.param_db.naming import fold, is_generic, resource_before

__all__ = ["Called", "Executed", "Fed", "Rejected", "Remembered", "execute"]

_MAX_TRIES = 3
_ALIKE = 2


@dataclass(frozen=True, slots=True)
class Fed:
    """A value that went from one step to another."""

    edge: Edge
    source: int
    target: int
    chosen: Pick


@dataclass(frozen=True, slots=True)
class Called:
    """One step that was called.

    Attributes:
        arguments: Wire name to value, all that were sent.
        free: Names of those that no earlier answer gave: what the user has to say.
        payload: The answer's data; `None` for a text or bytes.
    """

    tool: Tool
    arguments: dict[str, JsonValue]
    free: tuple[str, ...]
    response: Response
    payload: JsonValue


@dataclass(frozen=True, slots=True)
class Executed:
    """A subgraph that was called from the first tool to the last."""

    subgraph: Subgraph
    steps: tuple[Called, ...]
    fed: tuple[Fed, ...]

    def feeding(self, step: int) -> tuple[Fed, ...]:
        """Give what fills a step's parameters."""
        return tuple(one for one in self.fed if one.target == step)

    def fed_by(self, step: int) -> tuple[Fed, ...]:
        """Give what was taken from a step's answer."""
        return tuple(one for one in self.fed if one.source == step)

    @property
    def sinks(self) -> tuple[int, ...]:
        """The steps whose answers no other step uses: they are the goal."""
        used = {one.source for one in self.fed}
        return tuple(number for number in range(len(self.steps)) if number not in used)


@dataclass(frozen=True, slots=True)
class Rejected:
    """Why a subgraph is no task."""

    reason: str


@dataclass(slots=True)
class Remembered:
    """Calls that were made, so that equal ones are neither made nor read again. Thread-safe.

    Attributes:
        context: How tools are called.
    """

    context: Context
    _made: dict[tuple[str, str], Future[tuple[Tried, JsonValue]]] = field(
        default_factory=dict[tuple[str, str], "Future[tuple[Tried, JsonValue]]"]
    )
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def call(self, tool: Tool, chosen: ArgumentSet) -> tuple[Tried, JsonValue]:
        """Give a call and the data of its answer."""
        key = (tool.endpoint.name, chosen.key)
        with self._lock:
            future = self._made.get(key)
            mine = future is None
            if future is None:
                future = self._made[key] = Future()
        if mine:
            try:
                tried = call_tool(tool.endpoint, chosen, self.context)
                response = tried.exchange.response if tried.exchange else None
                future.set_result((tried, answer_payload(response)))
            except BaseException as fault:
                future.set_exception(fault)
                raise
        return future.result()


@dataclass(slots=True)
class _Run:
    """How far the calls have come."""

    subgraph: Subgraph
    tools: Mapping[str, Tool]
    known: KnownValues
    calls: Remembered
    rng: random.Random
    steps: list[Called] = field(default_factory=list["Called"])
    fed: list[Fed] = field(default_factory=list["Fed"])

    def step(self, number: int) -> Rejected | None:
        """Call the next tool; give why that cannot be part of a task."""
        tool = self.tools[self.subgraph.tools[number]]
        reason = Rejected("no value for the next call")
        for attempt in range(_MAX_TRIES):
            fed = self._take(number)
            if isinstance(fed, Rejected):
                return fed
            arguments, free = self._arguments(tool, fed, plain=attempt == _MAX_TRIES - 1)
            missing = [p.name for p in tool.endpoint.parameters if p.required]
            if any(name not in arguments for name in missing):
                return Rejected("no value for a parameter")
            tried, payload = self.calls.call(tool, _chosen(tool, arguments))
            response = tried.exchange.response if tried.exchange else None
            if not tried.good or response is None:
                reason = Rejected(f"a call failed: {tried.judgement.verdict.cause}")
                continue
            if _is_empty(tried, payload):
                reason = Rejected("an answer was empty")
                continue
            self.steps.append(Called(tool, arguments, free, response, payload))
            self.fed.extend(fed)
            return None
        return reason

    def _take(self, number: int) -> list[Fed] | Rejected:
        """Choose what the step takes from earlier answers; of one answer from one record."""
        taken: list[Fed] = []
        anchors: dict[int, Held] = {}
        for edge in self.subgraph.feeding(self.subgraph.tools[number]):
            source = self.subgraph.tools.index(edge.source)
            payload = self.steps[source].payload
            parameter = _parameter(self.tools[edge.target], edge.parameter)
            values = read_field(payload, edge.field, repeated=True)
            found = [held for held in values if usable_value(held.value, parameter)]
            anchor = anchors.get(source)
            mate = nearest(anchor, found) if anchor is not None else None
            if anchor is not None and mate is None:
                return Rejected("no value for the next call")
            if not found:
                return Rejected("no value for the next call")
            keys = edge.field.endswith(KEYS)
            chosen = (
                pick(self.rng, payload, found, keys=keys) if mate is None else Pick(mate, "own")
            )
            anchors.setdefault(source, chosen.held)
            taken.append(Fed(edge, source, number, chosen))
        return taken

    def _arguments(
        self, tool: Tool, fed: Sequence[Fed], *, plain: bool
    ) -> tuple[dict[str, JsonValue], tuple[str, ...]]:
        """Give all arguments, and the names of those that the user has to say."""
        filled: dict[str, JsonValue] = {}
        for one in fed:
            parameter = _parameter(tool, one.edge.parameter)
            filled[parameter.name] = as_sent(one.chosen.held.value, parameter)
        shared: dict[str, JsonValue] = {}
        for one in fed:
            # What the source was asked for under the same name is meant here, too.
            source = self.steps[one.source]
            for name, value in source.arguments.items():
                if name not in filled and _same_thing(source.tool.endpoint, tool.endpoint, name):
                    shared.setdefault(name, value)
        named = (*filled, *shared)
        free = self.known.choose(self.rng, tool, named) if not plain else _example(tool, named)
        order = [parameter.name for parameter in tool.endpoint.parameters]
        whole = {**free, **shared, **filled}
        ordered = {name: whole[name] for name in order if name in whole}
        return ordered, tuple(name for name in order if name in free or name in shared)


def execute(
    subgraph: Subgraph,
    tools: Mapping[str, Tool],
    known: KnownValues,
    calls: Remembered,
    rng: random.Random,
) -> Executed | Rejected:
    """Call the tools of a subgraph; give the calls, or why they make no task."""
    run = _Run(subgraph, tools, known, calls, rng)
    for number in range(len(subgraph.tools)):
        if calls.context.stopped():
            return Rejected("interrupted")
        rejected = run.step(number)
        if rejected is not None:
            return rejected
    done = Executed(subgraph, tuple(run.steps), tuple(run.fed))
    idle = _idle(done)
    return Rejected(idle) if idle else done


def _idle(done: Executed) -> str:
    """Say which step does not contribute; "" if all do."""
    said = {
        text
        for step in done.steps
        for name in step.free
        for text in _texts(step.arguments.get(name))
    }
    for one in done.fed:
        value = str(one.chosen.held.value)
        if value in said:
            return "a step finds what was known before"
        arguments = done.steps[one.source].arguments.values()
        if any(value in _texts(item) for item in arguments):
            return "a step passes on what it was given"
        if _could_be_skipped(done, one):
            return "a step finds what stands beside what it was given"
    answers = [done.steps[number].payload for number in done.sinks]
    if any(one == two for n, one in enumerate(answers) for two in answers[:n]):
        return "two steps give the same answer"
    for number in done.sinks:
        before = [done.steps[one.source].payload for one in done.feeding(number)]
        # To look up by its identifier what a list shows is a step of its own; to search for it not.
        searches = [one for one in done.feeding(number) if not _looks_up(done, one)]
        records = [_record_of(done, one) for one in searches]
        if _same_answer(done.steps[number].payload, [*before, *records]):
            return "a step adds nothing to the answer before it"
    return ""


def _texts(value: JsonValue) -> list[str]:
    return [str(item) for item in (value if isinstance(value, list) else [value])]


def _could_be_skipped(done: Executed, one: Fed) -> bool:
    """Tell whether a value stood in the record already from which its step's argument came."""
    key = last_key(one.edge.field)
    for earlier in done.feeding(one.source):
        record = _record_of(done, earlier)
        if isinstance(record, dict) and key and record.get(key) == one.chosen.held.value:
            return True
    return False


def _looks_up(done: Executed, one: Fed) -> bool:
    """Tell whether a value is the identifier of the one thing that a step gives."""
    endpoint = done.steps[one.target].tool.endpoint
    search = is_search_name(one.edge.parameter)
    return endpoint.path.rstrip("/").endswith("{" + one.edge.parameter + "}") and not search


def _record_of(done: Executed, one: Fed) -> JsonValue:
    """Give the record of a list that a value was taken from, or the whole answer."""
    place = one.chosen.held.place
    depth = max((n for n, step in enumerate(place) if isinstance(step, int)), default=-1)
    return at_place(done.steps[one.source].payload, place[: depth + 1])


def _same_thing(source: Endpoint, target: Endpoint, name: str) -> bool:
    """Tell whether two tools mean the same by a parameter of this name."""
    here = next((one for one in source.parameters if one.name == name), None)
    there = next((one for one in target.parameters if one.name == name), None)
    if here is None or there is None or here.location != there.location:
        return False
    if here.location == "path":
        return resource_before(source.path, name)[1] == resource_before(target.path, name)[1]
    return not is_generic(fold(name))


def _same_answer(payload: JsonValue, others: Sequence[JsonValue]) -> bool:
    """Tell whether an answer is all that one of the others says, or a part of it."""
    core = _core(payload)
    if isinstance(core, list):
        return any(core == _core(other) for other in others)
    if not isinstance(core, dict):
        return False
    for held in map(_core, others):
        if not isinstance(held, dict) or len(held.keys() & core.keys()) < _ALIKE:
            continue
        if all(held.get(key) == value for key, value in core.items()):
            return True
    return False


def _core(node: JsonValue) -> JsonValue:
    while isinstance(node, dict | list) and len(node) == 1:
        node = next(iter(node.values())) if isinstance(node, dict) else node[0]
    return node


def _is_empty(tried: Tried, payload: JsonValue) -> bool:
    response = tried.exchange.response if tried.exchange else None
    if response is None or not response.body:
        return True
    return payload is not None and nothing_in(payload)


def _chosen(tool: Tool, arguments: Mapping[str, JsonValue]) -> ArgumentSet:
    known = [p.name for p in tool.endpoint.parameters if p.name in arguments]
    held = (Argument(name=name, value=arguments[name], origin="observed") for name in known)
    return ArgumentSet(tuple(held), proved=True)


def _example(tool: Tool, filled: Sequence[str]) -> dict[str, JsonValue]:
    return {name: value for name, value in example_of(tool).items() if name not in filled}


def _parameter(tool: Tool, name: str) -> Parameter:
    return next(one for one in tool.endpoint.parameters if one.name == name)
