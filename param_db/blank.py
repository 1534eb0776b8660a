"""Blanks what Chroma's index writes beyond its vectors: memory of this process, as it was.

The index makes room for more vectors than it holds and writes that room to disk without clearing it
(hnswlib's `data_level0.bin`, `length.bin`). What the process had there before, a credential even,
would be in the file. In go the folder of a closed store and what was written before; the room is
overwritten.
"""

from __future__ import annotations

import struct
from pathlib import Path

__all__ = ["blank_room", "written"]

_HEADER = struct.Struct("<iQQQQ")
"""Version, offset, vectors that there is room for, vectors held, bytes of a vector."""
_LENGTH = 4
_CHUNK = 1 << 20


def written(folder: Path) -> dict[Path, int]:
    """Give when each index file of a store was last written."""
    files = folder.glob("*/data_level0.bin")
    return {file: file.stat().st_mtime_ns for file in sorted(files)}


def blank_room(folder: Path, before: dict[Path, int]) -> None:
    """Overwrite the unused room of the index files that were written since `before`.

    Raises:
        OSError: A file can't be written.
    """
    for file, moment in written(folder).items():
        if before.get(file) == moment:
            continue
        head = file.with_name("header.bin").read_bytes()[: _HEADER.size]
        if len(head) < _HEADER.size:
            continue
        _, _, room, held, step = _HEADER.unpack(head)
        if held <= room:
            _blank(file, room * step, held * step)
            _blank(file.with_name("length.bin"), room * _LENGTH, held * _LENGTH)


def _blank(file: Path, size: int, start: int) -> None:
    """Overwrite a file of just this size from `start` on."""
    if not file.exists() or file.stat().st_size != size:
        return
    with file.open("r+b") as handle:
        handle.seek(start)
        left = size - start
        while left > 0:
            left -= handle.write(bytes(min(left, _CHUNK)))
