"""Decides which endpoints a parameter list or a sentence outside their own text is about."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from doc2tools.compiler.extract.candidates import Findings, LocatedEndpoint
from doc2tools.compiler.extract.outline import Entry, Outline
from doc2tools.compiler.extract.parameters.called import (
    announces,
    calls,
    is_list,
    last_literal,
    of_method,
    path_names,
    shape,
)
from doc2tools.compiler.extract.parameters.merge import bare
from doc2tools.compiler.extract.parameters.prose import Told, speaks_of_all
from doc2tools.compiler.extract.parameters.regions import Listing
from doc2tools.compiler.extract.parameters.roles import read_role
from doc2tools.compiler.extract.parameters.routes import Routes
from doc2tools.compiler.ir.document import Code, Heading, Paragraph, plain

_NOUN: Final = r"(?:endpoint|method|request|call|route|service|function)"
_ABOVE: Final = re.compile(rf"\b(?:above|previous|these|those) {_NOUN}s\b", re.I)
_BELOW: Final = re.compile(rf"\b(?:following|below) {_NOUN}s\b|\b{_NOUN}s below\b", re.I)
_ALL: Final = re.compile(
    rf"\b(?:all|every|each|any)\s(?:(?:of the|the|these|api|http|rest|our)\s){{0,2}}{_NOUN}s?\b"
    r"[^.:]{0,60}"
    r"\b(?:take|accept|require|support|need|expect|have|must|share|use)s?\b",
    re.I,
)
_SEND: Final = re.compile(
    r"\b(?:send|sending|add|adding|include|including|pass|passing|set|setting|specify|"
    r"specifies|append|use|using|put|need|require)\b",
    re.I,
)
_SAME: Final = re.compile(
    r"(?:(?P<subject>[`\w/{}.-]{1,60})\s+(?:also\s+)?"
    r"(?:uses?|accepts?|takes?|supports?|has|have|with)\s+)?(?:exactly\s+)?(?:all\s+)?"
    r"the (?:(?:very|exact)\s)?same\s+"
    r"(?:query |request |url |optional |set of |list of ){0,3}"
    r"(?:parameters?|params|arguments?|options|keys|filters|fields)\s+"
    r"(?:as|like|of)\s+(?P<other>[^.;\n]{2,80})",
    re.I,
)
_SEE: Final = re.compile(
    r"(?:please )?see (?:also )?(?P<other>[^.;\n]{2,60}?)(?: above| below)? for (?:more )?"
    r"(?:details|the details|parameters|the parameters|arguments|options|fields)\.?",
    re.I,
)
_ANY_API: Final = frozenset({"api", "rest", "http", "https", "json", "web", "all", "every", "each"})
_GENERAL: Final = re.compile(
    r"\b(?:common|global|general|shared|universal|generic)\b.{0,30}\b(?:param|option|"
    r"argument|header|quer|field)"
    r"|\b(?:allgemeine|gemeinsame|comunes|globales|communs|généraux|comuns|общие)\b"
    r"|公共|通用|共通|全局",
    re.I,
)
_KIND: Final = r"(?:method|endpoint|request|call|service|resource|function|operation|route)s?"
_WORD_KIND: Final = re.compile(rf"([\w.-]{{2,60}})\W?\s+{_KIND}\b", re.I)
_KIND_WORD: Final = re.compile(rf"\b{_KIND}\s+\W?([\w.-]{{2,60}})", re.I)
_PATH: Final = re.compile(r"/[\w/{}<>:.\-\[\]]{1,120}")
_ONLY: Final = "the only endpoint of the page"
_LISTS: Final = re.compile(
    r"\b(?:list|collection|paginated|index) (?:endpoint|method|request|call|resource)s?\b"
    r"|\b(?:pagination|paging)\b|\b(?:return|give)s? (?:multiple|several|lists? of|many)\b",
    re.I,
)
_PREFACE: Final = re.compile(
    r"\b(?:introduction|overview|getting started|general|basics?|usage|requests?|"
    r"conventions?|about)\b",
    re.I,
)
_MAX_SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class Reach:
    """The endpoints that a general statement is about.

    Attributes:
        endpoints: Their numbers in the findings.
        everywhere: The page says that it is for all.
        reason: Why, for people.
    """

    endpoints: tuple[int, ...] = ()
    everywhere: bool = False
    reason: str = ""

    @property
    def sure(self) -> bool:
        """Whether the page names the endpoints in some way."""
        return self.reason != _ONLY


class Scope:
    """What is where on the page: which endpoints a section holds, which names an endpoint has."""

    def __init__(self, outline: Outline, findings: Findings, routes: Routes) -> None:
        """Index the endpoints by section, path, last segment and title."""
        self.outline = outline
        self.findings = findings
        self.routes = routes
        self.every = tuple(range(len(findings.endpoints)))
        self._under: dict[tuple[str, ...], dict[int, None]] = {}
        self._below: dict[tuple[str, ...], dict[int, None]] = {}
        self._here: dict[tuple[str, ...], dict[int, None]] = {}
        self._headings: dict[int, dict[int, None]] = {}
        self._paths: dict[str, list[int]] = {}
        self._calls: dict[str, list[int]] = {}
        for number, located in enumerate(findings.endpoints):
            self._index(number, located)
        self.path_names = frozenset(
            bare(name)
            for names in (path_names(outline), *(route.names for route in routes.all))
            for name in names
        )
        self._anchors = sorted((e.anchor, n) for n, e in enumerate(findings.endpoints))
        self._titles = Counter(
            plain(entry.block.runs).lower()
            for entry in outline.entries
            if isinstance(entry.block, Heading)
        )

    def _index(self, number: int, located: LocatedEndpoint) -> None:
        sections = {tuple(located.draft.section): None}
        for shown in self.routes.all[number].shown[:_MAX_SHOWN]:
            entry = self.outline.entries[shown.index]
            self._here.setdefault(entry.section, {}).setdefault(number)
            if isinstance(entry.block, Heading):
                sections.setdefault(entry.section)
                self._headings.setdefault(shown.index, {}).setdefault(number)
        for section in sections:
            for length in range(len(section) + 1):
                self._under.setdefault(section[:length], {}).setdefault(number)
                if length < len(section):
                    self._below.setdefault(section[:length], {}).setdefault(number)
        path = located.draft.path.value.partition("?")[0].lower()
        if len(path) > 2:
            self._paths.setdefault(shape(path), []).append(number)
        for name in calls(located):
            self._calls.setdefault(name, []).append(number)

    def of_listing(self, listing: Listing) -> Reach:
        """Tell which endpoints `listing`, which stands in general text, is about."""
        entry = self.outline.entries[max(listing.index, 0)]
        overlap = self.overlap(listing)
        marked = listing.plausible and any(m.marked for m in listing.mentions)
        if len(self.every) == 1 and (listing.sure or overlap or marked):
            return Reach(self.every, False, _ONLY)
        own = self._headings.get(entry.heading)
        if own:
            return Reach(tuple(own), False, "the heading shows the endpoint")
        if listing.sure:
            return self._of_sure(entry, overlap)
        wanted = max(1, min(2, len(listing.mentions) - 1))
        close = tuple(number for number, count in overlap.items() if count >= wanted)
        return Reach(close, False, "the endpoint's addresses hold the same names")

    def _of_sure(self, entry: Entry, overlap: dict[int, int]) -> Reach:
        announced = self._announcement(entry)
        texts = (announced, *reversed(entry.section))
        named = next((found for text in texts if (found := self.named(text))), ())
        if named:
            return Reach(named, False, "the heading names the endpoint")
        if _LISTS.search(announced):
            lists = tuple(n for n in self.every if is_list(self.findings.endpoints[n]))
            return Reach(lists, False, "said for endpoints that give lists")
        place = next((n for n, text in enumerate(entry.section) if _GENERAL.search(text)), None)
        if place is not None or speaks_of_all(announced):
            within = self._common(entry.section, place)
            within = of_method(announced, within, self.findings)
            return Reach(within, len(within) == len(self.every), "said for all requests")
        climb = any(announces(text) for text in entry.section)
        here = tuple(self._here.get(entry.section, ()))
        if len(here) == 1 and self._stands_in_code(here[0], entry):
            return Reach(here, False, "the section shows the endpoint")
        siblings = here or self._around(entry, climb)
        reached = tuple(sorted({*siblings, *overlap}))
        whole = len(reached) == len(self.every)
        return Reach(reached, whole, "said for the section's endpoints")

    def _stands_in_code(self, number: int, entry: Entry) -> bool:
        """Tell whether the section of `entry` opens with the endpoint's address and verb."""
        place = entry.heading + 1
        if entry.heading < 0 or place >= len(self.outline.entries):
            return False
        block = self.outline.entries[place].block
        method = self.findings.endpoints[number].draft.method.value
        return isinstance(block, Code) and block.text.lstrip().startswith(f"{method} ")

    def beyond(self, listing: Listing, owners: tuple[int, ...]) -> tuple[int, ...]:
        """Endpoints beside `owners` that a list under a heading of its own is about, too."""
        entry = self.outline.entries[max(listing.index, 0)]
        if self.addresses_all(listing):
            return tuple(number for number in self.every if number not in owners)
        if entry.heading < 0 or not listing.sure:
            return ()
        anchors = [self.outline.entries[self.findings.endpoints[n].anchor].section for n in owners]
        if any(entry.section[: len(section)] == section for section in anchors):
            return self._twins(owners, anchors)
        if any(n in self._here.get(entry.section, ()) for n in owners):
            return ()
        if self._titles[self._heading(entry).lower()] != 1:
            return ()
        return tuple(number for number in self.overlap(listing) if number not in owners)

    def _twins(self, owners: tuple[int, ...], anchors: list[tuple[str, ...]]) -> tuple[int, ...]:
        """Endpoints in the same section that differ from the owners by their selector only."""
        endpoints = self.findings.endpoints
        paths = {endpoints[n].draft.path.value.partition("?")[0] for n in owners}
        selected = any("?" in endpoints[n].draft.path.value for n in owners)
        if not selected or len(paths) != 1:
            return ()
        return tuple(
            n
            for n in self._under.get(anchors[0], ())
            if n not in owners and endpoints[n].draft.path.value.partition("?")[0] in paths
        )

    def precedes(self, index: int, owners: tuple[int, ...]) -> bool:
        """Tell whether entry `index` stands above the endpoints that own it, and not below them.

        Before the first endpoint of the page, nothing is only that one's own.
        """
        entry = self.outline.entries[max(index, 0)]
        first = self._anchors[0][0] if self._anchors else 0
        for number in owners:
            anchor = self.outline.entries[self.findings.endpoints[number].anchor]
            deeper = len(entry.section) >= len(anchor.section) and entry.index > first
            if entry.index >= anchor.index or deeper:
                return False
        return True

    def addresses_all(self, listing: Listing) -> bool:
        """Tell whether what announces `listing` says that all requests take what it lists."""
        entry = self.outline.entries[max(listing.index, 0)]
        return listing.sure and _ALL.search(self._announcement(entry)) is not None

    def of_text(self, told: Told, entry: Entry) -> Reach:
        """Tell which endpoints a sentence in general text is about."""
        if len(self.every) == 1:
            return Reach(self.every, False, _ONLY)
        own = self._headings.get(entry.heading)
        if own:
            return Reach(tuple(own), False, "the heading shows the endpoint")
        return self._pointed(told.sentence, entry) or self._of_sentence(told, entry)

    def _pointed(self, text: str, entry: Entry) -> Reach | None:
        """Endpoints that a sentence points to: above, below, or by name."""
        if _ABOVE.search(text):
            above = tuple(number for anchor, number in self._anchors if anchor < entry.index)
            if above:
                return Reach(above, False, "said for the endpoints above")
        if _BELOW.search(text):
            below = tuple(number for anchor, number in self._anchors if anchor >= entry.index)
            return Reach(below, False, "said for the endpoints below")
        named = self.named(text)
        return Reach(named, False, "the sentence names the endpoint") if named else None

    def _of_sentence(self, told: Told, entry: Entry) -> Reach:
        text = told.sentence
        inner = tuple(self._below.get(entry.section, ()) or self._under.get(entry.section, ()))
        if told.everywhere or speaks_of_all(text):
            within = inner if len(entry.section) > 2 and inner else self.every
            within = of_method(text, within, self.findings)
            return Reach(within, len(within) == len(self.every), "said for all requests")
        if told.mention.location in {"header", "cookie"} and _SEND.search(text):
            return Reach(self.every, True, "said of requests as such")
        if inner and len(entry.section) > 1 and (told.firm or _SEND.search(text)):
            whole = len(inner) == len(self.every)
            return Reach(inner, whole, "said at the head of the endpoints' section")
        return Reach()

    def named(self, text: str, *, loose: bool = False) -> tuple[int, ...]:
        """Endpoints that `text` names by path, by "the X method" or, if `loose`, by title."""
        lowered = text.lower()[:600]
        found: dict[int, None] = {}
        for match in _PATH.finditer(lowered):
            path = match.group(0).rstrip(".:,")
            for number in self._paths.get(shape(path), []):
                found.setdefault(number)
        for pattern in (_WORD_KIND, _KIND_WORD):
            for match in pattern.finditer(lowered):
                for number in self._last_segment(match.group(1)):
                    found.setdefault(number)
        if loose:
            stripped = lowered.strip("`\"'“” .").removeprefix("the ").strip("`\"'“” ")
            for name in (stripped, *re.findall(r"[\w.-]{2,60}", lowered)[:12]):
                for number in self._calls.get(name, []):
                    found.setdefault(number)
        return tuple(found)

    def same_as(self, text: str) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Find "X uses the same parameters as Y": the endpoints of X (none: here) and of Y."""
        found: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        seen = _SEE.fullmatch(text.strip())
        if seen:
            source = self.named(seen.group("other"), loose=True)
            return [((), source)] if source else []
        for match in _SAME.finditer(text[:4000]):
            source = self.named(match.group("other"), loose=True)
            subject = (match.group("subject") or "").strip("`\"' ").lower()
            if source:
                found.append((tuple(self._calls.get(subject, ())), source))
        return found

    def overlap(self, listing: Listing) -> dict[int, int]:
        """Count, by endpoint, the listed names that its addresses hold."""
        names = {mention.name for mention in listing.mentions}
        found: dict[int, int] = {}
        for route in self.routes.all:
            count = len(names & route.shown_names)
            if count:
                found[route.number] = count
        return found

    def _last_segment(self, word: str) -> list[int]:
        if word.strip(".-") in _ANY_API:
            return []
        return [
            number
            for number in self._calls.get(word.strip(".-"), [])
            if last_literal(self.findings.endpoints[number]) == word.strip(".-")
        ]

    def _heading(self, entry: Entry) -> str:
        if entry.heading < 0:
            return ""
        block = self.outline.entries[entry.heading].block
        return plain(block.runs) if isinstance(block, Heading) else ""

    def _announcement(self, entry: Entry) -> str:
        parts = [self._heading(entry)]
        for other in reversed(self.outline.entries[max(0, entry.index - 3) : entry.index]):
            if isinstance(other.block, Heading):
                break
            if isinstance(other.block, Paragraph):
                parts.append(plain(other.block.runs)[-300:])
                break
        return ". ".join(part for part in parts if part)

    def _common(self, section: tuple[str, ...], place: int | None) -> tuple[int, ...]:
        """Endpoints beside a section of common parameters: all, or those of its own chapter."""
        if place is None or place < 1 or _PREFACE.search(section[place - 1]):
            return self.every
        if re.search(r"\b(?:global|universal)\b", section[place], re.I):
            return self.every
        within = tuple(self._under.get(section[:place], ()))
        return within if len(within) > 1 else self.every

    def _around(self, entry: Entry, climb: bool) -> tuple[int, ...]:
        """Endpoints in the smallest section around `entry` that has any.

        Without `climb`, the page as a whole is too wide a section.
        """
        section = entry.section
        lowest = 0 if climb or len(section) < 2 else 2
        for length in range(len(section), lowest - 1, -1):
            if length and length == len(section) and read_role(section[length - 1]) is not None:
                continue
            found = self._under.get(section[:length])
            if found:
                return tuple(sorted(found))
        return ()
