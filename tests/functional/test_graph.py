"""`doc2tools graph` on a package compiled from real answers, and on files that are none."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from doc2tools.cli.main import main
from doc2tools.compiler.emit.graph_json import graph_json
from doc2tools.compiler.ir.graph import DependencyGraph, Edge, ParameterNode, ToolNode

networkx: Any = importlib.import_module("networkx")


def package(folder: Path, data: bytes | None) -> Path:
    """Make the parts of a package that the command reads."""
    place = folder / "bus" / "src" / "bus"
    place.mkdir(parents=True)
    (place / "doc2tools.json").write_text('{"name": "bus", "tools": []}')
    if data is not None:
        (place / "graph.json").write_bytes(data)
    return folder


@pytest.fixture
def bus(tmp_path: Path) -> Path:
    """Give the output folder of a small package with a graph."""
    line = ParameterNode(name="line", location="path", required=True, merged="line_id")
    town = ParameterNode(name="town", location="path", required=True)
    edges = (
        Edge(source="list_lines", target="get_line", parameter="line", field="[].id",
             similarity=0.9, score=0.9, stage="proved", reason="it is the id of a line"),
        Edge(source="ghost", target="get_line", parameter="line", field="id",
             similarity=0.4, stage="refuted", reason="it did not answer"),
    )  # fmt: skip
    tools = (
        ToolNode(name="list_lines", path="/lines"),
        ToolNode(name="get_line", path="/lines/{line}", parameters=(line,)),
        ToolNode(name="get_town", path="/towns/{town}\x1b[2J", parameters=(town,)),
        ToolNode(name="ghost", path="/ghost"),
    )
    return package(tmp_path, graph_json(DependencyGraph(name="bus", tools=tools, edges=edges)))


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Give what a successful command prints."""
    assert main(["graph", *words]) == 0
    return capsys.readouterr().out


def test_the_summary(bus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "bus", "--out", str(bus))
    assert text.startswith("bus: 4 tools, 1 edges stand\n")
    assert "1 proved, 1 refuted" in text
    assert "roots (callable without another tool's answer): 2\n  list_lines\n" in text
    assert "required parameters that nothing feeds: 1\n  get_town(town)\n" in text


def test_a_tool_and_the_way_to_it(bus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "bus", "--out", str(bus), "--tool", "get_line")
    assert "list_lines  [].id  [proved]  it is the id of a line" in text
    assert "way: list_lines  [].id -> get_line(line)" in text


def test_how_to_get_a_value(bus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("line", "line_id"):
        text = shown(capsys, "bus", "--out", str(bus), "--parameter", name)
        assert "way: list_lines  [].id -> get_line(line)" in text


def test_unresolved(bus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "bus", "--out", str(bus), "--unresolved")
    assert text == "required parameters that nothing feeds: 1\n  get_town(town)\n"
    raw = shown(capsys, "bus", "--out", str(bus), "--unresolved", "--format", "json")
    assert [one["tool"] for one in json.loads(raw)] == ["get_town"]


def test_the_terminal_obeys_no_name(bus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "bus", "--out", str(bus), "--tool", "get_town")
    assert "\\x1b[2J" in text
    assert "\x1b" not in text


def test_json_loads_into_networkx(bus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    raw = shown(capsys, "bus", "--out", str(bus), "--format", "json", "--tool", "get_town")
    net = networkx.node_link_graph(json.loads(raw), edges="edges")
    assert list(net.nodes) == ["get_town"]


def test_wrong_words_say_what_there_is(bus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", "bus", "--out", str(bus), "--tool", "line"]) == 2
    assert "list_lines, get_line" in capsys.readouterr().err
    assert main(["graph", "bus", "--out", str(bus), "--parameter", "LIN"]) == 2
    assert "there are: line" in capsys.readouterr().err


@pytest.mark.parametrize("data", [None, b"{}", b"\x00", b"[" * 99_999])
def test_no_graph_is_a_wrong_input(
    data: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["graph", "bus", "--out", str(package(tmp_path, data))]) == 2
    assert "compile the package again" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["text", "json", "graphml", "mermaid", "svg"])
def test_a_compiled_package_is_shown_in_every_format(
    form: str, library_project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(capsys, str(library_project), "--format", form)
    graph = json.loads(next(library_project.glob("src/*/graph.json")).read_bytes())
    assert graph["edges"]
    assert text.count(graph["edges"][0]["source"]) >= 1
