"""An invented harbour API: endpoints, plans, and a real server that says what it was asked."""

from __future__ import annotations

import http.server
import json
import socketserver
import ssl
import threading
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from doc2tools.compiler.ir.exchange import Exchange, Request, Response
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Argument, Attempt, Tool, Validated, Verdict
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.ir.source import Span
from doc2tools.compiler.ir.spec import ApiSpec, Effect, Endpoint, Parameter

BASE = "http://127.0.0.1:9"
Fact: TypeAlias = Any
"""A field's value, checked by the model that takes it."""

READ = Effect(kind="read", reason="GET")


def make_endpoint(**changes: Fact) -> Endpoint:
    """Give an endpoint of an invented harbour API."""
    values: dict[str, Any] = {
        "name": "get_ship",
        "group": "ships",
        "summary": "Get one ship.",
        "method": "GET",
        "base_url": BASE,
        "path": "/ships/{ship_id}",
        "parameters": (
            Parameter(name="ship_id", identifier="ship_id", location="path", type="integer"),
            Parameter(name="fields[]", identifier="fields", location="query", type="array"),
        ),
        "effect": READ,
        "spans": (Span(page="ships.md", start=3, end=9),),
    }
    return Endpoint(**(values | changes))


def prove(
    endpoint: Endpoint, answer: object, values: dict[str, Any] | None = None, **response: Fact
) -> Tool:
    """Give a tool whose call was answered by `answer`: a text, or JSON."""
    body = answer if isinstance(answer, str) else json.dumps(answer)
    kind = "text/plain" if isinstance(answer, str) else "application/json"
    given = values if values is not None else {"ship_id": 7}
    path = endpoint.path
    for name, value in given.items():
        path = path.replace(f"{{{name}}}", str(value))
    values_of = {"status": 200, "headers": {"content-type": kind}, "body": body} | response
    attempt = Attempt(
        arguments=tuple(Argument(name=n, value=v, origin="documented") for n, v in given.items()),
        exchange=Exchange(
            request=Request(method=endpoint.method, url=endpoint.base_url + path),
            response=Response.model_validate(values_of),
        ),
        verdict=Verdict(verdict="information", cause="ok", message="The answer holds data."),
    )
    return Tool(endpoint=endpoint, outcome=Validated(attempt=attempt))


def make_plan(*tools: Tool, **changes: Fact) -> PackagePlan:
    """Give a plan that holds `tools`; options are given by their own names."""
    options = {k: v for k, v in changes.items() if k in CompileOptions.model_fields and k != "name"}
    values: dict[str, Any] = {
        "name": "harbour",
        "base_url": BASE,
        "spec": ApiSpec(title="Harbour", endpoints=tuple(tool.endpoint for tool in tools)),
        "tools": tools,
        "options": CompileOptions(**options),
        "digest": "d1",
    }
    return PackagePlan(
        **(values | {k: v for k, v in changes.items() if k not in options or k == "base_url"})
    )


@dataclass
class Server:
    """A running server: its address, what it was asked, and how often each path was asked."""

    url: str
    asked: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    elsewhere: str = ""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    record: Server

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""

    def _answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length).decode("utf-8", "replace")
        url = urlsplit(self.path)
        asked = {
            "method": self.command,
            "path": url.path,
            "query": url.query,
            "headers": {name.lower(): value for name, value in self.headers.items()},
            "body": body,
        }
        self.record.asked.append(asked)
        times = sum(one["path"] == url.path for one in self.record.asked)
        status, kind, content, headers = _reply(url.path, times, asked, self.record)
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = _answer


Reply = tuple[int, str, bytes, dict[str, str]]


_JSON = "application/json"
FIXED: dict[str, tuple[str, bytes]] = {
    "/text": ("text/plain; charset=utf-8", "Grüße".encode()),
    "/latin": ("text/plain; charset=iso-8859-1", "Grüße".encode("latin-1")),
    "/json-as-text": ("text/plain", b'{"a": [1]}'),
    "/json-as-script": ("text/javascript", b"[1, 2]"),
    "/broken-json": (_JSON, b"{nonsense"),
    "/lines": ("application/x-ndjson", b'{"n": 1}\n{"n": 2}\n'),
    "/one-line": ("application/x-ndjson", b'{"n": 1}\n'),
    "/lines-as-json": (_JSON, b'{"n": 1}\n{"n": 2}\n'),
    "/bytes": ("image/png", b"\x89PNG\0"),
    "/empty": (_JSON, b""),
    "/untyped": ("", b'{"a": 1}'),
    "/page": ("text/html", b"<p>hello"),
    "/bom": (_JSON, b"\xef\xbb\xbf[1]"),
}


def _reply(path: str, times: int, asked: dict[str, Any], record: Server) -> Reply:
    reply: Reply = (200, _JSON, json.dumps(asked).encode(), {})
    if path == "/flaky" and times < 3:
        reply = (503, "text/plain", b"busy", {"Retry-After": "0"})
    elif path.startswith("/status/"):
        reply = (int(path.rsplit("/", 1)[1]), "text/plain", b"it says secret-token " * 400, {})
    elif path == "/redirect":
        reply = (302, "", b"", {"Location": f"{record.elsewhere}/landed"})
    elif path == "/slash":
        reply = (301, "", b"", {"Location": "/slash/"})
    elif path == "/login":
        reply = (200, _JSON, b'{"data": {"token": "fresh"}}', {"Set-Cookie": "sid=abc; Path=/"})
    elif path in FIXED:
        reply = (200, *FIXED[path], {})
    return reply


class _Threading(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


def serve(record: Server, tls: ssl.SSLContext | None = None) -> http.server.HTTPServer:
    """Start a server on a free loopback port; the caller shuts it down."""
    handler = type("Handler", (_Handler,), {"record": record})
    server = _Threading(("127.0.0.1", 0), handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    record.url = f"http{'s' if tls else ''}://127.0.0.1:{server.server_address[1]}"
    return server
