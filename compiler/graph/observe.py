"""Behaviour: counts of calls that worked or failed, on tools and on the edges that fed them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.graph import DependencyGraph, Edge, ObservedCall
from doc2tools.compiler.passes.answer_paths import values_at

__all__ = ["observe"]

_REMEMBERED = 50
"""Earlier calls of a session that a value may have come from."""

_MOST_VALUES = 500


def observe(graph: DependencyGraph, calls: Sequence[ObservedCall]) -> DependencyGraph:
    """Give the graph with the counts of one session's calls added.

    An edge is counted if the target's argument equals a value that the source's earlier answer held
    at the edge's field. Calls of tools that the graph does not know are left out.

    Args:
        graph: It stays as it is.
        calls: One session's calls in their order; sessions are given one by one.
    """
    entering: dict[tuple[str, str], list[Edge]] = {}
    for edge in graph.edges:
        entering.setdefault((edge.target, edge.parameter), []).append(edge)
    known = {tool.name for tool in graph.tools}
    answers: deque[ObservedCall] = deque(maxlen=_REMEMBERED)
    tools: Counter[tuple[str, bool]] = Counter()
    fed: Counter[tuple[tuple[str, str, str, str], bool]] = Counter()
    for call in calls:
        if call.tool not in known:
            continue
        tools[call.tool, call.worked] += 1
        for parameter, value in call.arguments.items():
            for edge in entering.get((call.tool, parameter), ()):
                if any(_gave(earlier, edge, value) for earlier in answers):
                    fed[edge.key, call.worked] += 1
        if call.worked and call.answer is not None:
            answers.append(call)
    return graph.model_copy(
        update={
            "tools": tuple(
                tool.model_copy(
                    update={
                        "successes": tool.successes + tools[tool.name, True],
                        "failures": tool.failures + tools[tool.name, False],
                    }
                )
                for tool in graph.tools
            ),
            "edges": tuple(
                edge.model_copy(
                    update={
                        "successes": edge.successes + fed[edge.key, True],
                        "failures": edge.failures + fed[edge.key, False],
                    }
                )
                for edge in graph.edges
            ),
        }
    )


def _gave(earlier: ObservedCall, edge: Edge, value: JsonValue) -> bool:
    if earlier.tool != edge.source:
        return False
    wanted = {_text(item) for item in (value if isinstance(value, list) else [value])}
    return any(_text(one) in wanted for one in values_at(earlier.answer, edge.field, _MOST_VALUES))


def _text(value: JsonValue) -> str:
    return "true" if value is True else "false" if value is False else str(value)
