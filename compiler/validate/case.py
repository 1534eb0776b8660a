"""One call to be judged: the endpoint, what the parent recorded, and what follows from both."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal
from urllib.parse import parse_qsl, unquote

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Exchange, Response, ToolRun
from doc2tools.compiler.ir.outcome import Cause, Verdict, VerdictKind
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.passes.splitting import split_address
from doc2tools.compiler.validate.answer import Answer, read_answer
from doc2tools.compiler.validate.messages import Complaint, complaint, error_text
from doc2tools.compiler.validate.promises import Promises, promises

__all__ = ["Case", "Judgement", "Rule", "error", "information"]

Retry = Literal["values", "later", "advice", "never"]
_PLACEHOLDER = re.compile(r"\{([^{}]{0,200})\}")


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict and what the runner may do with it.

    Attributes:
        rule: The rule that decided.
        tentative: Good if nothing better comes: other values may give a fuller answer.
        retry: Whether other values can help, those of the next wave sooner, only what the message
            asks for, or nothing.
        complaint: The parameter that the answer names.
    """

    verdict: Verdict
    rule: str = ""
    tentative: bool = False
    retry: Retry = "values"
    complaint: Complaint | None = None


@dataclass(frozen=True)
class Case:
    """A call and its endpoint; derived facts are computed when a rule asks for them.

    Attributes:
        control: What the server answered at an address that does not exist.
        proved: All arguments were seen in the server's own answers, so that they exist.
    """

    endpoint: Endpoint
    run: ToolRun
    control: Exchange | None = None
    proved: bool = False

    @cached_property
    def exchange(self) -> Exchange | None:
        """The last exchange: the end of the redirects."""
        return self.run.exchanges[-1] if self.run.exchanges else None

    @property
    def response(self) -> Response | None:
        """The last answer, if one came."""
        return self.exchange.response if self.exchange else None

    @cached_property
    def answer(self) -> Answer:
        """The last answer, parsed; an empty one of status 0 if none came."""
        if self.response is None:
            return Answer(0, "", "empty", "", 0)
        return read_answer(self.response)

    @cached_property
    def text(self) -> str:
        """What an error answer says."""
        return error_text(self.answer)

    @cached_property
    def promises(self) -> Promises:
        """What the documentation promises."""
        return promises(self.endpoint)

    @cached_property
    def complaint(self) -> Complaint | None:
        """The parameter that an error answer names."""
        return complaint(self.answer, self.endpoint)

    @cached_property
    def sent(self) -> dict[str, str]:
        """The arguments of the first request, read back from its address."""
        if not self.run.exchanges:
            return {}
        url = split_address(self.run.exchanges[0].request.url)
        found = dict(parse_qsl(url.query, keep_blank_values=True))
        for name in self.endpoint.fixed_query:
            found.pop(name, None)
        found.update(path_arguments(self.endpoint.path, url.path))
        return found

    @property
    def parametrised(self) -> bool:
        """The call depended on the value of at least one argument."""
        body = self.run.exchanges[0].request.body if self.run.exchanges else ""
        return bool(self.sent) or bool(body)

    @property
    def in_path(self) -> bool:
        """The path holds at least one placeholder."""
        return "{" in self.endpoint.path

    @property
    def evidence(self) -> tuple[str, ...]:
        """Status, content type and size of the last answer."""
        if self.response is None:
            return ()
        media = self.response.content_type or "no content type"
        request = self.run.exchanges[-1].request
        return (
            f"{request.method} {request.url} answered {self.response.status}",
            f"{media}, {self.answer.kind}, {self.answer.size} bytes",
        )


Rule = Callable[[Case], Judgement | None]
"""Judges a case, or leaves it to the rules after it."""


def path_arguments(template: str, path: str) -> dict[str, str]:
    """Read a template's arguments back from a concrete path that ends like it."""
    pattern = ""
    names: list[str] = []
    position = 0
    for found in _PLACEHOLDER.finditer(template):
        pattern += re.escape(template[position : found.start()]) + "([^/]{0,2000})"
        names.append(found.group(1))
        position = found.end()
    if not names or len(names) > 12:
        return {}
    pattern += re.escape(template[position:]) + "$"
    match = re.search(pattern, path) or re.search(pattern, unquote(path))
    if match is None:
        return dict.fromkeys(names, "")
    return {name: unquote(value) for name, value in zip(names, match.groups(), strict=True)}


def information(case: Case, rule: str, *evidence: str, tentative: bool = False) -> Judgement:
    """Judge that the call gave what was asked for."""
    verdict = Verdict(
        verdict="information",
        cause="ok",
        message=evidence[0] if evidence else "The call gave information.",
        evidence=(*case.evidence, *evidence),
    )
    return Judgement(verdict, rule, tentative=tentative)


def error(
    case: Case,
    rule: str,
    cause: Cause,
    message: str,
    *evidence: str,
    kind: VerdictKind = "request_error",
    retry: Retry = "values",
    said: bool = True,
) -> Judgement:
    """Judge that the call failed; quotes what the answer says where `said`."""
    lines = (*case.evidence, *evidence)
    quote = " ".join(case.text.split())[:200] if said and case.response is not None else ""
    if quote:
        lines = (*lines, f"the answer says: {quote}")
    verdict = Verdict(verdict=kind, cause=cause, message=message, evidence=lines)
    return Judgement(verdict, rule, retry=retry, complaint=case.complaint if quote else None)


def scalar_text(value: JsonValue) -> str:
    """Give a scalar as it would stand in an address."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)
