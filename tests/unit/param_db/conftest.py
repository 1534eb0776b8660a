"""A store on disk and one on a real Chroma server, both empty."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from benchmarks.chroma_server import chroma_server
from doc2tools.param_db.chroma import Folder, Place, place_of


@pytest.fixture(scope="session")
def chroma(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """Give the address of a running Chroma server."""
    with chroma_server(tmp_path_factory.mktemp("chroma")) as address:
        yield address


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Give a place on disk."""
    return Folder(tmp_path / "params")


@pytest.fixture(params=["folder", "server"])
def place(request: pytest.FixtureRequest, folder: Folder, chroma: str) -> Place:
    """Give one place of each kind; on the server, tests tell each other's values by host."""
    return folder if request.param == "folder" else place_of(chroma, folder.path)
