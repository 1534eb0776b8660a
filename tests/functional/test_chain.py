"""The whole chain with real parts: compile → publish → pip install → serve → an MCP client calls.

For the library's API always; for two third-party servers where their folder is at hand: it is
`DOC2TOOLS_TEST_SERVERS`, or `shared/servers` beside the checkout, and the servers must be running.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import json
import os
import subprocess
import sys
import venv
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from packaging.requirements import Requirement
from pydantic import JsonValue

from tests.functional.test_publish.indexes import PASSWORD, USER, Index, devpi, pypiserver
from tests.functional.test_serve.serving import client, serving, text_of

ROOT = Path(__file__).parents[2]
SERVERS = Path(os.environ.get("DOC2TOOLS_TEST_SERVERS", ROOT.parent / "shared" / "servers"))
Run = Callable[..., tuple[int, str, str]]


@dataclass(frozen=True)
class Api:
    """A running API with its documentation."""

    name: str
    docs: Path
    base_url: str


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[Index, Index]]:
    folder = tmp_path_factory.mktemp("indexes")
    with pypiserver(folder / "pypiserver") as first, devpi(folder / "devpi") as second:
        yield first, second


@pytest.fixture(params=["library", "prometheus", "nodered"])
def api(request: pytest.FixtureRequest, library_api: str, library_docs: Path) -> Api:
    if request.param == "library":
        return Api(request.param, library_docs, library_api)
    folder = SERVERS / request.param
    if not (folder / "gold.json").is_file():
        pytest.skip(f"there is no {folder}: set DOC2TOOLS_TEST_SERVERS")
    base_url: str = json.loads((folder / "gold.json").read_text())["base_url"]
    try:
        requests.get(base_url, timeout=5)
    except requests.RequestException:
        pytest.skip(f"{request.param} does not run at {base_url}: {folder / 'start'} starts it")
    return Api(request.param, folder / "docs", base_url)


def clean_environment(folder: Path, index: Index, distribution: str) -> Path:
    """Install the package from the index into a new environment; give its `doc2tools`.

    What the index does not hold, requests and pydantic, and doc2tools itself, come from here: a
    test fetches nothing from elsewhere.
    """
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    subprocess.run(
        [python, "-m", "pip", "install", "-q", "--no-deps", "--no-cache-dir",
         "--disable-pip-version-check", "--index-url", index.simple, distribution],
        check=True, env={**os.environ, "PIP_CONFIG_FILE": os.devnull},
    )  # fmt: skip
    site = next(folder.glob("lib/python*/site-packages"))
    (site / "dependencies.pth").write_text(f"{Path(pytest.__file__).parents[1]}\n{ROOT}\n")
    program = folder / "bin" / "doc2tools"
    program.write_text(f"#!{python}\nfrom doc2tools.cli.main import run\nrun()\n")
    program.chmod(0o755)
    return program


def shape(value: JsonValue, depth: int = 2) -> JsonValue:
    """Give the kinds and keys of an answer: what stays where figures change from call to call."""
    if isinstance(value, dict) and depth:
        return {key: shape(item, depth - 1) for key, item in value.items()}
    return "number" if isinstance(value, int | float) else type(value).__name__


async def call_every_tool(
    session: ClientSession, tools: list[dict[str, Any]], truth: dict[str, str]
) -> None:
    """Call every tool with its proved arguments, and compare with what the API says directly."""
    listed = {tool.name for tool in (await session.list_tools()).tools}
    assert {tool["name"] for tool in tools} <= listed
    for tool in tools:
        result = await session.call_tool(tool["name"], tool["example"])
        assert not result.isError, f"{tool['name']}: {text_of(result)}"
        content = result.structuredContent
        assert content is not None
        if tool["name"] not in truth or "result" not in content:
            assert text_of(result), tool["name"]
            continue
        direct = requests.get(
            truth[tool["name"]], headers={"Accept": "application/json"}, timeout=20
        )
        if "json" in direct.headers.get("content-type", ""):
            assert shape(content["result"]) == shape(direct.json()), tool["name"]


def test_from_documentation_to_an_agents_call(
    doc2tools: Run,
    api: Api,
    indexes: tuple[Index, Index],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = f"chain_{api.name}"
    out = tmp_path / "generated"
    code, _, said = doc2tools(
        "compile", api.docs, "--allow", "GET", "--base-url", api.base_url, "--name", name,
        "--out", out, "--llm", "off", "--graph", "off",
    )  # fmt: skip
    assert code in {0, 1}, said
    project = out / name
    manifest = json.loads((project / "src" / name / "doc2tools.json").read_text())
    tools = [tool for tool in manifest["tools"] if tool["status"] == "validated"]
    assert len(tools) > 5
    recorded = json.loads((project / "tests" / "recordings.json").read_text())
    truth = {call["tool"]: call["request"]["url"] for call in recorded}

    own = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        check=False, cwd=project, capture_output=True, text=True,
    )  # fmt: skip
    assert own.returncode == 0, own.stdout

    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TWINE_USERNAME", USER)
    monkeypatch.setenv("TWINE_PASSWORD", PASSWORD)
    environment = {f"{name.upper()}_BASE_URL": api.base_url}
    empty = tmp_path / "elsewhere"
    empty.mkdir()
    for number, index in enumerate(indexes):
        code, published, said = doc2tools("publish", project, "--index", index.url, "--json")
        assert code == 0, said
        distribution = json.loads(published)["name"]
        program = clean_environment(tmp_path / f"clean{number}", index, distribution)
        site = next((tmp_path / f"clean{number}").glob("lib/python*/site-packages"))
        needs = [
            Requirement(need)
            for found in importlib.metadata.distributions(name=distribution, path=[str(site)])
            for need in found.requires or ()
        ]
        assert {need.name for need in needs if need.marker is None} == {"pydantic", "requests"}

        async def over_http(program: Path = program) -> None:
            with serving(name, cwd=empty, environment=environment, program=program) as served:
                async with client(served.url) as session:
                    await call_every_tool(session, tools, truth)

        async def over_stdio(program: Path = program) -> None:
            parameters = StdioServerParameters(
                command=str(program),
                args=["serve", name, "--stdio"],
                cwd=empty,
                env={**os.environ, **environment},
            )
            async with (
                stdio_client(parameters) as (read, write),
                ClientSession(read, write) as session,
            ):
                await session.initialize()
                await call_every_tool(session, tools, truth)

        asyncio.run(over_http())
        asyncio.run(over_stdio())
