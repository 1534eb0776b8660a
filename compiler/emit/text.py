"""Plain text for docstrings and pages: without control and direction characters, wrapped."""

from __future__ import annotations

import re
import textwrap
import unicodedata

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_LONGEST_WORD = 240


def printable(text: str) -> str:
    """Drop control, format (bidi, zero width), surrogate, private and unassigned characters.

    Tabs and odd spaces become spaces; line ends are dropped with the other controls.
    """
    if text.isascii() and text.isprintable():
        return text
    kept: list[str] = []
    for character in text:
        if character in "\t\n\r\v\f":
            kept.append(" ")
            continue
        category = unicodedata.category(character)
        if category == "Zs":
            kept.append(" ")
        elif category not in _HIDDEN:
            kept.append(character)
    return "".join(kept)


def one_line(text: str, limit: int = 0) -> str:
    """Give `text` as one printable line, cut with "..." after `limit` characters if not 0."""
    line = " ".join(printable(text).split())
    if limit and len(line) > limit:
        line = line[: limit - 3].rstrip() + "..."
    return line


def api_name(title: str, fallback: str, limit: int = 60) -> str:
    """Give the API's name as it reads before the word "API"."""
    name = one_line(title, limit)
    if name.casefold().endswith(" api"):
        name = name[:-4].rstrip()
    return name or fallback


def sentence(text: str, limit: int = 0) -> str:
    """Give `text` as one line with a capital first letter and an end mark."""
    line = one_line(text, limit)
    if not line:
        return ""
    first = line.split(" ", 1)[0]
    if first.islower() and first.isalpha():
        line = line[0].upper() + line[1:]
    line = re.sub(r"\s+([.!?])$", r"\1", line.rstrip(":;,- ") or line)
    return line if line.endswith((".", "!", "?", "...", "\u3002")) else f"{line}."


def wrap(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """Wrap one paragraph; a long address keeps a line of its own."""
    line = re.sub(
        rf"\S{{{_LONGEST_WORD},}}",
        lambda match: " ".join(textwrap.wrap(match.group(), _LONGEST_WORD // 3)),
        one_line(text),
    )
    return textwrap.wrap(
        line,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
