"""What is kept between runs, in `.doc2tools/` beside the output.

Every entry is addressed by the content it was made from and by the compiler's own code, written to
a temporary file and renamed: a kill at any moment, or deleting the folder, costs time and nothing
else.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import tempfile
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from doc2tools.compiler.ir.errors import StoreError, UsageError

M = TypeVar("M", bound=BaseModel)


@cache
def code_digest() -> str:
    """Give the SHA-256 of this compiler's source files: a new version never reads old state."""
    digest = hashlib.sha256()
    here = Path(__file__).resolve().parent
    package = Path(__file__).parent.parent
    roots = (here, package / "templates", package / "sandbox", package / "param_db")
    for root in roots:
        for file in sorted(root.resolve().rglob("*")):
            if file.suffix in {".py", ".jinja", ".md", ".css", ".js", ".txt"}:
                digest.update(file.relative_to(root.resolve()).as_posix().encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()


def key_of(*parts: str) -> str:
    """Give the address of what is made from `parts` by this version of the compiler."""
    return hashlib.sha256("\0".join((code_digest(), *parts)).encode()).hexdigest()


class State:
    """The state folder of one output folder."""

    def __init__(self, out: Path) -> None:
        """Use `out/.doc2tools`; it is made at the first write."""
        self.folder = out / ".doc2tools"

    def calls(self, name: str) -> Path:
        """Give the folder of the calls recorded for package `name`."""
        return self.folder / name / "calls"

    def get(self, kind: str, key: str, model: type[M]) -> M | None:
        """Give the entry, or None where there is none or it can't be read."""
        try:
            return model.model_validate_json(self._path(kind, key).read_bytes())
        except (OSError, ValidationError):
            return None

    def put(self, kind: str, key: str, entry: BaseModel) -> None:
        """Keep `entry`.

        Raises:
            StoreError: The folder can't be written.
        """
        path = self._path(kind, key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, entry.model_dump_json().encode())
        except OSError as fault:
            raise StoreError(
                f"{self.folder} cannot be written: {fault.strerror or fault}",
                hint="choose another folder with --out, or free some space",
            ) from fault

    def _path(self, kind: str, key: str) -> Path:
        return self.folder / kind / key[:2] / f"{key[2:]}.json"

    @contextlib.contextmanager
    def locked(self, name: str) -> Generator[None]:
        """Keep other compiles of package `name` out; the lock ends with the process.

        Raises:
            UsageError: Another compile of the same package is under way.
            StoreError: The folder can't be written.
        """
        path = self.folder / name / "lock"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Not through a link, and nothing is cut off: what is there may be another's.
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
            handle = os.fdopen(os.open(path, flags, 0o644), "rb")
        except OSError as fault:
            raise StoreError(
                f"{path.parent} cannot be written: {fault.strerror or fault}",
                hint="choose another folder with --out",
            ) from fault
        with handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as fault:
                raise UsageError(
                    f"another compile of {name} into this folder is under way",
                    hint="wait for it, or use another --out or --name",
                ) from fault
            yield


def write_atomically(path: Path, data: bytes) -> None:
    """Put `data` at `path` so that no reader ever sees a part of it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".tmp-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
