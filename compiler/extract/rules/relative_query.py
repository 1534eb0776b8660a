"""Queries whose address stands elsewhere: `api.php?action=list`, or `?command=stop` alone.

The file's name, or the address that was named last, tells what they continue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from doc2tools.compiler.extract.candidates import Candidate
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.places import Place

_RELATIVE = re.compile(
    r"(?P<name>[A-Za-z][\w-]{0,40}(?:\.[a-z]{2,5})?)?(?P<query>\?[A-Za-z_][\w.\[\]-]{0,40}=[^\s?]{0,400})"
)
_FILE = re.compile(r"[A-Za-z][\w-]{0,40}\.[a-z]{2,5}")
_FILE_LINE = re.compile(
    r"\s{0,8}(?P<name>[A-Za-z][\w-]{0,40}\.[a-z]{2,5})\s{0,3}[:\uff1a]?\s{0,8}\Z"
)
_LEAD = re.compile(r"[\s<>*•-]{0,12}\Z")
_SCRIPT = re.compile(r"\.(?:php|cgi|aspx?|jsp|do|pl)\Z")
_MAX_STEMS = 200


class RelativeQuery:
    """Finds queries that name no address of their own."""

    name = "relative-query"

    def find(self, outline: Outline) -> Iterator[Candidate]:
        """Yield a candidate for each query whose address is known."""
        if not any("?" in place.text.text for place in outline.places):
            return
        stems = _stems(outline)
        folder = _folder(outline)
        if not stems and not folder:
            return
        last = ""
        for place in outline.places:
            if place.role == "embedded" or place.nature in {"program", "answer", "config"}:
                continue
            named = _FILE_LINE.match(place.text.text)
            if named:
                last = _beside(named.group("name"), stems, last)
            elif place.text.tokens:
                last = _address(place.text.tokens[0].raw) or last
            for start, name, query in _queries(place):
                stem = stems.get(name.lower(), "") if name else last
                if not stem and folder and _SCRIPT.search(name):
                    stem = folder + name
                if not stem:
                    continue
                yield Candidate(
                    text=stem + query,
                    index=place.index,
                    span=place.span,
                    rule=self.name,
                    reason=f"{query[:60]} continues {stem[:80]}",
                    confidence=0.75,
                    row=place.row if place.role in {"item", "term", "code"} else None,
                    order=start,
                    emphasised=place.text.emphasised_in(start, start + len(name + query)),
                )


def _stems(outline: Outline) -> dict[str, str]:
    """The addresses that the page shows, by their last segment."""
    found: dict[str, str] = {}
    for place in outline.places:
        for token in place.text.tokens:
            address = _address(token.raw)
            name = address.rpartition("/")[2].lower()
            if name and len(found) < _MAX_STEMS:
                found.setdefault(name, address)
    return found


def _folder(outline: Outline) -> str:
    """The one folder that the page gives as an address, `http://host/api/`, or ""."""
    found = {
        token.raw
        for place in outline.places
        if place.role in {"paragraph", "item", "cell"}
        for token in place.text.tokens
        if token.kind == "url" and token.raw.endswith("/") and "?" not in token.raw
        if not token.link or token.whole
    }
    return found.pop() if len(found) == 1 else ""


def _address(raw: str) -> str:
    """The address without its query, where a request can go there; else ""."""
    head = raw.partition("?")[0].partition("#")[0]
    rest = head.partition("://")[2] or head
    if "/" not in rest or not re.fullmatch(r"[\w.-]{1,60}", head.rpartition("/")[2]):
        return ""
    return head


def _beside(name: str, stems: dict[str, str], last: str) -> str:
    """The address of a file: its own, else that of the same folder as one of its kind."""
    own = stems.get(name.lower())
    if own:
        return own
    kind = name.rpartition(".")[2].lower()
    for known, address in stems.items():
        if known.endswith(f".{kind}"):
            return address.rpartition("/")[0] + "/" + name
    return last


def _queries(place: Place) -> Iterator[tuple[int, str, str]]:
    """Queries that fill a line of code or a run of code, with the name before them or without."""
    text = place.text
    if place.role == "code":
        match = _RELATIVE.search(text.text[:600])
        leads = match and _LEAD.match(text.text[: match.start()])
        if match and leads and not (text.text[match.end() :].strip() and match.group("name")):
            yield match.start(), match.group("name") or "", match.group("query")
        return
    for mark in text.marks:
        if not mark.run.code or len(mark.run.text) > 600:
            continue
        match = _RELATIVE.fullmatch(mark.run.text.strip())
        if match and (match.group("name") or len(text.text) < 80):
            yield mark.start, match.group("name") or "", match.group("query")
