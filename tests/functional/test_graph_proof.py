"""Dependency edges are proved by calls on a real server, and refuted where the value is nothing."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from doc2tools.compiler.emit.graph_json import read_graph
from doc2tools.compiler.ir.graph import DependencyGraph, Edge
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.pipeline import CompileResult, compile_docs
from tests.functional.harbour_server import Harbours, harbours


@pytest.fixture(scope="module")
def server() -> Generator[Harbours]:
    with harbours() as running:
        yield running


def run(server: Harbours, out: Path, docs: Path, **more: object) -> CompileResult:
    options = CompileOptions.model_validate(
        {"base_url": server.base_url, "allow": ("GET",), "name": "port", "llm": "off", **more}
    )
    return compile_docs([str(server.write_docs(docs))], options, out)


@pytest.fixture(scope="module")
def compiled(
    server: Harbours, tmp_path_factory: pytest.TempPathFactory
) -> tuple[CompileResult, Path]:
    folder = tmp_path_factory.mktemp("port")
    return run(server, folder / "out", folder / "docs"), folder


def edges(graph: DependencyGraph | None, stage: str) -> list[Edge]:
    assert graph is not None
    return [edge for edge in graph.edges if edge.stage == stage]


def joined(graph: DependencyGraph | None, stage: str) -> set[tuple[str, str, str]]:
    assert graph is not None
    paths = {tool.name: f"{tool.method} {tool.path}" for tool in graph.tools}
    return {(paths[e.source], paths[e.target], e.field) for e in edges(graph, stage)}


def test_identifiers_are_proved(compiled: tuple[CompileResult, Path]) -> None:
    found = joined(compiled[0].plan.graph, "proved")
    assert ("GET /harbours", "GET /harbours/{code}", "harbours[].code") in found
    assert ("GET /harbours", "GET /harbours/{code}/boats", "harbours[].code") in found
    assert ("GET /harbours/{code}/boats", "GET /boats/{boat_id}", "boats[].boat_id") in found


def test_a_tool_that_answers_to_anything_is_fed_by_nothing(
    compiled: tuple[CompileResult, Path],
) -> None:
    graph = compiled[0].plan.graph
    open_to_all = {"GET /greetings/{code}", "GET /echoes/{code}"}
    assert not [one for one in joined(graph, "proved") if one[1] in open_to_all]
    refuted = {one[1] for one in joined(graph, "refuted")}
    assert open_to_all <= refuted


def test_every_final_edge_shows_its_calls(compiled: tuple[CompileResult, Path]) -> None:
    for edge in edges(compiled[0].plan.graph, "proved"):
        proof = edge.proof
        assert proof is not None
        assert proof.source is not None
        assert proof.right is not None
        assert proof.wrong is not None
        assert proof.right.verdict == "information"
        assert proof.wrong.status == 404
        assert proof.right.arguments[edge.parameter] == proof.value != proof.control
        assert edge.successes >= 1


def test_counts_and_names_of_things_feed_no_identifier(
    compiled: tuple[CompileResult, Path],
) -> None:
    fields = {edge.field.rpartition(".")[2] for edge in edges(compiled[0].plan.graph, "proved")}
    assert not fields & {"berths", "length", "depth", "crew", "name"}


def test_what_changes_state_is_not_called(
    compiled: tuple[CompileResult, Path], server: Harbours
) -> None:
    assert not [address for address in server.asked if address.startswith("DELETE")]
    graph = compiled[0].plan.graph
    assert graph is not None
    taken = {edge.stage for edge in graph.edges if "delete" in edge.target}
    assert taken == {"untested"}


def test_nothing_is_called_twice(tmp_path: Path) -> None:
    with harbours() as server:
        result = run(server, tmp_path / "out", tmp_path / "docs")
        assert result.calls + result.graph_calls == server.asked.total()
        assert result.graph_calls > 0
        assert set(server.asked.values()) == {1}


def test_again_nothing_is_called_and_nothing_changes(
    compiled: tuple[CompileResult, Path], server: Harbours
) -> None:
    first, folder = compiled
    before = server.asked.total()
    again = run(server, folder / "out", folder / "docs")
    assert (again.calls, again.graph_calls, again.changed) == (0, 0, ())
    assert server.asked.total() == before
    assert again.plan.graph == first.plan.graph


def test_the_graph_is_shipped_and_can_be_read(compiled: tuple[CompileResult, Path]) -> None:
    first, _ = compiled
    written = (first.folder / "src/port/graph.json").read_bytes()
    assert read_graph(written) == first.plan.graph
    assert first.plan.graph is not None
    assert [stage.stage for stage in first.plan.graph.stages] == [
        "complete",
        "similar",
        "judged",
        "proved",
    ]


def test_without_a_graph_nothing_is_called_for_it(server: Harbours, tmp_path: Path) -> None:
    result = run(server, tmp_path / "out", tmp_path / "docs", graph="off")
    assert result.plan.graph is None
    assert result.graph_calls == 0
    assert not (result.folder / "src/port/graph.json").exists()
