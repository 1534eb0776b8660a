"""The gateway against a real server that misbehaves in every way we know."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from scripted_server import ScriptedServer, serve
from toolkit import no_reason, nothing

from doc2tools.compiler.ir.exchange import Exchange, Request, TransportFailure
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.sandbox.addresses import Origin
from doc2tools.sandbox.gateway import Gateway
from doc2tools.sandbox.limits import Deadline
from doc2tools.sandbox.policy import Policy
from doc2tools.sandbox.recordings import Recordings

OpenGateway = Callable[..., Gateway]


def get(gateway: Gateway, url: str, **headers: str) -> Exchange:
    return gateway.exchange(Request(method="GET", url=url, headers=headers))


def cause(exchange: Exchange) -> str:
    assert exchange.failure is not None, exchange
    return exchange.failure.cause


def status(exchange: Exchange) -> int:
    assert exchange.response is not None, exchange
    return exchange.response.status


class TestAnswers:
    def test_gives_the_answer_as_it_came(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        exchange = get(open_gateway(server.base_url), f"{server.base_url}/json")
        assert exchange.response is not None
        assert exchange.response.status == 200
        assert exchange.response.body == '{"status": "ok", "data": [1, 2, 3]}'
        assert exchange.response.content_type == "application/json"
        assert exchange.response.final_url == f"{server.base_url}/json"
        assert 0 < exchange.response.elapsed < 1
        assert not exchange.replayed

    @pytest.mark.parametrize("code", [204, 301, 304, 404, 405, 500])
    def test_every_status_is_an_answer(
        self, server: ScriptedServer, open_gateway: OpenGateway, code: int
    ) -> None:
        gateway = open_gateway(server.base_url)
        assert status(get(gateway, f"{server.base_url}/status?code={code}")) == code

    @pytest.mark.parametrize("kind", ["gzip", "deflate", "raw-deflate", "members"])
    def test_decodes(self, server: ScriptedServer, open_gateway: OpenGateway, kind: str) -> None:
        exchange = get(open_gateway(server.base_url), f"{server.base_url}/packed?kind={kind}")
        assert exchange.response is not None
        assert exchange.response.body == '{"packed": true}'
        assert "content-encoding" not in exchange.response.headers

    def test_keeps_other_charsets_and_bytes(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        gateway = open_gateway(server.base_url)
        text = get(gateway, f"{server.base_url}/latin").response
        data = get(gateway, f"{server.base_url}/bytes").response
        assert text is not None
        assert text.body == "Größe"
        assert data is not None
        assert data.body_base64

    def test_tells_the_hook(self, server: ScriptedServer, open_gateway: OpenGateway) -> None:
        seen: list[Exchange] = []
        gateway = open_gateway(server.base_url)
        gateway.on_exchange = seen.append
        get(gateway, f"{server.base_url}/json")
        get(gateway, f"{server.base_url}/json")
        get(gateway, "http://198.51.100.7/")
        assert [(one.replayed, one.failure is None) for one in seen] == [
            (False, True),
            (True, True),
            (False, False),
        ]
        assert gateway.calls_made == 1

    def test_follows_no_redirect(self, server: ScriptedServer, open_gateway: OpenGateway) -> None:
        exchange = get(open_gateway(server.base_url), f"{server.base_url}/redirect?to=/json")
        assert status(exchange) == 302
        assert server.count("/json") == 0


class TestBounds:
    def test_slow_body(self, server: ScriptedServer, open_gateway: OpenGateway) -> None:
        gateway = open_gateway(server.base_url, limits={"timeout": 0.5})
        started = time.monotonic()
        assert cause(get(gateway, f"{server.base_url}/drip")) == "timeout"
        assert time.monotonic() - started < 1.5

    def test_slow_headers(self, server: ScriptedServer, open_gateway: OpenGateway) -> None:
        gateway = open_gateway(server.base_url, limits={"timeout": 0.5})
        started = time.monotonic()
        assert cause(get(gateway, f"{server.base_url}/drip-headers")) == "timeout"
        assert time.monotonic() - started < 1.5

    def test_slow_headers_outlast_a_timeout_for_each_read(
        self,
        server: ScriptedServer,
        open_gateway: OpenGateway,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        # The attack works where only single reads are timed: the watchdog is what ends it.
        monkeypatch.setattr("doc2tools.sandbox.connections.Watchdog.add", nothing)
        gateway = open_gateway(server.base_url, limits={"timeout": 0.5})
        started = time.monotonic()
        get(gateway, f"{server.base_url}/drip-headers")
        assert time.monotonic() - started > 2

    def test_no_answer(self, server: ScriptedServer, open_gateway: OpenGateway) -> None:
        gateway = open_gateway(server.base_url, limits={"timeout": 0.3})
        assert cause(get(gateway, f"{server.base_url}/hang")) == "timeout"

    def test_the_calls_deadline_counts_too(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        request = Request(method="GET", url=f"{server.base_url}/hang")
        exchange = open_gateway(server.base_url).exchange(request, deadline=Deadline(0.3))
        assert cause(exchange) == "timeout"

    def test_endless_body(self, server: ScriptedServer, open_gateway: OpenGateway) -> None:
        gateway = open_gateway(server.base_url, limits={"response_bytes": 100_000})
        response = get(gateway, f"{server.base_url}/flood").response
        assert response is not None
        assert response.truncated
        assert len(response.body) == 100_000

    @pytest.mark.parametrize("path", ["/bomb", "/bomb?twice=1"])
    def test_bomb(self, server: ScriptedServer, open_gateway: OpenGateway, path: str) -> None:
        response = get(open_gateway(server.base_url), server.base_url + path).response
        assert response is not None
        assert response.truncated
        assert len(response.body) <= 2_000_000

    @pytest.mark.parametrize("path", ["/flood-headers", "/wide-headers"])
    def test_headers(self, server: ScriptedServer, open_gateway: OpenGateway, path: str) -> None:
        assert cause(get(open_gateway(server.base_url), server.base_url + path)) == "protocol"

    @pytest.mark.parametrize("path", ["/garbage", "/short", "/packed?kind=broken"])
    def test_no_http(self, server: ScriptedServer, open_gateway: OpenGateway, path: str) -> None:
        assert cause(get(open_gateway(server.base_url), server.base_url + path)) == "protocol"

    def test_budget(self, server: ScriptedServer, open_gateway: OpenGateway) -> None:
        gateway = open_gateway(server.base_url, limits={"calls": 2})
        outcomes = [get(gateway, f"{server.base_url}/echo?n={n}").failure for n in range(3)]
        assert outcomes[:2] == [None, None]
        assert outcomes[2] is not None
        assert outcomes[2].cause == "budget"
        assert "limits.calls" in outcomes[2].message
        assert len(server.seen) == gateway.calls_made == 2


class TestReachability:
    def test_nothing_listens(self, open_gateway: OpenGateway) -> None:
        with serve() as server:
            url = server.base_url
        gateway = open_gateway(url)
        exchange = get(gateway, f"{url}/json")
        assert cause(exchange) == "unreachable"
        assert exchange.failure is not None
        assert "connection refused" in exchange.failure.message

    def test_rests_after_three_faults(self, open_gateway: OpenGateway) -> None:
        with serve() as server:
            url = server.base_url
        gateway = open_gateway(url)
        failures = [get(gateway, f"{url}/json?n={n}").failure for n in range(4)]
        assert all(failure and failure.cause == "unreachable" for failure in failures)
        assert failures[3] is not None
        assert "not tried again" in failures[3].message
        assert gateway.calls_made == 3

    def test_a_host_that_does_not_answer_at_all(self, open_gateway: OpenGateway) -> None:
        with contextlib.ExitStack() as stack:
            # A listener whose queue is full drops what comes, as a firewall does.
            listener = stack.enter_context(socket.socket())
            listener.bind(("127.0.0.1", 0))
            listener.listen(0)
            address = listener.getsockname()
            for _ in range(3):
                filler = stack.enter_context(socket.socket())
                filler.setblocking(False)
                filler.connect_ex(address)
            url = f"http://127.0.0.1:{address[1]}"
            exchange = get(open_gateway(url, limits={"timeout": 0.4}), url)
        assert cause(exchange) == "unreachable"

    def test_unknown_name(self, open_gateway: OpenGateway) -> None:
        def lookup(host: str, port: int) -> list[str]:
            raise OSError("no such name")

        gateway = open_gateway("http://api.example:8000", lookup=lookup)
        exchange = get(gateway, "http://api.example:8000/")
        assert cause(exchange) == "dns"

    def test_self_signed(self, certificate: Path, open_gateway: OpenGateway) -> None:
        with serve(certificate=certificate) as server:
            url = f"{server.base_url}/json"
            refused = get(open_gateway(server.base_url), url)
            assert cause(refused) == "tls"
            assert refused.failure is not None
            assert "self-signed" in refused.failure.message
            assert server.seen == []
            unchecked = open_gateway(server.base_url, tls={"verify": False})
            assert status(get(unchecked, url)) == 200
            pinned = open_gateway(server.base_url, tls={"ca": str(certificate)})
            assert status(get(pinned, url)) == 200

    def test_plain_server_behind_https(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        url = server.base_url.replace("http:", "https:")
        assert cause(get(open_gateway(url), url)) == "tls"

    def test_connection_closed_between_calls(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        gateway = open_gateway(server.base_url)
        codes = [status(get(gateway, f"{server.base_url}/drop?n={n}")) for n in range(20)]
        assert codes == [200] * 20

    def test_offline(self, server: ScriptedServer, open_gateway: OpenGateway) -> None:
        recordings = Recordings(None)
        url = f"{server.base_url}/json"
        get(open_gateway(server.base_url, recordings=recordings), url)
        offline = open_gateway(server.base_url, recordings=recordings, offline=True)
        replayed = get(offline, url)
        assert status(replayed) == 200
        assert replayed.replayed
        missing = get(offline, f"{server.base_url}/echo")
        assert cause(missing) == "unreachable"
        assert missing.failure is not None
        assert "offline" in missing.failure.message
        assert offline.calls_made == 0


class TestPinning:
    """A name is resolved once; what was checked is what is connected to."""

    def test_rebinding(self, open_gateway: OpenGateway) -> None:
        with serve("127.0.0.1") as honest:
            answers = iter([["127.0.0.1"], ["127.0.0.99"]])
            asked: list[str] = []

            def lookup(host: str, port: int) -> list[str]:
                asked.append(host)
                return next(answers)

            base = f"http://rebind.example:{honest.port}"
            gateway = open_gateway(base, lookup=lookup)
            for number in range(3):
                assert status(get(gateway, f"{base}/drop?n={number}")) == 200
            assert asked == ["rebind.example"]
            assert {one.headers["host"] for one in honest.seen} == {f"rebind.example:{honest.port}"}

    def test_a_name_for_this_machine(
        self, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        base = f"http://innocent.example:{server.port}"
        policy = Policy(
            methods=("GET",),
            origins=(Origin(scheme="http", host="innocent.example", port=server.port),),
        )

        def attempt() -> Exchange:
            with Gateway(
                policy,
                CompileOptions(),
                base,
                Recordings(None),
                environment={},
                lookup=lambda _host, _port: ["127.0.0.1"],
            ) as gateway:
                return get(gateway, f"{base}/json")

        exchange = attempt()
        assert cause(exchange) == "refused-by-policy"
        assert exchange.failure is not None
        assert "loopback" in exchange.failure.message
        assert server.seen == []
        # Without the check on addresses, the same request gets through.
        monkeypatch.setattr(Policy, "decide_address", nothing)
        assert status(attempt()) == 200
        assert len(server.seen) == 1


class TestPace:
    def test_rate(self, server: ScriptedServer, open_gateway: OpenGateway) -> None:
        gateway = open_gateway(server.base_url, limits={"requests_per_second": 20})
        started = time.monotonic()
        urls = [f"{server.base_url}/echo?n={number}" for number in range(30)]
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(partial(get, gateway), urls))
        # A burst of 20, then one each 50 ms.
        assert 0.4 < time.monotonic() - started < 2

    def test_waiting_is_not_the_calls_own_time(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        gateway = open_gateway(server.base_url, limits={"requests_per_second": 2})
        deadline = Deadline(0.4)
        for number in range(3):
            request = Request(method="GET", url=f"{server.base_url}/echo?n={number}")
            assert gateway.exchange(request, deadline=deadline).failure is None

    @pytest.mark.parametrize("code", [429, 503])
    def test_retry_after(
        self, server: ScriptedServer, open_gateway: OpenGateway, code: int
    ) -> None:
        started = time.monotonic()
        gateway = open_gateway(server.base_url)
        exchange = get(gateway, f"{server.base_url}/busy?code={code}")
        assert status(exchange) == 200
        assert time.monotonic() - started > 0.9
        assert gateway.calls_made == 2

    def test_a_long_retry_after_is_an_answer(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        gateway = open_gateway(server.base_url)
        assert status(get(gateway, f"{server.base_url}/busy?after=3600")) == 429
        assert gateway.calls_made == 1


class TestReplay:
    def test_second_run_makes_no_call(
        self, server: ScriptedServer, open_gateway: OpenGateway, tmp_path: Path
    ) -> None:
        url = f"{server.base_url}/json"
        first = get(open_gateway(server.base_url, recordings=Recordings(tmp_path)), url)
        second_gateway = open_gateway(server.base_url, recordings=Recordings(tmp_path))
        second = get(second_gateway, url)
        assert second.replayed
        assert second.response == first.response
        assert second_gateway.calls_made == 0
        assert len(server.seen) == 1

    def test_scopes_are_recorded_apart(
        self, server: ScriptedServer, open_gateway: OpenGateway, tmp_path: Path
    ) -> None:
        gateway = open_gateway(server.base_url, recordings=Recordings(tmp_path))
        request = Request(method="GET", url=f"{server.base_url}/json")
        for scope in ("", "before", "after", "before", ""):
            gateway.exchange(request, scope=scope)
        assert server.count("/json") == 3

    def test_policy_comes_before_replay(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        recordings = Recordings(None)
        url = f"{server.base_url}/json"
        get(open_gateway(server.base_url, recordings=recordings), url)
        closed = open_gateway(server.base_url, recordings=recordings, allow=())
        assert cause(get(closed, url)) == "refused-by-policy"

    def test_passing_faults_are_asked_again(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        gateway = open_gateway(server.base_url)
        for code in (502, 503, 504):
            for _ in range(2):
                assert status(get(gateway, f"{server.base_url}/status?code={code}")) == code
        assert len(server.seen) == 6

    def test_identical_calls_at_once_are_one(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        gateway = open_gateway(server.base_url)
        barrier = threading.Barrier(8)

        def ask(_: int) -> Exchange:
            barrier.wait()
            return get(gateway, f"{server.base_url}/hang?seconds=0.2")

        with ThreadPoolExecutor(8) as pool:
            exchanges = list(pool.map(ask, range(8)))
        assert all(status(one) == 200 for one in exchanges)
        assert sum(one.replayed for one in exchanges) == 7
        assert len(server.seen) == 1


class TestPolicyOnTheWire:
    def refused(self, gateway: Gateway, request: Request) -> TransportFailure:
        exchange = gateway.exchange(request)
        assert exchange.failure is not None
        assert exchange.failure.cause == "refused-by-policy"
        assert exchange.response is None
        return exchange.failure

    @pytest.mark.parametrize("method", ["POST", "DELETE", "get", "GET ", "GET\r\nX: y", "G\0T", ""])
    def test_methods(self, server: ScriptedServer, open_gateway: OpenGateway, method: str) -> None:
        self.refused(
            open_gateway(server.base_url), Request(method=method, url=f"{server.base_url}/echo")
        )
        assert server.seen == []

    def test_override(
        self,
        server: ScriptedServer,
        open_gateway: OpenGateway,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        gateway = open_gateway(server.base_url)
        attacks = [
            Request(
                method="GET",
                url=f"{server.base_url}/echo",
                headers={"X-Http-Method-OVERRIDE": "DELETE"},
            ),
            Request(method="GET", url=f"{server.base_url}/echo?_method=DELETE"),
        ]
        for request in attacks:
            self.refused(gateway, request)
        assert server.seen == []
        # Without the check, the server would have deleted.
        monkeypatch.setattr("doc2tools.sandbox.policy._override_reason", no_reason)
        for request in attacks:
            response = gateway.exchange(request).response
            assert response is not None
            assert '"method": "DELETE"' in response.body

    def test_hop_by_hop_headers_are_the_gateways_own(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        headers = {"Content-Length": "5000", "Transfer-Encoding": "chunked", "Connection": "close"}
        request = Request(method="GET", url=f"{server.base_url}/echo", headers=headers)
        response = open_gateway(server.base_url).exchange(request).response
        assert response is not None
        sent = server.seen[0].headers
        assert "transfer-encoding" not in sent
        assert "content-length" not in sent

    def test_unsafe_methods_are_sent_each_time_unless_recorded(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        gateway = open_gateway(server.base_url, allow=("POST",))
        request = Request(method="POST", url=f"{server.base_url}/items", body="{}")
        first, second = gateway.exchange(request), gateway.exchange(request)
        assert (status(first), first.replayed) == (201, False)
        assert second.replayed
        assert [one.method for one in server.seen] == ["POST"]
