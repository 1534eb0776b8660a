"""Drafts of accepted endpoints: every field with the lines that it came from."""

from __future__ import annotations

from doc2tools.compiler.extract.candidates import LocatedEndpoint
from doc2tools.compiler.extract.hosts import Hosts
from doc2tools.compiler.extract.locate import Location, describe, title_of
from doc2tools.compiler.extract.merge import Group
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.shapes import split
from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.extract.stated import LOCAL
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.draft import EndpointDraft, RequestSample
from doc2tools.compiler.ir.source import Cited, Span

_MAX_SPANS = 30
_MAX_SAMPLES = 20


def locate(
    outline: Outline, group: Group, sighting: Sighting, place: Location, hosts: Hosts
) -> LocatedEndpoint:
    """Make the draft of an accepted group, with its place on the page."""
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
            own,
            key=lambda s: (
                s.target.host in hosts.stale,
                bool(LOCAL.match(s.target.host)),
                -hosts.weights.get(s.target.host, 0),
            ),
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
            values: dict[str, JsonValue] = {
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
