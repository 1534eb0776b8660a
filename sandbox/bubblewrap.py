"""Starts the worker under bubblewrap: own namespaces, no network, only what Python needs."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from doc2tools.compiler.ir.base import Frozen
from doc2tools.compiler.ir.errors import SandboxError
from doc2tools.sandbox.confinement import WORKER, Limits, Started, configuration
from doc2tools.sandbox.interpreter import Interpreter, find_interpreter
from doc2tools.sandbox.seccomp import build_filter

HINT = "apt-get install bubblewrap; or accept less with --sandbox weak (see docs/security.md)"
USERNS_HINT = (
    "bubblewrap needs user namespaces, which this machine or container may forbid; "
    "or accept less with --sandbox weak (see docs/security.md)"
)
NOBODY = "65534"
PROBE_SECONDS = 20

_LIBRARY_FOLDERS = ("/lib", "/lib64", "/lib32", "/libx32")
_READABLE = (
    "/usr/lib",
    "/usr/lib64",
    "/usr/lib32",
    "/etc/ld.so.cache",
    "/usr/share/zoneinfo",
    "/nix/store",
)
_CREDENTIALS_OF_NOBODY = ("--uid", NOBODY, "--gid", NOBODY)


class SandboxProbe(Frozen):
    """What this machine can do for the sandbox, for `doctor`.

    Attributes:
        bubblewrap: Path of the program, or "".
        version: Its version, or "".
        works: A worker's surroundings can be set up here.
        reason: Why not, or "".
        root: This process runs as root.
        seccomp: There is a system call filter for this machine.
        cgroup: Control groups can be written to (memory and processor time would be theirs).
        python: The interpreter that the worker runs.
        kernel: The kernel's release.
    """

    bubblewrap: str
    version: str
    works: bool
    reason: str
    root: bool
    seccomp: bool
    cgroup: bool
    python: str
    kernel: str


class Bubblewrap:
    """Starts workers under bubblewrap."""

    def __init__(self) -> None:
        """Find the program.

        Raises:
            SandboxError: it is not installed.
        """
        path = shutil.which("bwrap")
        if path is None:
            raise SandboxError("bubblewrap is not installed", HINT)
        self.path = path
        self.version = _version(path)
        self._interpreter = find_interpreter()

    def start(self, fd: int, limits: Limits) -> Started:
        """Start a worker that talks over descriptor `fd`.

        Raises:
            SandboxError: bubblewrap cannot be run.
        """
        config = configuration(
            fd,
            limits,
            paths=["/packages"],
            home="/tmp/packages",  # noqa: S108 (inside the sandbox, its own)
            count_processes=_counts_processes(),
        )
        program = [str(self._interpreter.executable), "-I", "-S", "-B", "/worker/worker.py", config]
        try:
            process = subprocess.Popen(  # noqa: S603 (a fixed program, arguments not from outside)
                [*self.arguments(limits), *program],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=(fd,),
                env={},
                cwd="/",
                start_new_session=True,
            )
        except OSError as error:
            raise SandboxError(f"bubblewrap cannot be started: {error}", HINT) from None
        return Started(process)

    def arguments(self, limits: Limits) -> list[str]:
        """Give the command line up to the program to run."""
        command = [self.path, "--unshare-user", "--unshare-all"]
        if self.version >= (0, 8):
            command.append("--disable-userns")
        command += ["--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"]
        command += [*_CREDENTIALS_OF_NOBODY, "--hostname", "sandbox"]
        command += ["--setenv", "HOME", "/home/tool", "--setenv", "LC_ALL", "C.UTF-8"]
        command += ["--setenv", "TZ", "UTC", "--setenv", "MALLOC_ARENA_MAX", "2"]
        command += _library_binds()
        command += self._interpreter_binds()
        for name, path in sorted(self._interpreter.packages.items()):
            command += ["--ro-bind", str(path), f"/packages/{name}"]
        command += ["--ro-bind", str(WORKER), "/worker/worker.py"]
        for folder, size in (("/tmp", limits.scratch), ("/home/tool", 1_048_576)):  # noqa: S108
            # Sizes came with 0.7; before it, only the limit on one file's size holds.
            command += ["--size", str(size)] if self.version >= (0, 7) else []
            command += ["--tmpfs", folder]
        # For a worker started by root, the kernel takes /proc/sys and its like to be its own to
        # write, whatever the namespaces say; bubblewrap does not cover that.
        command += ["--proc", "/proc", "--remount-ro", "/proc"]
        command += ["--dev", "/dev", "--remount-ro", "/dev"]
        return [*command, "--remount-ro", "/", "--chdir", "/tmp", "--"]  # noqa: S108

    def _interpreter_binds(self) -> list[str]:
        interpreter = self._interpreter
        wanted = [interpreter.executable, *interpreter.standard]
        if interpreter.prefix not in (Path("/"), Path("/usr")):
            wanted.append(interpreter.prefix / "lib")
        readable = [Path(path) for path in _READABLE]
        binds: list[str] = []
        for path in sorted(set(wanted)):
            if path.exists() and not any(path.is_relative_to(folder) for folder in readable):
                binds += ["--ro-bind", str(path), str(path)]
                readable.append(path)
        # What else is installed beside the standard library is not the worker's business.
        for folder in interpreter.standard:
            for name in ("site-packages", "dist-packages"):
                if (folder / name).is_dir():
                    binds += ["--tmpfs", str(folder / name), "--remount-ro", str(folder / name)]
        return binds


def probe() -> SandboxProbe:
    """Try out what the sandbox can do on this machine."""
    interpreter = find_interpreter()
    reason, version, path = "", "", shutil.which("bwrap") or ""
    try:
        wrap = Bubblewrap()
        version = ".".join(map(str, wrap.version))
        reason = _try_out(wrap, interpreter)
    except SandboxError as error:
        reason = str(error)
    return SandboxProbe(
        bubblewrap=path,
        version=version,
        works=not reason,
        reason=reason,
        root=os.geteuid() == 0,
        seccomp=bool(build_filter()),
        cgroup=_cgroup_writable(),
        python=str(interpreter.executable),
        kernel=platform.release(),
    )


def _try_out(wrap: Bubblewrap, interpreter: Interpreter) -> str:
    command = [
        *wrap.arguments(Limits()),
        str(interpreter.executable),
        "-I",
        "-S",
        "-c",
        "import ssl",
    ]
    try:
        done = subprocess.run(  # noqa: S603 (a fixed program, arguments not from outside)
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env={},
            cwd="/",
            timeout=PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap cannot be run: {error}"
    if done.returncode == 0:
        return ""
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:300] if lines else f"bubblewrap ended with {done.returncode}"


@cache
def _version(path: str) -> tuple[int, ...]:
    try:
        done = subprocess.run(  # noqa: S603 (a fixed program and argument)
            [path, "--version"], capture_output=True, timeout=PROBE_SECONDS, check=False, env={}
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    match = re.search(rb"(\d+)\.(\d+)(?:\.(\d+))?", done.stdout)
    return tuple(int(part) for part in match.groups(default=b"0")) if match else ()


def _library_binds() -> list[str]:
    binds: list[str] = []
    for name in _READABLE:
        if Path(name).exists():
            binds += ["--ro-bind", name, name]
    for name in _LIBRARY_FOLDERS:
        path = Path(name)
        if path.is_symlink():
            binds += ["--symlink", str(path.readlink()), name]
        elif path.is_dir():
            binds += ["--ro-bind", name, name]
    return binds


def _counts_processes() -> bool:
    # Since 5.14 the count is the user namespace's own; before, it is all that the user runs.
    match = re.match(r"(\d+)\.(\d+)", platform.release())
    return bool(match) and (int(match[1]), int(match[2])) >= (5, 14)


def _cgroup_writable() -> bool:
    return any(
        os.access(path, os.W_OK) and Path(path).exists()
        for path in ("/sys/fs/cgroup/cgroup.subtree_control", "/sys/fs/cgroup/memory/tasks")
    )
