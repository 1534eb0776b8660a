"""Records that answers gave, by the names of their fields: values for several parameters at once.

`/credentials/{type}/{id}` has no list of its own. A record with a field `type` and a field `id`
gives both; values of different records are never put together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.param_db.naming import fold, path_shape, placeholders
from doc2tools.param_db.privacy import is_personal_value, is_secret_name
from doc2tools.param_db.values import Value

__all__ = ["NOTHING", "Records", "Surroundings", "folded_placeholders", "surroundings"]

_MAX_RECORDS = 3_000
_MAX_FIELDS = 40
_MAX_LENGTH = 300


@dataclass(slots=True)
class Records:
    """The records of validated answers, in the order of their arrival, bounded."""

    _held: dict[str, dict[str, Value]] = field(default_factory=dict[str, dict[str, Value]])

    def add(self, values: Iterable[Value]) -> None:
        """Keep the named values of every record, secrets and personal data left out."""
        for value in values:
            name = fold(value.name)
            text = str(value.value)
            if not name or not value.record or not text.strip() or len(text) > _MAX_LENGTH:
                continue
            if is_secret_name(value.name) or is_personal_value(text):
                continue
            if value.record not in self._held and len(self._held) >= _MAX_RECORDS:
                continue
            fields = self._held.setdefault(value.record, {})
            if len(fields) < _MAX_FIELDS:
                fields.setdefault(name, value)

    def named(self, names: Sequence[str], limit: int = 3) -> tuple[Value, ...]:
        """Give different values of fields of these folded names, the best name first."""
        found: dict[str, Value] = {}
        for name in names:
            for fields in self._held.values():
                if name in fields and len(found) < limit:
                    found.setdefault(str(fields[name].value), fields[name])
        return tuple(found.values())

    def below(self, endpoint: str, names: Sequence[str]) -> Iterator[Value]:
        """Give the handles of the records that one endpoint's answers list, by field in turns.

        Args:
            endpoint: The tool's name.
            names: Folded names of the fields that count, the best first.
        """
        for name in names:
            for fields in self._held.values():
                value = fields.get(name)
                if value is not None and value.endpoint == endpoint and "[]" in value.field_path:
                    yield value

    def with_fields(self, names: Sequence[str]) -> Iterator[tuple[Value, ...]]:
        """Give the values of `names` of each record that has them all, different ones first.

        A record whose first value was not given yet goes before one whose first value was.
        """
        folded = [fold(name) for name in names]
        found = [
            tuple(fields[name] for name in folded)
            for fields in self._held.values()
            if all(name in fields for name in folded)
        ]
        seen: set[str] = set()
        later: list[tuple[Value, ...]] = []
        for values in found:
            first = str(values[0].value)
            if first in seen:
                later.append(values)
            else:
                seen.add(first)
                yield values
        yield from later


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What planning knows beside single values.

    Attributes:
        records: The records of the answers so far; changed only between waves.
        collections: Shapes of the documented paths that end in a word: what the API lists.
        lists: These paths as they are.
        placed: Name of each reading endpoint to the names of its placeholders, folded.
    """

    records: Records
    collections: frozenset[str] = frozenset()
    lists: tuple[str, ...] = ()
    placed: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def same_placeholders(self, endpoint: str, names: Sequence[str]) -> bool:
        """Tell whether an endpoint's path has placeholders of these names, in this order."""
        wanted = tuple(fold(name) for name in names)
        return any(name == endpoint and held == wanted for name, held in self.placed)


NOTHING = Surroundings(Records())
"""For planning a tool alone."""


def surroundings(endpoints: Iterable[Endpoint]) -> Surroundings:
    """Give the surroundings of an API before its first answer."""
    reading = [endpoint for endpoint in endpoints if endpoint.method.upper() == "GET"]
    lists = [
        path
        for path in (endpoint.path.partition("?")[0].rstrip("/") for endpoint in reading)
        if path and not path.endswith("}")
    ]
    return Surroundings(
        Records(),
        frozenset(path_shape(path) for path in lists),
        tuple(dict.fromkeys(lists)),
        tuple((endpoint.name, folded_placeholders(endpoint.path)) for endpoint in reading),
    )


def folded_placeholders(path: str) -> tuple[str, ...]:
    """Give the folded names of a template's placeholders in order."""
    return tuple(fold(name) for name in placeholders(path))
