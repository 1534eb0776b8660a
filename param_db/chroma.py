"""Opens the Chroma collection that keeps values, on disk or on a server, for one piece of work.

On disk a file lock keeps other processes out for as long as it is open: Chroma's own index is made
for one process at a time. A server does that by itself. Foreign exceptions become `StoreError` or
`UsageError` here; telemetry is off, and the vectors are our own, so that nothing is downloaded.
"""

from __future__ import annotations

import contextlib
import fcntl
import importlib
import os
import time
import traceback
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from doc2tools.compiler.ir.errors import Doc2ToolsError, StoreError, UsageError
from doc2tools.param_db.blank import blank_room, written

if TYPE_CHECKING:
    from doc2tools.param_db.embedding import Embedder

__all__ = ["Folder", "Place", "Server", "collection", "locked", "place_of", "warm"]

COLLECTION = "doc2tools-values"
FORMAT = 1
LOCK_SECONDS = 60.0
ANSWER_SECONDS = 30.0
_CHECK_SECONDS = 5.0
_CONFIGURATION = {"hnsw": {"space": "ip", "max_neighbors": 8, "ef_construction": 24}}
"""Unit vectors, for people's searches alone, so that building the index is what costs."""


@dataclass(frozen=True, slots=True)
class Folder:
    """Values on disk."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)

    @property
    def exists(self) -> bool:
        """Something was kept here before."""
        return (self.path / "chroma.sqlite3").exists()


@dataclass(frozen=True, slots=True)
class Server:
    """Values on a shared Chroma server."""

    host: str
    port: int
    tls: bool = False

    def __str__(self) -> str:
        return f"{'https' if self.tls else 'http'}://{self.host}:{self.port}"


Place = Folder | Server


def place_of(address: str, folder: Path) -> Place:
    """Give where values are kept: on the server at `address`, or in `folder` where that is empty.

    Raises:
        UsageError: The address is none of a Chroma server.
    """
    if not address:
        return Folder(folder)
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port, parts = "", None, urlsplit("")
    if parts.scheme not in {"http", "https"} or not host or parts.path.strip("/") or parts.query:
        raise UsageError(
            f"{address!r} is no address of a Chroma server",
            hint="--param-db http://host:8000; without it values are kept beside the output",
        )
    if "@" in parts.netloc:
        raise UsageError("the address of a Chroma server holds no user name or password")
    tls = parts.scheme == "https"
    return Server(host, port or (443 if tls else 80), tls)


def warm() -> None:
    """Load Chroma's modules, for a thread that runs beside other work."""
    importlib.import_module("chromadb")


@contextlib.contextmanager
def collection(place: Place, embedder: Embedder) -> Generator[Any]:
    """Open the collection of values; the block owns it alone where it is on disk.

    Raises:
        StoreError: It can't be opened or used: no server, no right to write, a damaged file.
        UsageError: It holds vectors of another model.
    """
    held = locked(place.path) if isinstance(place, Folder) else contextlib.nullcontext()
    with held, _translated(place):
        before = written(place.path) if isinstance(place, Folder) else {}
        client = _client(place)
        try:
            found: Any = client.get_or_create_collection(
                COLLECTION,
                embedding_function=None,
                metadata={
                    "doc2tools_format": FORMAT,
                    "model": embedder.name,
                    "dimensions": embedder.dimensions,
                },
                configuration=_CONFIGURATION,
            )
            _require_same_model(found.metadata or {}, place, embedder)
            yield found
        finally:
            _close(client)
            if isinstance(place, Folder):
                blank_room(place.path, before)


@contextlib.contextmanager
def _translated(place: Place) -> Generator[None]:
    try:
        yield
    except Doc2ToolsError:
        raise
    except BaseException as fault:
        if not _is_foreign(fault):
            raise
        message = " ".join(str(fault).split())[:300] or type(fault).__name__
        if isinstance(place, Server):
            raise StoreError(
                f"the parameter values at {place} cannot be used: {message}",
                hint="check that the Chroma server runs, or leave --param-db out to keep values "
                "beside the output",
            ) from fault
        raise StoreError(
            f"the parameter values in {place} cannot be used: {message}",
            hint="free space or mend the rights; if the file is damaged, delete the folder: "
            "a compile fills it again",
        ) from fault


def _is_foreign(fault: BaseException) -> bool:
    """Tell whether Chroma or what it stands on raised; a panic of its core is no `Exception`."""
    if isinstance(fault, KeyboardInterrupt | SystemExit | GeneratorExit):
        return False
    frames = traceback.walk_tb(fault.__traceback__)
    names = {str(frame.f_globals.get("__name__", "")).partition(".")[0] for frame, _ in frames}
    return bool(names & {"chromadb", "httpx", "httpcore"}) or isinstance(fault, OSError)


def _client(place: Place) -> Any:  # noqa: ANN401 - chromadb's own types are not strict
    chromadb: Any = importlib.import_module("chromadb")
    config: Any = importlib.import_module("chromadb.config")
    settings: Any = config.Settings(
        _env_file=None,
        anonymized_telemetry=False,
        chroma_otel_collection_endpoint="",
        chroma_otel_granularity=None,
    )
    if isinstance(place, Folder):
        try:
            return chromadb.PersistentClient(str(place.path), settings=settings)
        except BaseException:
            # Chroma goes on holding a store that it failed to open, and gives it out again.
            importlib.import_module("chromadb.api.client").Client.clear_system_cache()
            raise
    _require_chroma(place)
    client: Any = chromadb.HttpClient(place.host, place.port, ssl=place.tls, settings=settings)
    for session in _sessions(client):
        session.timeout = ANSWER_SECONDS  # Chroma's own waits for ever
    return client


def _require_chroma(place: Server) -> None:
    httpx: Any = importlib.import_module("httpx")
    answer: Any = httpx.get(f"{place}/api/v2/heartbeat", timeout=_CHECK_SECONDS)
    if answer.status_code != 200 or "heartbeat" not in answer.text[:1000]:
        raise StoreError(
            f"{place} answers, and is no Chroma server of version 1",
            hint="start one with: chroma run --path FOLDER --port 8000",
        )


def _sessions(client: Any) -> Iterator[Any]:  # noqa: ANN401 - chromadb's own types are not strict
    """Give the HTTP sessions of a client, which has one more for its tenants."""
    for one in (client, getattr(client, "_admin_client", None)):
        session: Any = getattr(getattr(one, "_server", None), "_session", None)
        if session is not None:
            yield session


def _close(client: Any) -> None:  # noqa: ANN401 - chromadb's own types are not strict
    for session in _sessions(client):
        session.close()
    client.close()


def _require_same_model(metadata: dict[str, Any], place: Place, embedder: Embedder) -> None:
    model, width = metadata.get("model"), metadata.get("dimensions")
    if (model, width) == (embedder.name, embedder.dimensions):
        return
    where = "--param-db" if isinstance(place, Server) else "--out"
    raise UsageError(
        f"the parameter values at {place} are embedded by {model!r} ({width} wide), not by "
        f"{embedder.name!r} ({embedder.dimensions} wide)",
        hint=f"use the --embedder that they were made with, or another {where}",
    )


@contextlib.contextmanager
def locked(folder: Path) -> Generator[None]:
    """Keep other processes out of a folder of values; the lock ends with the process.

    Raises:
        StoreError: The folder can't be written, or another process holds it for too long.
    """
    path = folder / "lock"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
        handle = os.fdopen(os.open(path, flags, 0o644), "rb")
    except OSError as fault:
        raise StoreError(
            f"the parameter values in {folder} cannot be used: {fault.strerror or fault}",
            hint="choose another folder with --out, or mend its rights",
        ) from fault
    with handle:
        deadline = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as fault:
                if time.monotonic() > deadline:
                    raise StoreError(
                        f"the parameter values in {folder} are in use by another process",
                        hint="wait for it, or use another --out",
                    ) from fault
                time.sleep(0.02)
        yield
