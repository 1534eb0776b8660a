"""Whether a value can stand for a parameter, by type, enum, format, pattern and bounds."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated

from pydantic import PydanticUserError, StringConstraints, TypeAdapter, ValidationError
from pydantic_core import SchemaError

from doc2tools.compiler.ir.base import JsonValue, ValueType
from doc2tools.compiler.ir.spec import Parameter

__all__ = ["Scalar", "fits", "shaped"]

_MAX_PATTERN = 500

Scalar = str | int | float | bool

_INTEGER = re.compile(r"[+-]?\d{1,18}")
_NUMBER = re.compile(r"[+-]?\d{1,18}(\.\d{1,18})?([eE][+-]?\d{1,3})?")
_FORMATS = {
    "uuid": re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    "date": re.compile(r"\d{4}-\d{2}-\d{2}"),
    "date-time": re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.{0,30}"),
    "uri": re.compile(r"[a-z][a-z0-9+.-]{1,20}:\S{1,2000}", re.IGNORECASE),
    "url": re.compile(r"https?://\S{1,2000}", re.IGNORECASE),
    "ipv4": re.compile(r"\d{1,3}(\.\d{1,3}){3}"),
}


def shaped(value: JsonValue, parameter: Parameter) -> JsonValue:
    """Turn `value` into what the parameter's type asks for, where that loses nothing."""
    if parameter.type == "array":
        items = value if isinstance(value, list) else _split(value, parameter)
        return [_scalar(item, parameter.item_type or "any") for item in items]
    if isinstance(value, list) and all(isinstance(item, str | int | float) for item in value):
        return ",".join(_text(item) for item in value)
    return _scalar(value, parameter.type)


def fits(value: JsonValue, parameter: Parameter) -> bool:
    """Tell whether `value` fits the parameter's type, enum, format, pattern and bounds."""
    if parameter.enum and not any(_text(value) == _text(choice) for choice in parameter.enum):
        return False
    known = _FORMATS.get(parameter.format)
    if known is not None and not known.fullmatch(_text(value)):
        return False
    if parameter.pattern and not isinstance(value, list | dict):
        stated = _stated(parameter.pattern)
        if stated is not None and not stated(_text(value)):
            return False
    return _TYPES[parameter.type](value) and _within(value, parameter)


@lru_cache(maxsize=512)
def _stated(pattern: str) -> Callable[[str], bool] | None:
    """Give the test for a documented pattern, or `None` for one that can't be read.

    A pattern comes from a page and may be made to take for ever: Pydantic's core looks for it with
    an engine whose time is linear in the text and whose memory is bounded (RE2's algorithm).
    """
    if len(pattern) > _MAX_PATTERN:
        return None
    try:
        checked = TypeAdapter(Annotated[str, StringConstraints(pattern=pattern)])
    except (SchemaError, PydanticUserError):
        return None

    def found(text: str) -> bool:
        try:
            checked.validate_python(text)
        except ValidationError:
            return False
        return True

    return found


def _is_number(value: JsonValue, shape: re.Pattern[str]) -> bool:
    return not isinstance(value, bool) and shape.fullmatch(_text(value)) is not None


def _is_boolean(value: JsonValue) -> bool:
    return isinstance(value, bool) or _text(value).lower() in {"true", "false", "0", "1"}


_TYPES: dict[ValueType, Callable[[JsonValue], bool]] = {
    "integer": lambda value: _is_number(value, _INTEGER),
    "number": lambda value: _is_number(value, _NUMBER),
    "boolean": _is_boolean,
    "object": lambda value: isinstance(value, dict),
    "file": lambda _: False,
    "string": lambda value: value is not None and not isinstance(value, dict),
    "array": lambda value: value is not None and not isinstance(value, dict),
    "any": lambda value: value is not None,
}


def _within(value: JsonValue, parameter: Parameter) -> bool:
    low, high = parameter.minimum, parameter.maximum
    if (low is None and high is None) or not _is_number(value, _NUMBER):
        return True
    number = float(_text(value))
    return (low is None or number >= low) and (high is None or number <= high)


def _scalar(value: JsonValue, kind: str) -> JsonValue:
    if not isinstance(value, str):
        if kind == "string" and isinstance(value, bool | int | float):
            return _text(value)
        return value
    text = value.strip()
    if kind == "integer" and _INTEGER.fullmatch(text):
        return int(text)
    if kind == "number" and _NUMBER.fullmatch(text):
        return float(text) if set(text) & set(".eE") else int(text)
    if kind == "boolean" and text.lower() in {"true", "false", "0", "1"}:
        return text.lower() in {"true", "1"}
    return value


def _split(value: JsonValue, parameter: Parameter) -> list[JsonValue]:
    separator = {"comma": ",", "space": " ", "pipe": "|"}.get(parameter.style)
    if isinstance(value, str) and separator and separator in value:
        return [part.strip() for part in value.split(separator) if part.strip()]
    return [value]


def _text(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
