"""Questions to the graph: ways to a value, roots, cycles, and what nothing feeds.

Edges that were refuted answer no question. All results are in the graph's order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from doc2tools.compiler.graph.network import networkx
from doc2tools.compiler.ir.graph import DependencyGraph, Edge, ParameterNode, ToolNode

__all__ = [
    "Chain",
    "chains_to",
    "cycles",
    "nothing_feeds",
    "roots",
    "standing",
    "takers_of",
]

_COST = {"proved": 1.0, "untested": 1.4, "judged": 1.5, "candidate": 2.0}
_CYCLE_LENGTH = 4
_MOST_CYCLES = 50
_TANGLED = 150


@dataclass(frozen=True, slots=True)
class Chain:
    """Edges that lead from a tool which needs no other one to a parameter, in calling order."""

    edges: tuple[Edge, ...]
    cost: float


def standing(graph: DependencyGraph) -> tuple[Edge, ...]:
    """Give the edges that were not refuted."""
    return tuple(edge for edge in graph.edges if edge.stage != "refuted")


def takers_of(graph: DependencyGraph, parameter: str) -> tuple[tuple[ToolNode, ParameterNode], ...]:
    """Give the tools that take a parameter, by its wire name or its standard name."""
    return tuple(
        (tool, one)
        for tool in graph.tools
        for one in tool.parameters
        if parameter in {one.name, one.merged}
    )


def roots(graph: DependencyGraph) -> tuple[str, ...]:
    """Give the tools that can be called first: no required parameter waits for another answer.

    A part of the path that nothing feeds and that has no known value keeps a tool from being one.
    """
    fed = {(edge.target, edge.parameter) for edge in standing(graph)}
    return tuple(
        tool.name
        for tool in graph.tools
        if not any(
            (tool.name, one.name) in fed or (one.location == "path" and not one.known)
            for one in tool.parameters
            if one.required
        )
    )


def nothing_feeds(graph: DependencyGraph) -> tuple[tuple[ToolNode, ParameterNode], ...]:
    """Give the required parameters that no answer feeds."""
    fed = {(edge.target, edge.parameter) for edge in standing(graph)}
    return tuple(
        (tool, one)
        for tool in graph.tools
        for one in tool.parameters
        if one.required and (tool.name, one.name) not in fed
    )


def chains_to(
    graph: DependencyGraph, tool: str, parameter: str, limit: int = 5
) -> tuple[Chain, ...]:
    """Give the shortest ways to a value for one tool's parameter, one for each source, best first.

    A chain begins at a root; each tool on it may need further values of its own.
    """
    nx = networkx()
    edges = standing(graph)
    best = _best_edges(edges)
    net: Any = nx.DiGraph()
    net.add_nodes_from(node.name for node in graph.tools)
    for (source, target), edge in best.items():
        net.add_edge(source, target, weight=_cost(edge))
    if tool in net:
        net.remove_node(tool)  # the way to a value must not lead over the tool that needs it
    starts = [name for name in roots(graph) if name in net]
    if not starts:
        return ()
    ways: tuple[dict[str, float], dict[str, list[str]]]
    ways = nx.multi_source_dijkstra(net, set(starts), weight="weight")
    costs, paths = ways
    found: dict[str, Chain] = {}
    for edge in edges:
        if edge.target != tool or edge.parameter != parameter or edge.source not in paths:
            continue
        steps = [best[pair] for pair in pairwise(paths[edge.source])]
        chain = Chain((*steps, edge), float(costs[edge.source]) + _cost(edge))
        held = found.get(edge.source)
        if held is None or chain.cost < held.cost:
            found[edge.source] = chain
    order = {node.name: place for place, node in enumerate(graph.tools)}
    ranked = sorted(found.values(), key=lambda one: (one.cost, order.get(one.edges[-1].source, 0)))
    return tuple(ranked[:limit])


def _best_edges(edges: Sequence[Edge]) -> dict[tuple[str, str], Edge]:
    best: dict[tuple[str, str], Edge] = {}
    for edge in edges:
        held = best.get((edge.source, edge.target))
        if held is None or _cost(edge) < _cost(held):
            best[edge.source, edge.target] = edge
    return best


def _cost(edge: Edge) -> float:
    return _COST.get(edge.stage, 2.0) + (1 - min(1.0, max(0.0, edge.score))) / 4


def cycles(graph: DependencyGraph) -> tuple[tuple[str, ...], ...]:
    """Give cycles of up to four tools, shortest first, at most fifty.

    Where very many tools depend on each other, they are given as one group instead.
    """
    nx = networkx()
    pairs = list(dict.fromkeys((edge.source, edge.target) for edge in standing(graph)))
    net: Any = nx.DiGraph()
    net.add_edges_from(pairs)
    order = {tool.name: place for place, tool in enumerate(graph.tools)}
    found: list[tuple[str, ...]] = []
    groups: list[set[str]] = list(nx.strongly_connected_components(net))
    for group in groups:
        names = sorted(group, key=lambda name: order.get(name, 0))
        if len(names) == 1:
            continue
        if len(names) > _TANGLED:
            found.append(tuple(names))
            continue
        part: Any = nx.DiGraph()
        part.add_nodes_from(names)
        part.add_edges_from(pair for pair in pairs if group.issuperset(pair))
        bounded: Iterator[list[str]] = nx.simple_cycles(part, length_bound=_CYCLE_LENGTH)
        found.extend(_turned(cycle, order) for cycle in islice(bounded, _MOST_CYCLES * 20))
    found.sort(key=lambda cycle: (len(cycle), [order.get(name, 0) for name in cycle]))
    return tuple(found[:_MOST_CYCLES])


def _turned(cycle: list[str], order: dict[str, int]) -> tuple[str, ...]:
    """Begin a cycle at its first tool in the graph's order."""
    start = min(range(len(cycle)), key=lambda place: order.get(cycle[place], 0))
    return tuple(cycle[start:] + cycle[:start])
