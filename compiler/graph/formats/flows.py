"""What the pictures draw: tools that give a merged parameter, and tools that take it.

Drawn through the parameters, `n` sources and `m` targets need `n + m` lines instead of `n · m`.
"""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.graph.queries import standing
from doc2tools.compiler.ir.graph import DependencyGraph

__all__ = ["Flow", "Flows", "flows"]


@dataclass(frozen=True, slots=True)
class Flow:
    """One line of the picture; `detail` names the fields or the wire name."""

    tool: str
    parameter: str
    detail: str
    proved: bool


@dataclass(frozen=True, slots=True)
class Flows:
    """All lines, and the tools and parameters that they join, in the graph's order."""

    tools: tuple[str, ...]
    parameters: tuple[str, ...]
    gives: tuple[Flow, ...]
    takes: tuple[Flow, ...]


def flows(graph: DependencyGraph) -> Flows:
    """Join the edges that stand at their merged parameters."""
    merged = {
        (tool.name, one.name): one.merged or one.name
        for tool in graph.tools
        for one in tool.parameters
    }
    gives: dict[tuple[str, str], dict[str, None]] = {}
    takes: dict[tuple[str, str], dict[str, None]] = {}
    proved: set[tuple[str, str]] = set()
    for edge in standing(graph):
        parameter = merged.get((edge.target, edge.parameter), edge.parameter)
        gives.setdefault((edge.source, parameter), {})[edge.field] = None
        takes.setdefault((edge.target, parameter), {})[edge.parameter] = None
        if edge.stage == "proved":
            proved |= {(edge.source, parameter), (edge.target, parameter)}
    names = {tool for tool, _ in (*gives, *takes)}
    parameters = dict.fromkeys(parameter for _, parameter in (*gives, *takes))
    return Flows(
        tools=tuple(tool.name for tool in graph.tools if tool.name in names),
        parameters=tuple(sorted(parameters)),
        gives=tuple(_flow(key, told, proved) for key, told in gives.items()),
        takes=tuple(_flow(key, told, proved) for key, told in takes.items()),
    )


def _flow(key: tuple[str, str], told: dict[str, None], proved: set[tuple[str, str]]) -> Flow:
    return Flow(key[0], key[1], ", ".join(list(told)[:6]), key in proved)
