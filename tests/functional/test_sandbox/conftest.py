"""Servers, gateways and sandboxes for these tests."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from scripted_server import ScriptedServer, serve
from toolkit import Call, caller, toolkit

from doc2tools.compiler.ir.exchange import Exchange
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.sandbox.gateway import Gateway
from doc2tools.sandbox.policy import Policy
from doc2tools.sandbox.recordings import Recordings
from doc2tools.sandbox.sandbox import Sandbox, probe
from doc2tools.sandbox.transport import Lookup, look_up

OpenGateway = Callable[..., Gateway]


@pytest.fixture(scope="session")
def bubblewrap() -> None:
    """Skip the test where this machine cannot confine a worker."""
    found = probe()
    if not found.works:
        pytest.skip(f"bubblewrap does not work here: {found.reason}")


@pytest.fixture(scope="session")
def running_server() -> Generator[ScriptedServer]:
    with serve() as running:
        yield running


@pytest.fixture
def server(running_server: ScriptedServer) -> ScriptedServer:
    """Give the server, which has forgotten what it was asked before."""
    running_server.seen.clear()
    running_server.state.clear()
    return running_server


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a self-signed certificate for 127.0.0.1 with its key, in one file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    key, both = folder / "key.pem", folder / "both.pem"
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    subprocess.run(
        [openssl, *request, "-nodes", "-days", "2", *subject, "-keyout", key, "-out", both],
        check=True,
        capture_output=True,
    )
    both.write_bytes(both.read_bytes() + key.read_bytes())
    return both


def new_gateway(
    base_url: str,
    *,
    recordings: Recordings | None = None,
    environment: dict[str, str] | None = None,
    offline: bool = False,
    lookup: Lookup = look_up,
    **fields: object,
) -> Gateway:
    """Open a gateway to a base URL, with options by name."""
    given = {"base_url": base_url, "allow": ("GET", "HEAD"), **fields}
    options = CompileOptions.model_validate(given)
    return Gateway(
        Policy.from_options(options, []),
        options,
        base_url,
        recordings or Recordings(None),
        offline=offline,
        environment=environment or {},
        lookup=lookup,
    )


@pytest.fixture
def open_gateway() -> Generator[OpenGateway]:
    """Give `new_gateway`; what it opened is closed after the test."""
    opened: list[Gateway] = []

    def open_one(base_url: str, **options: Any) -> Gateway:  # noqa: ANN401 (as new_gateway takes)
        opened.append(new_gateway(base_url, **options))
        return opened[-1]

    yield open_one
    for gateway in opened:
        gateway.close()


@pytest.fixture(scope="session")
def running_sandbox(bubblewrap: None, running_server: ScriptedServer) -> Generator[Sandbox]:
    with (
        new_gateway(running_server.base_url, recordings=Forgetful(None)) as gateway,
        Sandbox(gateway, "strict", 16) as sandbox,
    ):
        yield sandbox


class Forgetful(Recordings):
    """Keeps nothing, so that tests which share a gateway do not see each other's answers."""

    def put(self, key: str, exchange: Exchange) -> None:
        pass


@pytest.fixture(scope="session")
def running_root(running_sandbox: Sandbox, running_server: ScriptedServer) -> str:
    return running_sandbox.load(toolkit(running_server.base_url))


@pytest.fixture
def call(running_sandbox: Sandbox, running_root: str, server: ScriptedServer) -> Call:
    """Give a function that calls a tool of the test package in a shared strict sandbox."""
    return caller(running_sandbox, running_root)


@pytest.fixture
def strict(
    bubblewrap: None, server: ScriptedServer, open_gateway: OpenGateway
) -> Generator[Sandbox]:
    """Give a running strict sandbox whose gateway leads to `server`."""
    with Sandbox(open_gateway(server.base_url), "strict", 16) as sandbox:
        yield sandbox
