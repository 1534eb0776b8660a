"""Recorded exchanges, addressed by what was asked, so that the same call is made only once.

One JSON file for each exchange, written by temp file and rename: killed at any moment, the folder
holds whole files only, and a file that cannot be read counts as absent. No fsync: a recording that
a power cut loses or tears is fetched again, and a sync would cost more than the call it saves.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from pydantic import ValidationError

from doc2tools.compiler.ir.errors import StoreError
from doc2tools.compiler.ir.exchange import Exchange, Request

FORMAT = 1
NEVER_STORED = frozenset({408, 425, 429, 502, 503, 504})
"""Passing faults: another try may well give something else."""

_IMMATERIAL = frozenset(
    {"user-agent", "accept-encoding", "connection", "host", "content-length", "keep-alive"}
)


class Recordings:
    """A store of exchanges. Thread-safe; several processes may share a folder."""

    def __init__(self, folder: Path | None, *, fresh: bool = False) -> None:
        """Open a store.

        Args:
            folder: Where to keep the files; `None` keeps exchanges in memory only.
            fresh: Do not read what earlier runs recorded; record anew.
        """
        self.folder = folder
        self.fresh = fresh
        self._memory: dict[str, Exchange] = {}
        self._flights: dict[str, Future[Exchange]] = {}
        self._lock = threading.Lock()
        self._written: set[str] = set()
        self._numbers = itertools.count()
        self._writer = f".{os.getpid()}-{os.urandom(4).hex()}"

    @staticmethod
    def key(request: Request, context: str = "", scope: str = "") -> str:
        """Give the address of `request`: a SHA-256 over all that can change the answer.

        Args:
            request: The request without credentials.
            context: What else matters, such as the kind of authentication; no secret.
            scope: What a write plan calls its step: the same request, sent before and after a
                change, is recorded twice.
        """
        headers = sorted(
            (name.lower(), value)
            for name, value in request.headers.items()
            if name.lower() not in _IMMATERIAL
        )
        parts = [FORMAT, context, request.method, request.url, headers]
        parts += [request.body, request.body_base64]
        parts += [scope] if scope else []
        return hashlib.sha256(json.dumps(parts).encode("utf-8", "replace")).hexdigest()

    def get(self, key: str, request: Request | None = None) -> Exchange | None:
        """Give the exchange recorded under `key`, marked as replayed, or `None`.

        Args:
            key: The request's address.
            request: What was asked; an exchange of another request is not taken for its own.
        """
        found = self._memory.get(key)
        if found is None and (not self.fresh or key in self._written):
            found = self._read(key)
        if found is not None and request is not None and not _answers(found, request):
            return None
        return found.model_copy(update={"replayed": True}) if found else None

    def put(self, key: str, exchange: Exchange) -> None:
        """Record an exchange, unless its answer is a passing fault.

        Raises:
            StoreError: the folder cannot be written.
        """
        response = exchange.response
        if response is None or response.status in NEVER_STORED:
            return
        if self.folder is None:
            self._memory[key] = exchange
        else:
            self._write(_path(self.folder, key), key, exchange)

    def once(
        self,
        key: str,
        send: Callable[[], Exchange],
        keep: Callable[[Exchange], bool],
        request: Request | None = None,
    ) -> Exchange:
        """Give the recorded exchange, or send: one call for all who ask at the same time.

        Args:
            key: The request's address.
            send: Makes the real call.
            keep: Whether what it gives may be recorded.
            request: What was asked.
        """
        with self._lock:
            flight = self._flights.get(key)
            if mine := flight is None:
                flight = self._flights[key] = Future[Exchange]()
        if not mine:
            return flight.result().model_copy(update={"replayed": True})
        try:
            exchange = self.get(key, request)
            if exchange is None:
                exchange = send()
                if keep(exchange):
                    self.put(key, exchange)
            flight.set_result(exchange)
            return exchange
        except BaseException as error:
            flight.set_exception(error)
            raise
        finally:
            with self._lock:
                self._flights.pop(key, None)

    def _read(self, key: str) -> Exchange | None:
        if self.folder is None:
            return None
        try:
            data = json.loads(_path(self.folder, key).read_bytes())
            if data["format"] != FORMAT or data["key"] != key:
                return None
            return Exchange.model_validate(data["exchange"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError, ValidationError):
            return None

    def _write(self, path: Path, key: str, exchange: Exchange) -> None:
        text = f'{{"format":{FORMAT},"key":"{key}","exchange":{exchange.model_dump_json()}}}\n'
        temporary = path.with_name(f"{self._writer}-{next(self._numbers)}.tmp")
        try:
            try:
                temporary.write_bytes(text.encode())
            except FileNotFoundError:
                path.parent.mkdir(parents=True, exist_ok=True)
                temporary.write_bytes(text.encode())
            temporary.replace(path)
            self._written.add(key)
        except OSError as error:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise StoreError(
                f"the recording {path} cannot be written: {error.strerror or error}",
                "check the folder's rights and the space that is left",
            ) from None


def _answers(exchange: Exchange, request: Request) -> bool:
    made = exchange.request
    return (made.method, made.url, made.body) == (request.method, request.url, request.body)


def _path(folder: Path, key: str) -> Path:
    return folder / key[:2] / f"{key[2:]}.json"
