"""A register of lighthouses: an API that behaves while it is compiled, and then as told."""

from __future__ import annotations

import contextlib
import http.server
import json
import threading
import time
from collections.abc import Generator
from urllib.parse import parse_qs, urlsplit

DOCS = """# Register of lights

All calls need a token: `Authorization: Bearer TOKEN`. Base URL: `https://lights.example/v1`

## List the lights

`GET /lights` gives every light of the register.

| parameter | type | description |
|---|---|---|
| `region` | string | only lights of this coast, for example `north` |
| `limit` | integer | how many to give, for example `2` |

    curl -H "Authorization: Bearer TOKEN" "https://lights.example/v1/lights?region=north&limit=2"

## One light

`GET /lights/{id}` gives one light.

| parameter | type | description |
|---|---|---|
| `id` | integer | number of the light, for example `7` |

    curl -H "Authorization: Bearer TOKEN" https://lights.example/v1/lights/7

## Who am I

`GET /caller` tells what the register knows of the caller.

## Log book

`GET /log` gives the log of the day.

## Take a light out of the register

`DELETE /lights/{id}` removes a light.
"""

LIGHTS = [
    {"id": 7, "name": "Skerry Point", "region": "north", "height": 31.5, "lit": True},
    {"id": 9, "name": "Old Mole", "region": "north", "height": 12, "lit": False},
]
CHUNK = b"x" * 65_536
FLOOD = 1_000_000_000
REASONABLE = 200_000


class LampApi(http.server.ThreadingHTTPServer):
    """The server.

    Attributes:
        mode: How `/log` behaves; `well` answers.
        sent: Bytes of the last flood that were taken.
        seen: Headers of each request, lower case.
    """

    daemon_threads = True
    request_queue_size = 256

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.mode = "well"
        self.sent = 0
        self.seen: list[dict[str, str]] = []
        self.stopping = threading.Event()

    @property
    def url(self) -> str:
        """The API's base URL."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: callers that hang up are what is tested."""


class _Handler(http.server.BaseHTTPRequestHandler):
    server: LampApi  # pyright: ignore[reportIncompatibleVariableOverride]
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.seen.append(headers)
        parts = urlsplit(self.path)
        query = parse_qs(parts.query)
        path = parts.path.removeprefix("/v1")
        if path == "/inside":
            self._json({"inside": "of the network"})
        elif "authorization" not in headers:
            self._json({"error": "no token was sent"}, 401)
        elif path == "/lights":
            self._json(LIGHTS[: int(query.get("limit", ["99"])[0])])
        elif path.startswith("/lights/"):
            found = [light for light in LIGHTS if str(light["id"]) == path.rpartition("/")[2]]
            self._json(found[0] if found else {"error": "no such light"}, 200 if found else 404)
        elif path == "/caller":
            self._json({"headers": headers, "token": headers["authorization"].split()[-1]})
        elif path == "/log":
            getattr(self, f"_{self.server.mode}")()
        else:
            self._json({"error": "no such place"}, 404)

    def _json(self, value: object, status: int = 200) -> None:
        self._send(json.dumps(value).encode(), status, "application/json")

    def _send(self, body: bytes, status: int, media: str, *more: tuple[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media)
        for name, value in more:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _well(self) -> None:
        self._json({"entries": [{"at": "04:10", "text": "all lights lit"}]})

    def _hang(self) -> None:
        self.server.stopping.wait(60)
        self.close_connection = True

    def _drip(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        for _ in range(600):
            self.wfile.write(b" ")
            if self.server.stopping.wait(0.1):
                return

    def _drip_headers(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(600):
            self.wfile.write(f"X-{number}: 1\r\n".encode())
            if self.server.stopping.wait(0.1):
                return

    def _die(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhalf of it")
        self.close_connection = True

    def _flood(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(FLOOD))
        self.end_headers()
        self.server.sent = 0
        for _ in range(FLOOD // len(CHUNK)):
            self.wfile.write(CHUNK)
            self.server.sent += len(CHUNK)

    def _long(self) -> None:
        entries = [{"at": "04:10", "text": f"entry {number}"} for number in range(5_000)]
        self._json({"entries": entries})

    def _garbage(self) -> None:
        self.wfile.write(b"\x00\xff\x17 is this HTTP?\r\n\r\n" * 10)
        self.close_connection = True

    def _deep(self) -> None:
        self._send(b"[" * REASONABLE, 200, "application/json")

    def _surrogates(self) -> None:
        self._send(rb'{"entries": [{"at": "\ud800", "text": "\udfff"}]}', 200, "application/json")

    def _other(self) -> None:
        self._json(["not", "the", "form", "that", "was", "seen"])

    def _binary(self) -> None:
        self._send(bytes(range(256)) * 4, 200, "application/octet-stream")

    def _redirect(self) -> None:
        # Another host by name, which needs no token: as a metadata service of a cloud.
        port = self.server.server_address[1]
        self._send(b"", 302, "text/plain", ("Location", f"http://localhost:{port}/v1/inside"))

    def _cookie(self) -> None:
        cookie = self.headers.get("Cookie", "none")
        kind = ("Set-Cookie", f"who={time.monotonic_ns()}")
        self._send(json.dumps({"cookie": cookie}).encode(), 200, "application/json", kind)

    def _fails(self) -> None:
        token = self.headers["Authorization"].split()[-1]
        self._json({"error": f"token {token} is not welcome"}, 500)


@contextlib.contextmanager
def lamp_api() -> Generator[LampApi]:
    """Run the register on a free loopback port."""
    server = LampApi()
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)
