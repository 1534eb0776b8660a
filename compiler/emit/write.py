"""Writing a generated project: atomic by file, safe to kill, the user's own words left alone.

The user's files are never touched. The marked places of generated files keep what the user wrote
there. Where a generated file was edited elsewhere, the edited file is kept beside the new one.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import TypeAlias, cast

from doc2tools.compiler.emit.own_code import emptied, own_part, with_own
from doc2tools.compiler.ir.errors import StoreError, UsageError

LISTING = ".doc2tools-files.json"
"""What was generated: path to SHA-256. It also marks the folder as ours."""

EDITED = ".edited"
"""What the name of a kept file ends in."""

Kept: TypeAlias = Callable[[str, str], None]
"""Told of an edited file, and of the name under which the user's version is kept."""

_TEMPORARY = ".doc2tools-tmp-"
_VERSION = re.compile(r"[0-9][0-9A-Za-z.!+-]{0,60}")


def ignore(path: str, copy: str) -> None:
    """Listen to nothing."""
    del path, copy


def write_project(folder: Path, files: Mapping[str, bytes], kept: Kept = ignore) -> tuple[str, ...]:
    """Make `folder` hold `files`.

    A file that is right already is not touched. What an earlier run generated and this one does not
    is removed. The list of files goes first, so that a run which is killed leaves a folder that the
    next one knows as its own.

    Args:
        folder: The project's folder; made if missing.
        files: Relative path with forward slashes to content.
        kept: Told of each file that was edited outside its marked place.

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
        return _write(folder, files, kept)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise StoreError(
            f"cannot write {error.filename or folder}: {reason}",
            "free some space or correct the permissions, then run the same command again",
        ) from error


def _write(folder: Path, files: Mapping[str, bytes], kept: Kept) -> tuple[str, ...]:
    check_target(folder)
    folder.mkdir(parents=True, exist_ok=True)
    known, before = _listed(folder), _written(folder)
    _refuse_links(folder, (*files, *known))
    wanted = digests(files)
    stale = sorted(path for path in known if path not in files)
    changed: list[str] = []
    if stale or known != wanted:
        _put(folder / LISTING, _listing({**known, **wanted}, before))
    for path, content in sorted(files.items()):
        if _replace(folder, path, content, before.get(path, ()), kept):
            changed.append(path)
    for path in stale:
        current = _read(folder / path)
        if current is not None and _is_edited(current, before.get(path, ())):
            kept(path, _keep(folder, path, current))
        if _remove(folder, folder / path):
            changed.append(path)
    _put(folder / LISTING, _listing(wanted, {}))
    _sweep(folder, (*files, LISTING))
    return tuple(sorted(changed))


def _replace(folder: Path, path: str, content: bytes, ours: Iterable[str], kept: Kept) -> bool:
    """Write a file, with what the user wrote into its marked place; say whether it changed."""
    current = _read(folder / path)
    if current is not None and current != content:
        own = own_part(current)
        if own and own_part(content) is not None:
            content = with_own(content, own)
        if emptied(current) != emptied(content) and _is_edited(emptied(current), ours):
            kept(path, _keep(folder, path, current))
    return _put(folder / path, content)


def _is_edited(content: bytes, ours: Iterable[str]) -> bool:
    """Say whether a file is none that we wrote; its marked place has to be empty."""
    return hashlib.sha256(content).hexdigest() not in frozenset(ours)


def _read(file: Path) -> bytes | None:
    """Give what a file holds; `None` for what is missing, or a link to something else."""
    return file.read_bytes() if not file.is_symlink() and file.is_file() else None


def _keep(folder: Path, path: str, content: bytes) -> str:
    """Put the user's version beside the new one, over no other; give its path."""
    number = 1
    while True:
        copy = f"{path}{EDITED}" + (f"-{number}" if number > 1 else "")
        place = folder / copy
        if not place.is_symlink() and (not place.exists() or _read(place) == content):
            _put(place, content)
            return copy
        number += 1


def kept_version(folder: Path, default: str) -> str:
    """Give the version that a project says it has, `default` where it says none that is usable."""
    try:
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return default
    table = project.get("project")
    version = cast("dict[str, object]", table).get("version") if isinstance(table, dict) else None
    return version if isinstance(version, str) and _VERSION.fullmatch(version) else default


def digests(files: Mapping[str, bytes]) -> dict[str, str]:
    """Give each file's SHA-256, hexadecimal."""
    return {path: hashlib.sha256(content).hexdigest() for path, content in files.items()}


def is_intact(folder: Path, wanted: Mapping[str, str]) -> bool:
    """Tell whether `folder` holds just the generated files `wanted` (path to SHA-256)."""
    try:
        return _listed(folder) == dict(wanted) and all(
            hashlib.sha256(emptied((folder / path).read_bytes())).hexdigest() == digest
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
    return {
        path: str(digest)
        for path, digest in _table(folder, "files").items()
        if not path.startswith("/") and ".." not in PurePosixPath(path).parts and path
    }


def _written(folder: Path) -> dict[str, list[str]]:
    """Give the digests under which each file may lie there: several after a run that was killed."""
    found = {path: [digest] for path, digest in _listed(folder).items()}
    for path, earlier in _table(folder, "before").items():
        listed = cast("list[object]", earlier) if isinstance(earlier, list) else []
        found.setdefault(path, []).extend(str(digest) for digest in listed)
    return {path: sorted(set(digests)) for path, digests in found.items()}


def _table(folder: Path, name: str) -> dict[str, object]:
    try:
        value: object = json.loads((folder / LISTING).read_bytes())
    except (FileNotFoundError, ValueError, RecursionError):
        return {}
    table = cast("dict[str, object]", value).get(name) if isinstance(value, dict) else None
    return cast("dict[str, object]", table) if isinstance(table, dict) else {}


def _listing(files: Mapping[str, str], before: Mapping[str, Iterable[str]]) -> bytes:
    """Write the list; `before` are the digests of what the files held until now."""
    value: dict[str, object] = {"format": 1, "files": dict(sorted(files.items()))}
    if before:
        value["before"] = {path: list(digests) for path, digests in sorted(before.items())}
    return (json.dumps(value, indent=1) + "\n").encode()


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
