"""Values kept between runs, in one Chroma collection for all hosts.

Every question names a host, except a person's own (`params list`, `params search`): a value never
comes back for another host than the one that it was seen on.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.param_db.chroma import Folder, Place, collection
from doc2tools.param_db.embedding import Embedder
from doc2tools.param_db.entry import (
    ADDED,
    Entry,
    at,
    field_key,
    field_of_entry,
    filters,
    group_of,
    pack_all,
    unpack,
)
from doc2tools.param_db.erase import erase
from doc2tools.param_db.meaning import Meaning, wording
from doc2tools.param_db.naming import HANDLES, is_generic
from doc2tools.param_db.ranking import wanted_for
from doc2tools.param_db.value import Value
from doc2tools.param_db.values import ValueStore

__all__ = ["KEPT_PER_FIELD", "Found", "StoredValues", "stored_values"]

KEPT_PER_FIELD = 20
"""Values kept of one field of one collection of one host; those that worked, then the newest."""

_BATCH = 1000
_NEAR = 200
_NAMESAKES = 60
_PAGE = 2000
_KEYS = 100
_MATES = 400
_VALUE_SHARE = 0.35
"""Share of the value itself in a vector: it tells the values of one field apart."""
_UNCHANGED = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Found:
    """An entry that a search found; `closeness` is 1 for the same words."""

    entry: Entry
    closeness: float


@contextlib.contextmanager
def stored_values(place: Place, embedder: Embedder) -> Generator[StoredValues]:
    """Open the store for one piece of work.

    Raises:
        StoreError: It can't be opened or used.
        UsageError: It holds vectors of another model.
    """
    with collection(place, embedder) as held:
        store = StoredValues(held, embedder)
        yield store
    if store.erased and isinstance(place, Folder):
        erase(place, store.erased)


class StoredValues:
    """The open store. Every method may raise what `stored_values` raises."""

    def __init__(self, held: Any, embedder: Embedder) -> None:  # noqa: ANN401 - chromadb's type
        """Work on an open collection."""
        self._held = held
        self._embedder = embedder
        self._meaning = Meaning(lambda: embedder)
        self.erased: list[str] = []

    def __len__(self) -> int:
        """Give the number of entries."""
        return int(self._held.count())

    def save(self, values: Sequence[Value], host: str, seen: datetime | None = None) -> int:
        """Keep what the rules allow of one run's values; give how many entries were written.

        Successes and failures are added to those known. Of one field at most `KEPT_PER_FIELD`
        values stay: first those that worked, then those seen last.
        """
        moment = seen or datetime.now(UTC)
        stamp = moment.isoformat(timespec="seconds")
        entries = pack_all(list(values), host, stamp)
        written: list[Entry] = []
        dropped: list[str] = []
        known = self._known(entries)
        groups: dict[tuple[str, str, str], list[Entry]] = {}
        for entry in entries:
            groups.setdefault(group_of(entry), []).append(entry)
        for group, new in groups.items():
            held = {entry.id: entry for entry in known.get(group, ())}
            fresh = [_merged(held.get(entry.id), entry, moment) for entry in new]
            changed = [entry for entry in fresh if entry is not None]
            held |= {entry.id: entry for entry in changed}
            ordered = sorted(held.values(), key=_worth, reverse=True)
            kept = {entry.id for entry in ordered[:KEPT_PER_FIELD]}
            written += [entry for entry in changed if entry.id in kept]
            dropped += [entry.id for entry in known.get(group, ()) if entry.id not in kept]
        self._write(written)
        self._delete(dropped)
        return len(written)

    def candidates(
        self, parameter: Parameter, endpoint: Endpoint, host: str, limit: int = 10
    ) -> tuple[Value, ...]:
        """Give the values of a host that are most likely to work for a parameter, best first."""
        view = ValueStore(self._meaning)
        view.add(self._own(parameter, endpoint, host))
        found = view.candidates(parameter, endpoint, limit)
        where = _around(parameter, endpoint, host)
        if len(found) >= limit or not where:
            return found
        view.add(self._matching(where, host, _NAMESAKES))
        return view.candidates(parameter, endpoint, limit)

    def _own(self, parameter: Parameter, endpoint: Endpoint, host: str) -> list[Value]:
        """Give the values of a host in fields of what a parameter names, in no order."""
        wanted = wanted_for(parameter, endpoint)
        nouns = {wanted.noun, wanted.stem, wanted.name, wanted.resource} - {""}
        names = (wanted.name, "", "title", *HANDLES)
        keys = {field_key(host, noun, name) for noun in nouns for name in names}
        return self._matching({"field": {"$in": sorted(keys)}}, host, _NEAR) if keys else []

    def _matching(self, where: dict[str, Any], host: str, limit: int) -> list[Value]:
        found = self._held.get(where=where, limit=limit, include=["metadatas"])
        entries = _entries(found["ids"], found["metadatas"])
        return [entry.as_value() for entry in entries if entry.host == host]

    def mates(self, values: Iterable[Value], host: str) -> list[Value]:
        """Give the values of the records that `values` come from."""
        records: set[str] = set()
        for value in values:
            record = value.record
            while record:
                records.add(at(host, record))
                record = record.rpartition("/")[0]
        if not records:
            return []
        where = {"record": {"$in": sorted(records)[:_MATES]}}
        return self._matching(where, host, _MATES)

    def added(self, host: str = "") -> list[Entry]:
        """Give the values that a person put in, for a host or for all, by name."""
        where: dict[str, Any] = {"added": "yes"}
        if host:
            where = {"$and": [where, {"host": host}]}
        found = self._held.get(where=where, include=["metadatas"])
        entries = _entries(found["ids"], found["metadatas"])
        ours = [entry for entry in entries if entry.endpoint == ADDED]
        return sorted(ours, key=lambda one: (one.host, one.name, one.id))

    def every(self, host: str = "") -> Iterator[Entry]:
        """Give every entry, or those of one host, in no order that means anything."""
        offset = 0
        where = {"host": host} if host else None
        while True:
            found = self._held.get(where=where, limit=_PAGE, offset=offset, include=["metadatas"])
            yield from _entries(found["ids"], found["metadatas"])
            if len(found["ids"]) < _PAGE:
                return
            offset += _PAGE

    def search(self, text: str, host: str = "", limit: int = 20) -> list[Found]:
        """Give the entries closest to `text` in meaning, the closest first."""
        if not len(self):
            return []
        found = self._held.query(
            query_embeddings=self._embedder.embed([text]),
            n_results=limit,
            where={"host": host} if host else None,
            include=["metadatas", "distances"],
        )
        close = dict(zip(found["ids"][0], found["distances"][0], strict=True))
        entries = _entries(found["ids"][0], found["metadatas"][0])
        return [Found(entry, 1.0 - float(close[entry.id])) for entry in entries]

    def put(self, entry: Entry) -> None:
        """Keep one entry as it is."""
        self._write([entry])

    def forget(self, identifiers: Sequence[str]) -> None:
        """Delete entries, their bytes on disk included once the store is closed."""
        self._delete(identifiers)
        self.erased += identifiers

    def _known(self, entries: Sequence[Entry]) -> dict[tuple[str, str, str], list[Entry]]:
        """Give what is held of the fields that `entries` are values of."""
        known: dict[tuple[str, str, str], list[Entry]] = {}
        if not entries or not len(self):
            return known
        keys = sorted({field_of_entry(one) for one in entries})
        for start in range(0, len(keys), _KEYS):
            where = {"field": {"$in": keys[start : start + _KEYS]}}
            found = self._held.get(where=where, include=["metadatas"])
            for entry in _entries(found["ids"], found["metadatas"]):
                known.setdefault(group_of(entry), []).append(entry)
        return known

    def _write(self, entries: Sequence[Entry]) -> None:
        for start in range(0, len(entries), _BATCH):
            batch = entries[start : start + _BATCH]
            self._held.upsert(
                ids=[entry.id for entry in batch],
                embeddings=self._vectors(batch),
                metadatas=[filters(entry) for entry in batch],
            )

    def _vectors(self, entries: Sequence[Entry]) -> Any:  # noqa: ANN401 - numpy array
        fields = [wording(one.name, one.resource, one.description) for one in entries]
        rows = self._meaning.vectors(fields)
        rows = rows + _VALUE_SHARE * self._embedder.embed([str(one.value) for one in entries])
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)

    def _delete(self, identifiers: Sequence[str]) -> None:
        for start in range(0, len(identifiers), _BATCH):
            self._held.delete(ids=list(identifiers[start : start + _BATCH]))


def _around(parameter: Parameter, endpoint: Endpoint, host: str) -> dict[str, Any]:
    """Give what finds values of the parameter's name anywhere, and of the list that it lies in."""
    wanted = wanted_for(parameter, endpoint)
    where: list[dict[str, Any]] = []
    if not is_generic(wanted.name):
        where.append({"name": at(host, wanted.name)})
    if wanted.prefix:
        where.append({"collection": at(host, wanted.prefix)})
    if len(where) > 1:
        return {"$or": where}
    return where[0] if where else {}


def _merged(known: Entry | None, entry: Entry, moment: datetime) -> Entry | None:
    """Join what a run saw with what was known; `None` where that says nothing new."""
    if known is None:
        return entry
    counted = entry.successes or entry.failures
    if not counted and known.record == entry.record and _is_recent(known.seen, moment):
        return None
    return entry.model_copy(
        update={
            "description": entry.description or known.description,
            "successes": known.successes + entry.successes,
            "failures": known.failures + entry.failures,
        }
    )


def _is_recent(seen: str, moment: datetime) -> bool:
    try:
        return moment - datetime.fromisoformat(seen) < _UNCHANGED
    except (ValueError, TypeError):
        return False


def _worth(entry: Entry) -> tuple[bool, int, str]:
    """Order what is kept of a field; of equals, those that an answer gave first."""
    worked = max(-3, min(3, entry.successes - entry.failures))
    return (entry.endpoint == ADDED, worked, entry.seen)


def _entries(identifiers: Sequence[object], metadatas: Sequence[object]) -> list[Entry]:
    pairs = zip(identifiers, metadatas, strict=True)
    found = (unpack(identifier, metadata) for identifier, metadata in pairs)
    return [entry for entry in found if entry is not None]
