"""Text of documentation, servers and generated code, made fit to show on a terminal.

Control characters (escape sequences begin with one), and those that hide or reorder text, are
shown as their escape and not sent. Rich markup is escaped apart, where rich prints.
"""

from __future__ import annotations

import re
import unicodedata

_PERHAPS = re.compile(r"[^\n\t\x20-\x7e]")
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def plain(text: str) -> str:
    r"""Give `text` with what would not be seen written as `\x1b` or `\u202e`; keeps line ends."""
    return _PERHAPS.sub(lambda found: _shown(found[0]), text)


def plain_json(text: str) -> str:
    """Give JSON in which such characters, which stand only in strings, are escaped as JSON does."""
    return _PERHAPS.sub(lambda found: _shown(found[0], json=True), text)


def _shown(character: str, *, json: bool = False) -> str:
    if unicodedata.category(character) not in _UNSEEN:
        return character
    code = ord(character)
    if code < 0x100 and not json:
        return f"\\x{code:02x}"
    if code > 0xFFFF:
        if not json:
            return f"\\U{code:08x}"
        code -= 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    return f"\\u{code:04x}"
