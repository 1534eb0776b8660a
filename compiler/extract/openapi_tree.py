"""JSON and YAML to a tree that knows the line of every key; hostile input bounded.

Nesting and size are limited, aliases are shared, not copied, and of duplicate keys the last counts.
"""

from __future__ import annotations

import json
import math
import re
from typing import cast

import yaml
from yaml.resolver import Resolver

from doc2tools.compiler.ir.base import JsonValue

MAX_DEPTH = 200
MAX_NODES = 2_000_000


class TreeError(ValueError):
    """The text is no JSON or YAML; `line` says where."""

    def __init__(self, message: str, line: int) -> None:
        """Keep the 1-based line beside the message."""
        super().__init__(message)
        self.line = line


class Map(dict[str, object]):
    """An object of the tree.

    Attributes:
        line: 1-based line on which it opens.
        lines: Line of each of its keys.
    """

    __slots__ = ("line", "lines")

    def __init__(self, line: int = 1) -> None:
        """Open an empty object."""
        super().__init__()
        self.line = line
        self.lines: dict[str, int] = {}

    def put(self, key: str, value: object, line: int) -> None:
        """Set a key and remember its line."""
        self[key] = value
        self.lines[key] = line

    def line_of(self, key: str) -> int:
        """Give the line of a key, or that of the object."""
        return self.lines.get(key, self.line)

    def map(self, key: str) -> Map:
        """Give the object at `key`, or an empty one."""
        value = self.get(key)
        return value if isinstance(value, Map) else Map(self.line_of(key))

    def sequence(self, key: str) -> list[object]:
        """Give the list at `key`, or an empty one."""
        return as_list(self.get(key))

    def text(self, key: str) -> str:
        """Give the text at `key`; numbers as written by `str`, anything else as ""."""
        value = self.get(key)
        if isinstance(value, str):
            return value
        return str(value) if isinstance(value, int | float) and value is not True else ""


def as_list(value: object) -> list[object]:
    """Give `value` if it is a list, else an empty one."""
    return cast("list[object]", value) if isinstance(value, list) else []


def plain(value: object, budget: int = 20_000) -> JsonValue:
    """Copy a part of the tree as JSON; `None` where it holds more than `budget` values."""
    left = [budget]

    def copy(item: object, depth: int) -> JsonValue:
        left[0] -= 1
        if left[0] < 0 or depth > 40:
            return None
        if isinstance(item, Map):
            return {key: copy(inner, depth + 1) for key, inner in item.items()}
        if isinstance(item, list):
            return [copy(inner, depth + 1) for inner in as_list(cast("object", item))]
        if isinstance(item, str | int | float | bool):
            return item
        return None

    result = copy(value, 0)
    return None if left[0] < 0 else result


def read_tree(text: str) -> object:
    """Read JSON or YAML.

    Raises:
        TreeError: it is neither, or nested too deeply.
    """
    if text.lstrip()[:1] in ("{", "["):
        try:
            return _read_json(text)
        except TreeError as error:
            try:
                return _read_yaml(text)  # YAML's flow style also begins with a brace
            except TreeError:
                raise error from None
    return _read_yaml(text)


# A string that never closes is one token to the end of the text, so that no part is read twice.
_LEXEME = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)


class _Builder:
    """Puts values where they belong: at the root, in the open list, or under the waiting key."""

    def __init__(self) -> None:
        self.root: object = None
        self.count = 0
        self._open: list[Map | list[object]] = []
        self._keys: list[tuple[str, int, bool] | None] = []

    @property
    def wants_key(self) -> bool:
        """Whether an object is open whose next scalar is a key."""
        return bool(self._open) and isinstance(self._open[-1], Map) and self._keys[-1] is None

    @property
    def done(self) -> bool:
        """Whether a whole value has been read."""
        return self.count > 0 and not self._open

    def key(self, text: str, line: int, *, merge: bool = False) -> None:
        self._keys[-1] = (text, line, merge)

    def value(self, value: object, line: int) -> None:
        self.count += 1
        if self.count > MAX_NODES:
            raise TreeError("too large", line)
        if not self._open:
            self.root = value
            return
        holder, waiting = self._open[-1], self._keys[-1]
        self._keys[-1] = None
        if not isinstance(holder, Map):
            holder.append(value)
        elif waiting is None:
            raise TreeError("a value without a key", line)
        elif waiting[2]:
            _merge(holder, value)
        else:
            holder.put(waiting[0], value, waiting[1])

    def enter(self, value: Map | list[object], line: int) -> None:
        self.value(value, line)
        self._open.append(value)
        self._keys.append(None)
        if len(self._open) > MAX_DEPTH:
            raise TreeError("nested too deeply", line)

    def leave(self, line: int) -> Map | list[object]:
        if not self._open:
            raise TreeError("a bracket closes that was not opened", line)
        self._keys.pop()
        return self._open.pop()


def _merge(holder: Map, value: object) -> None:
    """Apply YAML's merge key: what is there already wins."""
    for source in as_list(value) or [value]:
        if isinstance(source, Map):
            for key, inner in source.items():
                if key not in holder:
                    holder.put(key, inner, source.line_of(key))


def _read_json(text: str) -> object:
    builder = _Builder()
    line, counted = 1, 0
    for found in _LEXEME.finditer(text):
        lexeme = found[0]
        line += text.count("\n", counted, found.start())
        counted = found.start()
        if builder.done:
            raise TreeError("text after the end of the document", line)
        if lexeme in ("{", "["):
            builder.enter(Map(line) if lexeme == "{" else [], line)
        elif lexeme in ("}", "]"):
            if isinstance(builder.leave(line), Map) != (lexeme == "}"):
                raise TreeError(f"unexpected {lexeme}", line)
        elif lexeme not in (":", ","):
            value = _json_scalar(lexeme, line)
            if not builder.wants_key:
                builder.value(value, line)
            elif isinstance(value, str):
                builder.key(value, line)
            else:
                raise TreeError("expected a key", line)
    if not builder.done:
        raise TreeError("the document ends early", line)
    return builder.root


def _json_scalar(lexeme: str, line: int) -> JsonValue:
    try:
        value: JsonValue = json.loads(lexeme, strict=False)
        if isinstance(value, str) and "\\u" in lexeme:
            value = value.encode("utf-8", "replace").decode("utf-8")  # lone halves of pairs
    except (ValueError, RecursionError) as error:
        raise TreeError(f"cannot be read: {lexeme[:40]}", line) from error
    return value


_RESOLVER = Resolver()
_BOOLEANS = {"true": True, "false": False}


def _read_yaml(text: str) -> object:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder()
    anchors: dict[str, object] = {}
    line = 1
    try:
        for event in yaml.parse(text, Loader=loader):
            line = event.start_mark.line + 1 if event.start_mark else line
            if isinstance(event, yaml.DocumentEndEvent):
                break
            _yaml_event(event, line, builder, anchors)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = str(getattr(error, "problem", "") or "is no YAML")
        raise TreeError(problem, mark.line + 1 if mark else line) from error
    except RecursionError as error:
        raise TreeError("nested too deeply", line) from error
    return builder.root


def _yaml_event(
    event: yaml.Event, line: int, builder: _Builder, anchors: dict[str, object]
) -> None:
    if isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
        builder.leave(line)
    elif isinstance(event, yaml.CollectionStartEvent):
        made: Map | list[object] = Map(line) if isinstance(event, yaml.MappingStartEvent) else []
        if event.anchor:
            anchors[event.anchor] = made
        if builder.wants_key:
            builder.key("?", line)  # a collection as a key has no counterpart in JSON
        builder.enter(made, line)
    elif isinstance(event, yaml.ScalarEvent | yaml.AliasEvent):
        is_alias = isinstance(event, yaml.AliasEvent)
        value = anchors.get(str(event.anchor)) if is_alias else _yaml_scalar(event)
        if event.anchor and not is_alias:
            anchors[event.anchor] = value
        if builder.wants_key:
            text = str(event.value) if isinstance(event, yaml.ScalarEvent) else "?"
            text = text.encode("utf-8", "replace").decode("utf-8")
            is_plain = isinstance(event, yaml.ScalarEvent) and event.implicit[0]
            builder.key(text, line, merge=is_plain and text == "<<")
        else:
            builder.value(value, line)


def _tag(text: str) -> str:
    # The stub of `resolve` has no types.
    return str(_RESOLVER.resolve(yaml.ScalarNode, text, (True, False)))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


def _yaml_scalar(event: yaml.ScalarEvent) -> JsonValue:
    text = str(event.value).encode("utf-8", "replace").decode("utf-8")
    if not event.implicit[0]:
        return text
    tag = _tag(text)
    if tag.endswith(":null"):
        return None
    if tag.endswith(":bool"):
        # YAML 1.2, which OpenAPI asks for, knows only these two; `no` and `on` stay text.
        return _BOOLEANS.get(text.lower(), text)
    if tag.endswith((":int", ":float")) and len(text) < 300:
        try:
            number = float(text) if tag.endswith(":float") else int(text, 10)
        except ValueError:
            return text
        return number if math.isfinite(number) else text
    return text
