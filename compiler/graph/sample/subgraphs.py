"""Draws connected subgraphs of the proved graph: acyclic, each parameter filled by one edge.

The same random numbers give the same subgraphs. What was used least is drawn first, so that small
samples cover the graph, too.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import networkx as nx

from doc2tools.compiler.ir.graph import Edge

__all__ = ["Drawer", "Subgraph"]

_MAX_WALK = 64
_ONE_GOAL = 0.75


@dataclass(frozen=True, slots=True)
class Subgraph:
    """Tools in the order of their calls, and the edges that pass values between them."""

    tools: tuple[str, ...]
    edges: tuple[Edge, ...]

    def feeding(self, tool: str) -> tuple[Edge, ...]:
        """Give the edges that fill a tool's parameters."""
        return tuple(edge for edge in self.edges if edge.target == tool)

    def fed_by(self, tool: str) -> tuple[Edge, ...]:
        """Give the edges that take from a tool's answer."""
        return tuple(edge for edge in self.edges if edge.source == tool)


@dataclass(slots=True)
class Drawer:
    """Draws subgraphs, and remembers what was used.

    Attributes:
        edges: The proved edges.
        single: Tools that may be a task alone.
    """

    edges: Sequence[Edge]
    single: Sequence[str] = ()
    used: Counter[tuple[str, ...]] = field(default_factory=Counter[tuple[str, ...]])
    _between: dict[tuple[str, str], list[Edge]] = field(
        default_factory=dict[tuple[str, str], list[Edge]]
    )
    _beside: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def __post_init__(self) -> None:
        """Sort the edges by the tools that they join."""
        for edge in self.edges:
            if edge.source != edge.target:
                self._between.setdefault((edge.source, edge.target), []).append(edge)
        for source, target in self._between:
            self._beside.setdefault(source, []).append(target)
            self._beside.setdefault(target, []).append(source)

    def draw(self, rng: random.Random, least: int, most: int) -> Subgraph | None:
        """Give a subgraph of `least` to `most` tools, or `None` if this attempt found none."""
        size = rng.randint(least, most)
        if size == 1 and self.single:
            return Subgraph((self._rarest(rng, self.single),), ())
        if not self._beside:
            return None
        chosen = self._grow(rng, max(2, size))
        edges = self._one_each(rng, chosen)
        edges = _without_cycles(rng, edges)
        found = _component(rng, chosen, edges)
        return found if found is not None and least <= len(found.tools) <= most else None

    def note(self, subgraph: Subgraph) -> None:
        """Remember that a subgraph made a sample."""
        self.used.update((tool,) for tool in subgraph.tools)
        self.used.update(edge.key for edge in subgraph.edges)

    def _rarest(self, rng: random.Random, tools: Iterable[str]) -> str:
        """Draw a tool; one that was used half as often is drawn twice as often."""
        names = sorted(tools)
        weights = [1.0 / (1 + self.used[(name,)]) for name in names]
        return rng.choices(names, weights)[0]

    def _grow(self, rng: random.Random, size: int) -> list[str]:
        chosen = [self._rarest(rng, self._beside)]
        for _ in range(_MAX_WALK):
            around = {name for one in chosen for name in self._beside[one]} - set(chosen)
            if len(chosen) >= size or not around:
                break
            chosen.append(self._rarest(rng, around))
        return chosen

    def _one_each(self, rng: random.Random, chosen: Sequence[str]) -> list[Edge]:
        """Choose the edge that fills each parameter; most parameters could be filled by several."""
        options: dict[tuple[str, str], list[Edge]] = {}
        for source in chosen:
            for target in chosen:
                for edge in self._between.get((source, target), ()):
                    options.setdefault((edge.target, edge.parameter), []).append(edge)
        edges: list[Edge] = []
        for group in options.values():
            weights = [1.0 / (1 + self.used[edge.key]) for edge in group]
            edges.append(rng.choices(group, weights)[0])
        return edges


def _without_cycles(rng: random.Random, edges: list[Edge]) -> list[Edge]:
    """Take a random edge out of what lies on a cycle until nothing does."""
    kept = list(edges)
    while True:
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_edges_from((edge.source, edge.target) for edge in kept)
        turning = [part for part in nx.strongly_connected_components(graph) if len(part) > 1]
        inside = sorted(
            {
                (edge.source, edge.target)
                for part in turning
                for edge in kept
                if edge.source in part and edge.target in part
            }
        )
        if not inside:
            return kept
        broken = rng.choice(inside)
        kept = [edge for edge in kept if (edge.source, edge.target) != broken]


def _component(rng: random.Random, chosen: Sequence[str], edges: Sequence[Edge]) -> Subgraph | None:
    """Give the largest connected part, its tools in an order in which they can be called."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(chosen)
    graph.add_edges_from((edge.source, edge.target) for edge in edges)
    parts = sorted(nx.weakly_connected_components(graph), key=lambda part: (-len(part), min(part)))
    largest = parts[0]
    if len(largest) < 2:
        return None
    largest = _for_one_goal(rng, graph, largest)
    rank = {name: rng.random() for name in sorted(largest)}
    order = nx.lexicographical_topological_sort(graph.subgraph(largest), key=rank.__getitem__)
    inside = [edge for edge in edges if edge.source in largest and edge.target in largest]
    held = tuple(sorted(inside, key=lambda edge: edge.key))
    return Subgraph(tuple(order), held)


def _for_one_goal(rng: random.Random, graph: nx.DiGraph[str], part: set[str]) -> set[str]:
    """Mostly leave only what leads to one last tool: people rarely ask for two things at once."""
    goals = sorted(name for name in part if not set(graph.successors(name)) & part)
    if len(goals) < 2 or rng.random() > _ONE_GOAL:
        return part
    leading = {rng.choice(goals)}
    waiting = list(leading)
    while waiting:
        before = set(graph.predecessors(waiting.pop())) - leading
        leading |= before
        waiting.extend(sorted(before))
    return leading
