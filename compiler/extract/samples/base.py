"""A request as a sample shows it, whatever tool or language it is written in."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote_plus

from doc2tools.compiler.extract.templates import parse_targets
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.draft import RequestSample
from doc2tools.compiler.ir.source import Span

MAX_CODE = 60_000
"""Characters of one code block that are searched for samples."""

SECRET_HEADERS = frozenset({"authorization", "cookie", "proxy-authorization", "x-api-key"})


@dataclass(frozen=True, slots=True)
class Sample:
    """One request found in a piece of code.

    Attributes:
        method: Upper case; the tool's default where the sample states none.
        stated: The sample states the method, or sends a body that implies it.
        url: As written, variables of the sample filled in where known, else `{variable}`.
        tool: `curl`, `fetch`, `requests`, … for the reason shown to people.
        start: Offset of its first character in the code.
        end: Offset after its last.
        fields: Values by parameter name, from query options, forms and JSON bodies.
        headers: Header name to value, credentials included (dropped in `request_sample`).
        body: The body as written, if it is no form.
    """

    method: str
    stated: bool
    url: str
    tool: str
    start: int
    end: int
    fields: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: str = ""


def looks_like_target(text: str) -> bool:
    """Tell whether a string of a program can be a request's address."""
    if not text or len(text) > 2_000 or "\n" in text.strip():
        return False
    return bool(
        re.match(r"(?:https?:)?//[\w{<\[$.-]", text, re.IGNORECASE)
        or re.match(r"/(?:[\w{<:$.~-]|\Z)", text)
        or re.match(r"[{<$][\w{}<>$. -]{1,60}/[\w{<:$]", text)
        or re.match(r"(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[\w-]{1,63}\.){1,4}[a-z]{2,10})"
                    r"(?::\d{1,5})?(?:/|\Z)", text)
    )  # fmt: skip


def request_sample(sample: Sample, span: Span) -> RequestSample:
    """Turn a sample into the IR's record; a value that is only a placeholder becomes `None`."""
    values: dict[str, JsonValue] = {}
    targets = parse_targets(sample.url)
    for name, value in targets[0].query if targets else ():
        values[name] = None if value is None or value.startswith("{") else value
    values.update(sample.fields)
    headers = {k: v for k, v in sample.headers.items() if k.lower() not in SECRET_HEADERS}
    return RequestSample(
        method=sample.method,
        url=sample.url[:2_000],
        values=values,
        headers=headers,
        body=sample.body[:20_000],
        spans=(span,),
    )


def body_fields(body: str) -> dict[str, JsonValue]:
    """Give the top-level fields of a JSON or form body; empty where it is neither."""
    text = body.strip()
    if text.startswith("{"):
        try:
            loaded: JsonValue = json.loads(text)
        except (ValueError, RecursionError):
            return {
                match.group(1): None
                for match in re.finditer(r"[\"']([\w.$@-]{1,80})[\"']\s{0,5}:", text[:5_000])
            }
        return loaded if isinstance(loaded, dict) else {}
    if re.match(r"[\w.\[\]$@-]{1,80}=", text):
        pairs = (part.partition("=") for part in text.split("&")[:100])
        return {unquote_plus(name): unquote_plus(value) for name, _, value in pairs if name}
    return {}
