"""The graph's file and pictures: they load where they should, whatever the names."""

from __future__ import annotations

import importlib
import io
import json
import re
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from doc2tools.compiler.emit.graph_json import UnreadableGraph, graph_json, read_graph
from doc2tools.compiler.graph.build import candidate_graph
from doc2tools.compiler.graph.formats.graphml import graphml
from doc2tools.compiler.graph.formats.mermaid import mermaid
from doc2tools.compiler.graph.formats.svg import svg
from doc2tools.compiler.ir.graph import (
    DependencyGraph,
    Edge,
    FieldUse,
    MergedParameter,
    ParameterNode,
    ParameterUse,
    Proof,
    ToolNode,
)
from tests.unit.graph.graph_tools import case_tools

networkx: Any = importlib.import_module("networkx")
SVG = "{http://www.w3.org/2000/svg}"

HOSTILE = [
    "<script>alert(1)</script>",
    '"]; click t0 call alert(1); t9["',
    "]]><!--",
    "a\x00b\x1b[2J\x07",
    "half \ud800 pair",
    "`${x}`\n  t1 --> t2",
    "&amp;&#60;#lt;",
    "%%{init: {'securityLevel': 'loose'}}%%",
    "\u202eright",
    "x" * 5_000,
    "",
]


def hostile_graph(name: str) -> DependencyGraph:
    """Give a graph with a hostile text wherever a text can stand."""
    merged = MergedParameter(
        name=name,
        parameters=(ParameterUse(tool=f"b{name}", parameter=name),),
        fields=(FieldUse(tool=f"a{name}", field=name),),
        evidence=(name,),
    )
    node = ParameterNode(name=name, location="path", required=True, merged=name)
    edge = Edge(
        source=f"a{name}", target=f"b{name}", parameter=name, field=name, similarity=0.5,
        reason=name, stage="proved", proof=Proof(value={name: [name]}, control=float("nan")),
    )  # fmt: skip
    tools = (
        ToolNode(name=f"a{name}", title=name, path=name, method=name),
        ToolNode(name=f"b{name}", title=name, parameters=(node,)),
    )
    return DependencyGraph(name=name, tools=tools, edges=(edge,), merged=(merged,))


def test_the_file_loads_into_networkx() -> None:
    graph = candidate_graph(case_tools("shop"), name="shop")
    net = networkx.node_link_graph(json.loads(graph_json(graph)), edges="edges")
    assert net.is_directed()
    assert net.is_multigraph()
    assert set(net.nodes) == {tool.name for tool in graph.tools}
    assert net.number_of_edges() == len(graph.edges)
    first = graph.edges[0]
    found = net.get_edge_data(first.source, first.target)
    assert first.reason in {data["reason"] for data in found.values()}
    assert read_graph(graph_json(graph)) == graph


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_hostile_names_survive_the_file(name: str) -> None:
    graph = hostile_graph(name)
    data = graph_json(graph)
    networkx.node_link_graph(json.loads(data), edges="edges")
    read = read_graph(data)
    assert isinstance(read, DependencyGraph)
    assert read.edges[0].key == graph.edges[0].key
    proof = read.edges[0].proof
    assert proof is not None
    assert proof.control is None  # JSON has no NaN
    assert "\ud800" in name or proof.value == {name: [name]}


NO_GRAPHS = [
    b"",
    b"[]",
    b"{}",
    b'{"nodes": 1}',
    b'{"nodes": [1], "edges": []}',
    b'{"graph": {}, "nodes": [{"id": 3}], "edges": []}',
    b"\xff",
    b"[" * 9_999,
]


@pytest.mark.parametrize("data", NO_GRAPHS)
def test_what_is_no_graph_gives_the_reason(data: bytes) -> None:
    assert isinstance(read_graph(data), UnreadableGraph)


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_hostile_names_in_graphml_stay_text(name: str) -> None:
    text = graphml(hostile_graph(name))
    net = networkx.read_graphml(io.BytesIO(text.encode()))
    assert net.number_of_nodes() == 3
    kinds = sorted(data["kind"] for _, _, data in net.edges(data=True))
    assert kinds == ["feeds", "gives", "takes"]


def test_graphml_carries_the_counts_of_behaviour() -> None:
    graph = hostile_graph("p")
    edge = graph.edges[0].model_copy(update={"successes": 4, "failures": 2})
    text = graphml(graph.model_copy(update={"edges": (edge,)}))
    net = networkx.read_graphml(io.BytesIO(text.encode()))
    (feeds,) = [data for _, _, data in net.edges(data=True) if data["kind"] == "feeds"]
    assert (feeds["successes"], feeds["failures"]) == (4, 2)


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_hostile_names_in_mermaid_stay_labels(name: str) -> None:
    lines = mermaid(hostile_graph(name)).splitlines()
    shapes = (
        r'  t\d+\["[A-Za-z0-9 _./#;-]*"\]',
        r'  p\d+\(\["[A-Za-z0-9 _./#;-]*"\]\)',
        r"  (t\d+ (-->|-\.->) p\d+|p\d+ (-->|-\.->) t\d+)",
        r"  class(Def)? [A-Za-z0-9:#, -]+",
    )
    assert lines[0] == "flowchart LR"
    assert all(any(re.fullmatch(shape, line) for shape in shapes) for line in lines[1:])
    assert len(lines) == 8


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_hostile_names_in_svg_stay_text(name: str) -> None:
    root = ElementTree.fromstring(svg(hostile_graph(name)))  # noqa: S314 - our own output
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags == {"svg", "title", "rect", "text", "g", "path"}
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not any(one.startswith("on") or "href" in one for one in attributes)


def test_the_picture_draws_each_tool_once_a_side() -> None:
    graph = candidate_graph(case_tools("shop"), name="shop")
    root = ElementTree.fromstring(svg(graph))  # noqa: S314 - our own output
    shown = [element.text for element in root.iter(f"{SVG}text")]
    for merged in graph.merged:
        if merged.fields:
            assert shown.count(merged.name) == 1
    boxes = [
        (float(one.attrib["x"]), float(one.attrib["y"]))
        for one in root.iter(f"{SVG}rect")
        if "x" in one.attrib
    ]
    for column in {x for x, _ in boxes}:
        places = sorted(y for x, y in boxes if x == column)
        assert all(low + 20 <= high for low, high in pairwise(places))
    assert svg(graph) == svg(graph)


def test_an_empty_graph_is_drawn() -> None:
    empty = DependencyGraph(name="none")
    ElementTree.fromstring(svg(empty))  # noqa: S314 - our own output
    assert mermaid(empty) == "flowchart LR\n"
    networkx.read_graphml(io.BytesIO(graphml(empty).encode()))
