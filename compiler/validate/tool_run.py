"""Tries one tool within one wave: calls in turn until one gives information."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Exchange, Request, ToolRun, TransportFailure
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Attempt, Cause
from doc2tools.compiler.ir.plan import ToolCall
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.validate.case import Judgement
from doc2tools.compiler.validate.classify import judge
from doc2tools.compiler.validate.control import Control
from doc2tools.compiler.validate.events import CallJudged
from doc2tools.compiler.validate.filters import changes_state, may_not_end
from doc2tools.compiler.validate.plan import ArgumentSet, advised
from doc2tools.compiler.validate.records import NOTHING, Surroundings
from doc2tools.param_db.values import Values

__all__ = ["MAX_CALLS", "Caller", "Context", "State", "Tried", "call_tool", "try_tool"]

MAX_CALLS = 6
CALLS_A_WAVE = 2
STREAM_SECONDS = 3.0
_TENTATIVE_MORE = 2
_MAX_FAULTS = 3

_TELLING: dict[Cause, int] = {
    "abnormal-response": 0,
    "empty-response": 1,
    "failed-validation": 2,
    "code-fault": 3,
    "wrong-parameter-value": 4,
    "missing-parameter": 5,
    "server-fault": 6,
    "unauthorised": 7,
    "method-not-allowed": 8,
    "missing-path": 9,
}
"""How telling a failure is of what a person can do about it, the most telling first."""


class Caller(Protocol):
    """What validation needs of a sandbox."""

    def run(self, call: ToolCall) -> ToolRun:
        """Call a tool and give what the parent recorded."""
        ...


@dataclass(frozen=True, slots=True)
class Context:
    """What all calls of one run share.

    Attributes:
        root: The staged package, as `Sandbox.load` named it.
        values: Read by the calls of a wave, changed only between waves.
        stopped: Tells whether no new call may be made.
        around: The records of the answers so far, changed only between waves.
    """

    caller: Caller
    control: Control
    root: str
    options: CompileOptions
    values: Values
    on_event: Callable[[object], None]
    stopped: Callable[[], bool]
    around: Surroundings = NOTHING


@dataclass(frozen=True, slots=True)
class Tried:
    """One call that was made."""

    chosen: ArgumentSet
    run: ToolRun
    judgement: Judgement

    @property
    def exchange(self) -> Exchange | None:
        """The last exchange of the call."""
        return self.run.exchanges[-1] if self.run.exchanges else None

    @property
    def good(self) -> bool:
        """The call gave information."""
        return self.judgement.verdict.verdict == "information"

    @property
    def attempt(self) -> Attempt:
        """The call as the outcome keeps it."""
        return Attempt(
            arguments=self.chosen.arguments,
            exchange=self.exchange,
            verdict=self.judgement.verdict,
        )


@dataclass(slots=True)
class State:
    """How far one tool has come. Changed only between waves, or by the one thread that runs it."""

    endpoint: Endpoint
    tried: list[Tried] = field(default_factory=list[Tried])
    keys: set[str] = field(default_factory=set[str])
    rounds: int = 0
    settled: bool = False

    @property
    def best(self) -> Tried | None:
        """The first call that gave information without reserve, else the first that gave any."""
        good = [tried for tried in self.tried if tried.good]
        firm = [tried for tried in good if not tried.judgement.tentative]
        return (firm or good or [None])[0]

    @property
    def guessed_only(self) -> bool:
        """Nothing was tried but guesses, where an object may have to exist."""
        return bool(self.tried) and all(tried.chosen.weak for tried in self.tried)

    @property
    def faults(self) -> int:
        """Calls at which the server failed."""
        return sum(1 for tried in self.tried if tried.judgement.verdict.cause == "server-fault")

    @property
    def waits(self) -> bool:
        """Documented values did not help, so that values from the server itself go first."""
        return bool(self.tried) and not any(tried.chosen.observed for tried in self.tried)

    def doubt(self, chosen: ArgumentSet) -> int:
        """Tell what was found of the fields that values come from: -1 worked, 1 failed twice."""
        doubt = 0
        for source in {held.source for held in chosen.arguments if held.origin == "observed"}:
            told = [
                tried.good
                for tried in self.tried
                if any(held.source == source for held in tried.chosen.arguments)
            ]
            doubt += -1 if any(told) else int(len(told) > 1)
        return doubt

    @property
    def worst(self) -> Tried | None:
        """The most telling failure; of equals the one whose values are known to exist."""
        if not self.tried:
            return None

        def rank(tried: Tried) -> tuple[int, bool]:
            cause = tried.judgement.verdict.cause
            return _TELLING.get(cause, len(_TELLING)), not tried.chosen.proved

        return min(self.tried, key=rank)

    @property
    def calls_left(self) -> int:
        """Calls that may still be made."""
        if self.settled:
            return 0
        first_good = next((n for n, tried in enumerate(self.tried, 1) if tried.good), 0)
        if first_good:
            return first_good + _TENTATIVE_MORE - len(self.tried)
        return MAX_CALLS - len(self.tried)


def try_tool(state: State, sets: Sequence[ArgumentSet], context: Context) -> int:
    """Call a tool with `sets` in turn until one gives information; give the calls made.

    An error that names a parameter brings one more set, tried next: once for each parameter.
    """
    queue = list(sets)
    made = 0
    followed: set[str] = set()
    while queue and state.calls_left > 0 and not context.stopped():
        if made >= CALLS_A_WAVE + len(followed):
            break
        chosen = queue.pop(0)
        if chosen.key in state.keys:
            continue
        state.keys.add(chosen.key)
        tried = call_tool(state.endpoint, chosen, context)
        state.tried.append(tried)
        made += 1
        judgement = tried.judgement
        context.on_event(CallJudged(state.endpoint.name, judgement.verdict, tried.run.elapsed))
        if tried.good and not judgement.tentative:
            state.settled = True
            break
        if judgement.retry == "never" or state.faults >= _MAX_FAULTS:
            state.settled = True
            break
        if judgement.retry == "later":
            break
        complaint = judgement.complaint
        if complaint is not None and complaint.known and complaint.parameter not in followed:
            extra = advised(
                state.endpoint,
                chosen,
                complaint,
                context.options,
                context.values,
                around=context.around,
            )
            if extra is not None:
                followed.add(complaint.parameter)
                queue.insert(0, extra)
    return made


def call_tool(endpoint: Endpoint, chosen: ArgumentSet, context: Context) -> Tried:
    """Call a tool once with `chosen` and judge the answer.

    Whatever stage asks, a value that would make a command of the call is not sent.
    """
    forbidden = _forbidden(endpoint, chosen, context.options)
    if forbidden is not None:
        return Tried(chosen, forbidden, judge(endpoint, forbidden))
    identifiers = {parameter.name: parameter.identifier for parameter in endpoint.parameters}
    arguments: dict[str, JsonValue] = {
        identifiers[held.name]: held.value for held in chosen.arguments
    }
    limit = context.options.limits.timeout
    call = ToolCall(
        tool=endpoint.name,
        root=context.root,
        module=f"tools.{endpoint.group}",
        function=endpoint.name,
        arguments=arguments,
        timeout=min(STREAM_SECONDS, limit) if may_not_end(endpoint) else limit,
    )
    run = context.caller.run(call)
    judgement = judge(endpoint, run, proved=chosen.proved)
    suspicious = judgement.verdict.verdict == "information" and len(run.exchanges) == 1
    if suspicious:
        beside = context.control.beside(run.exchanges[0])
        if beside is not None and beside.response is not None and beside.response.status < 300:
            judgement = judge(endpoint, run, beside, proved=chosen.proved)
    return Tried(chosen, run, judgement)


def _forbidden(endpoint: Endpoint, chosen: ArgumentSet, options: CompileOptions) -> ToolRun | None:
    """Give the refused run where a value that nobody configured would change state."""
    if endpoint.name in options.allow_unsafe:
        return None
    known = {parameter.name: parameter for parameter in endpoint.parameters}
    for held in chosen.arguments:
        if held.origin != "configured" and changes_state(known[held.name], held.value):
            message = f"{held.name}={str(held.value)[:60]!r} would change state"
            request = Request(method=endpoint.method, url=endpoint.base_url + endpoint.path)
            failure = TransportFailure(cause="refused-by-policy", message=message)
            refused = Exchange(request=request, failure=failure)
            return ToolRun(tool=endpoint.name, exchanges=(refused,))
    return None
