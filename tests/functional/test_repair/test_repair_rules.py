"""Documentation with faults against a strict server: what is repaired, and what is not."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from harbour_faults import FAULTS, Harbour, documentation, serving

from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Failed, Tool, Validated
from doc2tools.compiler.pipeline import CompileResult, compile_docs
from doc2tools.compiler.repair.guard import objection


@pytest.fixture(scope="module")
def harbour() -> Generator[Harbour]:
    with serving() as running:
        yield running


def compiled(harbour: Harbour, out: Path, text: str) -> CompileResult:
    docs = out / "docs"
    docs.mkdir(parents=True)
    (docs / "harbour.md").write_text(text)
    options = CompileOptions(
        base_url=harbour.base_url, allow=("GET",), name="harbour", llm="off", graph="off"
    )
    return compile_docs([str(docs)], options, out / "generated")


@pytest.fixture(scope="module")
def faulty(harbour: Harbour, tmp_path_factory: pytest.TempPathFactory) -> CompileResult:
    """Give the outcome of the documentation with every fault in it."""
    text = documentation(harbour.base_url, *FAULTS)
    return compiled(harbour, tmp_path_factory.mktemp("faulty"), text)


@pytest.fixture(scope="module")
def tools(harbour: Harbour, faulty: CompileResult) -> dict[str, Tool]:
    base = harbour.base_url
    return {tool.endpoint.url.removeprefix(base): tool for tool in faulty.plan.tools}


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("/api/v2/cranes", "the path segment is 'cranes', not 'crames'"),
        ("/api/v2/harbour_masters", "the path segment is 'harbour_masters', not 'harbour-masters'"),
        ("/api/v2/berths", "the base path /api/v2 is missing"),
        ("/api/v2/tides", "'port' is required"),
        ("/api/v2/pilots", "'district' is sent in the query, not in the header"),
        ("/api/v2/depths", "'mark' is of the type string, not integer"),
        ("/api/v2/chart", "the call needs the header Accept: image/png"),
        ("/api/v2/weather.json", "the path ends in .json"),
        ("/api/v2/notices/", "the path ends in a slash"),
    ],
)
def test_a_fault_is_repaired_and_named(tools: dict[str, Tool], path: str, line: str) -> None:
    tool = tools[path]
    assert isinstance(tool.outcome, Validated), tool.outcome
    assert line in tool.repairs


def test_a_wrong_example_gives_way_to_a_value_that_the_answer_allows(
    tools: dict[str, Tool],
) -> None:
    tool = tools["/api/v2/signals"]
    assert isinstance(tool.outcome, Validated)
    line = "the documented value 'torch' of 'kind' does not work here; 'lamp' does"
    assert line in tool.repairs
    kind = next(one for one in tool.endpoint.parameters if one.name == "kind")
    assert "torch" not in [example.value for example in kind.examples]


def test_a_stale_endpoint_stays_failed_and_says_what_was_tried(tools: dict[str, Tool]) -> None:
    outcome = tools["/api/v2/lighthouses"].outcome
    assert isinstance(outcome, Failed)
    assert outcome.attempt.verdict.cause == "missing-path"


def test_sound_tools_are_left_alone(tools: dict[str, Tool]) -> None:
    for path in ("/api/v2/ships", "/api/v2/ships/{ship_id}", "/api/v2/ships/{ship_id}/crew"):
        assert isinstance(tools[path].outcome, Validated)
        assert tools[path].repairs == ()


def test_the_package_holds_the_repaired_path(faulty: CompileResult) -> None:
    sources = [file.read_text() for file in faulty.folder.rglob("tools/*.py")]
    assert any('"/api/v2/cranes"' in text for text in sources)
    assert not any('"/api/v2/crames"' in text for text in sources)
    manifest = (faulty.folder / "src" / "harbour" / "doc2tools.json").read_text()
    assert "the base path /api/v2 is missing" in manifest


def test_nothing_but_get_was_sent_and_few_calls_were_made(
    harbour: Harbour, faulty: CompileResult
) -> None:
    assert all(line.startswith("GET ") for line in harbour.requests)
    validated = sum(isinstance(tool.outcome, Validated) for tool in faulty.plan.tools)
    assert faulty.calls < 6 * validated


def test_the_true_documentation_needs_one_repair_only(harbour: Harbour, tmp_path: Path) -> None:
    result = compiled(harbour, tmp_path, documentation(harbour.base_url))
    assert all(isinstance(tool.outcome, Validated) for tool in result.plan.tools)
    repaired = {tool.endpoint.path for tool in result.plan.tools if tool.repairs}
    assert repaired == {"/api/v2/chart"}  # the client's own `Accept` is refused there


def test_a_base_path_that_is_missing_everywhere_is_found_once_and_kept(
    harbour: Harbour, tmp_path: Path
) -> None:
    text = documentation(harbour.base_url).replace("/api/v2/", "/")
    result = compiled(harbour, tmp_path, text)
    validated = [tool for tool in result.plan.tools if isinstance(tool.outcome, Validated)]
    assert len(validated) == len(result.plan.tools)
    for tool in validated:
        assert tool.endpoint.path.startswith("/api/v2/")
    assert result.calls < 6 * len(validated)


def test_an_api_that_is_not_there_is_soon_left_alone(harbour: Harbour, tmp_path: Path) -> None:
    asked = len(harbour.requests)
    text = documentation(harbour.base_url).replace("/api/v2/", "/nowhere/x/")
    result = compiled(harbour, tmp_path, text)
    assert not any(isinstance(tool.outcome, Validated) for tool in result.plan.tools)
    assert not any(tool.repairs for tool in result.plan.tools)
    assert len(harbour.requests) - asked < 4 * len(result.plan.tools)


def test_an_unchanged_compile_makes_no_call(harbour: Harbour, tmp_path: Path) -> None:
    text = documentation(harbour.base_url, "segment", "prefix")
    compiled(harbour, tmp_path, text)
    asked = len(harbour.requests)
    options = CompileOptions(
        base_url=harbour.base_url, allow=("GET",), name="harbour", llm="off", graph="off"
    )
    again = compile_docs([str(tmp_path / "docs")], options, tmp_path / "generated")
    assert len(harbour.requests) == asked
    assert again.changed == ()


def test_no_repaired_tool_could_have_been_refused(
    faulty: CompileResult, tools: dict[str, Tool]
) -> None:
    documented = faulty.plan.spec.endpoints
    for tool, original in zip(faulty.plan.tools, documented, strict=True):
        if tool.repairs:
            assert objection(original, tool.endpoint, documented, faulty.plan.options) == ""
    assert tools
