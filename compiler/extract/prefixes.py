"""Puts paths that continue a heading or hang below a base path together with what they continue."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from doc2tools.compiler.extract.hosts import Hosts
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.shapes import Shapes, split
from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.extract.templates import placeholder_free
from doc2tools.compiler.ir.document import Heading

_PREFIX_LABEL = re.compile(
    r"\b(?:base[\s-]?(?:path|url|uri)|api prefix|path prefix|url prefix|"
    r"context (?:path|root)|basispfad|chemin de base)\b"
    r"(?:\s(?:is|of|for|the|api|all|urls?|endpoints?))*\s?:?\s?[`*\"'(]{0,3}\Z|"
    r"\b(?:all|every|each|any|these)\b[^.\n]{0,60}\b(?:endpoints?|urls?|uris?|paths?|routes?|"
    r"requests?|calls?|resources?|methods?)\b[^.\n]{0,60}"
    r"\b(?:prefixed|mounted|relative|rooted|start(?:s|ing)?|"
    r"begin(?:s|ning)?|live|under|below)\b(?:\s(?:with|by|at|under|to|the|in))*\s?:?\s?[`*\"'(]{0,3}\Z",
    re.IGNORECASE,
)


def continue_headings(outline: Outline, sightings: Sequence[Sighting]) -> None:
    """Join `GET /{id}` to the `/users` of the heading above it."""
    by_heading: dict[int, str] = {}
    for sighting in sightings:
        block = outline.entries[sighting.candidate.index].block
        bare = not sighting.method and not sighting.target.host and sighting.concrete
        if isinstance(block, Heading) and bare and sighting.target.segments:
            by_heading.setdefault(sighting.candidate.index, sighting.path.rstrip("/"))
    if not by_heading:
        return
    for sighting in sightings:
        if sighting.target.host or sighting.candidate.kind == "sample":
            continue
        segments = sighting.target.segments
        if segments and not segments[0].startswith("{"):
            continue
        above = _heading_path(outline, sighting.candidate.index, by_heading)
        if above and (segments or sighting.method):
            sighting.path = above + ("/" + "/".join(segments) if segments else "")


def _heading_path(outline: Outline, index: int, paths: dict[int, str]) -> str:
    entry = outline.entries[index]
    heading = entry.heading if entry.heading != index else index - 1
    level = 99 if heading != index - 1 else entry.depth
    steps = 0
    while heading >= 0 and steps < 60:
        steps += 1
        other = outline.entries[heading]
        block = other.block
        if isinstance(block, Heading) and block.level < level:
            level = block.level
            if heading in paths and heading != index:
                return paths[heading]
        heading = outline.entries[heading - 1].heading if heading > 0 else -1
    return ""


def settle_prefix(outline: Outline, hosts: Hosts, sightings: list[Sighting]) -> list[Sighting]:
    """Complete paths that are shown below the base path; returns all sightings."""
    relative = [s for s in sightings if not s.target.host]
    absolute = [s for s in sightings if s.target.host]
    tails, whole = _alignments(relative, absolute)
    prefix = _choose(outline, hosts, relative, tails, whole)
    hosts.prefix = prefix
    wanted = split(prefix)
    if wanted:
        for sighting in relative:
            if split(sighting.path)[: len(wanted)] != wanted:
                sighting.path = prefix.rstrip("/") + sighting.path
                sighting.prefix = prefix
        return sightings
    return _supplements(sightings, relative, absolute, tails, whole)


def _alignments(
    relative: Sequence[Sighting], absolute: Sequence[Sighting]
) -> tuple[dict[str, Counter[str]], Counter[str]]:
    """For each relative path, what stands before it in full addresses; and those met in full."""
    shapes = Shapes()
    for sighting in relative:
        candidate = sighting.candidate
        defines = candidate.kind == "definition" and candidate.rule != "prose"
        if defines and any("{" not in part for part in split(sighting.path)):
            shapes.add(sighting.path)
    tails: dict[str, Counter[str]] = {}
    whole: Counter[str] = Counter()
    for path in dict.fromkeys(sighting.path for sighting in absolute):
        segments = split(path)
        for start in range(min(len(segments), 8)):
            fits = shapes.fits("/".join(segments[start:]))
            if not fits:
                continue
            if start:
                head = "/" + "/".join(segments[:start])
                tails.setdefault(fits[0], Counter())[head] += 1
            else:
                whole[fits[0]] += 1
            break
    return tails, whole


def _choose(
    outline: Outline,
    hosts: Hosts,
    relative: Sequence[Sighting],
    tails: dict[str, Counter[str]],
    whole: Counter[str],
) -> str:
    stated = _general_bases(hosts)
    own = _stated_prefix(outline)
    if own:
        stated.append(own)
    votes: Counter[str] = Counter()
    for heads in tails.values():
        votes.update(dict.fromkeys(heads, 1))
    definitions = {s.path for s in relative if s.candidate.kind == "definition"} or {
        s.path for s in relative
    }
    whole_paths = {item.rstrip("/") for item in definitions}
    for path in stated:
        wanted = split(path)
        rooted = sum(1 for item in definitions if split(item)[: len(wanted)] == wanted)
        if definitions and rooted * 2 > len(definitions):
            both = any(path.rstrip("/") + item.rstrip("/") in whole_paths for item in definitions)
            return path if rooted < len(definitions) and (votes.get(path) or both) else ""
        if len(whole) > votes.get(path, 0):
            continue
        return path
    if votes:
        head, count = max(votes.items(), key=lambda item: (item[1], -len(item[0])))
        several = [other for other, number in votes.items() if number == count and other != head]
        if count > len(whole) and not several and not _known(head, relative):
            return head
    return ""


def _general_bases(hosts: Hosts) -> list[str]:
    """Paths of stated bases; one that extends the path of an earlier base is a special case."""
    kept: list[str] = []
    first: dict[str, str] = {}
    for base in hosts.bases:
        if base.host not in hosts.accepted or base.stale:
            continue
        general = first.setdefault(base.host, base.path)
        if base.path.strip("/") and not (base.path != general and base.path.startswith(general)):
            kept.append(base.path)
    return kept


def _known(head: str, relative: Sequence[Sighting]) -> bool:
    shape = placeholder_free(head)
    return any(placeholder_free(sighting.path) == shape for sighting in relative)


def _stated_prefix(outline: Outline) -> str:
    """A base path that the text states without a host: `All paths are prefixed with /api/v1`."""
    for place in outline.places:
        if place.role in {"code", "embedded", "heading"}:
            continue
        for token in place.text.tokens:
            if token.kind != "path" or re.search(r"[{:*?]", token.raw):
                continue
            if _PREFIX_LABEL.search(place.text.text[max(0, token.start - 100) : token.start]):
                path = token.raw.rstrip("/")
                if path and path.startswith("/"):
                    return path
    return ""


def _supplements(
    sightings: list[Sighting],
    relative: Sequence[Sighting],
    absolute: Sequence[Sighting],
    tails: dict[str, Counter[str]],
    whole: Counter[str],
) -> list[Sighting]:
    """A path that is only ever seen behind other endpoints is a supplement to each of them."""
    known = {placeholder_free(s.path) for s in absolute}
    dropped: set[int] = set()
    added: list[Sighting] = []
    for sighting in relative:
        heads = tails.get(sighting.path)
        if not heads or sighting.path in whole or sighting.method:
            continue
        endpoints = [head for head in heads if placeholder_free(head) in known]
        if not endpoints:
            continue
        dropped.add(id(sighting))
        for head in endpoints:
            longer = Sighting(
                sighting.candidate, sighting.target, head + sighting.path, head, "", "", "", {}
            )
            added.append(longer)
    return [s for s in sightings if id(s) not in dropped] + added
