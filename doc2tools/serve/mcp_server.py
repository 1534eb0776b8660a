"""The MCP server: fastapi-mcp, extended where it stops short.

`FastApiMCP` makes a tool of each operation that FastAPI describes. Here the tools come from the
toolkits' manifests, with what fastapi-mcp 0.4.0 cannot carry: annotations, output schemas,
structured results, errors that are results. Two of its methods are overridden for that:

- `setup_server`, which lists tools and calls them: from a `Service` instead of through OpenAPI and
  an HTTP request of the process to itself;
- `_register_mcp_http_endpoint`, which hands requests to the session manager as they are; the
  original holds back an answer until it is complete, and so an event stream for ever.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from typing import Any
from weakref import WeakSet

import anyio
from fastapi import APIRouter, FastAPI, params
from fastapi_mcp import FastApiMCP  # pyright: ignore[reportMissingTypeStubs]
from fastapi_mcp.transport.http import (  # pyright: ignore[reportMissingTypeStubs]
    FastApiHttpSessionManager,
)
from mcp import types
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.session import ServerSession
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

import doc2tools
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.serve.service import Service

__all__ = ["ToolkitMCP"]

REQUEST_BYTES = 1_000_000
SESSIONS = 1_000
IDLE_SECONDS = 30 * 60
INSTRUCTIONS = (
    "Each tool calls one endpoint of an API. Structured results hold the answer as `result`; "
    "where it was cut or has an unknown form they hold `text` and a `note` instead, and as `part` "
    "what `fields` took of it. A long answer is cut: ask for the part that you need."
)

log = logging.getLogger("doc2tools.serve")


class _Server(Server[Any, Any]):
    def __init__(self, *, listens: bool) -> None:
        super().__init__("doc2tools", doc2tools.__version__, INSTRUCTIONS)
        self._listens = listens

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        """Say that the list of tools may change, where packages are watched."""
        options = notification_options or NotificationOptions(tools_changed=self._listens)
        return super().create_initialization_options(options, experimental_capabilities)


class ToolkitMCP(FastApiMCP):
    """Serves a `Service` by MCP."""

    def __init__(self, fastapi: FastAPI, service: Service) -> None:
        """Set the server up; `mount_http` mounts it.

        Args:
            fastapi: The application that it is mounted on.
            service: What it offers.
        """
        self.service = service
        self.stopping = asyncio.Event()
        self._clients: WeakSet[ServerSession] = WeakSet()
        self._telling: set[asyncio.Task[None]] = set()
        super().__init__(fastapi, headers=[])
        self.sessions = StreamableHTTPSessionManager(
            self.server,
            json_response=True,
            session_idle_timeout=IDLE_SECONDS,
            max_request_body_size=REQUEST_BYTES,
            max_sessions=SESSIONS,
        )
        service.on_change.append(self._tell)

    def setup_server(self) -> None:
        """Have tools listed and called by the service."""
        self.tools = self.service.moment.listing
        self.operation_map = {}
        self.server = _Server(listens=self.service.options.reload)
        self.server.list_tools()(self._list)
        # The service checks arguments itself, against a schema that is compiled once.
        self.server.call_tool(validate_input=False)(self._call)

    async def _list(self) -> list[types.Tool]:
        self._clients.add(self.server.request_context.session)
        self.tools = self.service.moment.listing
        return self.tools

    async def _call(self, name: str, arguments: dict[str, JsonValue]) -> types.CallToolResult:
        request: Any = self.server.request_context.request
        headers = {str(k).lower(): str(v) for k, v in request.headers.items()} if request else {}
        return await self.service.call(name, arguments, headers)

    def _tell(self) -> None:
        for session in tuple(self._clients):
            task = asyncio.create_task(_send_change(session))
            self._telling.add(task)
            task.add_done_callback(self._telling.discard)

    def _register_mcp_http_endpoint(
        self,
        router: FastAPI | APIRouter,
        transport: FastApiHttpSessionManager,
        mount_path: str,
        dependencies: Sequence[params.Depends] | None,
    ) -> None:
        del transport, dependencies
        router.routes.append(
            Route(mount_path, _Endpoint(self), methods=["GET", "POST", "DELETE"], name="mcp")
        )


class _Endpoint:
    """Hands requests to the session manager; ends event streams when the server stops."""

    def __init__(self, server: ToolkitMCP) -> None:
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
            await self._server.sessions.handle_request(scope, receive, send)
            return
        begun = ended = False

        async def watched(message: Message) -> None:
            nonlocal begun, ended
            await send(message)
            begun = True
            ended = message["type"] == "http.response.body" and not message.get("more_body")

        async with anyio.create_task_group() as group:

            async def stop() -> None:
                await self._server.stopping.wait()
                group.cancel_scope.cancel()

            group.start_soon(stop)
            await self._server.sessions.handle_request(scope, receive, watched)
            group.cancel_scope.cancel()
        if begun and not ended:
            await send({"type": "http.response.body", "body": b""})


async def _send_change(session: ServerSession) -> None:
    # The client may be gone; that is its business.
    with contextlib.suppress(Exception):
        await session.send_tool_list_changed()
