"""The fields of one tool's answer: as really observed, else as examples and schemas tell.

In go a tool and its recorded answer; out come distinct field paths with type, meaning and the first
values seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from doc2tools.compiler.ir.base import JsonValue, ValueType
from doc2tools.compiler.ir.draft import AnswerField
from doc2tools.compiler.ir.outcome import Tool, Validated
from doc2tools.compiler.passes.answer_paths import EACH, KEYS, WHOLE, with_key
from doc2tools.compiler.validate.answer import parse_json, read_answer
from doc2tools.param_db.naming import words
from doc2tools.param_db.privacy import is_secret_name

__all__ = ["MAX_FIELDS", "AnswerShape", "Scalar", "SeenField", "answer_shape", "shape_of"]

Scalar = str | int | float | bool
MAX_FIELDS = 600
MAX_SAMPLES = 24
_MAX_DEPTH = 24
_MAX_ITEMS = 60
_MAX_LENGTH = 300
_ID_LIKE = re.compile(
    r"\d+|[0-9a-fA-F]{8,}|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|\S*[\d/:.-]\S*|[A-Z][A-Za-z]+|\w*_\w*"
)


@dataclass(slots=True)
class SeenField:
    """One field path and what was seen or said of it.

    Attributes:
        samples: Distinct values, in the answer's order.
    """

    path: str
    type: ValueType = "any"
    format: str = ""
    description: str = ""
    owners: tuple[str, ...] = ()
    enum: tuple[JsonValue, ...] = ()
    samples: list[Scalar] = field(default_factory=list[Scalar])
    observed: bool = False


@dataclass(frozen=True, slots=True)
class AnswerShape:
    """All fields of an answer, and the places at which it was empty."""

    fields: dict[str, SeenField]
    empty: frozenset[str] = frozenset()


def answer_shape(tool: Tool) -> AnswerShape:
    """Give the fields of a tool's answer.

    A recorded answer decides which fields there are; what the documentation says of a place that
    the recorded answer left empty is kept beside it.
    """
    described = {one.path: one for one in tool.endpoint.answer_fields}
    observed = _observed(tool)
    if observed is None:
        return _documented(tool, described)
    shape = shape_of(observed, observed=True)
    for path, seen in shape.fields.items():
        _describe(seen, described.get(path))
    if shape.empty:
        for path, seen in _documented(tool, described).fields.items():
            if path not in shape.fields and any(path.startswith(one) for one in shape.empty):
                shape.fields[path] = seen
    return shape


def _observed(tool: Tool) -> JsonValue:
    if not isinstance(tool.outcome, Validated):
        return None
    exchange = tool.outcome.attempt.exchange
    if exchange is None or exchange.response is None:
        return None
    return read_answer(exchange.response).payload


def _documented(tool: Tool, described: dict[str, AnswerField]) -> AnswerShape:
    fields: dict[str, SeenField] = {}
    for example in tool.endpoint.responses:
        if example.status is not None and not 200 <= example.status < 300:
            continue
        found, payload = parse_json(example.text)
        if found and isinstance(payload, dict | list):
            for path, seen in shape_of(payload, observed=False).fields.items():
                fields.setdefault(path, seen)
    for path, one in described.items():
        if path not in fields and not is_secret_name(path.rpartition(".")[2]):
            fields[path] = SeenField(path)
        if path in fields:
            _describe(fields[path], one)
    for path in tool.endpoint.response_fields:
        if not described and not fields.keys() & {path} and not _is_container(path, tool):
            fields[path] = SeenField(path)
    return AnswerShape(fields)


def _is_container(path: str, tool: Tool) -> bool:
    return any(
        other != path and other.startswith((f"{path}.", f"{path}["))
        for other in tool.endpoint.response_fields
    )


def _describe(seen: SeenField, said: AnswerField | None) -> None:
    if said is None:
        return
    if seen.type == "any":
        seen.type = said.type
    seen.format = said.format
    seen.description = said.description
    seen.owners = said.owners
    seen.enum = said.enum


def shape_of(payload: JsonValue, *, observed: bool) -> AnswerShape:
    """Give the fields of a parsed answer, at most `MAX_FIELDS`."""
    fields: dict[str, SeenField] = {}
    empty: set[str] = set()
    for path, value in _walk(payload):
        if value is None:
            empty.add(path)
            continue
        seen = fields.get(path)
        if seen is None:
            if len(fields) >= MAX_FIELDS:
                break
            seen = fields[path] = SeenField(path, type=type_of(value), observed=observed)
        elif seen.type != type_of(value):
            seen.type = _joint(seen.type, type_of(value))
        short = not isinstance(value, str) or len(value) <= _MAX_LENGTH
        if short and len(seen.samples) < MAX_SAMPLES and value not in seen.samples:
            seen.samples.append(value)
    return AnswerShape(fields, frozenset(empty))


def _joint(one: ValueType, other: ValueType) -> ValueType:
    return "number" if {one, other} == {"integer", "number"} else "any"


def _walk(payload: JsonValue) -> Iterator[tuple[str, Scalar | None]]:
    """Yield paths and values, breadth first, so that a long list hides nothing beside it.

    None marks a place that is null or empty.
    """
    level: list[tuple[JsonValue, str]] = [(payload, "")]
    for _ in range(_MAX_DEPTH):
        below: list[tuple[JsonValue, str]] = []
        for node, path in level:
            if isinstance(node, dict):
                keyed = is_map(node)
                for key, item in list(node.items())[: _MAX_ITEMS * 5]:
                    if keyed:
                        keys = with_star(path)
                        yield keys, key
                        below.append((item, keys))
                    elif not is_secret_name(key):
                        below.append((item, with_key(path, key)))
                if not node:
                    yield path, None
            elif isinstance(node, list):
                below.extend((item, f"{path}{EACH}") for item in node[:_MAX_ITEMS])
                if not node:
                    yield path, None
            elif isinstance(node, str | int | float):
                yield path or WHOLE, node
            else:
                yield path, None
        level = below[: _MAX_ITEMS * MAX_FIELDS]


def with_star(path: str) -> str:
    """Give the path of the keys of the map at `path`."""
    return f"{path}.{KEYS}" if path else KEYS


def is_map(node: dict[str, JsonValue]) -> bool:
    """Tell a map from identifiers to records apart from a record."""
    if len(node) < 2:
        return False
    kinds = {type(item) for item in node.values()}
    if len(kinds) != 1 or not kinds <= {dict, list}:
        return False
    keys = list(node)[:_MAX_ITEMS]
    return sum(1 for key in keys if _ID_LIKE.fullmatch(key[:200])) * 2 > len(keys)


def type_of(value: Scalar) -> ValueType:
    """Give the JSON type of a value."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    return "number" if isinstance(value, float) else "string"


def spoken(name: str) -> str:
    """Give a name as words with blanks: `userId` → `user id`."""
    return " ".join(words(name))
