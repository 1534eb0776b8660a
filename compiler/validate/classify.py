"""Judges one call by an ordered table of rules on what the parent recorded.

In go the endpoint's documentation and the recorded exchanges, out comes a verdict with evidence.
What the tool says it returned is never the basis.
"""

from __future__ import annotations

from doc2tools.compiler.ir.exchange import Exchange, ToolRun
from doc2tools.compiler.ir.outcome import Verdict
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.validate.attribution import foreign
from doc2tools.compiler.validate.body_rules import BODY_RULES
from doc2tools.compiler.validate.case import Case, Judgement, Rule, error, information
from doc2tools.compiler.validate.relevance_rules import RELEVANCE_RULES
from doc2tools.compiler.validate.status_rules import STATUS_RULES, chosen_status
from doc2tools.compiler.validate.transport_rules import TRANSPORT_RULES

__all__ = ["classify", "judge"]

_DATA_FAULTS = frozenset({"ValidationError", "JSONDecodeError", "ResponseError", "DecodeError"})


def code_fault(case: Case) -> Judgement | None:
    """A good answer of which the tool could make nothing."""
    fault = case.run.error
    if fault is None or case.answer.status >= 400:
        return None
    cause = "failed-validation" if fault.kind in _DATA_FAULTS else "code-fault"
    message = f"The server answered, but the tool raised {fault.kind}: {fault.message[:300]}"
    return error(case, "code-fault", cause, message, kind="code_error", retry="never", said=False)


def foreign_exchange(case: Case) -> Judgement | None:
    """A good answer to a request that was not the tool's own to send."""
    exchange = foreign(case.endpoint, case.run)
    if exchange is None:
        return None
    sent = f"{exchange.request.method} {exchange.request.url}"
    message = f"The call sent a request that is not its own: {sent}"
    return error(
        case,
        "foreign-exchange",
        "code-fault",
        message,
        kind="code_error",
        retry="never",
        said=False,
    )


def good_answer(case: Case) -> Judgement | None:
    """Nothing speaks against it."""
    what = {
        "json": "well-formed JSON with content",
        "json-lines": "JSON, one document a line",
        "xml": "well-formed XML with content",
        "html": "a page",
        "text": "text",
        "binary": "binary data",
        "empty": "an answer without a body",
    }[case.answer.kind]
    return information(case, "good-answer", f"{case.answer.status} with {what}")


RULES: tuple[Rule, ...] = (
    chosen_status,
    *TRANSPORT_RULES,
    *STATUS_RULES,
    *BODY_RULES,
    *RELEVANCE_RULES,
    good_answer,
)
"""The first rule that decides wins; the order is part of the meaning. A good answer is a fault of
the code all the same if the tool made nothing of it, or if the request was not the tool's own."""


def judge(
    endpoint: Endpoint, run: ToolRun, control: Exchange | None = None, *, proved: bool = False
) -> Judgement:
    """Judge a call, and say what the runner may do next.

    Args:
        endpoint: What the documentation says.
        run: What the parent recorded.
        control: The server's answer to an address that does not exist, if one was asked for.
        proved: All arguments are known to exist on the server.
    """
    case = Case(endpoint, run, control, proved)
    for rule in RULES:
        judgement = rule(case)
        if judgement is not None:
            good = judgement.verdict.verdict == "information"
            faults = (foreign_exchange(case) or code_fault(case)) if good else None
            return faults or judgement
    raise AssertionError("the last rule always decides")


def classify(endpoint: Endpoint, run: ToolRun) -> Verdict:
    """Give the verdict on one call of a tool."""
    return judge(endpoint, run).verdict
