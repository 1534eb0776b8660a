"""The places of generated files that are the user's own, and are kept when they are written again.

A place lies between two lines that stand at the very start of a line. Text of documentation never
does: in code it is indented or quoted, in Markdown it is escaped. A file in which the two lines are
not there just once, in this order, has no such place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from doc2tools.compiler.emit.code import Expression

_KEPT = "and is kept when the package is compiled again"


@dataclass(frozen=True, slots=True)
class Marks:
    """The line before the user's own part, and the line after it."""

    begin: str
    end: str

    def values(self) -> dict[str, object]:
        """Give what a template prints."""
        return {"own_begin": Expression(self.begin), "own_end": Expression(self.end)}


CODE = Marks(
    f"# doc2tools: your own code begins here, {_KEPT}",
    "# doc2tools: your own code ends here",
)
TEXT = Marks(
    f"[//]: # (doc2tools: your own text begins here, {_KEPT})",
    "[//]: # (doc2tools: your own text ends here)",
)
_ALL = (CODE, TEXT)


def own_part(content: bytes) -> bytes | None:
    """Give the user's own part of a file; `None` where it has no such place."""
    place = _place(content)
    return None if place is None else content[place[0] : place[1]]


def emptied(content: bytes) -> bytes:
    """Give a file without the user's own part: what doc2tools wrote of it."""
    place = _place(content)
    return content if place is None else content[: place[0]] + content[place[1] :]


def with_own(content: bytes, own: bytes) -> bytes:
    """Put the user's own part into the place that a file has for it."""
    place = _place(content)
    if place is None:
        raise AssertionError("the file has no place of the user's own")
    return content[: place[0]] + own + content[place[1] :]


def require_marks(files: Mapping[str, bytes], marked: Mapping[str, Marks]) -> None:
    """Check that no file but those of `marked` holds a marking line, and those just one pair.

    Raises:
        AssertionError: One does: text of the documentation has become a marking line.
    """
    for path, content in files.items():
        found = [one for one in _ALL if _lines(content, one.begin) or _lines(content, one.end)]
        expected = [marked[path]] if path in marked else []
        if found != expected or (found and _place(content) is None):
            raise AssertionError(f"emitted code is not as prescribed: marking lines in {path}")


def _place(content: bytes) -> tuple[int, int] | None:
    """Give where the user's own part begins and ends."""
    for marks in _ALL:
        begins, ends = _lines(content, marks.begin), _lines(content, marks.end)
        if len(begins) == len(ends) == 1 and begins[0][1] <= ends[0][0]:
            return begins[0][1], ends[0][0]
    return None


def _lines(content: bytes, mark: str) -> list[tuple[int, int]]:
    """Give where each line that is just `mark` begins, and where the line after it does."""
    wanted = mark.encode()
    found: list[tuple[int, int]] = []
    if wanted not in content:
        return found
    at = 0
    for line in content.splitlines(keepends=True):
        if line.rstrip(b"\r\n") == wanted:
            found.append((at, at + len(line)))
        at += len(line)
    return found
