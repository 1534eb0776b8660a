"""What a failed attempt says about the specification: the trouble, and the words that tell of it.

A 404 is two troubles: no such route, or nothing under these values. The server's answer to an
address that does not exist tells them apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from doc2tools.compiler.ir.exchange import Exchange
from doc2tools.compiler.ir.outcome import Argument, Attempt, Cause
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.passes.splitting import split_address
from doc2tools.compiler.validate.answer import Answer, read_answer
from doc2tools.compiler.validate.messages import (
    Complaint,
    complaint,
    error_text,
    route_missing,
)

__all__ = ["BEYOND", "PROGRESS", "Evidence", "Trouble", "read_evidence", "same_answer"]

Trouble = Literal[
    "route", "method", "object", "missing", "value", "form", "page", "fault", "empty", "unfilled"
]
"""`route`: no such address. `object`: nothing under these values. `missing`: a parameter is
wanted. `value`: a value is refused. `form`: the form of answer or body is refused. `page`: a page
instead of data. `unfilled`: no call was possible for want of a value."""

BEYOND: frozenset[Cause] = frozenset(
    {
        *("unreachable", "tls", "timeout", "unauthorised", "rate-limited", "blocked"),
        *("missing-base-url", "redirect", "code-fault", "failed-validation"),
    }
)
"""Causes that no patch of the specification can mend."""

PROGRESS: dict[Trouble, int] = {
    "route": 0,
    "unfilled": 0,
    "method": 1,
    "page": 1,
    "object": 2,
    "missing": 3,
    "value": 3,
    "form": 3,
    "fault": 3,
    "empty": 4,
}
"""How far a call came; more is further."""

_CAUSES: dict[Cause, Trouble] = {
    "missing-path": "route",
    "method-not-allowed": "method",
    "missing-parameter": "missing",
    "wrong-parameter-value": "value",
    "no-parameter-value": "unfilled",
    "server-fault": "fault",
    "empty-response": "empty",
    "abnormal-response": "empty",
}
_MEDIA = re.compile(r"\b(?:application|text|image|audio|video)/[\w.+*-]{1,60}")
_MEANT = re.compile(
    r"(?:did you mean|perhaps you meant|you might want|try|instead(?: use| of)?|moved to|use)"
    r"[\s:]{1,3}[`'\"<(]{0,2}(?P<word>/?[A-Za-z_][\w./{}:<>-]{1,120})",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}")
_NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of why a tool does not work.

    Attributes:
        text: The words of the error answer.
        complaint: The parameter that the answer names.
        allow: Methods that a 405 allows.
        media: Media types that a refusal of the form names.
        meant: Words or paths that the server says were meant.
        arguments: What was sent.
        exchange: The last exchange of the attempt.
    """

    trouble: Trouble
    status: int = 0
    text: str = ""
    complaint: Complaint | None = None
    allow: tuple[str, ...] = ()
    media: tuple[str, ...] = ()
    meant: tuple[str, ...] = ()
    arguments: tuple[Argument, ...] = ()
    exchange: Exchange | None = None

    @property
    def further(self) -> int:
        """How far the call came; more is further."""
        return PROGRESS[self.trouble]


def read_evidence(
    endpoint: Endpoint, attempt: Attempt, control: Exchange | None
) -> Evidence | None:
    """Read a failed attempt; gives `None` where no patch of the specification can help.

    Args:
        endpoint: What was called.
        attempt: The most telling attempt.
        control: The server's answer at an address that does not exist.
    """
    cause = attempt.verdict.cause
    if _unsendable(endpoint, attempt):
        return Evidence("value", arguments=attempt.arguments, exchange=attempt.exchange)
    response = attempt.exchange.response if attempt.exchange else None
    if cause in BEYOND or attempt.exchange is None or response is None:
        return None
    answer = read_answer(response)
    trouble = _trouble(cause, answer, attempt.exchange, control)
    if trouble is None:
        return None
    text = error_text(answer)
    allow = response.headers.get("allow", "").upper()
    accept = response.headers.get("accept", "") or response.headers.get("accept-post", "")
    return Evidence(
        trouble=trouble,
        status=answer.status,
        text=text[:4000],
        complaint=complaint(answer, endpoint),
        allow=tuple(word.strip() for word in allow.split(",") if word.strip())[:10],
        media=tuple(dict.fromkeys(_media(f"{accept} {answer.text[:4000]}"))),
        meant=tuple(dict.fromkeys(_meant(text)))[:5],
        arguments=attempt.arguments,
        exchange=attempt.exchange,
    )


def _unsendable(endpoint: Endpoint, attempt: Attempt) -> bool:
    """Tell whether a parameter is documented as a header that no header can be."""
    failure = attempt.exchange.failure if attempt.exchange else None
    refused = failure is not None and failure.cause == "refused-by-policy"
    return refused and any(
        parameter.location == "header" and not _TOKEN.fullmatch(parameter.name)
        for parameter in endpoint.parameters
    )


def _trouble(
    cause: Cause, answer: Answer, exchange: Exchange, control: Exchange | None
) -> Trouble | None:
    if answer.status >= 400 and answer.size and same_answer(exchange, control):
        return "route"
    if answer.status in {404, 410} and cause != "missing-parameter":
        if cause == "missing-path" or route_missing(error_text(answer), strict=True):
            return "route"
        return "object"
    refused = 400 <= answer.status < 500 and cause == "abnormal-response"
    if answer.status in {406, 415} or refused:
        return "form"
    if answer.status < 400 and answer.kind == "html":
        return "route" if same_answer(exchange, control) else "page"
    return _CAUSES.get(cause)


def same_answer(one: Exchange, other: Exchange | None) -> bool:
    """Tell whether two answers are the same but for the addresses and numbers in them."""
    if other is None or one.response is None or other.response is None:
        return False
    if one.response.status != other.response.status:
        return False
    return _bare(one) == _bare(other)


def _bare(exchange: Exchange) -> str:
    body = exchange.response.body[:20_000] if exchange.response else ""
    parts = split_address(exchange.request.url)
    path = parts.path.rstrip("/")
    tail = f"{path}?{parts.query}" if parts.query else path
    bare = path.lstrip("/")
    last = path.rpartition("/")[2]
    for shown in (exchange.request.url, tail, path, unquote(path), bare, unquote(bare), last):
        if len(shown) > 1:
            body = body.replace(shown, "")
    return _NUMBERS.sub("0", body).strip()


def _media(text: str) -> Iterator[str]:
    for found in _MEDIA.finditer(text):
        yield found.group(0).lower()


def _meant(text: str) -> Iterator[str]:
    for found in _MEANT.finditer(text[:2000]):
        yield found.group("word").rstrip(".:")
