"""`compile --check` says whether the documentation has drifted from the package; it only reads."""

from __future__ import annotations

import hashlib
import http.server
import json
import threading
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., tuple[int, str, str]]

PAGE = """\
# Orchard API

## List trees

`GET /trees`

Lists the trees.

## Count apples

`GET /apples`

Counts the apples.
"""
PEARS = """
## Count pears

`GET /pears`

Counts the pears.
"""


class Handler(http.server.BaseHTTPRequestHandler):
    """Trees, apples and pears."""

    asked: list[str] = []  # noqa: RUF012 - shared on purpose

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        """Answer what is known."""
        self.asked.append(self.path)
        known = {"/trees": [{"id": 1}], "/apples": {"apples": 3}, "/pears": {"pears": 4}}
        value = known.get(self.path, {"error": "not found"})
        content = json.dumps(value).encode()
        self.send_response(200 if self.path in known else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@pytest.fixture
def orchard() -> Generator[str]:
    Handler.asked.clear()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def tree(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_drift_is_found_and_nothing_is_written(
    doc2tools: Cli, orchard: str, tmp_path: Path
) -> None:
    docs, out = tmp_path / "docs", tmp_path / "out"
    docs.mkdir()
    page = docs / "api.md"
    page.write_text(PAGE)
    words = ("compile", docs, "--allow", "GET", "--name", "orchard", "--base-url", orchard)
    words = (*words, "--out", out, "--graph", "off", "--llm", "off", "--quiet")

    def check(*more: str) -> tuple[int, dict[str, Any]]:
        code, stdout, stderr = doc2tools(*words, "--check", "--json", *more)
        assert code in (0, 1), stderr
        return code, json.loads(stdout)

    code, _, stderr = doc2tools(*words, "--check")
    assert (code, out.exists()) == (2, False)
    assert "no compiled package" in stderr
    code, _, stderr = doc2tools(*words)
    assert code == 0, stderr
    before = tree(tmp_path)
    Handler.asked.clear()
    code, drift = check()
    assert (code, drift["step"], drift["changed"]) == (0, "none", [])
    assert Handler.asked == []
    page.write_text(PAGE + PEARS)
    code, drift = check()
    assert (code, drift["step"], drift["added"]) == (1, "minor", ["count_pears"])
    assert Handler.asked
    assert all(path.startswith("/pears") for path in Handler.asked)
    page.write_text(PAGE.partition("## Count apples")[0])
    code, _, stderr = doc2tools(*words, "--check")
    assert code == 1
    assert "removed  count_apples: " in stderr
    assert "this is a major version step" in stderr
    page.write_text(PAGE)
    assert tree(tmp_path) == before


def test_without_a_method_only_the_documentation_is_compared(
    doc2tools: Cli, orchard: str, tmp_path: Path
) -> None:
    docs, out = tmp_path / "docs", tmp_path / "out"
    docs.mkdir()
    page = docs / "api.md"
    page.write_text(PAGE)
    words = ("compile", docs, "--name", "orchard", "--out", out, "--base-url", orchard)
    words = (*words, "--graph", "off", "--quiet")
    assert doc2tools(*words, "--allow", "GET", "--llm", "off")[0] == 0
    Handler.asked.clear()
    code, _, stderr = doc2tools(*words, "--check", "--llm", "off")
    assert code == 0, stderr
    assert "2 tools were compared by their documentation alone" in stderr
    page.write_text(PAGE + PEARS)
    code, stdout, _ = doc2tools(*words, "--check", "--json", "--llm", "off")
    assert (code, json.loads(stdout)["added"]) == (1, ["count_pears"])
    assert Handler.asked == []
