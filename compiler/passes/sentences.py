"""Sentences out of which a path was cut: punctuation that is left over, summaries of nothing."""

from __future__ import annotations

import re

_LEFT_OVER = re.compile(r"\s{0,20}[,;:]\s{1,20}(?=[,;:.](?:\s|$))|[;:](?=,\s)")
_PATHS = re.compile(r"/[^\s,;]{0,200}|[\s,;:.*]|\b(?:and|or)\b", re.IGNORECASE)


def told(summary: str) -> str:
    """Give a summary without left-over punctuation, "" if it says nothing but paths."""
    text = _LEFT_OVER.sub("", summary.strip()).lstrip(",;:. ")
    return text if _PATHS.sub("", text) else ""
