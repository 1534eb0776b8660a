"""The shape of JSON values, learnt from examples: which fields there are, and of what types."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from doc2tools.compiler.ir.base import JsonValue

DEPTH = 6
ITEMS = 400
_PLAIN_KEY = re.compile(r"[A-Za-z_$@][A-Za-z0-9_$@ -]{0,60}\Z")
_ID_KEY = re.compile(
    r"(?:\d[\d.,:T+Z-]*|[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}|[0-9a-f]{12,64}"
    r"|(?=[0-9a-zA-Z]{0,40}\d)[0-9a-zA-Z]{16,40})\Z"
)
_MAP_SIZE = 24


@dataclass(slots=True)
class Shape:
    """What was seen at one place.

    Attributes:
        seen: How many values.
        scalars: Names of the scalar types among them: `null`, `bool`, `int`, `float`, `str`.
        objects: How many objects; `fields` are theirs, with how often each was there.
        items: The shape of all lists' items, if there was a list.
        deep: Something below was too deep, or has names that are no Unicode.
    """

    seen: int = 0
    scalars: set[str] = field(default_factory=set[str])
    objects: int = 0
    fields: dict[str, Shape] = field(default_factory=dict[str, "Shape"])
    lists: int = 0
    items: Shape | None = None
    deep: bool = False

    def is_map(self) -> bool:
        """Say whether the objects are maps: their keys are data (ids, paths), not field names."""
        if not self.objects or not self.fields:
            return False
        keys = list(self.fields)
        if all(_ID_KEY.match(key) or not _PLAIN_KEY.match(key) for key in keys):
            return True
        return len(keys) >= _MAP_SIZE and _alike(list(self.fields.values()))

    def values(self) -> Shape:
        """Give the shape of all values of a map."""
        whole = Shape()
        for shape in self.fields.values():
            merge(whole, shape)
        return whole


def learn(values: Iterable[JsonValue]) -> Shape:
    """Learn the shape that all of `values` have in common."""
    shape = Shape()
    for value in values:
        _add(shape, value, 0)
    return shape


def _add(shape: Shape, value: JsonValue, depth: int) -> None:
    shape.seen += 1
    if isinstance(value, dict | list) and (depth >= DEPTH or not _is_encodable(value)):
        shape.deep = True
    elif isinstance(value, dict):
        shape.objects += 1
        for key, item in value.items():
            _add(shape.fields.setdefault(key, Shape()), item, depth + 1)
    elif isinstance(value, list):
        shape.lists += 1
        shape.items = shape.items or Shape()
        for item in value[:ITEMS]:
            _add(shape.items, item, depth + 1)
    else:
        shape.scalars.add("null" if value is None else type(value).__name__)


def _is_encodable(value: dict[str, JsonValue] | list[JsonValue]) -> bool:
    """Say whether an object's names are Unicode; JSON can hold lone surrogates."""
    if isinstance(value, list):
        return True
    try:
        "".join(value).encode()
    except UnicodeEncodeError:
        return False
    return True


def merge(into: Shape, other: Shape) -> None:
    """Add all that `other` has seen."""
    into.seen += other.seen
    into.scalars |= other.scalars
    into.objects += other.objects
    into.lists += other.lists
    into.deep = into.deep or other.deep
    for key, shape in other.fields.items():
        merge(into.fields.setdefault(key, Shape()), shape)
    if other.items is not None:
        into.items = into.items or Shape()
        merge(into.items, other.items)


def _alike(shapes: list[Shape]) -> bool:
    """Say whether shapes are of one kind: one scalar type, or objects with the same fields."""
    first = shapes[0]
    kind = (frozenset(first.scalars - {"null"}), bool(first.objects), bool(first.lists))
    names = frozenset(first.fields)
    return all(
        (frozenset(s.scalars - {"null"}), bool(s.objects), bool(s.lists)) == kind
        and frozenset(s.fields) == names
        for s in shapes
    )


def field_paths(value: JsonValue, limit: int = 500) -> tuple[str, ...]:
    """List the paths of a value's fields, such as `data[].id`; the value itself has none."""
    paths: dict[str, None] = {}
    _paths(learn([value]), "", paths, limit)
    return tuple(paths)


def _paths(shape: Shape, prefix: str, paths: dict[str, None], limit: int) -> None:
    if shape.items is not None:
        path = f"{prefix}[]"
        if len(paths) < limit:
            paths[path] = None
        _paths(shape.items, path, paths, limit)
    fields = {"*": shape.values()} if shape.is_map() else shape.fields
    for key, inner in fields.items():
        if len(paths) >= limit:
            return
        path = f"{prefix}.{key[:120]}" if prefix else key[:120]
        paths[path] = None
        _paths(inner, path, paths, limit)
