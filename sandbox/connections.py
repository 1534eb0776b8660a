"""Connections to addresses that were checked, each watched until its exchange is over.

An exchange sets `current.watch` on its thread; a connection that is opened there goes to the
watch's addresses and nowhere else, and the watchdog cuts it when the watch's deadline has passed.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import socket
import threading
import time
from dataclasses import dataclass
from typing import ClassVar

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import ConnectTimeoutError, NewConnectionError
from urllib3.util.connection import create_connection

from doc2tools.sandbox.limits import Deadline

CONNECT_SECONDS = 5.0


@dataclass
class Watch:
    """One exchange under way: where it may connect, and until when."""

    addresses: tuple[str, ...]
    deadline: Deadline
    sock: socket.socket | None = None
    expired: bool = False


class _Current(threading.local):
    watch: Watch | None = None


current = _Current()


class _Quiet(logging.Filter):
    """Keeps urllib3 from logging our requests: their addresses may carry a token."""

    def filter(self, record: logging.LogRecord) -> bool:
        return current.watch is None


for _name in ("urllib3.connectionpool", "urllib3.connection", "urllib3.util.retry"):
    logging.getLogger(_name).addFilter(_Quiet())


def _open_socket(connection: HTTPConnection) -> socket.socket:
    watch = current.watch
    if watch is None:
        raise NewConnectionError(connection, "no address was checked for this connection")
    problem: OSError | None = None
    for address in watch.addresses:
        left = min(CONNECT_SECONDS, watch.deadline.remaining())
        if left <= 0:
            raise ConnectTimeoutError(connection, "no time left to connect")
        try:
            return create_connection(
                (address, connection.port), left, socket_options=connection.socket_options
            )
        except OSError as error:
            problem = error
    if isinstance(problem, TimeoutError):
        raise ConnectTimeoutError(connection, "the connection timed out") from problem
    raise NewConnectionError(connection, os_reason(problem)) from problem


class _PinnedConnection(HTTPConnection):
    def _new_conn(self) -> socket.socket:
        return _open_socket(self)

    def request(self, *args: object, **kwargs: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        _prepare(self)
        super().request(*args, **kwargs)  # pyright: ignore[reportArgumentType]


class _PinnedTlsConnection(HTTPSConnection):
    def _new_conn(self) -> socket.socket:
        return _open_socket(self)

    def request(self, *args: object, **kwargs: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        _prepare(self)
        super().request(*args, **kwargs)  # pyright: ignore[reportArgumentType]


def _prepare(connection: HTTPConnection) -> None:
    # The watchdog needs the socket from the first byte on, before the answer's headers are read.
    if connection.sock is None:
        connection.connect()
    watch = current.watch
    if watch is not None:
        watch.sock = connection.sock


class PinnedPool(HTTPConnectionPool):
    """Connections that go to checked addresses only."""

    ConnectionCls = _PinnedConnection  # pyright: ignore[reportAssignmentType]  (urllib3 does so too)


class PinnedTlsPool(HTTPSConnectionPool):
    """The same over TLS; the certificate is checked against the name, not the address."""

    ConnectionCls = _PinnedTlsConnection  # pyright: ignore[reportAssignmentType]  (as above)

    def _validate_conn(self, conn: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        # As urllib3 does, without its warning: `verify = false` is the user's own choice.
        if isinstance(conn, _PinnedTlsConnection) and conn.is_closed:
            conn.connect()


class Watchdog:
    """Cuts connections whose exchange is past its deadline, whatever they are waiting for."""

    TICK: ClassVar[float] = 0.1

    def __init__(self) -> None:
        """Start without a thread; the first exchange starts it."""
        self._watches: set[int] = set()
        self._by_id: dict[int, Watch] = {}
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def add(self, watch: Watch) -> None:
        """Watch an exchange."""
        with self._wake:
            self._by_id[id(watch)] = watch
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)
                self._thread.start()
            elif len(self._by_id) == 1:
                self._wake.notify()

    def remove(self, watch: Watch) -> None:
        """Stop watching it."""
        with self._wake:
            self._by_id.pop(id(watch), None)

    def close(self) -> None:
        """End the thread."""
        with self._wake:
            self._closed = True
            self._wake.notify()

    def _run(self) -> None:
        while True:
            with self._wake:
                while not self._by_id and not self._closed:
                    self._wake.wait()
                if self._closed:
                    return
                late = [w for w in self._by_id.values() if w.deadline.remaining() <= 0]
            for watch in late:
                watch.expired = True
                _cut(watch.sock)
            time.sleep(self.TICK)


def _cut(sock: socket.socket | None) -> None:
    if sock is None:
        return
    with contextlib.suppress(OSError):
        # Below TLS: `SSLSocket.shutdown` would drop the state that the reading thread still uses.
        socket.socket.shutdown(sock, socket.SHUT_RDWR)


def os_reason(error: OSError | None) -> str:
    """Say in words why a connection could not be opened."""
    if error is None:
        return "no address"
    if error.errno == errno.ECONNREFUSED:
        return "connection refused"
    return error.strerror or type(error).__name__
