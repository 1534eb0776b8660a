"""What we are about to create, on disk before the call goes out; kept until it is proved gone.

One file for each object, written whole, synced and renamed, in the state folder: whatever kills
the compile, the next run knows what to look for, and touches nothing else.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from doc2tools.compiler.ir.base import Frozen
from doc2tools.compiler.ir.errors import StoreError

__all__ = ["Entry", "Journal"]


class Entry(Frozen):
    """An object of ours that may exist.

    Attributes:
        state: `creating`: the create may have gone out; `created`: it has the identifier;
            `deleting`: the delete may have gone out; `unsure`: the server's answers do not prove
            which object is ours, so none is ever deleted.
        marker: Its name, which after changes is followed by `-2`, `-3` ….
        own_key: The identifier is `marker` and was proved free before.
        marked: Its content shows the name.
        key: The path parameter that takes the identifier.
        look: Address of the object, `{our-id}` for the identifier; "" if there is none.
        browse: Address of the list; "" if there is none.
        delete: Address that deletes it.
        headers: What the documentation has every call send.
        reason: Why an entry is `unsure`.
    """

    state: Literal["creating", "created", "deleting", "unsure"]
    resource: str
    marker: str
    identifier: str = ""
    own_key: bool = False
    marked: bool = True
    key: str = ""
    look: str = ""
    browse: str = ""
    delete: str = ""
    headers: dict[str, str] = Field(default_factory=dict)
    reason: str = ""


class Journal:
    """The entries of one package's state folder."""

    def __init__(self, folder: Path) -> None:
        """Use `folder`; it is made at the first entry."""
        self.folder = folder

    def path(self, entry: Entry) -> Path:
        """Give the entry's file."""
        return self.folder / f"{entry.marker}.json"

    def put(self, entry: Entry) -> None:
        """Keep an entry: when this returns, it outlives a power cut.

        Raises:
            StoreError: it cannot be kept; nothing may be sent.
        """
        path = self.path(entry)
        temporary = path.with_name(f".{os.getpid()}-{path.name}.tmp")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with temporary.open("wb") as file:
                file.write(entry.model_dump_json().encode())
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
            self._sync()
        except OSError as fault:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise StoreError(
                f"{path} cannot be written, so nothing was sent: {fault.strerror or fault}",
                "choose another folder with --out, or free some space",
            ) from fault

    def clear(self, entry: Entry) -> None:
        """Forget an object that is proved gone, or was never made.

        Raises:
            StoreError: the file cannot be removed.
        """
        try:
            self.path(entry).unlink(missing_ok=True)
        except OSError as fault:
            raise StoreError(
                f"{self.path(entry)} cannot be removed: {fault.strerror or fault}",
                "check the folder's rights",
            ) from fault

    def pending(self) -> tuple[Entry, ...]:
        """Give the objects that may exist; a file that cannot be read is an entry of its own."""
        found: list[Entry] = []
        for path in sorted(self.folder.glob("*.json")) if self.folder.is_dir() else ():
            try:
                found.append(Entry.model_validate_json(path.read_bytes()))
            except (OSError, ValidationError):
                found.append(
                    Entry(
                        state="unsure",
                        resource=str(path),
                        marker=path.stem,
                        reason="the journal's file cannot be read",
                    )
                )
        return tuple(found)

    def _sync(self) -> None:
        handle = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
