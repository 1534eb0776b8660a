"""What a worker is started with: the limits, and the ways to start it."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from doc2tools.sandbox.seccomp import build_filter

WORKER = Path(__file__).with_name("worker.py")
THREADS = 64
MEBIBYTE = 1_048_576


@dataclass(frozen=True, slots=True)
class Limits:
    """What one worker may use; bytes, seconds and counts.

    Attributes:
        memory: Writable memory.
        address_space: Address space; threads reserve more than they use.
        cpu: Processor time of one worker's whole life.
        processes: Processes and threads.
        file_size: One file.
        open_files: Descriptors.
        scratch: The temporary file system.
        seccomp: Install the system call filter.
        landlock: In the weak mode, close the file system with Landlock.
    """

    memory: int = 1024 * MEBIBYTE
    address_space: int = 4096 * MEBIBYTE
    cpu: int = 1800
    processes: int = 256
    file_size: int = 16 * MEBIBYTE
    open_files: int = 128
    scratch: int = 64 * MEBIBYTE
    seccomp: bool = True
    landlock: bool = True


@dataclass
class Started:
    """A worker that was started: its process, and what to clear away once it has ended."""

    process: subprocess.Popen[bytes]
    clear: Callable[[], None] = lambda: None


class Launcher(Protocol):
    """A way to start a worker."""

    def start(self, fd: int, limits: Limits) -> Started:
        """Start a worker that talks over descriptor `fd`.

        Raises:
            SandboxError: it cannot be started.
        """
        ...


def configuration(
    fd: int,
    limits: Limits,
    *,
    paths: list[str],
    home: str,
    count_processes: bool,
    files: dict[str, list[str]] | None = None,
) -> str:
    """Give the worker's argument. It is visible in the process list and holds no secret."""
    resources = {
        "RLIMIT_DATA": limits.memory,
        "RLIMIT_AS": limits.address_space,
        "RLIMIT_CPU": limits.cpu,
        "RLIMIT_FSIZE": limits.file_size,
        "RLIMIT_NOFILE": limits.open_files,
        "RLIMIT_CORE": 0,
    }
    if count_processes:
        resources["RLIMIT_NPROC"] = limits.processes
    return json.dumps(
        {
            "fd": fd,
            "paths": paths,
            "home": home,
            "limits": resources,
            "seccomp": base64.b64encode(build_filter() if limits.seccomp else b"").decode(),
            "files": files,
            "threads": THREADS,
            "stack": 2 * MEBIBYTE,
        }
    )
