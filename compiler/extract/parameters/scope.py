"""Decides which endpoints a parameter list outside any endpoint's own text belongs to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from doc2tools.compiler.extract.candidates import Findings
from doc2tools.compiler.extract.outline import Entry, Outline
from doc2tools.compiler.extract.parameters.prose import speaks_of_all
from doc2tools.compiler.extract.parameters.reading import Listing
from doc2tools.compiler.extract.parameters.roles import read_role
from doc2tools.compiler.extract.parameters.routes import Routes, placeholders
from doc2tools.compiler.ir.document import Heading, Paragraph, plain

_GENERAL: Final = re.compile(
    r"\b(?:common|global|general|shared|universal|standard|generic|request|api)\b.{0,30}\b(?:param|option|argument|header|quer|field)"
    r"|\b(?:allgemeine|gemeinsame|comunes|globales|communs|généraux|comuns|общие)\b|公共|通用|共通|全局",
    re.I,
)
_KIND: Final = r"(?:method|endpoint|request|call|service|resource|api|function|operation|route)s?"


@dataclass(frozen=True, slots=True)
class Reach:
    """The endpoints that a general statement is about.

    Attributes:
        endpoints: Their numbers in the findings.
        everywhere: The page says that it is for all.
        reason: Why, for people.
    """

    endpoints: tuple[int, ...]
    everywhere: bool
    reason: str


def reach_of(listing: Listing, outline: Outline, findings: Findings, routes: Routes) -> Reach:
    """Tell which endpoints `listing`, which stands in general text, is about."""
    entry = outline.entries[max(listing.index, 0)]
    every = tuple(range(len(findings.endpoints)))
    overlap = _overlapping(listing, routes)
    if len(every) == 1 and (listing.sure or overlap):
        return Reach(every, False, "the only endpoint of the page")
    announced = _announcement(outline, entry)
    named = _named(announced, findings)
    if named and listing.sure:
        return Reach(named, False, "the heading names the endpoint")
    if listing.sure and (speaks_of_all(announced) or _GENERAL.search(_heading(outline, entry))):
        within = _under_parent(entry, findings) or every
        return Reach(within, len(within) == len(every), "said for all requests")
    if listing.sure:
        siblings = _under_parent(entry, findings)
        if siblings and (
            not overlap or 2 * len(set(overlap) & set(siblings)) >= min(len(siblings), 6)
        ):
            return Reach(siblings, len(siblings) == len(every), "said for the section's endpoints")
    wanted = max(1, min(2, len(listing.mentions) - 1))
    close = tuple(
        number for number, count in overlap.items() if count >= (1 if listing.sure else wanted)
    )
    return Reach(close, False, "the endpoint's addresses hold the same names")


def reach_of_text(text: str, entry: Entry, findings: Findings) -> Reach:
    """Tell which endpoints a sentence in general text is about."""
    every = tuple(range(len(findings.endpoints)))
    if len(every) == 1:
        return Reach(every, False, "the only endpoint of the page")
    named = _named(text, findings)
    if named:
        return Reach(named, False, "the sentence names the endpoint")
    if speaks_of_all(text):
        within = _under_parent(entry, findings) or every
        return Reach(within, len(within) == len(every), "said for all requests")
    return Reach((), False, "")


def foreign_placeholders(findings: Findings) -> frozenset[str]:
    """Give the names that are placeholders in some endpoint's path."""
    return frozenset(
        name for found in findings.endpoints for name in placeholders(found.draft.path.value)
    )


def _heading(outline: Outline, entry: Entry) -> str:
    if entry.heading < 0:
        return ""
    block = outline.entries[entry.heading].block
    own = plain(block.runs) if isinstance(block, Heading) else ""
    return own


def _announcement(outline: Outline, entry: Entry) -> str:
    parts = [_heading(outline, entry)]
    for other in reversed(outline.entries[max(0, entry.index - 3) : entry.index]):
        if isinstance(other.block, Heading):
            break
        if isinstance(other.block, Paragraph):
            parts.append(plain(other.block.runs)[-300:])
            break
    return ". ".join(part for part in parts if part)


def _named(text: str, findings: Findings) -> tuple[int, ...]:
    found: list[int] = []
    lowered = text.lower()[:600]
    for number, located in enumerate(findings.endpoints[:300]):
        path = located.draft.path.value.partition("?")[0]
        if len(path) > 2 and re.search(rf"{re.escape(path.lower())}(?![\w/{{-])", lowered):
            found.append(number)
            continue
        literal = [part for part in path.split("/") if part and "{" not in part]
        last = literal[-1].lower() if literal else ""
        if len(last) > 1 and re.search(
            rf"\b{re.escape(last)}\W?\s+{_KIND}\b|\b{_KIND}\s+\W?{re.escape(last)}\b", lowered
        ):
            found.append(number)
    return tuple(found)


def _under_parent(entry: Entry, findings: Findings) -> tuple[int, ...]:
    """Endpoints in the smallest section around `entry` that has any."""
    section: Sequence[str] = entry.section
    for length in range(len(section), -1, -1):
        prefix = tuple(section[:length])
        if length == len(section) and length and read_role(prefix[-1]) is not None:
            continue
        found = tuple(
            number
            for number, located in enumerate(findings.endpoints)
            if tuple(located.draft.section[:length]) == prefix
        )
        if found:
            return found
    return ()


def _overlapping(listing: Listing, routes: Routes) -> dict[int, int]:
    names = {mention.name for mention in listing.mentions}
    found: dict[int, int] = {}
    for route in routes.all:
        shown = {name for address in route.shown for name, _ in address.query} | set(route.names)
        aliases = {
            value[1:-1]
            for address in route.shown
            for _, value in address.query
            if value and value.startswith("{")
        }
        count = len(names & (shown | aliases))
        if count:
            found[route.number] = count
    return found
