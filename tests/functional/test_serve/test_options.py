"""Options that do not fit are refused before anything listens, each with what to do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.functional.test_serve.conftest import SECRET
from tests.functional.test_serve.lamp_api import LampApi
from tests.functional.test_serve.serving import client, serving, text_of

# FastAPI, not imported in this process before, uses what Pydantic is about to drop.
pytestmark = pytest.mark.filterwarnings("ignore:The `__get_pydantic_core_schema__`")

Run = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--token-env", "NO_SUCH_VARIABLE"], "NO_SUCH_VARIABLE holds no token"),
        (["--token-file", "/no/such/file"], "/no/such/file cannot be read"),
        (["--token-file", "/dev/null"], "holds no token in its first line"),
        (["--token-env", "A", "--token-file", "B"], "give one of --token-env and --token-file"),
        (["--timeout", "0"], "--timeout must be more than 0"),
        (
            ["--token-env", "PATH", "--pass-header", "authorization"],
            "Authorization carries the server's own token",
        ),
        (["--pass-header", "Host"], "'Host' is no header that can go on"),
        (["--pass-header", "X-A=Transfer-Encoding"], "'Transfer-Encoding' is no header"),
        (["--pass-header", "X A"], "'X A' is no header"),
        (["--pass-header", "=X"], "'' is no header"),
        (["--tool-limit", "get_log"], "--tool-limit takes TOOL=SECONDS[:NUMBER]"),
        (["--tool-limit", "get_log=nan"], "--tool-limit takes"),
        (["--tool-limit", "get_log=1:0"], "--tool-limit takes"),
        (["--tool-limit", "get_lag=1"], "no tool 'get_lag' is served\nhint: there is get_log"),
        (["--host", "192.0.2.1", "--no-token"], "192.0.2.1:8000 cannot be listened on"),
        (["no_such_toolkit"], "no compiled package 'no_such_toolkit'"),
    ],
)
def test_wrong_options(doc2tools: Run, lights_out: Path, words: list[str], message: str) -> None:
    code, out, said = doc2tools("serve", "lights", "--out", lights_out, *words)
    assert code == 2
    assert out == ""
    assert message in said


def test_nothing_to_serve(doc2tools: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(group: str) -> list[object]:
        return []

    monkeypatch.setattr("importlib.metadata.entry_points", none)
    code, _, said = doc2tools("serve", "--out", tmp_path)
    assert code == 2
    assert "there is no toolkit" in said
    assert "doc2tools compile" in said


def test_a_tool_has_limits_of_its_own(lights_out: Path, lights: LampApi) -> None:
    words = ("--tool-limit", "get_log=0.5:1", "--timeout", "20")
    environment = {"LIGHTS_TOKEN": SECRET}
    with serving("lights", "--out", lights_out, *words, environment=environment) as served:

        async def run() -> None:
            async with client(served.url) as session:
                lights.mode = "hang"
                try:
                    calls = [session.call_tool("get_log", {}) for _ in range(4)]
                    texts = sorted(text_of(result) for result in await asyncio.gather(*calls))
                finally:
                    lights.mode = "well"
                assert any("get_log gave no answer within 0.5 s" in text for text in texts)
                assert any("get_log is busy" in text for text in texts)

        asyncio.run(run())
