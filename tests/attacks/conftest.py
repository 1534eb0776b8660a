"""Servers, gateways and sandboxes for the attacks."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import pytest

from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.sandbox.gateway import Gateway
from doc2tools.sandbox.policy import Policy
from doc2tools.sandbox.recordings import Recordings
from doc2tools.sandbox.sandbox import probe
from doc2tools.sandbox.transport import Lookup, look_up
from tests.attacks.raw_server import RawServer, raw_server

OpenGateway = Callable[..., Gateway]


@pytest.fixture(scope="session")
def bubblewrap() -> None:
    """Skip the test where this machine cannot confine a worker."""
    found = probe()
    if not found.works:
        pytest.skip(f"bubblewrap does not work here: {found.reason}")


@pytest.fixture
def server() -> Generator[RawServer]:
    with raw_server() as running:
        yield running


def new_gateway(
    base_url: str,
    documented: tuple[str, ...] = (),
    *,
    environment: dict[str, str] | None = None,
    lookup: Lookup = look_up,
    **fields: Any,  # noqa: ANN401 (as CompileOptions takes)
) -> Gateway:
    """Open a gateway.

    Args:
        base_url: What the user gave; "" for nothing.
        documented: Base URLs that the documentation states.
        environment: Where credentials are read from.
        lookup: Resolves names.
        fields: Options by name.
    """
    options = CompileOptions.model_validate({"base_url": base_url, "allow": ("GET",), **fields})
    policy = Policy.from_options(options, documented)
    home = base_url or (documented[0] if documented else "")
    return Gateway(
        policy, options, home, Recordings(None), environment=environment or {}, lookup=lookup
    )


@pytest.fixture
def open_gateway() -> Generator[OpenGateway]:
    """Give `new_gateway`; what it opened is closed after the test."""
    opened: list[Gateway] = []

    def open_one(*given: Any, **options: Any) -> Gateway:  # noqa: ANN401 (as new_gateway takes)
        opened.append(new_gateway(*given, **options))
        return opened[-1]

    yield open_one
    for gateway in opened:
        gateway.close()
