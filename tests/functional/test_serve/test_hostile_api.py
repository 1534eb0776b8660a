"""An API that hangs, dies, floods or talks nonsense costs one call, never the server."""

from __future__ import annotations

import asyncio
import time

import pytest
from mcp.shared.exceptions import McpError
from mcp.types import CancelledNotification, CancelledNotificationParams, ClientNotification

from tests.functional.test_serve.conftest import SECRET
from tests.functional.test_serve.lamp_api import LampApi
from tests.functional.test_serve.serving import Served, answer_of, client, text_of

TIMEOUT = 3.0
SLACK = 8.0  # seconds that a busy machine may take on top


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("hang", "no answer within 3 s"),
        ("drip", "no answer within 3 s"),
        ("drip_headers", "no answer within 3 s"),
        ("die", "get_log|no answer"),
        ("garbage", "no answer"),
        ("flood", "longer than 1,000,000 bytes"),
        ("redirect", "redirects to another host"),
        ("fails", "500"),
    ],
)
def test_a_misbehaving_api_gives_an_error_in_time(
    server: Served, behave: LampApi, mode: str, words: str
) -> None:
    behave.mode = mode

    async def run() -> None:
        async with client(server.url) as session:
            began = time.monotonic()
            result = await session.call_tool("get_log", {})
            assert time.monotonic() - began < TIMEOUT + SLACK
            assert result.isError
            assert any(word in text_of(result) for word in words.split("|"))
            assert SECRET not in text_of(result)
            assert not any(seen["host"].startswith("localhost") for seen in behave.seen)
            # The others go on, and the tool itself once the API is well again.
            behave.mode = "well"
            assert answer_of(await session.call_tool("get_log", {}))

    asyncio.run(run())
    if mode == "flood":
        assert behave.sent < 100_000_000
        assert server.memory() < 400_000


@pytest.mark.parametrize("mode", ["deep", "surrogates", "other", "binary", "cookie"])
def test_a_strange_answer_is_given_as_it_is(server: Served, behave: LampApi, mode: str) -> None:
    behave.mode = mode

    async def run() -> None:
        async with client(server.url) as session:
            # The client itself checks the result against the output schema.
            result = await session.call_tool("get_log", {})
            assert not result.isError
            assert result.structuredContent is not None
            if mode == "other":
                assert "another form" in result.structuredContent["note"]
                assert "not" in result.structuredContent["text"]
            if mode == "cookie":
                # What the API sets on one call it does not get on the next, maybe another caller's.
                again = await session.call_tool("get_log", {})
                assert '"cookie":"none"' in text_of(again)

    asyncio.run(run())


def test_a_long_answer_is_cut_visibly(server: Served, behave: LampApi) -> None:
    behave.mode = "long"

    async def run() -> None:
        async with client(server.url) as session:
            result = await session.call_tool("get_log", {})
            assert not result.isError
            assert result.structuredContent is not None
            assert "truncated: the first 40,000 of" in result.structuredContent["note"]
            assert "truncated: the first 40,000 of" in text_of(result)
            assert len(text_of(result).encode()) < 41_000

    asyncio.run(run())


def test_a_part_of_a_long_answer(server: Served, behave: LampApi) -> None:
    behave.mode = "long"

    async def run() -> None:
        async with client(server.url) as session:
            result = await session.call_tool("get_log", {"fields": "entries[4999].text"})
            assert result.structuredContent == {"part": "entry 4999"}
            assert text_of(result) == "entry 4999"
            wrong = await session.call_tool("get_log", {"fields": "entries["})
            assert wrong.isError

    asyncio.run(run())


def test_fifty_clients_while_one_tool_hangs(server: Served, behave: LampApi) -> None:
    behave.mode = "hang"
    answered: list[float] = []

    async def one(number: int) -> None:
        async with client(server.url) as session:
            if number % 2:
                result = await session.call_tool("get_log", {})
                assert result.isError
                assert "within 3 s" in text_of(result) or "busy" in text_of(result)
                return
            for _ in range(3):
                began = time.monotonic()
                listed = await session.list_tools()
                assert len(listed.tools) == 4
                assert answer_of(await session.call_tool("get_caller", {}))
                answered.append(time.monotonic() - began)

    async def run() -> None:
        began = time.monotonic()
        await asyncio.gather(*(one(number) for number in range(50)))
        assert time.monotonic() - began < 30

    asyncio.run(run())
    assert len(answered) == 75
    # Threads do not pile up: each hung call has given its place back.
    behave.mode = "well"

    async def after() -> None:
        async with client(server.url) as session:
            assert answer_of(await session.call_tool("get_log", {}))

    asyncio.run(after())


def test_a_cancelled_call_frees_its_place(server: Served, behave: LampApi) -> None:
    behave.mode = "hang"

    async def run() -> None:
        async with client(server.url) as session:
            calls = [asyncio.create_task(session.call_tool("get_log", {})) for _ in range(8)]
            await asyncio.sleep(0.2)
            began = time.monotonic()
            for number in range(1, 9):
                parameters = CancelledNotificationParams(requestId=number)
                notification = CancelledNotification(params=parameters)
                await session.send_notification(ClientNotification(notification))
            ended = await asyncio.gather(*calls, return_exceptions=True)
            assert all(isinstance(one, McpError) for one in ended), ended
            assert time.monotonic() - began < TIMEOUT
            behave.mode = "well"
            assert answer_of(await session.call_tool("get_log", {}))

    asyncio.run(run())
