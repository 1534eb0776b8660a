"""Credentials: added for the base URL's origin only, and seen nowhere."""

from __future__ import annotations

import base64
import logging
import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import pytest
from scripted_server import ScriptedServer, serve
from toolkit import caller, toolkit

from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.exchange import Exchange, Request
from doc2tools.sandbox.gateway import Gateway
from doc2tools.sandbox.recordings import Recordings
from doc2tools.sandbox.redaction import Redactor
from doc2tools.sandbox.sandbox import Sandbox

OpenGateway = Callable[..., Gateway]
ODD = "s3cr3t/Tök+en=with&signs"
PLAIN = "correct-horse-battery"

SCHEMES = {
    "basic": {"type": "basic", "username": "ada", "password_env": "API_SECRET"},
    "bearer": {"type": "bearer", "token_env": "API_SECRET"},
    "header": {"type": "header", "name": "X-Api-Key", "prefix": "Key ", "token_env": "API_SECRET"},
    "query": {"type": "query", "name": "api_key", "token_env": "API_SECRET"},
    "cookie": {"type": "cookie", "name": "sid", "token_env": "API_SECRET"},
}


def forms(secret: str) -> list[str]:
    raw = secret.encode()
    pair = f"ada:{secret}".encode()
    return [
        secret,
        quote(secret, safe=""),
        quote(secret),
        re.sub("%..", lambda match: match[0].lower(), quote(secret, safe="")),
        base64.b64encode(raw).decode(),
        base64.b64encode(pair).decode(),
        base64.urlsafe_b64encode(raw).decode(),
    ]


def unchanged(_redactor: Redactor, data: bytes) -> bytes:
    return data


def get(gateway: Gateway, url: str, **headers: str) -> Exchange:
    return gateway.exchange(Request(method="GET", url=url, headers=headers))


class TestSchemes:
    @pytest.mark.parametrize("scheme", SCHEMES)
    def test_is_sent_and_never_seen(
        self,
        server: ScriptedServer,
        open_gateway: OpenGateway,
        tmp_path: Path,
        scheme: str,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        caplog.set_level(logging.DEBUG)
        gateway = open_gateway(
            server.base_url,
            auth=SCHEMES[scheme],
            environment={"API_SECRET": PLAIN},
            recordings=Recordings(tmp_path),
        )
        exchange = get(gateway, f"{server.base_url}/echo?x=1")
        sent = server.seen[0].headers
        expected = {
            "basic": (sent.get("authorization"), "Basic YWRhOmNvcnJlY3QtaG9yc2UtYmF0dGVyeQ=="),
            "bearer": (sent.get("authorization"), f"Bearer {PLAIN}"),
            "header": (sent.get("x-api-key"), f"Key {PLAIN}"),
            "query": (server.seen[0].path, f"/echo?x=1&api_key={PLAIN}"),
            "cookie": (sent.get("cookie"), f"sid={PLAIN}"),
        }
        given, wanted = expected[scheme]
        assert given == wanted
        # The server echoes all that it was sent; nothing of it is left.
        shown = exchange.model_dump_json() + repr(exchange) + repr(gateway) + caplog.text
        shown += "".join(path.read_text() for path in tmp_path.rglob("*.json"))
        assert "***" in shown
        for form in forms(PLAIN):
            assert form not in shown

    def test_an_echo_in_every_form_shows_without_the_redactor(
        self,
        server: ScriptedServer,
        open_gateway: OpenGateway,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(Redactor, "data", unchanged)
        gateway = open_gateway(
            server.base_url, auth=SCHEMES["bearer"], environment={"API_SECRET": PLAIN}
        )
        assert PLAIN in get(gateway, f"{server.base_url}/echo").model_dump_json()

    @pytest.mark.parametrize("form", forms(ODD))
    def test_echoes_in_other_forms(
        self, server: ScriptedServer, open_gateway: OpenGateway, form: str
    ) -> None:
        gateway = open_gateway(
            server.base_url,
            auth=SCHEMES["basic"],
            environment={"API_SECRET": ODD},
            allow=("POST",),
        )
        request = Request(method="POST", url=f"{server.base_url}/echo", body=f"<{form}>")
        exchange = gateway.exchange(request)
        assert exchange.response is not None
        assert "<***>" in exchange.response.body

    def test_only_for_the_base_urls_origin(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        with serve() as other:
            gateway = open_gateway(
                server.base_url,
                auth=SCHEMES["bearer"],
                environment={"API_SECRET": PLAIN},
                allow_hosts=(f"127.0.0.1:{other.port}",),
            )
            get(gateway, f"{other.base_url}/echo")
            get(gateway, f"{server.base_url}/redirect?to={other.base_url}/echo%3Fhop")
            get(gateway, f"{other.base_url}/echo?hop")
            assert len(other.seen) == 2
            assert all("authorization" not in one.headers for one in other.seen)
            assert "authorization" in server.seen[0].headers

    def test_what_the_tool_sets_is_taken_off(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        gateway = open_gateway(
            server.base_url, auth=SCHEMES["header"], environment={"API_SECRET": PLAIN}
        )
        mine = {"Authorization": "Basic eDp5", "cookie": "a=b", "Proxy-Authorization": "z"}
        exchange = gateway.exchange(
            Request(
                method="GET",
                url=f"{server.base_url}/echo",
                headers={**mine, "x-api-KEY": "guessed", "X-Other": "kept"},
            )
        )
        sent = server.seen[0].headers
        assert "authorization" not in sent
        assert "cookie" not in sent
        assert "proxy-authorization" not in sent
        assert sent["x-api-key"] == f"Key {PLAIN}"
        assert sent["x-other"] == "kept"
        assert exchange.request.headers == {"X-Other": "kept"}

    def test_a_query_credential_of_the_tool_is_replaced(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        gateway = open_gateway(
            server.base_url, auth=SCHEMES["query"], environment={"API_SECRET": PLAIN}
        )
        exchange = get(gateway, f"{server.base_url}/echo?api_key=guess&x=1&%61pi_key=guess")
        assert server.seen[0].path == f"/echo?x=1&api_key={PLAIN}"
        assert exchange.request.url == f"{server.base_url}/echo?x=1"

    def test_a_refused_credential_is_asked_again(
        self, server: ScriptedServer, open_gateway: OpenGateway, tmp_path: Path
    ) -> None:
        for _ in range(2):
            gateway = open_gateway(
                server.base_url,
                auth=SCHEMES["bearer"],
                environment={"API_SECRET": PLAIN},
                recordings=Recordings(tmp_path),
            )
            get(gateway, f"{server.base_url}/status?code=401")
        assert len(server.seen) == 2

    def test_the_worker_never_holds_it(
        self,
        bubblewrap: None,
        server: ScriptedServer,
        open_gateway: OpenGateway,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setenv("API_SECRET", PLAIN)
        gateway = open_gateway(
            server.base_url, auth=SCHEMES["bearer"], environment={"API_SECRET": PLAIN}
        )
        source = "\n".join(
            [
                "import gc",
                "body = CLIENT.session.get(CLIENT.base_url + '/echo').text",
                "parts = ['correct-horse', '-battery']",
                "needle = ''.join(parts)",
                "texts = [o for o in gc.get_objects() if isinstance(o, (dict, list))]",
                "result = [needle in body, any(needle in repr(o)[:5000] for o in texts[:5000])]",
            ]
        )
        with Sandbox(gateway, "strict") as sandbox:
            files = toolkit(server.base_url)
            files["tools/attacks.py"] = files["tools/attacks.py"].replace(
                "space = {}", "space = {'CLIENT': client()}"
            )
            run = caller(sandbox, sandbox.load(files))("attacks", "execute", source=source)
        assert run.returned == "[false, false]"
        assert server.seen[0].headers["authorization"] == f"Bearer {PLAIN}"


class TestLogin:
    def options(self, **more: object) -> dict[str, object]:
        body = {"user": "ada", "password": "$API_SECRET"}
        return {"type": "login", "url": "/login", "body": body, **more}

    @pytest.mark.parametrize("keep", ["cookie", "json:auth.tokens.0"])
    @pytest.mark.parametrize("body_kind", ["json", "form"])
    def test_logs_in_once(
        self, server: ScriptedServer, open_gateway: OpenGateway, keep: str, body_kind: str
    ) -> None:
        gateway = open_gateway(
            server.base_url,
            auth=self.options(keep=keep, body_kind=body_kind),
            environment={"API_SECRET": PLAIN},
        )
        barrier = threading.Barrier(6)

        def ask(number: int) -> Exchange:
            barrier.wait()
            return get(gateway, f"{server.base_url}/members?n={number}")

        with ThreadPoolExecutor(6) as pool:
            exchanges = list(pool.map(ask, range(6)))
        for exchange in exchanges:
            assert exchange.response is not None
            assert exchange.response.status == 200
            assert "session-" not in exchange.response.body
            assert "***" in exchange.response.body
        assert server.count("/login") == 1
        assert gateway.login_problem == ""

    def test_logs_in_again_after_401(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        gateway = open_gateway(
            server.base_url, auth=self.options(), environment={"API_SECRET": PLAIN}
        )
        exchange = get(gateway, f"{server.base_url}/members?expire=1")
        assert exchange.response is not None
        assert exchange.response.status == 200
        assert server.count("/login") == 2

    def test_a_wrong_password_is_tried_once(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        gateway = open_gateway(
            server.base_url, auth=self.options(), environment={"API_SECRET": "wrong-password"}
        )
        for number in range(3):
            exchange = get(gateway, f"{server.base_url}/members?n={number}")
            assert exchange.failure is not None
            assert "401" in exchange.failure.message
            assert "wrong-password" not in exchange.failure.message
        assert server.count("/login") == 1
        assert server.count("/members") == 0
        assert "check [auth]" in gateway.login_problem

    def test_a_401_that_no_login_mends(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        gateway = open_gateway(
            server.base_url, auth=self.options(), environment={"API_SECRET": PLAIN}
        )
        for number in range(8):
            get(gateway, f"{server.base_url}/status?code=401&n={number}")
        assert server.count("/login") == 4


class TestMissing:
    @pytest.mark.parametrize("scheme", SCHEMES)
    def test_names_the_variable(self, open_gateway: OpenGateway, scheme: str) -> None:
        with pytest.raises(UsageError, match="API_SECRET is not set") as caught:
            open_gateway("http://127.0.0.1:1", auth=SCHEMES[scheme])
        assert "export API_SECRET" in caught.value.hint
