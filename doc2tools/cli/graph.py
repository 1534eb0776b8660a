"""`doc2tools graph NAME`: which tool's answer feeds which tool's parameter."""

from __future__ import annotations

import enum
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from doc2tools.cli import options as o
from doc2tools.cli.plain import plain
from doc2tools.cli.screen import write_json
from doc2tools.compiler.emit.graph_json import UnreadableGraph, graph_json, read_graph
from doc2tools.compiler.graph.formats.graphml import graphml
from doc2tools.compiler.graph.formats.mermaid import mermaid
from doc2tools.compiler.graph.formats.svg import svg
from doc2tools.compiler.graph.queries import (
    Chain,
    chains_to,
    cycles,
    nothing_feeds,
    roots,
    standing,
    takers_of,
)
from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.graph import DependencyGraph, Edge, ToolNode
from doc2tools.toolkits import find_toolkit

_SHOWN = 12
_SHOWN_CYCLES = 6
_SHOWN_CHAINS = 3


class Format(enum.StrEnum):
    """How the graph is written."""

    text = "text"
    json = "json"
    graphml = "graphml"
    mermaid = "mermaid"
    svg = "svg"


def graph_command(
    name: Annotated[str, typer.Argument(help="A package's name or folder.", metavar="NAME")],
    *,
    out: o.Out = Path("generated"),
    tool: Annotated[
        str | None,
        typer.Option("--tool", help="Its neighbours, and the ways to call it.", metavar="TOOL"),
    ] = None,
    parameter: Annotated[
        str | None,
        typer.Option(
            "--parameter", help="How to get a value for it: who gives it.", metavar="PARAMETER"
        ),
    ] = None,
    unresolved: Annotated[
        bool, typer.Option("--unresolved", help="Only the parameters that nothing feeds.")
    ] = False,
    form: Annotated[
        Format, typer.Option("--format", help="How to write it.", metavar="FORMAT")
    ] = Format.text,
) -> int:
    """Show the dependency graph: edges, ways to a tool, cycles, roots, what nothing feeds."""
    graph = _read(find_toolkit(name, out).package / "graph.json")
    if tool is not None:
        graph = _around(graph, tool) if form is not Format.text else graph
    if form is Format.json:
        if unresolved:
            write_json(o.to_json(_unresolved_json(graph)))
        else:
            sys.stdout.write(graph_json(graph).decode())
    elif form is not Format.text:
        writers = {Format.graphml: graphml, Format.mermaid: mermaid, Format.svg: svg}
        sys.stdout.write(writers[form](graph).encode("utf-8", "replace").decode())
    else:
        for line in _text(graph, tool, parameter, unresolved=unresolved):
            sys.stdout.write(plain(line) + "\n")
    return 0


def _read(path: Path) -> DependencyGraph:
    try:
        data = path.read_bytes()
    except OSError as fault:
        raise UsageError(
            f"{path} is missing", hint="compile the package again, without --graph off"
        ) from fault
    graph = read_graph(data)
    if isinstance(graph, UnreadableGraph):
        raise UsageError(f"{path}: {graph.reason}", hint="compile the package again")
    return graph


def _around(graph: DependencyGraph, name: str) -> DependencyGraph:
    """Give one tool with its neighbours and the edges between it and them."""
    _known_tool(graph, name)
    edges = tuple(edge for edge in graph.edges if name in {edge.source, edge.target})
    names = {name} | {edge.source for edge in edges} | {edge.target for edge in edges}
    tools = tuple(tool for tool in graph.tools if tool.name in names)
    return graph.model_copy(update={"tools": tools, "edges": edges})


def _known_tool(graph: DependencyGraph, name: str) -> ToolNode:
    for tool in graph.tools:
        if tool.name == name:
            return tool
    near = [tool.name for tool in graph.tools if name.lower() in tool.name.lower()][:5]
    hint = f"there are: {', '.join(near)}" if near else "`doc2tools inspect` lists the tools"
    raise UsageError(f"the graph has no tool {name!r}", hint=hint)


def _text(
    graph: DependencyGraph, tool: str | None, parameter: str | None, *, unresolved: bool
) -> Iterator[str]:
    if unresolved:
        yield from _unresolved(graph, tool, parameter)
    elif tool is not None:
        yield from _tool(graph, _known_tool(graph, tool), parameter)
    elif parameter is not None:
        yield from _parameter(graph, parameter)
    else:
        yield from _summary(graph)


def _summary(graph: DependencyGraph) -> Iterator[str]:
    yield f"{graph.name}: {len(graph.tools)} tools, {len(standing(graph))} edges stand"
    for stage in graph.stages:
        more = f", {stage.sources:g} sources a parameter" if stage.parameters else ""
        yield f"  {stage.stage:<9} {stage.edges} edges, {stage.pairs} pairs of tools{more}"
    counts = Counter(edge.stage for edge in graph.edges)
    states = ("proved", "refuted", "untested", "judged")
    yield "  now       " + ", ".join(f"{counts[one]} {one}" for one in states if counts[one])
    yield ""
    yield from _listed("roots (callable without another tool's answer)", roots(graph))
    yield ""
    yield "parameters and who gives them"
    for one in graph.merged:
        if one.fields:
            givers = dict.fromkeys(use.tool for use in one.fields)
            takers = dict.fromkeys(use.tool for use in one.parameters)
            yield f"  {one.name}: {_some(list(givers), 4)} -> {_some(list(takers), 4)}"
    yield ""
    found = cycles(graph)
    rings = [" -> ".join((*ring, ring[0])) for ring in found]
    title = "cycles (fifty or more)" if len(found) >= 50 else "cycles"
    yield from _listed(title, rings, _SHOWN_CYCLES)
    yield ""
    yield from _unresolved(graph, None, None)


def _listed(title: str, entries: Sequence[str], most: int = _SHOWN) -> Iterator[str]:
    yield f"{title}: {len(entries) or 'none'}"
    for entry in entries[:most]:
        yield f"  {entry}"
    if len(entries) > most:
        yield f"  … and {len(entries) - most} more"


def _some(names: list[str], most: int) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _tool(graph: DependencyGraph, node: ToolNode, parameter: str | None) -> Iterator[str]:
    yield f"{node.name}: {node.method} {node.path} ({node.status})"
    if node.title:
        yield f"  {node.title}"
    takes = [edge for edge in graph.edges if edge.target == node.name]
    gives = [edge for edge in graph.edges if edge.source == node.name]
    for one in node.parameters:
        if parameter not in {None, one.name, one.merged}:
            continue
        entering = [edge for edge in takes if edge.parameter == one.name]
        if not entering and not one.required and parameter is None:
            continue
        needed = "required" if one.required else "optional"
        state = "" if entering else ": nothing feeds it" + (", a value is known" * one.known)
        yield f"  takes {one.name} ({needed}){state}"
        yield from (_edge(edge) for edge in entering[:_SHOWN])
        if len(entering) > _SHOWN:
            yield f"    … and {len(entering) - _SHOWN} more"
        if one.required or parameter:
            yield from _ways(chains_to(graph, node.name, one.name, _SHOWN_CHAINS))
    if gives and parameter is None:
        yield f"  feeds {len({edge.target for edge in gives})} tools"
        yield from (
            f"    {edge.field} -> {edge.target}({edge.parameter})  [{edge.stage}]"
            for edge in gives[:_SHOWN]
        )
        if len(gives) > _SHOWN:
            yield f"    … and {len(gives) - _SHOWN} more"


def _edge(edge: Edge) -> str:
    counts = f" {edge.successes}+/{edge.failures}-" if edge.successes or edge.failures else ""
    return f"    {edge.source}  {edge.field}  [{edge.stage}{counts}]  {edge.reason}"


def _ways(chains: Sequence[Chain]) -> Iterator[str]:
    for chain in chains:
        first = chain.edges[0].source
        steps = [f"{edge.field} -> {edge.target}({edge.parameter})" for edge in chain.edges]
        yield f"    way: {first}  {'  '.join(steps)}"


def _parameter(graph: DependencyGraph, parameter: str) -> Iterator[str]:
    takers = takers_of(graph, parameter)
    if not takers:
        names = sorted({one.name for tool in graph.tools for one in tool.parameters})
        near = [name for name in names if parameter.lower() in name.lower()][:5]
        hint = f"there are: {', '.join(near)}" if near else "`doc2tools graph NAME` lists them"
        raise UsageError(f"no tool takes a parameter {parameter!r}", hint=hint)
    uses = {(tool.name, one.name) for tool, one in takers}
    entering = [edge for edge in graph.edges if (edge.target, edge.parameter) in uses]
    yield f"{parameter}: taken by {_some([tool.name for tool, _ in takers], 6)}"
    for merged in graph.merged:
        if merged.name in {one.merged for _, one in takers}:
            yield from (f"  {line}" for line in merged.evidence)
    best: dict[tuple[str, str], Edge] = {}
    for edge in entering:
        held = best.get((edge.source, edge.field))
        if held is None or (edge.stage == "proved" and held.stage != "proved"):
            best[edge.source, edge.field] = edge
    if not best:
        yield "  nothing feeds it"
        return
    yield "  given by"
    yield from (_edge(edge) for edge in list(best.values())[: 2 * _SHOWN])
    tool, one = next(
        (tool, one)
        for tool, one in takers
        if (tool.name, one.name) in {(edge.target, edge.parameter) for edge in entering}
    )
    yield f"  for {tool.name}({one.name})"
    yield from _ways(chains_to(graph, tool.name, one.name, _SHOWN_CHAINS))


def _unresolved(graph: DependencyGraph, tool: str | None, parameter: str | None) -> Iterator[str]:
    if tool is not None:
        _known_tool(graph, tool)
    found = [
        f"{node.name}({one.name})" + ("" if not one.known else "  a value is known")
        for node, one in nothing_feeds(graph)
        if tool in {None, node.name} and parameter in {None, one.name, one.merged}
    ]
    yield from _listed("required parameters that nothing feeds", found, 10_000)


def _unresolved_json(graph: DependencyGraph) -> JsonValue:
    return [
        {"tool": tool.name, "parameter": one.name, "type": one.type, "known": one.known}
        for tool, one in nothing_feeds(graph)
    ]
