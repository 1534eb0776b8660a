"""Compiles and the values kept between them: a real API, a real Chroma on disk and as a server."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from benchmarks.chroma_server import chroma_server
from doc2tools.param_db import run_values

Command = Callable[..., tuple[int, str, str]]

CAPTAINS = """# Captains

## List captains
`GET /captains`

Gives all captains.
"""
SHIPS = """# Ships

## One captain
`GET /captains/{id}`

Gives one captain.

| parameter | type | required |
|---|---|---|
| id | string | yes |
"""


@dataclass
class Harbour:
    """An invented API: a list of captains, and a record for each."""

    base_url: str = ""
    seen: list[str] = field(default_factory=list[str])
    captains: dict[str, str] = field(default_factory=lambda: {"c-71": "Ahab", "c-72": "Nemo"})

    def answer(self, path: str) -> tuple[int, object]:
        """Give status and body."""
        self.seen.append(path)
        if path == "/captains":
            return 200, [{"id": key, "name": name} for key, name in self.captains.items()]
        key = path.removeprefix("/captains/")
        if key in self.captains:
            return 200, {"id": key, "name": self.captains[key]}
        return 404, {"error": "no such captain"}


@pytest.fixture
def harbour() -> Generator[Harbour]:
    """Run the API."""
    api = Harbour()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = api.answer(urlsplit(self.path).path)
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            del format, args

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        api.base_url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield api
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def chroma(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """Give the address of a running Chroma server."""
    with chroma_server(tmp_path_factory.mktemp("chroma")) as address:
        yield address


def compiled(
    doc2tools: Command, folder: Path, harbour: Harbour, pages: dict[str, str], *more: object
) -> tuple[int, dict[str, str], str]:
    """Compile pages; give the exit code, the tools' statuses and stderr."""
    docs = folder / "docs"
    docs.mkdir(exist_ok=True)
    for old in docs.iterdir():
        old.unlink()
    for name, text in pages.items():
        (docs / name).write_text(text)
    words = ("compile", docs, "--allow", "GET", "--base-url", harbour.base_url, "--name", "port")
    out = ("--out", folder / "generated", "--graph", "off", "--llm", "off", "--json", "--quiet")
    code, stdout, stderr = doc2tools(*words, *out, *more)
    tools: list[dict[str, str]] = json.loads(stdout)["tools"] if stdout else []
    return code, {tool["url"]: tool["status"] for tool in tools}, stderr


def kept(doc2tools: Command, folder: Path, *more: object) -> list[dict[str, object]]:
    words = ("params", "list", "--json", "--out", folder / "generated")
    return json.loads(doc2tools(*words, *more)[1])


def package(folder: Path) -> dict[str, bytes]:
    root = folder / "generated" / "port"
    return {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_compile_keeps_what_it_saw_and_an_unchanged_one_opens_nothing(
    doc2tools: Command, tmp_path: Path, harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = {"captains.md": CAPTAINS, "ships.md": SHIPS}
    code, statuses, _ = compiled(doc2tools, tmp_path, harbour, pages)
    assert (code, set(statuses.values())) == (0, {"validated"})
    host = urlsplit(harbour.base_url).netloc
    listed = [one for one in kept(doc2tools, tmp_path) if one["field_path"] == "[].id"]
    found = {one["value"]: one for one in listed}
    assert found.keys() == {"c-71", "c-72"}
    assert (found["c-71"]["host"], found["c-71"]["origin"]) == (host, "observed")
    assert (found["c-71"]["resource"], found["c-71"]["successes"]) == ("captain", 1)
    assert str(found["c-71"]["seen"])[:2] == "20"

    before, calls = package(tmp_path), len(harbour.seen)

    def refuse(*_: object) -> object:
        raise AssertionError("an unchanged compile asked the store")

    monkeypatch.setattr(run_values.RunValues, "__init__", refuse)
    assert compiled(doc2tools, tmp_path, harbour, pages)[0] == 0
    assert package(tmp_path) == before
    assert len(harbour.seen) == calls


def test_what_an_earlier_compile_saw_helps_a_tool_that_waits(
    doc2tools: Command, tmp_path: Path, harbour: Harbour
) -> None:
    compiled(doc2tools, tmp_path, harbour, {"captains.md": CAPTAINS})
    code, statuses, _ = compiled(doc2tools, tmp_path, harbour, {"ships.md": SHIPS})
    assert (code, list(statuses.values())) == (0, ["validated"])
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    code, statuses, _ = compiled(doc2tools, elsewhere, harbour, {"ships.md": SHIPS})
    assert (code, list(statuses.values())) != (0, ["validated"])


def test_values_of_another_host_help_nobody(
    doc2tools: Command, tmp_path: Path, harbour: Harbour
) -> None:
    compiled(doc2tools, tmp_path, harbour, {"captains.md": CAPTAINS})
    here = harbour.base_url
    harbour.base_url = here.replace("127.0.0.1", "localhost")
    seen = len(harbour.seen)
    code, _, _ = compiled(doc2tools, tmp_path, harbour, {"ships.md": SHIPS})
    assert code == 1
    assert not {"/captains/c-71", "/captains/c-72"} & set(harbour.seen[seen:])


def test_a_value_put_in_by_hand_is_taken_up_by_the_next_compile(
    doc2tools: Command, tmp_path: Path, harbour: Harbour
) -> None:
    pages = {"ships.md": SHIPS}
    assert compiled(doc2tools, tmp_path, harbour, pages)[0] == 1
    words = ("params", "add", "id", "c-72", "--resource", "captains", "--host", harbour.base_url)
    assert doc2tools(*words, "--out", tmp_path / "generated")[0] == 0
    seen = len(harbour.seen)
    code, statuses, _ = compiled(doc2tools, tmp_path, harbour, pages)
    assert (code, list(statuses.values())) == (0, ["validated"])
    assert "/captains/c-72" in harbour.seen[seen:]
    (found,) = [one for one in kept(doc2tools, tmp_path) if one["origin"] == "configured"]
    assert (found["endpoint"], found["successes"]) == ("params add", 1)
    manifest = next((tmp_path / "generated").glob("port/src/*/doc2tools.json"))
    assert '"c-72"' in manifest.read_text()


def test_values_of_the_configuration_are_kept(
    doc2tools: Command, tmp_path: Path, harbour: Harbour
) -> None:
    compiled(doc2tools, tmp_path, harbour, {"ships.md": SHIPS}, "--value", "captain_id=c-71")
    found = [one for one in kept(doc2tools, tmp_path) if one["origin"] == "configured"]
    assert [(one["name"], one["value"], one["resource"]) for one in found] == [
        ("captain_id", "c-71", "captain")
    ]


def test_a_server_is_shared(
    doc2tools: Command, tmp_path: Path, harbour: Harbour, chroma: str
) -> None:
    for name in ("ann", "bob"):
        (tmp_path / name).mkdir()
    shared = ("--param-db", chroma)
    compiled(doc2tools, tmp_path / "ann", harbour, {"captains.md": CAPTAINS}, *shared)
    code, statuses, _ = compiled(doc2tools, tmp_path / "bob", harbour, {"ships.md": SHIPS}, *shared)
    assert (code, list(statuses.values())) == (0, ["validated"])
    assert not (tmp_path / "bob/generated/.doc2tools/params").exists()
    assert {one["value"] for one in kept(doc2tools, tmp_path, *shared)} >= {"c-71", "c-72"}


def test_without_its_server_a_compile_says_so_and_calls_nothing(
    doc2tools: Command, tmp_path: Path, harbour: Harbour, closed_port: int
) -> None:
    address = f"http://127.0.0.1:{closed_port}"
    more = ("--param-db", address)
    code, _, err = compiled(doc2tools, tmp_path, harbour, {"captains.md": CAPTAINS}, *more)
    assert code == 2
    assert f"the parameter values at {address} cannot be used" in err
    assert "hint: " in err
    assert harbour.seen == []


def test_a_damaged_store_is_told_and_costs_no_calls_later(
    doc2tools: Command, tmp_path: Path, harbour: Harbour
) -> None:
    damaged = tmp_path / "generated/.doc2tools/params/chroma.sqlite3"
    damaged.parent.mkdir(parents=True)
    damaged.write_bytes(b"no database" * 500)
    code, _, err = compiled(doc2tools, tmp_path, harbour, {"captains.md": CAPTAINS})
    assert code == 2
    assert "delete the folder" in err
    damaged.unlink()
    calls = len(harbour.seen)
    assert compiled(doc2tools, tmp_path, harbour, {"captains.md": CAPTAINS})[0] == 0
    assert len(harbour.seen) == calls
