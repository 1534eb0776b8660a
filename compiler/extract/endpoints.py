"""Finds the endpoints of a page: rules give candidates, evidence decides among them.

Rules → sightings (parsed targets) → hosts and base path → methods → templates and instances →
groups → acceptance → location and texts. Everything refused is kept with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from doc2tools.compiler.extract.accept import accept
from doc2tools.compiler.extract.candidates import Candidate, Findings
from doc2tools.compiler.extract.context import doubt
from doc2tools.compiler.extract.drafts import locate
from doc2tools.compiler.extract.hosts import judge_hosts
from doc2tools.compiler.extract.labels import label_methods
from doc2tools.compiler.extract.locate import anchors, ranges
from doc2tools.compiler.extract.merge import Group, group_sightings
from doc2tools.compiler.extract.methods import body_documented, general_methods, settle_methods
from doc2tools.compiler.extract.opened import below_open_templates
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.prefixes import continue_headings, settle_prefix
from doc2tools.compiler.extract.relate import (
    below_the_host,
    of_this_api,
    resolve_tails,
    without_shadows,
    without_tails,
)
from doc2tools.compiler.extract.rules import all_rules
from doc2tools.compiler.extract.shorthand import spell_out
from doc2tools.compiler.extract.sightings import read_candidates
from doc2tools.compiler.ir.draft import Rejected


def find_endpoints(outline: Outline) -> Findings:
    """Find every endpoint that the page documents, with the evidence, and what only looked so."""
    candidates: list[Candidate] = []
    for rule in all_rules():
        candidates.extend(rule.find(outline))
    sightings, rejected = read_candidates(doubt(outline, candidates))
    hosts = judge_hosts(outline, sightings)
    sightings = of_this_api(sightings, hosts, rejected)
    sightings = without_shadows(sightings)
    sightings = below_open_templates(sightings, rejected)
    continue_headings(outline, sightings)
    sightings = settle_prefix(outline, hosts, sightings)
    sightings = below_the_host(sightings, rejected)
    resolve_tails(sightings)
    spell_out(outline, sightings)
    sightings = without_tails(sightings, rejected)
    sightings = label_methods(outline, sightings)
    settle_methods(outline, sightings)
    groups = group_sightings(outline, sightings)
    groups = accept(outline, groups, hosts, rejected)
    groups = _with_methods(outline, groups)
    chosen = anchors(outline, groups)
    places = ranges(outline, chosen)
    found = [
        locate(outline, group, sighting, place, hosts)
        for group, sighting, place in zip(groups, chosen, places, strict=True)
    ]
    found.sort(key=lambda item: (item.anchor, item.row if item.row is not None else -1))
    return Findings(tuple(found), _unique(rejected))


def _with_methods(outline: Outline, groups: Sequence[Group]) -> list[Group]:
    """Give groups without a verb the page's general one, else GET."""
    unstated = [group for group in groups if not group.method]
    if not unstated:
        return list(groups)
    general, words = general_methods(outline)
    settled: list[Group] = []
    for group in groups:
        if group.method:
            settled.append(group)
            continue
        methods: tuple[str, ...] = ("GET",)
        why = "the page states no verb"
        if (general and len(unstated) == len(groups) and len({g.path for g in groups}) == 1) or len(
            general
        ) == 1:
            methods, why = general, f"the page says {words!r}"
        elif body_documented(outline, *_own_part(outline, group)):
            methods, why = ("POST",), "the page states no verb but documents a request body"
        for method in methods:
            settled.append(Group(group.path, group.query, method, list(group.sightings)))
        for sighting in group.sightings:
            sighting.why_method = sighting.why_method or why
    return settled


def _own_part(outline: Outline, group: Group) -> tuple[int, int]:
    index = group.sightings[0].candidate.index
    return index, outline.section_end(index)


def _unique(rejected: Sequence[Rejected]) -> tuple[Rejected, ...]:
    kept: dict[tuple[str, str], Rejected] = {}
    for item in rejected:
        kept.setdefault((item.text, item.reason), item)
    return tuple(kept.values())[:2_000]
