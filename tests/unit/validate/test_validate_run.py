"""Waves of real calls: a real server on loopback, the real sandbox, the generated functions."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from invented_api import api, endpoint, parameter

from doc2tools.compiler.emit.package import stage_sources
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Blocked, Failed, Tool, Unvalidated, Validated
from doc2tools.compiler.ir.spec import ApiSpec, Effect
from doc2tools.compiler.validate.control import NONSENSE
from doc2tools.compiler.validate.events import ToolFinished, WaveFinished, WaveStarted
from doc2tools.compiler.validate.run import validate
from doc2tools.sandbox.gateway import Gateway
from doc2tools.sandbox.policy import Policy
from doc2tools.sandbox.recordings import Recordings
from doc2tools.sandbox.sandbox import Sandbox

FIXED: dict[str, tuple[int, object]] = {
    "/planets": (200, {"results": [{"id": 31, "name": "Arrakis"}, {"id": 32, "name": "Caladan"}]}),
    "/planets/31": (200, {"id": 31, "name": "Arrakis"}),
    "/planets/32": (200, {"id": 32, "name": "Caladan"}),
    "/planets/31/moons": (200, [{"moon_id": "m1"}]),
    "/planets/32/moons": (200, []),
    "/moons/m1": (200, {"moon_id": "m1", "radius": 488}),
    "/moons/gone": (404, {"message": "no such moon"}),
    "/search": (400, {"error": "q is required"}),
    "/quiet": (200, {"error": "sensor is off"}),
    "/broken": (500, {"message": "boom"}),
}


def answer(path: str, query: dict[str, list[str]]) -> tuple[int, object]:
    if path == "/search" and query.get("q") == ["rak"]:
        return 200, {"hits": [{"id": 31, "name": "Arrakis"}]}
    if path.startswith("/anything/"):
        return 200, {"page": "welcome"}
    return FIXED.get(path, (404, {"message": "no route"}))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    seen: list[str]
    streaming: threading.Event

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        self.seen.append(f"{self.command} {self.path}")
        if url.path == "/events":
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.write(b"data: 1\n\n")
            self.wfile.flush()
            self.streaming.wait(20)
            self.close_connection = True
            return
        status, body = answer(url.path, parse_qs(url.query))
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_POST = do_GET

    def log_message(self, format: str, *args: object) -> None:
        del format, args


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    seen: list[str] = []
    streaming = threading.Event()
    handler = type("H", (Handler,), {"seen": seen, "streaming": streaming})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}", seen
        streaming.set()
        http.shutdown()
        thread.join()


def run(
    spec: ApiSpec, base_url: str, on_event: Callable[[object], None] | None = None
) -> dict[str, Tool]:
    options = CompileOptions(base_url=base_url, allow=("GET",))
    policy = Policy.from_options(options, [base_url])
    with (
        Gateway(policy, options, base_url, Recordings(None)) as gateway,
        Sandbox(gateway, "auto", 4) as sandbox,
    ):
        root = sandbox.load(stage_sources("invented", base_url, spec.endpoints, options))
        tools = validate(spec, options, sandbox, root, on_event or (lambda _: None))
    assert [tool.endpoint for tool in tools] == list(spec.endpoints)
    return {tool.endpoint.name: tool for tool in tools}


def spec_for(base_url: str) -> ApiSpec:
    write = Effect(kind="write", reason="POST creates")
    return api(
        endpoint("/moons/{moon_id}", name="get_moon", samples=[{"moon_id": "gone"}]),
        endpoint("/planets/{id}/moons", name="list_moons"),
        endpoint("/planets/{id}", parameter("verbose"), name="get_planet"),
        endpoint("/planets", name="list_planets"),
        endpoint("/search", parameter("q", examples=[{"value": "rak"}]), name="search"),
        endpoint("/quiet", name="quiet"),
        endpoint("/broken", name="broken"),
        endpoint("/gone", name="gone"),
        endpoint("/anything/data", name="catch_all"),
        endpoint("/stars/{star}", name="get_star"),
        endpoint("/planets", method="POST", name="create_planet", effect=write),
        base_url=base_url,
    )


def test_waves_feed_each_other(server: tuple[str, list[str]]) -> None:
    base_url, seen = server
    events: list[object] = []
    tools = run(spec_for(base_url), base_url, events.append)
    statuses = {name: tool.outcome.status for name, tool in tools.items()}
    assert statuses == {
        "get_moon": "validated",
        "list_moons": "validated",
        "get_planet": "validated",
        "list_planets": "validated",
        "search": "validated",
        "quiet": "failed",
        "broken": "failed",
        "gone": "failed",
        "catch_all": "failed",
        "get_star": "unvalidated",
        "create_planet": "blocked",
    }
    planet = tools["get_planet"].outcome
    assert isinstance(planet, Validated)
    (argument,) = planet.attempt.arguments
    assert (argument.name, argument.value, argument.origin) == ("id", 31, "observed")
    assert argument.source == "list_planets results[].id"
    moon = tools["get_moon"].outcome
    assert isinstance(moon, Validated)
    assert [held.value for held in moon.attempt.arguments] == ["m1"]
    assert (moon.calls, tools["get_moon"].rounds) == (2, 2)
    assert tools["list_planets"].rounds == 1
    search = tools["search"].outcome
    assert isinstance(search, Validated)
    assert [(held.name, held.value) for held in search.attempt.arguments] == [("q", "rak")]
    assert search.calls == 2
    causes = {
        name: tool.outcome.attempt.verdict.cause
        for name, tool in tools.items()
        if isinstance(tool.outcome, Failed)
    }
    assert causes == {
        "quiet": "abnormal-response",
        "broken": "server-fault",
        "gone": "missing-path",
        "catch_all": "missing-path",
    }
    star = tools["get_star"].outcome
    assert isinstance(star, Unvalidated)
    assert star.missing == ("star",)
    assert isinstance(tools["create_planet"].outcome, Blocked)
    assert not [line for line in seen if not line.startswith("GET ")]
    assert len(seen) == len(set(seen)), "no request is made twice"
    assert sum(NONSENSE in line for line in seen) <= 4
    finished = [event.name for event in events if isinstance(event, ToolFinished)]
    assert sorted(finished) == sorted(tools)
    assert [event.number for event in events if isinstance(event, WaveStarted)] == [
        event.number for event in events if isinstance(event, WaveFinished)
    ]


def test_results_do_not_depend_on_timing(server: tuple[str, list[str]]) -> None:
    base_url, _ = server
    spec = spec_for(base_url)

    def summary() -> list[tuple[object, ...]]:
        found: list[tuple[object, ...]] = []
        for name, tool in run(spec, base_url).items():
            attempt = getattr(tool.outcome, "attempt", None)
            arguments = attempt.arguments if attempt else ()
            found.append((name, tool.outcome.status, tool.rounds, arguments))
        return found

    assert summary() == summary()


def test_a_stream_ends_soon_and_is_called_one(server: tuple[str, list[str]]) -> None:
    base_url, _ = server
    spec = api(
        endpoint("/events", name="events", summary="Streams events as they happen"),
        base_url=base_url,
    )
    started = time.monotonic()
    outcome = run(spec, base_url)["events"].outcome
    assert time.monotonic() - started < 12
    assert isinstance(outcome, Failed)
    assert outcome.attempt.verdict.cause == "timeout"
    assert "stream" in outcome.attempt.verdict.message


def test_interrupt_makes_no_new_calls(server: tuple[str, list[str]]) -> None:
    base_url, seen = server

    def interrupt(event: object) -> None:
        if isinstance(event, WaveFinished):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(spec_for(base_url), base_url, interrupt)
    made = len(seen)
    time.sleep(0.3)
    assert len(seen) == made
    assert not [line for line in seen if "/moons" in line]


def test_nothing_allowed_calls_nothing(server: tuple[str, list[str]]) -> None:
    base_url, seen = server
    spec = spec_for(base_url)
    options = CompileOptions(base_url=base_url)
    with (
        Gateway(Policy.from_options(options, [base_url]), options, base_url, Recordings(None)) as g,
        Sandbox(g, "auto", 4) as sandbox,
    ):
        root = sandbox.load(stage_sources("invented", base_url, spec.endpoints, options))
        tools = validate(spec, options, sandbox, root, lambda _: None)
    assert {tool.outcome.status for tool in tools} == {"blocked"}
    assert seen == []
