"""Ways to a value, roots, cycles, what nothing feeds, and counts of behaviour."""

from __future__ import annotations

from doc2tools.compiler.graph.build import candidate_graph
from doc2tools.compiler.graph.observe import observe
from doc2tools.compiler.graph.queries import chains_to, cycles, nothing_feeds, roots, takers_of
from doc2tools.compiler.ir.graph import (
    DependencyGraph,
    Edge,
    EdgeStage,
    ObservedCall,
    ParameterNode,
    ToolNode,
)
from tests.unit.graph.graph_tools import case_tools


def tool(name: str, *needs: str) -> ToolNode:
    parameters = tuple(
        ParameterNode(name=need, location="path", required=True, merged=need) for need in needs
    )
    return ToolNode(name=name, parameters=parameters)


def edge(source: str, target: str, parameter: str, stage: EdgeStage = "proved") -> Edge:
    return Edge(
        source=source, target=target, parameter=parameter, field="id", similarity=1, stage=stage
    )


GRAPH = DependencyGraph(
    name="bus",
    tools=(
        tool("list_lines"),
        tool("get_line", "line_id"),
        tool("list_routes", "line_id"),
        tool("get_route", "route_id"),
        tool("get_stop", "stop_id"),
        tool("search", "town"),
    ),
    edges=(
        edge("list_lines", "get_line", "line_id"),
        edge("list_lines", "list_routes", "line_id"),
        edge("get_route", "list_routes", "line_id"),
        edge("list_routes", "get_route", "route_id"),
        edge("search", "get_route", "route_id", "untested"),
        edge("get_stop", "get_route", "route_id", "refuted"),
        edge("get_route", "get_stop", "stop_id"),
    ),
)


def test_the_shortest_way_to_a_value_begins_at_a_root() -> None:
    first, *others = chains_to(GRAPH, "get_route", "route_id")
    assert [(one.source, one.target) for one in first.edges] == [
        ("list_lines", "list_routes"),
        ("list_routes", "get_route"),
    ]
    assert others == []
    (stop,) = chains_to(GRAPH, "get_stop", "stop_id")
    assert [one.source for one in stop.edges] == ["list_lines", "list_routes", "get_route"]


def test_a_way_does_not_lead_over_the_tool_itself() -> None:
    assert all(
        one.target != "list_routes"
        for chain in chains_to(GRAPH, "list_routes", "line_id")
        for one in chain.edges[:-1]
    )


def test_roots_wait_for_no_other_answer() -> None:
    assert roots(GRAPH) == ("list_lines",)


def test_refuted_edges_answer_no_question() -> None:
    alone = GRAPH.model_copy(update={"edges": (edge("a", "get_stop", "stop_id", "refuted"),)})
    assert ("get_stop", "stop_id") in {(node.name, one.name) for node, one in nothing_feeds(alone)}
    assert chains_to(alone, "get_stop", "stop_id") == ()


def test_what_nothing_feeds() -> None:
    assert [(node.name, one.name) for node, one in nothing_feeds(GRAPH)] == [("search", "town")]


def test_cycles_begin_at_their_first_tool() -> None:
    assert cycles(GRAPH) == (("list_routes", "get_route"),)


def test_a_tangle_is_one_group_and_takes_no_time() -> None:
    names = [f"t{number}" for number in range(220)]
    many = tuple(edge(a, b, "id") for a in names for b in names[:40] if a != b)
    back = tuple(edge(b, a, "id") for a in names[40:] for b in names[:1])
    tangled = DependencyGraph(tools=tuple(tool(name) for name in names), edges=(*many, *back))
    assert [len(ring) for ring in cycles(tangled)] == [220]


def test_takers_are_found_by_either_name() -> None:
    graph = candidate_graph(case_tools("shop"))
    standard = {node.path for node, _ in takers_of(graph, "customer_id")}
    assert {"/customers/{id}", "/customers/{id}/orders", "/shipments"} <= standard
    assert {node.path for node, _ in takers_of(graph, "sku")} == {
        "/articles/{sku}",
        "/articles/{sku}/similar",
    }


def test_calls_are_counted_on_tools_and_on_the_edges_that_fed_them() -> None:
    calls = [
        ObservedCall(tool="list_lines", answer={"id": 7}),
        ObservedCall(tool="list_routes", arguments={"line_id": "7"}, answer={"id": "r1"}),
        ObservedCall(tool="get_line", arguments={"line_id": 8}, worked=False),
        ObservedCall(tool="get_route", arguments={"route_id": ["r0", "r1"]}, worked=False),
        ObservedCall(tool="unknown", arguments={"x": 1}),
    ]
    seen = observe(observe(GRAPH, calls), calls[:2])
    counts = {one.name: (one.successes, one.failures) for one in seen.tools}
    assert counts["list_lines"] == (2, 0)
    assert counts["get_line"] == (0, 1)
    fed = {
        (one.source, one.target): (one.successes, one.failures)
        for one in seen.edges
        if one.successes or one.failures
    }
    assert fed == {("list_lines", "list_routes"): (2, 0), ("list_routes", "get_route"): (0, 1)}
    assert all(not one.successes for one in GRAPH.edges)


def test_a_value_from_a_later_call_fed_nothing() -> None:
    calls = [
        ObservedCall(tool="list_routes", arguments={"line_id": 7}),
        ObservedCall(tool="list_lines", answer={"id": 7}),
    ]
    assert not any(one.successes for one in observe(GRAPH, calls).edges)
