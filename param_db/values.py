"""The store that a run works on: values in memory, ranked for one parameter at a time.

In go values from documentation, configuration and real answers; out come at most a few candidates
for one parameter. An identifier of one resource is never a candidate for another one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.param_db.fit import Scalar, fits, shaped
from doc2tools.param_db.meaning import Meaning, wording
from doc2tools.param_db.naming import fold, is_generic
from doc2tools.param_db.ranking import (
    Field,
    Wanted,
    field_of,
    link_rank,
    may_mean,
    wanted_for,
)
from doc2tools.param_db.value import MAX_PER_ANSWER, MAX_PER_NAME, Value, is_kept

__all__ = ["MAX_PER_ANSWER", "MAX_PER_NAME", "Scalar", "Value", "ValueStore", "Values"]

_MAX_OF_FIELD = 4
_MAX_NEAR = 1000
_MAX_MEANT = 5000
_SAME_MEANING = 14
"""In twentieths: of fields of other names, only the very close ones are tried."""
_CONFIRMED = ("documented", "observed")
"""A documented value that the server gave as well counts as the server's."""


class Values(Protocol):
    """What planning needs of a value database."""

    def add(self, values: Iterable[Value]) -> int:
        """Keep those of `values` that the rules allow; give how many were new."""
        ...

    def candidates(
        self, parameter: Parameter, endpoint: Endpoint, limit: int = 10
    ) -> tuple[Value, ...]:
        """Give the values most likely to work, best first."""
        ...

    def alike(self, parameter: Parameter, endpoint: Endpoint, limit: int = 4) -> tuple[Value, ...]:
        """Give values of fields of other names that mean the same, best first."""
        ...

    def note(
        self, parameter: Parameter, endpoint: Endpoint, value: Scalar, *, worked: bool
    ) -> None:
        """Remember whether `value` worked for a parameter."""
        ...

    def choose(
        self, parameter: Parameter, endpoint: Endpoint, among: Iterable[Value]
    ) -> Value | None:
        """Give the best of some values for a parameter, or `None` if none belongs to it."""
        ...

    def named(self, resource: str, fields: Sequence[str], limit: int = 5) -> tuple[Value, ...]:
        """Give a resource's observed values in fields of these names, best name first."""
        ...

    def known(self, parameter: Parameter, endpoint: Endpoint, value: Scalar) -> bool:
        """Tell whether the server itself gave `value` for what the parameter names."""
        ...

    def record_mates(self, value: Value) -> tuple[Value, ...]:
        """Give the values of the same record, and of the records that it lies in."""
        ...

    def remember(self, endpoints: Sequence[Endpoint]) -> int:
        """Bring back what earlier runs learnt for `endpoints`; give how many values were new."""
        ...


_Key = tuple[str, str, str, str, str, tuple[Scalar, ...]]
_Rank = tuple[int | bool, ...]


@dataclass(slots=True)
class _Index:
    """The fields that hold values, found by what a parameter may know of them."""

    fields: list[Field] = field(default_factory=list[Field])
    members: list[list[int]] = field(default_factory=list[list[int]])
    numbers: dict[Field, int] = field(default_factory=dict[Field, int])
    by_resource: defaultdict[str, list[int]] = field(
        default_factory=lambda: defaultdict[str, list[int]](list)
    )
    by_name: defaultdict[str, list[int]] = field(
        default_factory=lambda: defaultdict[str, list[int]](list)
    )
    by_collection: defaultdict[str, list[int]] = field(
        default_factory=lambda: defaultdict[str, list[int]](list)
    )
    by_owner: defaultdict[str, list[int]] = field(
        default_factory=lambda: defaultdict[str, list[int]](list)
    )

    def add(self, value: Value, position: int) -> None:
        """Note that the value at `position` is one of its field."""
        held = field_of(value)
        number = self.numbers.get(held)
        if number is None:
            number = self.numbers[held] = len(self.fields)
            self.fields.append(held)
            self.members.append([])
            self.by_resource[held.resource].append(number)
            self.by_name[held.folded].append(number)
            self.by_collection[held.collection].append(number)
            self.by_owner[held.owner].append(number)
        self.members[number].append(position)

    def near(self, wanted: Wanted) -> list[int]:
        """Give the fields that may belong to a parameter, in the order of their arrival."""
        numbers: set[int] = set()
        for noun in (wanted.noun, wanted.stem, wanted.name, wanted.resource):
            if noun:
                numbers.update(self.by_resource.get(noun, ()))
        for noun in (wanted.noun, wanted.stem, wanted.name):
            if noun:
                numbers.update(self.by_owner.get(noun, ())[:_MAX_NEAR])
        if not is_generic(wanted.name):
            numbers.update(self.by_name.get(wanted.name, ())[:_MAX_NEAR])
        if wanted.prefix:
            numbers.update(self.by_collection.get(wanted.prefix, ()))
        return sorted(numbers)


class ValueStore:
    """Values in memory, bounded, with stable order.

    Args:
        meaning: Orders fields that are equally close by rule; without it, the first seen is first.
    """

    def __init__(self, meaning: Meaning | None = None) -> None:
        """Begin without values."""
        self._meaning = meaning
        self._values: list[Value] = []
        self._seen: set[_Key] = set()
        self._counts: dict[tuple[str, str, str], int] = {}
        self._index = _Index()
        self._by_record: defaultdict[str, list[int]] = defaultdict(list)
        self._by_text: defaultdict[str, list[int]] = defaultdict(list)

    def __len__(self) -> int:
        """Give the number of values held."""
        return len(self._values)

    def __iter__(self) -> Iterator[Value]:
        """Give the values in the order of their arrival."""
        return iter(tuple(self._values))

    def add(self, values: Iterable[Value]) -> int:
        """Keep those of `values` that the rules allow; give how many were new.

        Guessed values, secrets, personal data and overlong texts are left out; at most
        `MAX_PER_NAME` are kept of one name of one resource in one collection.
        """
        new = 0
        for value in values:
            if not is_kept(value):
                continue
            name = fold(value.name)
            text = repr(value.value)
            key = (name, value.resource, text, value.collection, value.origin, value.context)
            group = (name, value.resource, value.collection)
            if key in self._seen or self._counts.get(group, 0) >= MAX_PER_NAME:
                continue
            self._counts[group] = self._counts.get(group, 0) + 1
            self._seen.add(key)
            position = len(self._values)
            self._values.append(value)
            self._index.add(value, position)
            self._by_text[str(value.value)].append(position)
            if value.record:
                self._by_record[value.record].append(position)
            new += 1
        return new

    def candidates(
        self, parameter: Parameter, endpoint: Endpoint, limit: int = 10
    ) -> tuple[Value, ...]:
        """Give the values most likely to work for `parameter`, best first."""
        ranks = self._ranks(wanted_for(parameter, endpoint), parameter)
        return self._chosen(ranks, parameter, limit)

    def alike(self, parameter: Parameter, endpoint: Endpoint, limit: int = 4) -> tuple[Value, ...]:
        """Give values of fields that mean what the parameter means; never identifiers."""
        if self._meaning is None:
            return ()
        meant = self._meant(wanted_for(parameter, endpoint), parameter)
        return self._chosen(meant, parameter, limit)

    def _ranks(self, wanted: Wanted, parameter: Parameter) -> dict[int, tuple[int, int, int, int]]:
        """Give the near fields that belong to a parameter, each with its sort key."""
        found: dict[int, tuple[int, int, int]] = {}
        for number in self._index.near(wanted):
            rank = link_rank(self._index.fields[number], wanted)
            if rank is not None:
                found[number] = rank
        often = Counter(found.values())
        tied = [number for number, rank in found.items() if often[rank] > 1]
        closeness = self._closeness(wanted, parameter, tied)
        return {number: (*rank, -closeness.get(number, 0)) for number, rank in found.items()}

    def _meant(self, wanted: Wanted, parameter: Parameter) -> dict[int, tuple[int, int, int, int]]:
        """Give the fields of other names that mean what the parameter means."""
        fields = self._index.fields[:_MAX_MEANT]
        numbers = [number for number, held in enumerate(fields) if may_mean(held, wanted)]
        closeness = self._closeness(wanted, parameter, numbers)
        return {
            number: (0, 0, 0, -step) for number, step in closeness.items() if step >= _SAME_MEANING
        }

    def _closeness(
        self, wanted: Wanted, parameter: Parameter, numbers: Sequence[int]
    ) -> dict[int, int]:
        if self._meaning is None or not numbers:
            return {}
        noun = wanted.noun or wanted.resource
        fields = [self._index.fields[number] for number in numbers]
        steps = self._meaning.closeness(
            wording(parameter.name, noun, parameter.description),
            [wording(held.name, held.resource, held.description) for held in fields],
        )
        return dict(zip(numbers, steps, strict=True))

    def _chosen(
        self, ranks: dict[int, tuple[int, int, int, int]], parameter: Parameter, limit: int
    ) -> tuple[Value, ...]:
        """Give the best values of ranked fields that fit, each once: a few of each, then more."""
        ordered: list[tuple[_Rank, int]] = []
        for number, (origin, link, by_field, distance) in ranks.items():
            configured = origin != 0
            for position in self._index.members[number]:
                held = self._values[position]
                history = max(-3, min(3, held.failures - held.successes))
                rank = (configured, history > 0, origin, link, by_field, history, distance)
                ordered.append((rank, position))
        ordered.sort()
        chosen: list[Value] = []
        later: list[Value] = []
        taken: dict[tuple[str, tuple[Scalar, ...]], int] = {}
        fields: dict[tuple[str, str], int] = {}
        shown = 0  # what documentation shows of other tools leaves room for what the server gave
        for _, position in ordered:
            value = self._values[position]
            key = (repr(value.value), value.context)
            source = (value.endpoint, value.field_path)
            before = taken.get(key)
            full = before is None and fields.get(source, 0) >= _MAX_OF_FIELD
            if (full and len(later) >= limit) or not fits(
                shaped(value.value, parameter), parameter
            ):
                continue
            if full or (value.origin == "documented" and shown >= limit // 2):
                later.append(value)
                continue
            if before is not None:
                if (chosen[before].origin, value.origin) == _CONFIRMED:
                    chosen[before] = value
                continue
            taken[key] = len(chosen)
            fields[source] = fields.get(source, 0) + 1
            shown += value.origin == "documented"
            chosen.append(value)
            if len(chosen) == limit:
                break
        for value in later:
            if len(chosen) < limit and (key := (repr(value.value), value.context)) not in taken:
                taken[key] = len(chosen)
                chosen.append(value)
        return tuple(chosen)

    def choose(
        self, parameter: Parameter, endpoint: Endpoint, among: Iterable[Value]
    ) -> Value | None:
        """Give the best of `among` for a parameter, or `None` if none belongs to it."""
        wanted = wanted_for(parameter, endpoint)
        ranked: list[tuple[_Rank, int, Value]] = []
        for position, value in enumerate(among):
            rank = link_rank(field_of(value), wanted)
            if rank is not None and fits(shaped(value.value, parameter), parameter):
                history = max(-3, min(3, value.failures - value.successes))
                ranked.append(((rank[0] != 0, history > 0, *rank, history), position, value))
        return min(ranked, key=lambda entry: entry[:2])[2] if ranked else None

    def note(
        self, parameter: Parameter, endpoint: Endpoint, value: Scalar, *, worked: bool
    ) -> None:
        """Count a success or failure of `value` for the resource that the parameter names."""
        wanted = wanted_for(parameter, endpoint)
        nouns = {noun for noun in (wanted.noun, wanted.stem, wanted.name) if noun}
        for position in self._by_text.get(str(value), ()):
            held = self._values[position]
            named = fold(held.name) == wanted.name and not is_generic(wanted.name)
            if (held.resource in nouns or named) and type(held.value) is type(value):
                self._values[position] = replace(
                    held,
                    successes=held.successes + worked,
                    failures=held.failures + (not worked),
                )

    def named(self, resource: str, fields: Sequence[str], limit: int = 5) -> tuple[Value, ...]:
        """Give a resource's observed values in fields of these names, best name first."""
        found: list[tuple[int, int]] = []
        for number in self._index.by_resource.get(resource, ()):
            held = self._index.fields[number]
            name = held.folded.rpartition("_")[2]
            if held.origin in {"observed", "repaired"} and name in fields:
                best = fields.index(name)
                found.extend((best, position) for position in self._index.members[number])
        return tuple(self._values[position] for _, position in sorted(found)[:limit])

    def known(self, parameter: Parameter, endpoint: Endpoint, value: Scalar) -> bool:
        """Tell whether the server itself gave `value` for what the parameter names."""
        wanted = wanted_for(parameter, endpoint)
        return any(
            held.origin == "observed" and link_rank(field_of(held), wanted) is not None
            for held in (self._values[position] for position in self._by_text.get(str(value), ()))
        )

    def record_mates(self, value: Value) -> tuple[Value, ...]:
        """Give the values of the same record, and of the records that it lies in."""
        mates: list[Value] = []
        record = value.record
        while record:
            mates.extend(self._values[position] for position in self._by_record.get(record, ()))
            record = record.rpartition("/")[0]
        return tuple(mates)

    def remember(self, endpoints: Sequence[Endpoint]) -> int:
        """Give 0: values in memory know of no earlier run."""
        del endpoints
        return 0
