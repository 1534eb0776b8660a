"""Words of concrete paths that the text explains to be values.

`/breed/hound/images` below "e.g. `hound`", `/category/lamps` below "in a specific category", and
`/job/JOBNAME/build` where "JOBNAME is the name of the job" are templates.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.shapes import split, version_like
from doc2tools.compiler.extract.siblings import OPERATIONS
from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.extract.templates import singular
from doc2tools.compiler.ir.document import Heading, Paragraph, plain

_FOR_EXAMPLE = re.compile(
    r"\b(?:e\.\s?g\.?|for (?:example|instance)|such as|z\.\s?B\.|zum Beispiel|"
    r"p(?:ar)?\.? ?ex(?:emple)?\.?|"
    r"por ejemplo|por exemplo|np\.|bijv\.|например)[\s,:]{1,3}"
    r"((?:[\"“«`'(]{0,2}[\w-]{2,40}[\"”»`')]{0,2}"
    r"(?:,? (?:or |and |oder |ou |o )?|$|[.;:)])){1,4})",
    re.IGNORECASE,
)
_PARTICULAR = re.compile(
    r"\b(?:specific|given|certain|particular|single|chosen|selected|(?<!sorted )(?<!grouped )by)\s"
    r"(?:the\s|an?\s|its\s)?([a-z][a-z-]{2,30})\b",
    re.IGNORECASE,
)
_CAPITALS = re.compile(r"[A-Z]{4,30}")
_ACRONYM_LIST = "JSON HTTP HTTPS REST SOAP ODATA GRAPHQL GEOJSON JSONP HTML"
_ACRONYMS = frozenset(_ACRONYM_LIST.split())
_ENUMERATION = re.compile(
    r"\b([A-Za-z]{3,24})(?:\sare)?\s{0,2}:\s{1,3}((?:[`\"']?[\w-]{2,40}[`\"']?,\s{0,3}){2,200}[`\"']?[\w-]{2,40})"
)
_PLAIN = re.compile(r"[a-z][a-z-]{2,40}")
_MAX_SENTENCES = 400
_MAX_ENUMERATIONS = 50


def explain_words(outline: Outline, sightings: Sequence[Sighting]) -> None:
    """Put placeholders where the text right above a path, or the page, calls a word a value."""
    heads: dict[tuple[str, ...], str] = {}
    capitals = _spoken_capitals(outline, sightings)
    examples: dict[int, set[str]] = {}
    for sighting in sightings:
        segments = split(sighting.path)
        for place, segment in enumerate(segments):
            if segment in capitals:
                heads.setdefault(tuple(segments[: place + 1]), segment.lower())
        if sighting.candidate.kind == "mention" or len(segments) < 2:
            continue
        if len(examples) >= _MAX_SENTENCES:
            continue
        index = sighting.candidate.index
        if index not in examples:
            examples[index] = _words_near(outline, index)
        words = examples[index]
        concrete = bool(sighting.target.host or sighting.candidate.sample)
        concrete = concrete or outline.entries[index].leads_item
        for place in range(1, len(segments)):
            segment, before = segments[place], segments[place - 1]
            name = singular(before)
            if "{" in before or version_like(before) or segment in OPERATIONS:
                continue
            if not _PLAIN.fullmatch(segment):
                continue
            last = place == len(segments) - 1
            if f"e.g. {segment}" in words or (last and concrete and f"specific {name}" in words):
                heads.setdefault(tuple(segments[: place + 1]), name)
    _enumerated(outline, sightings, heads)
    if heads:
        _replace(sightings, heads)


def _enumerated(
    outline: Outline, sightings: Sequence[Sighting], heads: dict[tuple[str, ...], str]
) -> None:
    """`/images/rose` and `/images/tulip` where the page says "Flowers: daisy, rose, tulip"."""
    children: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for sighting in sightings:
        segments = split(sighting.path)
        if len(segments) > 1 and _PLAIN.fullmatch(segments[-1]) and sighting.concrete:
            children[tuple(segments[:-1])].add(segments[-1])
    several = {parent: words for parent, words in children.items() if len(words) > 1}
    if not several:
        return
    seen: set[str] = set()
    for place in outline.places:
        if place.role not in {"paragraph", "item"} or len(seen) >= _MAX_ENUMERATIONS:
            continue
        match = _ENUMERATION.search(place.text.text[:3_000])
        if not match or match.group() in seen:
            continue
        seen.add(match.group())
        values = {value.strip(" `\"'.") for value in match.group(2).split(",")}
        for parent, words in several.items():
            if words <= values and len(values) > len(words):
                name = singular(match.group(1).lower())
                for word in sorted(words):
                    heads.setdefault((*parent, word), name)


def _words_near(outline: Outline, index: int) -> set[str]:
    """What the heading and the paragraph above, or the paragraph itself, name as a value."""
    entry = outline.entries[index]
    texts: list[str] = []
    for other in range(index, max(-1, index - 3), -1):
        block = outline.entries[other].block
        if (outline.entries[other].parent, outline.entries[other].item) != (
            entry.parent,
            entry.item,
        ):
            break
        if isinstance(block, Paragraph | Heading):
            texts.append(plain(block.runs[:60])[:600])
        if isinstance(block, Heading):
            break
    if entry.heading >= 0 and isinstance(block := outline.entries[entry.heading].block, Heading):
        texts.append(plain(block.runs[:20])[:300])
    found: set[str] = set()
    for text in texts:
        for match in _FOR_EXAMPLE.finditer(text):
            found.update(f"e.g. {word}" for word in re.findall(r"[\w-]{2,40}", match.group(1)))
        found.update(f"specific {match.group(1).lower()}" for match in _PARTICULAR.finditer(text))
    return found


def _spoken_capitals(outline: Outline, sightings: Sequence[Sighting]) -> set[str]:
    """Words in capitals that stand in paths, otherwise in small letters, and in sentences."""
    shown: dict[str, int] = defaultdict(int)
    for sighting in sightings:
        segments = split(sighting.path)
        if any(_PLAIN.fullmatch(segment) for segment in segments):
            for segment in segments[1:]:
                if _CAPITALS.fullmatch(segment) and segment not in _ACRONYMS:
                    shown[segment] += 1
    if not shown:
        return set()
    spoken: set[str] = set()
    for place in outline.places:
        if place.role in {"paragraph", "item", "cell", "term"}:
            words = re.findall(r"(?<![\w/])[A-Z]{4,30}(?![\w/])", place.text.text[:3_000])
            spoken.update(word for word in words if word in shown)
    return spoken


def _replace(sightings: Sequence[Sighting], heads: dict[tuple[str, ...], str]) -> None:
    for sighting in sightings:
        segments = split(sighting.path)
        changed = False
        for place in range(len(segments)):
            name = heads.get(tuple(split(sighting.path)[: place + 1]))
            used = re.findall(r"\{([^{}]*)\}", "/".join(segments))
            if not name or "{" in segments[place]:
                continue
            name = name if name not in used else f"{name}_value"
            sighting.values = {**sighting.values, name: segments[place]}
            segments[place] = f"{{{name}}}"
            changed = True
        if changed:
            slash = "/" if sighting.path.endswith("/") else ""
            sighting.instance = sighting.instance or sighting.path
            sighting.path = "/" + "/".join(segments) + slash
