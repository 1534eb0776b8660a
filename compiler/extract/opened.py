"""General addresses that end with a placeholder for the operation: `https://host/x@{v}/{endpoint}`.

What stands before that placeholder is the base of the paths that are listed, and of the examples.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from doc2tools.compiler.extract.relate import refuse
from doc2tools.compiler.extract.shapes import Shapes, match_values, split
from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.ir.draft import Rejected

_OPERATION = re.compile(
    r"\{(?:api_?)?(?:endpoint|resource|route|path|method|operation|action|command)(?:_?name)?\}",
    re.IGNORECASE,
)
_FORMAT = re.compile(r"(?:\.min)?\.(?:json|xml|csv)\Z", re.IGNORECASE)


def below_open_templates(sightings: Sequence[Sighting], rejected: list[Rejected]) -> list[Sighting]:
    """Complete listed paths, and make examples instances, below the head of a general address."""
    opened = next((s for s in sightings if _general(s)), None)
    listed = [
        s
        for s in sightings
        if not s.target.host and s.candidate.kind == "definition" and s.target.segments
    ]
    if opened is None or not listed:
        return list(sightings)
    head = split(opened.path)[:-1]
    heads, templates = Shapes(), Shapes()
    heads.add("/".join(head))
    for sighting in listed:
        templates.add(sighting.path)
    tails = {"/".join(split(s.path)) for s in listed}
    if not any(_tail(s, head, heads) in tails for s in sightings if s.target.host):
        return list(sightings)  # no example shows that the list belongs below it
    kept: list[Sighting] = []
    for sighting in sightings:
        segments = split(sighting.path)
        if segments and _OPERATION.fullmatch(_FORMAT.sub("", segments[-1])):
            refuse(sighting, "a pattern whose concrete forms are documented", rejected)
            continue
        kept.append(sighting)
        tail = _tail(sighting, head, heads)
        if not sighting.target.host:
            sighting.prefix = "/" + "/".join(head)
            sighting.path = "/" + "/".join([*head, *segments])
        elif tail:
            fits = [] if tail in tails else templates.fits(tail)
            form = _FORMAT.search(segments[-1])
            below = split(fits[0]) if fits else split(tail)
            whole = "/" + "/".join([*head, *below])
            sighting.instance = sighting.path
            sighting.values = {**sighting.values, **match_values(whole, _bare(sighting.path))}
            sighting.path = whole + (form.group() if form else "")
    return kept


def _general(sighting: Sighting) -> bool:
    """A full address with two or more placeholders, the last of them for the operation."""
    segments = split(sighting.path)
    return bool(
        sighting.target.host
        and len(segments) > 1
        and _OPERATION.fullmatch(segments[-1])
        and "{" in "".join(segments[:-1])
    )


def _tail(sighting: Sighting, head: Sequence[str], heads: Shapes) -> str:
    """What an address has below the head, its format left out; "" where it lies elsewhere."""
    segments = split(sighting.path)
    below = segments[len(head) :]
    if not below or not sighting.target.host or "{" in below[-1]:
        return ""
    return _bare("/".join(below)) if heads.fits("/".join(segments[: len(head)])) else ""


def _bare(path: str) -> str:
    return _FORMAT.sub("", path)
