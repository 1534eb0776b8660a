"""Parameter values with provenance, and the in-memory store that ranks them for a parameter.

In go values from documentation, configuration and real answers; out come at most a few candidates
for one parameter. An identifier of one resource is never a candidate for another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Protocol

from doc2tools.compiler.ir.base import Origin, ValueType
from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.param_db.fit import Scalar, fits, shaped
from doc2tools.param_db.naming import (
    HANDLES,
    fold,
    is_generic,
    path_noun,
    resource_before,
    singular_phrase,
    stem,
)
from doc2tools.param_db.privacy import is_personal_value, is_secret_name

__all__ = ["MAX_PER_ANSWER", "MAX_PER_NAME", "Scalar", "Value", "ValueStore", "Values"]

MAX_PER_ANSWER = 500
MAX_PER_NAME = 50
_MAX_LENGTH = 300
_MAX_OF_FIELD = 4
_MAX_NEAR = 1000
_CONFIRMED = ("documented", "observed")
"""A documented value that the server gave as well counts as the server's."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value that a parameter may take, and where it came from.

    Attributes:
        name: The field or parameter that held it; "" for a bare list element or a map key.
        resource: Folded noun that it belongs to, such as `user`; "" where unknown.
        endpoint: Name of the tool whose documentation or answer gave it.
        field_path: Where in the answer, such as `users[].id`; "" for documented values.
        host: The server that it was seen on, `name:port`.
        record: The record that it came from; values of one record belong together.
        collection: Shape of the path whose answer listed it, such as `/users/{}/post`.
        context: Path arguments of the call that gave it, in path order.
    """

    name: str
    value: Scalar
    resource: str = ""
    type: ValueType = "string"
    description: str = ""
    origin: Origin = "observed"
    endpoint: str = ""
    field_path: str = ""
    host: str = ""
    record: str = ""
    collection: str = ""
    context: tuple[Scalar, ...] = ()
    successes: int = 0
    failures: int = 0


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


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is known of the parameter that candidates are sought for."""

    name: str
    stem: str
    noun: str
    prefix: str
    resource: str
    in_path: bool
    plural: bool


def _wanted(parameter: Parameter, endpoint: Endpoint) -> _Wanted:
    noun, prefix = ("", "")
    if parameter.location == "path":
        noun, prefix = resource_before(endpoint.path, parameter.name)
    name = fold(parameter.name)
    return _Wanted(
        name=name,
        stem=stem(parameter.name),
        noun=singular_phrase(noun),
        prefix=prefix,
        resource=path_noun(endpoint.path),
        in_path=parameter.location == "path",
        plural=parameter.name.lower().endswith("ids"),
    )


_ORIGIN_RANK: dict[Origin, int] = {
    "configured": 0,
    "repaired": 1,
    "documented": 2,
    "observed": 3,
    "guessed": 9,
}


@dataclass(slots=True)
class ValueStore:
    """Values in memory, bounded, with stable order."""

    _values: list[Value] = field(default_factory=list["Value"])
    _seen: dict[tuple[str, str, str, str, str, tuple[Scalar, ...]], int] = field(
        default_factory=dict[tuple[str, str, str, str, str, tuple[Scalar, ...]], int]
    )
    _counts: dict[tuple[str, str, str], int] = field(
        default_factory=dict[tuple[str, str, str], int]
    )
    _by_resource: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    _by_name: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    _by_collection: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    _by_record: dict[str, list[int]] = field(default_factory=dict[str, list[int]])

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
            if not _allowed(value):
                continue
            name = fold(value.name)
            key = (
                name,
                value.resource,
                repr(value.value),
                value.collection,
                value.origin,
                value.context,
            )
            count_key = (name, value.resource, value.collection)
            if key in self._seen or self._counts.get(count_key, 0) >= MAX_PER_NAME:
                continue
            self._counts[count_key] = self._counts.get(count_key, 0) + 1
            index = len(self._values)
            self._seen[key] = index
            self._values.append(value)
            self._by_resource.setdefault(value.resource, []).append(index)
            self._by_name.setdefault(name, []).append(index)
            if value.collection:
                self._by_collection.setdefault(value.collection, []).append(index)
            if value.record:
                self._by_record.setdefault(value.record, []).append(index)
            new += 1
        return new

    def candidates(
        self, parameter: Parameter, endpoint: Endpoint, limit: int = 10
    ) -> tuple[Value, ...]:
        """Give the values most likely to work for `parameter`, best first."""
        wanted = _wanted(parameter, endpoint)
        ranked: list[tuple[tuple[int, ...], int]] = []
        for index in self._near(wanted):
            value = self._values[index]
            rank = _rank(value, wanted)
            if rank is not None and fits(shaped(value.value, parameter), parameter):
                ranked.append(((*rank, index), index))
        ranked.sort()
        chosen: list[Value] = []
        taken: dict[tuple[str, tuple[Scalar, ...]], int] = {}
        fields: dict[tuple[str, str], int] = {}
        for _, index in ranked:
            value = self._values[index]
            key = (repr(value.value), value.context)
            source = (value.endpoint, value.field_path)
            held = taken.get(key)
            if held is not None and (chosen[held].origin, value.origin) == _CONFIRMED:
                chosen[held] = value
            if held is not None or fields.get(source, 0) >= _MAX_OF_FIELD:
                continue
            taken[key] = len(chosen)
            fields[source] = fields.get(source, 0) + 1
            chosen.append(value)
            if len(chosen) == limit:
                break
        return tuple(chosen)

    def _near(self, wanted: _Wanted) -> set[int]:
        """Give the values that may belong to a parameter, by the indexes."""
        indexes: set[int] = set()
        for noun in (wanted.noun, wanted.stem, wanted.name, wanted.resource):
            if noun:
                indexes.update(self._by_resource.get(noun, ()))
        if not is_generic(wanted.name):
            indexes.update(self._by_name.get(wanted.name, ())[:_MAX_NEAR])
        if wanted.prefix:
            indexes.update(self._by_collection.get(wanted.prefix, ()))
        return indexes

    def choose(
        self, parameter: Parameter, endpoint: Endpoint, among: Iterable[Value]
    ) -> Value | None:
        """Give the best of `among` for a parameter, or `None` if none belongs to it."""
        wanted = _wanted(parameter, endpoint)
        ranked: list[tuple[tuple[int, ...], int, Value]] = []
        for position, value in enumerate(among):
            rank = _rank(value, wanted)
            if rank is not None and fits(shaped(value.value, parameter), parameter):
                ranked.append((rank, position, value))
        return min(ranked, key=lambda entry: entry[:2])[2] if ranked else None

    def note(
        self, parameter: Parameter, endpoint: Endpoint, value: Scalar, *, worked: bool
    ) -> None:
        """Count a success or failure of `value` for the resource that the parameter names."""
        wanted = _wanted(parameter, endpoint)
        nouns = {noun for noun in (wanted.noun, wanted.stem, wanted.name) if noun}
        for noun in sorted(nouns):
            for index in self._by_resource.get(noun, ()):
                held = self._values[index]
                if held.value == value and type(held.value) is type(value):
                    self._values[index] = replace(
                        held,
                        successes=held.successes + worked,
                        failures=held.failures + (not worked),
                    )

    def named(self, resource: str, fields: Sequence[str], limit: int = 5) -> tuple[Value, ...]:
        """Give a resource's observed values in fields of these names, best name first."""
        found: list[tuple[int, int]] = []
        for index in self._by_resource.get(resource, ()):
            value = self._values[index]
            name = fold(value.name).rpartition("_")[2]
            if value.origin in {"observed", "repaired"} and name in fields:
                found.append((fields.index(name), index))
        return tuple(self._values[index] for _, index in sorted(found)[:limit])

    def known(self, parameter: Parameter, endpoint: Endpoint, value: Scalar) -> bool:
        """Tell whether the server itself gave `value` for what the parameter names."""
        wanted = _wanted(parameter, endpoint)
        return any(
            held.origin == "observed"
            and str(held.value) == str(value)
            and _rank(held, wanted) is not None
            for held in (self._values[index] for index in self._near(wanted))
        )

    def record_mates(self, value: Value) -> tuple[Value, ...]:
        """Give the values of the same record, and of the records that it lies in."""
        mates: list[Value] = []
        record = value.record
        while record:
            mates.extend(self._values[index] for index in self._by_record.get(record, ()))
            record = record.rpartition("/")[0]
        return tuple(mates)


def _allowed(value: Value) -> bool:
    if value.origin == "guessed" or is_secret_name(value.name):
        return False
    if isinstance(value.value, str):
        text = value.value
        shown = text.strip(" *")  # asterisks are what redaction leaves
        return bool(shown) and len(text) <= _MAX_LENGTH and not is_personal_value(text)
    return not isinstance(value.value, float) or isfinite(value.value)


def _rank(value: Value, wanted: _Wanted) -> tuple[int, ...] | None:
    """Give the sort key of a value that may be tried, or `None` for one that must not be."""
    name = fold(value.name)
    field_rank = _field_rank(name, value, wanted)
    link = _link(value, name, wanted, field_rank)
    if link is None:
        return None
    history = max(-3, min(3, value.failures - value.successes))
    configured = value.origin != "configured"
    return (configured, history > 0, _ORIGIN_RANK[value.origin], link, field_rank, history)


def _link(value: Value, name: str, wanted: _Wanted, field_rank: int) -> int | None:
    """Tell how a value belongs to the parameter: 0 is closest, `None` not at all."""
    addressable = field_rank < _NO_HANDLE
    resource = value.resource
    listed = wanted.in_path and bool(value.collection) and value.collection == wanted.prefix
    same_name = bool(name) and name == wanted.name
    by_noun = addressable and wanted.in_path and bool(resource) and resource == wanted.noun
    own_name = is_generic(wanted.name) or wanted.noun in {wanted.name, wanted.stem}
    links = (
        listed and same_name and not is_generic(name),
        addressable and listed and resource in {wanted.noun, wanted.stem},
        addressable and listed,
        by_noun and (own_name or name == wanted.name),
        addressable and bool(wanted.stem) and resource == wanted.stem,
        addressable and bool(resource) and resource == wanted.name != "id",
        same_name and not is_generic(name),
        same_name and not wanted.in_path and resource == wanted.resource,
        by_noun,
    )
    return next((rank for rank, holds in enumerate(links) if holds), None)


_NO_HANDLE = 40


def _abbreviates(wanted: _Wanted, name: str, tail: str) -> bool:
    """Tell whether the parameter's name is short for the field's: `props` for `properties_key`."""
    first = name.partition("_")[0]
    short = first.startswith(wanted.name) and first != wanted.name and len(wanted.name) >= 3
    return short and (name == first or tail in HANDLES) and not is_generic(wanted.name)


def _field_rank(name: str, value: Value, wanted: _Wanted) -> int:
    """Rank the field that held the value: the same name, then the usual handles in order."""
    if name == wanted.name:
        return 0
    tail = name.rpartition("_")[2]
    want = wanted.name.rpartition("_")[2]
    owner = stem(value.name)
    rank = _NO_HANDLE
    if _abbreviates(wanted, name, tail) and value.collection == wanted.prefix:
        rank = 2
    elif isinstance(value.value, bool | float) or (owner and owner != value.resource):
        rank = _NO_HANDLE + 1  # `owner_id` of a user is no user's id
    elif not name:
        rank = 3
    elif tail in HANDLES:
        rank = 1 if tail == want else 4 + HANDLES.index(tail)
    elif name == "title" and want == "name":
        rank = 30
    return rank
