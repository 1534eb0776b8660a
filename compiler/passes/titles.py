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
_FRONT = re.compile(r"(?:[^/]{1,80}/)?(?:index|readme|overview|introduction)\.\w+", re.IGNORECASE)
_TAIL = re.compile(r"(?:\s+(?:documentation|docs|reference|manual|guide))+", re.IGNORECASE)
MOST_LETTERS = 80


_REPOSITORY = re.compile(r"[\w.-]{1,60}/([\w.-]{1,80})(?::.*)?")


def telling_parts(title: str) -> list[str]:
    """Give the parts of a page's title that say something, in order; a repository by its name."""
    parts = [part.strip() for part in _CUT.split(" ".join(title.split())[:200])]
    for part in parts:
        match = _REPOSITORY.fullmatch(part)
        if match:
            return [match.group(1)]
    return [part for part in parts if not _PLAIN.fullmatch(part)]


def api_title(name: str, drafts: Sequence[PageDraft]) -> str:
    """Give the API's title: what its pages' titles share, the front page's, else the name's."""
    titles = [" ".join(draft.title.split())[:200] for draft in drafts if draft.title.strip()]
    front = [draft.title for draft in drafts if _FRONT.fullmatch(draft.page)]
    parts = [telling_parts(title) for title in titles]
    count = Counter(part for pieces in parts for part in dict.fromkeys(pieces))
    shared = [part for part, times in count.items() if times > 1 and times * 2 >= len(titles)]
    options = [*shared, *(parts[0] if len(titles) == 1 else ()), *front]
    told = next((part for part in options if not _PLAIN.fullmatch(part)), "")
    if not told and name:
        plain = titles[0] if len(titles) == 1 else "API"
        words = [word for word in name.split("_") if word and word.casefold() != "api"]
        told = f"{' '.join(words).capitalize()} {plain}" if words else ""
    if not told:
        told = next((title for title in titles if not _PLAIN.fullmatch(title)), "")
    whole = told or next(iter(titles), "") or "API"
    tail = next((match for match in _TAIL.finditer(whole) if match.end() == len(whole)), None)
    head = whole[: tail.start()] if tail else ""
    return (whole if not head or _PLAIN.fullmatch(head) else head)[:MOST_LETTERS]
