"""Reads error messages: which parameter they name, what they allow, what is not there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.validate.answer import Answer, visible_text, walk
from doc2tools.param_db.naming import fold

__all__ = ["Complaint", "complaint", "error_text", "route_missing", "says_login", "says_not_found"]

_NAME = r"[`'\"\[(]{0,2}(?P<name>[A-Za-z][\w.\-]{0,60}(?:\[\])?)[`'\"\])]{0,2}"
_NOUN = r"(?:query |path |url |form |body |header |request |get |required |mandatory )*"
_KIND = r"(?:parameters?|params?|args?|arguments?|fields?|propert(?:y|ies)|keys?|headers?|values?)"
_MISSING = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"missing {_NOUN}(?:{_KIND}[:\s]+)?{_NAME}",
        rf"{_NAME} {_NOUN}(?:{_KIND} )?(?:is|are|was) (?:required|missing|mandatory|not provided)",
        rf"{_NAME} (?:{_KIND} )?(?:must be|has to be|should be|not) "
        r"(?:provided|specified|supplied|set|given)",
        rf"{_NAME} (?:can ?not|can't|must not|may not|should not) be (?:blank|empty|null|missing)",
        rf"(?:provide|specify|supply|requires?)(?: an?| the)? {_NOUN}(?:{_KIND}[:\s]+)?{_NAME}",
        rf"{_NAME}[:\s]+(?:this )?(?:field )?(?:is )?required\b",
        rf"no {_NAME} (?:was |were )?(?:provided|specified|supplied|given)",
    )
)
_WRONG = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"invalid (?:value )?(?:for )?(?:the )?{_NOUN}(?:{_KIND}[:\s]+)?{_NAME}",
        rf"{_NAME} {_NOUN}(?:{_KIND} )?(?:is|was) (?:invalid|not valid|malformed|incorrect|wrong)",
        rf"(?:can ?not|can't|could not|failed to|unable to) (?:parse|convert|read) {_NOUN}{_NAME}",
        rf"{_NAME} (?:must|should|has to) (?:be|contain|match)\b",
        rf"(?:bad|unknown|unsupported|illegal|unexpected) {_NOUN}(?:value for )?{_NAME}",
        rf"{_KIND}[:\s]+{_NAME} (?:is|was|must|should|has)",
    )
)
_CHOICES = re.compile(
    r"(?:must be|should be|expected|allowed values(?: are)?|valid values(?: are)?|supported values"
    r"(?: are)?|permitted|choose from|possible values(?: are)?|allowed|options(?: are)?)"
    r"(?: either| one of| in| any of)*[:\s]*[\[({]?(?P<list>[^\].)}\n]{1,300})",
    re.IGNORECASE,
)
_CHOICE = re.compile(r"[\w./+-]{1,60}")
_MESSAGE_KEYS = frozenset(
    {
        *("message", "error", "errors", "detail", "details", "title", "reason", "description"),
        *("error_description", "error_message", "errormessage", "msg", "status", "fault", "cause"),
        *("faultstring", "reasonphrase", "exception", "type", "code", "title", "hint", "info"),
    }
)
_NOT_FOUND = re.compile(
    r"\bnot[ _-]?found\b|\bno (?:such|matching|results?|records?|data|items?|entry|objects?|rows?)"
    r"\b|does(?: not|n't) exist|could not be found|cannot be found|can't find|unknown \w+|"
    r"no \w+ (?:was |were )?found|\bnonexistent\b|not exist",
    re.IGNORECASE,
)
_NO_ROUTE = re.compile(
    r"^404 page not found$|cannot (?:get|head|post|put|delete|patch) /|no such handler|"
    r"no (?:route|handler|endpoint|action|controller|mapping) (?:was )?"
    r"(?:found|matches|matched|defined|exists|registered)|route (?:[\w/.:'\"-]{1,200} )?not found|"
    r"no static resource|unknown (?:route|endpoint|request url)|unrecognized request url|"
    r"endpoint (?:[\w/.:'\"-]{1,200} )?(?:is |was )?(?:not found|unknown|does(?: not|n't) exist)|"
    r"no http resource was found|no matching route",
    re.IGNORECASE,
)
_NO_PAGE = re.compile(
    r"requested (?:url|page|resource|path|route)\b|invalid (?:url|path|route|endpoint)\b|"
    r"(?:path|url|page|method|action|resource) (?:[\w/.:'\"-]{1,200} )?(?:is |was )?"
    r"(?:not found|unknown|does(?: not|n't) exist)|^(?:404 )?(?:error:? )?not found\.?$|"
    r"the page you (?:were|are) looking for|this page (?:could not|can't|cannot) be found",
    re.IGNORECASE,
)
_LOGIN = re.compile(
    r"\b(?:sign|log)[ -]?in\b|\bauthenticat|\bunauthori[sz]ed\b|\bforbidden\b|access denied|"
    r"(?:invalid|missing|no|wrong|bad|required) (?:api[ _-]?key|token|credential|access key|"
    r"authori[sz]ation)|api[ _-]?key (?:is )?(?:required|missing|invalid)|permission",
    re.IGNORECASE,
)
_STOP_NAMES = frozenset(
    {
        *("the", "a", "an", "this", "that", "parameter", "param", "value", "field", "is", "it"),
        *("request", "required", "query", "must", "for", "of", "to", "and", "or", "in", "not"),
        *("argument", "parameters", "missing", "invalid", "be", "one", "header", "body", "type"),
        *("error", "data", "format", "input", "valid", "at", "least", "with", "you", "please"),
    }
)


@dataclass(frozen=True, slots=True)
class Complaint:
    """What an error message says about a parameter.

    Attributes:
        parameter: Its wire name as the endpoint knows it, or as the message spells it.
        known: The endpoint has such a parameter.
        missing: It was left out (else: its value is wrong).
        choices: Values that the message allows.
        quote: The words that say so.
    """

    parameter: str
    known: bool
    missing: bool
    choices: tuple[str, ...] = ()
    quote: str = ""


def error_text(answer: Answer) -> str:
    """Give what an answer says in words: its message fields, or its visible text."""
    if answer.kind in {"json", "json-lines", "xml"}:
        return "; ".join(_messages(answer.payload))[:4000] or answer.text[:2000]
    return visible_text(answer)[:4000]


def _messages(payload: JsonValue) -> Iterator[str]:
    located: list[str] = []
    for key, value in walk(payload, limit=400):
        folded = key.lower()
        if isinstance(value, dict) and isinstance(value.get("loc"), list):
            located.append(_located(value))
        elif isinstance(value, str) and value.strip() and (folded in _MESSAGE_KEYS or not key):
            yield value.strip()[:600]
        elif isinstance(value, dict) and folded in {"errors", "error", "fields", "details"}:
            for name, text in list(value.items())[:20]:
                first = text[0] if isinstance(text, list) and text else text
                if isinstance(first, str):
                    yield f"{name} {first[:300]}"
    yield from located


def _located(value: dict[str, JsonValue]) -> str:
    """Read FastAPI's `{"loc": ["query", "name"], "msg": "Field required"}`."""
    place = value.get("loc")
    name = str(place[-1]) if isinstance(place, list) and place else ""
    message = value.get("msg")
    if isinstance(message, str) and "required" in message.lower():
        return f"{name} is required"
    return f"invalid parameter {name}: {message}"


def complaint(answer: Answer, endpoint: Endpoint) -> Complaint | None:
    """Find the parameter that an error answer names, if it names one."""
    text = error_text(answer)
    known = {fold(parameter.name): parameter.name for parameter in endpoint.parameters}
    fallback: Complaint | None = None
    for missing, patterns in ((True, _MISSING), (False, _WRONG)):
        for pattern in patterns:
            for found in pattern.finditer(text[:2000]):
                name = found.group("name").rstrip(".-")
                quote = " ".join(found.group(0).split())[:160]
                choices = _choices(text[found.start() : found.start() + 500])
                if fold(name) in known:
                    return Complaint(known[fold(name)], True, missing, choices, quote)
                if fallback is None and name.lower() not in _STOP_NAMES and _quoted(found):
                    fallback = Complaint(name, False, missing, choices, quote)
    return fallback


def _quoted(found: re.Match[str]) -> bool:
    start = found.start("name")
    before = found.string[start - 1] if start else ""
    return before in "`'\"["


def _choices(text: str) -> tuple[str, ...]:
    found = _CHOICES.search(text)
    if found is None:
        return ()
    words = re.split(r"\s*(?:,|\||;|\bor\b|\band\b)\s*", found.group("list"))
    cleaned = [word.strip(" `'\"") for word in words]
    choices = [word for word in cleaned if _CHOICE.fullmatch(word)]
    return tuple(choices[:20]) if len(choices) >= 2 and len(choices) == len(cleaned) else ()


def says_not_found(text: str) -> str:
    """Give the words that say an object is not there, or ""."""
    found = _NOT_FOUND.search(text[:2000])
    return found.group(0) if found else ""


def route_missing(text: str, *, strict: bool) -> str:
    """Give the words by which a server says that it has no such route, or "".

    Where `strict`, only words that frameworks use for routes and never for objects count.
    """
    head = text[:1000].strip()
    found = _NO_ROUTE.search(head) or (None if strict else _NO_PAGE.search(head))
    return found.group(0) if found else ""


def says_login(text: str) -> str:
    """Give the words that ask for credentials, or ""."""
    found = _LOGIN.search(text[:2000])
    return found.group(0) if found else ""
