"""Starts the worker as a plain process: for machines without bubblewrap, with what is lost said."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from doc2tools.compiler.ir.errors import SandboxError
from doc2tools.sandbox.confinement import WORKER, Limits, Started, configuration
from doc2tools.sandbox.interpreter import find_interpreter

NOTICE = (
    "the sandbox is weak: generated code cannot open connections or start programs, and has no "
    "environment, but it can read and write files as this user"
)
NOTICE_WITHOUT_FILTER = (
    "the sandbox is weak: generated code runs as this user with resource limits only; it can read "
    "and write files, start programs and open connections past the gateway"
)


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
        folder = Path(tempfile.mkdtemp(prefix="doc2tools-"))
        packages = folder / "packages"
        packages.mkdir()
        for name, path in self._interpreter.packages.items():
            (packages / name).symlink_to(path)
        config = configuration(
            fd, limits, paths=[str(packages)], home=str(folder / "home"), count_processes=False
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
            shutil.rmtree(folder, ignore_errors=True)
            raise SandboxError(f"the worker cannot be started: {error}") from None
        return Started(process, [folder])
