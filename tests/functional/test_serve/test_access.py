"""Who may call: tokens, origins, hosts; what operators see."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import httpx
import pytest

from tests.functional.test_serve.conftest import SECRET
from tests.functional.test_serve.serving import Served, answer_of, client, serving

TOKEN = "callers-show-this-0123456789"  # noqa: S105 - of this test
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    },
}
ACCEPT = {"Accept": "application/json, text/event-stream"}


def post(served: Served, **headers: str) -> int:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.post(served.url, json=HELLO, headers={**ACCEPT, **sent}).status_code


@pytest.fixture(scope="module")
def guarded(lights_out: Path, tmp_path_factory: pytest.TempPathFactory) -> object:
    file = tmp_path_factory.mktemp("token") / "token"
    file.write_text(f"{TOKEN}\n")
    words = ("lights", "--out", lights_out, "--token-file", file, "--host", "0.0.0.0")  # noqa: S104
    more = ("--allow-origin", "https://chat.example")
    with serving(*words, *more, environment={"LIGHTS_TOKEN": SECRET}) as served:
        served.url = served.url.replace("0.0.0.0", "127.0.0.1")  # noqa: S104
        yield served


def test_the_right_token_is_let_in(guarded: Served) -> None:
    async def run() -> None:
        async with client(guarded.url, Authorization=f"Bearer {TOKEN}") as session:
            assert answer_of(await session.call_tool("get_log", {}))

    asyncio.run(run())


@pytest.mark.parametrize(
    "header",
    ["", TOKEN, f"Basic {TOKEN}", "Bearer", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}",
     "Bearer \xff\xfe"],
)  # fmt: skip
def test_a_wrong_token_is_refused(guarded: Served, header: str) -> None:
    headers = [(b"Authorization", header.encode("latin-1"))] if header else []
    for method, url in [("POST", guarded.url), ("GET", guarded.url), ("DELETE", guarded.url),
                        ("GET", f"{guarded.base}/metrics")]:  # fmt: skip
        answer = httpx.request(method, url, headers=headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert TOKEN not in answer.text


def test_health_needs_no_token_and_metrics_does(guarded: Served) -> None:
    assert httpx.get(f"{guarded.base}/health").json() == {"status": "ok"}
    headers = {"Authorization": f"Bearer {TOKEN}"}
    text = httpx.get(f"{guarded.base}/metrics", headers=headers).text
    assert 'doc2tools_calls_total{outcome="ok",tool="get_log",toolkit="lights"}' in text
    assert re.search(r'doc2tools_refused_requests_total\{reason="token"\} [1-9]', text)
    assert TOKEN not in text


def test_beyond_loopback_a_token_is_made(lights_out: Path) -> None:
    with serving("lights", "--out", lights_out, "--host", "0.0.0.0") as served:  # noqa: S104
        served.url = served.url.replace("0.0.0.0", "127.0.0.1")  # noqa: S104
        made = re.search(r"made for this run: (\S{40,})", served.hear())
        assert made is not None
        assert post(served) == 401
        assert post(served, Authorization=f"Bearer {made[1]}") == 200


def test_a_page_of_another_site_is_refused(server: Served) -> None:
    own = server.base
    assert post(server, Origin=own) == 200
    other_name = own.replace("127.0.0.1", "localhost")
    others = ["https://evil.example", "null", "http://127.0.0.1:1", f"{own}.evil.example"]
    for origin in [*others, other_name, "http://localhost@evil.example"]:
        assert post(server, Origin=origin) == 403, origin


def test_an_allowed_page_is_let_in_and_others_are_not(guarded: Served) -> None:
    token = f"Bearer {TOKEN}"
    assert post(guarded, Authorization=token, Origin="https://chat.example") == 200
    assert post(guarded, Authorization=token, Origin="https://evil.example") == 403
    headers = {"Origin": "https://chat.example", "Access-Control-Request-Method": "POST"}
    allowed = httpx.options(guarded.url, headers=headers)
    assert allowed.headers["access-control-allow-origin"] == "https://chat.example"
    headers["Origin"] = "https://evil.example"
    assert "access-control-allow-origin" not in httpx.options(guarded.url, headers=headers).headers


def test_a_rebound_name_is_refused(server: Served) -> None:
    # The browser believes that the page's own host answers: no Origin check helps there.
    port = server.base.rpartition(":")[2]
    for host in [f"evil.example:{port}", "evil.example", f"127.0.0.1.evil.example:{port}", ""]:
        assert post(server, Host=host) == 421, host
        assert httpx.get(f"{server.base}/health", headers={"Host": host}).status_code == 421
    assert post(server, Host=f"localhost:{port}") == 200


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        b"\xff\xfe\x00",
        b"[" * 500_000,
        b'{"a":' * 100_000,
        b"[]",
        b"7",
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 7}}',
        b'{"jsonrpc": "2.0", "id": {}, "method": "initialize"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "\\ud800"}',
        b'{"jsonrpc": "2.0", "id": ' + b"9" * 5_000 + b', "method": "tools/list"}',
    ],
)
def test_nonsense_is_refused_and_the_server_lives(server: Served, body: bytes) -> None:
    headers = {**ACCEPT, "Content-Type": "application/json"}
    answer = httpx.post(server.url, content=body, headers=headers)
    assert 400 <= answer.status_code < 600  # some are a 500 of the library, which says nothing
    for session in ("x", "../..", "0" * 3_000):
        headers["Mcp-Session-Id"] = session
        answer = httpx.post(server.url, content=body, headers=headers)
        assert 400 <= answer.status_code < 600
    assert post(server) == 200


def test_a_request_that_is_too_long_is_refused(server: Served) -> None:
    answer = httpx.post(server.url, content=b"x" * 1_100_000, headers=ACCEPT)
    assert answer.status_code == 413
    assert post(server) == 200
