"""Makes the calls of edges' proofs, equal ones once, and judges the right beside the wrong ones."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Literal

from doc2tools.compiler.graph.prove_compare import Features, differ, features
from doc2tools.compiler.graph.prove_control import wrong_values
from doc2tools.compiler.graph.prove_plan import Known, Plan, Try
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Exchange
from doc2tools.compiler.ir.graph import Edge, Proof, ProofCall
from doc2tools.compiler.ir.outcome import Argument, Validated
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.validate.plan import ArgumentSet
from doc2tools.compiler.validate.tool_run import Context, Tried, call_tool

__all__ = ["Prover"]

_UNSETTLED = frozenset({401, 403, 408, 425, 429, 502, 503, 504})
"""Answers that say nothing about the value."""

Finding = Literal["proved", "refuted", "untested"]


@dataclass(slots=True)
class Prover:
    """Makes the calls; equal ones once. Thread-safe."""

    context: Context
    known: Known
    _calls: dict[tuple[str, str, bool], Future[Tried]] = field(
        default_factory=dict[tuple[str, str, bool], "Future[Tried]"]
    )
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def prove(self, plan: Plan) -> Edge:
        """Try an edge's values until enough of them hold, each beside a wrong one."""
        failures = missed = 0
        last: Edge | None = None
        held: dict[str, Edge] = {}
        current = ""
        for attempt in plan.tries:
            value = str(attempt.held.value)
            if value in held:
                continue
            if value != current:
                missed += bool(current) and current not in held
                current = value
            if self.context.stopped() or missed > plan.spare:
                break
            tried = self._call(plan.target.endpoint, attempt.chosen)
            if not tried.good:
                failures += 1
                if last is None or not _unsettled(tried):
                    last = _refused(plan, attempt, tried, self.known, failures)
                continue
            found = self._against_control(plan, attempt, tried, failures)
            if found.stage != "proved":
                failures += 1
                last = found
                continue
            held[value] = found
            if len(held) >= plan.needed:
                return next(iter(held.values())).model_copy(
                    update={"successes": plan.edge.successes + len(held), "failures": failures}
                )
        return last or plan.edge

    def _against_control(self, plan: Plan, attempt: Try, right: Tried, failures: int) -> Edge:
        sent = _value(attempt.chosen, plan.parameter.name)
        wrong: list[tuple[JsonValue, Tried]] = []
        right_value = sent if isinstance(sent, str | int | float) else attempt.held.value
        values = wrong_values(right_value, plan.parameter, plan.known)
        finding: Finding = "untested"
        why = "no wrong value of its form is known"
        for value in values:
            tried = self._call(plan.target.endpoint, _with(attempt.chosen, plan, value))
            wrong.append((value, tried))
            finding, why = _compare(right, sent, wrong)
            if not (finding == "proved" and tried.good):
                break
        value, other = wrong[0] if wrong else (None, None)
        proof = Proof(
            value=sent,
            control=value,
            source=_source_call(plan.edge.source, self.known),
            right=_proof_call(right),
            wrong=_proof_call(other) if other else None,
        )
        update = {
            "stage": finding,
            "reason": "; ".join(text for text in (plan.edge.reason, why) if text),
            "proof": proof,
            "successes": plan.edge.successes + 1,
            "failures": plan.edge.failures + failures,
        }
        return plan.edge.model_copy(update=update)

    def _call(self, endpoint: Endpoint, chosen: ArgumentSet) -> Tried:
        key = (endpoint.name, chosen.key, chosen.proved)
        with self._lock:
            future = self._calls.get(key)
            mine = future is None
            if future is None:
                future = self._calls[key] = Future()
        if mine:
            try:
                future.set_result(call_tool(endpoint, chosen, self.context))
            except BaseException as fault:
                future.set_exception(fault)
                raise
        return future.result()


def _compare(
    right: Tried, sent: JsonValue, wrong: Sequence[tuple[JsonValue, Tried]]
) -> tuple[Finding, str]:
    """Judge a right call beside the wrong ones made so far."""
    value, first = wrong[0]
    if _unsettled(first):
        said = first.judgement.verdict.message
        return "untested", f"the control call with {_short(value)} gave no clear answer: {said}"
    status = _status(first)
    if not first.good and status >= 400:
        return "proved", f"{_short(sent)} answers, {_short(value)} gets {status}"
    # Blanked alike everywhere: what one call was sent may be there by chance in another's answer.
    blanked = [sent, *(item for item, _ in wrong)]
    seen = _features(right, blanked)
    others = [_features(tried, blanked) for _, tried in wrong if not _unsettled(tried)]
    if not differ(seen, others[0], others[1] if len(others) > 1 else None):
        return "refuted", f"{_short(value)} answers the same as {_short(sent)}"
    what = "something else" if first.good else "nothing"
    return "proved", f"{_short(sent)} answers, {_short(value)} answers {what}"


def _features(tried: Tried, sent: Sequence[JsonValue]) -> Features:
    response = tried.exchange.response if tried.exchange else None
    return features(response, sent) if response is not None else {}


def _status(tried: Tried) -> int:
    response = tried.exchange.response if tried.exchange else None
    return response.status if response is not None else 0


def _unsettled(tried: Tried) -> bool:
    status = _status(tried)
    return status in _UNSETTLED or status == 0


def _refused(plan: Plan, attempt: Try, tried: Tried, known: Known, failures: int) -> Edge:
    sent = _value(attempt.chosen, plan.parameter.name)
    stage: Finding = "untested" if _unsettled(tried) else "refuted"
    why = f"{_short(sent)} does not answer: {tried.judgement.verdict.message}"
    source = _source_call(plan.edge.source, known)
    return plan.edge.model_copy(
        update={
            "stage": stage,
            "reason": "; ".join(text for text in (plan.edge.reason, why) if text),
            "proof": Proof(value=sent, source=source, right=_proof_call(tried)),
            "failures": plan.edge.failures + failures,
        }
    )


def _with(chosen: ArgumentSet, plan: Plan, value: JsonValue) -> ArgumentSet:
    name = plan.parameter.name
    return ArgumentSet(
        tuple(
            Argument(name=name, value=value, origin="guessed") if one.name == name else one
            for one in chosen.arguments
        )
    )


def _value(chosen: ArgumentSet, name: str) -> JsonValue:
    return next((one.value for one in chosen.arguments if one.name == name), None)


def _source_call(tool: str, known: Known) -> ProofCall | None:
    outcome = known.tools[tool].outcome
    if not isinstance(outcome, Validated):
        return None
    attempt = outcome.attempt
    exchange = attempt.exchange
    return ProofCall(
        tool=tool,
        arguments={one.name: one.value for one in attempt.arguments},
        exchange=_digest(exchange),
        status=exchange.response.status if exchange and exchange.response else None,
        verdict=attempt.verdict.verdict,
        message=attempt.verdict.message,
    )


def _proof_call(tried: Tried) -> ProofCall:
    verdict = tried.judgement.verdict
    return ProofCall(
        tool=tried.run.tool,
        arguments={one.name: one.value for one in tried.chosen.arguments},
        exchange=_digest(tried.exchange),
        status=_status(tried) or None,
        verdict=verdict.verdict,
        message=verdict.message,
    )


def _digest(exchange: Exchange | None) -> str:
    """Give the SHA-256 of what was asked and answered, without how long it took."""
    if exchange is None or exchange.response is None:
        return ""
    request, response = exchange.request, exchange.response
    parts = [request.method, request.url, request.body, response.status, response.body]
    return hashlib.sha256(json.dumps(parts).encode("utf-8", "replace")).hexdigest()


def _short(value: JsonValue) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
