"""What bad input gets: a message with what to do next, the right exit code, nothing lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., tuple[int, str, str]]
PAGE = "# Status\n\n`GET /status` tells whether it is up.\n"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "api.md").write_text(PAGE)
    return folder


def refused(outcome: tuple[int, str, str], *words: str, code: int = 2) -> str:
    """Hold a run to its exit code, its message and the presence of a hint."""
    seen, stdout, stderr = outcome
    assert seen == code, stderr
    assert stdout == ""
    assert "error:" in stderr
    assert "Traceback" not in stderr
    for word in words:
        assert word in stderr, stderr
    return stderr


def test_missing_docs(doc2tools: Cli, tmp_path: Path) -> None:
    text = refused(
        doc2tools("compile", tmp_path / "none", "--allow", "GET"), str(tmp_path / "none")
    )
    assert "hint:" in text


def test_empty_folder(doc2tools: Cli, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    text = refused(doc2tools("compile", tmp_path / "docs", "--allow", "GET", "--out", tmp_path))
    assert "hint:" in text


def test_nothing_allowed(doc2tools: Cli, docs: Path, tmp_path: Path) -> None:
    refused(doc2tools("compile", docs, "--out", tmp_path / "out"), "--allow GET")
    assert not (tmp_path / "out").exists()


def test_no_endpoints(doc2tools: Cli, docs: Path, tmp_path: Path) -> None:
    (docs / "api.md").write_text("# Minutes\n\nWe met on Monday and went home.\n")
    refused(
        doc2tools("compile", docs, "--allow", "GET", "--out", tmp_path / "out"),
        "no endpoint",
        "--explain",
    )


def test_missing_base_url(doc2tools: Cli, docs: Path, tmp_path: Path) -> None:
    refused(
        doc2tools("compile", docs, "--allow", "GET", "--out", tmp_path / "out"),
        "base URL",
        "status",
        "--base-url",
    )
    assert not list((tmp_path / "out").glob("*/src"))


def test_unknown_option(doc2tools: Cli, docs: Path) -> None:
    code, _, stderr = doc2tools("compile", docs, "--alow", "GET")
    assert code == 2
    assert "--allow" in stderr


def test_unknown_method(doc2tools: Cli, docs: Path) -> None:
    refused(doc2tools("compile", docs, "--allow", "FETCH"), "FETCH", "GET")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("base_ulr = 'http://x.example'", ["base_ulr", "base_url"]),
        ("[auth]\ntype = 'basic'\nuser = 'x'", ["auth.user", "username"]),
        ("[auth]\ntype = 'magic'", ["auth.type"]),
        ("[auth]\ntype = 'basic'\npassword = 'hunter2'", ["password_env"]),
        ("base_url = 'ftp://x.example'", ["base_url", "http"]),
        ("base_url = 'http://u:p@x.example'", ["base_url", "[auth]"]),
        ("[limits]\ntimeout = -1", ["limits.timeout"]),
        ("allow = [", ["doc2tools.toml"]),
    ],
)
def test_wrong_configuration(doc2tools: Cli, docs: Path, text: str, words: list[str]) -> None:
    (docs / "doc2tools.toml").write_text(text)
    stderr = refused(doc2tools("compile", docs, "--allow", "GET"), *words)
    assert "hunter2" not in stderr


def test_missing_secret(doc2tools: Cli, docs: Path, tmp_path: Path) -> None:
    (docs / "doc2tools.toml").write_text("[auth]\ntype = 'bearer'\ntoken_env = 'NO_SUCH_VARIABLE'")
    refused(
        doc2tools(
            "compile", docs, "--allow", "GET", "--base-url", "http://127.0.0.1:9", "--out", tmp_path
        ),
        "NO_SUCH_VARIABLE",
    )


def test_unreachable_host_is_said_once(
    doc2tools: Cli, docs: Path, tmp_path: Path, closed_port: int
) -> None:
    code, _, stderr = doc2tools(
        "compile", docs, "--allow", "GET", "--base-url", f"http://127.0.0.1:{closed_port}",
        "--out", tmp_path / "out",
    )  # fmt: skip
    assert code == 1
    assert "did not answer" in stderr
    assert "Traceback" not in stderr


def test_output_folder_that_holds_something_else(
    doc2tools: Cli, docs: Path, tmp_path: Path, library_api: str
) -> None:
    other = tmp_path / "out" / "status_api"
    other.mkdir(parents=True)
    (other / "thesis.txt").write_text("four years of work")
    refused(
        doc2tools(
            "compile", docs, "--allow", "GET", "--base-url", library_api,
            "--name", "status_api", "--out", tmp_path / "out",
        ),
        "status_api",
    )  # fmt: skip
    assert [path.name for path in other.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("binary.md", bytes(range(256)) * 40),
        ("empty.html", b""),
        ("half.html", b"<html><body><table><tr><td>GET /x"),
        ("utf16.md", "\ufeff`GET /other` gives others.".encode("utf-16")),
    ],
)
def test_one_bad_page_never_stops_the_run(
    doc2tools: Cli, docs: Path, tmp_path: Path, name: str, data: bytes
) -> None:
    (docs / name).write_bytes(data)
    code, _, _ = doc2tools("extract", docs, "--out", tmp_path / "out")
    assert code == 0
    assert "/status" in (tmp_path / "out" / "api.json").read_text()


def test_wrong_name(doc2tools: Cli, docs: Path) -> None:
    refused(
        doc2tools(
            "compile",
            docs,
            "--allow",
            "GET",
            "--name",
            "../../etc",
            "--base-url",
            "http://x.example",
        ),
        "../../etc",
    )  # fmt: skip


def test_inspect_unknown_package(doc2tools: Cli, tmp_path: Path) -> None:
    refused(doc2tools("inspect", "nothing", "--out", tmp_path), "nothing", "compile")


def test_output_that_cannot_be_written(doc2tools: Cli, docs: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused(doc2tools("extract", docs, "--out", tmp_path / "file" / "below"), "cannot be written")
