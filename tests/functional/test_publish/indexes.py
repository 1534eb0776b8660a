"""Real package indexes on loopback: pypiserver and devpi, each as a process of its own."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import requests

USER = "uploader"
PASSWORD = "index-pass-93f1"  # noqa: S105 - of a server that lives for one test
BIN = Path(sys.executable).parent
SECONDS = 60


@dataclass(frozen=True)
class Index:
    """A running index: where to upload, and where installers look."""

    url: str
    simple: str


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def _process(command: list[str], ready: str, log: Path) -> Generator[None]:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONWARNINGS"}
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
        try:
            deadline = time.monotonic() + SECONDS
            while True:
                with contextlib.suppress(requests.ConnectionError):
                    if requests.get(ready, timeout=5).status_code < 500:
                        break
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"no index came up: {log.read_text()[-2000:]}")
                time.sleep(0.1)
            yield
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextlib.contextmanager
def pypiserver(folder: Path) -> Generator[Index]:
    """Run pypiserver; anyone may read, `USER` may upload; it would let nobody overwrite."""
    packages = folder / "packages"
    packages.mkdir(parents=True)
    digest = base64.b64encode(hashlib.sha1(PASSWORD.encode()).digest()).decode()  # noqa: S324 - htpasswd's form
    (folder / "htpasswd").write_text(f"{USER}:{{SHA}}{digest}\n")
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [
        str(BIN / "pypi-server"), "run", "-i", "127.0.0.1", "-p", str(port),
        "-P", str(folder / "htpasswd"), "-a", "update", "--disable-fallback", str(packages),
    ]  # fmt: skip
    with _process(command, f"{url}/simple/", folder / "log"):
        yield Index(url, f"{url}/simple/")


@contextlib.contextmanager
def devpi(folder: Path) -> Generator[Index]:
    """Run devpi with one volatile index of `USER`: it would let a version be overwritten."""
    state = folder / "state"
    folder.mkdir(parents=True)
    subprocess.run(
        [str(BIN / "devpi-init"), "--serverdir", str(state), "--no-root-pypi",
         "--root-passwd", PASSWORD],
        check=True, capture_output=True,
    )  # fmt: skip
    port = free_port()
    root = f"http://127.0.0.1:{port}"
    command = [
        str(BIN / "devpi-server"), "--serverdir", str(state),
        "--host", "127.0.0.1", "--port", str(port),
    ]  # fmt: skip
    with _process(command, f"{root}/+api", folder / "log"):
        created = requests.put(f"{root}/{USER}", json={"password": PASSWORD}, timeout=30)
        created.raise_for_status()
        login = requests.post(
            f"{root}/+login", json={"user": USER, "password": PASSWORD}, timeout=30
        )
        login.raise_for_status()
        token = login.json()["result"]["password"]
        with requests.Session() as session:
            session.auth = (USER, token)
            session.headers["X-Devpi-Auth"] = _devpi_auth(token)
            made = session.put(
                f"{root}/{USER}/tools", json={"bases": [], "volatile": True}, timeout=30
            )
        made.raise_for_status()
        url = f"{root}/{USER}/tools/"
        yield Index(url, f"{url}+simple/")


def _devpi_auth(token: str) -> str:
    return base64.b64encode(f"{USER}:{token}".encode()).decode()
