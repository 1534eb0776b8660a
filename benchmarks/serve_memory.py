"""The memory of a server over 100,000 calls: flat, or not.

`python -m benchmarks.serve_memory`. Calls go through several sessions; one in a hundred fails on
purpose, and one in fifty is a search.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.serve_load import Caller, free_port, running
from benchmarks.thousand_tools import write_package

SERVE = "from doc2tools.cli.main import run; run()"


def memory(process: subprocess.Popen[bytes]) -> int:
    """Give the resident memory of a process, in kB."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def main() -> None:
    """Print the memory at each tenth of the calls."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--sessions", type=int, default=4)
    parser.add_argument("--tools", type=int, default=1_000)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        out = options.out or Path(made)
        api_port, port = free_port(), free_port()
        api = f"http://127.0.0.1:{api_port}"
        if not (out / "office").is_dir():
            write_package(out, options.tools, api)
        words = ("-c", SERVE, "serve", "office", "--out", str(out), "--port", str(port))
        with (
            running("-m", "benchmarks.serve_load", "api", str(api_port), port=api_port),
            running(*words, port=port, OFFICE_BASE_URL=api) as server,
        ):
            seen: list[int] = []
            began = time.perf_counter()
            for tenth in range(11):
                calls = options.calls // 10 if tenth else options.calls // 100
                _burst(port, calls, options.sessions)
                seen.append(memory(server))
            seconds = time.perf_counter() - began
    # The first measure comes after a hundredth of the calls, when all is imported.
    result = {
        "calls": options.calls,
        "seconds": round(seconds),
        "kB after each tenth": seen,
        "growth since the first tenth": f"{100 * (seen[-1] - seen[1]) / seen[1]:.1f} %",
    }
    print(json.dumps(result, indent=2))


def _burst(port: int, calls: int, sessions: int) -> None:
    def work(number: int) -> None:
        caller = Caller(port)
        for at in range(calls // sessions):
            thing = ("invoice", "order", "hotel", "ticket", "sensor")[at % 5]
            if at % 100 == 99:
                caller.ask("tools/call", name="call", arguments={"name": f"no_{number}_{at}"})
            elif at % 50 == 49:
                caller.call("search", {"query": f"what is the owner of {thing} {number * at}"})
            else:
                caller.call("call", {"name": f"get_{thing}", "arguments": {"id": at}})
        caller.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(sessions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
