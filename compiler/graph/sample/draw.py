"""Draws tasks until there are enough: subgraph, calls, words; rejects with a counted reason.

In go a compiled plan with its graph and a sandbox; out come samples, none twice. The same seed,
graph and recorded answers give the same samples, however many calls are under way at once.
"""

from __future__ import annotations

import hashlib
import json
import random
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from doc2tools.compiler.events import SampleDrawn
from doc2tools.compiler.graph.sample.execute import Executed, Rejected, Remembered, execute
from doc2tools.compiler.graph.sample.model import Link, Sample, Split, Step
from doc2tools.compiler.graph.sample.shorten import shortened
from doc2tools.compiler.graph.sample.subgraphs import Drawer, Subgraph
from doc2tools.compiler.graph.sample.values import KnownValues, known_values
from doc2tools.compiler.graph.sample.wording import put_into_words
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Exchange, Request
from doc2tools.compiler.ir.outcome import Tool, Validated
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.validate.control import Control
from doc2tools.compiler.validate.plan import refusal
from doc2tools.compiler.validate.tool_run import Caller, Context
from doc2tools.param_db.values import ValueStore

__all__ = ["Drawn", "Wanted", "draw_samples"]

_BATCH = 16
_ATTEMPTS_EACH = 20
_LEAST_ATTEMPTS = 320
_IN_VAIN = 480
"""After so many attempts in a row that gave nothing new, what can be drawn has been drawn."""
_HELD_OUT = 0.1


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for: how many samples, of how many tools, drawn with which seed."""

    number: int
    least: int = 2
    most: int = 4
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Drawn:
    """The samples, and how many attempts were rejected for which reason."""

    samples: tuple[Sample, ...]
    attempts: int
    rejected: dict[str, int]


@dataclass(slots=True)
class _Accepted:
    """What was accepted so far, to reject what repeats it."""

    samples: list[Sample] = field(default_factory=list[Sample])
    calls: set[str] = field(default_factory=set[str])
    queries: set[str] = field(default_factory=set[str])


def draw_samples(
    plan: PackagePlan,
    wanted: Wanted,
    caller: Caller,
    root: str,
    *,
    send: Callable[[Request], Exchange] | None = None,
    on_event: Callable[[object], None] = lambda _: None,
) -> Drawn:
    """Draw samples.

    Args:
        plan: A compiled plan with its tools and graph.
        wanted: How many, and of which size.
        caller: The sandbox that holds the package.
        root: The package, as `Sandbox.load` named it.
        send: Asks for addresses that do not exist, as validation does.
        on_event: Gets a `SampleDrawn` for each sample.
    """
    tools = _callable_tools(plan)
    proved = [edge for edge in plan.graph.edges if edge.stage == "proved"] if plan.graph else []
    edges = [edge for edge in proved if edge.source in tools and edge.target in tools]
    drawer = Drawer(edges, sorted(tools) if wanted.least == 1 else ())
    known = known_values(plan.spec, list(tools.values()))
    stop = threading.Event()
    context = Context(
        caller=caller,
        control=Control(send, [tool.endpoint for tool in tools.values()]),
        root=root,
        options=plan.options,
        values=ValueStore(),
        on_event=lambda _: None,
        stopped=stop.is_set,
    )
    worker = _Worker(tools, known, Remembered(context))
    accepted = _Accepted()
    rejected: Counter[str] = Counter()
    attempts = in_vain = 0
    most = max(_LEAST_ATTEMPTS, wanted.number * _ATTEMPTS_EACH)
    with ThreadPoolExecutor(plan.options.limits.concurrency, "doc2tools-sample") as pool:
        try:
            while len(accepted.samples) < wanted.number and attempts < most and in_vain < _IN_VAIN:
                drawn = [_draw(drawer, wanted, attempts + number) for number in range(_BATCH)]
                attempts += _BATCH
                for result in pool.map(worker.run, drawn):
                    sample = _accept(plan.name, result, accepted)
                    in_vain = in_vain + 1 if isinstance(sample, Rejected) else 0
                    if isinstance(sample, Rejected):
                        rejected[sample.reason] += 1
                    elif len(accepted.samples) < wanted.number:
                        accepted.samples.append(sample)
                        if isinstance(result[1], Executed):
                            drawer.note(result[1].subgraph)
                        on_event(SampleDrawn(len(accepted.samples)))
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    samples = _split(accepted.samples, wanted.seed)
    return Drawn(samples, attempts, dict(sorted(rejected.items())))


def _callable_tools(plan: PackagePlan) -> dict[str, Tool]:
    """Give the tools that may be called freely and of which a call is known."""
    return {
        tool.endpoint.name: tool
        for tool in plan.tools
        if isinstance(tool.outcome, Validated) and refusal(tool.endpoint, plan.options) is None
    }


_Attempt = tuple[random.Random, Subgraph | None]
_Result = tuple[random.Random, Executed | Rejected]


def _draw(drawer: Drawer, wanted: Wanted, number: int) -> _Attempt:
    rng = random.Random(f"{wanted.seed}:{number}")  # noqa: S311 - a sample, not a secret
    return rng, drawer.draw(rng, wanted.least, wanted.most)


@dataclass(frozen=True, slots=True)
class _Worker:
    """Executes attempts, several at once."""

    tools: Mapping[str, Tool]
    known: KnownValues
    calls: Remembered

    def run(self, attempt: _Attempt) -> _Result:
        rng, subgraph = attempt
        if subgraph is None:
            return rng, Rejected("no connected subgraph of this size")
        return rng, execute(subgraph, self.tools, self.known, self.calls, rng)


def _accept(toolkit: str, result: _Result, accepted: _Accepted) -> Sample | Rejected:
    rng, done = result
    if isinstance(done, Rejected):
        return done
    calls = [[step.tool.endpoint.name, step.arguments] for step in done.steps]
    key = json.dumps(calls, sort_keys=True, ensure_ascii=False)
    if key in accepted.calls:
        return Rejected("it repeats another")
    wording = put_into_words(done, rng)
    said = wording.query.casefold()
    if said in accepted.queries:
        return Rejected("its query repeats another's")
    accepted.calls.add(key)
    accepted.queries.add(said)
    steps = tuple(
        Step(
            api_name=step.tool.endpoint.name,
            input=_identified(step.tool, step.arguments),
            output=shortened(
                step.payload, step.response, [one.chosen.held.place for one in done.fed_by(number)]
            ),
            sub_instruction=wording.steps[number],
        )
        for number, step in enumerate(done.steps)
    )
    links = tuple(
        Link(
            source=one.source,
            target=one.target,
            parameter=_identifier(done.steps[one.target].tool, one.edge.parameter),
            field=one.edge.field,
        )
        for one in done.fed
    )
    tools = "\0".join(sorted(done.subgraph.tools))
    return Sample(
        id=f"{toolkit}-{hashlib.sha256(key.encode()).hexdigest()[:12]}",
        toolkit=toolkit,
        query=wording.query,
        api_path=steps,
        final_response=wording.answer,
        links=links,
        subgraph=hashlib.sha256(f"{toolkit}\0{tools}".encode()).hexdigest()[:12],
    )


def _identifier(tool: Tool, name: str) -> str:
    found = (one.identifier for one in tool.endpoint.parameters if one.name == name)
    return next(found, name)


def _identified(tool: Tool, arguments: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {_identifier(tool, name): value for name, value in arguments.items()}


def _split(samples: Sequence[Sample], seed: int) -> tuple[Sample, ...]:
    """Hold out about a tenth each for dev and test, whole subgraphs at a time.

    The commonest subgraph is always in train.
    """
    sizes = Counter(sample.subgraph for sample in samples)
    if not sizes:
        return ()
    commonest = min(sizes, key=lambda one: (-sizes[one], one))
    order = sorted(
        (one for one in sizes if one != commonest),
        key=lambda one: hashlib.sha256(f"{seed}:{one}".encode()).digest(),
    )
    splits: dict[str, Split] = {}
    held: Counter[Split] = Counter()
    room = max(1, round(len(samples) * _HELD_OUT))
    for one in order:
        for split in ("test", "dev"):
            if one not in splits and held[split] < room and held[split] + sizes[one] <= 2 * room:
                splits[one] = split
                held[split] += sizes[one]
    return tuple(
        sample.model_copy(update={"split": splits.get(sample.subgraph, "train")})
        for sample in samples
    )
