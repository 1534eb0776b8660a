"""Builds a project's sdist and wheel with the standard builder, and checks them as an index would.

In go a project folder and a version; out come two files in a folder of the caller's. The project
itself is not touched: what is built is a copy.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

from doc2tools.compiler.ir.errors import PublishError
from doc2tools.publish.version import with_version

__all__ = ["build", "check", "copy_project", "set_version", "versioned_files"]

LEFT_OUT = ("build", "dist", ".*", "__pycache__", "*.egg-info")
SECONDS = 300.0
EPOCH = "315532800"


def copy_project(project: Path, package: str, version: str, work: Path) -> Path:
    """Copy a project into `work`, without what tools leave behind, and give the copy a version.

    Raises:
        PublishError: A file can't be copied, or does not say its version.
    """
    copy = work / "project"
    try:
        shutil.copytree(project, copy, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
    except (OSError, shutil.Error) as fault:
        raise PublishError(f"{project} cannot be copied: {fault}") from fault
    set_version(copy, package, version)
    return copy


def versioned_files(package: str) -> tuple[str, ...]:
    """Give the paths of the files in which a project's version stands."""
    names = ("__init__.py", "client.py", "doc2tools.json", "openapi.json")
    return ("pyproject.toml", *(f"src/{package}/{name}" for name in names))


def set_version(project: Path, package: str, version: str) -> None:
    """Write a version into a project's files.

    Raises:
        PublishError: A file is missing, or does not say its version where a compile writes it.
    """
    try:
        files = {path: (project / path).read_bytes() for path in versioned_files(package)}
    except OSError as fault:
        raise PublishError(
            f"{fault.filename} cannot be read: {fault.strerror}", hint="compile the package again"
        ) from fault
    for path, content in with_version(files, package, version).items():
        if content != files[path]:
            (project / path).write_bytes(content)


def build(project: Path, out: Path) -> tuple[Path, Path]:
    """Build sdist and wheel into `out`, with the setuptools that is installed here.

    Raises:
        PublishError: The builder failed; the message ends with its last words.
    """
    command = [
        sys.executable, "-m", "build", "--no-isolation", "--sdist", "--wheel",
        "--outdir", str(out), str(project),
    ]  # fmt: skip
    # Files of one date make the same wheel of the same sources.
    environment = {**os.environ, "SOURCE_DATE_EPOCH": EPOCH, "NO_COLOR": "1"}
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and words
            command, capture_output=True, text=True, timeout=SECONDS, check=False, env=environment
        )
    except subprocess.TimeoutExpired as fault:
        raise PublishError(f"the build took longer than {SECONDS:.0f} s") from fault
    sdists, wheels = sorted(out.glob("*.tar.gz")), sorted(out.glob("*.whl"))
    if done.returncode or len(sdists) != 1 or len(wheels) != 1:
        words = (done.stderr or done.stdout).strip().splitlines()[-5:]
        raise PublishError(
            "the package cannot be built: " + " / ".join(words),
            hint=f"try it by hand: python -m build {project}",
        )
    return sdists[0], wheels[0]


def check(files: tuple[Path, ...]) -> None:
    """Check distributions as `twine check --strict` does.

    Raises:
        PublishError: One would be refused by an index; the message says why.
    """
    from twine.commands import check as twine_check  # noqa: PLC0415 - slow to import

    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        failed = twine_check.check([str(file) for file in files], strict=True)
    if failed:
        raise PublishError(f"an index would refuse the package: {said.getvalue().strip()}")
