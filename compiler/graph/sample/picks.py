"""Which value of an answer the next call takes, in a way that a user could have said.

"The first", "the last", "the only one", or a record that is known by its title: the value itself
is never what the user knows, else the call that finds it would be for nothing.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from doc2tools.compiler.graph.prove_fields import Held
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.param_db.naming import words
from doc2tools.param_db.privacy import is_personal_value, is_secret_name

__all__ = ["Pick", "Way", "at_place", "pick"]

Way = Literal["own", "only", "first", "last", "named"]

_NAMES = ("title", "name", "label", "display", "subject", "summary", "caption")
_MAX_TEXT = 48
_MAX_CHOICES = 40


@dataclass(frozen=True, slots=True)
class Pick:
    """A value, and how it was chosen.

    Attributes:
        way: `own`: the answer is one record; `named`: by `key` and `text` of its record.
        listed: Key of the list that the value is from; "" where none names it.
    """

    held: Held
    way: Way
    key: str = ""
    text: str = ""
    listed: str = ""


def pick(rng: random.Random, payload: JsonValue, found: Sequence[Held]) -> Pick:
    """Choose one of the values at a field."""
    depth = _list_depth(found[0])
    if depth < 0:
        return Pick(found[0], "own")
    listed = next((str(step) for step in reversed(found[0].place[:depth]) if _is_key(step)), "")
    if len(found) == 1:
        return Pick(found[0], "only", listed=listed)
    named = list(_named(payload, found[:_MAX_CHOICES], listed))
    # What stands first or last changes with the server's data; a name stays.
    if named and rng.random() < 0.65:
        return rng.choice(named)
    if rng.random() < 0.7:
        return Pick(found[0], "first", listed=listed)
    return Pick(found[-1], "last", listed=listed)


def _is_key(step: str | int) -> bool:
    return isinstance(step, str)


def _list_depth(held: Held) -> int:
    """Give where the innermost list or map that the value is chosen from begins; -1 for none."""
    for position in range(len(held.place) - 1, -1, -1):
        if isinstance(held.place[position], int):
            return position
    return -1


def at_place(payload: JsonValue, place: Sequence[str | int]) -> JsonValue:
    """Give what stands at a place; `None` where there is no such place."""
    node = payload
    for step in place:
        if isinstance(node, dict) and isinstance(step, str):
            node = node.get(step)
        elif isinstance(node, list) and isinstance(step, int) and step < len(node):
            node = node[step]
        else:
            return None
    return node


def _named(payload: JsonValue, found: Sequence[Held], listed: str) -> Iterator[Pick]:
    """Give the records that a text of theirs tells from all others."""
    records: list[tuple[Held, dict[str, str]]] = []
    for held in found:
        depth = _list_depth(held)
        record = at_place(payload, held.place[: depth + 1]) if depth >= 0 else None
        if isinstance(record, dict):
            records.append((held, _texts(record)))
    counts = Counter((key, text) for _, texts in records for key, text in texts.items())
    for held, texts in records:
        for key, text in texts.items():
            unlike = str(held.value).lower() not in text.lower()
            if counts[key, text] == 1 and unlike and text.lower() not in str(held.value).lower():
                yield Pick(held, "named", key, text, listed)


def _texts(record: dict[str, JsonValue]) -> dict[str, str]:
    """Give what a record is called: its title or name, and nothing private."""
    found: dict[str, str] = {}
    for key, value in record.items():
        parts = words(key)
        called = bool(parts) and (parts[-1] in _NAMES or parts[0] in _NAMES)
        if not called or not isinstance(value, str) or is_secret_name(key):
            continue
        text = value.strip()
        if 1 < len(text) <= _MAX_TEXT and text.isprintable() and not is_personal_value(text):
            found[key] = text
    return found
