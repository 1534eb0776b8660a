"""Patterns for texts with gaps, such as path templates, that match in linear time.

Each gap ends where the text after it first occurs, and is never tried longer (an atomic group):
with gaps that hold anything, that finds a match if there is one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence


def gapped(texts: Sequence[str], *, keep: bool = False) -> str:
    """Give the source of a pattern for `texts` with a gap of 1 to 200 characters between them.

    Args:
        texts: What stands between the gaps, as plain text; may be empty.
        keep: Each gap is a group.
    """
    gap = "([^/]{1,200}?)" if keep else "[^/]{1,200}?"
    if len(texts) == 1:
        return re.escape(texts[0])
    middle = "".join(f"(?>{gap}{re.escape(text)})" for text in texts[1:-1])
    return f"{re.escape(texts[0])}{middle}{gap}{re.escape(texts[-1])}"
