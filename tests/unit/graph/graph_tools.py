"""Tools for the graph's tests: from the invented specifications under `tests/cases/graph`."""

from __future__ import annotations

import json
from pathlib import Path

from doc2tools.compiler.graph.build import candidate_graph
from doc2tools.compiler.ir.base import JsonValue, Location, ValueType
from doc2tools.compiler.ir.exchange import Exchange, Request, Response
from doc2tools.compiler.ir.graph import DependencyGraph
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import (
    Argument,
    Attempt,
    Tool,
    Unvalidated,
    Validated,
    Verdict,
)
from doc2tools.compiler.ir.spec import Effect, Endpoint, Parameter
from doc2tools.compiler.passes.normalise import normalise
from doc2tools.compiler.pipeline import extract_docs

CASES = Path(__file__).parents[2] / "cases" / "graph"
UNCALLED = Unvalidated(cause="no-parameter-value", reason="nothing is called here")


def case_tools(name: str) -> list[Tool]:
    """Give the tools of one specification, never called."""
    options = CompileOptions()
    drafts = extract_docs([str(CASES / f"{name}.yaml")], options, state=None).drafts
    spec, _ = normalise(drafts, options)
    return [Tool(endpoint=endpoint, outcome=UNCALLED) for endpoint in spec.endpoints]


def edge_lines(graph: DependencyGraph) -> list[str]:
    """Write edges as the case files do."""
    place = {tool.name: f"{tool.method} {tool.path}" for tool in graph.tools}
    return sorted(
        f"{place[edge.target]} {edge.parameter} <- {place[edge.source]} {edge.field}"
        for edge in graph.edges
    )


def parameter(
    name: str, location: Location = "path", kind: ValueType = "string", description: str = ""
) -> Parameter:
    """Give a parameter; one in the path is required."""
    return Parameter(
        name=name,
        identifier=name,
        location=location,
        type=kind,
        required=location == "path",
        description=description,
    )


def called(
    path: str,
    answer: JsonValue,
    *parameters: Parameter,
    name: str = "",
    base_url: str = "https://one.test",
    **arguments: str | int,
) -> Tool:
    """Give a validated GET tool with its recorded answer."""
    endpoint = Endpoint(
        name=name or path.strip("/").replace("/", "_").replace("{", "").replace("}", ""),
        group="tools",
        method="GET",
        base_url=base_url,
        path=path,
        parameters=parameters,
        effect=Effect(kind="read", reason="GET"),
    )
    response = Response(
        status=200, headers={"content-type": "application/json"}, body=json.dumps(answer)
    )
    exchange = Exchange(request=Request(method="GET", url=base_url + path), response=response)
    given = tuple(Argument(name=key, value=arguments[key], origin="observed") for key in arguments)
    verdict = Verdict(verdict="information", cause="ok", message="it answers")
    attempt = Attempt(arguments=given, exchange=exchange, verdict=verdict)
    return Tool(endpoint=endpoint, outcome=Validated(attempt=attempt))


def edges_of(*tools: Tool) -> list[tuple[str, str, str, str]]:
    """Give source, field, target and parameter of each judged edge."""
    graph = candidate_graph(tools)
    return [(edge.source, edge.field, edge.target, edge.parameter) for edge in graph.edges]
