"""Every way to authenticate, through the whole: compile with it, then call the package with it."""

from __future__ import annotations

import base64
import importlib
import json
import sys
import threading
from collections.abc import Callable, Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

Cli = Callable[..., tuple[int, str, str]]
SECRET = "tide-table-7731"  # noqa: S105 - planted, so that it can be looked for
PAGE = """# Harbour

`GET /berths` lists the berths.

`GET /berths/{berth_id}` gives one berth.
"""
BERTHS = [{"berth_id": 4, "name": "North quay"}, {"berth_id": 9, "name": "Old mole"}]


class Harbour(BaseHTTPRequestHandler):
    """Answers only those who show the secret in one of the known ways."""

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        given = json.loads(self.rfile.read(length) or b"{}")
        if self.path == "/session" and given.get("password") == SECRET:
            body = {"data": {"access_token": f"t-{SECRET}"}}
            self.answer(200, body, {"Set-Cookie": f"sid=c-{SECRET}; Path=/"})
        else:
            self.answer(403, {"error": "wrong password"})

    def do_GET(self) -> None:
        if not self.is_known():
            self.answer(401, {"error": "who are you?"})
            return
        path = urlsplit(self.path).path
        if path == "/berths":
            self.answer(200, BERTHS)
            return
        found = [one for one in BERTHS if path == f"/berths/{one['berth_id']}"]
        self.answer(200, found[0]) if found else self.answer(404, {"error": "no such berth"})

    def is_known(self) -> bool:
        pair = base64.b64encode(f"pilot:{SECRET}".encode()).decode()
        allowed = {f"Basic {pair}", f"Bearer {SECRET}", f"Bearer t-{SECRET}"}
        cookies = self.headers.get("Cookie", "")
        query = parse_qs(urlsplit(self.path).query)
        return (
            self.headers.get("Authorization") in allowed
            or self.headers.get("X-Harbour-Key") == f"Key {SECRET}"
            or query.get("key") == [SECRET]
            or f"sid=c-{SECRET}" in cookies
            or f"ticket={SECRET}" in cookies
        )

    def answer(self, status: int, body: object, headers: dict[str, str] | None = None) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        del format, args


@pytest.fixture(scope="module")
def harbour() -> Generator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Harbour)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


SCHEMES = {
    "basic": ('type = "basic"\nusername = "pilot"\npassword_env = "PLANTED"', "PASSWORD"),
    "bearer": ('type = "bearer"\ntoken_env = "PLANTED"', "TOKEN"),
    "header": (
        'type = "header"\nname = "X-Harbour-Key"\nprefix = "Key "\ntoken_env = "PLANTED"',
        "TOKEN",
    ),
    "query": ('type = "query"\nname = "key"\ntoken_env = "PLANTED"', "TOKEN"),
    "cookie": ('type = "cookie"\nname = "ticket"\ntoken_env = "PLANTED"', "TOKEN"),
    "login-cookie": (
        'type = "login"\nurl = "/session"\nbody = { user = "pilot", password = "$PLANTED" }',
        "",
    ),
    "login-token": (
        'type = "login"\nurl = "/session"\nkeep = "json:data.access_token"\n'
        'body = { user = "pilot", password = "$PLANTED" }',
        "",
    ),
}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_compile_and_call(
    scheme: str, harbour: str, doc2tools: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, variable = SCHEMES[scheme]
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "harbour.md").write_text(PAGE)
    (docs / "doc2tools.toml").write_text(f'base_url = "{harbour}"\n[auth]\n{table}\n')
    name = f"harbour_{scheme.replace('-', '_')}"
    words = ["compile", docs, "--allow", "GET", "--name", name, "--out", tmp_path / "out"]
    monkeypatch.setenv("PLANTED", "wrong")
    code, stdout, stderr = doc2tools(*words, "--json")
    assert code == 1
    assert json.loads(stdout)["counts"]["validated"] == 0
    monkeypatch.setenv("PLANTED", SECRET)
    code, stdout, stderr = doc2tools(*words, "--json")
    summary: dict[str, Any] = json.loads(stdout)
    assert code == 0, stderr
    assert summary["counts"]["validated"] == 2
    for file in (tmp_path / "out").rglob("*"):
        assert not file.is_file() or SECRET.encode() not in file.read_bytes(), file
    assert SECRET not in stdout + stderr
    if variable:
        monkeypatch.setenv(f"{name.upper()}_{variable}", SECRET)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "out" / name / "src"), *sys.path])
    package = importlib.import_module(name)
    manifest = json.loads((tmp_path / "out" / name / "src" / name / "doc2tools.json").read_text())
    for tool in manifest["tools"]:
        assert getattr(package, tool["name"])(**tool["example"])
