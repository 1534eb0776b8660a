"""Repair by rules: typed patches of the specification, tried in order of likelihood.

In go the tools after validation; out come the same tools, those that could be repaired with their
patched endpoint, its proof and a line for each patch. At most three rounds, a bounded number of
calls for each tool and in all, and no patch that turns a tool into another one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain

from doc2tools.compiler.ir.outcome import Attempt, Failed, Tool, Unvalidated, Validated
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.passes.splitting import split_address
from doc2tools.compiler.repair import propose_base, propose_call, propose_segment
from doc2tools.compiler.repair.address import is_literal, origin, parts_of, whole_path
from doc2tools.compiler.repair.confirm import confirm
from doc2tools.compiler.repair.evidence import Evidence, read_evidence
from doc2tools.compiler.repair.guard import objection
from doc2tools.compiler.repair.identity import (
    answer_objection,
    served_objection,
    twin_objection,
    wildcard_objection,
    word_objection,
)
from doc2tools.compiler.repair.lessons import Lessons
from doc2tools.compiler.repair.patches import Patch
from doc2tools.compiler.repair.siblings import Siblings
from doc2tools.compiler.repair.spelling import vocabulary
from doc2tools.compiler.repair.survey import Survey
from doc2tools.compiler.repair.suspect import Proposal, Suspect
from doc2tools.compiler.repair.trial import Bench, Trial
from doc2tools.compiler.repair.work import Work, came_further, with_notes
from doc2tools.compiler.validate.events import ToolFinished
from doc2tools.compiler.validate.harvest import documented_values
from doc2tools.compiler.validate.plan import ArgumentSet, required
from doc2tools.param_db.values import Values, ValueStore
from doc2tools.sandbox.sandbox import Sandbox

__all__ = ["ROUNDS", "repair"]

ROUNDS = 3
CALLS_A_TOOL = 14
PATCHES_A_ROUND = (4, 5, 5)
CALLS_FOR_EACH = 4
FEWEST_CALLS = 60
SURVEY_CALLS = 5
IN_VAIN = 6
"""Tools tried without gain after which an API of which nothing works is left alone."""


def repair(
    tools: tuple[Tool, ...],
    plan: PackagePlan,
    sandbox: Sandbox,
    on_event: Callable[[object], None],
    *,
    values: Values | None = None,
) -> tuple[Tool, ...]:
    """Repair what can be repaired.

    Args:
        tools: Every endpoint with its outcome, in the API's order.
        plan: The package's plan, for its name, options and documentation.
        sandbox: Where patched functions run; its gateway is the way out.
        on_event: Told when a tool's outcome changes.
        values: Known values; without them, those of the documentation and of the proved answers.

    Returns:
        The tools in the same order.
    """
    store = ValueStore() if values is None else values
    store.add(documented_values(plan.spec))
    callable_tools = sum(isinstance(tool.outcome, Validated | Failed) for tool in tools)
    bench = Bench(
        name=plan.name,
        base_url=plan.base_url,
        options=plan.options,
        sandbox=sandbox,
        endpoints=plan.spec.endpoints,
        values=store,
        send=sandbox.gateway.exchange,
        on_event=on_event,
        budget=max(FEWEST_CALLS, CALLS_FOR_EACH * callable_tools),
    )
    for tool in tools:
        bench.learn(tool)
    return Repairs(tools, plan, bench).run()


@dataclass(slots=True)
class Repairs:
    """The repairs of one run."""

    tools: tuple[Tool, ...]
    plan: PackagePlan
    bench: Bench
    lessons: Lessons = field(default_factory=Lessons)
    survey: Survey = field(init=False)
    words: frozenset[str] = frozenset()
    works: dict[str, Work] = field(default_factory=dict[str, Work])

    def __post_init__(self) -> None:
        """Look at what failed."""
        self.words = vocabulary(self.plan.spec.endpoints)
        self.survey = Survey(self.bench.send if "GET" in self.plan.options.allow else None)
        for tool in self.tools:
            if isinstance(tool.outcome, Validated):
                self.survey.note(tool.outcome.attempt.exchange)
        for tool in self.tools:
            evidence = self._evidence(tool)
            if evidence is not None:
                self.works[tool.endpoint.name] = Work(tool, tool.endpoint, evidence)

    def run(self) -> tuple[Tool, ...]:
        """Give the tools, repaired where that was proved."""
        vain = 0
        for _ in range(ROUNDS):
            changed = False
            for work in self.works.values():
                hopeless = vain >= IN_VAIN and not self._working()
                if work.repaired is None and not self.bench.spent and not hopeless:
                    changed = self._round(work) or changed
                    vain += not work.patches and work.repaired is None
            if not changed:
                break
        return tuple(self._settled(tool) for tool in self.tools)

    def _settled(self, tool: Tool) -> Tool:
        work = self.works.get(tool.endpoint.name)
        if work is not None and work.repaired is not None:
            tool = work.repaired
            self.bench.on_event(ToolFinished(tool.endpoint.name, tool.outcome))
        elif work is not None:
            return with_notes(work)
        return confirm(tool, self.bench)

    def _evidence(self, tool: Tool) -> Evidence | None:
        outcome = tool.outcome
        if tool.endpoint.effect.kind != "read":
            return None
        if isinstance(outcome, Unvalidated) and outcome.cause == "no-parameter-value":
            return Evidence("unfilled")
        if not isinstance(outcome, Failed):
            return None
        evidence = self._read(tool.endpoint, outcome.attempt)
        if evidence is None or evidence.trouble == "route":
            return evidence
        return self._bare(tool.endpoint, outcome.attempt) or evidence

    def _bare(self, endpoint: Endpoint, attempt: Attempt) -> Evidence | None:
        """Give the evidence of the call without optional arguments if it says: no such route.

        What an address that is not there does with further arguments tells nothing.
        """
        needed = {parameter.name for parameter in required(endpoint)}
        kept = tuple(one for one in attempt.arguments if one.name in needed)
        if len(kept) == len(attempt.arguments):
            return None
        bare = self.bench.once(endpoint, ArgumentSet(kept)).attempt
        evidence = self._read(endpoint, bare) if bare is not None else None
        return evidence if evidence is not None and evidence.trouble == "route" else None

    def _read(self, endpoint: Endpoint, attempt: Attempt) -> Evidence | None:
        exchange = attempt.exchange
        unsure = exchange is not None and exchange.response is not None
        beside = self.bench.beside(exchange) if exchange is not None and unsure else None
        return read_evidence(endpoint, attempt, beside)

    def _round(self, work: Work) -> bool:
        """Try what the evidence speaks for; give whether another round may gain something."""
        work.rounds += 1
        if self._tried_again(work):
            return True
        further: tuple[Trial, Patch, Evidence] | None = None
        tentative: tuple[Trial, Patch] | None = None
        patches, most = 0, PATCHES_A_ROUND[min(work.rounds, len(PATCHES_A_ROUND)) - 1]
        left = False
        for proposal in self._proposals(work):
            if work.calls >= CALLS_A_TOOL or self.bench.spent or patches >= most:
                left = patches >= most
                break
            trial = self._trial(work, proposal)
            if trial is None:
                continue
            patches += 1
            if trial.best is not None:
                if not self._stands(work, trial, proposal.patch):
                    continue
                if trial.firm:
                    self._accept(work, trial, proposal.patch)
                    return True
                tentative = tentative or (trial, proposal.patch)
                continue
            evidence = self._read(trial.endpoint, trial.attempt) if trial.attempt else None
            if evidence is not None and evidence.trouble == work.evidence.trouble:
                self.lessons.unlearn(proposal.patch, work.tool.endpoint.name)
            if evidence is not None and came_further(work.evidence, evidence):
                further = (trial, proposal.patch, evidence)
                break
        if tentative is not None:
            self._accept(work, *tentative)
            return True
        if further is not None:
            trial, patch, evidence = further
            work.current, work.evidence = trial.endpoint, evidence
            work.patches = (*work.patches, patch)
            return True
        return left

    def _tried_again(self, work: Work) -> bool:
        """Try the endpoint as it is with values that other repairs have brought."""
        if work.evidence.trouble != "unfilled" and work.rounds == 1:
            return False
        if not self.bench.sets(work.current):
            return False
        trial = self.bench.attempt(work.current, 2)
        work.calls += trial.calls
        if trial.best is None or not self._stands(work, trial, None):
            if trial.attempt is not None and work.evidence.trouble == "unfilled":
                work.evidence = self._read(work.current, trial.attempt) or work.evidence
            return False
        self._accept(work, trial, None)
        return True

    def _proposals(self, work: Work) -> list[Proposal]:
        siblings = Siblings(self._working(), self.plan.spec.endpoints)
        suspect = self._suspect(work, siblings)
        if suspect.gone:
            before = self.survey.calls
            self.survey.ask(origin(work.current), self._folders(work, siblings), SURVEY_CALLS)
            self.bench.calls += self.survey.calls - before
            suspect = self._suspect(work, siblings)
        found = propose_call.ordered(
            chain(
                self.lessons.for_endpoint(work.current),
                propose_base.base_paths(suspect),
                propose_segment.segments(suspect),
                propose_segment.placeholders(suspect),
                propose_segment.endings(suspect),
                propose_call.complaints(suspect),
                propose_call.locations(suspect),
                propose_call.types(suspect),
                propose_call.styles(suspect),
                propose_call.encodings(suspect),
                propose_call.headers(suspect),
                propose_call.methods(suspect),
            )
        )
        return sorted(found, key=lambda one: self.lessons.is_doubtful(one.patch))

    def _suspect(self, work: Work, siblings: Siblings) -> Suspect:
        outcome = work.tool.outcome
        bases = [split_address(fact.value).path.rstrip("/") for fact in self.plan.spec.base_urls]
        return Suspect(
            endpoint=work.current,
            evidence=work.evidence,
            siblings=siblings,
            values=self.bench.values,
            allow=self.plan.options.allow,
            shown=self.survey.paths(),
            bases=tuple(dict.fromkeys(base for base in bases if base)),
            missing=outcome.missing if isinstance(outcome, Unvalidated) else (),
            words=self.words,
            lost=sum(
                one.evidence.trouble == "route"
                for one in self.works.values()
                if one.repaired is None
            ),
        )

    def _working(self) -> tuple[Endpoint, ...]:
        found: list[Endpoint] = []
        for tool in self.tools:
            work = self.works.get(tool.endpoint.name)
            if work is not None and work.repaired is not None:
                found.append(work.repaired.endpoint)
            elif isinstance(tool.outcome, Validated):
                found.append(tool.endpoint)
        return tuple(found)

    def _folders(self, work: Work, siblings: Siblings) -> list[str]:
        """Give the deepest folders of the path that working tools share, whose index may help."""
        parts = parts_of(whole_path(work.current))
        folders: list[str] = []
        for number in range(1, len(parts)):
            if not is_literal(parts[number - 1]) or not siblings.children(parts[:number]):
                break
            folders.insert(0, "/" + "/".join(parts[:number]))
        return folders[:2]

    def _trial(self, work: Work, proposal: Proposal) -> Trial | None:
        patched = proposal.patch.apply(work.current)
        key = f"{patched.method} {patched.url} {patched.parameters!r} {patched.fixed_headers!r}"
        if patched == work.current or key in work.tried:
            return None
        work.tried.add(key)
        taken = [done.repaired.endpoint for done in self.works.values() if done.repaired]
        known = (*self.plan.spec.endpoints, *taken)
        reason = objection(work.tool.endpoint, patched, known, self.plan.options)
        reason = reason or word_objection(patched, (proposal.patch,), None, work.evidence.meant)
        if reason:
            work.notes.add(f"repair refused: {proposal.patch.line}: {reason}")
            return None
        trial = self.bench.attempt(patched, 1 if work.evidence.trouble == "route" else 2)
        work.calls += trial.calls
        if not trial.tried:
            return None
        if trial.best is None and trial.worst is not None:
            response = trial.worst.exchange.response if trial.worst.exchange else None
            came = f"status {response.status}" if response else "no answer"
            work.notes.add(f"repair tried: {proposal.patch.line}: {came}")
        return trial

    def _stands(self, work: Work, trial: Trial, patch: Patch | None) -> bool:
        """Tell whether a good answer is this tool's own; notes why not."""
        assert trial.best is not None  # noqa: S101 - the caller looked
        exchange = trial.best.exchange
        if exchange is None:
            return False
        others = [done.repaired or done.tool for done in self.works.values() if done is not work]
        others += [tool for tool in self.tools if tool.endpoint.name not in self.works]
        patches = (*work.patches, patch) if patch is not None else work.patches
        reason = answer_objection(trial.endpoint, exchange)
        reason = reason or twin_objection(trial.endpoint, patches, exchange, others)
        outcome = work.tool.outcome
        before = outcome.attempt.exchange if isinstance(outcome, Failed) else None
        reason = reason or served_objection(patches, before, exchange)
        reason = reason or word_objection(trial.endpoint, patches, exchange, work.evidence.meant)
        if not reason:
            first = trial.best.run.exchanges[0]
            reason, calls = wildcard_objection(patches, first, self.bench.send)
            self.bench.calls += calls
            work.calls += calls
        if reason:
            line = patch.line if patch is not None else "other values"
            work.notes.add(f"repair refused: {line}: {reason}")
        return not reason

    def _accept(self, work: Work, trial: Trial, patch: Patch | None) -> None:
        attempt = trial.attempt
        assert attempt is not None  # noqa: S101 - a good call is an attempt
        patches: Sequence[Patch] = (*work.patches, patch) if patch is not None else work.patches
        before = work.tool.outcome.calls if isinstance(work.tool.outcome, Failed) else 0
        work.repaired = work.tool.model_copy(
            update={
                "endpoint": trial.endpoint,
                "outcome": Validated(
                    attempt=attempt,
                    calls=before + max(1, work.calls),
                    tentative=not trial.firm,
                ),
                "rounds": work.tool.rounds + work.rounds,
                "repairs": tuple(one.line for one in patches),
            }
        )
        for one in patches:
            self.lessons.learn(one, work.tool.endpoint.name)
        self.bench.learn(work.repaired)
        self.survey.note(attempt.exchange)
