"""Runs a server until it is told to stop: over HTTP, or over standard input and output."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Callable, Generator
from io import TextIOWrapper

import anyio
import uvicorn
from fastapi import FastAPI
from mcp.server.stdio import stdio_server

from doc2tools.compiler.ir.errors import UsageError
from doc2tools.serve.app import MOUNTED, make_app
from doc2tools.serve.mcp_server import ToolkitMCP
from doc2tools.serve.service import Service
from doc2tools.serve.settings import HttpOptions
from doc2tools.serve.watching import watch

STOPS = (signal.SIGINT, signal.SIGTERM)
STOP_SECONDS = 5
BACKLOG = 512

Say = Callable[[str], object]


class _Uvicorn(uvicorn.Server):
    def __init__(
        self, config: uvicorn.Config, ready: Callable[[], object], mcp: ToolkitMCP
    ) -> None:
        super().__init__(config)
        self._ready = ready
        self._mcp = mcp

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and not self.should_exit:
            self._ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        # The original sends the signal again at the end; a stop that was asked for is no failure.
        loop = asyncio.get_running_loop()
        for number in STOPS:
            loop.add_signal_handler(number, self._stop, number)
        try:
            yield
        finally:
            for number in STOPS:
                loop.remove_signal_handler(number)

    def _stop(self, number: int) -> None:
        # Streams and calls under way would hold up the stop.
        self._mcp.stopping.set()
        self._mcp.service.close()
        self.handle_exit(number, None)


def serve_http(service: Service, options: HttpOptions, say: Say) -> None:
    """Listen until interrupted or terminated.

    Args:
        service: What is offered.
        options: Where to listen, and whom to answer.
        say: Told what an operator wants to know.

    Raises:
        UsageError: The address cannot be listened on.
    """
    sock = _listen(options.host, options.port)
    host, port = sock.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host

    async def run() -> None:
        application = make_app(service, options)
        config = uvicorn.Config(
            application.app,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=STOP_SECONDS,
        )
        address = f"http://{shown}:{port}{MOUNTED}"
        server = _Uvicorn(config, lambda: say(f"listening on {address}"), application.mcp)
        async with _watched(service, say):
            await server.serve([sock])

    _quiet()
    with contextlib.suppress(KeyboardInterrupt), contextlib.closing(sock):
        asyncio.run(run())
    service.close()
    say("stopped")


def serve_stdio(service: Service, say: Say) -> None:
    """Speak with the one client that started this process, until it closes its end.

    Standard output carries the protocol alone: whatever else would print goes to standard error.
    """
    output = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr

    def stop() -> None:
        # A thread waits for input and cannot be woken; nothing is left to be written.
        service.close()
        say("stopped")
        os._exit(0)

    async def run() -> None:
        loop = asyncio.get_running_loop()
        for number in STOPS:
            loop.add_signal_handler(number, stop)
        mcp = ToolkitMCP(FastAPI(), service)
        stdin = TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
        stdout = TextIOWrapper(os.fdopen(output, "wb"), encoding="utf-8")
        streams = stdio_server(anyio.wrap_file(stdin), anyio.wrap_file(stdout))
        async with _watched(service, say), streams as (read, write):
            say("speaking on standard input and output")
            await mcp.server.run(read, write, mcp.server.create_initialization_options())

    _quiet()
    asyncio.run(run())
    service.close()
    say("stopped")


@contextlib.asynccontextmanager
async def _watched(service: Service, say: Say) -> AsyncGenerator[None]:
    if not service.options.reload:
        yield
        return
    task = asyncio.create_task(watch(service, say))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns off Nagle's algorithm only where the protocol is named; answers would wait.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen(BACKLOG)
    except OSError as fault:
        sock.close()
        raise UsageError(
            f"{host}:{port} cannot be listened on: {fault.strerror or fault}",
            hint="choose another --port; 0 takes a free one",
        ) from fault
    return sock


def _quiet() -> None:
    """Have warnings and errors written to standard error, and nothing about single requests."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    # What these say of requests that fail may hold what was in them.
    for name in ("mcp", "fastapi_mcp", "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
