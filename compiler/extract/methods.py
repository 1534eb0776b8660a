"""Which method an endpoint has whose own text states none."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.shapes import split
from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.extract.verbs import VERB, methods_in_cell
from doc2tools.compiler.ir.document import Block, Heading, Paragraph, Table, plain

_STATED = re.compile(
    r"\s{0,4}(?:http[\s-]?)?(?:request[\s-]?)?(?:methods?|verbs?|types?|request|méthode|método|"
    r"methode|метод|方法|メソッド)\s{0,3}(?:\([^()]{0,20}\))?\s{0,3}[:\uff1a=\-\u2013|]?\s{0,4}[`*\"']{0,3}"
    r"(?P<verb>GET|POST|PUT|PATCH|DELETE|HEAD|Get|Post|Put|Patch|Delete|get|post|put|patch|delete)"
    r"[`*\"'.]{0,3}(?:\s{0,2}(?:request|method))?\s{0,4}\Z",
    re.IGNORECASE,
)
_EITHER = re.compile(
    r"\b(GET|POST|PUT|DELETE)\b\s{0,2}(?:or|and|/|,|oder|und|ou|et|y|o)\s{0,2}\b(GET|POST|PUT|DELETE)\b"
    r"(?:\s(?:http\s)?(?:requests?|methods?|calls?|verbs?)|\s{0,3}[.):])"
)
_ALL_ONE = re.compile(
    r"\b(?i:all|every|any|only|each|must|always)\b[^.\n]{0,80}?\b(GET|POST)\b(?![^.\n]{0,30}\b(?:or|and)\b)"
)
_BODY = re.compile(
    r"\b(?:request body|body param(?:eter)?s?|json body|post (?:data|body|param(?:eter)?s?|fields?)|"
    r"form (?:data|fields?|param(?:eter)?s?)|payload|body schema)\b",
    re.IGNORECASE,
)


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
        text = place.text.text.strip()
        if not text or len(text) > 80 or place.role in {"embedded", "cell"}:
            continue
        alone = methods_in_cell(text.removesuffix("request").removesuffix("Request"))
        match = _STATED.fullmatch(text)
        if match:
            found.append(Statement(place.index, (match.group("verb").upper(),), text))
        elif alone and (text.isupper() or place.role == "heading" or len(text) < 8):
            found.append(Statement(place.index, alone, text))
    for entry in outline.entries:
        if isinstance(entry.block, Table) and entry.block.rows:
            for row in entry.block.rows[:12]:
                cells = [plain(cell.runs) for cell in row[:2]]
                if len(cells) == 2 and re.fullmatch(
                    r"(?:http\s?)?(?:request\s?)?(?:methods?|verb|type)\s?:?",
                    cells[0].strip(),
                    re.I,
                ):
                    methods = methods_in_cell(cells[1])
                    if methods:
                        found.append(Statement(entry.index, methods, " ".join(cells)))
    return found


def settle_methods(outline: Outline, sightings: Sequence[Sighting]) -> None:
    """Give methods to sightings without one from statements in their own section."""
    said: dict[int, list[Statement]] = defaultdict(list)
    for statement in statements(outline):
        heading = outline.entries[statement.index].heading
        said[_scope(outline, heading)].append(statement)
    for sighting in sightings:
        if sighting.method or sighting.candidate.kind == "mention":
            continue
        entry = outline.entries[sighting.candidate.index]
        if _named_after_verb(entry.block, sighting):
            sighting.method = split(sighting.path)[-1].upper()
            sighting.why_method = "its name and its text say so"
            continue
        nearby = said.get(_scope(outline, entry.heading), [])
        best = min(nearby, key=lambda s: abs(s.index - entry.index), default=None)
        if best and abs(best.index - entry.index) <= 8 and len(best.methods) == 1:
            sighting.method = best.methods[0]
            sighting.why_method = f"the section says {best.text!r}"
            continue
        heading = outline.entries[entry.heading].block if entry.heading >= 0 else None
        if isinstance(heading, Heading) and sighting.candidate.row is None:
            verbs = VERB.findall(plain(heading.runs[:20])[:300])
            if len(set(verbs)) == 1:
                sighting.method = verbs[0]
                sighting.why_method = "the heading names it"


def _named_after_verb(block: Block, sighting: Sighting) -> bool:
    """`/post`: "returns POST data"."""
    segments = split(sighting.path)
    name = segments[-1].upper() if segments else ""
    if name not in {"POST", "PUT", "PATCH", "DELETE"} or not isinstance(block, Paragraph):
        return False
    return name in VERB.findall(plain(block.runs))


def _scope(outline: Outline, heading: int) -> int:
    """The section in which a verb and a URL belong together; small headings are labels in it."""
    steps = 0
    while heading > 0 and steps < 4:
        block = outline.entries[heading].block
        text = plain(block.runs) if isinstance(block, Heading) else ""
        label = re.fullmatch(
            r"\s*(?:http )?(?:request )?(?:methods?|verb|url|endpoint|end point|path|uri|type|route|"
            r"resource url|http request method|url structure|request url|get|post|put|delete|patch)\s*:?\s*",
            text,
            re.IGNORECASE,
        )
        if not label:
            return heading
        before = outline.entries[heading - 1]
        heading = before.heading
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
