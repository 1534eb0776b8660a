"""Operations that a query parameter selects: `?action=list`, `?method=getInfo`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.extract.templates import placeholder_free

_STRONG = frozenset(
    [
        "action",
        "method",
        "cmd",
        "command",
        "function",
        "func",
        "operation",
        "op",
        "do",
        "act",
        "task",
        "procedure",
        "rpc",
        "apimethod",
        "request_type",
        "requesttype",
    ]
)
_WEAK = frozenset(
    [
        "f",
        "m",
        "a",
        "mode",
        "request",
        "type",
        "service",
        "module",
        "call",
        "api",
        "fn",
        "q_type",
        "r",
        "route",
        "endpoint",
    ]
)
SELECTOR_NAMES = _STRONG | _WEAK
"""Query parameters that can select an operation."""


def selectors(sightings: Sequence[Sighting]) -> dict[str, str]:
    """Give the selecting parameter for each path shape that has one."""
    values: dict[tuple[str, str], set[str]] = defaultdict(set)
    for sighting in sightings:
        shape = placeholder_free(sighting.path)
        for name, value in sighting.target.query:
            if value and _operation_name(value):
                values[(shape, name)].add(value)
    chosen: dict[str, str] = {}
    for (shape, name), seen in sorted(values.items()):
        if name.lower() in _STRONG:
            chosen[shape] = name
        elif name.lower() in _WEAK and shape not in chosen:
            calls = sum(1 for value in seen if re.search(r"[a-z](?:_|[A-Z])[a-z]", value))
            if calls >= 1 and (calls == len(seen) or calls >= 3):
                chosen[shape] = name
    return chosen


def selector_of(sighting: Sighting, chosen: dict[str, str]) -> str:
    """Give the `name=value` that selects this sighting's operation, or ""."""
    name = chosen.get(placeholder_free(sighting.path))
    if not name:
        return ""
    for key, value in sighting.target.query:
        if key == name and value and _operation_name(value):
            return f"{key}={value}"
    return ""


def _operation_name(value: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z][\w.:-]{1,60}", value))
