"""The official client lists and calls the tools of a compiled package, over HTTP and stdio."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.functional.test_serve.conftest import SECRET
from tests.functional.test_serve.lamp_api import LIGHTS, LampApi
from tests.functional.test_serve.serving import (
    PROGRAM,
    Served,
    answer_of,
    client,
    serving,
    text_of,
)


def manifest_tools(out: Path) -> dict[str, dict[str, object]]:
    manifest = json.loads((out / "lights/src/lights/doc2tools.json").read_text())
    return {tool["name"]: tool for tool in manifest["tools"] if tool["status"] == "validated"}


async def check_session(session: ClientSession, out: Path) -> None:
    expected = manifest_tools(out)
    assert len(expected) >= 4
    listed = {tool.name: tool for tool in (await session.list_tools()).tools}
    assert listed.keys() == expected.keys()
    for name, tool in listed.items():
        assert tool.annotations is not None
        assert tool.annotations.title
        assert tool.annotations.readOnlyHint is True
        assert tool.annotations.destructiveHint is False
        assert tool.annotations.idempotentHint is True
        assert len(name) <= 56
        Draft202012Validator.check_schema(tool.inputSchema)
        assert tool.inputSchema["type"] == "object"
        assert tool.outputSchema is not None
        Draft202012Validator.check_schema(tool.outputSchema)
        assert tool.outputSchema["type"] == "object"
        result = await session.call_tool(name, expected[name]["example"])  # pyright: ignore
        assert answer_of(result), name
    one = next(name for name, tool in expected.items() if "{id}" in str(tool["url"]))
    assert answer_of(await session.call_tool(one, {"id": 9})) == LIGHTS[1]


def test_over_http(server: Served, lights_out: Path) -> None:
    async def run() -> None:
        async with client(server.url) as session:
            await check_session(session, lights_out)

    asyncio.run(run())


def test_over_stdio(lights_out: Path, lights: LampApi) -> None:
    async def run() -> None:
        parameters = StdioServerParameters(
            command=str(PROGRAM),
            args=["serve", "--stdio", "lights", "--out", str(lights_out)],
            env={"LIGHTS_TOKEN": SECRET},
        )
        with Path("/dev/null").open("w") as errors:
            async with (
                stdio_client(parameters, errors) as (read, write),
                ClientSession(read, write) as session,
            ):
                await session.initialize()
                await check_session(session, lights_out)

    asyncio.run(run())


def test_stdio_writes_only_protocol(lights_out: Path, lights: LampApi) -> None:
    # A package that prints must not break the protocol.
    client_py = lights_out / "lights/src/lights/client.py"
    text = client_py.read_text()
    noisy = text.replace("import threading\n", "import threading\nprint('NOISE', flush=True)\n", 1)
    assert noisy != text
    messages: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "0"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
            "name": next(iter(manifest_tools(lights_out))), "arguments": {}}},
    ]  # fmt: skip
    client_py.write_text(noisy)
    try:
        process = subprocess.Popen(
            [PROGRAM, "serve", "--stdio", "lights", "--out", lights_out],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("".join(json.dumps(message) + "\n" for message in messages))
        process.stdin.flush()
        lines = [json.loads(process.stdout.readline()) for _ in range(2)]
        assert {line["id"] for line in lines} == {1, 2}
        process.send_signal(signal.SIGTERM)
        rest, said = process.communicate(timeout=15)
    finally:
        client_py.write_text(text)
    assert rest == ""
    assert "NOISE" in said
    assert "4 tools of 1 toolkits (lights)" in said
    assert process.returncode == 0


def test_wrong_arguments_say_what_is_wrong(server: Served, lights_out: Path) -> None:
    tools = manifest_tools(lights_out)
    one = next(name for name, tool in tools.items() if "{id}" in str(tool["url"]))
    several = next(name for name, tool in tools.items() if str(tool["url"]).endswith("/lights"))

    async def run() -> None:
        async with client(server.url) as session:
            for arguments, words in [
                ({}, "'id' is a required property"),
                ({"id": "seven"}, "id: 'seven' is not of type 'integer'"),
                ({"id": 7, "colour": "red"}, "'colour' was unexpected"),
                ({"id": 404}, "404"),
            ]:
                result = await session.call_tool(one, arguments)
                assert result.isError
                assert words in text_of(result)
            result = await session.call_tool("list_lamps", {})
            assert result.isError
            assert "there is no tool 'list_lamps'" in text_of(result)
            # Models write null for what they leave out.
            answer = answer_of(await session.call_tool(several, {"region": None, "limit": 1}))
            assert answer == LIGHTS[:1]

    asyncio.run(run())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stops_cleanly(lights_out: Path, behave: LampApi, number: int) -> None:
    behave.mode = "hang"

    async def run() -> int:
        async with client(served.url) as session:
            call = asyncio.create_task(session.call_tool("get_log", {}))
            await asyncio.sleep(0.3)
            began = asyncio.get_running_loop().time()
            code = await asyncio.to_thread(served.stop, number)
            # Well below the timeout of the call, on a busy machine, too.
            assert asyncio.get_running_loop().time() - began < 15
            result = await asyncio.wait_for(call, 15)
            assert result.isError
            return code

    environment = {"LIGHTS_TOKEN": SECRET}
    with serving("lights", "--out", lights_out, environment=environment) as served:
        assert asyncio.run(run()) == 0
        said = served.hear()
    assert "stopped" in said
    assert "Traceback" not in said
