"""Notes beside the store on disk that values were put in by hand.

A compile that has nothing to do must not open the store, and yet has to see that a value was added
or forgotten since: it reads this small file.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from doc2tools.compiler.ir.errors import StoreError
from doc2tools.param_db.chroma import Place, Server

__all__ = ["added_digest", "note_added"]

_FILE = "added"


def added_digest(place: Place) -> str:
    """Give a digest of what a person put in; "" for nothing, and for a server: it is not asked."""
    if isinstance(place, Server):
        return ""
    try:
        return (place.path / _FILE).read_text(encoding="ascii")[:64]
    except (OSError, ValueError):
        return ""


def note_added(place: Place, identifiers: Iterable[str]) -> None:
    """Note the entries that a person put in and that are still there.

    Raises:
        StoreError: The folder can't be written.
    """
    if isinstance(place, Server):
        return
    names = sorted(identifiers)
    digest = hashlib.sha256("\n".join(names).encode()).hexdigest() if names else ""
    try:
        handle, temporary = tempfile.mkstemp(dir=place.path, prefix=".tmp-")
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(digest)
        Path(temporary).replace(place.path / _FILE)
    except OSError as fault:
        raise StoreError(
            f"{place} cannot be written: {fault.strerror or fault}",
            hint="free some space, or mend the rights",
        ) from fault
