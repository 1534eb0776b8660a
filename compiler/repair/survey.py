"""Which paths the server itself shows: in answers, in its index, in its own description.

A few requests to an origin, made once, and only when a tool's address is not there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urljoin

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Exchange, Request
from doc2tools.compiler.passes.splitting import split_address
from doc2tools.compiler.repair.address import parts_of
from doc2tools.compiler.validate.answer import read_answer

__all__ = ["Survey"]

MOST_PATHS = 2_000
MOST_TEXT = 200_000
DESCRIPTIONS = ("/openapi.json", "/swagger.json")
_SEGMENT = r"[A-Za-z0-9_.~%{}:<>$@+-]{1,80}"
_PATH = re.compile(rf"(?:(https?://[\w.-]{{1,100}}(?::\d{{1,5}})?))?((?:/{_SEGMENT}){{1,10}}/?)")
_HREF = re.compile(r"""\bhref\s{0,3}=\s{0,3}["']([^"'#\s]{1,300})""", re.IGNORECASE)


@dataclass(slots=True)
class Survey:
    """The paths that a server shows.

    Attributes:
        send: Sends a request through the gateway; `None` asks nothing.
        calls: Requests that went over the network.
    """

    send: Callable[[Request], Exchange] | None
    calls: int = 0
    _paths: dict[str, None] = field(default_factory=dict[str, None])
    _asked: set[str] = field(default_factory=set[str])
    _seen: set[str] = field(default_factory=set[str])

    def note(self, exchange: Exchange | None) -> None:
        """Take the paths out of an answer."""
        if exchange is None or exchange.response is None or exchange.request.url in self._seen:
            return
        self._seen.add(exchange.request.url)
        for path in _paths_in(exchange):
            if len(self._paths) >= MOST_PATHS:
                return
            self._paths.setdefault(path)

    def ask(self, origin: str, folders: Iterable[str], most: int) -> None:
        """Ask for the index of some folders and for the server's own description, once.

        Args:
            origin: Scheme and host with port.
            folders: Paths whose index may list what is below.
            most: Requests that may be made.
        """
        if self.send is None or not origin:
            return
        wanted = dict.fromkeys((*folders, "/", *DESCRIPTIONS))
        for path in wanted:
            address = f"{origin}{path}"
            if address in self._asked:
                continue
            if most <= 0:
                return
            self._asked.add(address)
            most -= 1
            headers = {"Accept": "application/json"}
            exchange = self.send(Request(method="GET", url=address, headers=headers))
            self.calls += not exchange.replayed
            if exchange.response is not None and exchange.response.status < 300:
                self.note(exchange)

    def paths(self) -> tuple[list[str], ...]:
        """Give the paths as segments, in the order in which they were seen."""
        return tuple(parts_of(path) for path in self._paths)


def _paths_in(exchange: Exchange) -> Iterator[str]:
    assert exchange.response is not None  # noqa: S101 - the caller looked
    answer = read_answer(exchange.response)
    own = split_address(exchange.request.url)
    origin = f"{own.scheme}://{own.netloc}"
    text = answer.text[:MOST_TEXT]
    if answer.kind == "html":
        for found in _HREF.finditer(text):
            try:
                target = split_address(urljoin(exchange.request.url, found.group(1)))
            except ValueError:
                continue
            if target.netloc == own.netloc:
                yield target.path
    base = _base_path(answer.payload) if answer.kind == "json" else ""
    for found in _PATH.finditer(text.replace("\\/", "/")):
        if found.group(1) in {None, origin}:
            yield found.group(2)
            if base:
                yield base + found.group(2)


def _base_path(payload: JsonValue) -> str:
    """Give the base path that an OpenAPI document states."""
    if not isinstance(payload, dict) or not {"swagger", "openapi"} & payload.keys():
        return ""
    text = json.dumps([payload.get("basePath"), payload.get("servers")])[:2000]
    found = _PATH.search(text)
    return found.group(2).rstrip("/") if found else ""
