"""Writing a generated project: atomic by file, safe to kill, the user's own files left alone."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import cast

from doc2tools.compiler.ir.errors import StoreError, UsageError

LISTING = ".doc2tools-files.json"
"""What was generated: path to SHA-256. It also marks the folder as ours."""

_TEMPORARY = ".doc2tools-tmp-"


def write_project(folder: Path, files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Make `folder` hold `files`.

    A file that is right already is not touched. What an earlier run generated and this one does not
    is removed. The list of files goes first, so that a run which is killed leaves a folder that the
    next one knows as its own.

    Args:
        folder: The project's folder; made if missing.
        files: Relative path with forward slashes to content.

    Returns:
        The paths written or removed, sorted.

    Raises:
        UsageError: The folder holds something that doc2tools did not write.
        StoreError: It cannot be written.
    """
    for path in files:
        parts = PurePosixPath(path).parts
        if not parts or path.startswith("/") or ".." in parts or "\\" in path or "\0" in path:
            raise AssertionError(f"not a path inside the project: {path!r}")
    try:
        return _write(folder, files)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise StoreError(
            f"cannot write {error.filename or folder}: {reason}",
            "free some space or correct the permissions, then run the same command again",
        ) from error


def _write(folder: Path, files: Mapping[str, bytes]) -> tuple[str, ...]:
    check_target(folder)
    folder.mkdir(parents=True, exist_ok=True)
    known = _listed(folder)
    _refuse_links(folder, (*files, *known))
    wanted = digests(files)
    stale = sorted(path for path in known if path not in files)
    changed: list[str] = []
    if stale or known != wanted:
        _put(folder / LISTING, _listing({**known, **wanted}))
    for path, content in sorted(files.items()):
        if _put(folder / path, content):
            changed.append(path)
    for path in stale:
        if _remove(folder, folder / path):
            changed.append(path)
    _put(folder / LISTING, _listing(wanted))
    _sweep(folder, (*files, LISTING))
    return tuple(sorted(changed))


def digests(files: Mapping[str, bytes]) -> dict[str, str]:
    """Give each file's SHA-256, hexadecimal."""
    return {path: hashlib.sha256(content).hexdigest() for path, content in files.items()}


def is_intact(folder: Path, wanted: Mapping[str, str]) -> bool:
    """Tell whether `folder` holds just the generated files `wanted` (path to SHA-256)."""
    try:
        return _listed(folder) == dict(wanted) and all(
            hashlib.sha256((folder / path).read_bytes()).hexdigest() == digest
            for path, digest in wanted.items()
        )
    except OSError:
        return False


def check_target(folder: Path) -> None:
    """Refuse a folder that holds something else, before any work is done for it.

    Raises:
        UsageError: The folder holds something that doc2tools did not write.
    """
    if not folder.exists():
        return
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder", "choose another folder with --out")
    if (folder / LISTING).is_file() or next(folder.glob("src/*/doc2tools.json"), None) is not None:
        return
    foreign = sorted(p.name for p in folder.iterdir() if not p.name.startswith(_TEMPORARY))
    if foreign:
        raise UsageError(
            f"{folder} holds files that doc2tools did not write ({', '.join(foreign[:3])})",
            "choose another folder with --out, another --name, or empty this one yourself",
        )


def _refuse_links(folder: Path, paths: Iterable[str]) -> None:
    """Refuse to write or remove through a link that leads out of the project."""
    root = folder.resolve()
    for parent in sorted({(folder / path).parent for path in paths}):
        if not parent.resolve().is_relative_to(root):
            raise UsageError(
                f"{parent} leads out of {folder}", "remove the link, or choose another --out"
            )


def _listed(folder: Path) -> dict[str, str]:
    """Give the files of the last run, finished or not; none where the list is missing or broken."""
    try:
        value: object = json.loads((folder / LISTING).read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    files = cast("dict[str, object]", value).get("files") if isinstance(value, dict) else None
    if not isinstance(files, dict):
        return {}
    listed = cast("dict[str, object]", files)
    return {
        path: str(digest)
        for path, digest in listed.items()
        if not path.startswith("/") and ".." not in PurePosixPath(path).parts and path
    }


def _listing(files: Mapping[str, str]) -> bytes:
    return (
        json.dumps({"format": 1, "files": dict(sorted(files.items()))}, indent=1) + "\n"
    ).encode()


def _put(file: Path, content: bytes) -> bool:
    """Write a file by rename unless it is right already; say whether it was written."""
    if not file.is_symlink() and file.is_file() and file.read_bytes() == content:
        return False
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(f"{_TEMPORARY}{secrets.token_hex(8)}")
    try:
        with temporary.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)
    return True


def _remove(folder: Path, file: Path) -> bool:
    """Remove a file, and the folders that it leaves empty; say whether it was there."""
    try:
        file.unlink()
    except (FileNotFoundError, NotADirectoryError):
        return False
    for parent in file.parents:
        if parent == folder or any(parent.iterdir()):
            break
        parent.rmdir()
    return True


def _sweep(folder: Path, paths: Iterable[str]) -> None:
    """Remove what a killed run left half-written."""
    for parent in sorted({(folder / path).parent for path in paths}):
        for left in parent.glob(f"{_TEMPORARY}*"):
            left.unlink(missing_ok=True)
