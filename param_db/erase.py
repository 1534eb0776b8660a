"""Takes forgotten values off the disk for good.

Chroma deletes an entry from its tables, while its log and SQLite's free pages go on holding the
bytes. This blanks the log's copies and has SQLite write its file anew.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing

from doc2tools.compiler.ir.errors import StoreError
from doc2tools.param_db.chroma import Folder, locked

__all__ = ["erase"]

FLUSH_SECONDS = 10.0
BLANK = "UPDATE embeddings_queue SET metadata = NULL WHERE id = ?"
"""The vectors stay: Chroma reads those of its last changes from the log when it opens."""


def erase(place: Folder, identifiers: Sequence[str]) -> None:
    """Overwrite what is left of deleted entries in the store's file.

    Raises:
        StoreError: The file can't be written.
    """
    file = place.path / "chroma.sqlite3"
    try:
        with locked(place.path), closing(sqlite3.connect(file, timeout=30)) as database:
            rows = [(identifier,) for identifier in identifiers]
            with database:
                database.executemany(
                    "UPDATE embeddings_queue SET metadata = NULL WHERE id = ?", rows
                )
            database.execute("VACUUM")
            _flush(database)
    except sqlite3.Error as fault:
        raise StoreError(
            f"the forgotten values are deleted, but {file} could not be written anew: {fault}",
            hint="free some space and run: chroma vacuum --path " + str(place.path),
        ) from fault


def _flush(database: sqlite3.Connection) -> None:
    """Have the new file replace the old: Chroma's threads may hold the log for a moment longer."""
    deadline = time.monotonic() + FLUSH_SECONDS
    while database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
        if time.monotonic() > deadline:
            raise sqlite3.OperationalError("another connection holds it open")
        time.sleep(0.02)
