"""Bodies as bytes and as the text that the IR keeps: the way there and back loses nothing."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Mapping

_CHARSET = re.compile(r"""charset\s{0,3}=\s{0,3}["']?([A-Za-z0-9_.:-]{1,40})""", re.I)
_TEXT_CODECS = frozenset(
    {"utf-8", "ascii", "iso8859-1", "iso8859-15", "cp1252", "cp1251", "koi8-r", "gbk", "gb2312"}
    | {"gb18030", "big5", "euc_jp", "euc_kr", "shift_jis", "iso8859-2", "utf-16"}
)


def body_text(data: bytes, headers: Mapping[str, str]) -> tuple[str, bool]:
    """Give `(text, False)`, or `(base64, True)` where the bytes are no text that leads back."""
    for charset in (_charset(headers), "utf-8"):
        try:
            text = data.decode(charset)
        except (UnicodeError, LookupError):
            continue
        if body_bytes(text, encoded=False, headers=headers) == data:
            return text, False
    return base64.b64encode(data).decode(), True


def body_bytes(body: str, *, encoded: bool, headers: Mapping[str, str]) -> bytes:
    """Give the bytes that `body` stands for; a body that is no valid base64 gives none."""
    if encoded:
        try:
            return base64.b64decode(body, validate=True)
        except (binascii.Error, ValueError):
            return b""
    try:
        return body.encode(_charset(headers))
    except (UnicodeError, LookupError):
        return body.encode("utf-8", "replace")


def _charset(headers: Mapping[str, str]) -> str:
    match = _CHARSET.search(headers.get("content-type", ""))
    if not match:
        return "utf-8"
    try:
        name = codecs.lookup(match[1]).name
    except (LookupError, ValueError):
        return "utf-8"
    return name if name in _TEXT_CODECS else "utf-8"
