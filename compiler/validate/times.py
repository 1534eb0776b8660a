"""Moments: documented time windows, moved to the server's own time.

A sample's window of years ago holds no data on the server at hand. The server's clock, as it states
it in `Date`, says when its data is from.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Exchange
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.param_db.naming import words
from doc2tools.param_db.values import Value

__all__ = ["NOW", "clock", "is_moment", "moved_to"]

NOW = "@now"
"""The resource under which the server's clock is stored: no path segment folds to it."""

_WINDOW = timedelta(hours=1)
_MOMENT = re.compile(
    r"(?P<date>\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?"
    r"(?:Z|[+-]\d{2}:?\d{2})?)?"
)
_SECONDS = re.compile(r"1[0-9]{9}(\.\d{1,6})?")
_MILLISECONDS = re.compile(r"1[0-9]{12}")
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
