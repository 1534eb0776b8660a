"""Moments: documented time windows, moved to the server's own time.

A sample's window of years ago holds no data on the server at hand. The server's clock, as it states
it in `Date`, says when its data is from.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Literal

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Exchange
from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.param_db.naming import words
from doc2tools.param_db.values import Value, Values

__all__ = ["NOW", "bounds", "clock", "is_moment", "moved_to", "now_of", "written"]

NOW = "@now"
"""The resource under which the server's clock is stored: no path segment folds to it."""

_WINDOW = timedelta(hours=1)
_MOMENT = re.compile(
    r"(?P<date>\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?"
    r"(?:Z|[+-]\d{2}:?\d{2})?)?"
)
_SECONDS = re.compile(r"1[0-9]{9}(\.\d{1,6})?")
_MILLISECONDS = re.compile(r"1[0-9]{12}")
_TIME_WORDS = re.compile(
    r"\b(?:time|date|timestamp|epoch|unix|datetime|iso[ -]?8601|rfc[ -]?3339|yyyy|days?)",
    re.IGNORECASE,
)
_EPOCH = re.compile(r"\b(?:unix|epoch|posix|seconds since|milliseconds since)\b", re.IGNORECASE)
_PATTERN = re.compile(
    r"\b(?:yyyy|mm|dd)(?:[-/.]?(?:yyyy|mm|dd)){1,2}(?![a-z])",
    re.IGNORECASE,
)
_NAMED = frozenset({"date", "time", "timestamp", "datetime", "day"})
_STARTS = frozenset({"start", "from", "since", "after", "begin", "min", "oldest", "gte"})
_ENDS = frozenset({"end", "to", "until", "before", "stop", "till", "max", "latest", "time", "lte"})


def clock(endpoint: Endpoint, exchange: Exchange) -> list[Value]:
    """Give the server's clock as an answer states it, as seconds since 1970."""
    stated = exchange.response.headers.get("date", "") if exchange.response else ""
    try:
        moment = parsedate_to_datetime(stated)
    except (ValueError, TypeError, IndexError, OverflowError):
        return []
    seconds = int(moment.timestamp())
    return [Value(name="now", value=seconds, resource=NOW, endpoint=endpoint.name)]


def is_moment(name: str, value: JsonValue) -> bool:
    """Tell whether a parameter of this name and documented value bounds a time window."""
    text = str(value)
    bound = set(words(name)) & (_STARTS | _ENDS)
    return bool(bound) and any(
        pattern.fullmatch(text) for pattern in (_MOMENT, _SECONDS, _MILLISECONDS)
    )


def moved_to(name: str, value: JsonValue, now: int) -> JsonValue:
    """Give the start or end of the last hour before `now`, written like `value`."""
    moment = datetime.fromtimestamp(now, UTC)
    if set(words(name)) & _STARTS:
        moment -= _WINDOW
    text = str(value)
    if _MOMENT.fullmatch(text):
        written = f"{moment:%Y-%m-%d}" if len(text) == 10 else f"{moment:%Y-%m-%dT%H:%M:%SZ}"
        return written
    seconds = int(moment.timestamp())
    number = seconds * 1000 if _MILLISECONDS.fullmatch(text) else seconds
    return str(number) if isinstance(value, str) else number


def now_of(values: Values) -> int | None:
    """Give the server's clock in seconds since 1970, if an answer stated it."""
    known = values.named(NOW, ("now",), 1)
    now = known[0].value if known else None
    return now if isinstance(now, int) else None


def bounds(parameter: Parameter) -> Literal["start", "end"] | None:
    """Tell which bound of a time window a parameter sets; a moment alone counts as the end."""
    name = set(words(parameter.name))
    spoken = bool(_TIME_WORDS.search(parameter.description[:500]))
    named = bool(name & _NAMED) or name in ({"year"}, {"month"})
    dated = named or parameter.format in {"date", "date-time"}
    if not dated and not (spoken and name & (_STARTS | _ENDS)):
        return None
    return "start" if name & _STARTS else "end"


def written(moment: datetime, parameter: Parameter) -> JsonValue:
    """Write a moment as a parameter's name, type, format and description ask for it."""
    name = words(parameter.name)
    last = name[-1] if name else ""
    number = parameter.type in {"integer", "number"}
    text = parameter.description[:500]
    if last in {"year", "month"} or (last == "day" and number):
        return {"year": moment.year, "month": moment.month}.get(last, moment.day)
    shown = _PATTERN.search(text)
    if shown is not None and not number:
        return _like(shown.group(), moment)
    if number or (_EPOCH.search(text) and parameter.format != "date-time"):
        seconds = int(moment.timestamp())
        return seconds * 1000 if "milli" in text.lower() else seconds
    if parameter.format == "date" or last in {"date", "day"}:
        return f"{moment:%Y-%m-%d}"
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def _like(pattern: str, moment: datetime) -> str:
    parts = {"yyyy": f"{moment:%Y}", "mm": f"{moment:%m}", "dd": f"{moment:%d}"}
    return re.sub(
        "yyyy|mm|dd", lambda found: parts[found.group().lower()], pattern, flags=re.IGNORECASE
    )
