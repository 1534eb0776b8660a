"""A real HTTP server on loopback whose paths misbehave on request; it keeps what it was asked."""

from __future__ import annotations

import contextlib
import gzip
import json
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit


@dataclass
class Seen:
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class ScriptedServer:
    """The running server."""

    base_url: str
    seen: list[Seen] = field(default_factory=list[Seen])
    state: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def port(self) -> int:
        return int(self.base_url.rpartition(":")[2])

    def count(self, path: str) -> int:
        return sum(urlsplit(one.path).path == path for one in self.seen)

    def bump(self, key: str) -> int:
        self.state[key] = self.state.get(key, 0) + 1
        return self.state[key]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    shared: ClassVar[ScriptedServer]
    lock: ClassVar[threading.Lock] = threading.Lock()

    def log_message(self, format: str, *args: object) -> None:
        pass

    def handle(self) -> None:
        with contextlib.suppress(OSError):
            super().handle()

    def respond(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        headers = {name.lower(): value for name, value in self.headers.items()}
        seen = Seen(self.command, self.path, headers, self.rfile.read(length))
        with self.lock:
            self.shared.seen.append(seen)
        parts = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        name = parts.path.strip("/").replace("-", "_").partition("/")[0]
        route: Callable[[Seen, dict[str, str]], None] = getattr(self, f"do_{name}", self.not_found)
        route(seen, query)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = respond

    def reply(
        self, body: bytes, status: int = 200, kind: str = "application/json", **headers: str
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def not_found(self, seen: Seen, query: dict[str, str]) -> None:
        self.reply(b'{"error": "no such path"}', 404)

    def do_json(self, seen: Seen, query: dict[str, str]) -> None:
        self.reply(b'{"status": "ok", "data": [1, 2, 3]}')

    def do_echo(self, seen: Seen, query: dict[str, str]) -> None:
        # Honours the override that many frameworks honour, and gives back all that it was sent.
        method = seen.headers.get("x-http-method-override") or query.get("_method") or seen.method
        body = {"method": method, "path": seen.path, "headers": seen.headers}
        text = json.dumps({**body, "body": seen.body.decode("latin-1")})
        self.reply(text.encode(), X_Echo=seen.headers.get("authorization", "none"))

    def do_status(self, seen: Seen, query: dict[str, str]) -> None:
        self.reply(b"{}", int(query["code"]))

    def do_redirect(self, seen: Seen, query: dict[str, str]) -> None:
        self.reply(b"", int(query.get("code", "302")), Location=query["to"])

    def do_loop(self, seen: Seen, query: dict[str, str]) -> None:
        self.reply(b"", 302, Location=f"/loop?n={self.shared.bump('loop')}")

    def do_drip(self, seen: Seen, query: dict[str, str]) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        for _ in range(100):
            self.wfile.write(b"x")
            time.sleep(0.05)

    def do_drip_headers(self, seen: Seen, query: dict[str, str]) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        for _ in range(50):
            self.wfile.write(b"x")
            time.sleep(0.05)

    def do_flood(self, seen: Seen, query: dict[str, str]) -> None:
        self.send_response(200)
        self.end_headers()
        for _ in range(20_000):
            self.wfile.write(b"flood " * 10_000)

    def do_flood_headers(self, seen: Seen, query: dict[str, str]) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(20_000):
            self.wfile.write(b"X-%d: %s\r\n" % (number, b"h" * 1_000))

    def do_wide_headers(self, seen: Seen, query: dict[str, str]) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n")
        for number in range(4):
            self.wfile.write(b"X-Wide-%d: %s\r\n" % (number, b"w" * 60_000))
        self.wfile.write(b"\r\n")

    def do_bomb(self, seen: Seen, query: dict[str, str]) -> None:
        engine = zlib.compressobj(9, wbits=31)
        parts = [engine.compress(bytes(1_000_000)) for _ in range(100)]
        body = b"".join([*parts, engine.flush()])
        if query.get("twice"):
            body = gzip.compress(body)
        self.reply(body, Content_Encoding="gzip, gzip" if query.get("twice") else "gzip")

    def do_packed(self, seen: Seen, query: dict[str, str]) -> None:
        body = b'{"packed": true}'
        kind = query["kind"]
        packed = {
            "gzip": gzip.compress(body),
            "deflate": zlib.compress(body),
            "raw-deflate": zlib.compress(body)[2:-4],
            "broken": b"\x1f\x8bnot gzip at all",
            "members": gzip.compress(body[:5]) + gzip.compress(body[5:]),
        }[kind]
        coding = "deflate" if "deflate" in kind else "gzip"
        self.reply(packed, Content_Encoding=coding)

    def do_hang(self, seen: Seen, query: dict[str, str]) -> None:
        time.sleep(float(query.get("seconds", "5")))
        self.reply(b"{}")

    def do_garbage(self, seen: Seen, query: dict[str, str]) -> None:
        self.wfile.write(b"SSH-2.0-OpenSSH_9.0\r\n\r\n")
        self.close_connection = True

    def do_short(self, seen: Seen, query: dict[str, str]) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
        self.close_connection = True

    def do_drop(self, seen: Seen, query: dict[str, str]) -> None:
        # Announces a connection that stays open, and closes it.
        self.reply(b'{"kept": false}')
        self.close_connection = True

    def do_latin(self, seen: Seen, query: dict[str, str]) -> None:
        self.reply("Größe".encode("latin-1"), kind="text/plain; charset=ISO-8859-1")

    def do_bytes(self, seen: Seen, query: dict[str, str]) -> None:
        self.reply(bytes(range(256)), kind="application/octet-stream")

    def do_busy(self, seen: Seen, query: dict[str, str]) -> None:
        if self.shared.bump("busy") <= int(query.get("times", "1")):
            self.reply(b"{}", int(query.get("code", "429")), Retry_After=query.get("after", "1"))
        else:
            self.reply(b'{"free": true}')

    def do_login(self, seen: Seen, query: dict[str, str]) -> None:
        number = self.shared.bump("login")
        time.sleep(0.05)
        if b"correct-horse-battery" not in seen.body:
            self.reply(b'{"error": "who are you"}', 401)
            return
        body = json.dumps({"auth": {"tokens": [f"session-token-{number:04d}"]}}).encode()
        self.reply(body, Set_Cookie=f"sid=session-cookie-{number:04d}; HttpOnly; Path=/")

    def do_members(self, seen: Seen, query: dict[str, str]) -> None:
        # Lets in the newest login only; `expire` makes the next request need a new one.
        newest = self.shared.state.get("login", 0)
        given = seen.headers.get("authorization", "") + seen.headers.get("cookie", "")
        if given.endswith((f"session-token-{newest:04d}", f"session-cookie-{newest:04d}")) and not (
            query.get("expire") and newest < 2
        ):
            self.reply(json.dumps({"member": given}).encode())
        else:
            self.reply(b'{"error": "log in"}', 401)

    def do_items(self, seen: Seen, query: dict[str, str]) -> None:
        self.reply(b'{"created": true}', 201)


class _Server(ThreadingHTTPServer):
    request_queue_size = 128


@contextlib.contextmanager
def serve(host: str = "127.0.0.1", certificate: Path | None = None) -> Generator[ScriptedServer]:
    """Run a server until the block ends; with a certificate and key in one file, over TLS."""
    handler = type("Handler", (_Handler,), {})
    server = _Server((host, 0), handler)
    server.daemon_threads = True
    server.block_on_close = False
    scheme = "http"
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
        scheme = "https"
    handler.shared = ScriptedServer(f"{scheme}://{host}:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield handler.shared
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
