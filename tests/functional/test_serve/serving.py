"""Starts `doc2tools serve` as its users do: a process of its own, on a free port."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent

PROGRAM = Path(sys.executable).parent / "doc2tools"
READY = re.compile(rb"listening on (http://\S+)")


@dataclass
class Served:
    """A server that runs.

    Attributes:
        url: Where it speaks MCP.
        said: What it wrote to standard error so far.
    """

    url: str
    process: subprocess.Popen[bytes]
    said: bytearray = field(default_factory=bytearray)

    @property
    def base(self) -> str:
        """Its address without the path."""
        return self.url.removesuffix("/mcp")

    def hear(self, seconds: float = 0.2) -> str:
        """Give all that it wrote to standard error, after waiting for more."""
        _hear(self.process, self.said, seconds)
        return self.said.decode(errors="replace")

    def stop(self, number: int = signal.SIGTERM) -> int:
        """End it and give its exit code."""
        self.process.send_signal(number)
        code = self.process.wait(timeout=15)
        self.hear()
        return code

    def memory(self) -> int:
        """Give the memory it holds, in kB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0])


@contextlib.contextmanager
def serving(
    *words: object,
    environment: Mapping[str, str] | None = None,
    seconds: float = 20,
    cwd: Path | None = None,
    program: Path = PROGRAM,
) -> Generator[Served]:
    """Run `doc2tools serve` with these words until the block ends.

    Args:
        *words: Names and options; the port is a free one unless given.
        environment: Variables beside this process's own.
        seconds: How long it may take to listen.
        cwd: Where to run it.
        program: The `doc2tools` of another environment.
    """
    command = [str(program), "serve", *(str(word) for word in words)]
    if "--port" not in command:
        command += ["--port", "0"]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, **(environment or {})},
        cwd=cwd,
    )
    said = bytearray()
    try:
        until = time.monotonic() + seconds
        while (ready := READY.search(said)) is None:
            if process.poll() is not None or time.monotonic() > until:
                raise AssertionError(f"the server did not start:\n{said.decode(errors='replace')}")
            _hear(process, said, 0.1)
        yield Served(ready[1].decode(), process, said)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(timeout=15)
        assert process.stderr is not None
        process.stderr.close()


def _hear(process: subprocess.Popen[bytes], said: bytearray, seconds: float) -> None:
    assert process.stderr is not None
    while select.select([process.stderr], [], [], seconds)[0]:
        data = os.read(process.stderr.fileno(), 65_536)
        if not data:
            time.sleep(0.02)
            return
        said += data
        seconds = 0


@contextlib.asynccontextmanager
async def client(url: str, **headers: str) -> AsyncGenerator[ClientSession]:
    """Connect the official client over streamable HTTP.

    Args:
        url: The server's.
        **headers: Sent with every request; `_` stands for `-`.
    """
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    async with (
        httpx.AsyncClient(headers=sent, timeout=60) as http,
        streamable_http_client(url, http_client=http) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        yield session


def text_of(result: CallToolResult) -> str:
    """Give a result's text."""
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


def answer_of(result: CallToolResult) -> Any:  # noqa: ANN401 - any JSON
    """Give the answer in a result that must not be an error."""
    assert not result.isError, text_of(result)
    assert result.structuredContent is not None
    return result.structuredContent["result"]
