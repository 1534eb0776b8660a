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

Way = Literal["own", "only", "placed", "named"]

_NAMES = ("title", "name", "label", "display", "subject", "summary", "caption")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_MAX_TEXT = 48
_MAX_CHOICES = 200
_BY_NAME = 0.65
_FURTHER = 0.45


@dataclass(frozen=True, slots=True)
class Pick:
    """A value, and how it was chosen.

    Attributes:
        way: `own`: the answer is one record; `placed`: by where it stands in the list, which is
            `text`; `named`: by `key` and `text` of its record.
        listed: Key of the list that the value is from; "" where none names it.
    """

    held: Held
    way: Way
    key: str = ""
    text: str = ""
    listed: str = ""


def pick(
    rng: random.Random, payload: JsonValue, found: Sequence[Held], *, keys: bool = False
) -> Pick:
    """Choose one of the values at a field.

    Args:
        rng: Chooses.
        payload: The answer's data.
        found: What stands at the field, all places of it.
        keys: The values are the keys of a map.
    """
    depth = _list_depth(found[0])
    if depth < 0 and not keys:
        return Pick(found[0], "own")
    before = found[0].place[: depth if depth >= 0 else -1]
    listed = next((str(step) for step in reversed(before) if isinstance(step, str)), "")
    placed = list(_placed(payload, found, depth))
    if len(found) == 1 and not placed:
        return Pick(found[0], "only", listed=listed)
    named = list(_named(payload, found[:_MAX_CHOICES]))
    # What stands first or last changes with the server's data; a name stays.
    if named and (not placed or rng.random() < _BY_NAME):
        held, key, text = rng.choice(named)
        return Pick(held, "named", key, text, listed)
    if not placed:
        return Pick(found[0], "placed", text="first", listed=listed)
    number = int(rng.expovariate(_FURTHER)) % len(placed)
    return Pick(placed[number][0], "placed", text=placed[number][1], listed=listed)


def _placed(payload: JsonValue, found: Sequence[Held], depth: int) -> Iterator[tuple[Held, str]]:
    """Give the values whose place in the list has a word: `first` to `eighth`, `last`."""
    lists = sum(isinstance(step, int) for step in found[0].place)
    around = at_place(payload, found[0].place[:depth]) if lists == 1 else None
    size = len(around) if isinstance(around, list) else len(found)
    for number, held in enumerate(found):
        step = held.place[depth] if lists == 1 else number
        place = step if isinstance(step, int) else number
        if place == size - 1 and size > 1:
            yield held, "last"
        elif place < len(_ORDINALS) and size > 1:
            yield held, _ORDINALS[place]


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


def _named(payload: JsonValue, found: Sequence[Held]) -> Iterator[tuple[Held, str, str]]:
    """Give the records that a text of theirs tells from all others, with its key."""
    records: list[tuple[Held, dict[str, str]]] = []
    for held in found:
        depth = _list_depth(held)
        record = at_place(payload, held.place[: depth + 1]) if depth >= 0 else None
        if isinstance(record, dict):
            records.append((held, _texts(record)))
    counts = Counter((key, text) for _, texts in records for key, text in texts.items())
    for held, texts in records:
        value = str(held.value).lower()
        for key, text in texts.items():
            unlike = value not in text.lower() and text.lower() not in value
            if counts[key, text] == 1 and unlike:
                yield held, key, text


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
