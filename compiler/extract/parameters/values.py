"""Literal values in documentation text: numbers, words, and lists of choices."""

# ruff: noqa: RUF001 - the typographic marks and letters are what documentation holds

from __future__ import annotations

import re
from typing import Final

from doc2tools.compiler.extract.parameters.vocabulary import word_set
from doc2tools.compiler.ir.base import JsonValue, ValueType

_INTEGER: Final = re.compile(r"[+-]?\d{1,18}\Z")
_GROUPED: Final = re.compile(r"[+-]?\d{1,3}(?:,\d{3}){1,5}\Z")
_NUMBER: Final = re.compile(
    r"[+-]?(?:\d{1,18}\.\d{1,18}|\.\d{1,18}|\d{1,18}(?:\.\d{1,18})?[eE][+-]?\d{1,3})\Z"
)
_BOOLEANS: Final = {"true": True, "false": False}
_NOTHING: Final = word_set(
    """null none nil n/a na - -- – — undefined empty unset nothing not_set no_default keine
    aucun ninguno нет 无 なし"""
)
_QUOTES: Final = "'\"`‘’“”«»„"
_SEPARATOR: Final = re.compile(
    r"\s{0,20}(?:,\s{0,20}(?:and|or|und|oder|et|ou|y|o|и|или|e|&)\s+|[,;|/、，]|\s(?:and|or|und|oder|"
    r"ou|или|または|或)\s)\s{0,20}"
)


def unquote(text: str) -> str:
    """Take the quotes and the spaces off the ends of `text`."""
    return text.strip().strip(_QUOTES).strip()


def is_nothing(text: str) -> bool:
    """Tell whether a cell says that there is no value."""
    return not text.strip() or unquote(text).lower() in _NOTHING


def literal(text: str, kind: ValueType | None = None) -> JsonValue:
    """Give the value that `text` stands for, as a parameter of type `kind` has it."""
    text = unquote(text)
    if kind in {"string", "file"}:
        return text
    if kind == "boolean":
        return int(text) if text in {"0", "1"} else _BOOLEANS.get(text.lower(), text)
    return _numeric(text) if kind in {"integer", "number"} else text


def _numeric(text: str) -> JsonValue:
    if _INTEGER.match(text):
        return int(text)
    if _GROUPED.match(text):
        return int(text.replace(",", ""))
    return float(text) if _NUMBER.match(text) else text


def fits(value: JsonValue, kind: ValueType | None) -> bool:
    """Tell whether `value` can be a value of type `kind`."""
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind == "boolean":
        return isinstance(value, bool) or value in (0, 1, "0", "1")
    return True


def number(text: str) -> float | None:
    """Read a number with a sign, a fraction or thousands' commas."""
    text = text.strip().rstrip(".")
    if _GROUPED.match(text):
        text = text.replace(",", "")
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e18 else None


def choices(text: str) -> list[str]:
    """Split `a, b or c` and `a|b|c` into its values, quotes taken off, each value once."""
    found: dict[str, None] = {}
    for part in _SEPARATOR.split(text[:2000]):
        value = unquote(part or "")
        if value:
            found.setdefault(value)
    return list(found)
