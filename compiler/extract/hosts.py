"""Which hosts serve the API that a page documents, and below which base path.

Evidence is weighed per host: requests shown, verbs beside its addresses, a stated base URL.
Hosts that only appear behind links or in passing belong to other services.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from doc2tools.compiler.extract.decoys import asset, website_page
from doc2tools.compiler.extract.demos import demonstrated
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.extract.stated import LOCAL, STALE, Base, stated_bases

_CODE_HOSTS = frozenset(("github.com", "gitlab.com", "bitbucket.org", "npmjs.com", "pypi.org"))
"""Where code lives: a page that says "hosted at" one of them speaks of the code."""


_API_SECTION = re.compile(
    r"\b(?:apis?|end\s?-?points?|requests?|urls?|rest|calls?|usage|quer(?:y|ies)|examples?|methods?|"
    r"resources?|services?|web ?services?|routes?)\b|接口|запрос|beispiel|ejemplo|exemple|exemplo",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Hosts:
    """The verdict on a page's hosts.

    Attributes:
        weights: Evidence for each host seen.
        accepted: Hosts of the API.
        bases: Base URLs stated, best first.
        stale: Hosts that the page calls old or forbidden.
        prefix: Base path that paths shown without a host are relative to.
    """

    weights: dict[str, float] = field(default_factory=dict[str, float])
    accepted: frozenset[str] = frozenset()
    bases: tuple[Base, ...] = ()
    stale: frozenset[str] = frozenset()
    prefix: str = ""

    def serves(self, host: str) -> bool:
        """Tell whether `host` is one of the API's."""
        return not host or host in self.accepted


def judge_hosts(outline: Outline, sightings: Sequence[Sighting]) -> Hosts:
    """Weigh the evidence for every host on the page."""
    weights: dict[str, float] = defaultdict(float)
    once: dict[tuple[str, int, int | None, str], float] = {}
    for sighting in sightings:
        host = sighting.target.host
        if host:
            candidate = sighting.candidate
            key = (host, candidate.index, candidate.row, sighting.path)
            section = outline.entries[candidate.index].section
            named = any(_API_SECTION.search(name) for name in section[-2:])
            once[key] = max(once.get(key, 0.0), _evidence(sighting, named=named))
    counts: dict[str, int] = defaultdict(int)
    for (host, *_), weight in sorted(once.items(), key=lambda item: -item[1]):
        counts[host] += 1
        if counts[host] <= 24:
            weights[host] += weight / (1 if counts[host] < 5 else 4)
    relative = any(
        s.candidate.kind == "definition" and not s.target.host and s.target.segments
        for s in sightings
    )
    bases = [
        base for base in stated_bases(outline, relative=relative) if base.host not in _CODE_HOSTS
    ]
    for base in bases:
        weights[base.host] += 0.5 if base.stale else 3.0
    stale = frozenset(_stale_hosts(outline, weights))
    for host in _CODE_HOSTS & weights.keys():
        weights[host] = min(weights[host], 0.5)
    top = max(weights.values(), default=0.0)
    accepted = {h for h, w in weights.items() if w >= 1.0 and w >= 0.15 * top}
    domains = {_domain(host) for host in accepted}
    if not accepted and weights:
        accepted = {h for h, w in weights.items() if w == top and w > 0.6}
    known = any(not base.stale for base in bases)
    accepted |= {
        h for h, w in weights.items() if _domain(h) in domains and w >= (2.0 if known else 0.8)
    }
    if known:
        accepted = {host for host in accepted if weights[host] >= 2.0} or accepted
    accepted -= demonstrated(sightings, accepted)
    fresh = accepted - _forbidden(outline, stale)
    return Hosts(dict(weights), frozenset(fresh or accepted), _order(bases, fresh), stale)


def _evidence(sighting: Sighting, *, named: bool) -> float:
    """How much one sighting says for its host being the API's.

    Args:
        sighting: An address.
        named: A heading above it speaks of the API, its endpoints, requests or use.
    """
    candidate, target = sighting.candidate, sighting.target
    if website_page(target) or (asset(target.path) and not target.query):
        return 0.0 if candidate.kind == "mention" else 0.3
    bare = target.path in {"", "/"} and not target.query
    weight = 0.0
    if candidate.kind == "sample":
        weight = 2.0 if candidate.sample is not None else 0.3
    elif candidate.kind == "definition":
        weight = 2.0 if candidate.method else 0.5 if candidate.rule == "prose" else 1.0
        if candidate.rule == "bare-path" and candidate.confidence < 0.6:
            weight = 0.45 + (0.6 if named else 0.0)
        if candidate.rule == "table":
            weight = 0.6 if target.query or "{" in target.path else 0.15
    else:
        weight = 0.2
    if bare and not candidate.method and candidate.sample is None:
        weight = min(weight, 0.25)
    if not bare and re.search(
        r"(?:^|[.-])api\d{0,2}[.-]|/api(?:/|\.|\Z)|/v\d", target.host + target.path
    ):
        weight += 0.7
    if "{" in target.path or any(value and value.startswith("{") for _, value in target.query):
        weight += 1.0
    elif target.query and candidate.kind != "mention":
        weight += 0.4
    elif target.query:
        weight += 0.2
    if candidate.kind == "mention" and re.search(r"\.(?:json|xml|csv|rdf|ya?ml)\Z", target.path):
        weight += 0.3
    return weight


def _stale_hosts(outline: Outline, weights: dict[str, float]) -> list[str]:
    """Hosts that are named in a sentence that calls them old."""
    found: list[str] = []
    for host in sorted(weights, key=lambda name: -weights[name])[:40]:
        bare = host.partition(":")[0]
        for place in outline.places:
            text = place.text.text
            start = text.lower().find(bare) if len(text) < 5_000 else -1
            if start < 0:
                continue
            around = text[max(0, start - 100) : start + len(bare) + 80]
            after = text[start + len(bare) : start + len(bare) + 80]
            nearby = STALE.search(after) or re.search(
                r"\b(?:old|deprecated|legacy)\b", around, re.I
            )
            if nearby:
                found.append(host)
                break
    return found


def _forbidden(outline: Outline, stale: frozenset[str]) -> set[str]:
    return set(stale)


def _order(bases: list[Base], accepted: set[str]) -> tuple[Base, ...]:
    """Put live hosts before stale and local ones, and drop repeats."""
    unique: dict[tuple[str, str], Base] = {}
    for base in bases:
        unique.setdefault((base.host, base.path), base)
    ordered = sorted(
        unique.values(),
        key=lambda base: (
            base.stale,
            base.test,
            bool(LOCAL.match(base.host)),
            base.host not in accepted,
        ),
    )
    return tuple(ordered)


def _domain(host: str) -> str:
    """The last two labels of a name: near enough to the registrable domain."""
    bare = host.partition(":")[0]
    if re.fullmatch(r"[\d.]+", bare):
        return bare
    return ".".join(bare.split(".")[-2:])
