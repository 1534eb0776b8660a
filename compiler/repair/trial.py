"""Tries a patched endpoint by real calls, through the harness that validated the others.

The endpoint is rendered as the package will hold it, loaded into the sandbox under a root of its
own, called with values from the store, and judged against its own, patched, description.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from doc2tools.compiler.emit.package import stage_sources
from doc2tools.compiler.ir.exchange import Exchange, Request
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Argument, Attempt, Tool, Validated
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.passes.examples import same_value
from doc2tools.compiler.validate.control import Control
from doc2tools.compiler.validate.harvest import harvest
from doc2tools.compiler.validate.places import places
from doc2tools.compiler.validate.plan import ArgumentSet, argument_sets
from doc2tools.compiler.validate.records import Surroundings, surroundings
from doc2tools.compiler.validate.times import NOW, clock
from doc2tools.compiler.validate.tool_run import Context, State, Tried, call_tool, try_tool
from doc2tools.param_db.naming import path_noun, resource_before, singular_phrase, stem
from doc2tools.param_db.values import Value, Values
from doc2tools.sandbox.sandbox import Sandbox

__all__ = ["Bench", "Trial"]


@dataclass(frozen=True, slots=True)
class Trial:
    """The calls made for one patched endpoint.

    Attributes:
        calls: How many went over the network; answers that were recorded are not counted.
    """

    endpoint: Endpoint
    tried: tuple[Tried, ...] = ()
    best: Tried | None = None
    worst: Tried | None = None
    calls: int = 0

    @property
    def firm(self) -> bool:
        """A call gave information without reserve."""
        return self.best is not None and not self.best.judgement.tentative

    @property
    def attempt(self) -> Attempt | None:
        """The most telling call, values that a patch brought marked as such."""
        shown = self.best or self.worst
        if shown is None:
            return None
        marked = tuple(_marked(self.endpoint, one) for one in shown.attempt.arguments)
        return shown.attempt.model_copy(update={"arguments": marked})


def _marked(endpoint: Endpoint, argument: Argument) -> Argument:
    for parameter in endpoint.parameters:
        repaired = [one.value for one in parameter.examples if one.origin == "repaired"]
        if parameter.name == argument.name and any(
            same_value(value, argument.value) or str(value) == str(argument.value)
            for value in repaired
        ):
            source = argument.source if argument.origin == "observed" else "repair"
            return argument.model_copy(update={"origin": "repaired", "source": source})
    return argument


def _repaired(endpoint: Endpoint, arguments: Sequence[Argument]) -> Iterator[Value]:
    """Give the values that a patch brought and a call proved, each for its own resource only."""
    for argument in arguments:
        if argument.origin == "repaired" and isinstance(argument.value, str | int | float):
            noun = resource_before(endpoint.path, argument.name)[0]
            own = singular_phrase(noun) or stem(argument.name)
            yield Value(
                name=argument.name,
                value=argument.value,
                resource=own or singular_phrase(path_noun(endpoint.path)),
                origin="repaired",
                endpoint=endpoint.name,
            )


@dataclass(slots=True)
class Bench:
    """Where trials are made.

    Attributes:
        name: The package's import name.
        base_url: The package's base URL.
        values: Values for parameters; what trials bring is added.
        send: Sends a request through the gateway.
        calls: Requests that went over the network so far.
        budget: Requests that repair may make in all.
    """

    name: str
    base_url: str
    options: CompileOptions
    sandbox: Sandbox
    endpoints: tuple[Endpoint, ...]
    values: Values
    send: Callable[[Request], Exchange] | None
    on_event: Callable[[object], None]
    budget: int
    calls: int = 0
    around: Surroundings = field(init=False)
    control: Control = field(init=False)

    def __post_init__(self) -> None:
        """Prepare what all trials share."""
        self.around = surroundings(self.endpoints)
        self.control = Control(self.send, self.endpoints)

    @property
    def spent(self) -> bool:
        """No further request may be made."""
        return self.calls >= self.budget

    def learn(self, tool: Tool) -> int:
        """Take the values of a validated tool's answer; give how many were new."""
        if not isinstance(tool.outcome, Validated) or tool.outcome.attempt.exchange is None:
            return 0
        attempt = tool.outcome.attempt
        exchange = tool.outcome.attempt.exchange
        found = harvest(tool.endpoint, attempt.arguments, exchange)
        self.around.records.add(found)
        found += places(tool.endpoint, exchange)
        if not self.values.named(NOW, ("now",), 1):
            found += clock(tool.endpoint, exchange)
        return self.values.add([*found, *_repaired(tool.endpoint, attempt.arguments)])

    def beside(self, exchange: Exchange) -> Exchange | None:
        """Give the server's answer to an address that does not exist near this one."""
        found = self.control.beside(exchange)
        self.calls += found is not None and not found.replayed
        return found

    def sets(self, endpoint: Endpoint) -> tuple[ArgumentSet, ...]:
        """Give the sets of arguments worth trying, weak guesses left out."""
        found = argument_sets(endpoint, self.options, self.values, self.around)
        return tuple(chosen for chosen in found if not chosen.weak)

    def attempt(
        self, endpoint: Endpoint, most: int, sets: Sequence[ArgumentSet] | None = None
    ) -> Trial:
        """Call a patched endpoint with at most `most` sets of arguments."""
        chosen = list(self.sets(endpoint) if sets is None else sets)[:most]
        if not chosen:
            return Trial(endpoint)
        state = State(endpoint)
        context = self._context(endpoint)
        while chosen and state.calls_left > 0 and len(state.tried) < most:
            made = try_tool(state, chosen, context)
            chosen = [one for one in chosen if one.key not in state.keys]
            if not made or state.settled:
                break
        for tried in state.tried:
            if tried.exchange is not None and tried.judgement.retry == "later":
                self.values.add(places(endpoint, tried.exchange))
        return self._counted(Trial(endpoint, tuple(state.tried), state.best, state.worst))

    def once(self, endpoint: Endpoint, chosen: ArgumentSet) -> Trial:
        """Call an endpoint once, with just these arguments."""
        tried = call_tool(endpoint, chosen, self._context(endpoint))
        best = tried if tried.good else None
        return self._counted(Trial(endpoint, (tried,), best, None if best else tried))

    def _context(self, endpoint: Endpoint) -> Context:
        sources = stage_sources(self.name, self.base_url, (endpoint,), self.options)
        root = self.sandbox.load(sources)
        return Context(
            self.sandbox,
            self.control,
            root,
            self.options,
            self.values,
            self.on_event,
            lambda: False,
            self.around,
        )

    def _counted(self, trial: Trial) -> Trial:
        calls = sum(
            1 for tried in trial.tried for exchange in tried.run.exchanges if not exchange.replayed
        )
        self.calls += calls
        return Trial(trial.endpoint, trial.tried, trial.best, trial.worst, calls)
