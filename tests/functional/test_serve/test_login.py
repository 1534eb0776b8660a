"""Toolkits that log in: what the login brings stays in the server, however the API echoes it."""

from __future__ import annotations

import asyncio
import http.server
import json
import threading
from collections.abc import Generator
from pathlib import Path

import pytest

from doc2tools.compiler.emit.package import render_package
from doc2tools.compiler.emit.write import write_project
from doc2tools.compiler.ir.exchange import Exchange, Request, Response
from doc2tools.compiler.ir.options import AuthOptions, CompileOptions
from doc2tools.compiler.ir.outcome import Attempt, Tool, Validated, Verdict
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.ir.spec import ApiSpec, Effect, Endpoint
from doc2tools.sandbox.redaction import MASK
from tests.functional.test_serve.serving import answer_of, client, serving

PASSWORD = "keeper-of-the-light-77"  # noqa: S105 - of this test
TOKEN = "given-at-login-0123456789"  # noqa: S105 - of this test


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        right = body == {"user": "keeper", "password": PASSWORD}
        cookie = f"session={TOKEN}; Path=/" if right else ""
        self._answer(200 if right else 403, {"token": TOKEN} if right else {}, cookie)

    def do_GET(self) -> None:
        shown = self.headers.get("Authorization", "") + self.headers.get("Cookie", "")
        status = 200 if TOKEN in shown else 401
        self._answer(status, {"you_sent": shown, "known": TOKEN in shown})

    def _answer(self, status: int, value: object, cookie: str = "") -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if cookie:
            self.send_header("Set-Cookie", cookie)
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def api() -> Generator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join(timeout=5)


@pytest.mark.parametrize("keep", ["cookie", "json:token"])
def test_a_login(api: str, tmp_path: Path, keep: str) -> None:
    auth = AuthOptions(
        type="login", url="/login", body={"user": "keeper", "password": "$KEEPER_PIN"}, keep=keep
    )
    endpoint = Endpoint(
        name="who_am_i",
        group="keepers",
        summary="Say who calls.",
        method="GET",
        base_url=api,
        path="/me",
        effect=Effect(kind="read", reason="GET"),
    )
    exchange = Exchange(
        request=Request(method="GET", url=f"{api}/me"),
        response=Response(
            status=200,
            headers={"content-type": "application/json"},
            body='{"you_sent": "", "known": true}',
        ),
    )
    verdict = Verdict(verdict="information", cause="ok", message="200 with JSON")
    proof = Validated(attempt=Attempt(arguments=(), exchange=exchange, verdict=verdict))
    plan = PackagePlan(
        name="keepers",
        base_url=api,
        spec=ApiSpec(title="Keepers", endpoints=(endpoint,)),
        tools=(Tool(endpoint=endpoint, outcome=proof),),
        options=CompileOptions(allow=("GET",), base_url=api, auth=auth),
    )
    write_project(tmp_path / "keepers", render_package(plan))
    environment = {"KEEPER_PIN": PASSWORD}
    with serving("keepers", "--out", tmp_path, environment=environment) as served:

        async def run() -> None:
            async with client(served.url) as session:
                for _ in range(2):
                    answer = answer_of(await session.call_tool("who_am_i", {}))
                    assert answer["known"] is True
                    assert MASK in answer["you_sent"]
                    assert TOKEN not in str(answer)

        asyncio.run(run())
