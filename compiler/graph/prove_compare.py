"""Tells whether two answers differ in more than the value that was sent, the time and counters.

A server that answers any value alike, or repeats what it was sent, says nothing about the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import cast
from urllib.parse import quote, quote_plus

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Response
from doc2tools.compiler.validate.answer import read_answer
from doc2tools.param_db.naming import words

__all__ = ["Features", "differ", "features"]

Features = dict[str, str]
"""Leaves of an answer by their place; what was sent is blanked."""

_MAX_LEAVES = 4000
_MAX_TEXT = 200_000
_SENT = "\u241a"
_MOVING = frozenset(
    {
        *("time", "timestamp", "date", "now", "elapsed", "duration", "took", "uptime", "ms"),
        *("seconds", "latency", "nonce", "etag", "trace", "request", "generated", "expires"),
    }
)
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.{0,40}|1[5-9]\d{8}(\d{3})?(\.\d{1,9})?")


def features(response: Response, sent: Iterable[JsonValue]) -> Features:
    """Give what an answer says, without the values that were sent.

    Args:
        response: The answer.
        sent: The argument's value, in all the forms it may have been sent in.
    """
    blank = _blank(sent)
    answer = read_answer(response)
    found: Features = {"status": str(response.status), "kind": answer.kind}
    if answer.kind in {"json", "json-lines", "xml"}:
        for place, leaf in _leaves(answer.payload):
            found[blank.sub(_SENT, place)] = blank.sub(_SENT, leaf)
    elif answer.kind == "binary":
        found["body"] = response.body
    else:
        text = blank.sub(_SENT, answer.text[:_MAX_TEXT])
        for number, line in enumerate(text.splitlines()[:_MAX_LEAVES]):
            found[f"line {number}"] = line
    return found


def differ(right: Features, wrong: Features, again: Features | None = None) -> bool:
    """Tell whether `right` says something else than `wrong`.

    Args:
        right: The answer to the value in question.
        wrong: The answer to a wrong value.
        again: The answer to another wrong value: where the two differ, it is not by the value.
    """
    for place in [*right, *(place for place in wrong if place not in right)]:
        one, two = right.get(place), wrong.get(place)
        if one == two or (again is not None and again.get(place) != two):
            continue
        if one is not None and two is not None and _moves(place, one, two):
            continue
        return True
    return False


def _moves(place: str, one: str, two: str) -> bool:
    last = place.rpartition(".")[2]
    if set(words(last)) & _MOVING:
        return True
    return bool(_MOMENT.fullmatch(one) and _MOMENT.fullmatch(two))


def _blank(sent: Iterable[JsonValue]) -> re.Pattern[str]:
    forms: dict[str, None] = {}
    for value in sent:
        for item in value if isinstance(value, list) else [value]:
            text = str(item)
            if text and text not in {"True", "False", "None"}:
                encoded = (text, quote(text, safe=""), quote(text), quote_plus(text))
                forms.update(dict.fromkeys(encoded))
    if not forms:
        return re.compile(r"(?!)")
    either = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))
    return re.compile(f"(?<![0-9A-Za-z_])(?:{either})(?![0-9A-Za-z_])", re.IGNORECASE)


def _leaves(payload: JsonValue) -> Iterator[tuple[str, str]]:
    """Yield the leaves with their places, and the length of every list and map."""
    pending: list[tuple[str, JsonValue]] = [("", payload)]
    count = 0
    while pending and count < _MAX_LEAVES:
        place, node = pending.pop()
        count += 1
        if isinstance(node, dict):
            yield f"{place}#", str(len(node))
            pending.extend((f"{place}.{key}", item) for key, item in reversed(node.items()))
        elif isinstance(node, list):
            yield f"{place}#", str(len(node))
            items = list(enumerate(cast("list[JsonValue]", node[:500])))
            pending.extend((f"{place}[{number}]", item) for number, item in reversed(items))
        else:
            yield place, str(node)
