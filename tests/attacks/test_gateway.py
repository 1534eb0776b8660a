"""Requests that try to get past the gateway; what would be connected to is noted, not opened."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.exchange import Exchange, Request, TransportFailure
from doc2tools.sandbox import connections, gateway, policy
from doc2tools.sandbox.addresses import Origin, Refused, Target
from doc2tools.sandbox.limits import Deadline
from doc2tools.sandbox.policy import Policy
from doc2tools.sandbox.process import MAX_REDIRECTS
from doc2tools.sandbox.sandbox import Sandbox
from doc2tools.sandbox.transport import Transport
from tests.attacks.attack import Attack, attacks
from tests.attacks.conftest import OpenGateway
from tests.attacks.raw_server import RawServer
from tests.attacks.toolkit import call, toolkit

API = "http://api.example/v1"
PUBLIC = "93.184.216.34"


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch, server: RawServer) -> list[str]:
    """Give the list of addresses that connections were opened to; only the server's own is real."""
    found: list[str] = []
    connect = connections.create_connection

    def note(address: tuple[str, int], *given: Any, **named: Any) -> socket.socket:  # noqa: ANN401
        if address == ("127.0.0.1", server.port):
            return connect(address, *given, **named)
        found.append(f"{address[0]}:{address[1]}")
        raise ConnectionRefusedError(111, "refused")

    monkeypatch.setattr(connections, "create_connection", note)
    return found


def attempt(attack: Attack, server: RawServer, open_gateway: OpenGateway) -> tuple[Exchange, ...]:
    """Send the attack's request, or let a tool in the sandbox follow its redirect."""
    given = attack.material
    names: dict[str, Iterator[list[str]]] = {
        host: iter(answers) for host, answers in given.get("lookup", {}).items()
    }

    def lookup(host: str, port: int) -> list[str]:
        return next(names[host]) if host in names else [PUBLIC]

    if "redirect" in given:
        return _follow(given["redirect"], server, open_gateway, lookup)
    documented = tuple(given.get("documented", [] if "base_url" in given else [API]))
    opened = open_gateway(
        given.get("base_url", ""), documented, lookup=lookup, **given.get("options", {})
    )
    request = Request.model_validate({"method": "GET", "url": f"{API}/items", **given["request"]})
    return tuple(
        opened.exchange(request, deadline=Deadline(2)) for _ in range(given.get("times", 1))
    )


def _follow(
    location: str, server: RawServer, open_gateway: OpenGateway, lookup: object
) -> tuple[Exchange, ...]:
    where = location.replace("@PORT@", str(server.port)).encode()
    server.replies["/honest"] = (
        b"HTTP/1.1 302 Found\r\nLocation: " + where + b"\r\nContent-Length: 0\r\n\r\n"
    )
    opened = open_gateway(server.base_url, (API,), lookup=lookup)
    with Sandbox(opened, "auto") as sandbox:
        root = sandbox.load(toolkit(server.base_url))
        return call(sandbox, root, "read", module="honest", timeout=4).exchanges


@attacks("gateway-method", "gateway-host")
def test_fails(
    attack: Attack, server: RawServer, reached: list[str], open_gateway: OpenGateway
) -> None:
    expect = attack.expect
    try:
        exchanges = attempt(attack, server, open_gateway)
    except UsageError as error:
        assert re.search(expect["usage"], str(error))
        return
    failure = exchanges[-1].failure
    if "message" in expect:
        assert failure is not None
        assert failure.cause == expect.get("cause", "refused-by-policy")
        assert re.search(expect["message"], failure.message), failure.message
    assert set(reached) <= set(expect.get("reached", []))
    assert len(server.seen) <= expect.get("requests", int("redirect" in attack.material))
    assert len(exchanges) <= MAX_REDIRECTS + 2


def _no_reason(*_: object) -> str:
    return ""


def _allowed(*_: object) -> None:
    return None


def _lenient(url: str) -> Target | Refused:
    """Read a URL as many programs do: take what `urlsplit` makes of it."""
    parts = urlsplit(url.replace("\\", "/"))
    host = parts.hostname or ""
    if parts.scheme not in ("http", "https") or not host:
        return Refused("no URL")
    origin = Origin(scheme=parts.scheme, host=host, port=parts.port or 80)
    return Target(origin, parts.path or "/", parts.query)


def _unpinned(self: Transport, origin: Origin, deadline: Deadline) -> tuple[str, ...]:
    """Check the name's addresses, and then ask for them again to connect."""
    lookup: Any = vars(self)["_lookup"]
    check: Any = vars(self)["_check"]
    for address in lookup(origin.host, origin.port):
        refused: TransportFailure | None = check(origin, address)
        if refused is not None:
            raise AssertionError(refused.message)
    return tuple(lookup(origin.host, origin.port))


DEFENCES: dict[str, list[tuple[object, str, object]]] = {
    "methods": [(Policy, "_method_reason", _no_reason)],
    "overrides": [(policy, "_override_reason", _no_reason)],
    "headers": [(policy, "_header_reason", _no_reason)],
    "origins": [(Policy, "_url_reason", _no_reason)],
    "addresses": [(Policy, "decide_address", _allowed)],
    "spellings": [(gateway, "read_url", _lenient), (policy, "read_url", _lenient)],
    "pinning": [(Transport, "addresses", _unpinned)],
}


@attacks("gateway-method", "gateway-host", unguarded=True)
def test_succeeds_without_its_defence(
    attack: Attack,
    server: RawServer,
    reached: list[str],
    open_gateway: OpenGateway,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in attack.without["defences"]:
        for place, attribute, instead in DEFENCES[name]:
            monkeypatch.setattr(place, attribute, instead)
    attempt(attack, server, open_gateway)
    assert attack.without["reached"] in reached
