"""A server of 1,000 tools: its start, its tools/list, and its calls beside a bare fastapi-mcp tool.

`python -m benchmarks.serve_rate`. Both tools make the same request to the same API; rounds of one
and the other alternate in one run, and the median counts. The bare tool is what fastapi-mcp makes
of a FastAPI function: one calls `requests`, as packages do, the other awaits `httpx`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.serve_load import Caller, free_port, rate, running, seconds_of
from benchmarks.thousand_tools import write_package
from doc2tools.compiler.emit.tokens import tokens

SERVE = "from doc2tools.cli.main import run; run()"


def main() -> None:
    """Print start, tokens and rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", type=int, default=1_000)
    parser.add_argument("--calls", type=int, default=600)
    parser.add_argument("--sessions", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        out = options.out or Path(made)
        ports = {name: free_port() for name in ("api", "bare", "listed", "searched")}
        api = f"http://127.0.0.1:{ports['api']}"
        if not (out / "office").is_dir():
            write_package(out, options.tools, api)
        serve = ("-c", SERVE, "serve", "office", "--out", str(out), "--port")
        variable = {"OFFICE_BASE_URL": api}
        starts: list[float] = []
        processor: list[float] = []
        for _ in range(3):
            began = time.perf_counter()
            with running(*serve, str(ports["searched"]), port=ports["searched"]) as server:
                Caller(ports["searched"])
                starts.append(round(time.perf_counter() - began, 2))
                processor.append(seconds_of(server))
        load = ("-m", "benchmarks.serve_load")
        listed = (*serve, str(ports["listed"]), "--budget", "0")
        with (
            running(*load, "api", str(ports["api"]), port=ports["api"]),
            running(*load, "bare", str(ports["bare"]), api, port=ports["bare"]),
            running(*serve, str(ports["searched"]), port=ports["searched"], **variable),
            running(*listed, port=ports["listed"], **variable),
        ):
            caller = Caller(ports["searched"])
            listing = json.dumps(
                caller.ask("tools/list"), separators=(",", ":"), ensure_ascii=False
            )
            whole = json.dumps(
                Caller(ports["listed"]).ask("tools/list"), separators=(",", ":"), ensure_ascii=False
            )
            arguments: dict[str, object] = {"id": 7, "state": "open"}
            ways: dict[str, tuple[int, str, dict[str, object]]] = {
                "bare, requests": (ports["bare"], "get_invoice", arguments),
                "bare, httpx": (ports["bare"], "get_invoice_async", arguments),
                "by name": (ports["listed"], "get_invoice", arguments),
                "through call": (
                    ports["searched"],
                    "call",
                    {"name": "get_invoice", "arguments": arguments},
                ),
            }
            rates: dict[str, list[float]] = {way: [] for way in ways}
            for _ in range(options.rounds):
                for way, (port, name, given) in ways.items():
                    rates[way].append(rate(port, name, given, options.calls, options.sessions))
    middle = {way: statistics.median(found) for way, found in rates.items()}
    bare = [value for way, value in middle.items() if way.startswith("bare")]
    result = {
        "tools": options.tools,
        "seconds to start, first answer included": starts,
        "of processor time": processor,
        "tokens of tools/list": tokens(len(listing.encode())),
        "tokens of tools/list with all tools": tokens(len(whole.encode())),
        "calls a second": {way: round(value) for way, value in middle.items()},
        "share of the quicker bare tool's rate": {
            way: round(value / max(bare), 2)
            for way, value in middle.items()
            if not way.startswith("bare")
        },
        "rounds": {way: [round(value) for value in found] for way, found in rates.items()},
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
