"""Relates sightings to one another before they are grouped: hosts, tails, repeats of a place."""

from __future__ import annotations

from collections.abc import Sequence

from doc2tools.compiler.extract.hosts import Hosts
from doc2tools.compiler.extract.shapes import split
from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.ir.draft import Rejected


def of_this_api(
    sightings: Sequence[Sighting], hosts: Hosts, rejected: list[Rejected]
) -> list[Sighting]:
    """Refuse addresses on other services' hosts, and on hosts that the page calls dead."""
    kept: list[Sighting] = []
    for sighting in sightings:
        if hosts.serves(sighting.target.host):
            kept.append(sighting)
            continue
        stale = sighting.target.host in hosts.stale
        refuse(sighting, "a host that the page calls old" if stale else "another service", rejected)
    return kept


def below_the_host(sightings: Sequence[Sighting], rejected: list[Rejected]) -> list[Sighting]:
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
            refuse(sighting, "not below the API's address", rejected)
    return kept


def resolve_tails(sightings: Sequence[Sighting]) -> None:
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


def without_tails(sightings: Sequence[Sighting], rejected: list[Rejected]) -> list[Sighting]:
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
            refuse(sighting, "only the end of a path that requests show", rejected)
        else:
            kept.append(sighting)
    return kept


def without_shadows(sightings: Sequence[Sighting]) -> list[Sighting]:
    """Drop sightings without a verb where another rule saw a verb beside the same target."""
    stated = {(s.candidate.index, s.candidate.row, s.candidate.text) for s in sightings if s.method}
    patterns = {
        (s.candidate.index, s.candidate.row, s.candidate.order)
        for s in sightings
        if s.candidate.rule == "pattern-example"
    }
    return [
        s
        for s in sightings
        if (
            s.candidate.rule == "pattern-example"
            or (s.candidate.index, s.candidate.row, s.candidate.order) not in patterns
        )
        and (s.method or (s.candidate.index, s.candidate.row, s.candidate.text) not in stated)
    ]


def refuse(sighting: Sighting, reason: str, rejected: list[Rejected]) -> None:
    """Keep what was refused, with the reason."""
    candidate = sighting.candidate
    rejected.append(Rejected(text=candidate.text[:300], reason=reason, span=candidate.span))
