"""Starts the worker as a plain process: for machines without bubblewrap, with what is lost said."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from doc2tools.compiler.ir.errors import SandboxError
from doc2tools.sandbox.confinement import WORKER, Limits, Started, configuration
from doc2tools.sandbox.interpreter import find_interpreter

PREFIX = "doc2tools-worker-"
ABANDONED_SECONDS = 60.0

_READABLE = ("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/share/zoneinfo", "/nix/store")
_FILES = ("/etc/ld.so.cache", "/dev/urandom", "/dev/null")


def weak_notice(lost: tuple[str, ...]) -> str:
    """Say what the weak mode lacks; `lost` names the walls that could not be put up either."""
    missing: list[str] = []
    if "landlock" in lost:
        missing.append("read and write files as this user, this process's environment among them")
    if "seccomp" in lost:
        missing.append("start programs and open connections past the gateway")
    if missing:
        return f"the sandbox is weak: generated code can {', and '.join(missing)}"
    return (
        "the sandbox is weak: generated code runs as this user without namespaces; only the "
        "kernel's filters keep it from files, programs and connections"
    )


class Scratch:
    """A worker's folder, locked as long as its parent lives; so others see what was left behind."""

    def __init__(self) -> None:
        """Make the folder."""
        self.folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    def clear(self) -> None:
        """Remove it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        with contextlib.suppress(OSError):
            os.close(self._lock)


def sweep(place: Path) -> None:
    """Remove the folders of workers whose parent was killed before it could."""
    for folder in sorted(place.glob(f"{PREFIX}*")):
        with contextlib.suppress(OSError):
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                found = os.fstat(lock)
                # A folder that is only being made has no lock yet.
                old = time.time() - found.st_mtime > ABANDONED_SECONDS
                if old and found.st_uid == os.geteuid():
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


class PlainProcess:
    """Starts workers with an empty environment, limits and a session of their own."""

    def __init__(self) -> None:
        """Find the interpreter."""
        self._interpreter = find_interpreter()

    def start(self, fd: int, limits: Limits) -> Started:
        """Start a worker that talks over descriptor `fd`.

        Raises:
            SandboxError: the process cannot be started.
        """
        sweep(Path(tempfile.gettempdir()))
        scratch = Scratch()
        folder = scratch.folder
        packages = folder / "packages"
        packages.mkdir()
        for name, path in self._interpreter.packages.items():
            (packages / name).symlink_to(path)
        config = configuration(
            fd,
            limits,
            paths=[str(packages)],
            home=str(folder / "home"),
            count_processes=False,
            files=self._files(folder) if limits.landlock else None,
        )
        command = [str(self._interpreter.executable), "-I", "-S", "-B", str(WORKER), config]
        environment = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "MALLOC_ARENA_MAX": "2"}
        try:
            process = subprocess.Popen(  # noqa: S603 (a fixed program, arguments not from outside)
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=(fd,),
                env={**environment, "HOME": str(folder)},
                cwd=folder,
                start_new_session=True,
            )
        except OSError as error:
            scratch.clear()
            raise SandboxError(f"the worker cannot be started: {error}") from None
        return Started(process, scratch.clear)

    def _files(self, folder: Path) -> dict[str, list[str]]:
        found = self._interpreter
        read = [*found.standard, *found.packages.values()]
        if found.prefix not in (Path("/"), Path("/usr")):
            read += [path for path in (found.prefix / "lib").glob("lib*") if path.is_file()]
        return {
            "read": [*map(str, read), *_READABLE, *_FILES, str(WORKER)],
            "write": [str(folder), "/dev/null"],
        }
