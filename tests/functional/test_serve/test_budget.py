"""Over the token budget three tools stand for all; writes are served only on request."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

from jsonschema import Draft202012Validator
from mcp.types import CallToolResult

from doc2tools.compiler.emit.tokens import package_tokens, tokens
from tests.functional.test_serve.conftest import SECRET
from tests.functional.test_serve.lamp_api import LIGHTS, LampApi
from tests.functional.test_serve.serving import Served, answer_of, client, serving, text_of

SECRETS = {"LIGHTS_TOKEN": SECRET}


def found(result: CallToolResult) -> list[str]:
    assert not result.isError
    assert result.structuredContent is not None
    return [tool["name"] for tool in result.structuredContent["tools"]]


def test_search_describe_and_call(lights_out: Path, lights: LampApi) -> None:
    with serving("lights", "--out", lights_out, "--budget", "100", environment=SECRETS) as served:

        async def run() -> None:
            async with client(served.url) as session:
                listed = (await session.list_tools()).tools
                assert [tool.name for tool in listed] == ["search", "describe", "call"]
                for tool in listed:
                    Draft202012Validator.check_schema(tool.inputSchema)
                    assert tool.outputSchema is not None
                    Draft202012Validator.check_schema(tool.outputSchema)
                    assert tool.annotations is not None
                    assert tool.annotations.readOnlyHint is True
                query = {"query": "which lighthouses are there on the north coast?", "limit": 1}
                assert found(await session.call_tool("search", query)) == ["list_lights"]
                described = await session.call_tool("describe", {"name": "list_lights"})
                assert described.structuredContent is not None
                schema = described.structuredContent["tool"]["inputSchema"]
                assert set(schema["properties"]) >= {"region", "limit"}
                asked = {"name": "list_lights", "arguments": {"limit": 1}}
                assert answer_of(await session.call_tool("call", asked)) == LIGHTS[:1]
                # Arguments are checked as those of the tool itself.
                wrong = {"name": "list_lights", "arguments": {"limit": "many"}}
                result = await session.call_tool("call", wrong)
                assert result.isError
                assert "limit: 'many' is not of type 'integer'" in text_of(result)
                assert (await session.call_tool("call", {"name": "list_lamps"})).isError
                assert (await session.call_tool("describe", {"name": "list_lamps"})).isError
                assert (await session.call_tool("search", {})).isError
                assert (await session.call_tool("list_lights", {})).isError
                odd = await session.call_tool("search", {"query": "\u202e\0 lights 😀"})
                assert len(found(odd)) == 4

        asyncio.run(run())
        assert "as search, describe and call" in served.hear()


def test_the_list_takes_what_the_manifest_says(server: Served, lights_out: Path) -> None:
    manifest = json.loads((lights_out / "lights/src/lights/doc2tools.json").read_text())

    async def run() -> None:
        async with client(server.url) as session:
            listed = (await session.list_tools()).model_dump_json(exclude_none=True, by_alias=True)
            assert tokens(len(listed.encode())) == manifest["tokens"]["tools_list"]

    asyncio.run(run())
    assert package_tokens(manifest) == manifest["tokens"]["tools_list"]


def test_tools_that_change_state(lights_out: Path, lights: LampApi, tmp_path: Path) -> None:
    out = tmp_path / "generated"
    shutil.copytree(lights_out / "lights", out / "lights")
    path = out / "lights/src/lights/doc2tools.json"
    manifest = json.loads(path.read_text())
    by_name = {tool["name"]: tool for tool in manifest["tools"]}
    changes = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True}
    by_name["get_log"]["annotations"] = changes
    by_name["get_caller"] |= {"annotations": changes, "status": "failed"}
    path.write_text(json.dumps(manifest))

    async def names(url: str) -> set[str]:
        async with client(url) as session:
            return {tool.name for tool in (await session.list_tools()).tools}

    with serving("lights", "--out", out, environment=SECRETS) as served:
        assert asyncio.run(names(served.url)) == {"list_lights", "get_light"}
        assert "2 tools that change state are left out" in served.hear()
    with serving("lights", "--out", out, "--writes", environment=SECRETS) as served:
        assert asyncio.run(names(served.url)) == {"list_lights", "get_light", "get_log"}
        assert "1 tools that change state are left out: not proved" in served.hear()
