"""Runs all tools of an API in waves, each wave's answers feeding the next.

In go the settled API, the options and a sandbox that holds the staged package; out comes a `Tool`
for every endpoint, in the API's order. Results do not depend on which thread was faster: values
and outcomes are merged between waves, in the order of the endpoints.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from doc2tools.compiler.ir.exchange import Exchange, Request
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Failed, Outcome, Tool, Unvalidated, Validated
from doc2tools.compiler.ir.spec import ApiSpec, Endpoint
from doc2tools.compiler.validate.choices import OWN_ADDRESS
from doc2tools.compiler.validate.control import Control
from doc2tools.compiler.validate.events import ToolFinished, WaveFinished, WaveStarted
from doc2tools.compiler.validate.harvest import documented_values, harvest
from doc2tools.compiler.validate.keys import listed_keys
from doc2tools.compiler.validate.places import places
from doc2tools.compiler.validate.plan import (
    ArgumentSet,
    argument_sets,
    missing,
    refusal,
    required,
)
from doc2tools.compiler.validate.records import surroundings
from doc2tools.compiler.validate.times import NOW, clock
from doc2tools.compiler.validate.tool_run import Caller, Context, State, try_tool
from doc2tools.param_db.values import Value, Values, ValueStore
from doc2tools.sandbox.sandbox import Sandbox

__all__ = ["validate", "validate_with"]

MAX_WAVES = 20


def validate(
    spec: ApiSpec,
    options: CompileOptions,
    sandbox: Sandbox,
    root: str,
    on_event: Callable[[object], None],
    *,
    values: Values | None = None,
) -> tuple[Tool, ...]:
    """Call every tool that may be called, and give what became of each.

    Args:
        spec: The settled API.
        options: What may be called, known values, limits.
        sandbox: Holds the staged package.
        root: The package, as `Sandbox.load` named it.
        on_event: Gets the events of `validate.events`, some from worker threads.
        values: Known values; takes in those of the documentation and of the answers.

    Returns:
        One tool for each endpoint, in order.
    """
    gateway = sandbox.gateway
    return validate_with(
        spec,
        options,
        sandbox,
        root,
        on_event,
        values=values,
        send=gateway.exchange,
        give_up=gateway.close,
    )


def validate_with(
    spec: ApiSpec,
    options: CompileOptions,
    caller: Caller,
    root: str,
    on_event: Callable[[object], None],
    *,
    values: Values | None = None,
    send: Callable[[Request], Exchange] | None = None,
    give_up: Callable[[], None] | None = None,
) -> tuple[Tool, ...]:
    """Do what `validate` does with a given value database and sender of control requests.

    `give_up` ends calls that wait or are under way, for a run that is interrupted.
    """
    store = ValueStore() if values is None else values
    store.add(documented_values(spec))
    outcomes: dict[str, Outcome] = {}
    states: dict[str, State] = {}
    for endpoint in spec.endpoints:
        refused = refusal(endpoint, options)
        if refused is not None:
            outcomes[endpoint.name] = refused
            on_event(ToolFinished(endpoint.name, refused))
        else:
            states[endpoint.name] = State(endpoint)
    stop = threading.Event()
    control = Control(send, spec.endpoints)
    around = surroundings(spec.endpoints)
    context = Context(caller, control, root, options, store, on_event, stop.is_set, around)
    _waves(list(states.values()), context, stop, give_up)
    for name, state in states.items():
        outcome = _outcome(state, options, store)
        outcomes[name] = outcome
        if not (state.settled and state.best):
            on_event(ToolFinished(name, outcome))
    return tuple(
        Tool(
            endpoint=endpoint,
            outcome=outcomes[endpoint.name],
            rounds=states[endpoint.name].rounds if endpoint.name in states else 0,
        )
        for endpoint in spec.endpoints
    )


def _waves(
    states: Sequence[State],
    context: Context,
    stop: threading.Event,
    give_up: Callable[[], None] | None,
) -> None:
    on_event = context.on_event
    remembered = False
    with ThreadPoolExecutor(context.options.limits.concurrency, "doc2tools-call") as pool:
        try:
            for number in range(1, MAX_WAVES + 1):
                planned = _planned(states, context, bare=number == 1)
                if not planned and number > 1:
                    planned = _planned(states, context, guess=True)
                if not planned and number > 1 and not remembered:
                    remembered = True
                    waiting = [state.endpoint for state in states if state.calls_left > 0]
                    if context.values.remember(waiting):
                        planned = _planned(states, context)
                if not planned and number > 1:
                    return
                on_event(WaveStarted(number, len(planned)))
                futures: list[tuple[State, Future[int]]] = []
                for state, sets in planned:
                    state.rounds += 1
                    futures.append((state, pool.submit(try_tool, state, sets, context)))
                brought = 0
                for state, future in futures:
                    brought += _merge(state, future.result(), context)
                validated = [state for state, _ in futures if state.settled and state.best]
                for state in validated:
                    on_event(ToolFinished(state.endpoint.name, _validated(state)))
                on_event(WaveFinished(number, len(validated), brought))
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            if give_up is not None:
                give_up()
            raise


def _planned(
    states: Sequence[State], context: Context, *, bare: bool = False, guess: bool = False
) -> list[tuple[State, Sequence[ArgumentSet]]]:
    """Give what each tool tries next; weak guesses only once nothing else is left for any."""
    planned: list[tuple[State, Sequence[ArgumentSet]]] = []
    for state in states:
        if state.calls_left <= 0 or (bare and required(state.endpoint)):
            continue
        sets = argument_sets(state.endpoint, context.options, context.values, context.around)
        fresh = [
            chosen for chosen in sets if chosen.key not in state.keys and (guess or not chosen.weak)
        ]
        fresh.sort(key=lambda chosen: (state.waits and not chosen.observed, state.doubt(chosen)))
        if fresh:
            planned.append((state, fresh))
    return planned


def _merge(state: State, made: int, context: Context) -> int:
    """Take a wave's calls of one tool into the store; give how many values were new."""
    store = context.values
    brought = 0
    for tried in state.tried[len(state.tried) - made :]:
        good = tried.good and not tried.judgement.tentative
        _note(state.endpoint, tried.chosen, store, worked=good)
        if tried.good and tried.exchange is not None:
            found = harvest(state.endpoint, tried.chosen.arguments, tried.exchange)
            brought += store.add(found)
            brought += store.add(listed_keys(state.endpoint, tried.exchange))
            context.around.records.add(found)
            if not tried.chosen.arguments and _answers_with_data(tried.exchange):
                store.add([_own_address(state.endpoint, tried.exchange)])
        if tried.exchange is not None and not store.named(NOW, ("now",), 1):
            store.add(clock(state.endpoint, tried.exchange))
        if tried.exchange is not None and (tried.good or tried.judgement.retry == "later"):
            brought += store.add(places(state.endpoint, tried.exchange))
    return brought


def _answers_with_data(exchange: Exchange) -> bool:
    response = exchange.response
    return response is not None and response.status == 200 and "json" in response.content_type


def _own_address(endpoint: Endpoint, exchange: Exchange) -> Value:
    url = exchange.request.url
    return Value(name="url", value=url, resource=OWN_ADDRESS, endpoint=endpoint.name)


def _note(endpoint: Endpoint, chosen: ArgumentSet, store: Values, *, worked: bool) -> None:
    known = {parameter.name: parameter for parameter in endpoint.parameters}
    for held in chosen.arguments:
        if held.origin != "guessed" and isinstance(held.value, str | int | float):
            store.note(known[held.name], endpoint, held.value, worked=worked)


def _validated(state: State) -> Validated:
    best = state.best
    assert best is not None, "a settled good tool has a good call"  # noqa: S101 - our own invariant
    tentative = best.judgement.tentative
    return Validated(attempt=best.attempt, calls=len(state.tried), tentative=tentative)


def _outcome(state: State, options: CompileOptions, store: Values) -> Outcome:
    if state.best is not None:
        return _validated(state)
    worst = state.worst
    if worst is not None and not state.guessed_only:
        return Failed(attempt=worst.attempt, calls=len(state.tried))
    names, reason = missing(state.endpoint, options, store)
    return Unvalidated(cause="no-parameter-value", reason=reason, missing=names)
