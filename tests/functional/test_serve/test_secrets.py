"""The API's credential never reaches a caller; a caller's own reaches the API, for them alone."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from urllib.parse import quote

from doc2tools.sandbox.redaction import MASK
from tests.functional.test_serve.conftest import SECRET
from tests.functional.test_serve.lamp_api import LampApi
from tests.functional.test_serve.serving import Served, answer_of, client, serving, text_of

FORMS = (SECRET, quote(SECRET, safe=""), base64.b64encode(SECRET.encode()).decode(), SECRET[:12])


def test_an_api_that_echoes_the_credential(server: Served, lights: LampApi) -> None:
    async def run() -> None:
        async with client(server.url) as session:
            listed = (await session.list_tools()).model_dump_json()
            lights.seen.clear()
            result = await session.call_tool("get_caller", {})
            # The API did get it, and told it back.
            assert lights.seen[-1]["authorization"] == f"Bearer {SECRET}"
            assert answer_of(result)["token"] == MASK
            lights.mode = "fails"
            failed = await session.call_tool("get_log", {})
            lights.mode = "well"
            for form in FORMS:
                assert form not in listed
                assert form not in result.model_dump_json()
                assert form not in failed.model_dump_json()
                assert form not in server.hear()

    asyncio.run(run())


def test_a_caller_brings_a_credential(lights_out: Path, lights: LampApi) -> None:
    words = ("lights", "--out", lights_out, "--pass-header", "X-Api-Auth=Authorization")
    with serving(*words, environment={"LIGHTS_TOKEN": SECRET}) as served:

        async def one(token: str) -> None:
            async with client(served.url, X_Api_Auth=f"Bearer {token}") as session:
                for _ in range(20):
                    answer = answer_of(await session.call_tool("get_caller", {}))
                    assert answer["token"] == token
                    assert "x-api-auth" not in answer["headers"]

        async def nobody() -> None:
            async with client(served.url, X_Other="Bearer nosy") as session:
                answer = answer_of(await session.call_tool("get_caller", {}))
                assert answer["token"] == MASK
                assert "nosy" not in str(answer)

        async def run() -> None:
            await asyncio.gather(*(one(f"caller-{number}") for number in range(8)), nobody())

        asyncio.run(run())


def test_no_header_passes_unless_allowed(server: Served, lights: LampApi) -> None:
    async def run() -> None:
        async with client(server.url, Authorization="Bearer mine", Cookie="a=b") as session:
            answer_of(await session.call_tool("get_caller", {}))
            assert lights.seen[-1]["authorization"] == f"Bearer {SECRET}"
            assert "cookie" not in lights.seen[-1]

    asyncio.run(run())


def test_without_the_credential_the_error_says_what_to_set(
    lights_out: Path, lights: LampApi
) -> None:
    with serving("lights", "--out", lights_out, environment={"LIGHTS_TOKEN": ""}) as served:

        async def run() -> None:
            async with client(served.url) as session:
                result = await session.call_tool("get_caller", {})
                assert result.isError
                assert "LIGHTS_TOKEN" in text_of(result)

        asyncio.run(run())
