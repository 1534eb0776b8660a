"""kill -9 and start again, packages that change, and toolkits that are broken."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
from pathlib import Path

import pytest
from mcp import ClientSession
from mcp.shared.exceptions import McpError
from mcp.types import ServerNotification, ToolListChangedNotification

from tests.functional.test_serve.conftest import SECRET
from tests.functional.test_serve.lamp_api import LampApi
from tests.functional.test_serve.serving import answer_of, client, serving
from tests.functional.test_serve.test_lists_and_calls import manifest_tools

SECRETS = {"LIGHTS_TOKEN": SECRET}


def test_killed_and_started_again(lights_out: Path, lights: LampApi) -> None:
    with serving("lights", "--out", lights_out, environment=SECRETS) as first:

        async def killed() -> None:
            async with client(first.url) as session:
                assert answer_of(await session.call_tool("get_log", {}))
                first.process.send_signal(signal.SIGKILL)
                first.process.wait(timeout=10)
                with pytest.raises((McpError, Exception)):
                    await asyncio.wait_for(session.call_tool("get_log", {}), 10)

        with pytest.raises(Exception):  # noqa: B017 - the client's, of what kind it likes
            asyncio.run(killed())
            raise RuntimeError
    port = first.base.rpartition(":")[2]
    words = ("lights", "--out", lights_out, "--port", port)
    with serving(*words, environment=SECRETS) as second:
        assert second.url == first.url

        async def again() -> None:
            async with client(second.url) as session:
                assert answer_of(await session.call_tool("get_log", {}))

        asyncio.run(again())


async def names(session: ClientSession) -> set[str]:
    return {tool.name for tool in (await session.list_tools()).tools}


def test_a_recompiled_package_is_taken_up(
    lights_out: Path, lights: LampApi, tmp_path: Path
) -> None:
    out = tmp_path / "generated"
    shutil.copytree(lights_out / "lights", out / "lights")
    manifest = out / "lights/src/lights/doc2tools.json"
    lights_tools = set(manifest_tools(lights_out))
    changed = asyncio.Event()

    async def hear(message: object) -> None:
        if isinstance(message, ServerNotification) and isinstance(
            message.root, ToolListChangedNotification
        ):
            changed.set()

    async def run() -> None:
        async with client(served.url) as session:
            session._message_handler = hear  # pyright: ignore[reportPrivateUsage]
            assert lights_tools <= await names(session)
            whole = manifest.read_text()
            manifest.write_text(whole[: len(whole) // 2])
            await asyncio.sleep(2.5)
            # A package that is half written is not taken up.
            assert lights_tools <= await names(session)
            changed.clear()
            value = json.loads(whole)
            value["tools"] = [tool for tool in value["tools"] if tool["name"] != "get_caller"]
            manifest.write_text(json.dumps(value))
            await asyncio.wait_for(changed.wait(), 15)
            assert lights_tools - await names(session) == {"get_caller"}
            assert (await session.call_tool("get_caller", {})).isError
            assert answer_of(await session.call_tool("get_log", {}))

    words = ("--out", out, "--reload")
    with serving(*words, environment=SECRETS) as served:
        asyncio.run(run())
        assert "a package changed" in served.hear()


def test_a_broken_package_costs_its_own_calls(lights_out: Path, tmp_path: Path) -> None:
    out = tmp_path / "generated"
    shutil.copytree(lights_out / "lights", out / "lights")
    shutil.copytree(lights_out / "lights", out / "lamps")
    (out / "lamps/src/lights").rename(out / "lamps/src/lamps")
    (out / "lamps/src/lamps/client.py").write_text("raise RuntimeError('broken')\n")
    (out / "wreck/src/wreck").mkdir(parents=True)
    (out / "wreck/src/wreck/doc2tools.json").write_text("{")
    with serving("--out", out, environment=SECRETS) as served:
        said = served.hear()
        assert "wreck is left out" in said

        async def run() -> None:
            async with client(served.url) as session:
                # Both have tools of these names, so each carries its toolkit's.
                assert {"lights_get_log", "lamps_get_log"} <= await names(session)
                assert answer_of(await session.call_tool("lights_get_log", {}))
                assert (await session.call_tool("lamps_get_log", {})).isError

        asyncio.run(run())
