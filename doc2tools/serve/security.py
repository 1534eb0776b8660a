"""Who may call: the bearer token, and the checks against pages of other sites (DNS rebinding).

As the MCP specification asks (2025-06-18, basic/transports, security warning).
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from doc2tools.sandbox.addresses import is_loopback
from doc2tools.serve.settings import HttpOptions

LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
OPEN = frozenset({"/health"})
"""Paths that need no token: whoever watches the process has none."""


class Guard:
    """Lets through only requests that may be answered."""

    def __init__(
        self, app: ASGIApp, options: HttpOptions, refused: Callable[[str], object]
    ) -> None:
        """Guard an application.

        Args:
            app: The application.
            options: Whom to let through.
            refused: Told the reason of each refusal.
        """
        self._app = app
        self._token = options.token.encode()
        self._origins = frozenset(origin.rstrip("/").lower() for origin in options.allow_origins)
        named = frozenset(host.lower() for host in options.allow_hosts)
        local = is_loopback(options.host)
        self._hosts = named | LOCAL | {options.host.lower()} if local or named else None
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "http" and (refusal := self._judge(scope)):
            status, reason, message = refusal
            self._refused(reason)
            headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
            response = JSONResponse({"error": message}, status, headers)
            await response(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _judge(self, scope: Scope) -> tuple[int, str, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self._hosts is not None and _name(host) not in self._hosts:
            return 421, "host", "this server is not called by that name"
        origins = headers.getlist("origin")
        if any(not self._is_known(origin, host) for origin in origins):
            return 403, "origin", "pages of this origin may not call this server"
        if self._token and scope["path"] not in OPEN and not self._is_authorised(headers):
            return 401, "token", "a valid bearer token is needed"
        return None

    def _is_known(self, origin: str, host: str) -> bool:
        if origin.lower() in self._origins:
            return True
        return self._hosts is not None and urlsplit(origin.lower()).netloc == host.lower() != ""

    def _is_authorised(self, headers: Headers) -> bool:
        given = headers.getlist("authorization")
        if len(given) != 1:
            return False
        scheme, _, token = given[0].partition(" ")
        shown = token.strip().encode("latin-1", "replace")
        return scheme.lower() == "bearer" and hmac.compare_digest(shown, self._token)


def _name(host: str) -> str:
    """Give the name in a Host header, without the port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""
