"""Start a real API on loopback, compile its documentation, and call one of the tools.

The API is Datasette over a small SQLite catalogue made here; its documentation, in `docs/`, is
written as staff wikis are. Run by `make demo`.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Generator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CATALOGUE = """
create table authors (id integer primary key, name text, born integer);
create table branches (id integer primary key, name text, town text);
create table books (
    id integer primary key, title text, year integer, isbn text,
    author_id integer references authors(id), branch_id integer references branches(id)
);
insert into authors values
    (1, 'Ines Calder', 1941), (2, 'Tomasz Wren', 1968), (3, 'A. Boateng', 1979);
insert into branches values (1, 'Old Mill', 'Millbrook'), (2, 'Harbour', 'Saltby');
insert into books values
    (1, 'Field Notes on Rain', 1974, '978-0-00-000001-1', 1, 1),
    (2, 'Weights and Measures', 1999, '978-0-00-000002-8', 2, 1),
    (3, 'The Tide Tables', 1987, '978-0-00-000003-5', 1, 2),
    (4, 'Small Engines, Explained', 2011, '978-0-00-000004-2', 3, 2);
"""
CALL = """
import library
print(">>> library.get_catalogue_book(3).columns")
print(library.get_catalogue_book(3).columns)
"""


def main() -> int:
    """Run the demo and give its exit code."""
    work = ROOT / "build" / "demo"
    work.mkdir(parents=True, exist_ok=True)
    with datasette(make_catalogue(work)) as base_url:
        say(f"A Datasette server with the library's catalogue runs at {base_url}")
        out = work / "generated"
        step(
            "doc2tools", "compile", str(HERE / "docs"),
            "--allow", "GET", "--base-url", base_url, "--name", "library", "--out", str(out),
            accept={0, 1},
        )  # fmt: skip
        say("The package is an ordinary one: install it and call a tool")
        package = str(out / "library")
        step("pip", "install", "--quiet", "--no-deps", "--no-build-isolation", package)
        step("python", "-c", CALL, environment={"LIBRARY_BASE_URL": base_url})
    return 0


def say(text: str) -> None:
    """Print a line between the steps."""
    print(f"\n\033[1m# {text}\033[0m" if sys.stdout.isatty() else f"\n# {text}", flush=True)  # noqa: T201


def step(
    program: str,
    *arguments: str,
    accept: set[int] | None = None,
    environment: dict[str, str] | None = None,
) -> None:
    """Run a program of this virtual environment and stop the demo if it fails."""
    if program != "python":
        print(f"$ {program} {' '.join(arguments)}", flush=True)  # noqa: T201
    command = [str(Path(sys.executable).parent / program), *arguments]
    done = subprocess.run(command, check=False, env={**os.environ, **(environment or {})})  # noqa: S603
    if done.returncode not in (accept or {0}):
        sys.exit(done.returncode)


def make_catalogue(work: Path) -> Path:
    """Write the SQLite file that the server shows."""
    path = work / "catalogue.db"
    path.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript(CATALOGUE)
    return path


@contextlib.contextmanager
def datasette(database: Path) -> Generator[str]:
    """Run Datasette on a free loopback port for as long as the block lasts."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    base_url = f"http://127.0.0.1:{port}"
    log = database.with_suffix(".log")
    program = str(Path(sys.executable).parent / "datasette")
    with log.open("wb") as output:
        server = subprocess.Popen(  # noqa: S603
            [program, "serve", str(database), "--host", "127.0.0.1", "--port", str(port)],
            stdout=output,
            stderr=output,
        )
    try:
        wait_for(f"{base_url}/-/versions.json", server, log)
        yield base_url
    finally:
        server.terminate()
        server.wait(timeout=10)


def wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until `url` answers; leave with the server's log if it never does."""
    for _ in range(200):
        with contextlib.suppress(urllib.error.URLError, ConnectionError):
            urllib.request.urlopen(url, timeout=2)  # noqa: S310 - a loopback address made above
            return
        if server.poll() is not None:
            break
        time.sleep(0.1)
    sys.exit(f"the server did not start:\n{log.read_text(errors='replace')}")


if __name__ == "__main__":
    sys.exit(main())
