"""Decides which endpoints a parameter list outside any endpoint's own text belongs to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from doc2tools.compiler.extract.candidates import Findings, LocatedEndpoint
from doc2tools.compiler.extract.outline import Entry, Outline
from doc2tools.compiler.extract.parameters.prose import Told, speaks_of_all
from doc2tools.compiler.extract.parameters.reading import Listing
from doc2tools.compiler.extract.parameters.roles import read_role
from doc2tools.compiler.extract.parameters.routes import Routes, placeholders
from doc2tools.compiler.ir.document import Heading, Paragraph, plain

_GENERAL: Final = re.compile(
    r"\b(?:common|global|general|shared|universal|generic)\b.{0,30}\b(?:param|option|argument|header|quer|field)"
    r"|\b(?:allgemeine|gemeinsame|comunes|globales|communs|généraux|comuns|общие)\b|公共|通用|共通|全局",
    re.I,
)
_ABOVE: Final = re.compile(
    r"\b(?:above|previous|these|those) (?:endpoint|method|request|call|route|service)s\b", re.I
)
_BELOW: Final = re.compile(
    r"\b(?:following|below) (?:endpoint|method|request|call|route|service)s\b|\b(?:endpoint|method|request)s below\b",
    re.I,
)
_SEND: Final = re.compile(
    r"\b(?:send|sending|add|adding|include|including|pass|passing|set|setting|provide|specify|specifies|append|use|using|put)\b",
    re.I,
)
_SAME: Final = re.compile(
    r"(?:(?P<subject>[`\w/{}.-]{1,60})\s+(?:also\s+)?(?:uses?|accepts?|takes?|supports?|has|have|with)\s+)?(?:exactly\s+)?(?:all\s+)?the same\s+"
    r"(?:query |request |url |optional |set of |list of ){0,3}(?:parameters?|params|arguments?|options|keys|filters|fields)\s+"
    r"(?:as|like|of)\s+(?P<other>[^.;\n]{2,80})",
    re.I,
)
_ONLY: Final = "the only endpoint of the page"
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

    @property
    def sure(self) -> bool:
        """Whether the page names the endpoints in some way."""
        return self.reason != _ONLY


def reach_of(listing: Listing, outline: Outline, findings: Findings, routes: Routes) -> Reach:
    """Tell which endpoints `listing`, which stands in general text, is about."""
    entry = outline.entries[max(listing.index, 0)]
    every = tuple(range(len(findings.endpoints)))
    overlap = _overlapping(listing, routes)
    if len(every) == 1 and (listing.sure or overlap):
        return Reach(every, False, _ONLY)
    announced = _announcement(outline, entry)
    if listing.sure:
        for text in (announced, *reversed(entry.section)):
            named = endpoints_named(text, findings)
            if named:
                return Reach(named, False, "the heading names the endpoint")
        siblings = _under_parent(entry, findings)
        reached = tuple(sorted({*siblings, *overlap}))
        if speaks_of_all(announced) or _GENERAL.search(_heading(outline, entry)):
            reached = reached if len(siblings) > 1 and len(entry.section) > 2 else every
            return Reach(reached, len(reached) == len(every), "said for all requests")
        if reached:
            return Reach(reached, len(reached) == len(every), "said for the section's endpoints")
    wanted = max(1, min(2, len(listing.mentions) - 1))
    close = tuple(number for number, count in overlap.items() if count >= wanted)
    return Reach(close, False, "the endpoint's addresses hold the same names")


def reach_of_text(told: Told, entry: Entry, findings: Findings) -> Reach:
    """Tell which endpoints a sentence in general text is about."""
    text = told.sentence
    every = tuple(range(len(findings.endpoints)))
    if len(every) == 1:
        return Reach(every, False, _ONLY)
    above = tuple(n for n in every if findings.endpoints[n].anchor < entry.index)
    if _ABOVE.search(text) and above:
        return Reach(above, False, "said for the endpoints above")
    if _BELOW.search(text):
        return Reach(tuple(n for n in every if n not in above), False, "said for those below")
    named = endpoints_named(text, findings)
    if named:
        return Reach(named, False, "the sentence names the endpoint")
    below = _within(entry.section, findings)
    if speaks_of_all(text):
        within = below or _under_parent(entry, findings) or every
        return Reach(within, len(within) == len(every), "said for all requests")
    if told.mention.location in {"header", "cookie"} and _SEND.search(text):
        return Reach(every, True, "said of requests as such")
    if below and len(entry.section) > 1 and told.firm | bool(_SEND.search(text)):
        return Reach(below, len(below) == len(every), "said at the head of the endpoints' section")
    return Reach((), False, "")


def same_as(text: str, findings: Findings) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Find "X uses the same parameters as Y": the endpoints of X (none: here) and of Y."""
    found: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    for match in _SAME.finditer(text[:4000]):
        source = endpoints_named(match.group("other"), findings, loose=True)
        if not source:
            continue
        subject = (match.group("subject") or "").strip("`\"' ").lower()
        targets = tuple(
            number
            for number, located in enumerate(findings.endpoints[:300])
            if subject and subject in _calls(located)
        )
        found.append((targets, source))
    return found


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


def endpoints_named(text: str, findings: Findings, *, loose: bool = False) -> tuple[int, ...]:
    """Give the endpoints that `text` names by path, by "the X method" or, if `loose`, by title."""
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
        elif loose and any(re.search(rf"\b{re.escape(c)}\b", lowered) for c in _calls(located)):
            found.append(number)
    return tuple(found)


def _calls(located: LocatedEndpoint) -> frozenset[str]:
    """What people may call an endpoint: its last segment, its title, its heading."""
    draft = located.draft
    literal = [
        part for part in draft.path.value.split("?")[0].split("/") if part and "{" not in part
    ]
    names = {
        draft.title.lower(),
        *(text.lower() for text in draft.section[-1:]),
        *(t.lower() for t in literal[-1:]),
    }
    return frozenset(name for name in names if 2 <= len(name) <= 80)


def _within(section: Sequence[str], findings: Findings) -> tuple[int, ...]:
    """Endpoints whose section lies below the one given."""
    prefix = tuple(section)
    return tuple(
        number
        for number, located in enumerate(findings.endpoints)
        if len(located.draft.section) > len(prefix)
        and located.draft.section[: len(prefix)] == prefix
    )


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
