"""What a call through sandbox and gateway costs above a direct one with requests.

    python benchmarks/sandbox_overhead.py [--calls 1000] [--at-once 50] [--mode strict]

Starts a small server on loopback, calls it directly with a kept `requests.Session`, and then
through a warm worker: a generated-like tool, the gateway, no recordings. Prints the medians of
single calls, the difference in milliseconds (the aim is under 3) and their ratio; the same with
many calls at once, where each thread keeps a session of its own; the worker's start; what writing a
recording costs, with and without fsync; and with `--profile` where the parent's time goes.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import requests

from doc2tools.compiler.ir.exchange import Exchange, Request, Response
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.plan import ToolCall
from doc2tools.sandbox.gateway import Gateway
from doc2tools.sandbox.policy import Policy
from doc2tools.sandbox.recordings import Recordings
from doc2tools.sandbox.sandbox import Sandbox

BODY = b'{"status": "ok", "data": [' + b", ".join(b'"value"' for _ in range(200)) + b"]}"

CLIENT = """
import requests


class Client:
    def __init__(self, base_url=None, *, session=None):
        self.base_url = base_url or "{base_url}"
        self.session = session or requests.Session()


_client = None


def client():
    return _client


def use(client):
    global _client
    _client = client
"""

TOOL = """
from ..client import client


def get_item(number):
    api = client()
    return api.session.get(f"{api.base_url}/items/{number}").json()["status"]
"""


class Handler(BaseHTTPRequestHandler):
    """Answers every GET with the same two kilobytes."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Answer."""
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(BODY)}"
        self.wfile.write(head.encode() + b"\r\n\r\n" + BODY)


class Server(ThreadingHTTPServer):
    """Takes as many connections at once as the benchmark opens."""

    request_queue_size = 256
    daemon_threads = True


class Forgetful(Recordings):
    """Keeps nothing, so that every call is a real one."""

    def put(self, key: str, exchange: Exchange) -> None:
        """Drop it."""


def serve_in_child() -> tuple[str, int]:
    """Start the server in a process of its own; give its base URL and process id."""
    server = Server(("127.0.0.1", 0), Handler)
    pid = os.fork()
    if pid == 0:
        try:
            server.serve_forever()
        finally:
            os._exit(0)
    port = server.server_address[1]
    server.socket.close()
    return f"http://127.0.0.1:{port}", pid


def single(call: Callable[[int], object], count: int) -> float:
    """Give the median of single calls, in milliseconds."""
    for number in range(50):
        call(number)
    times: list[float] = []
    for number in range(count):
        started = time.perf_counter()
        call(1000 + number)
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1000


def together(call: Callable[[int], object], count: int, at_once: int) -> float:
    """Give the wall time for each call with many at once, in milliseconds."""
    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(call, range(at_once)))
        started = time.perf_counter()
        list(pool.map(call, range(10_000, 10_000 + count)))
        return (time.perf_counter() - started) / count * 1000


def measure_sandbox(base_url: str, arguments: argparse.Namespace) -> None:
    """Print the figures for calls."""
    local = threading.local()

    def direct(number: int) -> str:
        session: requests.Session | None = getattr(local, "session", None)
        if session is None:
            session = local.session = requests.Session()
        return str(session.get(f"{base_url}/items/{number}").json()["status"])

    options = CompileOptions(base_url=base_url, allow=("GET",))
    gateway = Gateway(Policy.from_options(options, []), options, base_url, Forgetful(None))
    started = time.perf_counter()
    with gateway, Sandbox(gateway, arguments.mode, arguments.at_once) as sandbox:
        print(f"worker's start           {(time.perf_counter() - started) * 1000:8.1f} ms")
        files = {"client.py": CLIENT.replace("{base_url}", base_url), "tools/items.py": TOOL}
        root = sandbox.load(files)

        def through(number: int) -> str:
            call = ToolCall(
                tool="get_item",
                root=root,
                module="tools.items",
                function="get_item",
                arguments={"number": number},
            )
            run = sandbox.run(call)
            assert run.returned == '"ok"', run
            return run.returned

        def report() -> None:
            plain, wrapped = single(direct, arguments.calls), single(through, arguments.calls)
            print(f"direct, one at a time    {plain:8.2f} ms a call (median)")
            print(f"sandbox, one at a time   {wrapped:8.2f} ms a call (median)")
            print(
                f"overhead                 {wrapped - plain:8.2f} ms, ratio {wrapped / plain:.2f}"
            )
            plain = together(direct, arguments.calls, arguments.at_once)
            wrapped = together(through, arguments.calls, arguments.at_once)
            print(f"direct, {arguments.at_once} at once       {plain:8.2f} ms a call (wall)")
            print(f"sandbox, {arguments.at_once} at once      {wrapped:8.2f} ms a call (wall)")
            print(
                f"overhead                 {wrapped - plain:8.2f} ms, ratio {wrapped / plain:.2f}"
            )

        report()
        print(f"workers started          {sandbox.starts:8d}    ({sandbox.mode})")
        if arguments.profile:
            profile = cProfile.Profile()
            profile.runcall(single, through, arguments.calls)
            pstats.Stats(profile).sort_stats("tottime").print_stats(18)


def measure_recordings(count: int) -> None:
    """Print the figures for writing recordings."""
    request = Request(method="GET", url="http://api.example/")
    exchange = Exchange(request=request, response=Response(status=200, body=BODY.decode()))
    with tempfile.TemporaryDirectory() as folder:
        recordings = Recordings(Path(folder))
        started = time.perf_counter()
        for number in range(count):
            recordings.put(f"{number:064x}", exchange)
        written = (time.perf_counter() - started) / count * 1000
        started = time.perf_counter()
        for number in range(count):
            recordings.get(f"{number:064x}")
        read = (time.perf_counter() - started) / count * 1000
        target = Path(folder) / "synced"
        started = time.perf_counter()
        for _ in range(100):
            with target.open("wb") as stream:
                stream.write(BODY)
                os.fsync(stream.fileno())
        synced = (time.perf_counter() - started) / 100 * 1000
    print(f"recording, write         {written:8.3f} ms")
    print(f"recording, read          {read:8.3f} ms")
    print(f"one fsync                {synced:8.3f} ms (not done)")


def main() -> None:
    """Run all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--at-once", type=int, default=50)
    parser.add_argument("--mode", choices=["strict", "weak", "auto"], default="auto")
    parser.add_argument("--profile", action="store_true")
    arguments = parser.parse_args()
    base_url, pid = serve_in_child()
    try:
        measure_sandbox(base_url, arguments)
        measure_recordings(arguments.calls)
    finally:
        os.kill(pid, 15)
        os.waitpid(pid, 0)


if __name__ == "__main__":
    main()
