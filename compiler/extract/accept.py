"""Decides which groups of sightings are endpoints of the API, and why the others are none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from doc2tools.compiler.extract.children import beginnings
from doc2tools.compiler.extract.decoys import website_page
from doc2tools.compiler.extract.hosts import Hosts
from doc2tools.compiler.extract.merge import Group
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.relate import refuse
from doc2tools.compiler.extract.shapes import Shapes, split
from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.ir.document import Code, Heading, Paragraph, Table, plain
from doc2tools.compiler.ir.draft import Rejected

_PASSING = "a mention in passing"
_CALLED_SO = re.compile(
    r"\b(?:visiting|calling|opening|requesting|querying|hitting|fetching)\s(?:this|that|the|it)\b",
    re.IGNORECASE,
)
_BARE_BASE = re.compile(r"(?:/(?:api|rest|services?|v\d{1,2}(?:\.\d)?)){0,3}/?", re.IGNORECASE)
_OF_OPERATIONS = re.compile(
    r"\{(?:api_?)?(?:service|endpoint|resource|method|function|operation|action|command|path|call)"
    r"(?:_?(?:name|type))?\}",
    re.IGNORECASE,
)


def accept(
    outline: Outline, groups: Sequence[Group], hosts: Hosts, rejected: list[Rejected]
) -> list[Group]:
    """Keep the groups whose evidence is enough on this page."""
    sure = sum(1 for group in groups if group.defined >= 0.75)
    generic = _generic_patterns(groups)
    bases = {base.path.rstrip("/") or "/" for base in hosts.bases} | {"/"}
    known = {group.path for group in groups if group.defined >= 0.5}
    likely = [g for g in groups if g.method or g.defined >= 0.5 or _sampled(g)]
    begun = beginnings(
        [g.path for g in groups], [bool(g.method) or _sampled(g) for g in groups], len(likely)
    )
    selected = Counter(group.path for group in groups if group.query)
    kept: list[Group] = []
    doubtful: list[tuple[Group, str]] = []
    for group in groups:
        if selected[group.path] >= 2 and not group.query and not _apart(outline, group):
            reason = "the address that a selecting parameter completes"
        elif group.path in generic:
            reason = "a pattern whose concrete forms are documented"
        elif (_only_base(group, groups) and not _answers_itself(outline, group)) or (
            (group.path.rstrip("/") or "/") in bases and not _base_answers(outline, group)
        ):
            reason = "the base URL"
        elif group.path in begun and not group.method and not _listed(outline, group):
            reason = "only the beginning of other endpoints' paths"
        elif not group.defined and group.path in known and not _sampled(group):
            reason = "a mention of a documented path"
        else:
            reason = _reason_against(group, sure)
        if reason:
            doubtful.append((group, reason))
        else:
            kept.append(group)
    folders = Counter(_folder(group) for group in kept)
    roots = Counter(split(group.path)[0] for group in kept if split(group.path))
    verbs = any(group.method for group in kept)
    for group, reason in doubtful:
        beside = folders[_folder(group)] >= 3 and group.score >= 0.3 and _shown(group)
        below = sum(roots[part] for part in split(group.path)[:1]) >= 2 and not verbs
        below = below and group.score >= 0.34 and _in_code(group)
        if reason == _PASSING and (beside or below):
            kept.append(group)
            continue
        for sighting in group.sightings:
            refuse(sighting, reason, rejected)
    return kept or _only_root(groups, rejected)


def _folder(group: Group) -> str:
    return group.path.rpartition("/")[0]


def _shown(group: Group) -> bool:
    script = re.compile(r"\.(?:asp|aspx|php|cgi|jsp|ashx|do|json|pl)\Z")
    return any(s.target.host or script.search(s.path) for s in group.sightings)


def _in_code(group: Group) -> bool:
    return any(s.candidate.reason.endswith("set as code in the text") for s in group.sightings)


def _answers_itself(outline: Outline, group: Group) -> bool:
    """The very next block is its answer."""
    return any(
        _answer_follows(outline, s.candidate.index, 2)
        for s in group.sightings
        if s.candidate.kind == "definition"
    )


def _in_program(sighting: Sighting) -> bool:
    """A program names the address, and no call that is known sends a request there."""
    candidate = sighting.candidate
    return candidate.rule == "request-sample" and candidate.sample is None and not candidate.method


def _only_base(group: Group, groups: Sequence[Group]) -> bool:
    """An address of the host's root, `/api` or a version, shown alone, that others lie below."""
    if not _BARE_BASE.fullmatch(group.path) or group.query:
        return False
    if split(group.path) and all(_in_program(s) for s in group.sightings):
        return True
    for sighting in group.sightings:
        candidate = sighting.candidate
        plain_address = sighting.target.host and not sighting.target.query
        if candidate.method or candidate.sample or not plain_address:
            return False
    hosts = {s.target.host for s in group.sightings}
    head = split(group.path)
    below = {
        other.path
        for other in groups
        if other.path != group.path
        and split(other.path)[: len(head)] == head
        and other.defined >= 0.5
        and any(s.target.host in hosts or not s.target.host for s in other.sightings)
    }
    return len(below) >= 2


def _apart(outline: Outline, group: Group) -> bool:
    """A verb and the address stand together in a heading, a row or an item."""
    return any(
        s.candidate.method
        and s.candidate.kind == "definition"
        and (
            s.candidate.row is not None
            or isinstance(outline.entries[s.candidate.index].block, Heading)
        )
        for s in group.sightings
    )


def _listed(outline: Outline, group: Group) -> bool:
    """It has an item, a row or a line of its own in a list, or a heading with a table below."""
    return any(
        (s.candidate.row is not None or _tabled(outline, s.candidate.index))
        and s.candidate.kind == "definition"
        and s.candidate.confidence >= 0.75
        for s in group.sightings
    )


def _tabled(outline: Outline, index: int) -> bool:
    """A heading that a table follows before the next heading."""
    if not isinstance(outline.entries[index].block, Heading):
        return False
    return any(
        isinstance(entry.block, Table) and entry.heading == index
        for entry in outline.entries[index + 1 : index + 6]
    )


def _sampled(group: Group) -> bool:
    return any(s.candidate.sample is not None for s in group.sightings)


def _base_answers(outline: Outline, group: Group) -> bool:
    """The base URL is an endpoint, too, where it is called with a query or its answer is shown."""
    for sighting in group.sightings:
        candidate = sighting.candidate
        if candidate.method and candidate.kind != "mention":
            return True
        if candidate.sample is not None or (sighting.target.query and not sighting.instance):
            return True
        if not sighting.target.host and candidate.kind == "definition" and candidate.text == "/":
            return candidate.confidence >= 0.72
        if candidate.kind == "definition" and _answer_follows(outline, candidate.index):
            return True
    return False


def _answer_follows(outline: Outline, index: int, reach: int = 3) -> bool:
    for entry in outline.entries[index + 1 : index + 1 + reach]:
        block = entry.block
        if isinstance(block, Code):
            return outline.readings[entry.index].nature == "answer"
        if isinstance(block, Heading):
            return False
        if isinstance(block, Paragraph) and _CALLED_SO.search(plain(block.runs)):
            return True
    return False


def _reason_against(group: Group, sure: int) -> str:
    first = group.sightings[0].target
    stated = any(s.candidate.method and s.candidate.kind != "mention" for s in group.sightings)
    sampled = _sampled(group)
    page = first.host and website_page(first) and not stated and not sampled
    if page and group.score < 0.9:
        return "a page of the website"
    if all(_behind_link(s) for s in group.sightings):
        return "only an address behind a link"
    threshold = 0.6 if sure >= 3 else 0.5 if sure else 0.42
    if group.defined or sampled:
        threshold = min(threshold, 0.5)
    return _PASSING if group.score < threshold else ""


def _behind_link(sighting: Sighting) -> bool:
    candidate = sighting.candidate
    return candidate.rule == "prose" and candidate.kind == "sample"


def _only_root(groups: Sequence[Group], rejected: list[Rejected]) -> list[Group]:
    """Where nothing else is documented, an address that is shown as the API is the endpoint."""
    roots = [
        group
        for group in groups
        if group.path == "/" and group.defined >= 0.5 and group.sightings[0].target.host
    ]
    kept = (
        roots
        if roots and any(s.candidate.rule == "table" for g in roots for s in g.sightings)
        else []
    )
    texts = {s.candidate.text for group in kept for s in group.sightings}
    rejected[:] = [item for item in rejected if item.text not in texts]
    return kept


def _generic_patterns(groups: Sequence[Group]) -> set[str]:
    """Templates without a fixed part of which two or more other endpoints are special cases."""
    found: set[str] = set()
    written = [g.path for g in groups if any(not s.instance for s in g.sightings)]
    looked = 0
    for pattern in dict.fromkeys(written):
        parts = split(pattern)
        general = len(parts) >= 2 and all(part.startswith("{") for part in parts[:2])
        if not general and not _OF_OPERATIONS.fullmatch(parts[-1] if parts else ""):
            continue
        shapes = Shapes()
        shapes.add(pattern)
        special = {
            group.path
            for group in groups
            if split(group.path)
            and not split(group.path)[0].startswith("{")
            and (general or "{" not in group.path)
            and any(not s.instance for s in group.sightings)
            and shapes.fits(re.sub(r"\{[^{}]*\}", "x", group.path))
        }
        if len(special) >= 2:
            found.add(pattern)
        looked += 1
        if looked >= 40:
            break
    return found
