"""Where the tools of the dependency graph stand in the picture: layers from sources to consumers.

In go edges; out come nodes with places and the lines between them, in SVG units (pixels at 100 %).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import networkx as nx

from doc2tools.compiler.ir.graph import DependencyGraph, Edge

__all__ = ["Line", "Node", "Picture", "draw"]

NODES = 250
NODE_HEIGHT = 30
ROW = 46
COLUMN_GAP = 90
MARGIN = 24
CHARACTER = 7.3
LONGEST = 34


@dataclass(frozen=True, slots=True)
class Node:
    """A tool: its box, and what it says."""

    name: str
    label: str
    status: str
    x: float
    y: float
    width: float


@dataclass(frozen=True, slots=True)
class Line:
    """All edges from one tool to another, as one curve."""

    source: str
    target: str
    path: str
    proved: bool
    label: str


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture, and how many tools it leaves out.

    Attributes:
        proved: The same graph with proved edges only; None where there are none.
        alone: Tools that no edge touches.
        hidden: Tools with edges beyond the `NODES` best connected ones.
    """

    nodes: tuple[Node, ...]
    lines: tuple[Line, ...]
    width: float
    height: float
    alone: int
    hidden: int
    proved: Picture | None = None

    def node(self, name: str) -> Node | None:
        """Give a tool's box, if it is in the picture."""
        return next((node for node in self.nodes if node.name == name), None)

    def line(self, source: str, target: str) -> Line | None:
        """Give the curve between two tools, if it is in the picture."""
        ends = (source, target)
        return next((line for line in self.lines if (line.source, line.target) == ends), None)


def draw(graph: DependencyGraph) -> Picture:
    """Lay the graph out, all of it and what is proved."""
    standing = [edge for edge in graph.edges if edge.stage != "refuted"]
    proved = [edge for edge in standing if edge.stage == "proved"]
    return replace(_draw(graph, standing), proved=_draw(graph, proved) if proved else None)


def _draw(graph: DependencyGraph, shown: Sequence[Edge]) -> Picture:
    degree = Counter(name for edge in shown for name in (edge.source, edge.target))
    order = {tool.name: place for place, tool in enumerate(graph.tools)}
    ranked = sorted(degree, key=lambda name: (-degree[name], order.get(name, len(order)), name))
    kept = set(ranked[:NODES])
    between = [edge for edge in shown if edge.source in kept and edge.target in kept]
    layers = _layers(sorted(kept, key=lambda name: order.get(name, 0)), between)
    nodes, width, height = _places(layers, {tool.name: tool.status for tool in graph.tools})
    return Picture(
        nodes=tuple(nodes.values()),
        lines=_lines(between, nodes),
        width=width,
        height=height,
        alone=len(graph.tools) - len([tool for tool in graph.tools if tool.name in degree]),
        hidden=len(ranked) - len(kept),
    )


def _layers(names: Sequence[str], edges: Sequence[Edge]) -> list[list[str]]:
    """Put every tool behind those that feed it; tools that feed each other share a layer."""
    whole: nx.DiGraph[str] = nx.DiGraph()
    whole.add_nodes_from(names)
    whole.add_edges_from((edge.source, edge.target) for edge in edges)
    condensed = nx.condensation(whole)
    place = {name: number for number, name in enumerate(names)}
    layers: list[list[str]] = []
    for generation in nx.topological_generations(condensed):
        members = [name for part in generation for name in condensed.nodes[part]["members"]]
        layers.append(sorted(members, key=place.__getitem__))
    for _ in range(4):
        _untangle(layers, whole)
    return layers


def _untangle(layers: list[list[str]], whole: nx.DiGraph[str]) -> None:
    """Sort each layer by the mean height of its neighbours (Sugiyama's barycentre step)."""
    height = {
        name: number / max(1, len(layer)) for layer in layers for number, name in enumerate(layer)
    }
    for layer in layers:
        own = dict(height)

        def mean(name: str, own: Mapping[str, float] = own) -> float:
            near = [*whole.predecessors(name), *whole.successors(name)]
            return sum(own[other] for other in near) / len(near) if near else own[name]

        layer.sort(key=lambda name: (mean(name), own[name]))
        height |= {name: number / max(1, len(layer)) for number, name in enumerate(layer)}


def _places(
    layers: Sequence[Sequence[str]], status: Mapping[str, str]
) -> tuple[dict[str, Node], float, float]:
    nodes: dict[str, Node] = {}
    rows = max((len(layer) for layer in layers), default=1)
    height = rows * ROW + 2 * MARGIN
    x = float(MARGIN)
    for layer in layers:
        top = (height - len(layer) * ROW) / 2
        widest = 0.0
        for row, name in enumerate(layer):
            label = _label(name)
            width = round(len(label) * CHARACTER + 28, 1)
            widest = max(widest, width)
            place = (round(x, 1), top + row * ROW + 8)
            nodes[name] = Node(name, label, status.get(name, ""), *place, width)
        x += widest + COLUMN_GAP
    return nodes, max(x - COLUMN_GAP + MARGIN, 200), max(height, 120)


def _label(name: str) -> str:
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def _lines(edges: Sequence[Edge], nodes: Mapping[str, Node]) -> tuple[Line, ...]:
    joined: dict[tuple[str, str], list[Edge]] = {}
    for edge in edges:
        joined.setdefault((edge.source, edge.target), []).append(edge)
    return tuple(
        Line(
            source=source,
            target=target,
            path=_curve(nodes[source], nodes[target]),
            proved=any(edge.stage == "proved" for edge in group),
            label="; ".join(dict.fromkeys(f"{e.field} → {e.parameter}" for e in group)),
        )
        for (source, target), group in joined.items()
    )


def _curve(source: Node, target: Node) -> str:
    """Draw from the source's right edge to the target's left one; round a layer's own edges."""
    half = NODE_HEIGHT / 2
    x1, y1 = source.x + source.width, source.y + half
    x2, y2 = target.x, target.y + half
    if x2 > x1:
        bend = (x2 - x1) / 2
        points = (x1, y1, x1 + bend, y1, x2 - bend, y2, x2, y2)
    else:
        x2 = target.x + target.width
        out = max(x1, x2) + 40
        points = (x1, y1, out, y1, out, y2, x2, y2)
    pairs = [f"{x:.1f},{y:.1f}" for x, y in zip(points[::2], points[1::2], strict=True)]
    return f"M{pairs[0]} C{' '.join(pairs[1:])}"
