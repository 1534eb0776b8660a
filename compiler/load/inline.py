"""Pieces of inline text with marks to runs: white space collapsed, invisible characters dropped."""

from __future__ import annotations

import re
from typing import NamedTuple

from doc2tools.compiler.ir.document import Run

_INVISIBLE: dict[int, str | None] = {
    **dict.fromkeys((0x0, 0xAD, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF)),
    **dict.fromkeys((0xA0, 0x2002, 0x2003, 0x2007, 0x2009, 0x202F), " "),
}
_SPACE = re.compile(r"[ \t\n\r\f\v]+")


class Marks(NamedTuple):
    """The marks in force at a place; fields as in `Run`."""

    code: bool = False
    strong: bool = False
    emphasis: bool = False
    badge: bool = False
    href: str = ""
    title: str = ""


PLAIN = Marks()


def clean(text: str) -> str:
    """Drop soft hyphens and zero-width characters, and make every kind of space a plain one."""
    return text if text.isascii() and "\0" not in text else text.translate(_INVISIBLE)


def collapse(text: str) -> str:
    """Clean `text`, make each stretch of white space one space, and trim it."""
    return _SPACE.sub(" ", clean(text)).strip()


class Piece(NamedTuple):
    """Text under one set of marks; `keep` keeps its line breaks (code in a table cell, `<br>`)."""

    text: str
    marks: Marks
    line: int
    keep: bool = False


def runs(pieces: list[Piece]) -> tuple[Run, ...]:
    """Join `pieces` into runs: one for each stretch with the same marks, ends trimmed."""
    out: list[tuple[list[str], Marks, int]] = []
    last = "\n"
    for piece in pieces:
        text = clean(piece.text)
        if not piece.keep:
            text = _SPACE.sub(" ", text)
            if last in " \n":
                text = text.removeprefix(" ")
        elif text == "\n":
            if last == "\n":
                continue
            _trim_end(out)
        if not text:
            continue
        last = text[-1]
        if out and out[-1][1] == piece.marks:
            out[-1][0].append(text)
        else:
            out.append(([text], piece.marks, piece.line))
    while out:
        parts, marks, line = out.pop()
        if joined := "".join(parts).rstrip():
            out.append(([joined], marks, line))
            break
    return tuple(_run("".join(parts), marks, line) for parts, marks, line in out)


def _run(text: str, marks: Marks, line: int) -> Run:
    if marks == PLAIN:
        return Run(text=text, line=line)
    return Run(
        text=text,
        code=marks.code,
        strong=marks.strong,
        emphasis=marks.emphasis,
        badge=marks.badge,
        href=marks.href,
        title=marks.title,
        line=line,
    )


def _trim_end(out: list[tuple[list[str], Marks, int]]) -> None:
    if out:
        parts = out[-1][0]
        parts[-1] = parts[-1].rstrip(" ")
