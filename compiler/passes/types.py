"""Types of parameters, and values brought into them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from doc2tools.compiler.ir.base import JsonValue, Location, ValueType
from doc2tools.compiler.ir.draft import ParameterDraft
from doc2tools.compiler.ir.spec import Example

Style = Literal["repeat", "comma", "space", "pipe"]

_INTEGER = re.compile(r"[+-]?(?:0|[1-9]\d{0,17})")
_NUMBER = re.compile(r"[+-]?\d{1,17}(?:\.\d{1,17})?(?:[eE][+-]?\d{1,3})?")
_TYPES: dict[type, ValueType] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
}
_TRUTH = {"true": True, "false": False}
_STYLES: tuple[tuple[Style, re.Pattern[str]], ...] = (
    ("comma", re.compile(r"comma|\bCSV\b", re.IGNORECASE)),
    ("pipe", re.compile(r"pipe[- ](?:separated|delimited)|separated by (?:a )?(?:pipe|\|)", re.I)),
    ("space", re.compile(r"space[- ](?:separated|delimited)|separated by (?:a )?space", re.I)),
)


def infer_type(
    draft: ParameterDraft, name: str, place: Location, examples: Sequence[JsonValue]
) -> tuple[ValueType, ValueType | None]:
    """Give a parameter's type and that of its items, from what is stated, else from its values."""
    item_type = draft.item_type
    if draft.type is not None and draft.type.value != "any":
        return draft.type.value, item_type
    if name.endswith("[]"):
        return "array", item_type or "string"
    if draft.fields:
        return "object", item_type
    values = list(examples)
    values.extend(draft.enum.value if draft.enum else ())
    if draft.default is not None and draft.default.value is not None:
        values.append(draft.default.value)
    return _common({_type_of(value) for value in values}, place), item_type


def _common(kinds: set[ValueType], place: Location) -> ValueType:
    if len(kinds) == 1:
        return next(iter(kinds))
    if not kinds:
        return "string" if place in {"path", "header", "cookie"} else "any"
    if kinds == {"integer", "number"}:
        return "number"
    return "any" if kinds & {"object", "array"} else "string"


def _type_of(value: JsonValue) -> ValueType:
    kind: ValueType = "string"
    if isinstance(value, str):
        text = value.strip()
        if _INTEGER.fullmatch(text):
            kind = "integer"
        elif text.lower() in _TRUTH:
            kind = "boolean"
        elif "." in text and _NUMBER.fullmatch(text):
            kind = "number"
    else:
        kind = _TYPES.get(type(value), "string")
    return kind


def coerce(value: JsonValue, kind: ValueType) -> JsonValue:
    """Give `value` in type `kind`, or `None` where it is none of that type."""
    if kind in {"string", "file"}:
        return _text(value)
    if kind == "boolean":
        return value if isinstance(value, bool) else _TRUTH.get(str(value).strip().lower())
    if kind in {"integer", "number"}:
        return _number(value, kind)
    return value


def _text(value: JsonValue) -> JsonValue:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else value


def _number(value: JsonValue, kind: ValueType) -> JsonValue:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value).strip()
    if _INTEGER.fullmatch(text):
        return int(text)
    if kind == "integer" or not _NUMBER.fullmatch(text):
        return None
    return float(text)


def array_style(name: str, kind: ValueType, description: str, examples: Sequence[Example]) -> Style:
    """Tell how an array goes into a query: repeated, or joined as description and samples say."""
    if kind != "array" or name.endswith("[]"):
        return "repeat"
    for style, pattern in _STYLES:
        if pattern.search(description[:1000]):
            return style
    texts = [example.value for example in examples if isinstance(example.value, str)]
    if texts and all("," in text for text in texts):
        return "comma"
    return "repeat"
