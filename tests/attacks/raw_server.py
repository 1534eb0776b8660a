"""A server on loopback that sends whatever bytes an attack wants, and keeps what it was asked."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

Reply = bytes | Callable[[str], Iterable[bytes]]
OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"


def answer(body: bytes, head: bytes = b"", start: bytes = OK) -> bytes:
    """Give an answer with a body and more headers."""
    return start + head + f"Content-Length: {len(body)}\r\n\r\n".encode() + body


MISSING = answer(
    b'{"error": "not found"}', start=b"HTTP/1.1 404 Not Found\r\nConnection: close\r\n"
)


@dataclass
class RawServer:
    """The running server.

    Attributes:
        replies: Path to answer; "*" is for all others. A callable gets the request and yields
            pieces, each sent on its own.
        seen: The requests' heads and bodies.
    """

    port: int
    replies: dict[str, Reply] = field(default_factory=dict[str, Reply])
    seen: list[str] = field(default_factory=list[str])

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def reply(self, request: str) -> Reply:
        path = urlsplit(request.split(" ")[1]).path
        return self.replies.get(path) or self.replies.get("*") or MISSING


def _serve(server: RawServer, connection: socket.socket) -> None:
    with connection, contextlib.suppress(OSError, IndexError):
        connection.settimeout(5)
        data = b""
        while b"\r\n\r\n" not in data:
            piece = connection.recv(65_536)
            if not piece:
                return
            data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        length = 0
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        while len(body) < length:
            body += connection.recv(65_536)
        request = (head + b"\r\n\r\n" + body).decode("latin-1")
        server.seen.append(request)
        reply = server.reply(request)
        for piece in [reply] if isinstance(reply, bytes) else reply(request):
            connection.sendall(piece)


@contextlib.contextmanager
def raw_server() -> Generator[RawServer]:
    """Run a server until the block ends."""
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        server = RawServer(listener.getsockname()[1])

        def accept() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=_serve, args=(server, connection), daemon=True).start()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
            thread.join(timeout=2)


def drip(data: bytes, pause: float, count: int) -> Callable[[str], Iterable[bytes]]:
    """Give a reply that sends `data`, and then a byte at a time."""

    def pieces(_: str) -> Iterable[bytes]:
        yield data
        for _number in range(count):
            time.sleep(pause)
            yield b"x"

    return pieces
