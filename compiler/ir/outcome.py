"""What became of a tool: a closed union of frozen outcomes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from doc2tools.compiler.ir.base import Frozen, JsonValue, Origin
from doc2tools.compiler.ir.exchange import Exchange
from doc2tools.compiler.ir.spec import Endpoint

VerdictKind = Literal["information", "code_error", "server_error", "request_error"]
"""Doc2Agent's four verdicts on a call (arXiv 2506.19998, section 3.3)."""

Cause = Literal[
    "ok",
    "missing-base-url",
    "missing-path",
    "no-parameter-value",
    "wrong-parameter-value",
    "missing-parameter",
    "method-not-allowed",
    "unauthorised",
    "rate-limited",
    "abnormal-response",
    "empty-response",
    "failed-validation",
    "server-fault",
    "blocked",
    "unreachable",
    "tls",
    "timeout",
    "redirect",
    "code-fault",
]


class Argument(Frozen):
    """One argument of a call, by wire name, with where its value came from."""

    name: str
    value: JsonValue
    origin: Origin
    source: str = ""


class Verdict(Frozen):
    """The judgement of one call.

    Attributes:
        evidence: The facts it rests on, a line each (status, content type, the matched text).
    """

    verdict: VerdictKind
    cause: Cause
    message: str
    evidence: tuple[str, ...] = ()


class Attempt(Frozen):
    """One call made for a tool, and its verdict."""

    arguments: tuple[Argument, ...]
    exchange: Exchange | None
    verdict: Verdict


class Validated(Frozen):
    """A real call gave information; `attempt` is the proof.

    Attributes:
        tentative: With reserve: the rules leave open if the answer is what was asked for.
    """

    status: Literal["validated"] = "validated"
    attempt: Attempt
    calls: int = 1
    tentative: bool = False


class Failed(Frozen):
    """Every call tried failed; `attempt` is the most telling one."""

    status: Literal["failed"] = "failed"
    attempt: Attempt
    calls: int = 1


class Blocked(Frozen):
    """Not called, on purpose: the method is not allowed, or the call would change state."""

    status: Literal["blocked"] = "blocked"
    reason: str


class Unvalidated(Frozen):
    """Could not be called: no base URL, or no value for a required parameter."""

    status: Literal["unvalidated"] = "unvalidated"
    cause: Cause
    reason: str
    missing: tuple[str, ...] = ()


Outcome = Annotated[Validated | Failed | Blocked | Unvalidated, Field(discriminator="status")]


class Tool(Frozen):
    """An endpoint, what became of it, and what it took."""

    endpoint: Endpoint
    outcome: Outcome
    rounds: int = 0
    repairs: tuple[str, ...] = ()
