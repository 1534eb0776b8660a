"""Where an endpoint is defined, which part of the page is its own, and what the page calls it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from doc2tools.compiler.extract.merge import Group
from doc2tools.compiler.extract.outline import Entry, Outline
from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.extract.text import flatten
from doc2tools.compiler.extract.verbs import VERB
from doc2tools.compiler.ir.document import Code, Heading, Paragraph, Table, plain

_VERB_LINES = 4
_CALLING = frozenset(
    re.findall(
        r"\w+",
        "send sending sends a an the to at by with via it this that is are can you must be made "
        "http https api rest url uri path endpoint endpoints route request requests requested "
        "following use using used call calling called issue make do get post put patch delete head",
    )
)
_LABEL_HEADING = re.compile(
    r"\s*(?:\d+[.)]?\s*)?(?:http )?(?:request|response|requests|responses|parameters?|"
    r"query parameters?|path parameters?|url parameters?|body|headers?|examples?|"
    r"sample (?:request|response|call)|usage|returns?|errors?|endpoints?|url|"
    r"end ?point|method|description|syntax|curl|overview|function|arguments?|notes?|"
    r"example request|example response|http request|request url|query|"
    r"request parameters|output|input|get|post|put|delete|patch)\s*:?\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Location:
    """The anchor of a group, and the entries that belong to it."""

    anchor: int
    row: int | None
    start: int
    end: int


def anchors(outline: Outline, groups: Sequence[Group]) -> list[Sighting]:
    """Choose for each group the sighting that defines it best."""
    crowd: dict[int, set[int]] = defaultdict(set)
    for number, group in enumerate(groups):
        for sighting in group.sightings:
            crowd[sighting.candidate.index].add(number)
    return [min(group.sightings, key=lambda s: _anchor_rank(outline, s, crowd)) for group in groups]


def _anchor_rank(
    outline: Outline, sighting: Sighting, crowd: dict[int, set[int]]
) -> tuple[int, int, float, int, int]:
    candidate = sighting.candidate
    entry = outline.entries[candidate.index]
    kind = {"definition": 0, "sample": 1, "mention": 2}[candidate.kind]
    if sighting.instance:
        kind += 1
    shared = len(crowd[candidate.index]) > 1
    overview = 1 if shared or _bare_item(outline, entry) else 0
    if isinstance(entry.block, Heading):
        overview = -1
    return (kind, overview, -candidate.confidence, candidate.index, candidate.order)


def _bare_item(outline: Outline, entry: Entry) -> bool:
    """A list item that holds nothing but one line: likely a table of contents."""
    if entry.parent < 0 or not isinstance(entry.block, Paragraph):
        return False
    after = entry.index + 1
    if after >= len(outline.entries):
        return True
    other = outline.entries[after]
    return not (other.parent == entry.parent and other.item == entry.item)


def ranges(outline: Outline, chosen: Sequence[Sighting]) -> list[Location]:
    """Cut the page into the parts that speak of one endpoint each."""
    starts = sorted({sighting.candidate.index for sighting in chosen})
    position = {index: number for number, index in enumerate(starts)}
    first_under: dict[int, list[int]] = defaultdict(list)
    for index in starts:
        first_under[outline.entries[index].heading].append(index)
    crowd = Counter(sighting.candidate.index for sighting in chosen)
    opens = {index: _start(outline, index, first_under, starts) for index in starts}
    found: list[Location] = []
    for sighting in chosen:
        index = sighting.candidate.index
        entry = outline.entries[index]
        row = sighting.candidate.row
        own_rows = isinstance(entry.block, Table) or (
            row is not None and isinstance(entry.block, Code)
        )
        number = position[index]
        following = opens[starts[number + 1]] if number + 1 < len(starts) else len(outline.entries)
        end = max(index + 1, min(following, _section_end(outline, index, opens[index])))
        several = crowd[index] > 1
        if isinstance(entry.block, Table) and several:
            found.append(Location(index, row, index, index + 1))
            continue
        keep_row = row if own_rows and several else None
        found.append(Location(index, keep_row, opens[index], end))
    return found


def _start(
    outline: Outline, index: int, first_under: dict[int, list[int]], starts: list[int]
) -> int:
    """The endpoint's text begins at its heading, where it is the first that stands under it."""
    entry = outline.entries[index]
    if isinstance(entry.block, Heading):
        return _climb(outline, index, starts)
    heading = entry.heading
    under = first_under[heading]
    if heading >= 0 and under[0] == index:
        if len(under) == 1:
            return _climb(outline, heading, starts)
        return max(heading, _lead_in(outline, index))
    return _lead_in(outline, index)


def _climb(outline: Outline, heading: int, starts: list[int]) -> int:
    """A heading that only labels (`Request`), or that directly follows its parent, yields to it."""
    steps = 0
    while heading > 0 and steps < 3:
        steps += 1
        entry = outline.entries[heading]
        before = outline.entries[heading - 1]
        block = entry.block
        if not isinstance(block, Heading):
            break
        parent = before.heading
        if parent < 0:
            break
        above = outline.entries[parent].block
        if not isinstance(above, Heading) or above.level >= block.level:
            break
        label = bool(_LABEL_HEADING.fullmatch(plain(block.runs)))
        if parent != heading - 1 and not label:
            break
        first = bisect_left(starts, parent)
        own = bisect_left(starts, heading)
        last = bisect_left(starts, outline.section_end(parent))
        siblings = any(outline.entries[s].heading != heading for s in starts[own:last])
        if first < own or (siblings and not label):
            break
        heading = parent
    return heading


def _lead_in(outline: Outline, index: int) -> int:
    """Take the sentence right above a code block or paragraph that names only the target."""
    entry = outline.entries[index]
    if index == 0 or entry.parent >= 0:
        return index
    before = outline.entries[index - 1]
    block = before.block
    if isinstance(block, Paragraph) and before.heading == entry.heading:
        text = plain(block.runs)
        if len(text) < 400:
            return index - 1
    return index


def _section_end(outline: Outline, index: int, start: int) -> int:
    entry = outline.entries[index]
    if entry.parent >= 0 and entry.item is not None and start == index:
        end = index + 1
        while end < len(outline.entries):
            other = outline.entries[end]
            if other.parent < entry.parent or (
                other.parent == entry.parent and other.item != entry.item
            ):
                break
            end += 1
        return end
    return outline.section_end(start if start <= index else index)


def title_of(outline: Outline, sighting: Sighting, location: Location) -> str:
    """Give what the page calls the endpoint: its heading or its list item's words."""
    entry = outline.entries[location.start]
    for name in reversed(outline.entries[location.anchor].section):
        clean = _without_target(name)
        if clean and not _LABEL_HEADING.fullmatch(clean) and isinstance(entry.block, Heading):
            return clean[:120]
    return sighting.candidate.title[:120]


def describe(outline: Outline, sighting: Sighting, location: Location) -> tuple[str, str]:
    """Give a one-sentence summary and the plain text around it."""
    candidate = sighting.candidate
    if candidate.summary:
        text = _clean(candidate.summary)
        return _sentence(text), text
    entry = outline.entries[location.anchor]
    own = ""
    if isinstance(entry.block, Paragraph):
        own = _beside(flatten(entry.block.runs).text, candidate.text)
    elif isinstance(entry.block, Code) and candidate.row is not None:
        lines = entry.block.text.split("\n")
        if candidate.row < len(lines):
            own = _beside(lines[candidate.row], candidate.text)
    if own and not _says_nothing(own):
        return _sentence(own), own
    if location.row is not None and not _is_short(entry.block):
        return _sentence(own), own
    around = _around(outline, location)
    return around if around[0] else (_sentence(own), own)


def _is_short(block: object) -> bool:
    """Say whether a code block can be all about one endpoint, under its verbs."""
    return isinstance(block, Code) and len(block.text.strip().split("\n")) <= _VERB_LINES


def _says_nothing(text: str) -> bool:
    """Say whether a sentence tells only that the endpoint can be called: "Send a request to …"."""
    return set(re.findall(r"[^\W\d_]+", text.lower())) <= _CALLING


def _around(outline: Outline, location: Location) -> tuple[str, str]:
    """Take the first running text of the endpoint's part, below the anchor first, then above."""
    below = range(location.anchor + 1, min(location.end, location.anchor + 6))
    above = range(max(location.start, location.anchor - 4), location.anchor)
    anchor = outline.entries[location.anchor]
    order = [*above, *below] if not isinstance(anchor.block, Heading) else [*below, *above]
    for index in order:
        entry = outline.entries[index]
        if isinstance(entry.block, Heading) and index > location.anchor:
            break
        if isinstance(entry.block, Paragraph) and entry.parent < 0:
            text = _clean(plain(entry.block.runs))
            if (
                len(text.split()) >= 3
                and not _says_nothing(text)
                and not text.startswith(("curl ", "{", "http"))
            ):
                return _sentence(text), text[:1_000]
    return "", ""


_SEVERAL = re.compile(
    r"\W{0,4}(?:[A-Z]{3,7}\s+)?[`*]{0,2}/[^\s:,;`*]{0,120}[`*]{0,2}"
    r"(?:\s{0,3}(?:,|\bor\b|\band\b|&|\|){1,2}\s{0,3}"
    r"(?:[A-Z]{3,7}\s+)?[`*]{0,2}/[^\s:,;`*]{0,120}[`*]{0,2}){1,5}\s{0,3}[:\u2013—-](?=\s)"
)
"""Several addresses of one operation before what it does: `GET /sync or GET /s: tells …`."""


def _beside(text: str, target: str) -> str:
    """What a line says beside its target and verb."""
    several = _SEVERAL.match(text)
    if several:
        rest = text[several.end() :]
    else:  # `/sync` is no part of `/synchronous`
        rest = re.sub(rf"{re.escape(target)}(?![\w-])", " ", text, count=1)
        rest = VERB.sub(" ", rest, count=1)
    rest = re.sub(r"^[\s:\-\u2013—|`*#>()•→=./]{1,40}|[\s`*|(\[]{1,20}$", "", rest)
    rest = _clean(rest)
    return rest if len(rest.split()) >= 2 and not re.search(r"https?://|curl ", rest) else ""


def _without_target(name: str) -> str:
    name = name[:300]
    words = VERB.sub(" ", name).split() if "/" in name else [name]
    clean = " ".join(word for word in words if "/" not in name or not re.search(r"[/{]", word))
    return _clean(clean).strip(" -\u2013—:|[]().")


def _clean(text: str) -> str:
    return re.sub(r"\s{1,200}", " ", text).strip()[:1_000]


def _sentence(text: str) -> str:
    match = re.match(r".{10,240}?[.!?。](?=\s|$)", text)
    sentence = match.group() if match else text[:240]
    return sentence.strip(" :-\u2013—")
