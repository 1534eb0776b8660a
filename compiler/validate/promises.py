"""What the documentation promises of an endpoint's answer, for the rules to compare with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.validate.answer import parse_json, parse_xml
from doc2tools.param_db.naming import fold, placeholders

__all__ = ["Promises", "promises", "status_parameter"]

_HTML_WORDS = re.compile(
    r"\bhtml\b|\b(?:web ?|home)?pages?\b(?! (?:number|size|of results|token|index|limit))|"
    r"\bforms?\b|\bindex file\b|\bbrowser\b|\bweb interface\b|\bdashboard\b|\buser interface\b",
    re.IGNORECASE,
)
_EMPTY_WORDS = re.compile(
    r"\bempty (?:list|array|object|response|body|result|json)|"
    r"returns? (?:nothing|an empty|no content)|"
    r"\b(?:returns?|answers?(?: with)?|responds? with)(?: an?| the)?(?: http)? status(?: code)? "
    r"20[04]\b|"
    r"\bno (?:response )?(?:body|content)\b",
    re.IGNORECASE,
)
_TRAILING_COMMA = re.compile(r",(\s{0,200}[}\]])")
_LINE_COMMENT = re.compile(
    r"^\s{0,80}(?://|#)[^\n]{0,400}$|(?<=[\s,\[{])//[^\n]{0,400}$", re.MULTILINE
)
_ELLIPSIS = re.compile(r",?\s{0,80}(?:\.\.\.|\u2026),?")
_STATUS_NAMES = frozenset(
    {"code", "status", "status_code", "http_code", "http_status", "statuscode"}
)


@dataclass(frozen=True, slots=True)
class Promises:
    """What the documentation says that a good answer looks like.

    Attributes:
        html: A page is a good answer.
        data: JSON or XML is promised.
        examples: The documented answers, parsed where they can be.
        empty: An empty answer is documented.
    """

    html: bool
    data: bool
    examples: tuple[JsonValue, ...]
    empty: bool


@lru_cache(maxsize=2048)
def _parsed(text: str) -> tuple[bool, str]:
    found, _ = parse_json(text)
    if found:
        return True, text
    mended = _TRAILING_COMMA.sub(r"\1", _ELLIPSIS.sub("", _LINE_COMMENT.sub("", text)))
    mended = _TRAILING_COMMA.sub(r"\1", mended)
    found, _ = parse_json(mended)
    return found, mended


def promises(endpoint: Endpoint) -> Promises:
    """Collect what the documentation of `endpoint` promises."""
    examples: list[JsonValue] = []
    shows_html = shows_data = shows_empty = False
    for response in endpoint.responses:
        if response.status is not None and response.status >= 400:
            continue
        text = response.text.strip()[:20_000]
        body = _after_headers(text)
        if not body:
            shows_empty = shows_empty or response.status in {200, 204}
            continue
        if body[0] in "{[":
            found, mended = _parsed(body)
            shows_data = True
            if found:
                value = parse_json(mended)[1]
                examples.append(value)
                shows_empty = shows_empty or value in ([], {}, "")
        elif body[:1] == "<":
            lowered = body[:200].lower()
            if "<html" in lowered or "<!doctype html" in lowered:
                shows_html = True
            else:
                shows_data = True
                value = parse_xml(body)
                if value is not None:
                    examples.append(value)
    types = [media.lower() for media in endpoint.content_types]
    words = " ".join((endpoint.title, endpoint.summary, endpoint.description[:1500]))
    last = endpoint.path.rstrip("/").rpartition("/")[2].lower()
    path_says = last.endswith((".html", ".htm")) or last == "html"
    html = shows_html or path_says or any("html" in media for media in types)
    data = shows_data or bool(endpoint.response_fields)
    data = data or any("json" in media or "xml" in media for media in types)
    if not html and not data:
        html = bool(_HTML_WORDS.search(words))
    empty = shows_empty or bool(_EMPTY_WORDS.search(words))
    return Promises(html=html, data=data, examples=tuple(examples), empty=empty)


def _after_headers(text: str) -> str:
    """Leave out the status line and headers that a sample answer may start with."""
    if not text.startswith("HTTP/"):
        return text
    return text.replace("\r\n", "\n").partition("\n\n")[2].strip()


def status_parameter(endpoint: Endpoint) -> str:
    """Give the parameter by which the caller chooses the status of the answer, or ""."""
    names = placeholders(endpoint.path)
    for name in names:
        head = endpoint.path.partition("{" + name + "}")[0].lower()
        words = f"{endpoint.summary} {endpoint.description[:500]}".lower()
        chosen = "status" in head or "status code" in words or "http code" in words
        if fold(name) in _STATUS_NAMES and chosen and "status" in f"{head} {words} {name}":
            return name
    return ""
