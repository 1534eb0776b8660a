"""Other services that a library's page calls only to show how it is used."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.extract.stated import LOCAL

_FEW = 2


def demonstrated(sightings: Sequence[Sighting], accepted: Collection[str]) -> frozenset[str]:
    """Give those of the accepted hosts that are only called to show a client at work.

    An API's page describes its paths, or calls one service; where nothing is described and samples
    call one or two addresses at each of several unrelated services, none of them is documented.
    """
    if any(s.candidate.kind == "definition" and not s.target.host for s in sightings):
        return frozenset()
    shown: dict[str, set[str]] = defaultdict(set)
    for sighting in sightings:
        host = sighting.target.host
        if host not in accepted or LOCAL.match(host):
            continue
        if sighting.candidate.kind == "definition":
            return frozenset()
        shown[".".join(host.partition(":")[0].split(".")[-2:])].add(sighting.path)
    paths = [path for found in shown.values() for path in found]
    apart = len(paths) == len(set(paths)) and all(len(found) <= _FEW for found in shown.values())
    if len(shown) < 2 or not apart:
        return frozenset()
    return frozenset(accepted)
