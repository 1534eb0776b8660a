"""Which method an endpoint has whose own text states none."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from doc2tools.compiler.extract.outline import Entry, Outline
from doc2tools.compiler.extract.shapes import split
from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.extract.text import flatten
from doc2tools.compiler.extract.verbs import VERB, methods_in_cell, verb_spans
from doc2tools.compiler.ir.document import Block, Heading, Paragraph, Table, plain

_STATED = re.compile(
    r"\s{0,4}(?:http[\s-]?)?(?:request[\s-]?)?(?:methods?|verbs?|types?|request|méthode|método|"
    r"methode|метод|方法|メソッド)\s{0,3}(?:\([^()]{0,20}\))?\s{0,3}[:\uff1a=\-\u2013|]?\s{0,4}[`*\"']{0,3}"
    r"(?P<verb>GET|POST|PUT|PATCH|DELETE|HEAD|Get|Post|Put|Patch|Delete|get|post|put|patch|delete)"
    r"[`*\"'.]{0,3}(?:\s{0,2}(?:request|method))?\s{0,4}\Z",
    re.IGNORECASE,
)
_LABELLED = re.compile(  # any short label, whatever its language
    r"(?:^|\s|[*_`])[^\s:\uff1a/*`]{2,30}\s{0,2}[*_`]{0,3}\s?[:\uff1a]\s{0,3}[`*_\"'\[(]{0,4}"
    r"(?P<verb>GET|POST|PUT|PATCH|DELETE|HEAD)[`*_\"'.\])]{0,4}\s{0,3}\Z"
)
_HTTP_VERB = re.compile(
    r"\s{0,4}(?:http|rest|request)\s{1,3}(?P<verb>GET|POST|PUT|PATCH|DELETE|HEAD)"
    r"(?:\s(?:request|call|method))?\s{0,2}[:\uff1a]?\s{0,4}\Z",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(
    r"\b(?:requests?|https?|methods?|calls?|to|on|this)\b|[:\uff1a]\s{0,3}\Z", re.IGNORECASE
)
_EITHER = re.compile(
    r"\b(GET|POST|PUT|DELETE)\b\s{0,2}(?:or|and|/|,|oder|und|ou|et|y|o)\s{0,2}"
    r"\b(GET|POST|PUT|DELETE)\b"
    r"(?:\s(?:http\s)?(?:requests?|methods?|calls?|verbs?)|\s{0,3}[.):])"
)
_ALL_ONE = re.compile(
    r"\b(?i:all|every|any|only|each|must|always)\b[^.\n]{0,80}?\b(GET|POST)\b"
    r"(?![^.\n]{0,30}\b(?:or|and)\b[^.\n]{0,20}\b(?:GET|POST|PUT|DELETE)\b)"
)
_BODY = re.compile(
    r"\b(?:request body|body param(?:eter)?s?|json body|"
    r"post (?:data|body|param(?:eter)?s?|fields?)|"
    r"form (?:data|fields?|param(?:eter)?s?)|payload|body schema)\b",
    re.IGNORECASE,
)
_REACH = 8
"""Blocks between a stated verb and the address that it is for."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A verb that the page states apart from a path."""

    index: int
    methods: tuple[str, ...]
    text: str


def statements(outline: Outline) -> list[Statement]:
    """Find verbs that stand alone or behind a label."""
    found: list[Statement] = []
    for place in outline.places:
        if place.role in {"embedded", "cell"} or len(place.text.text) > 400:
            continue
        for line in place.text.text.split("\n")[:12]:
            methods = _stated(line.strip(), heading=place.role == "heading")
            if methods:
                found.append(Statement(place.index, methods, line.strip()))
    for entry in outline.entries:
        if isinstance(entry.block, Table) and entry.block.rows:
            found.extend(_in_fact_table(entry.index, entry.block))
    return found


def _stated(text: str, *, heading: bool) -> tuple[str, ...]:
    """The verbs of a line that says nothing else: `POST`, `Method: POST`, `HTTP POST:`."""
    if not text or len(text) > 160:
        return ()
    alone = methods_in_cell(text.removesuffix("request").removesuffix("Request"))
    match = _STATED.fullmatch(text) or _HTTP_VERB.fullmatch(text) or _LABELLED.search(text)
    if match:
        return (match.group("verb").upper(),)
    return alone if alone and (text.isupper() or heading or len(text) < 8) else ()


def _in_fact_table(index: int, table: Table) -> Iterator[Statement]:
    """A table of two columns holds facts on one endpoint where just one row names a verb."""
    rows = [[plain(cell.runs).strip() for cell in row[:3]] for row in table.rows[:12]]
    rows.insert(0, [plain(cell.runs).strip() for cell in table.header[:3]])
    stated = [
        (cells, methods)
        for cells in rows
        if len(cells) == 2 and "/" not in cells[0] and (methods := methods_in_cell(cells[1]))
    ]
    if len(stated) == 1 and not methods_in_cell(stated[0][0][0]):
        yield Statement(index, stated[0][1], " ".join(stated[0][0]))


def settle_methods(outline: Outline, sightings: Sequence[Sighting]) -> None:
    """Give methods to sightings without one from statements in their own section."""
    said = _said(outline, sightings)
    own_paths: dict[int, set[str]] = defaultdict(set)
    nested: set[tuple[int, str]] = set()
    for sighting in sightings:
        own_paths[sighting.candidate.index].add(sighting.path)
        if sighting.candidate.rule == "nested-verb":
            nested.add((outline.entries[sighting.candidate.index].heading, sighting.path))
    for sighting in sightings:
        if sighting.method or sighting.candidate.kind == "mention":
            continue
        if (outline.entries[sighting.candidate.index].heading, sighting.path) in nested:
            continue
        entry = outline.entries[sighting.candidate.index]
        if _named_after_verb(entry.block, sighting):
            sighting.method = split(sighting.path)[-1].upper()
            sighting.why_method = "its name and its text say so"
            continue
        own = scope(outline, entry.heading)
        nearby = _close(said.get(own) or said.get(~outline.heading_above(own), []), entry.index)
        nearby = [
            s for s in nearby if s.index not in own_paths or sighting.path in own_paths[s.index]
        ]
        best = min(nearby, key=lambda s: abs(s.index - entry.index), default=None)
        if best and len(best.methods) == 1:
            sighting.method = best.methods[0]
            sighting.why_method = f"the section says {best.text!r}"
            continue
        verb = _led_in(outline, entry)
        if verb:
            sighting.method = verb
            sighting.why_method = "the sentence above names it"
            continue
        heading = outline.entries[own].block if own >= 0 else None
        if isinstance(heading, Heading) and not isinstance(entry.block, Table):
            verbs = VERB.findall(plain(heading.runs[:20])[:300])
            if len(set(verbs)) == 1:
                sighting.method = verbs[0]
                sighting.why_method = "the heading names it"


def _said(outline: Outline, sightings: Sequence[Sighting]) -> dict[int, list[Statement]]:
    """The statements by the section they govern, or `~section` where their heading is a label."""
    said: dict[int, list[Statement]] = defaultdict(list)
    targeted = {outline.entries[sighting.candidate.index].heading for sighting in sightings}
    for statement in statements(outline):
        heading = outline.entries[statement.index].heading
        home = scope(outline, heading)
        said[home].append(statement)
        short = heading >= 0 and outline.section_end(heading) - heading <= 3
        if home == heading and short and heading not in targeted:
            said[~outline.heading_above(heading)].append(statement)  # the heading is a label
    for spoken in said.values():
        spoken.sort(key=lambda statement: statement.index)
    return said


def _close(said: Sequence[Statement], index: int) -> Sequence[Statement]:
    """The statements within reach of a block; `said` is in the order of the page."""
    first = bisect_left(said, index - _REACH, key=lambda statement: statement.index)
    return said[first : bisect_right(said, index + _REACH, key=lambda statement: statement.index)]


def _led_in(outline: Outline, entry: Entry) -> str:
    """The one verb of the sentence right above a target that stands alone."""
    before = outline.entries[entry.index - 1] if entry.index > 0 else entry
    block = before.block
    if not isinstance(block, Paragraph) or before.heading != entry.heading or before is entry:
        return ""
    if (before.parent, before.item) != (entry.parent, entry.item):
        return ""
    text = plain(block.runs[:40])
    badge = verb_spans(flatten(block.runs[:6]))[:1]
    if badge and badge[0][0] == 0 and len(text) < 80 and len(badge[0][2]) == 1 and "/" not in text:
        return badge[0][2][0]
    if len(text) > 300 or "/" in text.replace("and/or", "") or not _LEAD_IN.search(text):
        return ""
    verbs = set(VERB.findall(text))
    return verbs.pop() if len(verbs) == 1 else ""


def _named_after_verb(block: Block, sighting: Sighting) -> bool:
    """`/post`: "returns POST data"."""
    segments = split(sighting.path)
    name = segments[-1].upper() if segments else ""
    if name not in {"POST", "PUT", "PATCH", "DELETE"} or not isinstance(block, Paragraph):
        return False
    return name in VERB.findall(plain(block.runs))


def scope(outline: Outline, heading: int) -> int:
    """The section in which a verb and a URL belong together; small headings are labels in it."""
    steps = 0
    while heading > 0 and steps < 4:
        block = outline.entries[heading].block
        text = plain(block.runs) if isinstance(block, Heading) else ""
        label = re.fullmatch(
            r"\s*(?:http )?(?:request )?(?:methods?|verb|url|endpoint|end point|path|uri|type|"
            r"route|resource url|http request method|url structure|request url)\s*:?\s*",
            text,
            re.IGNORECASE,
        )
        if not label:
            return heading
        above = outline.heading_above(heading)
        if above < 0:
            return heading
        heading = above
        steps += 1
    return heading


def general_methods(outline: Outline) -> tuple[tuple[str, ...], str]:
    """Verbs that the page says for all its requests, with the words that say so."""
    for place in outline.places:
        if place.role not in {"paragraph", "item"} or len(place.text.text) > 3_000:
            continue
        match = _EITHER.search(place.text.text)
        if match and match.group(1) != match.group(2):
            return (match.group(1), match.group(2)), _clip(place.text.text, match.start())
    for place in outline.places:
        if place.role not in {"paragraph", "item"} or len(place.text.text) > 3_000:
            continue
        match = _ALL_ONE.search(place.text.text)
        if match:
            return (match.group(1),), _clip(place.text.text, match.start())
    return (), ""


def body_documented(outline: Outline, start: int, end: int) -> bool:
    """Tell whether the blocks `[start, end)` speak of a request body."""
    for entry in outline.entries[start : min(end, start + 40)]:
        if isinstance(entry.block, Heading) and _BODY.search(plain(entry.block.runs)):
            return True
    return False


def _clip(text: str, start: int) -> str:
    return text[max(0, start - 20) : start + 100].strip()
