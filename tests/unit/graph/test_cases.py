"""Invented APIs whose true edges were written down by hand, beside each specification."""

from __future__ import annotations

import pytest

from doc2tools.compiler.graph.build import candidate_graph
from doc2tools.compiler.ir.outcome import Tool
from tests.unit.graph.graph_tools import CASES, case_tools, edge_lines

NAMES = sorted(file.stem for file in CASES.glob("*.yaml"))


@pytest.mark.parametrize("name", NAMES)
def test_the_edges_are_those_that_hold(name: str) -> None:
    found = edge_lines(candidate_graph(case_tools(name)))
    assert found == (CASES / f"{name}.edges").read_text().splitlines()


@pytest.mark.parametrize("name", NAMES)
def test_most_edges_are_found_without_the_parameters_names(name: str) -> None:
    tools = case_tools(name)
    expected = set(edge_lines(candidate_graph(tools)))
    wire: dict[tuple[str, str], str] = {}
    hidden: list[Tool] = []
    for tool in tools:
        path, parameters = tool.endpoint.path, list(tool.endpoint.parameters)
        for place, one in enumerate(parameters):
            number = f"p{len(wire) + 1}"
            wire[tool.endpoint.name, number] = one.name
            path = path.replace(f"{{{one.name}}}", f"{{{number}}}")
            parameters[place] = one.model_copy(update={"name": number})
        change = {"path": path, "parameters": tuple(parameters)}
        endpoint = tool.endpoint.model_copy(update=change)
        hidden.append(tool.model_copy(update={"endpoint": endpoint}))
    place = {tool.endpoint.name: f"{tool.endpoint.method} {tool.endpoint.path}" for tool in tools}
    found = {
        f"{place[edge.target]} {wire[edge.target, edge.parameter]} <- "
        f"{place[edge.source]} {edge.field}"
        for edge in candidate_graph(hidden).edges
    }
    assert len(found & expected) >= 0.7 * len(expected)


def test_every_edge_has_a_reason_and_every_stage_its_counts() -> None:
    graph = candidate_graph(case_tools("shop"), name="shop")
    assert all(edge.reason and edge.stage == "judged" for edge in graph.edges)
    complete, similar, judged = graph.stages
    assert complete.edges - sum(similar.dropped.values()) == similar.edges
    assert similar.edges - sum(judged.dropped.values()) == judged.edges == len(graph.edges)
    assert complete.pairs >= similar.pairs >= judged.pairs > 0


def test_the_same_graph_comes_out_each_time() -> None:
    tools = case_tools("harbour")
    assert candidate_graph(tools) == candidate_graph(tools)


def test_equivalent_parameters_are_merged_with_evidence() -> None:
    graph = candidate_graph(case_tools("shop"))
    merged = {one.name: one for one in graph.merged}
    customer = merged["customer_id"]
    assert {use.parameter for use in customer.parameters} == {"id", "customer_ids"}
    assert any("names differ" in line for line in customer.evidence)
    assert {node.merged for tool in graph.tools for node in tool.fields} <= merged.keys()
    assert {"order_id", "customer_id"} <= {
        one.merged for tool in graph.tools for one in tool.parameters if one.name == "id"
    }
