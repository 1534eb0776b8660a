"""The dependency graph as `graph.json`: node-link data that networkx reads, and back again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import isfinite
from typing import Any, cast

from pydantic import ValidationError

from doc2tools.compiler.ir.base import Frozen
from doc2tools.compiler.ir.graph import DependencyGraph, Edge

__all__ = ["UnreadableGraph", "graph_json", "read_graph"]


class UnreadableGraph(Frozen):
    """The bytes are no `graph.json`, and why."""

    reason: str


def graph_json(graph: DependencyGraph) -> bytes:
    """Write the graph as node-link data.

    Nodes are tools, edges carry `parameter` and `field`; what belongs to the whole graph (name,
    merged parameters, stages) is under `graph`. `networkx.node_link_graph(data, edges="edges")`
    reads it as a directed multigraph.
    """
    whole: dict[str, Any] = graph.model_dump(mode="json", include={"name", "merged", "stages"})
    nodes = [{"id": tool.name, **_without(tool, "name")} for tool in graph.tools]
    edges = [
        {"source": edge.source, "target": edge.target, "key": number}
        | _without(edge, "source", "target")
        for number, edge in _numbered(graph)
    ]
    data = {"directed": True, "multigraph": True, "graph": whole, "nodes": nodes, "edges": edges}
    text = json.dumps(_finite(data), ensure_ascii=True, indent=1, allow_nan=False)
    return f"{text}\n".encode()


def read_graph(data: bytes) -> DependencyGraph | UnreadableGraph:
    """Read what `graph_json` wrote; anything else gives the reason why it can't be read."""
    try:
        raw: Any = json.loads(data)
        nodes = [{**_other(node, "id"), "name": node["id"]} for node in raw["nodes"]]
        edges = [_other(edge, "key") for edge in raw["edges"]]
        return DependencyGraph.model_validate({**raw["graph"], "tools": nodes, "edges": edges})
    except ValidationError as fault:
        return UnreadableGraph(reason=f"it is no dependency graph: {fault.error_count()} faults")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
        return UnreadableGraph(reason=f"it is no node-link data: {type(fault).__name__}")


def _finite(value: Any) -> Any:  # noqa: ANN401 - any JSON value goes in and comes out
    """Replace numbers that JSON does not have, which an answer may hold all the same, by null."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        table = cast("dict[str, Any]", value)
        return {key: _finite(item) for key, item in table.items()}
    if isinstance(value, list):
        return [_finite(item) for item in cast("list[Any]", value)]
    return value


def _without(model: Frozen, *names: str) -> dict[str, Any]:
    return model.model_dump(mode="json", exclude=set(names))


def _other(table: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in table.items() if key != name}


def _numbered(graph: DependencyGraph) -> Iterator[tuple[int, Edge]]:
    seen: dict[tuple[str, str], int] = {}
    for edge in graph.edges:
        pair = (edge.source, edge.target)
        seen[pair] = seen.get(pair, -1) + 1
        yield seen[pair], edge
