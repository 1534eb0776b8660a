"""Verdicts that the rules left open: a model may settle a tentative one, or lower its confidence.

It sees only tools that the rules hold for validated, with reserve. What the rules proved to be a
failure is never shown to it, so no answer of its can make that a validation.
"""

from __future__ import annotations

from typing import Literal

from doc2tools.compiler.ir.outcome import Tool, Validated
from doc2tools.compiler.llm.choice import Form
from doc2tools.compiler.llm.frame import Answered, Question
from doc2tools.compiler.llm.prompts import prompt
from doc2tools.compiler.repair.agent.bench import Bench, described, noted

__all__ = ["VerdictForm", "settle_verdict"]

BODY = 2_500
MOST_TOKENS = 60


class VerdictForm(Form):
    """Whether an answer holds what the documentation promises."""

    answers: Literal["yes", "no", "unsure"]


def settle_verdict(tool: Tool, bench: Bench) -> Tool:
    """Ask about a tool that was validated with reserve; it stays validated."""
    outcome = tool.outcome
    if not isinstance(outcome, Validated) or not outcome.tentative:
        return tool
    exchange = outcome.attempt.exchange
    response = exchange.response if exchange else None
    if exchange is None or response is None or response.body_base64:
        return tool
    question = Question(
        instruction=prompt("verdict"),
        answer=VerdictForm,
        data={
            "documentation": described(tool.endpoint),
            "request": f"{exchange.request.method} {exchange.request.url}"[:600],
            "answer": f"{response.status} {response.content_type}\n{response.body[:BODY]}",
        },
    )
    asked = bench.model.ask(question, "verdict", tool.endpoint.name, MOST_TOKENS)
    if not isinstance(asked, Answered):
        return tool
    name = bench.model.terms.model
    said = {
        "yes": f"the model {name} holds that the answer is what is documented",
        "no": f"the model {name} doubts that the answer is what is documented",
        "unsure": f"the model {name} could not tell whether the answer is what is documented",
    }[asked.value.answers]
    settled = outcome.model_copy(
        update={
            "attempt": noted(outcome.attempt, said),
            "tentative": asked.value.answers != "yes",
        }
    )
    return tool.model_copy(update={"outcome": settled})
