"""A running server, and packages rendered and imported."""

from __future__ import annotations

import importlib
import socket
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from harbour_api import Server, serve

from doc2tools.compiler.emit.package import render_package
from doc2tools.compiler.ir.plan import PackagePlan

Load = Callable[..., ModuleType]


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Load]:
    """Give a function that renders a plan and imports the package."""
    before = set(sys.modules)

    def render_and_import(plan: PackagePlan) -> ModuleType:
        for path, content in render_package(plan).items():
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        sys.path.insert(0, str(tmp_path / "src"))
        importlib.invalidate_caches()
        package = importlib.import_module(plan.name)
        importlib.import_module(f"{plan.name}.client")
        return package

    yield render_and_import
    if str(tmp_path / "src") in sys.path:
        sys.path.remove(str(tmp_path / "src"))
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in ("harbour", "toolkit"):
            del sys.modules[name]


@pytest.fixture
def server() -> Generator[Server]:
    """Give a running server."""
    record = Server("")
    running = serve(record)
    yield record
    running.shutdown()
    running.server_close()


@pytest.fixture
def other_server() -> Generator[Server]:
    """Give a second one, on another port."""
    record = Server("")
    running = serve(record)
    yield record
    running.shutdown()
    running.server_close()


@pytest.fixture
def closed_port() -> int:
    """Give a loopback port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
