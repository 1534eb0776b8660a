"""A real server of 25 ships whose pages are led to in every style, and in some that go wrong."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

SHIPS = [{"id": number, "name": f"ship {number}"} for number in range(25)]


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers with ten ships at a time."""

    protocol_version = "HTTP/1.1"
    asked: list[str]
    elsewhere: str

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        """Answer by path."""
        self.asked.append(self.path)
        parts = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        status, value, headers = self._answer(parts.path, query)
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        for name, text in headers.items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self) -> None:
        """Answer a search whose page is in the body."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.path += f"?page={body['page']}" if "page" in body else ""
        self.do_GET()

    def _answer(self, path: str, query: dict[str, str]) -> tuple[int, Any, dict[str, str]]:
        first = int(query.get("page", "1")) * 10 - 10
        start = int(query.get("start", "0"))
        match path:
            case "/page" | "/search":
                return 200, {"ships": SHIPS[first : first + 10], "total": 25}, {}
            case "/page0":
                number = int(query.get("page", "0"))
                return 200, {"page": number, "data": SHIPS[number * 10 : number * 10 + 10]}, {}
            case "/offset":
                return 200, {"ships": SHIPS[start : start + 7]}, {}
            case "/stuck":
                return 200, {"ships": SHIPS[:3]}, {}
            case _:
                return self._pointed(path, query, start)

    def _pointed(
        self, path: str, query: dict[str, str], start: int
    ) -> tuple[int, Any, dict[str, str]]:
        match path:
            case "/cursor":
                at = int(query.get("cursor", "c0")[1:])
                following = f"c{at + 10}" if at + 10 < 25 else None
                return 200, {"items": SHIPS[at : at + 10], "meta": {"next_cursor": following}}, {}
            case "/cursor-loop":
                at = "b" if query.get("cursor") == "a" else "a"
                return 200, {"items": SHIPS[:2], "meta": {"next_cursor": at}}, {}
            case _:
                return self._linked(path, start)

    def _linked(self, path: str, start: int) -> tuple[int, Any, dict[str, str]]:
        following = start + 10 if start + 10 < 25 else None
        ships = SHIPS[start : start + 10]
        match path:
            case "/link":
                link = f'</link?start={following}>; rel="next", </link>; rel="first"'
                return 200, ships, {"Link": link} if following else {}
            case "/next":
                link = f"/next?start={following}" if following else None
                return 200, {"results": ships, "next": link}, {}
            case "/next-loop":
                return 200, {"results": ships[:1], "next": "/next-loop?start=1"}, {}
            case "/next-elsewhere":
                return 200, {"results": ships[:1], "next": f"{self.elsewhere}/next"}, {}
            case "/endless":
                return 200, {"results": ships[:1], "next": f"/endless?start={start + 1}"}, {}
            case _:
                return 404, {"error": "no such path"}, {}


@contextmanager
def paged_server(elsewhere: str = "") -> Generator[tuple[str, list[str]]]:
    """Give the base URL of a running server, and the paths that it was asked for."""
    asked: list[str] = []
    handler = type("Own", (Handler,), {"asked": asked, "elsewhere": elsewhere})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()
