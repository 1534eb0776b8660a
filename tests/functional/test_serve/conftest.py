"""The register of lights, compiled once, and a server for it."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from doc2tools.cli.main import main
from tests.functional.test_serve.lamp_api import DOCS, LampApi, lamp_api
from tests.functional.test_serve.serving import Served, serving

SECRET = "s3cr3t/register+token=7781"  # noqa: S105 - of an API that exists in this test only


@pytest.fixture(scope="session")
def lights() -> Generator[LampApi]:
    """Give the register."""
    with lamp_api() as api:
        yield api


@pytest.fixture(scope="session")
def lights_out(lights: LampApi, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the output folder with the compiled toolkit `lights`."""
    folder = tmp_path_factory.mktemp("lights")
    (folder / "docs").mkdir()
    (folder / "docs" / "register.md").write_text(DOCS)
    out = folder / "generated"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LIGHTS_TOKEN", SECRET)
        code = main(
            [
                *("compile", str(folder / "docs"), "--allow", "GET", "--base-url", lights.url),
                *("--name", "lights", "--auth", "bearer", "--token-env", "LIGHTS_TOKEN"),
                *("--llm", "off", "--graph", "off", "--out", str(out), "--quiet"),
            ]
        )
    assert code in (0, 1)
    return out


@pytest.fixture(scope="session")
def server(lights: LampApi, lights_out: Path) -> Generator[Served]:
    """Give a server with short limits, which many tests share."""
    words = ("lights", "--out", lights_out, "--timeout", "3", "--max-bytes", "1000000")
    environment = {"LIGHTS_TOKEN": SECRET}
    with serving(*words, environment=environment) as served:
        yield served
        assert served.process.poll() is None, served.hear()


@pytest.fixture
def behave(lights: LampApi) -> Generator[LampApi]:
    """Give the register, which behaves again afterwards."""
    yield lights
    lights.mode = "well"
