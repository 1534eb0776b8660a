"""Paths that only abbreviate one that the page writes in full right below.

A heading `/Clues` over "Url: `/api/clues`", a heading `/id` over "eg. `/id/1.json`", and `/maxitem`
in a sentence before `/maxitem.json` name no endpoint of their own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.shapes import match_values, split
from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.extract.templates import singular
from doc2tools.compiler.ir.document import Heading, Paragraph, plain

_EXAMPLE_ONLY = re.compile(
    r"\W{0,3}(?:e\.?\s?g\b|for example|for instance|examples?|ex|z\.\s?B|p\.\s?ex|ej)\b[\s.,:]{0,4}"
    r"[`(\"']{0,2}(?:https?://[^\s/]{1,100})?/",
    re.IGNORECASE,
)
_EXAMPLE_BEFORE = re.compile(
    r"(?:\be\.?\s?g\b|\bfor (?:example|instance)|\bsuch as|\bexamples?|\bz\.\s?B)[\s.,:`*\"'(]{0,8}"
    r"(?:(?:GET|POST|PUT|PATCH|DELETE)[\s`*]{1,4})?[`*\"'(]{0,3}\Z",
    re.IGNORECASE,
)
_IDENTIFIED = re.compile(
    r"\b(?:identified by|keyed by|by (?:their|its)|addressed by|"
    r"(?:ids?|names?|slugs?|codes?|keys?)\b[^.]{0,60}"
    r"\b(?:under|below|at))\b",
    re.IGNORECASE,
)
_UNDER = re.compile(
    r"\b(?:under|below)\s[`*\"'(]{0,3}[^\s`*\"']{0,200}/([\w-]{1,60})/[`*\"').,;]{0,4}(?:\s|\Z)"
)
_FORMAT = re.compile(r"\.(?:json|xml)\Z", re.IGNORECASE)
_NEAR = 3
_MAX_LOOKED = 60
"""Sightings of one section that are compared; more tell nothing new."""


def spell_out(outline: Outline, sightings: Sequence[Sighting]) -> None:
    """Give abbreviated paths the full path that the page shows for them."""
    sections: dict[int, list[Sighting]] = defaultdict(list)
    formats: dict[str, list[Sighting]] = defaultdict(list)
    own: set[str] = set()
    for sighting in sightings:
        sections[outline.entries[sighting.candidate.index].heading].append(sighting)
        if _FORMAT.search(sighting.path):
            formats[_FORMAT.sub("", sighting.path)].append(sighting)
        if sighting.method or sighting.candidate.sample is not None:
            own.add(sighting.path)
    for sighting in sightings:
        _with_prefix(outline, sighting, sections)
    full: dict[str, str] = {}
    for sighting in sightings:
        if sighting.path in own or sighting.path in full or not split(sighting.path):
            continue
        index = sighting.candidate.index
        if isinstance(outline.entries[index].block, Heading):
            below = [other for other in sections[index][:200] if other.candidate.index > index]
            longer = _labelled(sighting, below) or _exemplified(outline, sighting, below)
        else:
            longer = _with_format(outline, sighting, formats[sighting.path]) or _by_instance(
                outline, sighting, sections
            )
        if longer:
            full[sighting.path] = longer
    _live_under(outline, sightings)
    for sighting in sightings:
        if sighting.path in full:
            sighting.path = full[sighting.path]


def _by_instance(outline: Outline, sighting: Sighting, sections: dict[int, list[Sighting]]) -> str:
    """`/item/<id>` in a sentence before `/item/8863.json`: the same path with that format."""
    if not sighting.path.endswith("}") or sighting.candidate.kind != "mention":
        return ""
    below = sections[outline.entries[sighting.candidate.index].heading][:_MAX_LOOKED]
    same = [
        other
        for other in below
        if _FORMAT.search(other.path)
        and match_values(sighting.path, _FORMAT.sub("", other.path))
        and len(split(other.path)) == len(split(sighting.path))
    ]
    ending = _FORMAT.search(_with_format(outline, sighting, same))
    return sighting.path + ending.group() if ending else ""


def _live_under(outline: Outline, sightings: Sequence[Sighting]) -> None:
    """`/user/jl.json` is a value where users are "identified by ids, and live under `/user/`"."""
    parents: dict[int, list[str]] = defaultdict(list)
    for entry in outline.entries:
        if isinstance(entry.block, Paragraph):
            text = plain(entry.block.runs)[:2_000]
            if _IDENTIFIED.search(text):
                parents[entry.heading].extend(
                    match.group(1).lower() for match in _UNDER.finditer(text)
                )
    if not parents:
        return
    for sighting in sightings:
        segments = split(sighting.path)
        if not sighting.concrete or len(segments) < 2:
            continue
        parent = segments[-2].lower()
        if parent in parents.get(outline.entries[sighting.candidate.index].heading, ()):
            ending = _FORMAT.search(segments[-1])
            name = singular(segments[-2])
            sighting.instance = sighting.path
            sighting.values = {name: _FORMAT.sub("", segments[-1])}
            tail = f"{{{name}}}" + (ending.group() if ending else "")
            sighting.path = "/" + "/".join([*segments[:-1], tail])


def _with_prefix(outline: Outline, sighting: Sighting, sections: dict[int, list[Sighting]]) -> None:
    """Complete an example in a sentence that leaves out the beginning of its section's path."""
    entry = outline.entries[sighting.candidate.index]
    own = split(sighting.path)
    if not isinstance(entry.block, Paragraph) or not sighting.concrete or not own:
        return
    if entry.heading < 0 or sighting.target.host or sighting.candidate.rule == "table":
        return
    text = plain(entry.block.runs)[:3_000]
    place = text.find(sighting.candidate.text)
    if place < 0 or not _EXAMPLE_BEFORE.search(text[max(0, place - 40) : place]):
        return
    for other in sections[entry.heading][:50]:
        parts = split(other.path)
        lead = len(parts) - len(own)
        if other.concrete or lead <= 0 or any("{" in part for part in parts[:lead]):
            continue
        if all("{" in part or part == own[n] for n, part in enumerate(parts[lead:])):
            sighting.instance = "/" + "/".join([*parts[:lead], *own])
            sighting.values = match_values(other.path, sighting.instance)
            sighting.path = other.path
            return


def _labelled(heading: Sighting, below: Sequence[Sighting]) -> str:
    """The longer path of the section that ends like its heading."""
    tail = [part.lower() for part in split(heading.path)]
    longer = {
        other.path
        for other in below
        if other.candidate.kind == "definition"
        and other.candidate.rule != "prose"
        and len(split(other.path)) > len(tail)
        and [part.lower() for part in split(other.path)][-len(tail) :] == tail
    }
    return next(iter(longer)) if len(longer) == 1 else ""


def _exemplified(outline: Outline, heading: Sighting, below: Sequence[Sighting]) -> str:
    """The only request of the section, shown as the example of its heading."""
    head = split(heading.path)
    inner = [other for other in below if split(other.path)[: len(head)] == head]
    longer = {other.path for other in inner if len(split(other.path)) > len(head)}
    if len(longer) != 1 or len(longer) != len({other.path for other in inner}):
        return ""
    for other in inner:
        block = outline.entries[other.candidate.index].block
        if isinstance(block, Paragraph) and _EXAMPLE_ONLY.match(plain(block.runs[:20])):
            return next(iter(longer))
    return ""


def _with_format(outline: Outline, sighting: Sighting, twins: Sequence[Sighting]) -> str:
    """The same path with its format, shown as a request of its own close below."""
    index = sighting.candidate.index
    for twin in twins[:50]:
        near = 0 <= twin.candidate.index - index <= _NEAR
        same = outline.entries[index].heading == outline.entries[twin.candidate.index].heading
        if near and same and twin.candidate.kind == "definition":
            return twin.path
    return ""
