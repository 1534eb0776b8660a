"""Whether the recorded exchanges are the tool's own: its method, its address, its redirects.

All tools of a run share one worker, so code in it could send a request in the name of another
tool's call. What does not fit the endpoint of the call is no proof of it.
"""

from __future__ import annotations

import re
from urllib.parse import unquote, urljoin, urlsplit

from doc2tools.compiler.ir.exchange import Exchange, ToolRun
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.sandbox.addresses import Origin, Refused, Target, read_url

__all__ = ["foreign"]

_PLACEHOLDER = re.compile(r"\{[^{}]{0,200}\}")
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


def foreign(endpoint: Endpoint, run: ToolRun) -> Exchange | None:
    """Give the first exchange that is neither the endpoint's nor a redirect of the one before."""
    base = read_url(endpoint.base_url)
    if isinstance(base, Refused):
        return None
    path = f"{urlsplit(endpoint.base_url).path}/{endpoint.path}"
    template = _plain(_PLACEHOLDER.sub("\0", path)).split("\0")
    before: Exchange | None = None
    for exchange in run.exchanges:
        target = read_url(exchange.request.url)
        own = not isinstance(target, Refused) and (
            _fits(endpoint.method, base.origin, template, exchange, target)
            or (before is not None and _follows(before, exchange, target))
        )
        if not own:
            return exchange
        before = exchange
    return None


def _fits(
    method: str, origin: Origin, template: list[str], exchange: Exchange, target: Target
) -> bool:
    if exchange.request.method != method.upper() or target.origin != origin:
        return False
    return _matches(template, _plain(target.path))


def _matches(template: list[str], path: str) -> bool:
    """Tell whether the literal parts stand in `path` in order, the first and last at its ends."""
    first, last = template[0], template[-1]
    if len(template) == 1:
        return path == first
    if not path.startswith(first) or not path.endswith(last):
        return False
    at, end = len(first), len(path) - len(last)
    for part in template[1:-1]:
        found = path.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return at <= end


def _follows(before: Exchange, exchange: Exchange, target: Target) -> bool:
    response = before.response
    if response is None or response.status not in _REDIRECTS:
        return False
    if exchange.request.method not in (before.request.method, "GET", "HEAD"):
        return False
    location = response.headers.get("location", "")
    # As `requests` reads it: header bytes are Latin-1 to the parser and UTF-8 to servers.
    location = location.encode("latin-1", "replace").decode("utf-8", "replace")
    try:
        wanted = urlsplit(urljoin(before.request.url, location))
        origin = read_url(f"{wanted.scheme}://{wanted.netloc}/")
    except ValueError:
        return False
    same = not isinstance(origin, Refused) and origin.origin == target.origin
    # The query is left out: a credential in it has been taken out on the way.
    return same and _plain(wanted.path or "/") == _plain(target.path)


def _plain(path: str) -> str:
    """Give a path, template or not, without encoding, dot segments and doubled slashes."""
    parts: list[str] = []
    for encoded in path.partition("?")[0].partition("#")[0].split("/"):
        part = unquote(encoded)  # after splitting: a value may hold a slash, or be one
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)
