"""What speaks against a pair of parameter and field: type, format, pattern, a count."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from doc2tools.compiler.graph.answers import SeenField
from doc2tools.compiler.graph.surface import FieldSite, ParameterSite
from doc2tools.compiler.ir.spec import Parameter
from doc2tools.compiler.passes.answer_paths import last_key
from doc2tools.param_db.fit import fits, shaped
from doc2tools.param_db.naming import singular, words

__all__ = ["clash_of"]

_MOST_TRIED = 8
_ADDRESSES = frozenset(["uri", "url"])
_TIMES = frozenset(["date", "date-time"])
_URL = re.compile(r"[a-z][a-z0-9+.-]{1,12}://\S+", re.IGNORECASE)
_TIMESTAMP = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}\S{0,40})?")
_REPEATED = re.compile(r"[*+{]")
_COSTLY = ("(", "[[", "--", "&&", "||", "~~")
_LONGEST_PATTERN = 100
_LONGEST_VALUE = 80


def clash_of(site: ParameterSite, one: FieldSite) -> str:
    """Name what speaks against the field's values for a parameter; "" for nothing."""
    if _other_type(site.parameter, one.seen):
        return "type"
    for formats, shape in ((_ADDRESSES, _URL), (_TIMES, _TIMESTAMP)):
        other = one.seen.format in formats or _all(shape, one.seen.samples)
        if other and site.parameter.format not in formats:
            return "format"
    if _is_count(one):
        return "a count"
    tried = one.seen.samples[:_MOST_TRIED]
    if tried and not any(_matches(site.parameter.pattern, str(value)) for value in tried):
        return "pattern"
    return ""


def _other_type(parameter: Parameter, seen: SeenField) -> bool:
    wanted = parameter.item_type if parameter.type == "array" else parameter.type
    if seen.type == "boolean" or wanted == "object":
        return True
    tried = seen.samples[:_MOST_TRIED]
    if not tried:
        return seen.type == "string" and wanted in {"integer", "number"}
    whole = any(isinstance(value, int) for value in seen.samples)
    if seen.type == "number" and wanted in {"string", "integer"} and not whole:
        return True
    return not any(fits(shaped(value, parameter), parameter) for value in tried)


@lru_cache(maxsize=65_536)
def _matches(pattern: str, value: str) -> bool:
    """Tell whether a value may match a documented pattern.

    Patterns come from documentation, so one with a group or more than two repetitions, which could
    take for ever, is not tried: then any value may match.
    """
    costly = len(pattern) > _LONGEST_PATTERN or any(sign in pattern for sign in _COSTLY)
    if not pattern or costly or len(_REPEATED.findall(pattern)) > 2:
        return True
    try:
        return re.search(pattern, value[:_LONGEST_VALUE]) is not None
    except (re.error, OverflowError):
        return True


def _is_count(one: FieldSite) -> bool:
    """Tell a number of things (`items: 15`) from a thing's number."""
    key = last_key(one.seen.path)
    plural = bool(key) and singular(words(key)[-1]) != words(key)[-1] if words(key) else False
    return plural and not one.handle and one.seen.type in {"integer", "number"}


def _all(shape: re.Pattern[str], samples: Iterable[object]) -> bool:
    texts = [value for value in samples if isinstance(value, str)]
    return bool(texts) and all(shape.fullmatch(text[:300]) for text in texts)
