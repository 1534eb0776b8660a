"""No test reaches the outside: a socket or a name beyond loopback fails the test."""

from __future__ import annotations

import ipaddress
import sys
from typing import cast

LOCAL_NAMES = {"localhost", "", "None"}


class OutsideError(AssertionError):
    """A test tried to reach beyond loopback."""


def _is_local(host: object) -> bool:
    text = host.decode() if isinstance(host, bytes) else str(host)
    if text in LOCAL_NAMES:
        return True
    try:
        return ipaddress.ip_address(text.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event == "socket.connect" and isinstance(arguments[1], tuple):
        host = cast("tuple[object, ...]", arguments[1])[0]
    else:
        return
    if not _is_local(host):
        raise OutsideError(f"a test reached for {host!r}")


sys.addaudithook(_watch)
