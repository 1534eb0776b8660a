"""Takes parameter values out of an answer, with field paths, resource and record.

In go an endpoint, the arguments of the call and its validated exchange; out come `Value`s, at most
`MAX_PER_ANSWER`, in the answer's order.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import unquote

from doc2tools.compiler.ir.base import JsonValue, ValueType
from doc2tools.compiler.ir.exchange import Exchange
from doc2tools.compiler.ir.outcome import Argument
from doc2tools.compiler.ir.spec import ApiSpec, Endpoint
from doc2tools.compiler.passes.splitting import split_address
from doc2tools.compiler.validate.answer import read_answer
from doc2tools.compiler.validate.filters import is_stand_in
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
_LINK = re.compile(r"<([^<>]{1,1000})>")
_ID_LIKE = re.compile(
    r"\d+|[0-9a-fA-F]{8,}|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|\S*[\d/:.-]\S*|[A-Z][A-Za-z]+|\w*_\w*"
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
    host = split_address(exchange.request.url).netloc.rpartition("@")[2]
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
    found: list[Value] = list(_header_values(response.headers, base))
    if answer.kind in {"json", "json-lines", "xml"}:
        place = _Place(resource, "", record, 0)
        for value in _walk(answer.payload, place, base):
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


def _walk(node: JsonValue, place: _Place, base: Value) -> Iterator[Value]:
    if place.depth > _MAX_DEPTH:
        return
    if isinstance(node, dict):
        yield from _object(node, place, base)
    elif isinstance(node, list):
        yield from _list(node, place, base)


def _object(node: dict[str, JsonValue], place: _Place, base: Value) -> Iterator[Value]:
    keyed = _is_map(node)
    for position, (key, item) in enumerate(node.items()):
        if position >= _MAX_ITEMS * 2:
            return
        if is_secret_name(key):
            continue
        if keyed:
            record = f"{place.record}/{key}"
            path = f"{place.path}.*" if place.path else "*"
            yield _value(base, "", key, replace(place, path=path, record=record))
            inner = _Place(place.resource, path, record, place.depth + 1)
            yield from _walk(item, inner, base)
            continue
        path = f"{place.path}.{key}" if place.path else key
        if isinstance(item, dict | list):
            below = _Place(_below(key, place.resource), path, place.record, place.depth + 1)
            yield from _walk(item, below, base)
        elif isinstance(item, str | int | float):
            yield _value(base, key.lstrip("@#"), item, replace(place, path=path))


def _list(node: list[JsonValue], place: _Place, base: Value) -> Iterator[Value]:
    path = f"{place.path}[]"
    for position, item in enumerate(node[:_MAX_ITEMS]):
        if isinstance(item, dict | list):
            record = f"{place.record}/{place.path}[{position}]"
            yield from _walk(item, _Place(place.resource, path, record, place.depth + 1), base)
        elif isinstance(item, str | int | float):
            yield _value(base, "", item, replace(place, path=path))


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
    """Tell a map from identifiers to records apart from a record."""
    if len(node) < 2:
        return False
    kinds = {type(item) for item in node.values()}
    if len(kinds) != 1 or not kinds <= {dict, list}:
        return False
    keys = list(node)[:_MAX_ITEMS]
    return sum(1 for key in keys if _ID_LIKE.fullmatch(key[:200])) * 2 > len(keys)


def _header_values(headers: dict[str, str], base: Value) -> Iterator[Value]:
    location = headers.get("location", "")
    addresses = [location] if location else []
    addresses += _LINK.findall(headers.get("link", "")[:8000])
    for address in addresses:
        last = unquote(split_address(address).path.rstrip("/").rpartition("/")[2])
        if location and last and _ID_LIKE.fullmatch(last[:200]):
            noun = singular_phrase(path_noun(split_address(address).path.rpartition("/")[0]))
            yield replace(base, name="id", value=last, resource=noun, field_path="header:location")


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
