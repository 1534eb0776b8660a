"""A real Chroma server on loopback, started as Chroma itself starts one."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

START_SECONDS = 30.0


@contextlib.contextmanager
def chroma_server(folder: Path) -> Generator[str]:
    """Run `chroma run` with its data in `folder`, and give its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = str(Path(sys.executable).parent / "chroma")
    words = [command, "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(words, stdout=log, stderr=log)
        try:
            deadline = time.monotonic() + START_SECONDS
            while True:
                with contextlib.suppress(OSError):
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    break
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError((folder / "server.log").read_text()[-500:])
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(10)
