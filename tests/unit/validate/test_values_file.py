"""The file for values that a person fills in: what it asks for, hostile names, regeneration."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from invented_api import endpoint, parameter

from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Argument, Attempt, Failed, Tool, Unvalidated, Verdict
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.values_file import read_values, update, values_file, waiting, with_values

HOSTILE = 'a"] \n[auth]\ntype = "none"\n#\u202e\u0007\ud800é'


def waits(spec: Endpoint, *names: str) -> Tool:
    outcome = Unvalidated(cause="no-parameter-value", reason="no value", missing=names)
    return Tool(endpoint=spec, outcome=outcome)


def fails(spec: Endpoint, cause: str = "wrong-parameter-value", **sent: str) -> Tool:
    verdict = Verdict.model_validate(
        {"verdict": "request_error", "cause": cause, "message": "Nothing is there."}
    )
    arguments = tuple(Argument(name=n, value=v, origin="documented") for n, v in sent.items())
    attempt = Attempt(arguments=arguments, exchange=None, verdict=verdict)
    return Tool(endpoint=spec, outcome=Failed(attempt=attempt))


def test_it_asks_once_for_a_name_and_apart_for_a_generic_one(tmp_path: Path) -> None:
    tools = [
        waits(endpoint("/trams/{line}", name="get_tram"), "line"),
        waits(endpoint("/stops/{line}", name="get_stops"), "line"),
        waits(endpoint("/crews/{id}", name="get_crew"), "id"),
        fails(endpoint("/yards/{id}", name="get_yard"), id="y1"),
    ]
    assert [entry.key for entry in waiting(tools)] == ["line", "get_crew.id", "get_yard.id"]
    path = update(tmp_path, "trams", tools, {})
    assert path is not None and path == values_file(tmp_path, "trams")
    text = path.read_text()
    assert "waits: get_tram (GET /trams/{line})" in text
    assert "waits: get_stops (GET /stops/{line})" in text
    assert 'in vain: "y1"' in text
    assert read_values(path) == {}


def test_it_asks_for_no_credential_and_not_for_what_no_value_mends() -> None:
    spec = endpoint("/x", parameter("api_key", required=True), parameter("pin", required=True))
    tools = [waits(spec, "api_key", "pin"), fails(endpoint("/y/{z}"), "server-fault", z="1")]
    assert waiting(tools) == ()


@pytest.mark.parametrize("place", ["name", "description", "tool"])
def test_hostile_text_stays_in_its_place(tmp_path: Path, place: str) -> None:
    name = HOSTILE if place == "name" else "line"
    facts = {"description": HOSTILE} if place == "description" else {}
    spec = endpoint(
        "/trams" if place != "tool" else f"/{HOSTILE}",
        parameter(name, "query", required=True, identifier="line", **facts),
        name="get_tram",
    )
    path = update(tmp_path, "trams", [waits(spec, name)], {})
    assert path is not None
    read = tomllib.loads(path.read_bytes().decode())
    assert list(read) == ["values"]
    assert list(read["values"].values()) == [""]
    assert path.read_text().isprintable() or set(path.read_text()) - {"\n"} <= printable(path)


def printable(path: Path) -> set[str]:
    return {character for character in path.read_text() if character.isprintable()}


def test_what_was_filled_in_survives(tmp_path: Path) -> None:
    tools = [waits(endpoint("/trams/{line}"), "line"), waits(endpoint("/crews/{crew}"), "crew")]
    path = update(tmp_path, "trams", tools, {})
    assert path is not None
    text = path.read_text().replace('"line" = ""', '"line" = ["4", 7, true, {a = 1.5}]')
    path.write_text(text + '"older" = 2026-11-20\n')
    filled = read_values(path)
    assert filled == {"line": ["4", 7, True, {"a": 1.5}], "older": "2026-11-20"}
    assert update(tmp_path, "trams", tools, filled) == path
    assert read_values(path) == filled
    assert '"crew" = ""' in path.read_text()
    assert update(tmp_path, "trams", tools[:1], filled) is None, "nothing is waited for any more"
    assert read_values(path) == filled


def test_it_goes_when_nothing_waits(tmp_path: Path) -> None:
    path = update(tmp_path, "trams", [waits(endpoint("/trams/{line}"), "line")], {})
    assert path is not None and path.exists()
    assert update(tmp_path, "trams", [], {}) is None
    assert not path.exists()


def test_the_configuration_goes_before_the_file() -> None:
    options = CompileOptions(values={"line": "4", "get_crew.id": "c1"})
    under = {"get_tram.line": "9", "get_crew.id": "c2", "get_yard.id": "y1", "depot": "d"}
    values = with_values(options, under).values
    assert values == {"line": "4", "get_crew.id": "c1", "get_yard.id": "y1", "depot": "d"}


@pytest.mark.parametrize("text", ["[values", "values = 3", "\xff"])
def test_a_broken_file_is_named(tmp_path: Path, text: str) -> None:
    path = values_file(tmp_path, "trams")
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError, match=r"trams\.values\.toml"):
        read_values(path)
