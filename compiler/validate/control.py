"""Asks for an address that does not exist, to know a server that answers 200 for anything."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from doc2tools.compiler.ir.exchange import Exchange, Request
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.passes.splitting import split_address
from doc2tools.compiler.passes.wildcards import gapped

__all__ = ["NONSENSE", "Control"]

NONSENSE = "no-such-path-d2t-7f3a91"
_PLACEHOLDER = re.compile(r"\{[^{}]{0,200}\}")


@dataclass(slots=True)
class Control:
    """Makes at most one control call for each origin and first path segment. Thread-safe.

    Attributes:
        send: Sends a request through the gateway; `None` makes no control calls.
        endpoints: The documented endpoints; a control address matches none of them.
    """

    send: Callable[[Request], Exchange] | None
    endpoints: Sequence[Endpoint]
    _locks: dict[str, threading.Lock] = field(default_factory=dict[str, threading.Lock])
    _held: dict[str, Exchange | None] = field(default_factory=dict[str, "Exchange | None"])
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _templates: list[re.Pattern[str]] = field(default_factory=list[re.Pattern[str]])

    def __post_init__(self) -> None:
        """Turn the documented templates into patterns."""
        for endpoint in self.endpoints:
            path = split_address(endpoint.base_url).path.rstrip("/") + endpoint.path
            pieces = _PLACEHOLDER.split(path.rstrip("/"))
            self._templates.append(re.compile(gapped(pieces) + "/?"))

    def beside(self, exchange: Exchange) -> Exchange | None:
        """Give the server's answer to a nonsense neighbour of a GET, or `None`."""
        request = exchange.request
        if self.send is None or request.method != "GET":
            return None
        url = split_address(request.url)
        first = url.path.lstrip("/").partition("/")[0]
        origin = f"{url.scheme}://{url.netloc}"
        candidates = ([f"/{first}/{NONSENSE}"] if first else []) + [f"/{NONSENSE}"]
        if "/" not in url.path.strip("/"):  # below `/health` a server may take anything for it
            candidates.reverse()
        path = next((p for p in candidates if not self._documented(p)), "")
        if not path:
            return None
        address = origin + path
        with self._lock:
            lock = self._locks.setdefault(address, threading.Lock())
        with lock:
            if address not in self._held:
                headers = {
                    name: value
                    for name, value in request.headers.items()
                    if name.lower() in {"accept", "user-agent"}
                }
                probe = Request(method="GET", url=address, headers=headers)
                self._held[address] = self.send(probe)
            return self._held[address]

    def _documented(self, path: str) -> bool:
        return any(pattern.fullmatch(path) for pattern in self._templates)
