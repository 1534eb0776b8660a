"""What attacks do where the lock is off, and that the harness is not fooled even then.

Every case runs in the strict sandbox, against a real server whose documented endpoint is broken, so
that a verdict of `information` would be a lie.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest

from doc2tools.compiler.ir.exchange import ToolRun
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.plan import ToolCall
from doc2tools.compiler.repair.policy import CODES
from doc2tools.compiler.validate.classify import classify
from doc2tools.sandbox.gateway import Gateway
from doc2tools.sandbox.policy import Policy
from doc2tools.sandbox.recordings import Recordings
from doc2tools.sandbox.sandbox import Sandbox, probe
from tests.lock_cases import FUNCTION, MODULE, LockCase, endpoints, lock_cases, proposed, staged

CASES = lock_cases()
SHOWN = [case for case in CASES if case.unlocked]
HONEST = [case for case in CASES if case.sends]
SECONDS = 2.0


class Shop(BaseHTTPRequestHandler):
    """The documented paths are broken; those below other versions work."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent."""

    def do_GET(self) -> None:
        """Answer by path."""
        path = urlsplit(self.path).path
        if path.startswith("/items"):
            self._answer(500, {"error": "the item service is broken"})
        elif path.startswith(("/v2/", "/v3/", "/api/")):
            self._answer(200, {"id": "42", "name": "lamp", "price": 12})
        elif path == "/status":
            self._answer(200, {"state": "up", "uptime": 12})
        else:
            self._answer(404, {"error": "not found"})

    def _answer(self, status: int, value: object) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def base_url() -> Generator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Shop) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def sandbox(base_url: str) -> Generator[Sandbox]:
    found = probe()
    if not found.works:
        pytest.skip(f"bubblewrap does not work here: {found.reason}")
    options = CompileOptions(base_url=base_url, allow=("GET",))
    policy = Policy.from_options(options, [])
    with (
        Gateway(policy, options, base_url, Recordings(None), environment={}) as gateway,
        Sandbox(gateway, "strict") as opened,
    ):
        yield opened


def run_unlocked(
    case: LockCase, sandbox: Sandbox, base_url: str, seconds: float, *, alone: bool
) -> ToolRun:
    """Run a case's function, whatever the lock would say."""
    files = staged(base_url)
    files[MODULE] = proposed(files[MODULE], case, base_url)
    call = ToolCall(
        tool=FUNCTION,
        root=sandbox.load(files),
        module="tools.items",
        function=FUNCTION,
        arguments=case.arguments(),
        timeout=seconds,
    )
    return sandbox.run(call, alone=alone)


def sent(run: ToolRun, base_url: str) -> list[str]:
    """Give what was asked for, as the parent recorded it."""
    return [
        f"{exchange.request.method} {exchange.request.url.removeprefix(base_url)}"
        for exchange in run.exchanges
    ]


@pytest.mark.parametrize("case", SHOWN, ids=[case.name for case in SHOWN])
def test_the_attack_works_without_the_lock(case: LockCase, sandbox: Sandbox, base_url: str) -> None:
    kind, _, what = case.unlocked.partition(" ")
    run = run_unlocked(case, sandbox, base_url, SECONDS if kind == "late" else 10.0, alone=True)

    match kind:
        case "returned":
            assert what in run.returned, run
        case "sent":
            assert any(line.startswith(what) for line in sent(run, base_url)), run
        case "died":
            assert run.error is not None and run.error.kind == "WorkerDied", run
        case "raised":
            assert run.error is not None and run.error.kind == what, run
        case _:
            assert kind == "late" and run.timed_out, run
    verdict = classify(endpoints(base_url)[0], run).verdict
    assert verdict != "information", run


def test_attacks_of_every_kind_are_shown() -> None:
    shown = {code for case in SHOWN for code in case.expect}
    # These are bounds and readability, or are met by the gateway too.
    bounds = {"too-long", "too-deep", "syntax", "forbidden-syntax", "outside-changed"}
    alike = {"forbidden-import", "forbidden-keyword", "tls-verify", "other-path", "attribute-write"}
    alike |= {"star-arguments", "too-many-calls"}
    assert shown >= set(CODES) - bounds - alike


@pytest.mark.parametrize("case", HONEST, ids=[case.name for case in HONEST])
def test_an_honest_repair_sends_what_it_should(
    case: LockCase, sandbox: Sandbox, base_url: str
) -> None:
    run = run_unlocked(case, sandbox, base_url, 10.0, alone=False)
    assert f"GET {case.sends}" in sent(run, base_url), run
    answer = run.exchanges[-1].response
    assert answer is not None
    assert answer.status == (500 if case.name == "honest-unchanged" else 200)
    assert run.returned or run.error is not None
