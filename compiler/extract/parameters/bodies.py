"""Body parameters from JSON shown on the page, and values from the request samples."""

from __future__ import annotations

import json
import re
from typing import Final

from doc2tools.compiler.extract.parameters.mention import SEEN, SHOWN, Mention
from doc2tools.compiler.extract.parameters.naming import is_identifier
from doc2tools.compiler.extract.parameters.types import read_type
from doc2tools.compiler.ir.base import JsonValue, ValueType
from doc2tools.compiler.ir.source import Span

_MAX_JSON: Final = 50_000
_COMMENT: Final = re.compile(r"(?m)(?<=[\s,{\[])(?://|#)[^\n]{0,500}$")
_TRAILING: Final = re.compile(r",(?=\s{0,200}[}\]])")
_ELLIPSIS: Final = re.compile(r",?\s{0,80}(?:\.\.\.|…)\s{0,80}(?=[,}\]])")
_PLACEHOLDER: Final = re.compile(r":(\s{0,20})<([\w |-]{1,60})>")
_MAX_DEPTH: Final = 6
_DUTY: Final = re.compile(r"\b(?<!not )(required|mandatory|optional)\W{0,4}\Z", re.I)


def parse_json(text: str) -> JsonValue:
    """Read JSON as documentation shows it: comments, trailing commas and ellipses are dropped."""
    text = text.strip()[:_MAX_JSON]
    if text[:1] not in {"{", "["}:
        return None
    for attempt in (text, _cleaned(text)):
        try:
            return json.loads(attempt)
        except (ValueError, RecursionError):
            continue
    return None


def looks_json(text: str) -> bool:
    """Tell whether `text` is a JSON document, whole or cut."""
    return bool(re.match(r"\s{0,200}(?:\{\s{0,200}[\"'}\w.]|\[\s{0,200}[\[{\"'\]\d.-])", text))


def body_mentions(value: JsonValue, span: Span, *, shown: bool) -> list[Mention]:
    """Give the top-level fields of a JSON body as parameters with example values.

    Args:
        value: The parsed body.
        span: Its lines.
        shown: The page presents it as the body's definition, not as one sample.
    """
    if not isinstance(value, dict):
        return []
    return [
        _field(name, inner, span, SHOWN if shown else SEEN, 0)
        for name, inner in list(value.items())[:200]
        if is_identifier(name)
    ]


def json_type(value: JsonValue) -> ValueType | None:
    """Give the type of a JSON value; `None` for null."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "string"
    if isinstance(value, list):
        return "array"
    return "object" if isinstance(value, dict) else None


def _field(name: str, value: JsonValue, span: Span, confidence: float, depth: int) -> Mention:
    mention = Mention(name, span, "json-body", confidence, "body")
    mention.type = json_type(value)
    if isinstance(value, dict) and depth < _MAX_DEPTH:
        mention.children = [
            _field(key, inner, span, confidence, depth + 1)
            for key, inner in list(value.items())[:100]
            if is_identifier(key)
        ]
    elif isinstance(value, list) and value:
        mention.item_type = json_type(value[0])
        first = value[0]
        if isinstance(first, dict) and depth < _MAX_DEPTH:
            mention.children = [
                _field(key, inner, span, confidence, depth + 1)
                for key, inner in list(first.items())[:100]
                if is_identifier(key)
            ]
    if isinstance(value, str) and confidence >= SHOWN and len(value) <= 120:
        duty = _DUTY.search(value)
        if duty:
            mention.required, mention.marked = duty.group(1).lower() != "optional", True
            mention.take_type(read_type(value[: duty.start()].strip(" ,;(")))
            mention.description = value
            return mention
    if isinstance(value, str):
        typing = read_type(value.strip("<>{}"))
        if typing.pure and typing.type and value.strip("<>{}").lower() == value.strip("<>{}"):
            mention.take_type(typing)
            mention.type, mention.item_type = typing.type, typing.item_type
            mention.enum = typing.enum
            return mention
    if value is not None and not (isinstance(value, str) and value.startswith(("<", "{", "..."))):
        mention.literals = (value,)
    return mention


def _cleaned(text: str) -> str:
    text = _COMMENT.sub("", text)
    text = _ELLIPSIS.sub("", text)
    text = _PLACEHOLDER.sub(r':\1"<\2>"', text)
    return _TRAILING.sub("", text)
