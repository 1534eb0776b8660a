"""One value as it is kept between runs: what is written, and what may be read back.

Nothing secret or personal is written, in no field: a record is kept as a digest, an address among
the arguments or a description that holds one is left out. What is read back is checked again, since
others may write to the same server.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Annotated, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from doc2tools.compiler.ir.base import Origin, ValueType
from doc2tools.compiler.passes.splitting import split_address
from doc2tools.param_db.fit import Scalar
from doc2tools.param_db.naming import HANDLES, fold, is_generic, path_noun, singular_phrase, stem
from doc2tools.param_db.privacy import is_personal_value, is_secret_name
from doc2tools.param_db.value import Value, is_kept

__all__ = [
    "ADDED",
    "Entry",
    "at",
    "field_key",
    "field_of_entry",
    "filters",
    "group_of",
    "host_of",
    "pack",
    "pack_all",
    "unpack",
]

ADDED = "params add"
"""The source of a value that a person put in by hand."""

_TEXT = 300
_MAX_ENTRY = 20_000
_PORTS = {"http": ":80", "https": ":443"}


class Entry(BaseModel):
    """A value with what is known of it from all runs.

    Attributes:
        id: Address of the entry, made from host, resource, name, value, collection and context.
        seen: Day and time at which it was last seen, UTC, ISO 8601; decides nothing in a run.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    id: str = ""
    name: Annotated[str, Field(max_length=_TEXT)]
    value: Scalar
    resource: Annotated[str, Field(max_length=_TEXT)] = ""
    type: ValueType = "string"
    description: Annotated[str, Field(max_length=_TEXT)] = ""
    origin: Origin
    endpoint: Annotated[str, Field(max_length=_TEXT)] = ""
    field_path: Annotated[str, Field(max_length=_TEXT)] = ""
    host: Annotated[str, Field(max_length=_TEXT)] = ""
    record: Annotated[str, Field(max_length=_TEXT)] = ""
    collection: Annotated[str, Field(max_length=_TEXT)] = ""
    context: tuple[Scalar, ...] = Field(default=(), max_length=20, strict=False)
    successes: int = Field(default=0, ge=0)
    failures: int = Field(default=0, ge=0)
    seen: Annotated[str, Field(max_length=40)] = ""

    def as_value(self) -> Value:
        """Give it as a run works with it."""
        fields = {name: getattr(self, name) for name in Value.__slots__}
        return Value(**fields)


def host_of(address: str) -> str:
    """Give the server of an address or of a `name:port`, in one spelling.

    >>> host_of("https://Ann@API.example.org:443/v2")
    'api.example.org'
    """
    text = address if "://" in address else f"//{address}"
    parts = split_address(text)
    host = parts.netloc.rpartition("@")[2].lower()
    return host.removesuffix(_PORTS.get(parts.scheme.lower(), "\0"))


def pack(value: Value, host: str, seen: str) -> Entry | None:
    """Give the entry that may be written for `value`, or `None` where nothing may."""
    names = (value.name, value.field_path, value.resource, value.collection, value.endpoint)
    if not is_kept(value) or value.resource.startswith("@") or not all(map(_may_be_named, names)):
        return None
    personal = any(isinstance(held, str) and is_personal_value(held) for held in value.context)
    description = "" if is_personal_value(value.description) else value.description
    named = (fold(value.name), value.resource, value.collection, value.origin)
    context = () if personal else value.context
    return Entry(
        id=_digest(host, *named, repr(value.value), repr(context)),
        name=value.name[:_TEXT],
        value=value.value,
        resource=value.resource[:_TEXT],
        type=value.type,
        description=description[:_TEXT],
        origin=value.origin,
        endpoint=value.endpoint[:_TEXT],
        field_path=value.field_path[:_TEXT],
        host=host[:_TEXT],
        record=value.record[:_TEXT],
        collection=value.collection[:_TEXT],
        context=context[:20],
        successes=value.successes,
        failures=value.failures,
        seen=seen,
    )


def pack_all(values: list[Value], host: str, seen: str) -> list[Entry]:
    """Give the entries that may be written for the values of one run.

    A record is named by a digest of all that its answer held: values of two answers, of which one
    came where the other had been, never pass for one record.
    """
    contents: dict[str, list[str]] = {}
    for value in values:
        root = value.record.partition("/")[0]
        contents.setdefault(root, []).append(f"{value.name}={value.value!r}")
    roots = {root: _digest(root, *sorted(held)) for root, held in contents.items()}
    found: dict[str, Entry] = {}
    for value in values:
        entry = pack(value, host, seen)
        if entry is None:
            continue
        root, *inner = value.record.split("/")
        record = "/".join((roots[root][:16], *(_digest(part)[:8] for part in inner)))
        entry = entry.model_copy(update={"record": record[:_TEXT] if value.record else ""})
        found.setdefault(entry.id, entry)
    return list(found.values())


def filters(entry: Entry) -> dict[str, str]:
    """Give the metadata of an entry: what it is found by, and the entry itself as JSON.

    Every key costs a row and two index entries, so that what `field` finds has no other key.
    """
    name = fold(entry.name)
    held = {"host": entry.host, "field": field_of_entry(entry)}
    if name and not is_generic(name):
        held["name"] = at(entry.host, name)
    if entry.collection and singular_phrase(path_noun(entry.collection)) != entry.resource:
        held["collection"] = at(entry.host, entry.collection)
    if entry.record:
        held["record"] = at(entry.host, entry.record)
    if entry.endpoint == ADDED:
        held["added"] = "yes"
    text = entry.model_dump_json(exclude={"id", "host"}, exclude_defaults=True)
    return held | {"entry": text}


def at(host: str, key: str) -> str:
    """Give what a filter compares: a key of one host."""
    return f"{host} {key}"


def field_key(host: str, resource: str, name: str) -> str:
    """Give what finds the fields of a resource by which a record is addressed: `userId` as `id`."""
    folded = fold(name)
    tail = folded.rpartition("_")[2]
    return f"{host} {resource} {tail if tail in HANDLES else folded}"


def field_of_entry(entry: Entry) -> str:
    """Give the key of an entry's field; what names another record, a song's `album_id`, is there.

    A field of that kind is tried for the record that it names and for its own name, never as an
    identifier of the record that holds it.
    """
    return field_key(entry.host, stem(entry.name) or entry.resource, entry.name)


def group_of(entry: Entry) -> tuple[str, str, str]:
    """Give what bounds how many values are kept: one field of one collection of a host."""
    return (fold(entry.name), entry.resource, entry.collection)


def unpack(identifier: object, metadata: object) -> Entry | None:
    """Read an entry back, or give `None` for what is none of ours or must not be used."""
    held = cast("dict[str, object]", metadata) if isinstance(metadata, dict) else {}
    text, host = held.get("entry"), held.get("host")
    if not isinstance(text, str) or not isinstance(host, str) or len(text) > _MAX_ENTRY:
        return None
    try:
        entry = Entry.model_validate_json(text)
    except (ValidationError, RecursionError):
        return None
    entry = entry.model_copy(update={"id": str(identifier), "host": host[:_TEXT]})
    return entry if is_kept(entry.as_value()) else None


@lru_cache(maxsize=8192)
def _may_be_named(name: str) -> bool:
    """Tell whether a name, which a server may have made, holds no secret and is no secret's."""
    return not is_personal_value(name) and not any(map(is_secret_name, name.split(".")))


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
