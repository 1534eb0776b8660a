"""Builds the graph's first two stages, without any call: similar, then judged by rules."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from doc2tools.compiler.graph.candidates import Candidates, similar_pairs
from doc2tools.compiler.graph.merge import merge_parameters
from doc2tools.compiler.graph.select import Selection, select
from doc2tools.compiler.graph.surface import ParameterSite, Surface, read_surface
from doc2tools.compiler.ir.graph import (
    DependencyGraph,
    Edge,
    FieldNode,
    ParameterNode,
    StageCount,
    ToolNode,
)
from doc2tools.compiler.ir.outcome import Tool
from doc2tools.param_db.embedding import embedder

__all__ = ["candidate_graph"]


def candidate_graph(
    tools: Sequence[Tool], *, name: str = "", embedding: str = "wordllama"
) -> DependencyGraph:
    """Give the edges that descriptions and rules speak for.

    Args:
        tools: The tools with their outcomes; recorded answers say which fields there really are.
        name: The toolkit's name.
        embedding: Name of the embedding model, see `param_db.embedding`.

    Returns:
        The graph, every edge at stage `judged`, with the counts of the stages so far.

    Raises:
        UsageError: There is no such embedding model.
    """
    surface = read_surface(tools)
    candidates = similar_pairs(surface, embedder(embedding))
    selection = select(surface, candidates)
    edges = _edges(surface, selection)
    complete = _complete(surface)
    merged, names = merge_parameters(surface, edges)
    return DependencyGraph(
        name=name,
        tools=_nodes(surface, edges, names),
        edges=edges,
        merged=merged,
        stages=(complete, _similar(surface, candidates, complete), _judged(edges, selection)),
    )


def _edges(surface: Surface, selection: Selection) -> tuple[Edge, ...]:
    names = [tool.endpoint.name for tool in surface.tools]
    found: list[Edge] = []
    for pair in selection.kept:
        site, one = surface.parameters[pair.parameter], surface.fields[pair.field]
        found.append(
            Edge(
                source=names[one.tool],
                target=names[site.tool],
                parameter=site.parameter.name,
                field=one.seen.path,
                similarity=round(pair.similarity, 4),
                score=round(pair.score, 4),
                reason=pair.reason,
                stage="judged",
            )
        )
    return tuple(found)


def _nodes(
    surface: Surface, edges: Sequence[Edge], names: dict[tuple[str, str], str]
) -> tuple[ToolNode, ...]:
    used: dict[str, dict[str, str]] = {}
    for edge in edges:
        merged = names.get((edge.target, edge.parameter), "")
        used.setdefault(edge.source, {}).setdefault(edge.field, merged)
    counts = [0] * len(surface.tools)
    fields: list[list[FieldNode]] = [[] for _ in surface.tools]
    for one in surface.fields:
        counts[one.tool] += 1
        merged = used.get(surface.tools[one.tool].endpoint.name, {}).get(one.seen.path)
        if merged is not None:
            seen = one.seen
            node = FieldNode(path=seen.path, type=seen.type, merged=merged, observed=seen.observed)
            fields[one.tool].append(node)
    return tuple(
        ToolNode(
            name=tool.endpoint.name,
            title=tool.endpoint.summary or tool.endpoint.title,
            group=tool.endpoint.group,
            method=tool.endpoint.method,
            path=tool.endpoint.path,
            status=tool.outcome.status,
            effect=tool.endpoint.effect.kind,
            parameters=tuple(
                _parameter(site, names.get((tool.endpoint.name, site.parameter.name), ""))
                for site in surface.by_tool[number]
            ),
            fields=tuple(fields[number]),
            field_count=counts[number],
        )
        for number, tool in enumerate(surface.tools)
    )


def _parameter(site: ParameterSite, merged: str) -> ParameterNode:
    parameter = site.parameter
    known = bool(site.known or parameter.enum) or parameter.default is not None
    return ParameterNode(
        name=parameter.name,
        location=parameter.location,
        type=parameter.type,
        required=parameter.required,
        merged=merged,
        known=known,
    )


def _complete(surface: Surface) -> StageCount:
    """Count the complete graph: each field with each parameter of another tool."""
    fields = [0] * len(surface.tools)
    for one in surface.fields:
        fields[one.tool] += 1
    total = len(surface.fields)
    edges = sum(total - fields[site.tool] for site in surface.parameters)
    giving = sum(1 for count in fields if count)
    taking = [number for number, sites in enumerate(surface.by_tool) if sites]
    pairs = sum(giving - bool(fields[number]) for number in taking)
    parameters = len(surface.parameters)
    sources = sum(giving - bool(fields[site.tool]) for site in surface.parameters)
    return StageCount(
        stage="complete",
        edges=edges,
        pairs=pairs,
        parameters=parameters,
        sources=round(sources / parameters, 2) if parameters else 0.0,
    )


def _similar(surface: Surface, candidates: Candidates, complete: StageCount) -> StageCount:
    owners = np.array([site.tool for site in surface.parameters], dtype=np.int64)
    tools = np.array([one.tool for one in surface.fields], dtype=np.int64)
    givers = tools[candidates.field] if len(tools) else candidates.field
    takers = owners[candidates.parameter] if len(owners) else candidates.parameter
    count = max(1, len(surface.tools))
    parameters = len(np.unique(candidates.parameter))
    feeding = len(np.unique(candidates.parameter * count + givers))
    edges = len(candidates.parameter)
    return StageCount(
        stage="similar",
        edges=edges,
        pairs=len(np.unique(takers * count + givers)),
        parameters=parameters,
        sources=round(feeding / parameters, 2) if parameters else 0.0,
        dropped={"not similar": complete.edges - edges},
    )


def _judged(edges: Sequence[Edge], selection: Selection) -> StageCount:
    parameters = len({(edge.target, edge.parameter) for edge in edges})
    sources = len({(edge.source, edge.target, edge.parameter) for edge in edges})
    return StageCount(
        stage="judged",
        edges=len(edges),
        pairs=len({(edge.source, edge.target) for edge in edges}),
        parameters=parameters,
        sources=round(sources / parameters, 2) if parameters else 0.0,
        dropped=selection.dropped,
    )
