"""Give every endpoint its base URL: configured, its own, its page's, or the documentation set's.

A configured base URL replaces the documented one. If it has a path, that path stands for the
documented base path; if it has none, the documented base path is kept, because whoever runs the
same server elsewhere names the host and leaves the paths as documented.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from doc2tools.compiler.ir.draft import EndpointDraft, PageDraft
from doc2tools.compiler.ir.source import Cited, Diagnostic, Span
from doc2tools.compiler.passes.base_urls import join
from doc2tools.compiler.passes.hosts import (
    host_of,
    is_local,
    is_placeholder_host,
    is_private,
    is_reserved,
)
from doc2tools.compiler.passes.operation import Operation, first_span, split_query
from doc2tools.compiler.passes.paths import PLACEHOLDER, resource_segments, segments, tidy

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]{0,20})://")
_ANY = "https://host"
MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class Base:
    """A base URL taken apart.

    Attributes:
        origin: Scheme and host.
        prefix: Base path without end slash, or "".
        usable: The host is a real one, no blank for the reader to fill in.
    """

    origin: str
    prefix: str
    usable: bool
    spans: tuple[Span, ...] = ()
    inferred: str = ""
    confidence: float = 1.0

    @property
    def url(self) -> str:
        """Scheme, host and base path."""
        return self.origin + self.prefix


@dataclass(frozen=True, slots=True)
class Settled:
    """The operations with their base URLs, and what was found on the way."""

    operations: tuple[Operation, ...]
    base_urls: tuple[Cited[str], ...]
    diagnostics: tuple[Diagnostic, ...]


def parse_base(text: str) -> Base | None:
    """Take a documented base URL apart; `None` where it is none for HTTP.

    A host without scheme gets `https`, a loopback one `http`.
    """
    url = text.strip().partition("#")[0].partition("?")[0].rstrip("/")
    match = _SCHEME.match(url)
    scheme = match.group(1).lower() if match else ""
    rest = (url[match.end() :] if match else url).lstrip("/")
    host, _, path = rest.partition("/")
    if not match and url.startswith("/") and not url.startswith("//"):
        return Base("", tidy(url).rstrip("/"), usable=False)
    if (scheme and scheme not in {"http", "https"}) or not host:
        return None
    usable = not is_placeholder_host(f"//{host}")
    if not scheme:
        if usable and not _host_like(host):
            return None
        scheme = "http" if is_local(f"//{host}") else "https"
    if usable:
        host = host.rpartition("@")[2].lower()
        try:
            port = urlsplit(f"//{host}").port
        except ValueError:
            return None
        host = host.removesuffix(f":{ {'http': 80, 'https': 443}[scheme] }") if port else host
    prefix = tidy(path).rstrip("/") if path else ""
    return Base(f"{scheme}://{host.rstrip(':')}", prefix, usable)


def settle_bases(drafts: Sequence[PageDraft], configured: str) -> Settled:
    """Give each draft of an endpoint its base URL and its path below it."""
    pages = [(draft, _bases(draft.base_urls)) for draft in drafts]
    ranking = _rank(pages)
    best = ranking[0] if ranking else None
    operations: list[Operation] = []
    for draft, bases in pages:
        usable = [base for base in bases if base.usable]
        page_best = min(usable, key=_reach) if usable else None
        for endpoint in draft.endpoints:
            operations.append(_settle(draft.page, endpoint, page_best, best, bases))
    diagnostics = [] if configured else list(_conflicts(ranking))
    wanted = parse_base(configured) if configured else None
    if wanted is not None:
        operations = [_rebase(operation, wanted) for operation in operations]
    else:
        operations = [_align(operation, best) for operation in operations]
    cited = tuple(
        Cited(
            value=base.url, spans=base.spans[:5], confidence=base.confidence, inferred=base.inferred
        )
        for base in ranking
    )
    return Settled(tuple(operations), cited, tuple(diagnostics))


def missing_bases(endpoints: Sequence[tuple[str, Span | None]], shown: str) -> Iterator[Diagnostic]:
    """Yield the diagnostic that names the tools waiting for a base URL.

    Args:
        endpoints: Name and place of each tool without a base URL.
        shown: A blank base URL that the documentation shows, or "".
    """
    if not endpoints:
        return
    names = [name for name, _ in endpoints[:MOST_NAMED]]
    more = len(endpoints) - len(names)
    listed = ", ".join(names) + (f" and {more} more" if more else "")
    what = (
        f"the documentation gives only a blank to fill in, {shown}"
        if shown
        else "no page states one"
    )
    yield Diagnostic(
        code="missing-base-url",
        level="warning",
        message=f"no base URL for {len(endpoints)} tools: {what}; waiting: {listed}",
        span=next((span for _, span in endpoints if span), None),
        hint="give it with --base-url URL, or base_url in doc2tools.toml",
    )


def _host_like(host: str) -> bool:
    bare = host.rpartition("@")[2].partition(":")[0]
    return bool(
        re.fullmatch(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,24}|[\d.]{7,15}", bare)
    ) or is_local(f"//{host}")


def _bases(cited: Sequence[Cited[str]]) -> list[Base]:
    found: list[Base] = []
    for fact in cited:
        base = parse_base(fact.value)
        if base is not None:
            found.append(_cite(base, fact))
    return found


def _cite(base: Base, fact: Cited[str]) -> Base:
    return replace(base, spans=fact.spans, inferred=fact.inferred, confidence=fact.confidence)


def _reach(base: Base) -> int:
    """Rank hosts: public ones before reserved, private and local ones."""
    if is_local(base.origin) or is_private(base.origin):
        return 2
    return 1 if is_reserved(base.origin) else 0


def _rank(pages: Sequence[tuple[PageDraft, list[Base]]]) -> list[Base]:
    """Order the usable base URLs of the set: reachable first, then by how much speaks for each."""
    weight: dict[str, float] = {}
    first: dict[str, Base] = {}
    for draft, bases in pages:
        for place, base in enumerate(base for base in bases if base.usable):
            value = (0.5 if base.inferred else 2.0) * base.confidence / (1 + place)
            weight[base.url] = weight.get(base.url, 0.0) + value
            known = first.setdefault(base.url, base)
            if known is not base:
                first[base.url] = replace(known, spans=(*known.spans, *base.spans))
        for endpoint in draft.endpoints:
            own = _own(endpoint)
            if own is not None and own.usable:
                weight[own.url] = weight.get(own.url, 0.0) + 0.25 * own.confidence
                first.setdefault(own.url, own)
    return sorted(first.values(), key=lambda base: (_reach(base), -weight[base.url]))


def _own(endpoint: EndpointDraft) -> Base | None:
    base = parse_base(endpoint.base_url.value) if endpoint.base_url else None
    return _cite(base, endpoint.base_url) if base and endpoint.base_url else None


def _settle(
    page: str,
    endpoint: EndpointDraft,
    page_best: Base | None,
    set_best: Base | None,
    page_bases: Sequence[Base],
) -> Operation:
    raw, pairs = split_query(endpoint.path.value)
    own = _own(endpoint)
    if "://" in raw:
        base_text, raw = join("", raw)
        own = own or parse_base(base_text)
    raw = tidy(raw) if raw.strip() else ""
    general = page_best or set_best
    blank = next((base for base in page_bases if not base.usable), None)
    if own is None:
        base = general or blank
        where = "its page" if page_best else "another page of the documentation"
        reason = f"base URL {base.url} from {where}" if base else ""
    elif own.usable and (general is None or _reach(own) <= _reach(general)):
        base, reason = own, f"base URL {own.url} from its own text"
    else:
        raw = tidy("".join(_place(own.prefix, raw))) if own.prefix or raw else ""
        base = _fit(general, raw) if general else replace(own, prefix="")
        kind = "a local" if own.usable else "a blank"
        reason = f"base URL {base.url}: its own text shows {kind} host only" if general else ""
    selectors = tuple((k, v) for k, v in pairs if not PLACEHOLDER.search(v))
    if base is None:
        raw = raw or "/"
        return Operation(endpoint, (page,), raw, selectors=selectors, documented=raw)
    prefix, path = _place(base.prefix, raw)
    if prefix and path == "/" and not _shows_end_slash(endpoint):
        path = ""
    return Operation(
        draft=endpoint,
        pages=(page,),
        path=path,
        origin=base.origin if base.usable else "",
        prefix=prefix,
        selectors=selectors,
        own_origin=own is not None and own.usable and base.origin == own.origin,
        base_reason=reason,
        documented=path if _tells(path) else f"{prefix}{path}",
    )


def _place(prefix: str, path: str) -> tuple[str, str]:
    """Settle what of `path` is below `prefix`, whose parts it may repeat; prefix first."""
    joined, below = join(f"{_ANY}{prefix}", path)
    return joined.removeprefix(_ANY), below


def _shows_end_slash(endpoint: EndpointDraft) -> bool:
    """Tell whether an address of the endpoint ends with a slash, so that `/` is not just "here"."""
    shown = [sample.url for sample in endpoint.samples]
    shown.extend([endpoint.base_url.value] if endpoint.base_url else [])
    shown.append(endpoint.path.value if "://" in endpoint.path.value else "")
    return any(address.partition("?")[0].endswith("/") for address in shown)


def _tells(path: str) -> bool:
    """Tell whether a path has a part that names something."""
    return any(not PLACEHOLDER.search(part) for part in resource_segments(path))


def _fit(base: Base, full: str) -> Base:
    """Give `base` where a path from the host's root starts with its prefix, else only its host."""
    return base if _inside(base.prefix, full) else replace(base, prefix="")


def _inside(prefix: str, full: str) -> bool:
    wanted = segments(prefix)
    return segments(full)[: len(wanted)] == wanted


def _align(operation: Operation, best: Base | None) -> Operation:
    """Use the set's base URL where host and path agree with it, so that few bases remain."""
    if best is None or operation.origin != best.origin or operation.prefix == best.prefix:
        return operation
    if not _inside(best.prefix, operation.full_path):
        return operation
    prefix, path = _place(best.prefix, operation.full_path)
    return replace(operation, prefix=prefix, path=path)


def _rebase(operation: Operation, wanted: Base) -> Operation:
    """Move an operation to the configured base URL."""
    shown = f"{operation.origin}{operation.prefix}" or "no base URL"
    if not wanted.prefix:
        path, prefix = operation.full_path, ""
        kept = f"; the documented base path {operation.prefix} is kept" if operation.prefix else ""
        reason = f"base URL {wanted.url} as configured{kept}"
    else:
        full = operation.full_path
        below = full if _inside(wanted.prefix, full) else operation.path
        prefix, path = _place(wanted.prefix, below)
        reason = f"base URL {wanted.url} as configured, in place of {shown}"
    return replace(
        operation,
        origin=wanted.origin,
        prefix=prefix,
        path=path if path or prefix else "/",
        own_origin=False,
        base_reason=reason,
    )


def _conflicts(ranking: Sequence[Base]) -> Iterator[Diagnostic]:
    """Yield a diagnostic where the documentation states several public hosts."""
    stated = [base for base in ranking if _reach(base) == 0 and not base.inferred]
    chosen = next(iter(stated), None)
    others = [base for base in stated if chosen and host_of(base.url) != host_of(chosen.url)]
    if chosen is None or not others:
        return
    shown = ", ".join(base.url for base in others[:4])
    yield Diagnostic(
        code="conflicting-base-urls",
        level="info",
        message=f"the documentation gives several base URLs; {chosen.url} is used where a tool's "
        f"own text gives none, as most speaks for it; others: {shown}",
        span=others[0].spans[0] if others[0].spans else None,
        hint="choose one with --base-url",
    )


def reserved_base(operations: Sequence[Operation]) -> Diagnostic | None:
    """Give a diagnostic if tools would call a host that is reserved for examples."""
    for operation in operations:
        if operation.origin and is_reserved(operation.origin):
            return Diagnostic(
                code="example-base-url",
                level="warning",
                message=f"{operation.origin} is a host reserved for examples, not a server",
                span=first_span(operation.draft),
                hint="give the server's address with --base-url URL",
            )
    return None
