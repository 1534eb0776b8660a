"""The write plan's part of a compile: ask, take back what an earlier run left, run, keep, replay.

Calls of a plan go through a gateway and a sandbox of their own, which replay nothing and let one
approved request out at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from doc2tools.compiler.emit.package import stage_sources
from doc2tools.compiler.events import LeftBehind, Listener, Notice, WritesPlanned
from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.exchange import Exchange, Request
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Blocked, Tool, Validated
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.state import State, key_of
from doc2tools.compiler.validate.writes.execute import Bench, run_plan
from doc2tools.compiler.validate.writes.journal import Journal
from doc2tools.compiler.validate.writes.model import Leftover, WritePlan, Written
from doc2tools.compiler.validate.writes.recover import recover_all
from doc2tools.sandbox.approvals import Approvals, GuardedPolicy
from doc2tools.sandbox.gateway import Gateway
from doc2tools.sandbox.policy import Policy
from doc2tools.sandbox.recordings import Recordings
from doc2tools.sandbox.sandbox import Sandbox

__all__ = ["Confirm", "Writing", "main_policy", "refuse"]

Confirm = Callable[[WritePlan], bool]
"""Asks the user about a plan that was shown; false unless they agree."""


def refuse(plan: WritePlan) -> bool:
    """Agree to nothing: the answer where there is nobody to ask."""
    del plan
    return False


class _Unrecorded(Recordings):
    """Replays nothing and keeps nothing, but remembers under which key an exchange would be."""

    def __init__(self) -> None:
        super().__init__(None)
        self._made: list[tuple[Exchange, str]] = []

    def get(self, key: str, request: Request | None = None) -> Exchange | None:
        return None

    def put(self, key: str, exchange: Exchange) -> None:
        self._made.append((exchange, key))

    def once(
        self,
        key: str,
        send: Callable[[], Exchange],
        keep: Callable[[Exchange], bool],
        request: Request | None = None,
    ) -> Exchange:
        exchange = send()
        self.put(key, exchange)
        return exchange

    def key_of(self, exchange: Exchange) -> str:
        """Give the key of an exchange that went through here."""
        return next((key for one, key in self._made if one is exchange), "")


class _Replays(Recordings):
    """The plan's own exchanges before the recorded ones."""

    def __init__(self, own: Mapping[str, Exchange], others: Recordings) -> None:
        super().__init__(None)
        self._own = own
        self._others = others

    def get(self, key: str, request: Request | None = None) -> Exchange | None:
        found = self._own.get(key)
        if found is None:
            return self._others.get(key, request)
        return found.model_copy(update={"replayed": True})


def main_policy(
    options: CompileOptions, bases: Sequence[str], endpoints: Sequence[Endpoint]
) -> Policy:
    """Give the policy outside the plan: what changes state passes only if the user named it."""
    named = [one for one in endpoints if one.name in options.allow_unsafe]
    return GuardedPolicy.guard(Policy.from_options(options, bases), Approvals(named))


@dataclass(slots=True)
class Writing:
    """One compile's writes.

    Attributes:
        plan: What would be written.
        package: The plan of the package, for its API and options.
        confirmed: The user agreed to just this plan, now or when it was run.
        written: What running it gave, or had given before.
        left: What an earlier run or this one could not take back.
        calls: Requests that went over the network.
    """

    plan: WritePlan
    package: PackagePlan
    state: State
    on_event: Listener
    confirmed: bool = False
    written: Written | None = None
    left: list[Leftover] = field(default_factory=list[Leftover])
    calls: int = 0

    @property
    def key(self) -> str:
        """What this part adds to the address of a run's outcomes."""
        return self.plan.digest if self.confirmed else ""

    def settle(self, agreed: str, confirm: Confirm, *, fresh: bool) -> None:
        """Find out whether the plan may be run; nothing is called.

        Args:
            agreed: The digest that the user gave, or "".
            confirm: Asks about a plan that has not been agreed to.
            fresh: Do not use what an earlier run of the same plan gave.

        Raises:
            UsageError: The user agreed to another plan.
        """
        digest = self.plan.digest
        if not digest:
            if agreed:
                self.on_event(Notice("there is no write plan to confirm: nothing is written"))
            return
        self.written = None if fresh else self.state.get("written", self._address(), Written)
        if agreed and agreed != digest and self.written is None:
            self.on_event(WritesPlanned(self.plan, confirmed=False))
            raise UsageError(
                f"the write plan is now {digest}, and {agreed} was confirmed",
                hint=f"read the plan above; if you agree, give --confirm-writes {digest}",
            )
        self.confirmed = self.written is not None or agreed == digest
        if self.written is None:
            self.on_event(WritesPlanned(self.plan, confirmed=self.confirmed))
            self.confirmed = self.confirmed or confirm(self.plan)

    def take_back(self) -> None:
        """Delete what an earlier run of this package created and could not delete."""
        journal = self._journal()
        if not journal.pending():
            return
        approvals = Approvals()
        with self._gateway(approvals, _Unrecorded()) as gateway:
            may_delete = "DELETE" in self.package.options.allow
            for done in recover_all(journal, gateway.exchange, approvals, may_delete=may_delete):
                if done.left is not None:
                    self._leave(done.left)
                elif done.deleted:
                    where = f"{done.entry.marker} at {done.entry.resource}"
                    self.on_event(Notice(f"deleted {where}, which an earlier run had left"))
            self.calls += gateway.calls_made

    def run(self) -> None:
        """Run the plan if the user agreed to it and it was not run before."""
        if not self.confirmed or self.written is not None:
            return
        options, spec = self.package.options, self.package.spec
        approvals, unrecorded = Approvals(), _Unrecorded()
        gateway = self._gateway(approvals, unrecorded)
        with gateway, Sandbox(gateway, options.sandbox, 1) as sandbox:
            sources = stage_sources(
                self.package.name, self.package.base_url, spec.endpoints, options
            )
            bench = Bench(
                caller=sandbox,
                root=sandbox.load(sources),
                endpoints={one.name: one for one in spec.endpoints},
                send=gateway.exchange,
                approvals=approvals,
                journal=self._journal(),
                key_of=unrecorded.key_of,
                timeout=options.limits.timeout,
            )
            self.written = run_plan(self.plan.families, bench)
            self.calls += gateway.calls_made
        for one in self.written.leftovers:
            self._leave(one)
        if self.written.clean:
            self.state.put("written", self._address(), self.written)

    def merge(self, tools: tuple[Tool, ...]) -> tuple[Tool, ...]:
        """Give the tools with what the plan made of them."""
        written = self.written.outcomes if self.written else {}
        reasons = {one.tool: one.reason for one in self.plan.blocked}
        planned = {tool for family in self.plan.families for tool in family.tools}
        found: list[Tool] = []
        for tool in tools:
            name, outcome = tool.endpoint.name, tool.outcome
            if name in written and not isinstance(outcome, Validated):
                outcome = written[name]
            elif isinstance(outcome, Blocked) and name in reasons:
                outcome = Blocked(reason=reasons[name])
            elif isinstance(outcome, Blocked) and name in planned and not self.confirmed:
                reason = f"{outcome.reason}; the write plan {self.plan.digest} was not confirmed"
                outcome = Blocked(reason=reason)
            found.append(tool.model_copy(update={"outcome": outcome}))
        return tuple(found)

    def replaying(self, recordings: Recordings) -> Gateway | None:
        """Give a gateway that answers from recordings alone, the plan's among them, if needed."""
        if self.written is None or not self.written.replays:
            return None
        options = self.package.options
        replays = _Replays(self.written.replays, recordings)
        policy = Policy.from_options(options, self._bases())
        return Gateway(policy, options, self.package.base_url, replays, offline=True)

    @property
    def settled(self) -> bool:
        """The outcomes stand: nothing is left behind, nothing may pass by itself."""
        return not self.left and (self.written is None or self.written.clean)

    def _leave(self, one: Leftover) -> None:
        self.left.append(one)
        self.on_event(LeftBehind(one))

    def _address(self) -> str:
        return key_of(self.package.name, self.plan.digest)

    def _journal(self) -> Journal:
        return Journal(journal_folder(self.state, self.package.name))

    def _bases(self) -> list[str]:
        return sorted({one.base_url for one in self.package.spec.endpoints if one.base_url})

    def _gateway(self, approvals: Approvals, recordings: Recordings) -> Gateway:
        options = self.package.options
        policy = GuardedPolicy.guard(Policy.from_options(options, self._bases()), approvals)
        return Gateway(policy, options, self.package.base_url, recordings)


def journal_folder(state: State, name: str) -> Path:
    """Give the folder of a package's journal of writes."""
    return state.folder / name / "writes"
