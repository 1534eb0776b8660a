"""A real API for the functional tests: Datasette over the example library's catalogue."""

from __future__ import annotations

import importlib.util
import socket
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from types import ModuleType

import pytest

from doc2tools.cli.main import main

ROOT = Path(__file__).parents[2]


def _demo() -> ModuleType:
    spec = importlib.util.spec_from_file_location("demo", ROOT / "examples/library/demo.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["demo"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def library_api(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """Give the base URL of a running Datasette with the library's catalogue."""
    demo = _demo()
    with demo.datasette(demo.make_catalogue(tmp_path_factory.mktemp("catalogue"))) as base_url:
        yield base_url


@pytest.fixture
def library_docs() -> Path:
    """Give the folder of the library's documentation."""
    return ROOT / "examples" / "library" / "docs"


@pytest.fixture(scope="session")
def library_project(library_api: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the project compiled from the library's documentation; tests only read it."""
    out = tmp_path_factory.mktemp("compiled")
    words = [
        "compile", str(ROOT / "examples" / "library" / "docs"), "--allow", "GET",
        "--base-url", library_api, "--name", "library", "--out", str(out),
        "--llm", "off", "--quiet",
    ]  # fmt: skip
    assert main(words) in {0, 1}
    return out / "library"


@pytest.fixture
def closed_port() -> int:
    """Give a loopback port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def doc2tools(capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Give a function that runs the command line: words in; code, stdout and stderr out."""

    def call(*words: object) -> tuple[int, str, str]:
        capfd.readouterr()
        code = main([str(word) for word in words])
        captured = capfd.readouterr()
        return code, captured.out, captured.err

    return call
