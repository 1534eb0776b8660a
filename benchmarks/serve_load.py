"""What the serving benchmarks share: a quick API, a bare fastapi-mcp tool, and a lean client.

`python -m benchmarks.serve_load api PORT` and `… bare PORT API` run the two servers. The client
speaks JSON over kept connections itself, so that it does not hide what the servers take.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

from benchmarks.thousand_tools import ANSWER

HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "0"},
}


def free_port() -> int:
    """Give a port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def running(*words: str, port: int, **environment: str) -> Generator[subprocess.Popen[bytes]]:
    """Run a command until the block ends; wait until it listens."""
    with Path(os.devnull).open("wb") as nothing:
        process = subprocess.Popen(
            [sys.executable, *words], stdout=nothing, stderr=nothing, env=os.environ | environment
        )
    try:
        until = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"{words} did not start")
            time.sleep(0.01)
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


def seconds_of(process: subprocess.Popen[bytes]) -> float:
    """Give the processor time that a process took."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Caller:
    """One MCP session over one kept connection."""

    def __init__(self, port: int, path: str = "/mcp") -> None:
        """Open the session."""
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._path = path
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        response = self._post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO})
        self._headers["Mcp-Session-Id"] = str(response[1].get("mcp-session-id"))
        self._headers["MCP-Protocol-Version"] = "2025-06-18"
        self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _post(self, message: dict[str, Any]) -> tuple[bytes, dict[str, str]]:
        self._connection.request("POST", self._path, json.dumps(message), self._headers)
        response = self._connection.getresponse()
        body = response.read()
        if response.status >= 300:
            raise RuntimeError(f"{response.status}: {body[:200]!r}")
        return body, {name.lower(): value for name, value in response.getheaders()}

    def close(self) -> None:
        """End the session."""
        self._connection.request("DELETE", self._path, headers=self._headers)
        self._connection.getresponse().read()
        self._connection.close()

    def ask(self, method: str, **params: object) -> dict[str, Any]:
        """Send a request and give its result."""
        body, _ = self._post({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        return json.loads(body)["result"]

    def call(self, name: str, arguments: dict[str, object]) -> dict[str, Any]:
        """Call a tool, which must answer."""
        result = self.ask("tools/call", name=name, arguments=arguments)
        if result.get("isError"):
            raise RuntimeError(str(result)[:300])
        return result


def rate(port: int, name: str, arguments: dict[str, object], calls: int, sessions: int) -> float:
    """Give the calls a second of several sessions at once."""
    callers = [Caller(port) for _ in range(sessions)]
    for caller in callers:
        caller.call(name, arguments)

    def work(caller: Caller) -> None:
        for _ in range(calls // sessions):
            caller.call(name, arguments)

    threads = [threading.Thread(target=work, args=(caller,)) for caller in callers]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return (calls // sessions) * sessions / (time.perf_counter() - began)


async def _api(port: int) -> None:
    body = json.dumps(ANSWER).encode()
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    answer = head % len(body) + body

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while True:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(answer)
                await writer.drain()

    server = await asyncio.start_server(serve, "127.0.0.1", port)
    await server.serve_forever()


def _bare(port: int, api: str) -> None:
    import httpx  # noqa: PLC0415 - in the server's process only
    import requests  # noqa: PLC0415
    import requests.adapters  # noqa: PLC0415
    import uvicorn  # noqa: PLC0415
    from fastapi import FastAPI  # noqa: PLC0415
    from fastapi_mcp import (  # noqa: PLC0415  # pyright: ignore[reportMissingTypeStubs]
        FastApiMCP,
    )

    app = FastAPI()
    session = requests.Session()
    adapter = requests.adapters.HTTPAdapter(pool_maxsize=64)
    session.mount("http://", adapter)

    @app.get("/invoices/{id}", operation_id="get_invoice")
    def get_invoice(id: int, state: str | None = None) -> Any:  # noqa: ANN401
        return session.get(f"{api}/invoices/{id}", params={"state": state}, timeout=30).json()

    client = httpx.AsyncClient(base_url=api, timeout=30)

    @app.get("/async/invoices/{id}", operation_id="get_invoice_async")
    async def get_invoice_async(id: int, state: str | None = None) -> Any:  # noqa: ANN401
        return (await client.get(f"/invoices/{id}", params={"state": state})).json()

    del get_invoice, get_invoice_async
    FastApiMCP(app).mount_http()
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error", access_log=False)


if __name__ == "__main__":
    if sys.argv[1] == "api":
        asyncio.run(_api(int(sys.argv[2])))
    else:
        _bare(int(sys.argv[2]), sys.argv[3])
