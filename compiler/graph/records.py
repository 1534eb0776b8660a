"""The records that an answer's fields lie in, and what they are records of.

A record is told by the key that holds it, the name of its schema, the tool's path and, where those
are silent, by its shape: a record that has the fields of a movie is a movie.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from doc2tools.compiler.graph.answers import AnswerShape
from doc2tools.compiler.graph.nouns import Nouns, known_nouns, path_nouns
from doc2tools.compiler.graph.shapes import Prototype, shape_nouns
from doc2tools.compiler.ir.outcome import Tool
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.passes.answer_paths import EACH, KEYS, split_path, with_key
from doc2tools.param_db.naming import fold, is_structural, singular_phrase

__all__ = ["Record", "field_place", "records_of"]

_BY_KEY = 0.95
_BY_SCHEMA = 0.9
_BY_PATH = 0.85
_BY_CHOICE = 0.6
_BY_NEW_KEY = 0.6
_WEAK = 0.4
_MOST_CHOICES = 30


@dataclass(slots=True)
class Record:
    """One kind of record in one tool's answer.

    Attributes:
        path: Where it stands: `results[]`, or "" for the answer itself.
        key: Folded key that holds it; "" for the answer itself.
        listed: Part of a list or map, so that there may be several.
        top: Nothing but wrapping stands around it.
        names: Folded names of its own fields.
        nouns: What it is a record of, with weights.
        told: How each noun is known, for reasons.
    """

    tool: int
    path: str
    key: str
    listed: bool
    top: bool
    names: frozenset[str] = frozenset()
    owners: tuple[str, ...] = ()
    nouns: Nouns = field(default_factory=Nouns)
    told: dict[str, str] = field(default_factory=dict[str, str])

    def tell(self, noun: str, weight: float, why: str) -> None:
        """Add a noun, unless it is known better already."""
        if noun and self.nouns.get(noun, 0.0) < weight:
            self.nouns[noun] = weight
            self.told[noun] = why


def records_of(
    tools: Sequence[Tool], shapes: Sequence[AnswerShape], attested: frozenset[str]
) -> list[dict[str, Record]]:
    """Give, for each tool, the record that each field path lies in."""
    holders = [_split(index, shape, attested) for index, shape in enumerate(shapes)]
    distinct: list[Record] = []
    for index, tool in enumerate(tools):
        for record in _distinct(holders[index]):
            _name(record, tool.endpoint, attested)
            distinct.append(record)
    prototypes = [
        Prototype(record.names, noun)
        for record in distinct
        for noun, weight in record.nouns.items()
        if weight >= _BY_PATH and noun in attested
    ]
    for record, nouns in zip(distinct, shape_nouns(prototypes, distinct), strict=True):
        known = attested & record.nouns.keys()
        if max((record.nouns[noun] for noun in known), default=0.0) >= _BY_PATH:
            continue
        for noun, weight in nouns.items():
            record.tell(noun, weight, "by the record's fields")
    return holders


def _distinct(holders: dict[str, Record]) -> Iterator[Record]:
    seen: set[int] = set()
    for record in holders.values():
        if id(record) not in seen:
            seen.add(id(record))
            yield record


def _split(index: int, shape: AnswerShape, attested: frozenset[str]) -> dict[str, Record]:
    records: dict[str, Record] = {}
    names: dict[str, set[str]] = {}
    owners: dict[str, dict[str, None]] = {}
    holders: dict[str, Record] = {}
    for path, seen in shape.fields.items():
        place, name = field_place(path, attested)
        if place not in records:
            records[place] = _record(index, place, attested)
        holders[path] = records[place]
        if name:
            names.setdefault(place, set()).add(fold(name))
        owners.setdefault(place, {}).update(dict.fromkeys(seen.owners))
    for place, record in records.items():
        record.names = frozenset(names.get(place, ()))
        record.owners = tuple(owners.get(place, ()))
    return holders


def field_place(path: str, attested: frozenset[str]) -> tuple[str, str]:
    """Split a field's path into the place of its record and its name in it.

    A list of single values counts as a field of the record around it (`tags[]` → `tags`), unless
    its key only wraps an answer or names what is listed: then its elements have no name.
    """
    steps = split_path(path)
    if steps and steps[-1][1]:
        return _join(steps[:-1]), steps[-1][0]
    end = len(steps)
    while end and steps[end - 1] == (EACH, False):
        end -= 1
    if end and end < len(steps) and steps[end - 1][1]:
        key = steps[end - 1][0]
        noun = singular_phrase(fold(key))
        if noun and not is_structural(noun) and noun not in attested:
            return _join(steps[: end - 1]), key
    return path, ""


def _join(steps: tuple[tuple[str, bool], ...]) -> str:
    path = ""
    for step, is_key in steps:
        if is_key:
            path = with_key(path, step)
        elif step == EACH:
            path += EACH
        else:
            path = f"{path}.{KEYS}" if path else KEYS
    return path


def _record(index: int, place: str, attested: frozenset[str]) -> Record:
    steps = split_path(place)
    keys = [singular_phrase(fold(step)) for step, is_key in steps if is_key]
    meaning = [key for key in keys if key and (key in attested or not is_structural(key))]
    return Record(
        tool=index,
        path=place,
        key=meaning[-1] if meaning else "",
        listed=any(not is_key for _, is_key in steps),
        top=not meaning,
    )


def _name(record: Record, endpoint: Endpoint, attested: frozenset[str]) -> None:
    """Say what a record is, from its schema, its key and the path that gave it."""
    for owner in record.owners:
        for noun in known_nouns(singular_phrase(fold(owner)), attested):
            record.tell(noun, _BY_SCHEMA, f"by the schema {owner}")
    if record.key:
        found = known_nouns(record.key, attested)
        for noun in found:
            record.tell(noun, _BY_KEY, f"by the key {record.key}")
        if not found:
            record.tell(record.key, _BY_NEW_KEY, f"by the key {record.key}")
        return
    _name_by_path(record, endpoint.path, attested)
    for parameter in endpoint.parameters:
        for choice in parameter.enum[:_MOST_CHOICES]:
            noun = singular_phrase(fold(choice)) if isinstance(choice, str) else ""
            if noun in attested:
                record.tell(noun, _BY_CHOICE, f"as {parameter.name} can ask for {choice}")


def _name_by_path(record: Record, path: str, attested: frozenset[str]) -> None:
    """Take the path's last noun for what an answer's outermost records are.

    What comes after a placeholder may list something of another kind: an unknown noun there says
    nothing about records in a list, while the answer around them still speaks of the parent.
    """
    why = f"by the path {path}"
    tail = path.rpartition("}")[2] if "}" in path else ""
    after = path_nouns(tail, attested)
    known = [noun for noun in path_nouns(path, attested) if known_nouns(noun, attested)]
    inner = after[:1]
    if inner:
        record.tell(inner[0], _WEAK, why)
    if inner and not record.listed and len(known) > 1 and known[0] == inner[0]:
        known = known[1:] if "id" in record.names else known
    if not known or (record.listed and inner and known[0] != inner[0]):
        return
    for noun in known_nouns(known[0], attested):
        record.tell(noun, _BY_PATH, why)
