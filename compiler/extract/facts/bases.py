"""Base URLs that a page states or shows, the likeliest first, each with its reason."""

# ruff: noqa: RUF001 - the typographic marks and letters are what documentation holds

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from doc2tools.compiler.extract.candidates import Findings, LocatedEndpoint
from doc2tools.compiler.extract.outline import Entry, Outline
from doc2tools.compiler.extract.parameters.merge import CitedText
from doc2tools.compiler.extract.parameters.routes import Routes
from doc2tools.compiler.extract.templates import parse_targets
from doc2tools.compiler.ir.document import (
    DefinitionList,
    Document,
    Heading,
    Paragraph,
    Run,
    Table,
    plain,
)
from doc2tools.compiler.ir.source import Cited, Span
from doc2tools.compiler.passes.splitting import split_address

_URL: Final = re.compile(r"https?://[^\s\"'<>`|\\^(){}\[\]，。；、]{3,300}", re.I)
_LABEL: Final = re.compile(
    r"\b(?:base|root|api|server|service|production|host|endpoint|sandbox|staging|live|"
    r"main)\s{0,2}-?"
    r"(?:api )?(?:url|uri|address|host|endpoint|path|domain|server)s?\b"
    r"|\b(?:hosts?|servers?|base)\s{0,2}:"
    r"|\b(?:all|every|each)\b.{0,40}\b(?:urls?|requests?|endpoints?|calls?|paths?|"
    r"methods?)\b.{0,60}"
    r"\b(?:start|begin|prefix|at|relative|base|under|to|from)"
    r"|\b(?:instance|deployment|demo) (?:is |runs )?(?:hosted |running )?(?:at|on|under)\b"
    r"|\b(?:available|reachable|hosted|located|served|accessible|lives?|accessed|found)\s(?:at|on|"
    r"under|via|through)\b|\brelative to\b|\b(?:starts?|begins?|prefixed) with\b"
    r"|url (?:de )?base|basis-?url|url-?basis|базов\w{1,4} (?:url|адрес)|基础\s?(?:url|"
    r"路径)|接口地址|"
    r"ベースurl|기본 url",
    re.I,
)
_NAMED: Final = re.compile(
    r"\b(?:base|root|api|server|service|production|endpoint)\s{0,2}-?(?:api )?"
    r"(?:url|uri|address|host|endpoint|path|domain|server)s?\b|\bbase\s{0,2}:|url (?:de )?base|"
    r"basis-?url|базов\w{1,4} (?:url|адрес)|基础\s?(?:url|路径)|接口地址",
    re.I,
)
_SAME: Final = "shows the same endpoint"
_STALE: Final = re.compile(
    r"\b(?:deprecated|obsolete|old|legacy|retired?|no longer|stopped working|discontinued|"
    r"shut ?down|"
    r"formerly|previous|outdated|not allowed|do not use)\b",
    re.I,
)
_TEST: Final = re.compile(r"\b(?:sandbox|staging|test(?:ing)?|development|dev|demo|mock)\b", re.I)
_LOCAL: Final = re.compile(
    r"(?:localhost|127\.\d|0\.0\.0\.0|192\.168\.|10\.\d|172\.(?:1[6-9]|2\d|3[01])\.|\[::1\]|"
    r"[\w.-]{1,60}\.(?:local|localdomain|test|invalid)(?=[:/]|\Z)|"
    r"(?:www\.)?example\.(?:com|org|net)\b)",
    re.I,
)
_DOCS: Final = re.compile(
    r"(?:docs?|developers?|dev|help|support|wiki|blog|status|github|gitlab)\.|www\.(?:github|npmjs)\.",
    re.I,
)
_API_WORD: Final = re.compile(r"\bAPI\b")
_ASSET: Final = re.compile(
    r"\.(?:png|jpe?g|gif|svg|css|js|ico|html?|pdf|zip|md|json|xml|xslt?|csv|txt|rss|atom|ics|ya?ml)\Z",
    re.I,
)


@dataclass(slots=True)
class _Claim:
    weight: float = 0.0
    spans: dict[Span, None] = field(default_factory=dict[Span, None])
    rule: str = ""
    reason: str = ""


def _is_repository(document: Document) -> bool:
    """Tell whether the page fronts a code repository: its host serves code, not the API."""
    own = split_address(document.url).path.rstrip("/")
    rooms = tuple(f"{own}/{room}" for room in ("issues", "blob/", "tree/", "commits", "pulls"))
    return bool(own) and any(split_address(link).path.startswith(rooms) for link in document.links)


def base_urls(outline: Outline, findings: Findings) -> tuple[Cited[str], ...]:
    """Give the page's base URLs, best first."""
    claims: dict[str, _Claim] = {}
    _from_endpoints(findings, claims)
    _from_text(outline, findings, claims)
    _from_samples(findings, claims)
    _alternatives(outline, findings, claims)
    if not claims and findings.endpoints:
        _from_examples(outline, findings, claims)
    if not claims and findings.endpoints:
        _from_links(outline, claims)
    if not claims and findings.endpoints and not _is_repository(outline.document):
        parts = split_address(outline.document.url)
        if parts.scheme in {"http", "https"} and parts.netloc:
            claim = _Claim(
                0.3, rule="page-address", reason="the page's own address; none is stated"
            )
            claims[f"{parts.scheme}://{parts.netloc}"] = claim
    for url, claim in claims.items():
        if _LOCAL.match(url.partition("://")[2]):
            claim.weight *= 0.1
            claim.reason = claim.reason or "a host of an example or of the reader's own machine"
    _demote_endpoints(findings, claims)
    order = {url: number for number, url in enumerate(claims)}
    ranked = sorted(claims, key=lambda url: (-claims[url].weight, order[url]))
    total = max((claim.weight for claim in claims.values()), default=1.0) or 1.0
    return tuple(
        CitedText(
            value=url,
            spans=tuple(claims[url].spans)[:5],
            confidence=round(min(1.0, 0.2 + 0.8 * claims[url].weight / max(total, 3.0)), 3),
            inferred=claims[url].reason,
            rule=claims[url].rule,
        )
        for url in ranked[:20]
    )


def _from_examples(outline: Outline, findings: Findings, claims: dict[str, _Claim]) -> None:
    """Where no text holds a host, links to the very paths of the endpoints show it."""
    routes = Routes(findings.endpoints)
    for entry in outline.entries:
        block = entry.block
        runs = block.runs if isinstance(block, Paragraph | Heading) else ()
        for run in runs:
            target = next(iter(parse_targets(run.href)), None) if "://" in run.href else None
            if target is None or not target.host or _DOCS.match(target.host) or target.fragment:
                continue
            for route, _ in routes.find(target)[:1]:
                if len(route.segments) == len(target.segments) and _has_literal(route.segments):
                    url = f"{target.scheme or 'https'}://{target.host}"
                    reason = "a link leads to an endpoint there; no base is stated"
                    _add(claims, url, 0.3, span=block.span, rule="linked-example", reason=reason)


def _has_literal(segments: tuple[str, ...]) -> bool:
    return any("{" not in segment for segment in segments)


def _from_links(outline: Outline, claims: dict[str, _Claim]) -> None:
    """A page that states no base may link to the API's site near its top, by name or as its API."""
    for entry in outline.entries[:12]:
        block = entry.block
        for run in block.runs if isinstance(block, Paragraph) else ():
            parts = split_address(run.href)
            host = parts.netloc.lower()
            if not host or parts.path.strip("/") or parts.query or _DOCS.match(host):
                continue
            named = run.text.strip().lower().removeprefix("https://").removeprefix("http://")
            by_name = named.rstrip("/").removeprefix("www.") == host.removeprefix("www.")
            if by_name or _API_WORD.search(run.text[:100]):
                what = "by its name" if by_name else "as its API"
                _add(
                    claims,
                    f"{parts.scheme}://{host}",
                    0.3,
                    span=block.span,
                    rule="linked-host",
                    reason=f"the site that the page links to {what}; no base is stated",
                )
                return


def _demote_endpoints(findings: Findings, claims: dict[str, _Claim]) -> None:
    """An address that is an endpoint itself is no base while one of its own host is known."""
    paths = {
        found.draft.path.value.partition("?")[0].rstrip("/") for found in findings.endpoints
    } - {""}
    for url, claim in claims.items():
        origin = "/".join(url.split("/")[:3])
        rest = url[len(origin) :]
        if rest and rest in paths and origin in claims:
            claim.weight = min(claim.weight, 0.5 * claims[origin].weight)


def _alternatives(outline: Outline, findings: Findings, claims: dict[str, _Claim]) -> None:
    """Other hosts on which the page shows the very same endpoint."""
    paths = {_full(found) for found in findings.endpoints}
    known = {url.split("/")[2] for url in claims if url.count("/") >= 2}
    for entry in outline.entries:
        for text, span in _texts(entry):
            for address in _addresses(text):
                for target in parse_targets(address)[:1]:
                    path = target.path.rstrip("/")
                    if not target.host or target.host in known or path not in paths:
                        continue
                    if path or any(_domain(target.host) == _domain(host) for host in known):
                        url = f"{target.scheme}://{target.host}"
                        _add(claims, url, 0.1, span=span, rule="same-endpoint", reason=_SAME)


def _full(found: LocatedEndpoint) -> str:
    base = found.draft.base_url.value if found.draft.base_url else ""
    path = found.draft.path.value.partition("?")[0].rstrip("/")
    prefix = split_address(base).path.rstrip("/")
    return path if path.startswith(prefix) and prefix else prefix + path


def _add(
    claims: dict[str, _Claim],
    url: str,
    weight: float,
    *,
    span: Span | None,
    rule: str,
    reason: str,
) -> None:
    claim = claims.setdefault(url, _Claim(rule=rule, reason=reason))
    if weight > claim.weight and claim.rule != rule and not reason:
        claim.rule, claim.reason = rule, reason
    claim.weight += weight
    if span is not None:
        claim.spans.setdefault(span)


def _from_endpoints(findings: Findings, claims: dict[str, _Claim]) -> None:
    count = len(findings.endpoints) or 1
    for found in findings.endpoints:
        base = found.draft.base_url
        if base is None or not base.value:
            continue
        span = base.spans[0] if base.spans else None
        _add(
            claims,
            base.value.rstrip("/"),
            4.0 / count,
            span=span,
            rule=base.rule or "endpoint",
            reason=base.inferred,
        )


def _from_samples(findings: Findings, claims: dict[str, _Claim]) -> None:
    seen = 0
    for found in findings.endpoints:
        for sample in found.draft.samples:
            seen += 1
            if seen > 2000:
                return
            for target in parse_targets(sample.url)[:1]:
                if not target.host:
                    continue
                origin = f"{target.scheme or 'http'}://{target.host}"
                known = next(
                    (url for url in claims if url == origin or url.startswith(origin + "/")), None
                )
                span = sample.spans[0] if sample.spans else None
                _add(
                    claims,
                    known or origin,
                    0.05,
                    span=span,
                    rule="request-sample",
                    reason="shown in request samples",
                )


def _from_text(outline: Outline, findings: Findings, claims: dict[str, _Claim]) -> None:
    lead = ""
    for entry in outline.entries:
        block = entry.block
        if isinstance(block, Heading):
            lead = plain(block.runs)
            continue
        for text, span in _texts(entry):
            _state((text, span), lead, claims, findings)
            lead = text[-200:]


def _texts(entry: Entry) -> list[tuple[str, Span]]:
    block = entry.block
    if isinstance(block, Paragraph):
        return [(_with_links(block.runs), block.span)]
    if isinstance(block, Table):
        head = " ".join(plain(cell.runs) for cell in block.header)
        return [
            (f"{head}: " + " ".join(_with_links(cell.runs) for cell in row), row[0].span)
            for row in block.rows[:40]
            if row
        ]
    if isinstance(block, DefinitionList):
        return [(plain(item.term), item.span) for item in block.items]
    text = getattr(block, "text", "")
    if isinstance(text, str) and text and len(text) < 300 and text.count("\n") <= 1:
        return [(text, block.span)]
    return []


def _with_links(runs: tuple[Run, ...]) -> str:
    return plain(runs)


def _addresses(text: str) -> list[str]:
    found: dict[str, None] = {}
    for match in _URL.finditer(text[:5000]):
        found.setdefault(match.group(0).rstrip(".,;:!?*_"))
    return list(found)


def _related(host: str, findings: Findings) -> bool:
    """Whether a host is one of the endpoints' or of their domain; true where none is known."""
    hosts = {
        split_address(found.draft.base_url.value).netloc.lower()
        for found in findings.endpoints
        if found.draft.base_url is not None
    }
    hosts = {known for known in hosts if not _LOCAL.match(known)}
    return not hosts or _domain(host) in {_domain(known) for known in hosts}


def _domain(host: str) -> str:
    return ".".join(host.partition(":")[0].lower().split(".")[-2:])


def _state(
    stated: tuple[str, Span], lead: str, claims: dict[str, _Claim], findings: Findings
) -> None:
    text, span = stated
    urls = _addresses(text)
    if not 0 < len(urls) <= 6:
        return
    first = text.find(urls[0])
    before = text[:first][-200:]
    labelled = bool(_LABEL.search(before) or _LABEL.search(text[:200]))
    alone = len(text.strip(" `:.")) <= len(urls[0]) + 12
    if not labelled and alone:
        labelled = bool(_LABEL.search(lead[-200:]))
    if not labelled:
        return
    for url in urls:
        parts = split_address(url)
        path = parts.path.rstrip("/")
        if not parts.netloc or _ASSET.search(path) or len(path) > 100:
            continue
        if (parts.query and not url.endswith("?")) or ":" in path:
            continue
        named = bool(_NAMED.search(text[:300]) or (alone and _NAMED.search(lead[-200:])))
        if not named and not _related(parts.netloc, findings):
            continue
        base = f"{parts.scheme.lower()}://{parts.netloc.lower()}{path}"
        place = text.find(url)
        around = text[max(0, place - 120) : place + len(url) + 60]
        weight = 3.0
        if _STALE.search(around):
            weight = 0.1
        elif _TEST.search(around):
            weight = 0.8
        covered = _covering(base, claims)
        _add(claims, covered or base, weight, span=span, rule="stated-base", reason="")


def _covering(base: str, claims: dict[str, _Claim]) -> str | None:
    """The same base already claimed, scheme and case aside."""
    wanted = base.partition("://")[2]
    return next((url for url in claims if url.partition("://")[2] == wanted), None)
