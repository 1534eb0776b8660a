"""Finds the endpoints of a page: rules give candidates, evidence decides among them.

Rules → sightings (parsed targets) → hosts and base path → methods → templates and instances →
groups → acceptance → location and texts. Everything refused is kept with the reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from doc2tools.compiler.extract.candidates import Candidate, Findings, LocatedEndpoint
from doc2tools.compiler.extract.children import beginnings
from doc2tools.compiler.extract.context import doubt
from doc2tools.compiler.extract.decoys import website_page
from doc2tools.compiler.extract.hosts import Hosts, judge_hosts
from doc2tools.compiler.extract.locate import Location, anchors, describe, ranges, title_of
from doc2tools.compiler.extract.merge import Group, group_sightings
from doc2tools.compiler.extract.methods import (
    body_documented,
    general_methods,
    settle_methods,
)
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.prefixes import continue_headings, settle_prefix
from doc2tools.compiler.extract.rules import all_rules
from doc2tools.compiler.extract.shapes import Shapes, split
from doc2tools.compiler.extract.sightings import Sighting, read_candidates
from doc2tools.compiler.ir.document import Code, Heading, Paragraph, plain
from doc2tools.compiler.ir.draft import EndpointDraft, Rejected, RequestSample
from doc2tools.compiler.ir.source import Cited, Span

_PASSING = "a mention in passing"
_CALLED_SO = re.compile(
    r"\b(?:visiting|calling|opening|requesting|querying|hitting|fetching)\s(?:this|that|the|it)\b",
    re.IGNORECASE,
)
_OF_OPERATIONS = re.compile(
    r"\{(?:api_?)?(?:service|endpoint|resource|method|function|operation|action|command|path|call)"
    r"(?:_?(?:name|type))?\}",
    re.IGNORECASE,
)
_MAX_SPANS = 30
_MAX_SAMPLES = 20


def find_endpoints(outline: Outline) -> Findings:
    """Find every endpoint that the page documents, with the evidence, and what only looked so."""
    candidates: list[Candidate] = []
    for rule in all_rules():
        candidates.extend(rule.find(outline))
    sightings, rejected = read_candidates(doubt(outline, candidates))
    hosts = judge_hosts(outline, sightings)
    sightings = _of_this_api(sightings, hosts, rejected)
    sightings = _without_shadows(sightings)
    continue_headings(outline, sightings)
    sightings = settle_prefix(outline, hosts, sightings)
    sightings = _below_the_host(sightings, rejected)
    _resolve_tails(sightings)
    sightings = _without_tails(sightings, rejected)
    settle_methods(outline, sightings)
    groups = group_sightings(outline, sightings)
    groups = _accept(outline, groups, hosts, rejected)
    groups = _with_methods(outline, groups)
    chosen = anchors(outline, groups)
    places = ranges(outline, chosen)
    found = [
        _locate(outline, group, sighting, place, hosts)
        for group, sighting, place in zip(groups, chosen, places, strict=True)
    ]
    found.sort(key=lambda item: (item.anchor, item.row if item.row is not None else -1))
    return Findings(tuple(found), _unique(rejected, found))


def _of_this_api(
    sightings: Sequence[Sighting], hosts: Hosts, rejected: list[Rejected]
) -> list[Sighting]:
    """Refuse addresses on other services' hosts, and on hosts that the page calls dead."""
    kept: list[Sighting] = []
    for sighting in sightings:
        if hosts.serves(sighting.target.host):
            kept.append(sighting)
            continue
        stale = sighting.target.host in hosts.stale
        _refuse(
            sighting, "a host that the page calls old" if stale else "another service", rejected
        )
    return kept


def _below_the_host(sightings: Sequence[Sighting], rejected: list[Rejected]) -> list[Sighting]:
    """Where every endpoint is shown with its host, `/word` in a sentence is something else."""
    definitions = [s for s in sightings if s.candidate.kind == "definition"]
    absolute = {s.path for s in definitions if s.target.host}
    if len(absolute) < 2 or any(not s.target.host for s in definitions):
        return list(sightings)
    tails = {"/".join(split(p)[start:]) for p in absolute for start in range(len(split(p)))}
    known = {part for path in absolute for part in split(path)}
    kept: list[Sighting] = []
    for sighting in sightings:
        if (
            sighting.target.host
            or sighting.candidate.kind != "mention"
            or "/".join(split(sighting.path)) in tails
            or known.intersection(split(sighting.path)[:1])
        ):
            kept.append(sighting)
        else:
            _refuse(sighting, "not below the API's address", rejected)
    return kept


def _resolve_tails(sightings: Sequence[Sighting]) -> None:
    """A mention of `/rules` means `/api/v1/rules` where only that is defined."""
    defined: dict[str, set[str]] = {}
    whole: set[str] = set()
    for sighting in sightings:
        if sighting.candidate.kind == "definition" and sighting.candidate.rule != "prose":
            segments = split(sighting.path)
            whole.add("/".join(segments).lower())
            for start in range(1, len(segments)):
                tail = "/".join(segments[start:]).lower()
                defined.setdefault(tail, set()).add(sighting.path)
    for sighting in sightings:
        candidate = sighting.candidate
        if sighting.target.host or (candidate.kind == "definition" and candidate.rule != "prose"):
            continue
        tail = "/".join(split(sighting.path)).lower()
        longer = defined.get(tail, set())
        if tail and tail not in whole and len(longer) == 1:
            sighting.path = next(iter(longer))


def _without_tails(sightings: Sequence[Sighting], rejected: list[Rejected]) -> list[Sighting]:
    """A path in a sentence that is only the end of requests shown is a value, no endpoint."""
    ends: set[str] = set()
    whole: set[str] = set()
    for sighting in sightings:
        if sighting.candidate.sample is not None:
            segments = split(sighting.path.lower())
            whole.add("/".join(segments))
            ends.update("/".join(segments[start:]) for start in range(1, len(segments)))
    kept: list[Sighting] = []
    for sighting in sightings:
        path = "/".join(split(sighting.path.lower()))
        passing = sighting.candidate.kind == "mention" and not sighting.target.host
        if passing and path in ends and path not in whole:
            _refuse(sighting, "only the end of a path that requests show", rejected)
        else:
            kept.append(sighting)
    return kept


def _without_shadows(sightings: Sequence[Sighting]) -> list[Sighting]:
    """Drop sightings without a verb where another rule saw a verb beside the same target."""
    stated = {(s.candidate.index, s.candidate.row, s.candidate.text) for s in sightings if s.method}
    return [
        s
        for s in sightings
        if s.method or (s.candidate.index, s.candidate.row, s.candidate.text) not in stated
    ]


def _accept(
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
        elif (group.path.rstrip("/") or "/") in bases and not _base_answers(outline, group):
            reason = "the base URL"
        elif group.path in begun and not group.method and not _listed(group):
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
            _refuse(sighting, reason, rejected)
    return kept or _only_root(groups, rejected)


def _folder(group: Group) -> str:
    return group.path.rpartition("/")[0]


def _shown(group: Group) -> bool:
    script = re.compile(r"\.(?:asp|aspx|php|cgi|jsp|ashx|do|json|pl)\Z")
    return any(s.target.host or script.search(s.path) for s in group.sightings)


def _in_code(group: Group) -> bool:
    return any(s.candidate.reason.endswith("set as code in the text") for s in group.sightings)


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


def _listed(group: Group) -> bool:
    """It has an item, a row or a line of its own in a list of endpoints."""
    return any(
        s.candidate.row is not None
        and s.candidate.kind == "definition"
        and s.candidate.confidence >= 0.75
        for s in group.sightings
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


def _answer_follows(outline: Outline, index: int) -> bool:
    for entry in outline.entries[index + 1 : index + 4]:
        block = entry.block
        if isinstance(block, Code):
            return outline.readings[entry.index].nature == "answer"
        if isinstance(block, Heading):
            return False
        if isinstance(block, Paragraph) and _CALLED_SO.search(plain(block.runs)):
            return True
    return False


def _reason_against(group: Group, sure: int) -> str:
    first = group.sightings[0]
    stated = any(s.candidate.method and s.candidate.kind != "mention" for s in group.sightings)
    sampled = _sampled(group)
    if first.target.host and website_page(first.target) and not stated and not sampled:
        if group.score < 0.9:
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
            and shapes.fits(re.sub(r"\{[^{}]*\}", "x", group.path))
        }
        if len(special) >= 2:
            found.add(pattern)
        looked += 1
        if looked >= 40:
            break
    return found


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
            copies = [s for s in group.sightings]
            settled.append(Group(group.path, group.query, method, copies))
        for sighting in group.sightings:
            sighting.why_method = sighting.why_method or why
    return settled


def _own_part(outline: Outline, group: Group) -> tuple[int, int]:
    index = group.sightings[0].candidate.index
    return index, outline.section_end(index)


def _locate(
    outline: Outline, group: Group, sighting: Sighting, place: Location, hosts: Hosts
) -> LocatedEndpoint:
    summary, description = describe(outline, sighting, place)
    entry = outline.entries[place.anchor]
    path = group.path + (f"?{group.query}" if group.query else "")
    base = _base_url(group, hosts)
    if base is not None:
        prefix = _path_of(base.value)
        rest = path[len(prefix) :] if prefix else ""
        if rest.startswith("/") and path.startswith(prefix):
            path = rest
        elif prefix:
            base = base.model_copy(update={"value": base.value[: -len(prefix)]})
    draft = EndpointDraft(
        method=_method(group, sighting),
        path=Cited(
            value=path or "/",
            spans=_spans(group),
            confidence=round(min(1.0, group.score), 3),
            rule=sighting.candidate.rule,
        ),
        base_url=base,
        title=title_of(outline, sighting, place),
        summary=summary,
        description=description,
        section=entry.section,
        samples=_samples(group),
        rank=round(min(1.0, group.score), 3),
        reasons=_reasons(group),
    )
    return LocatedEndpoint(draft, place.anchor, place.row, place.start, place.end)


def _method(group: Group, sighting: Sighting) -> Cited[str]:
    stating = [s for s in group.sightings if s.candidate.method == group.method]
    if stating:
        spans = tuple(dict.fromkeys(s.candidate.span for s in stating))[:_MAX_SPANS]
        best = max(s.candidate.confidence for s in stating)
        return Cited(
            value=group.method, spans=spans, confidence=best, rule=stating[0].candidate.rule
        )
    why = next((s.why_method for s in group.sightings if s.why_method), "")
    return Cited(
        value=group.method, confidence=0.6, inferred=why or "the page states no verb",
        rule=sighting.candidate.rule,
    )  # fmt: skip


def _base_url(group: Group, hosts: Hosts) -> Cited[str] | None:
    """The base that the endpoint's own text shows, else the one that the page states for all."""
    own = [s for s in group.sightings if s.target.host]
    stated = [base for base in hosts.bases if base.host in hosts.accepted and not base.stale]
    if own:
        best = min(
            own, key=lambda s: (s.target.host in hosts.stale, -hosts.weights.get(s.target.host, 0))
        )
        base = next(
            (b for b in stated if b.host == best.target.host and group.path.startswith(b.path)),
            None,
        )
        scheme = best.target.scheme or "https"
        value = base.url if base else f"{scheme}://{best.target.host}"
        spans = tuple(
            dict.fromkeys(s.candidate.span for s in own if s.target.host == best.target.host)
        )
        return Cited(value=value, spans=spans[:_MAX_SPANS], rule="own-address")
    if stated:
        base = stated[0]
        below = split(group.path)[: len(split(base.path))] == split(base.path)
        value = base.url if below else f"{base.scheme or 'https'}://{base.host}"
        return Cited(value=value, spans=(base.span,), confidence=0.9, rule="stated-base")
    return None


def _path_of(url: str) -> str:
    rest = url.partition("://")[2]
    return rest[rest.find("/") :].rstrip("/") if "/" in rest else ""


def _spans(group: Group) -> tuple[Span, ...]:
    found = dict.fromkeys(s.candidate.span for s in group.sightings)
    return tuple(sorted(found, key=lambda span: (span.start, span.end)))[:_MAX_SPANS]


def _samples(group: Group) -> tuple[RequestSample, ...]:
    """Concrete requests, with the values that the path shows filled in."""
    samples: list[RequestSample] = []
    seen: set[tuple[str, str, str]] = set()
    for sighting in sorted(group.sightings, key=lambda s: (s.candidate.index, s.candidate.order)):
        sample = sighting.candidate.sample
        if sample is None:
            if not (sighting.values or sighting.target.query):
                continue
            values = {
                name: None if value is None or value.startswith("{") else value
                for name, value in sighting.target.query
            }
            sample = RequestSample(
                method=group.method,
                url=sighting.candidate.text[:2_000],
                values=values,
                spans=(sighting.candidate.span,),
            )
        key = (sample.method, sample.url, sample.body)
        if key in seen or sample.method != group.method:
            continue
        seen.add(key)
        if sighting.values:
            sample = sample.model_copy(update={"values": {**sighting.values, **sample.values}})
        samples.append(sample)
        if len(samples) >= _MAX_SAMPLES:
            break
    return tuple(samples)


def _reasons(group: Group) -> tuple[str, ...]:
    lines = [f"{s.candidate.span}: {s.candidate.reason}" for s in group.sightings]
    lines += [f"{s.instance} is an instance of {s.path}" for s in group.sightings if s.instance]
    return tuple(dict.fromkeys(lines))[:_MAX_SPANS]


def _refuse(sighting: Sighting, reason: str, rejected: list[Rejected]) -> None:
    candidate = sighting.candidate
    rejected.append(Rejected(text=candidate.text[:300], reason=reason, span=candidate.span))


def _unique(rejected: Sequence[Rejected], found: Sequence[LocatedEndpoint]) -> tuple[Rejected, ...]:
    kept: dict[tuple[str, str], Rejected] = {}
    for item in rejected:
        kept.setdefault((item.text, item.reason), item)
    return tuple(kept.values())[:2_000]
