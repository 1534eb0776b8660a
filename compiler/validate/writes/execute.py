"""Runs a confirmed plan, family by family and step by step, through the sandbox and the gateway.

Every write is in the journal before it is approved, and approved before it is sent. The first step
that does not hold ends its family; what we created is then deleted, if it is surely ours.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Exchange, Request, ToolRun
from doc2tools.compiler.ir.outcome import (
    Argument,
    Attempt,
    Blocked,
    Failed,
    Outcome,
    Validated,
    Verdict,
)
from doc2tools.compiler.ir.plan import ToolCall
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.validate.classify import judge
from doc2tools.compiler.validate.tool_run import Caller
from doc2tools.compiler.validate.writes.calls import approval, is_safe_id
from doc2tools.compiler.validate.writes.journal import Entry, Journal
from doc2tools.compiler.validate.writes.model import Family, Leftover, Step, Written
from doc2tools.compiler.validate.writes.proof import (
    GONE,
    answer_of,
    is_good,
    known_ids,
    named,
    named_in_list,
    shows,
)
from doc2tools.compiler.validate.writes.recover import leftover, recover
from doc2tools.param_db.fit import shaped
from doc2tools.sandbox.approvals import Approvals

__all__ = ["Bench", "run_plan"]

PAUSES = (0.2, 0.8)
"""Seconds before each look: a server may take a moment until a read shows what was written."""

MAYBE_DONE = frozenset({404, 408, 409, 425, 429})
"""Refusals after which a look is worth its while: what was sent may have been done in part."""

PASSING = frozenset({"unreachable", "tls", "rate-limited", "timeout", "unauthorised"})


class _StoppedError(Exception):
    """A step did not hold: the family ends here."""


@dataclass(frozen=True, slots=True)
class Bench:
    """What running a plan needs.

    Attributes:
        caller: The sandbox, with a gateway of its own that replays nothing.
        root: The staged package, as `Sandbox.load` named it.
        endpoints: By tool name.
        send: Sends a request of ours through the same gateway.
        approvals: What that gateway's policy asks.
        key_of: Gives the recordings' key of an exchange that the gateway made.
        timeout: Seconds for one call.
    """

    caller: Caller
    root: str
    endpoints: Mapping[str, Endpoint]
    send: Callable[[Request], Exchange]
    approvals: Approvals
    journal: Journal
    key_of: Callable[[Exchange], str]
    timeout: float


def run_plan(families: Sequence[Family], bench: Bench) -> Written:
    """Run all families, one after the other.

    Raises:
        StoreError: the journal cannot be written.
        SandboxError: no sandbox can be kept up.
    """
    outcomes: dict[str, Outcome] = {}
    replays: dict[str, Exchange] = {}
    left: list[Leftover] = []
    for family in families:
        run = _FamilyRun(family, bench)
        run.all()
        outcomes.update(run.outcomes())
        replays.update(run.replays)
        left.extend(run.left)
    passing = any(
        isinstance(one, Failed) and one.attempt.verdict.cause in PASSING
        for one in outcomes.values()
    )
    return Written(
        outcomes=outcomes, replays=replays, leftovers=tuple(left), clean=not left and not passing
    )


@dataclass(slots=True)
class _Call:
    """One call that was made, and what it proved, if anything."""

    step: Step
    run: ToolRun
    arguments: tuple[Argument, ...]
    proof: str = ""
    fault: str = ""

    @property
    def exchange(self) -> Exchange | None:
        return self.run.exchanges[-1] if self.run.exchanges else None


@dataclass(slots=True)
class _FamilyRun:
    """The run of one family."""

    family: Family
    bench: Bench
    entry: Entry | None = None
    identifier: str = ""
    proved: bool = False
    settled: bool = False
    stopped: str = ""
    before: frozenset[str] = frozenset()
    calls: dict[str, _Call] = field(default_factory=dict[str, _Call])
    replays: dict[str, Exchange] = field(default_factory=dict[str, Exchange])
    left: list[Leftover] = field(default_factory=list[Leftover])

    def all(self) -> None:
        """Make all steps, and clean up whatever happens."""
        try:
            self._steps()
        except _StoppedError as stop:
            self.stopped = str(stop)
        except BaseException:
            with contextlib.suppress(Exception):
                self._clean_up()
            raise
        self._clean_up()

    def outcomes(self) -> dict[str, Outcome]:
        """Give what became of the family's tools; reads only where our object proved them."""
        found: dict[str, Outcome] = {}
        writes = [step for step in self.family.steps if step.writes]
        for step in writes:
            held = self.calls.get(step.tool)
            if held is not None:
                found[step.tool] = self._judged(held)
            else:
                reason = self.stopped or "the plan did not come to it"
                found.setdefault(step.tool, Blocked(reason=f"not called: {reason}"))
        for held in self.calls.values():
            if held.step.action == "read":
                outcome = self._judged(held)
                if isinstance(outcome, Validated):
                    found[held.step.tool] = outcome
        return found

    def _steps(self) -> None:
        marker = self.family.marker
        if any(entry.marker == marker for entry in self.bench.journal.pending()):
            raise _StoppedError(f"{marker} of an earlier run may still be there")
        steps = self.family.steps
        for number, step in enumerate(steps):
            match step.action:
                case "absent":
                    self._absent(step)
                case "list":
                    self._list(step)
                case "create":
                    self._create(step)
                case "read":
                    self._read(step, self._written_before(steps[:number]))
                case "change":
                    self._change(step)
                case "delete":
                    self._delete(step)
                case "gone":
                    self._gone(step)

    def _written_before(self, steps: Sequence[Step]) -> Step:
        return next(step for step in reversed(steps) if step.writes)

    def _absent(self, step: Step) -> None:
        call = self._call(step, self.family.marker)
        status = answer_of(call.exchange).status
        if status not in GONE:
            said = f"answered {status}" if status else "was not answered"
            raise _StoppedError(f"that our key is free was not proved: GET {said}")

    def _list(self, step: Step) -> None:
        call = self._call(step, "")
        if not is_good(call.exchange):
            raise _StoppedError("the list could not be read before")
        if shows(call.exchange, self.family.marker, any_step=True):
            raise _StoppedError(
                f"{self.family.marker} is there already, and no journal says that we made it"
            )
        self.before = known_ids(call.exchange, self._key())

    def _create(self, step: Step) -> None:
        family = self.family
        listed, looks = family.step("list"), family.step("gone")
        delete = family.step("delete")
        look = looks.url if looks is not None and looks.key else ""
        entry = Entry(
            state="creating",
            resource=family.resource,
            marker=family.marker,
            own_key=family.own_key,
            marked=bool(step.shows),
            key=self._key(),
            look=look,
            browse=listed.url if listed is not None else "",
            delete=delete.url if delete is not None else "",
            headers=self.bench.endpoints[step.tool].fixed_headers,
        )
        self._keep(entry)
        call = self._call(step, family.marker if family.own_key else "")
        self.calls[step.tool] = call
        if not is_good(call.exchange):
            status = answer_of(call.exchange).status
            if 400 <= status < 500 and status not in MAYBE_DONE:
                self.bench.journal.clear(entry)
                self.entry = None
            raise _StoppedError(f"the create {_said(call)}")
        identifier = family.marker if family.own_key else self._named(call, look, listed)
        if identifier in self.before:
            self._doubt(f"the server called ours {identifier!r}, which was there before")
        if not is_safe_id(identifier):
            self._doubt("the server's identifier cannot stand in an address")
        self.identifier = identifier
        self._keep(entry.model_copy(update={"state": "created", "identifier": identifier}))

    def _named(self, call: _Call, look: str, listed: Step | None) -> str:
        found = named(call.run.exchanges, look, self._key(), self.family.marker).identifiers
        if len(found) > 1:
            self._doubt(f"the answer gives two identifiers, {found[0]!r} and {found[1]!r}")
        if not found and listed is not None:
            again = self._call(listed, "").exchange
            found = named_in_list(again, self._key(), self.family.marker)
        if len(found) != 1:
            self._doubt("the answer gives no identifier, and no list shows one object of our name")
        return "".join(found)

    def _read(self, step: Step, written: Step) -> None:
        """Prove the write before: a read shows the value that it sent."""
        held = self.calls.get(written.tool)
        if held is None or (written.action == "change" and held.fault):
            self._still_ours(step)
            return
        call, seen = self._look(step, lambda one: self._shows_ours(one, step.shows))
        if not seen:
            held.fault = f"a read afterwards {_said(call)} and does not show what was sent"
            if written.action != "create":
                self._still_ours(step)
                return
            if self._is_answered(call) and not self.family.own_key:
                self._doubt(f"a read of {self.identifier!r} does not show our name")
            raise _StoppedError(held.fault)
        held.proof = held.proof or f"a read afterwards shows {step.shows or self.identifier}"
        call.proof = f"it shows our own object, {self.identifier}"
        self.proved = True
        self.calls.setdefault(step.tool, call)

    def _look(self, step: Step, holds: Callable[[_Call], bool]) -> tuple[_Call, bool]:
        """Read until `holds`, a few times: give the last read, and whether it does."""
        call = self._call(step, self.identifier)
        for pause in PAUSES:
            if holds(call):
                return call, True
            time.sleep(pause)
            call = self._call(step, self.identifier)
        return call, holds(call)

    def _still_ours(self, step: Step) -> None:
        """After a change that failed, be sure again before anything else is written."""
        call = self._call(step, self.identifier)
        if not self._is_answered(call):
            raise _StoppedError(f"a read after the change {_said(call)}")
        ours = shows(call.exchange, self.family.marker, any_step=True)
        if not ours and not self.family.own_key:
            self._doubt("after a change, it does not show our name any more")

    def _is_answered(self, call: _Call) -> bool:
        """Tell whether a read says what is there; a fault of the moment says nothing."""
        return is_good(call.exchange) or answer_of(call.exchange).status in GONE

    def _shows_ours(self, call: _Call, text: str) -> bool:
        exchange = call.exchange
        if not is_good(exchange) or call.run.error is not None or call.run.timed_out:
            return False
        if not call.step.key:
            return self.identifier in named_in_list(exchange, self._key(), text)
        return shows(exchange, text) if text else self.family.own_key

    def _change(self, step: Step) -> None:
        if not self.proved:
            raise _StoppedError("our object was not proved")
        call = self._call(step, self.identifier)
        held = self.calls.get(step.tool)
        if held is None:
            self.calls[step.tool] = call
        elif not is_good(call.exchange):
            held.fault = f"called again, it {_said(call)}"
            return
        if not is_good(call.exchange):
            call.fault = f"it {_said(call)}"

    def _delete(self, step: Step) -> None:
        if not self.proved or self.entry is None:
            raise _StoppedError("our object was not proved")
        self._keep(self.entry.model_copy(update={"state": "deleting"}))
        call = self._call(step, self.identifier)
        self.calls[step.tool] = call
        if not is_good(call.exchange):
            call.fault = f"it {_said(call)}"
            raise _StoppedError(f"the delete {_said(call)}")

    def _gone(self, step: Step) -> None:
        delete = self.family.step("delete")
        held = self.calls.get(delete.tool) if delete is not None else None
        if held is None or self.entry is None:
            return
        call, gone = self._look(step, self._is_gone)
        if gone:
            held.proof = f"a read afterwards {_said(call)}"
            self.settled = True
            self.bench.journal.clear(self.entry)
            return
        held.fault = "our object is still there"
        self.settled = True
        self.left.append(leftover(self.entry, f"the DELETE {_said(held)}, and it is still there"))

    def _is_gone(self, call: _Call) -> bool:
        exchange = call.exchange
        if answer_of(exchange).status in GONE:
            return bool(call.step.key)
        if not is_good(exchange) or shows(exchange, self.family.marker, any_step=True):
            return False
        if not call.step.key:
            return True
        listed = self.family.step("list")
        if listed is None:
            return False
        again = self._call(listed, "").exchange
        there = shows(again, self.family.marker, any_step=True)
        return is_good(again) and not there and self.identifier not in known_ids(again, self._key())

    def _clean_up(self) -> None:
        """Delete what is ours and still there; what cannot be deleted is told."""
        entry = self.entry
        if entry is None or self.settled:
            return
        bench = self.bench
        done = recover(entry, bench.journal, bench.send, bench.approvals)
        if done.left is not None:
            self.left.append(done.left)

    def _keep(self, entry: Entry) -> None:
        self.entry = entry
        self.bench.journal.put(entry)

    def _doubt(self, reason: str) -> NoReturn:
        """The answers do not prove which object is ours: nothing is deleted."""
        assert self.entry is not None, "only what was created is in doubt"  # noqa: S101 - our own invariant
        self._keep(self.entry.model_copy(update={"state": "unsure", "reason": reason}))
        raise _StoppedError(reason)

    def _key(self) -> str:
        return next((step.key for step in self.family.steps if step.key), "")

    def _call(self, step: Step, identifier: str) -> _Call:
        bench, endpoint = self.bench, self.bench.endpoints[step.tool]
        arguments = _arguments(step, endpoint, identifier)
        names = {one.name: one.identifier for one in endpoint.parameters}
        call = ToolCall(
            tool=step.tool,
            root=bench.root,
            module=f"tools.{endpoint.group}",
            function=endpoint.name,
            arguments={names[one.name]: one.value for one in arguments},
            timeout=bench.timeout,
        )
        if step.writes:
            with bench.approvals.granted(approval(step, endpoint, identifier)):
                run = bench.caller.run(call)
        else:
            run = bench.caller.run(call)
        return _Call(step, run, arguments)

    def _judged(self, call: _Call) -> Outcome:
        """Give the outcome: the proof decides, where the answer itself speaks of no fault."""
        endpoint = self.bench.endpoints[call.step.tool]
        verdict = judge(endpoint, call.run, proved=True).verdict
        proof = call.proof if not call.fault else ""
        sound = call.run.error is None and not call.run.timed_out and is_good(call.exchange)
        good = sound and bool(proof) and verdict.verdict != "code_error"
        if good:
            verdict = Verdict(
                verdict="information",
                cause="ok",
                message=f"{call.step.method} on our own object: {proof}.",
                evidence=(*verdict.evidence, proof),
            )
        elif verdict.verdict == "information" or (call.fault and sound):
            reason = call.fault or self.stopped or "nothing proves what it did"
            verdict = Verdict(
                verdict="request_error",
                cause="failed-validation",
                message=f"The call was answered, but {reason}.",
                evidence=verdict.evidence,
            )
        attempt = Attempt(arguments=call.arguments, exchange=call.exchange, verdict=verdict)
        if not good:
            return Failed(attempt=attempt)
        for exchange in call.run.exchanges:
            self.replays[self.bench.key_of(exchange)] = exchange
        return Validated(attempt=attempt)


def _arguments(step: Step, endpoint: Endpoint, identifier: str) -> tuple[Argument, ...]:
    given = {one.name: one for one in step.given}
    found: list[Argument] = []
    for parameter in endpoint.parameters:
        one = given.get(parameter.name)
        if parameter.name == step.key and parameter.location == "path":
            value: JsonValue = shaped(identifier, parameter)
            found.append(
                Argument(name=step.key, value=value, origin="observed", source="our own object")
            )
        elif one is not None:
            found.append(
                Argument(name=one.name, value=one.value, origin=one.origin, source=one.source)
            )
    return tuple(found)


def _said(call: _Call) -> str:
    status = answer_of(call.exchange).status
    if status:
        return f"answered {status}"
    failure = call.exchange.failure if call.exchange is not None else None
    return f"was not answered ({failure.message})" if failure else "sent nothing"
