"""Takes parameter values out of an answer, with field paths, resource and record.

In go an endpoint, the arguments of the call and its validated exchange; out come `Value`s, at most
`MAX_PER_ANSWER`, in the answer's order.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from doc2tools.compiler.ir.base import JsonValue, ValueType
from doc2tools.compiler.ir.exchange import Exchange
from doc2tools.compiler.ir.outcome import Argument
from doc2tools.compiler.ir.spec import ApiSpec, Endpoint
from doc2tools.compiler.passes.splitting import split_address
from doc2tools.compiler.validate.answer import read_answer
from doc2tools.compiler.validate.filters import is_stand_in
from doc2tools.compiler.validate.linked import ID_LIKE, header_values, turned
from doc2tools.param_db.naming import (
    fold,
    is_action,
    is_structural,
    path_noun,
    path_shape,
    placeholders,
    resource_before,
    singular_phrase,
    stem,
)
from doc2tools.param_db.privacy import is_secret_name
from doc2tools.param_db.values import MAX_PER_ANSWER, Scalar, Value

__all__ = ["documented_values", "harvest"]

_MAX_DEPTH = 12
_MAX_ITEMS = 60
_CODE = re.compile(r"[A-Z]{2,5}|\d{1,18}|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}")
_SURE = re.compile(
    r"\d{1,18}|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|[0-9a-fA-F]{12,64}"
    r"|(?=\S{0,99}\d)(?=\S{0,99}[-_:/.])\S{4,100}"
)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the walk stands: what the values here belong to."""

    resource: str
    path: str
    record: str
    depth: int


def harvest(endpoint: Endpoint, arguments: Sequence[Argument], exchange: Exchange) -> list[Value]:
    """Give the values that an answer holds."""
    response = exchange.response
    if response is None:
        return []
    url = exchange.request.url
    host = split_address(url).netloc.rpartition("@")[2]
    given = {argument.name: argument.value for argument in arguments}
    context = tuple(
        value
        for name in placeholders(endpoint.path)
        if isinstance(value := given.get(name), str | int | float | bool)
    )
    resource = _resource(endpoint.path)
    shape = path_shape(endpoint.path)
    base = Value(
        name="",
        value="",
        resource=resource,
        origin="observed",
        endpoint=endpoint.name,
        host=host,
        collection=shape,
        context=context,
    )
    answer = read_answer(response)
    record = f"{endpoint.name}({','.join(map(str, context))})"
    found: list[Value] = list(header_values(response.headers, base, endpoint, url))
    if answer.kind in {"json", "json-lines", "xml"}:
        place = _Place(resource, "", record, 0)
        walk = _Walk(base, endpoint, url)
        for value in walk.values(answer.payload, place):
            if isinstance(value.value, float) and not math.isfinite(value.value):
                continue
            found.append(value)
            if len(found) >= MAX_PER_ANSWER:
                break
    return found


def _resource(path: str) -> str:
    """Give the noun that an answer's records belong to: `/users/search` still gives users."""
    noun = singular_phrase(path_noun(path))
    if not is_action(noun):
        return noun
    head = path.partition("?")[0].rstrip("/").rpartition("/")[0]
    outer = singular_phrase(path_noun(head))
    return outer if head and "}" not in head.rpartition("/")[2] and not is_action(outer) else ""


@dataclass(frozen=True, slots=True)
class _Walk:
    """Goes through one answer, giving values as it meets them."""

    base: Value
    endpoint: Endpoint
    url: str

    def values(self, node: JsonValue, place: _Place) -> Iterator[Value]:
        if place.depth > _MAX_DEPTH:
            return
        if isinstance(node, dict):
            yield from self._map(node, place) if _is_map(node) else self._object(node, place)
        elif isinstance(node, list):
            yield from self._list(node, place)

    def _map(self, node: dict[str, JsonValue], place: _Place) -> Iterator[Value]:
        """Give the keys of a map as identifiers, each in the record that it names."""
        path = f"{place.path}.*" if place.path else "*"
        resource = place.resource
        if "[]" in place.path or "*" in place.path:  # a record's own content, not its siblings
            resource = singular_phrase(fold(place.path.rpartition(".")[2])) or resource
        for key, item in list(node.items())[: _MAX_ITEMS * 2]:
            if is_secret_name(key):
                continue
            record = f"{place.record}/{key}"
            inner = _Place(resource, path, record, place.depth + 1)
            yield _value(self.base, "", key, inner)
            yield from self.values(item, inner)

    def _object(self, node: dict[str, JsonValue], place: _Place) -> Iterator[Value]:
        parent = place.path.rpartition(".")[2].removesuffix("[]")
        for key, item in list(node.items())[: _MAX_ITEMS * 2]:
            if is_secret_name(key):
                continue
            path = f"{place.path}.{key}" if place.path else key
            if isinstance(item, dict | list):
                below = _Place(_below(key, place.resource), path, place.record, place.depth + 1)
                yield from self.values(item, below)
            elif isinstance(item, str | int | float):
                found = _value(self.base, key.lstrip("@#"), item, replace(place, path=path))
                yield found
                for one in turned(key, parent, found, self.endpoint, self.url):
                    yield replace(one, type=_type(one.value))

    def _list(self, node: list[JsonValue], place: _Place) -> Iterator[Value]:
        path = f"{place.path}[]"
        for position, item in enumerate(node[:_MAX_ITEMS]):
            if isinstance(item, dict | list):
                record = f"{place.record}/{place.path}[{position}]"
                yield from self.values(item, _Place(place.resource, path, record, place.depth + 1))
            elif isinstance(item, str | int | float):
                yield _value(self.base, "", item, replace(place, path=path))


def _value(base: Value, name: str, value: Scalar, place: _Place) -> Value:
    shallow = place.path.count("[]") == 1 and place.path.count(".") <= 1
    listed = place.resource == base.resource or shallow
    return replace(
        base,
        name=name,
        value=value,
        type=_type(value),
        resource=place.resource,
        field_path=place.path,
        record=place.record,
        collection=base.collection if listed else "",
    )


def _below(key: str, resource: str) -> str:
    noun = singular_phrase(fold(key))
    return resource if not noun or is_structural(noun) else noun


def _is_map(node: dict[str, JsonValue]) -> bool:
    """Tell a map from identifiers to records apart from a record.

    It is one by its keys where most look like identifiers, or by its records where three or more of
    them have the same fields.
    """
    keys = [key[:200] for key in list(node)[:_MAX_ITEMS]]
    items = list(node.values())[:_MAX_ITEMS]
    if len(node) < 2:
        return all(isinstance(item, dict) for item in items) and any(map(_SURE.fullmatch, keys))
    if all(isinstance(item, dict) for item in items) or all(
        isinstance(item, list) for item in items
    ):
        likely = sum(1 for key in keys if ID_LIKE.fullmatch(key))
        shapes = {frozenset(item) if isinstance(item, dict) else None for item in items}
        alike = len(items) > 2 and len(shapes) == 1 and len(next(iter(shapes)) or ()) > 1
        return likely * 2 > len(keys) or alike
    return len(keys) > 2 and all(map(_CODE.fullmatch, keys))


def _type(value: Scalar) -> ValueType:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    return "number" if isinstance(value, float) else "string"


def documented_values(spec: ApiSpec) -> list[Value]:
    """Give the values that the documentation shows, samples first, stand-ins left out."""
    found: list[Value] = []
    for endpoint in spec.endpoints:
        for parameter in endpoint.parameters:
            noun = resource_before(endpoint.path, parameter.name)[0]
            resource = singular_phrase(noun) or stem(parameter.name)
            if parameter.location != "path":
                resource = stem(parameter.name) or singular_phrase(path_noun(endpoint.path))
            shown: list[tuple[JsonValue, str]] = [
                (sample[parameter.name], f"{endpoint.name}#sample{number}")
                for number, sample in enumerate(endpoint.samples)
                if parameter.name in sample
            ]
            shown += [(example.value, "") for example in parameter.examples]
            found.extend(
                Value(
                    name=parameter.name,
                    value=value,
                    resource=resource,
                    type=parameter.type,
                    description=parameter.description[:200],
                    origin="documented",
                    endpoint=endpoint.name,
                    record=record,
                )
                for value, record in shown
                if isinstance(value, str | int | float) and not is_stand_in(value, parameter.name)
            )
    return found
