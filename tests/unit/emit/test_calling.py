"""Calls of a generated package: parts of answers, bounds, and the event loop left free."""

from __future__ import annotations

import asyncio
import importlib
import json
import socketserver
import sys
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest
from harbour_api import Fact, make_endpoint, make_plan, prove
from hypothesis import given, settings
from hypothesis import strategies as st

from doc2tools.compiler.emit.package import render_package
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.ir.spec import Parameter

Load = Callable[[PackagePlan], ModuleType]

FLEET = {"port": "Rye", "ships": [{"id": n, "name": f"ship {n}"} for n in range(50)]}
FLEET_TEXT = json.dumps(FLEET).encode()


class Slow(socketserver.StreamRequestHandler):
    """Answers by path: at once, dripping, without end, after a while."""

    def handle(self) -> None:
        """Answer one request."""
        path = self.rfile.readline().split()[1].decode()
        while self.rfile.readline().strip():
            pass
        server: Any = self.server
        server.asked.append(path)
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
        try:
            self._answer(path, head)
        except OSError:
            server.broken.append(path)

    def _answer(self, path: str, head: bytes) -> None:
        if path == "/wait":
            time.sleep(0.2)
        self.wfile.write(head)
        if path == "/drip":
            for _ in range(400):
                self.wfile.write(b" " * 70_000)
                time.sleep(0.02)
        elif path == "/flood":
            for _ in range(20_000):
                self.wfile.write(b" " * 100_000)
        else:
            self.wfile.write(FLEET_TEXT)


class Server(socketserver.ThreadingTCPServer):
    """A server for many callers at once."""

    daemon_threads = True
    request_queue_size = 128


@contextmanager
def slow_server() -> Generator[Any]:
    server: Any = Server(("127.0.0.1", 0), Slow)
    server.asked, server.broken = [], []
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def slow() -> Generator[Any]:
    with slow_server() as server:
        yield server


def fleet_plan(base: str, *parameters: Parameter) -> PackagePlan:
    names = ("fleet", "wait", "drip", "flood")
    endpoints = [
        make_endpoint(name=n, path=f"/{n}", base_url=base, parameters=parameters) for n in names
    ]
    return make_plan(*(prove(one, FLEET, {}) for one in endpoints), base_url=base)


def test_fields_take_parts_of_the_answer(load: Load, slow: Fact) -> None:
    tools: Any = load(fleet_plan(slow.url))
    assert tools.fleet(fields="ships[?id < `2`].name") == ["ship 0", "ship 1"]
    assert tools.fleet(fields="port") == "Rye"
    assert tools.fleet(fields="no_such") is None
    assert tools.fleet().ships[1].name == "ship 1"


@pytest.mark.parametrize("expression", ["ships[", "", "a" * 3_000, "(" * 1_500])
def test_a_wrong_expression_is_said_before_anything_is_sent(
    load: Load,
    slow: Fact,
    expression: str,
) -> None:
    tools: Any = load(fleet_plan(slow.url))
    with pytest.raises(ValueError, match="fields"):
        tools.fleet(fields=expression)
    assert slow.asked == []


def test_an_expression_that_does_not_fit_or_never_ends_is_said(load: Load, slow: Fact) -> None:
    tools: Any = load(fleet_plan(slow.url))
    with pytest.raises(ValueError, match="does not fit"):
        tools.fleet(fields="sum(port)")
    with pytest.raises(ValueError, match="more than 1,000,000"):
        tools.fleet(fields="ships" + "|[@,@]" * 40)


def test_without_jmespath_it_is_said_what_to_install(
    load: Load,
    slow: Fact,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tools: Any = load(fleet_plan(slow.url))
    for name in [name for name in sys.modules if name.partition(".")[0] == "jmespath"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jmespath", None)  # pyright: ignore[reportArgumentType] - what Python itself puts there
    with pytest.raises(ImportError, match=r"pip install 'harbour\[fields\]'"):
        tools.fleet(fields="port")
    assert tools.fleet().port == "Rye"


def test_a_parameter_of_that_name_keeps_it(load: Load, slow: Fact) -> None:
    own = Parameter(name="fields", identifier="fields", location="query", type="string")
    tools: Any = load(fleet_plan(slow.url, own))
    assert tools.fleet(fields="id", answer_fields="port") == "Rye"
    assert slow.asked == ["/fleet?fields=id"]


def test_texts_and_bytes_have_no_fields() -> None:
    files = render_package(make_plan(prove(make_endpoint(), "a ship")))
    assert "fields: str" not in files["src/harbour/tools/ships.py"].decode()


def test_a_limit_shortens_visibly_and_keeps_the_types(load: Load, slow: Fact) -> None:
    tools: Any = load(fleet_plan(slow.url))
    tools.client.use(tools.Client(slow.url, max_bytes=600))
    answer = tools.fleet()
    assert answer.port == "Rye"
    assert 3 <= len(answer.ships) < 50
    assert answer.ships[0].name == "ship 0"
    (mark,) = answer.model_extra.values()
    assert f"ships: {len(answer.ships)} of 50 items shown" in mark
    assert "fields=" in mark
    taken = tools.fleet(fields="ships")
    assert taken[0] == {"id": 0, "name": "ship 0"}
    assert "of 50 items shown" in taken[-1]["_truncated"]
    assert len(json.dumps(answer.model_dump(mode="json", by_alias=True))) <= 600
    tools.client.use(tools.Client(slow.url, max_bytes=len(FLEET_TEXT) + 10))
    assert len(tools.fleet().ships) == 50


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=60,
)


@pytest.fixture(scope="module")
def shorten() -> Callable[[JsonValue, int], JsonValue]:
    """Give the function of a rendered package."""
    text = render_package(make_plan(prove(make_endpoint(), {"id": 1})))
    module = ModuleType("shorten")
    exec(text["src/harbour/_shorten.py"], module.__dict__)  # noqa: S102 - our own template
    return module.shorten


@settings(deadline=None, max_examples=150)
@given(VALUES, st.integers(300, 3_000))
def test_what_is_shortened_fits_and_says_so(
    shorten: Callable[[Any, int], Any],
    value: Fact,
    limit: int,
) -> None:
    shown = shorten(value, limit)
    size = len(json.dumps(shown, ensure_ascii=False).encode("utf-8", "replace"))
    whole = len(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    assert size <= max(limit, min(whole, limit))
    if whole <= limit:
        assert shown is value
    else:
        assert "shortened from" in json.dumps(shown, ensure_ascii=False)


@pytest.mark.parametrize(
    "value",
    [
        {"rows": [{"text": "long " * 5_000, "n": n} for n in range(300)]},
        [list(range(1_000)) for _ in range(100)],
        {f"key {n}": n for n in range(20_000)},
        {"a": {"b": {"c": ["deep " * 100] * 2_000}}},
        "just text " * 10_000,
        {"_truncated": "the API's own", "rows": list(range(5_000))},
        [[[[[["x" * 50] * 40] * 20] * 10]]],
    ],
    ids=lambda value: type(value).__name__,
)
def test_large_answers_of_every_form(shorten: Callable[[Any, int], Any], value: JsonValue) -> None:
    shown = shorten(value, 2_000)
    size = len(json.dumps(shown, ensure_ascii=False).encode())
    assert 700 < size <= 2_000
    assert "shortened from" in json.dumps(shown)


def test_a_value_nested_without_end_is_left_out(shorten: Callable[[Any, int], Any]) -> None:
    value: Any = "x" * 5_000
    for _ in range(300):
        value = [value]
    assert "nested too deeply" in json.dumps(shorten(value, 1_000)) or "left out" in json.dumps(
        shorten(value, 1_000)
    )


def test_an_answer_without_end_is_given_up(load: Load, slow: Fact) -> None:
    tools: Any = load(fleet_plan(slow.url))
    tools.client.use(tools.Client(slow.url, largest=3_000_000, retries=0))
    with pytest.raises(tools.ApiConnectionError, match=r"more than 3,000,000 bytes.*largest"):
        tools.flood()
    tools.client.use(tools.Client(slow.url, deadline=0.1, retries=0))
    with pytest.raises(tools.ApiConnectionError, match=r"more than 0\.1 seconds.*deadline"):
        tools.drip()


def test_the_twins_call_at_once_and_leave_the_loop_free(load: Load, slow: Fact) -> None:
    load(fleet_plan(slow.url))
    aio: Any = importlib.import_module("harbour.aio")
    ticks: list[float] = []

    async def tick() -> None:
        while True:
            ticks.append(time.monotonic())
            await asyncio.sleep(0.01)

    async def main() -> list[Any]:
        ticking = asyncio.create_task(tick())
        try:
            return await asyncio.gather(*(aio.wait() for _ in range(5)), aio.fleet(fields="port"))
        finally:
            ticking.cancel()

    answers = asyncio.run(main())
    assert [answer.port for answer in answers[:5]] == ["Rye"] * 5
    assert answers[5] == "Rye"
    assert len(ticks) > 5


def test_a_cancelled_call_stops_reading(load: Load, slow: Fact) -> None:
    load(fleet_plan(slow.url))
    aio: Any = importlib.import_module("harbour.aio")

    async def main() -> float:
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(aio.drip(), 0.2)
        return time.monotonic() - began

    assert asyncio.run(main()) < 4, "the loop's own threads end with the call"
    end = time.monotonic() + 5
    while not slow.broken and time.monotonic() < end:
        time.sleep(0.02)
    assert slow.broken == ["/drip"]


def test_calls_that_wait_for_a_thread_are_never_made_once_cancelled(load: Load, slow: Fact) -> None:
    load(fleet_plan(slow.url))
    aio: Any = importlib.import_module("harbour.aio")

    async def main() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
        calls = [asyncio.create_task(aio.wait()) for _ in range(20)]
        await asyncio.sleep(0.05)
        for call in calls:
            call.cancel()
        assert all(
            isinstance(one, asyncio.CancelledError)
            for one in await asyncio.gather(*calls, return_exceptions=True)
        )

    asyncio.run(main())
    time.sleep(0.3)
    assert len(slow.asked) <= 2


def test_one_client_serves_many_threads(load: Load, slow: Fact) -> None:
    tools: Any = load(fleet_plan(slow.url))

    def port(_: int) -> str:
        return tools.fleet().port

    with ThreadPoolExecutor(24) as pool:
        found = list(pool.map(port, range(96)))
    assert found == ["Rye"] * 96
