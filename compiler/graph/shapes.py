"""Records told by their shape: the fields they have, weighed by how telling each name is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Protocol

from doc2tools.compiler.graph.nouns import Nouns
from doc2tools.param_db.naming import is_generic

__all__ = ["Prototype", "shape_nouns"]

_LEAST_SHARED = 3
_LEAST_OWN = 2
_LEAST_ALIKE = 0.3
_MARGIN = 0.92
_COMMON = 300
_MOST_PROTOTYPES = 12


class Shaped(Protocol):
    """Anything with field names."""

    @property
    def names(self) -> frozenset[str]:
        """Folded names of its fields."""
        ...


@dataclass(frozen=True, slots=True)
class Prototype:
    """The fields of a record whose noun is known."""

    names: frozenset[str]
    noun: str


def shape_nouns(prototypes: Sequence[Prototype], records: Sequence[Shaped]) -> list[Nouns]:
    """Give, for each record, the nouns whose records have the same telling fields.

    Likeness is the cosine of the field sets with inverse document frequencies; a noun counts if no
    other is much more alike. The cost is linear in the records, as common names open no comparison.
    """
    shapes = _distinct(prototypes)
    frequency: dict[str, int] = {}
    for names in {record.names for record in records}:
        for name in names:
            frequency[name] = frequency.get(name, 0) + 1
    total = max(2, len({record.names for record in records}))
    telling = {name: log(1 + total / count) ** 2 for name, count in frequency.items()}
    holding: dict[str, list[int]] = {}
    for number, (names, _) in enumerate(shapes):
        for name in sorted(names):
            holding.setdefault(name, []).append(number)
    telling = {name: weight for name, weight in telling.items() if name in holding}
    lengths = [_length(names, telling) for names, _ in shapes]
    kept: dict[frozenset[str], Nouns] = {}
    found: list[Nouns] = []
    for record in records:
        if record.names not in kept:
            kept[record.names] = _nouns_of(record.names, shapes, lengths, holding, telling)
        found.append(kept[record.names])
    return found


def _distinct(prototypes: Sequence[Prototype]) -> list[tuple[frozenset[str], str]]:
    """Keep each shape of a noun once, and the richest few of a noun."""
    by_noun: dict[str, dict[frozenset[str], None]] = {}
    for prototype in prototypes:
        if len(prototype.names) >= _LEAST_SHARED:
            by_noun.setdefault(prototype.noun, {})[prototype.names] = None
    found: list[tuple[frozenset[str], str]] = []
    for noun, shapes in by_noun.items():
        ranked = sorted(shapes, key=lambda names: (-len(names), sorted(names)))
        found.extend((names, noun) for names in ranked[:_MOST_PROTOTYPES])
    return found


def _length(names: frozenset[str], telling: dict[str, float]) -> float:
    return sum(telling.get(name, 0.0) for name in sorted(names)) ** 0.5


def _nouns_of(
    names: frozenset[str],
    shapes: list[tuple[frozenset[str], str]],
    lengths: list[float],
    holding: dict[str, list[int]],
    telling: dict[str, float],
) -> Nouns:
    if len(names) < _LEAST_SHARED:
        return {}
    near: dict[int, int] = {}
    for name in sorted(names):
        numbers = holding.get(name, ())
        if len(numbers) <= _COMMON:
            for number in numbers:
                near[number] = near.get(number, 0) + 1
    best: Nouns = {}
    own = _length(names, telling)
    for number, shared in sorted(near.items()):
        common, noun = names & shapes[number][0], shapes[number][1]
        if sum(not is_generic(name) for name in common) < _LEAST_OWN:
            continue
        if noun in names or f"{noun}_id" in names:
            continue  # it refers to such a record, so it is none
        if shared < 2 or len(common) < _LEAST_SHARED or not own or not lengths[number]:
            continue
        alike = sum(telling.get(name, 0.0) for name in sorted(common)) / (own * lengths[number])
        best[noun] = max(best.get(noun, 0.0), alike)
    top = max(best.values(), default=0.0)
    if top < _LEAST_ALIKE:
        return {}
    near_best = {noun: alike for noun, alike in best.items() if alike >= top * _MARGIN}
    if len(near_best) > 3:
        return {}
    return {noun: min(0.95, 0.5 + alike / 2) for noun, alike in near_best.items()}
