"""How long a compile takes beside the calls it has to make, and how long the second one takes.

    python -m benchmarks.compile_scale [--endpoints 500] [--pages 50] [--delay 0.02]

Writes documentation of so many endpoints, serves them from a process of its own on loopback with
a fixed delay in each answer, compiles, and prints where the time goes. The bound printed is
3 x (calls x mean answer time / concurrency) + 10 s; the second compile, unchanged, has to make no
call and change no file.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import tempfile
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from pathlib import Path

from doc2tools.compiler.events import StageFinished
from doc2tools.compiler.ir.options import CompileOptions, LimitOptions
from doc2tools.compiler.pipeline import compile_docs

WORDS = (
    "orders", "parts", "bins", "shelves", "trucks", "routes", "crews", "shifts", "docks", "bays",
)  # fmt: skip


def serve(pipe: Connection, delay: float) -> None:
    """Answer every GET with a small record after `delay` seconds, and count on request."""
    times: list[float] = []
    lock = threading.Lock()

    class Api(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            began = time.perf_counter()
            time.sleep(delay)
            name = self.path.strip("/").replace("/", "-")
            record = {"id": name, "name": f"the {name}", "size": len(name), "tags": [name]}
            body = json.dumps(record).encode()
            known = "no-such" not in self.path and self.path.startswith("/v1/")
            self.send_response(200 if known else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            with lock:
                times.append(time.perf_counter() - began)

        def log_message(self, format: str, *args: object) -> None:
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Api)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pipe.send(server.server_address[1])
    while pipe.recv() == "count":
        with lock:
            pipe.send((len(times), sum(times) / max(1, len(times))))
            times.clear()
    server.shutdown()


def write_docs(folder: Path, endpoints: int, pages: int) -> None:
    """Write `endpoints` endpoints over `pages` Markdown pages."""
    for page in range(pages):
        lines = [f"# Area {page}", ""]
        for number in range(page, endpoints, pages):
            word = WORDS[number % len(WORDS)]
            path = f"/v1/area{page}/{word}{number}"
            lines += [f"## Show {word} {number}", "", f"`GET {path}/{{{word}_id}}`", ""]
            lines += [f"Returns one record of {word} {number}.", ""]
            lines += ["Parameter | Type | Description", "---|---|---"]
            lines += [f"`{word}_id` | string, required | which one, e.g. `{word[0]}7`"]
            lines += ["`verbose` | boolean, optional | more detail", ""]
        (folder / f"area{page:03}.md").write_text("\n".join(lines))


def main() -> None:
    """Compile twice and print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--endpoints", type=int, default=500)
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--delay", type=float, default=0.02)
    parser.add_argument("--concurrency", type=int, default=8)
    arguments = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(theirs, arguments.delay), daemon=True)
    server.start()
    port: int = ours.recv()
    work = Path(tempfile.mkdtemp())
    docs = work / "docs"
    docs.mkdir()
    write_docs(docs, arguments.endpoints, arguments.pages)
    options = CompileOptions(
        base_url=f"http://127.0.0.1:{port}",
        allow=("GET",),
        name="warehouse",
        limits=LimitOptions(concurrency=arguments.concurrency),
    )
    stages: Counter[str] = Counter()

    def listen(event: object) -> None:
        if isinstance(event, StageFinished):
            stages[event.stage] += event.seconds  # type: ignore[assignment] - seconds, not counts

    first = compile_docs([str(docs)], options, work / "out", on_event=listen)
    ours.send("count")
    calls, mean = ours.recv()
    least = calls * mean / arguments.concurrency
    print(f"{arguments.endpoints} endpoints on {arguments.pages} pages: {first.counts}")
    print(f"first compile: {first.seconds:.2f} s, {calls} calls of {1000 * mean:.1f} ms each")
    print(f"bound: 3 x {least:.2f} s + 10 s = {3 * least + 10:.2f} s")
    print("  " + ", ".join(f"{stage} {seconds:.2f} s" for stage, seconds in stages.items()))
    second = compile_docs([str(docs)], options, work / "out")
    ours.send("count")
    calls, _ = ours.recv()
    print(f"second compile: {second.seconds:.2f} s, {calls} calls, {len(second.changed)} changed")
    ours.send("stop")
    server.join(timeout=5)


if __name__ == "__main__":
    main()
