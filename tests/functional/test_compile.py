"""The main job end to end, on the example's documentation against a real server."""

from __future__ import annotations

import hashlib
import importlib
import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., tuple[int, str, str]]
PROGRAM = [sys.executable, "-c", "from doc2tools.cli.main import run; run()"]


def tree(folder: Path) -> dict[str, str]:
    """Give every file's digest."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def shipped(folder: Path) -> dict[str, str]:
    """Give what does not depend on this server's clock.

    Answers hold times, and counts that a busy server leaves out; models are learnt from answers.
    """
    answers = {".doc2tools-files.json", "tests/recordings.json", "src/library/doc2tools.json"}
    answers |= {"report.html", "src/library/graph.json"}
    learnt = {"src/library/models.py", "src/library/openapi.json"}
    return {path: sha for path, sha in tree(folder).items() if path not in answers | learnt}


def edges(folder: Path) -> list[tuple[str, ...]]:
    """Give the graph's edges and their stages, without the answers that proved them."""
    graph = json.loads((folder / "src" / "library" / "graph.json").read_text())
    return [
        tuple(str(edge[key]) for key in ("source", "target", "parameter", "field", "stage"))
        for edge in graph["edges"]
        if "parameter" in edge
    ]


def compile_library(cli: Cli, docs: Path, api: str, out: Path, *more: str) -> dict[str, Any]:
    """Compile and give the JSON summary; failing tools are expected, a wrong run is not."""
    code, stdout, stderr = cli(
        "compile", docs, "--allow", "GET", "--base-url", api, "--name", "library", "--out", out,
        "--json", *more,
    )  # fmt: skip
    assert code in {0, 1}, stderr
    return json.loads(stdout)


def hear_interrupts() -> None:
    """Undo what a shell does to programs in the background: it has them ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def compiled(
    doc2tools: Cli, library_docs: Path, library_api: str, tmp_path: Path
) -> dict[str, Any]:
    return compile_library(doc2tools, library_docs, library_api, tmp_path)


def by_url(summary: dict[str, Any], api: str) -> dict[str, str]:
    return {
        f"{tool['method']} {tool['url'].removeprefix(api)}": tool["status"]
        for tool in summary["tools"]
    }


def test_every_documented_endpoint_gets_its_outcome(
    compiled: dict[str, Any], library_api: str
) -> None:
    assert by_url(compiled, library_api) == {
        "GET /-/databases.json": "validated",
        "GET /-/settings.json": "validated",
        "GET /-/versions.json": "validated",
        "GET /catalogue.json": "validated",
        "GET /catalogue/authors.json": "validated",
        "GET /catalogue/authors/{author_id}.json": "validated",
        "GET /catalogue/books.json": "validated",
        "GET /catalogue/books/{id}.json": "validated",
        "GET /catalogue/branches.json": "validated",
        "GET /catalogue/branches/{branch_id}.json": "validated",
        "GET /catalogue/reservations.json": "failed",
        "POST /catalogue/-/insert": "blocked",
        "GET /catalogue/-/purge": "blocked",
    }


def test_state_changing_calls_never_leave(compiled: dict[str, Any], tmp_path: Path) -> None:
    sent = [path.read_text() for path in (tmp_path / ".doc2tools").rglob("calls/**/*.json")]
    assert len(sent) >= compiled["calls"] > 0
    assert not [one for one in sent if "/-/purge" in one or "/-/insert" in one]


def test_package_imports_and_answers(
    compiled: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(compiled["folder"])
    monkeypatch.setattr(sys, "path", [str(folder / "src"), *sys.path])
    for name in [name for name in sys.modules if name.split(".")[0] == "library"]:
        monkeypatch.delitem(sys.modules, name)
    manifest = json.loads((folder / "src/library/doc2tools.json").read_text())
    called = 0
    for tool in manifest["tools"]:
        if tool["status"] == "validated":
            module = importlib.import_module(f"library.{tool['module']}")
            assert getattr(module, tool["name"])(**tool["example"]) is not None
            called += 1
    assert called == compiled["counts"]["validated"] == 10


def test_second_compile_calls_nothing_and_changes_nothing(
    doc2tools: Cli, compiled: dict[str, Any], library_docs: Path, library_api: str, tmp_path: Path
) -> None:
    before = tree(Path(compiled["folder"]))
    again = compile_library(doc2tools, library_docs, library_api, tmp_path)
    assert again["calls"] == 0
    assert again["changed"] == []
    assert tree(Path(again["folder"])) == before


def test_two_compiles_from_nothing_give_the_same_code(
    doc2tools: Cli, compiled: dict[str, Any], library_docs: Path, library_api: str, tmp_path: Path
) -> None:
    other = compile_library(doc2tools, library_docs, library_api, tmp_path / "other")
    assert other["calls"] > 0
    assert shipped(Path(other["folder"])) == shipped(Path(compiled["folder"]))
    assert edges(Path(other["folder"])) == edges(Path(compiled["folder"]))


def test_changed_page_calls_only_its_own_tools(
    doc2tools: Cli, library_docs: Path, library_api: str, tmp_path: Path
) -> None:
    docs = shutil.copytree(library_docs, tmp_path / "docs")
    first = compile_library(doc2tools, docs, library_api, tmp_path / "out")
    page = docs / "operations.md"
    page.write_text(page.read_text() + "\n## Threads\n\n`GET /-/threads.json` lists the threads.\n")
    second = compile_library(doc2tools, docs, library_api, tmp_path / "out")
    assert second["counts"]["validated"] == first["counts"]["validated"] + 1
    assert second["calls"] == 1


def test_killed_compile_goes_on_where_it_was(
    doc2tools: Cli, library_docs: Path, library_api: str, tmp_path: Path
) -> None:
    whole = compile_library(doc2tools, library_docs, library_api, tmp_path / "whole")
    words = [
        "compile", str(library_docs), "--allow", "GET", "--base-url", library_api,
        "--name", "library", "--out", str(tmp_path / "cut"), "--json", "--rate", "5",
    ]  # fmt: skip
    with subprocess.Popen(
        [*PROGRAM, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        calls = tmp_path / "cut" / ".doc2tools"
        for _ in range(200):
            if len(list(calls.rglob("calls/**/*.json"))) >= 2:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    assert not (tmp_path / "cut" / "library").exists()
    rest = compile_library(doc2tools, library_docs, library_api, tmp_path / "cut")
    assert 0 < rest["calls"] < whole["calls"]
    assert shipped(Path(rest["folder"])) == shipped(Path(whole["folder"]))


def test_interrupted_compile_ends_at_once_and_says_so(
    library_docs: Path, library_api: str, tmp_path: Path
) -> None:
    words = [
        "compile", str(library_docs), "--allow", "GET", "--base-url", library_api,
        "--name", "library", "--out", str(tmp_path), "--rate", "0.2",
    ]  # fmt: skip
    with subprocess.Popen(
        [*PROGRAM, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_interrupts,  # noqa: PLW1509 - one call, no lock
    ) as process:
        for _ in range(400):
            if list((tmp_path / ".doc2tools").rglob("calls/**/*.json")):
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        # At one call in five seconds, eight calls wait for up to forty seconds.
        _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "interrupted" in said
    assert "goes on from here" in said
    assert "Traceback" not in said
    assert not (tmp_path / "library").exists()


def test_unreachable_host_leaves_the_package_alone(
    doc2tools: Cli, compiled: dict[str, Any], library_docs: Path, tmp_path: Path, closed_port: int
) -> None:
    before = tree(Path(compiled["folder"]))
    gone = compile_library(doc2tools, library_docs, f"http://127.0.0.1:{closed_port}", tmp_path)
    assert gone["kept"] is True
    causes = {tool["cause"] for tool in gone["tools"]}
    assert {"unreachable", "blocked"} <= causes <= {"unreachable", "blocked", "no-parameter-value"}
    assert tree(Path(compiled["folder"])) == before


def test_inspect_tells_why(doc2tools: Cli, compiled: dict[str, Any], tmp_path: Path) -> None:
    code, stdout, stderr = doc2tools("inspect", "library", "--out", tmp_path)
    assert code == 0
    rows = {line.split("\t")[1]: line.split("\t") for line in stdout.splitlines()}
    assert len(rows) == len(compiled["tools"]) == 13
    paths = {row[3]: row for row in rows.values()}
    assert paths["/catalogue/reservations.json"][0] == "failed"
    assert "404" in paths["/catalogue/reservations.json"][4]
    assert paths["/catalogue/-/purge"][0] == "blocked"
    assert paths["/catalogue/books/{id}.json"][5].startswith("catalogue.html:")
    assert "10 validated, 1 failed, 2 blocked" in stderr


def test_extract_explains_with_lines(doc2tools: Cli, library_docs: Path, tmp_path: Path) -> None:
    code, stdout, _ = doc2tools("extract", library_docs, "--out", tmp_path, "--explain")
    assert code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["catalogue.json", "operations.json"]
    assert "GET /catalogue/books/{id}.json" in stdout
    assert "catalogue.html:" in stdout
    found = json.loads((tmp_path / "operations.json").read_text())
    assert {endpoint["path"] for endpoint in found["endpoints"]} == {
        "/-/versions.json", "/-/databases.json", "/catalogue.json", "/-/settings.json",
    }  # fmt: skip
