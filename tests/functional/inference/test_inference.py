"""Documentation without a single example value: every value has to be inferred from the server."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from invented_servers import EAST, NORTH, SERVERS, SOUTH, WEST, serving

from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Tool, Unvalidated, Validated
from doc2tools.compiler.pipeline import CompileResult, compile_docs

DOCS = Path(__file__).parent / "docs"
UNKNOWABLE = {"store": {"/v1/leases/{lease}"}}
"""What only a person can give a value for."""
MARGIN = 0.02
"""Degrees: a harbour is a place as well."""


def compiled(name: str, url: str, out: Path, **options: object) -> CompileResult:
    settled = CompileOptions.model_validate(
        {
            "base_url": url,
            "allow": ("GET",),
            "name": name,
            "llm": "off",
            "graph": "off",
            **options,
        }
    )
    return compile_docs([str(DOCS / f"{name}.md")], settled, out)


def proved(result: CompileResult) -> set[str]:
    return {tool.endpoint.path for tool in result.plan.tools if isinstance(tool.outcome, Validated)}


def request_url(tool: Tool) -> str:
    assert isinstance(tool.outcome, Validated)
    exchange = tool.outcome.attempt.exchange
    assert exchange is not None
    return exchange.request.url


@dataclass(frozen=True)
class Run:
    """One compile, and the request lines that came in."""

    result: CompileResult
    seen: tuple[str, ...]


@pytest.fixture(scope="module")
def run_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Run]:
    """Compile each server's documentation once."""

    @cache
    def run(name: str) -> Run:
        with serving(SERVERS[name]) as (url, seen):
            result = compiled(name, url, tmp_path_factory.mktemp(name))
        return Run(result, tuple(seen))

    return run


@pytest.mark.parametrize("name", SERVERS)
def test_values_are_inferred(name: str, run_of: Callable[[str], Run]) -> None:
    result, seen = run_of(name).result, run_of(name).seen
    paths = {tool.endpoint.path for tool in result.plan.tools}
    assert proved(result) == paths - UNKNOWABLE.get(name, set())
    assert result.calls < 4 * len(paths)
    assert all(line.startswith("GET ") for line in seen)


def test_places_lie_where_the_server_has_data(run_of: Callable[[str], Run]) -> None:
    result = run_of("ferry").result
    tools = {tool.endpoint.path: tool for tool in result.plan.tools}
    query = parse_qs(urlsplit(request_url(tools["/nearest"])).query)
    course = unquote(urlsplit(request_url(tools["/course/{vehicle}/{coordinates}"])).path)
    places = [pair.split(",") for pair in course.rpartition("/")[2].split("|")]
    for lat, lon in [(query["lat"][0], query["lon"][0]), *places]:
        assert SOUTH - MARGIN < float(lat) < NORTH + MARGIN
        assert WEST - MARGIN < float(lon) < EAST + MARGIN
    assert len(places) == 2


def test_a_guessed_value_is_named_as_such(run_of: Callable[[str], Run]) -> None:
    result = run_of("sensors").result
    manifest = json.loads((result.folder / "src/sensors/doc2tools.json").read_text())
    origins = {
        f"{tool['name']}.{parameter['name']}": parameter["value_origin"]
        for tool in manifest["tools"]
        for parameter in tool["parameters"]
        if parameter.get("value_origin")
    }
    assert [origin for name, origin in origins.items() if name.endswith(".text")] == ["guessed"]


def test_what_a_person_fills_in_is_taken_up(tmp_path: Path) -> None:
    file = tmp_path / "store.values.toml"
    lease = "/v1/leases/{lease}"
    with serving(SERVERS["store"]) as (url, seen):
        first = compiled("store", url, tmp_path)
        assert first.values_file == file
        assert isinstance(outcome_of(first, lease), Unvalidated)
        untouched, calls = file.read_bytes(), len(seen)
        again = compiled("store", url, tmp_path)
        assert (again.calls, again.changed, len(seen)) == (0, (), calls)
        assert file.read_bytes() == untouched

        file.write_text(file.read_text().replace('"lease" = ""', '"lease" = "l-41"'))
        filled = compiled("store", url, tmp_path)
        assert isinstance(outcome_of(filled, lease), Validated)
        assert filled.values_file is None
        assert '"lease" = "l-41"' in file.read_text()
        assert isinstance(outcome_of(compiled("store", url, tmp_path), lease), Validated)

        compiled("store", url, tmp_path, values={"lease": "l-99"})
        asked = [line for line in seen if "/leases/l-" in line]
        assert "l-99" in asked[-1] or "l-99" in asked[-2], "the configuration goes before the file"
        assert '"lease" = "l-41"' in file.read_text()


def outcome_of(result: CompileResult, path: str) -> object:
    return next(tool.outcome for tool in result.plan.tools if tool.endpoint.path == path)


def test_a_broken_values_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "store.values.toml").write_text("[values\n")
    with (
        serving(SERVERS["store"]) as (url, _),
        pytest.raises(UsageError, match=r"store\.values\.toml"),
    ):
        compiled("store", url, tmp_path)
