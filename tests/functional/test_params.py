"""`doc2tools params`: what is kept between compiles is listed, found, added and forgotten."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from benchmarks.chroma_server import chroma_server

Command = Callable[..., tuple[int, str, str]]
HOST = ("--host", "http://API.example.org:80/v2")


@pytest.fixture(scope="module")
def chroma(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """Give the address of a running Chroma server."""
    with chroma_server(tmp_path_factory.mktemp("chroma")) as address:
        yield address


@pytest.fixture(params=["folder", "server"])
def kept(request: pytest.FixtureRequest, tmp_path: Path, chroma: str) -> tuple[object, ...]:
    """Give the options that say where values are kept."""
    if request.param == "folder":
        return ("--out", tmp_path / "generated")
    return ("--out", tmp_path / "generated", "--param-db", chroma)


def test_add_list_search_forget(doc2tools: Command, kept: tuple[object, ...]) -> None:
    words = ("params", "add", "id", "42", *HOST, "--resource", "Users", "--type", "integer")
    code, out, err = doc2tools(*words, *kept)
    assert (code, err) == (0, "")
    assert out.split("\t")[1:6] == ["api.example.org", "user", "id", "42", "configured"]
    doc2tools("params", "add", "iata", "OSL", *HOST, "--description", "code of an airport", *kept)

    code, out, err = doc2tools("params", "list", "--json", *kept)
    found = json.loads(out)
    assert [(one["name"], one["value"], one["type"]) for one in found] == [
        ("iata", "OSL", "string"),
        ("id", 42, "integer"),
    ]
    assert err.startswith("2 values in ")
    assert doc2tools("params", "list", "--host", "other.org", *kept)[1] == ""
    assert len(doc2tools("params", "list", "--param", "IATA", *kept)[1].splitlines()) == 1

    code, out, _ = doc2tools("params", "search", "airport code", "--limit", "1", *kept)
    assert out.split("\t")[4] == "OSL"

    code, out, err = doc2tools("params", "forget", found[0]["id"][:10], *kept)
    assert (code, err) == (0, "1 value forgotten\n")
    assert doc2tools("params", "forget", "--param", "nothing", *kept)[0] == 1
    assert doc2tools("params", "forget", *HOST, *kept)[0] == 0
    assert json.loads(doc2tools("params", "list", "--json", *kept)[1]) == []


def test_looking_makes_no_store(doc2tools: Command, tmp_path: Path) -> None:
    for words in (("list",), ("search", "x"), ("forget", "--param", "x")):
        code, out, err = doc2tools("params", *words, "--out", tmp_path / "none")
        assert (code, out) == (0, "")
        assert err.startswith("no values in ")
    assert json.loads(doc2tools("params", "list", "--json", "--out", tmp_path / "none")[1]) == []
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("add", "id", "42", *HOST), "does not say what it belongs to"),
        (("add", "api_key", "42", *HOST), "names a secret"),
        (("add", "note", "ann@example.org", *HOST), "is not kept"),
        (("add", "page", "two", *HOST, "--resource", "x", "--type", "integer"), "is no integer"),
        (("add", "page", "2", *HOST, "--resource", "x", "--type", "enum"), "there is no type"),
        (("add", "zone", "2", "--host", "http://"), "is no host"),
        (("forget",), "which values to forget"),
        (("list", "--param-db", "nowhere"), "is no address"),
        (("list", "--param-db", "http://127.0.0.1:1"), "cannot be used"),
        (("add", "zone", "2", *HOST, "--embedder", "nothing"), "no embedding model"),
    ],
)
def test_wrong_usage_is_told(
    doc2tools: Command, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    code, out, err = doc2tools("params", *words, "--out", tmp_path)
    assert (code, out) == (2, "")
    assert message in err


def test_an_id_must_mean_one_value(doc2tools: Command, tmp_path: Path) -> None:
    doc2tools("params", "add", "zone", "eu", *HOST, "--out", tmp_path)
    for wanted in ("a", "0000000000"):
        code, _, err = doc2tools("params", "forget", wanted, "--out", tmp_path)
        assert code == 2
        assert "is the id of" in err


def test_hostile_text_is_shown_and_not_obeyed(doc2tools: Command, tmp_path: Path) -> None:
    hostile = "\x1b[2J[red]a\tb\u202e"
    code, out, _ = doc2tools("params", "add", "zone", hostile, *HOST, "--out", tmp_path)
    assert code == 0
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert out.count("\t") == 8
    code, out, _ = doc2tools("params", "list", "--json", "--out", tmp_path)
    assert "\x1b" not in out
    assert json.loads(out)[0]["value"] == hostile
