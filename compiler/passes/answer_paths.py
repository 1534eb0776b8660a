"""Paths of fields in an answer: how they are written, read, and followed.

`results[].id` is the `id` of each element of `results`, `[].id` that of a list which is the whole
answer, `@` an answer that is a single value. `data.*` gives the keys of a map, and `data.*.name` a
field of each of its records. A key that holds a sign of the syntax is quoted as in JMESPath:
`"a.b".id`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from doc2tools.compiler.ir.base import JsonValue

__all__ = ["EACH", "KEYS", "WHOLE", "last_key", "split_path", "values_at", "with_key"]

EACH = "[]"
KEYS = "*"
WHOLE = "@"
_MOST = 500
_MOST_STEPS = 100
_SPECIAL = re.compile(r'[.\[\]*"\\@]')
_STEP = re.compile(r'"((?:[^"\\]|\\.)*)"|(\[\])|(\*)|([^.\[\]*"\\@]+)', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def with_key(path: str, key: str) -> str:
    """Give the path of the field `key` of the object at `path`."""
    if not key or _SPECIAL.search(key):
        key = '"' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return f"{path}.{key}" if path else key


def split_path(path: str) -> tuple[tuple[str, bool], ...]:
    """Split a path into steps; each is a text, and whether that is a key (else `[]` or `*`).

    Gives no steps for `@`, and for a text that is no path.
    """
    steps: list[tuple[str, bool]] = []
    position = 0
    while position < len(path):
        if steps and path[position] == ".":
            position += 1
        found = _STEP.match(path, position)
        if found is None or len(steps) >= _MOST_STEPS:
            return ()
        quoted, each, keys, plain = found.groups()
        if quoted is not None:
            steps.append((_ESCAPED.sub(r"\1", quoted), True))
        elif plain is not None:
            steps.append((plain, True))
        else:
            steps.append((each or keys, False))
        position = found.end()
    return tuple(steps)


def last_key(path: str) -> str:
    """Give the last key of a path: the field's name; "" for list elements and map keys."""
    steps = split_path(path)
    return steps[-1][0] if steps and steps[-1][1] else ""


def values_at(payload: JsonValue, path: str, limit: int = _MOST) -> list[JsonValue]:
    """Give the values at `path`, in the answer's order, at most `limit`; none if it leads nowhere.

    Lists and objects are no values, and neither is null.
    """
    steps = split_path(path)
    if not steps and path != WHOLE:
        return []
    found: list[JsonValue] = []
    for value in _follow(payload, steps, 0):
        if value is not None and not isinstance(value, dict | list):
            found.append(value)
            if len(found) >= limit:
                break
    return found


def _follow(
    node: JsonValue, steps: tuple[tuple[str, bool], ...], position: int
) -> Iterator[JsonValue]:
    if position == len(steps):
        yield node
        return
    step, is_key = steps[position]
    if is_key:
        if isinstance(node, dict) and step in node:
            yield from _follow(node[step], steps, position + 1)
    elif step == EACH:
        if isinstance(node, list):
            for item in node:
                yield from _follow(item, steps, position + 1)
    elif isinstance(node, dict):
        if position == len(steps) - 1:
            yield from node
        else:
            for item in node.values():
                yield from _follow(item, steps, position + 1)
