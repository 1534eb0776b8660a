"""Rules on the status of an answer: RFC 9110's families, and what the body adds to them."""

from __future__ import annotations

import re

from doc2tools.compiler.ir.outcome import Cause
from doc2tools.compiler.validate.case import Case, Judgement, Rule, error, information
from doc2tools.compiler.validate.messages import route_missing, says_login, says_not_found
from doc2tools.compiler.validate.promises import status_parameter

__all__ = ["STATUS_RULES"]

_ACCEPT = re.compile(r"\baccept\b[`'\"]?(?: request)? header", re.IGNORECASE)
_NO_OBJECT = re.compile(
    r"\bno such (?!route|handler|endpoint|page|url|path|action|method|api)[a-z]{3,30}\b|"
    r"\b(?!route|page|url|path|endpoint|resource|handler|action|method|requested)([a-z]{3,30}) "
    r"(?:was |is |could )?not (?:be )?(?:found|specified|given|provided)\b",
    re.IGNORECASE,
)


def _rate_words(text: str) -> bool:
    lowered = text[:2000].lower()
    words = ("rate limit", "too many requests", "quota", "throttl", "ratelimit", "try again later")
    return any(word in lowered for word in words)


def chosen_status(case: Case) -> Judgement | None:
    """An endpoint whose purpose is to answer with the status that the caller chose."""
    name = status_parameter(case.endpoint)
    if not name or case.response is None or not case.run.exchanges:
        return None
    wanted = case.sent.get(name, "")
    first = case.run.exchanges[0].response
    if first is None or wanted != str(first.status):
        return None
    evidence = f"the answer's status is the chosen one, {wanted}"
    return information(case, "chosen-status", evidence, tentative=first.status >= 300)


def unauthorised(case: Case) -> Judgement | None:
    """401, 403, 407 and their like."""
    if case.answer.status not in {401, 402, 403, 407, 451, 511}:
        return None
    if case.answer.status == 403 and _rate_words(case.text):
        return error(case, "rate-limited", "rate-limited", "The server limits the rate of calls.")
    what = {401: "asks for credentials", 402: "asks for payment"}.get(
        case.answer.status, "refuses access"
    )
    message = f"The server {what} (status {case.answer.status})."
    return error(case, "unauthorised", "unauthorised", message, retry="never")


def rate_limited(case: Case) -> Judgement | None:
    """429, or 503 that says so."""
    limited = case.answer.status == 429
    if case.answer.status == 503 and case.response is not None:
        limited = "retry-after" in case.response.headers and _rate_words(case.text)
    if not limited:
        return None
    message = "The server limits the rate of calls."
    return error(case, "rate-limited", "rate-limited", message, retry="never")


def method_refused(case: Case) -> Judgement | None:
    """405 and 501."""
    if case.answer.status not in {405, 501}:
        return None
    allowed = case.response.headers.get("allow", "") if case.response else ""
    hint = f"; it allows {allowed[:80]}" if allowed else ""
    message = f"The server does not take {case.endpoint.method} at this address{hint}."
    return error(case, "method-refused", "method-not-allowed", message, retry="never")


def route_not_there(case: Case) -> Judgement | None:
    """404 and 410 in the words that frameworks use for a route they do not have."""
    if case.answer.status not in {404, 410}:
        return None
    words = route_missing(case.text, strict=True)
    if not words:
        return None
    message = "The server has no such route."
    evidence = f"route-missing text: {words[:120]}"
    return error(case, "route-missing", "missing-path", message, evidence, retry="never")


def object_not_there(case: Case) -> Judgement | None:
    """404 and 410 for an object that does not exist."""
    if case.answer.status not in {404, 410}:
        return None
    named = case.complaint
    if named is not None and named.known and named.missing:
        message = f"The answer asks for the parameter {named.parameter}."
        return error(case, "missing-parameter", "missing-parameter", message)
    if case.in_path:
        message = "Nothing is there under these path values."
        return error(case, "object-missing", "wrong-parameter-value", message)
    if case.sent and _structured(case):
        message = "Nothing was found for these values."
        return error(case, "nothing-found", "wrong-parameter-value", message)
    return None


def not_found(case: Case) -> Judgement | None:
    """404 and 410 of an address without values."""
    if case.answer.status not in {404, 410}:
        return None
    if says_not_found(case.text) and _structured(case) and _optional(case):
        message = "The answer says that something is missing; it may want a parameter."
        return error(case, "not-found-without-values", "missing-parameter", message)
    if _unsent(case) and case.answer.kind == "text" and _names_object(case):
        message = "The answer says that an object is missing; it may want a parameter."
        return error(case, "object-not-named", "missing-parameter", message)
    message = f"The server has nothing at this address (status {case.answer.status})."
    retry = "values" if _unsent(case) or len(case.run.exchanges) > 1 else "never"
    return error(case, "nothing-there", "missing-path", message, retry=retry)


def _unsent(case: Case) -> bool:
    return any(p.location == "query" and p.name not in case.sent for p in case.endpoint.parameters)


def _names_object(case: Case) -> bool:
    """Tell whether a short plain text says that an object, and not a route, is missing."""
    text = case.text.strip()
    return len(text) < 200 and bool(_NO_OBJECT.search(text))


def _structured(case: Case) -> bool:
    return case.answer.kind in {"json", "xml"} and not route_missing(case.text, strict=False)


def _optional(case: Case) -> bool:
    return any(parameter.location == "query" for parameter in case.endpoint.parameters)


def not_acceptable(case: Case) -> Judgement | None:
    """406, 415, and 400 for the `Accept` header: the form of the answer; 408: the server gave up.

    No value helps against it, but what is repaired later needs values that are known to exist.
    """
    status = case.answer.status
    if status == 408:
        return error(case, "request-timeout", "timeout", "The server gave up waiting.")
    if status not in {406, 415} and not (status == 400 and _ACCEPT.search(case.text[:500])):
        return None
    message = f"The server cannot answer in the form that was asked for (status {status})."
    retry = "never" if case.proved or not case.parametrised else "later"
    return error(case, "not-acceptable", "abnormal-response", message, retry=retry)


def key_wanted(case: Case) -> Judgement | None:
    """400 that asks for an API key."""
    login = says_login(case.text) if case.answer.status in {400, 412, 422} else ""
    if "key" not in login.lower() and "token" not in login.lower():
        return None
    message = "The server asks for a key or credentials."
    return error(case, "key-wanted", "unauthorised", message, login, retry="never")


def client_error(case: Case) -> Judgement | None:
    """400, 422 and the rest of the 4xx family."""
    if not 400 <= case.answer.status < 500:
        return None
    status = case.answer.status
    named = case.complaint
    if named is not None:
        cause: Cause = "missing-parameter" if named.missing else "wrong-parameter-value"
        verb = "is missing" if named.missing else "has a wrong value"
        message = f"The answer says that the parameter {named.parameter} {verb}."
        return error(case, "parameter-named", cause, message, f"it says: {named.quote}")
    if case.parametrised:
        message = f"The server refuses the values (status {status})."
        return error(case, "values-refused", "wrong-parameter-value", message)
    message = f"The server refuses a call without parameters (status {status})."
    return error(case, "values-wanted", "missing-parameter", message)


def server_error(case: Case) -> Judgement | None:
    """The 5xx family."""
    if case.answer.status < 500:
        return None
    message = f"The server failed (status {case.answer.status})."
    return error(case, "server-error", "server-fault", message, kind="server_error")


def informational(case: Case) -> Judgement | None:
    """A last status below 200, or none."""
    if case.answer.status >= 200:
        return None
    message = f"The server sent no final answer (status {case.answer.status})."
    return error(case, "no-final-answer", "abnormal-response", message)


STATUS_RULES: tuple[Rule, ...] = (
    informational,
    unauthorised,
    rate_limited,
    method_refused,
    route_not_there,
    object_not_there,
    not_found,
    not_acceptable,
    key_wanted,
    client_error,
    server_error,
)
"""Those for answers outside 2xx; `chosen_status` goes before everything."""
