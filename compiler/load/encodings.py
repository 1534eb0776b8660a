"""Bytes to text: byte-order mark, what the page declares, then what the bytes look like."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from typing import NamedTuple, cast

from bs4.dammit import EncodingDetector

MAX_BYTES = 20_000_000
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SIGNATURES = (
    b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF", b"PK\x03\x04", b"\x1f\x8b", b"\x7fELF", b"BZh",
    b"\xfd7zXZ", b"RIFF", b"\x00asm", b"MZ\x90",
)  # fmt: skip
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


class Decoded(NamedTuple):
    """Text and how it was read.

    Attributes:
        text: Lines end in a line feed.
        encoding: The encoding used.
        lossy: Characters that no encoding explains were replaced.
        binary: The bytes are no text; `text` is then empty.
        truncated: The page went over the size that is read.
    """

    text: str
    encoding: str
    lossy: bool = False
    binary: bool = False
    truncated: bool = False


def is_binary(data: bytes) -> bool:
    """Tell whether `data` is no text in any encoding, by signature and control characters."""
    if data.startswith(_SIGNATURES):
        return True
    if any(data.startswith(mark) for mark, _ in _MARKS):
        return False
    head = data[:8192]
    if _wide(head):
        return False
    controls = len(_CONTROL.findall(head))
    return controls > max(3, len(head) // 50)


def _wide(head: bytes) -> str:
    """Give the UTF-16 byte order that `head` shows without a mark, or ""."""
    if len(head) < 20:
        return ""
    zeros_odd, zeros_even = head[1::2].count(0), head[0::2].count(0)
    half = len(head) // 2
    if zeros_odd > half * 0.7 and zeros_even < half * 0.1:
        return "utf-16-le"
    if zeros_even > half * 0.7 and zeros_odd < half * 0.1:
        return "utf-16-be"
    return ""


def decode(data: bytes, *, html: bool) -> Decoded:
    """Decode a page; `html` looks for a `meta` declaration. Never raises."""
    truncated = len(data) > MAX_BYTES
    data = data[:MAX_BYTES]
    if is_binary(data):
        return Decoded("", "", binary=True, truncated=truncated)
    for mark, name in _MARKS:
        if data.startswith(mark):
            text, lossy = _try(data[len(mark) :], name, truncated=truncated)
            return Decoded(_lines(text), name, lossy, truncated=truncated)
    if wide := _wide(data[:8192]):
        text, lossy = _try(data, wide, truncated=truncated)
        return Decoded(_lines(text), wide, lossy, truncated=truncated)
    declared = _declared(data) if html else None
    # UTF-8 goes first: text in another encoding hardly ever passes as UTF-8, and pages that
    # declare Latin-1 while they are UTF-8 are common.
    for name in ("utf-8", _known(declared), "cp1252"):
        if not name:
            continue
        text, lossy = _try(data, name, truncated=truncated)
        if not lossy:
            return Decoded(_lines(text), name, truncated=truncated)
    text = data.decode("utf-8", "replace")
    return Decoded(_lines(text), "utf-8", lossy=True, truncated=truncated)


def _declared(data: bytes) -> str | None:
    find = cast("Callable[..., str | None]", getattr(EncodingDetector, "find_declared_encoding"))  # noqa: B009 - untyped in bs4
    return find(data[:4096], is_html=True)


def _known(name: str | None) -> str:
    if not name:
        return ""
    try:
        found = codecs.lookup(name).name
        b"".decode(found)
    except (LookupError, ValueError):
        return ""
    if found.startswith(("utf-16", "utf-32", "utf-7")):  # a page that could say so in ASCII is none
        return ""
    return "cp1252" if found in ("iso8859-1", "ascii") else found


def _try(data: bytes, name: str, *, truncated: bool) -> tuple[str, bool]:
    """Decode strictly, forgiving a character cut at the end of a truncated page."""
    for cut in range(4 if truncated else 1):
        try:
            return data[: len(data) - cut].decode(name), False
        except (UnicodeDecodeError, ValueError):
            continue
    return data.decode(name, "replace"), True


def _lines(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
