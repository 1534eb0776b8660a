"""Other services that a library's page calls only to show how it is used."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.extract.stated import LOCAL
from doc2tools.compiler.ir.document import Heading, plain

_ECHOES = ("httpbin.org", "postman-echo.com", "jsonplaceholder.typicode.com", "reqres.in")
"""Services made for trying clients out; their own pages name them in a heading."""
_FEW = 2


def demonstrated(
    outline: Outline, sightings: Sequence[Sighting], accepted: Collection[str]
) -> frozenset[str]:
    """Give those of the accepted hosts that are only called to show a client at work.

    An API's page describes its paths, or calls one service; where nothing is described and samples
    call one or two addresses at each of several unrelated services, none of them is documented.
    """
    echoes = {host for host in accepted if _echo(host) and not _titled(outline, host)}
    if any(s.candidate.kind == "definition" and not s.target.host for s in sightings):
        return frozenset()
    shown: dict[str, set[str]] = defaultdict(set)
    for sighting in sightings:
        host = sighting.target.host
        if host not in accepted or LOCAL.match(host):
            continue
        if sighting.candidate.kind == "definition":
            return frozenset(echoes)
        shown[".".join(host.partition(":")[0].split(".")[-2:])].add(sighting.path)
    paths = [path for found in shown.values() for path in found]
    apart = len(paths) == len(set(paths)) and all(len(found) <= _FEW for found in shown.values())
    if len(shown) < 2 or not apart:
        return frozenset(echoes)
    return frozenset(accepted)


def _echo(host: str) -> bool:
    return host.removeprefix("www.") in _ECHOES


def _titled(outline: Outline, host: str) -> bool:
    """A heading, or the page's own address, names the service."""
    name = host.removeprefix("www.").partition(".")[0].replace("-", "")
    titles = "".join(
        plain(entry.block.runs)[:200]
        for entry in outline.entries[:400]
        if isinstance(entry.block, Heading)
    )
    return name in titles.lower().replace("-", "").replace(" ", "")
