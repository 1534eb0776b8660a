"""Which operations belong together: collection and item, create, read, change and delete."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.param_db.naming import singular

__all__ = ["Group", "collection_of", "groups"]

_ITEM = re.compile(r"\{([^{}]{1,200})\}(?:\.[a-z]{1,5})?")
_EXTENSION = re.compile(r"\.(?:json|xml|html|txt)$")
_CREATE_WORDS = frozenset({"create", "new", "add"})

Key = tuple[str, tuple[str, ...]]


@dataclass(slots=True)
class Group:
    """Operations on one kind of object.

    Attributes:
        collection: Those on the collection, by method; the first of each.
        item: Those on one object, by method.
        key: The item operations' path parameter, by tool.
        spare: Operations whose part another one has.
    """

    collection: dict[str, Endpoint] = field(default_factory=dict[str, Endpoint])
    item: dict[str, Endpoint] = field(default_factory=dict[str, Endpoint])
    key: dict[str, str] = field(default_factory=dict[str, str])
    spare: list[Endpoint] = field(default_factory=list[Endpoint])


def groups(endpoints: Sequence[Endpoint]) -> dict[Key, Group]:
    """Sort operations into groups, in the order of their first member."""
    found: dict[Key, Group] = {}
    for endpoint in endpoints:
        if endpoint.fixed_query or not endpoint.base_url:
            continue
        place, key = _place(endpoint)
        if not place:
            continue
        group = found.setdefault((endpoint.base_url, place), Group())
        part = group.item if key else group.collection
        method = endpoint.method.upper()
        if method in part:
            group.spare.append(endpoint)
            continue
        part[method] = endpoint
        if key:
            group.key[endpoint.name] = key
    return found


def collection_of(endpoint: Endpoint) -> tuple[str, ...]:
    """Give the exact path, as segments, of the collection that an operation works on or in."""
    segments, _ = _read(endpoint)
    return tuple("{}" if "{" in part else part for part in segments)


def _place(endpoint: Endpoint) -> tuple[tuple[str, ...], str]:
    """Give where the objects of an operation lie, and its item key, "" for the collection."""
    segments, key = _read(endpoint)
    return _shape(segments), key


def _read(endpoint: Endpoint) -> tuple[list[str], str]:
    segments = [part for part in endpoint.path.split("/") if part]
    if not segments:
        return [], ""
    item = _ITEM.fullmatch(segments[-1])
    if item:
        return segments[:-1], item.group(1)
    segments[-1] = _EXTENSION.sub("", segments[-1])
    if endpoint.method.upper() == "POST" and segments[-1].lower() in _CREATE_WORDS:
        segments.pop()
    return segments, ""


def _shape(segments: Sequence[str]) -> tuple[str, ...]:
    """Fold placeholders, and the plural of the last word: `/note/{id}` belongs to `/notes`."""
    shaped = ["{}" if "{" in part else part for part in segments]
    if shaped:
        shaped[-1] = singular(shaped[-1].lower()) if shaped[-1] != "{}" else "{}"
    return tuple(shaped)
