"""Which `fields` expressions a caller may give: those that cannot make an answer grow without end.

JMESPath has no loops, but `[@,@]|[@,@]|…`, `join` and `to_string` double a value again and again,
and a thread that evaluates cannot be stopped. So functions that build values are left out, literals
are single values, and what is listed side by side multiplies at most by `GROWTH`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

GROWTH = 32
LONGEST = 1_000
DEEPEST = 60

_FUNCTIONS = """
abs avg ceil contains ends_with floor keys length max max_by min min_by not_null reverse sort
sort_by starts_with sum to_number type values
"""
FUNCTIONS = frozenset(_FUNCTIONS.split())

# jmespath has no types.
_jmespath: Any = importlib.import_module("jmespath")


def refusal(expression: str) -> str:
    """Say why an expression is refused; "" where it is not."""
    if len(expression) > LONGEST:
        return f"it is longer than {LONGEST:,} characters"
    try:
        tree = _jmespath.compile(expression).parsed
    except (_jmespath.exceptions.JMESPathError, ValueError, RecursionError) as fault:
        return f"it is no JMESPath expression: {str(fault)[:200]}"
    growth = 1
    for node, depth in _nodes(tree):
        if node["type"] in ("multi_select_list", "multi_select_dict"):
            growth *= max(1, len(node["children"]))
        if why := _of_node(node, depth, growth):
            return why
    return ""


def _of_node(node: dict[str, Any], depth: int, growth: int) -> str:
    if depth > DEEPEST:
        return "it is nested too deeply"
    if growth > GROWTH:
        return "it lists too many expressions side by side"
    if node["type"] == "function_expression" and node["value"] not in FUNCTIONS:
        return f"the function {node['value']} cannot be used here"
    if node["type"] == "literal" and isinstance(node["value"], list | dict):
        return "a literal can only be a single value here"
    return ""


def _nodes(tree: dict[str, Any]) -> Iterator[tuple[dict[str, Any], int]]:
    waiting: list[tuple[Any, int]] = [(tree, 1)]
    while waiting:
        node, depth = waiting.pop()
        if isinstance(node, dict):
            yield node, depth  # pyright: ignore[reportUnknownVariableType] - see above
            waiting += [(child, depth + 1) for child in node.get("children", ())]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType, reportUnknownMemberType]
