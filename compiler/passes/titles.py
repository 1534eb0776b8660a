"""The API's title, from the configured name or the pages' titles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from doc2tools.compiler.ir.draft import PageDraft

_CUT = re.compile(r"\s+(?:[|·•»\u2013\u2014-]|::)\s+|\s*[|»]\s*")
_PLAIN = re.compile(
    r"(?:api|rest|http|web|documentation|docs|reference|introduction|overview|home|index|readme|the"
    r"|getting started|endpoints|methods|guide|manual|welcome|\W)*",
    re.IGNORECASE,
)
MOST_LETTERS = 80


def api_title(name: str, drafts: Sequence[PageDraft]) -> str:
    """Give the API's title: what the titles of its pages share, else the first telling one."""
    titles = [" ".join(draft.title.split()) for draft in drafts if draft.title.strip()]
    parts = [[part.strip() for part in _CUT.split(title) if part.strip()] for title in titles]
    count = Counter(part for pieces in parts for part in dict.fromkeys(pieces))
    shared = [part for part, times in count.items() if times > 1 and times * 2 >= len(titles)]
    told = next((part for part in shared if not _PLAIN.fullmatch(part)), "")
    if not told and len(titles) == 1:
        told = next((part for part in parts[0] if not _PLAIN.fullmatch(part)), titles[0])
    if not told and name:
        told = name.replace("_", " ").strip().capitalize()
    if not told:
        told = next((title for title in titles if not _PLAIN.fullmatch(title)), "")
    return (told or "API")[:MOST_LETTERS]
