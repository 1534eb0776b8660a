"""Finds which endpoint a shown address belongs to, and what the address says of parameters."""

# ruff: noqa: RUF001 - the typographic marks and letters are what documentation holds

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from doc2tools.compiler.extract.candidates import LocatedEndpoint
from doc2tools.compiler.extract.outline import Entry, Outline
from doc2tools.compiler.extract.samples import Sample, find_samples, request_sample
from doc2tools.compiler.extract.templates import Target, parse_targets
from doc2tools.compiler.ir.document import (
    Code,
    Definition,
    DefinitionList,
    Heading,
    Paragraph,
    Run,
    Table,
)
from doc2tools.compiler.ir.draft import RequestSample
from doc2tools.compiler.ir.source import Span

_PLACEHOLDER: Final = re.compile(r"\{([^{}]{1,100})\}")
_COUNTED: Final = re.compile(
    r"(?:count|num(?:ber)?|id|page|year|month|day|width|height|size|limit|amount|index|"
    r"offset|n|x|y|z)\Z",
    re.I,
)
_VERBS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
_COMMAND: Final = re.compile(r"\s{0,20}(?:\$ ?|> ?)?(?:curl|http|https|wget)\s")
_BROKEN_QUERY: Final = re.compile(r"[ \t]{0,40}\n?[ \t]{0,40}(?=[?&][ \t]{0,4}\w)")
_SPACED_QUERY: Final = re.compile(r"(?:https?://|/)\S{1,200}\?\s{0,4}\w[\w.\[\]-]{0,60}\s{0,4}=\s")
_MAX_SAMPLES: Final = 20
_MAX_TOKENS: Final = 20_000
_SUFFIX: Final = re.compile(r"\.(?:json|xml|csv|ya?ml|html?|txt|png|jpg|svg|mvt|rss|geojson)\Z")
_ANSWER: Final = re.compile(r"\s{0,20}(?:[{\[]|<\?xml|<[A-Za-z]|HTTP/\d)")


_Address = tuple[str, Span, str | Sample]
"""An address, its lines, and the verb beside it or the whole request."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An address on the page that fits an endpoint.

    Attributes:
        query: Name and value pairs; a value `{name}` is a placeholder.
        values: Path placeholder to the text that stands for it.
        index: Outline entry that holds it.
    """

    query: tuple[tuple[str, str | None], ...]
    values: dict[str, str]
    index: int
    span: Span


_ANYTHING: Final = re.compile(
    r"\{(?:api_?)?(?:service|end_?-?point|resource|route|path|method|query|call|action|operation)s?"
    r"(?:_?(?:name|path))?\}",
    re.I,
)


_ATTRIBUTE: Final = re.compile(r"(?<=\s)(?:src|href|action)=[\"']([^\"'\s]{1,2000})[\"']>?")


@dataclass(slots=True)
class Route:
    """An endpoint's path, ready for comparing."""

    number: int
    method: str
    segments: tuple[str, ...]
    names: tuple[str, ...]
    fixed: frozenset[tuple[str, str]]
    patterns: tuple[re.Pattern[str] | None, ...] = ()
    hosts: frozenset[str] = frozenset()
    shown: list[Shown] = field(default_factory=list[Shown])
    shown_names: set[str] = field(default_factory=set[str])
    samples: list[RequestSample] = field(default_factory=list[RequestSample])

    def note(self, shown: Shown) -> None:
        """Keep an address that fits, and the names that it holds."""
        self.shown.append(shown)
        for name, value in shown.query:
            self.shown_names.add(name)
            if value and value.startswith("{"):
                self.shown_names.add(value[1:-1])


def placeholders(path: str) -> tuple[str, ...]:
    """Give the names of the placeholders of `path`, its query aside."""
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(path.partition("?")[0])))


class Routes:
    """All endpoints' paths, indexed so that looking one up takes no longer on long pages."""

    def __init__(self, endpoints: Sequence[LocatedEndpoint]) -> None:
        """Index the paths of `endpoints`."""
        self.all = [_route(number, found) for number, found in enumerate(endpoints)]
        self._by_literal: dict[str, list[Route]] = {}
        for route in self.all:
            literals = [part for part in route.segments if "{" not in part]
            self._by_literal.setdefault(literals[-1] if literals else "", []).append(route)

    def find(self, target: Target, method: str = "") -> list[tuple[Route, dict[str, str]]]:
        """Give the endpoints that `target` may be an address of: those with most literals.

        Of several methods of one path, those that match `method`, else the ones that read.
        """
        parts = target.segments
        found: list[tuple[int, Route, dict[str, str]]] = []
        for key in dict.fromkeys((*parts, "")):
            for route in self._by_literal.get(key, [])[:200]:
                values = fit(route, parts)
                if values is None or not _selected(route, target.query):
                    continue
                if not key and not _same_place(route, target):
                    continue
                found.append((_score(route, parts), route, values))
        if not found:
            return self._under_pattern(target)
        best = max(score for score, _, _ in found)
        kept = [(route, values) for score, route, values in found if score == best]
        if method:
            return _by_kind([(route, values) for route, values in kept if route.method == method])
        reading = [(route, values) for route, values in kept if route.method == "GET"]
        return _by_kind(reading or kept)

    def _under_pattern(self, target: Target) -> list[tuple[Route, dict[str, str]]]:
        """Endpoints of which a general pattern, such as `/v1/{service}?fields=`, speaks."""
        parts = target.segments
        if not target.query or not any(part.startswith("{") for part in parts):
            return []
        if not any(part and "{" not in part for part in parts):
            return []
        return [(route, {}) for route in self.all[:300] if _covers(parts, route.segments)]

    def scan(self, outline: Outline) -> None:
        """Note every address of the page with its endpoint."""
        budget = _MAX_TOKENS
        for entry in outline.entries:
            for text, span, sample in addresses(entry):
                budget -= 1
                if budget < 0:
                    return
                method = sample if isinstance(sample, str) else sample.method
                for target in parse_targets(text):
                    if not target.rooted and not target.query:
                        continue
                    for route, values in self.find(target, method):
                        route.note(Shown(target.query, values, entry.index, span))
                        if isinstance(sample, Sample) and len(route.samples) < _MAX_SAMPLES:
                            route.samples.append(request_sample(sample, span))


def addresses(entry: Entry) -> Iterator[_Address]:
    """Yield what looks like an address in one block, with its verb; sample answers left out."""
    block = entry.block
    if isinstance(block, Heading | Paragraph):
        yield from _in_runs(block.runs, block.span)
    elif isinstance(block, Table):
        for row in (block.header, *block.rows):
            for cell in row:
                yield from _in_runs(cell.runs, cell.span)
    elif isinstance(block, DefinitionList):
        for item in block.items:
            yield from _in_runs(item.term, _term_span(item))
    elif isinstance(block, Code) and not _ANSWER.match(block.text):
        yield from _in_code(block)


def _in_code(block: Code) -> Iterator[_Address]:
    text = block.text[:20_000]
    rest: list[str] = []
    last = 0
    for sample in find_samples(text):
        yield sample.url, _line(block.span, text.count("\n", 0, sample.start)), sample
        rest.append(text[last : sample.start])
        rest.append("\n" * text.count("\n", sample.start, sample.end))
        last = sample.end
    rest.append(text[last:])
    text = _BROKEN_QUERY.sub("", "".join(rest))
    for number, line in enumerate(text.split("\n")[:400]):
        stripped = line.strip()
        if _ANSWER.match(stripped):
            continue
        span = _line(block.span, number)
        if _SPACED_QUERY.match(stripped):
            stripped = re.sub(r"\s{0,20}([?&=])\s{0,20}", r"\1", stripped)
        if re.match(r"https?://\S{1,200}\?", stripped) and not re.search(r"['\"`]", stripped):
            yield stripped, span, ""
            continue
        yield from _in_words(stripped, span)


def _line(span: Span, number: int) -> Span:
    line = min(span.start + number, span.end)
    return Span(page=span.page, start=line, end=line)


def _term_span(item: Definition) -> Span:
    return Span(page=item.span.page, start=item.span.start, end=item.span.start)


def _in_runs(runs: tuple[Run, ...], span: Span) -> Iterator[_Address]:
    rest: list[str] = []
    for run in runs:
        text = run.text.strip()
        place = Span(page=span.page, start=run.line, end=run.line) if run.line else span
        if run.href and "?" in run.href:
            yield run.href, place, ""
        if run.code or (run.strong and "?" in text):
            whole = re.sub(r"\s{1,80}(?=[?&]\w)", "", text)
            head, _, tail = whole.partition(" ")
            method = head if head in _VERBS else ""
            address = tail.strip() if method else whole
            if not method and rest and rest[-1].split()[-1:] and rest[-1].split()[-1] in _VERBS:
                method = rest[-1].split()[-1]
            if (
                len(whole) < 600
                and _is_address(address.split(" ")[0])
                and not _COMMAND.match(address)
            ):
                yield address, place, method
                rest.append(" ")
                continue
            if _COMMAND.match(address):
                for sample in find_samples(address):
                    yield sample.url, place, sample
                rest.append(" ")
                continue
        rest.append(run.text)
    yield from _in_words("".join(rest), span)


def _in_words(text: str, span: Span) -> Iterator[_Address]:
    if _COMMAND.match(text):
        for sample in find_samples(text):
            yield sample.url, span, sample
        return
    before = ""
    for token in _ATTRIBUTE.sub(r"\1", text).split():
        if _is_address(token):
            yield token.strip("'\"`,;()“”‘’.|"), span, before if before in _VERBS else ""
        before = token.strip("'\"`*:")


def _is_address(token: str) -> bool:
    return len(token) < 2_000 and ("?" in token or "/" in token) and len(token) > 1


def _covers(pattern: tuple[str, ...], segments: tuple[str, ...]) -> bool:
    if _ANYTHING.fullmatch(pattern[-1]) and len(segments) >= len(pattern) > 1:
        return pattern[:-1] == segments[: len(pattern) - 1]
    short = len(pattern) - len(segments)
    if short < 0 or any("{" in part for part in pattern[:short]):
        return False
    pairs = list(zip(pattern[short:], segments, strict=True))
    same = sum(1 for part, segment in pairs if part == segment)
    return bool(same or short) and all(
        part == segment or (part.startswith("{") and part.endswith("}")) for part, segment in pairs
    )


def _score(route: Route, parts: tuple[str, ...]) -> int:
    exact = sum(1 for part in route.segments if part in parts)
    mixed = (part for part in route.segments if "{" in part and not part.endswith("}"))
    partial = sum(len(_PLACEHOLDER.sub("", part)) for part in route.segments if "{" in part)
    # An end such as `.jpg` may be left out, but does not count then.
    for part in mixed:
        end = part.rpartition("}")[2]
        partial -= 2 * len(end) if not any(given.endswith(end) for given in parts) else 0
    whole = 5000 if len(parts) == len(route.segments) else 0
    return (
        whole + 1000 * exact + 10 * min(partial, 90) + 300 * len(route.fixed) + len(route.segments)
    )


def _same_place(route: Route, target: Target) -> bool:
    """A path of placeholders alone fits nearly anything: only on its own host, and in full."""
    if len(target.segments) != len(route.segments):
        return False
    return not target.host or not route.hosts or target.host in route.hosts


def _by_kind(found: list[tuple[Route, dict[str, str]]]) -> list[tuple[Route, dict[str, str]]]:
    """Among routes of one shape, keep those whose placeholders' names suit the values."""
    if len(found) < 2:
        return found
    ranked = [
        (sum(_suits(name, value) for name, value in values.items()), route, values)
        for route, values in found
    ]
    best = max(rank for rank, _, _ in ranked)
    return [(route, values) for rank, route, values in ranked if rank == best]


def _suits(name: str, value: str) -> int:
    if value == f"{{{name}}}":
        return 3
    counted = bool(_COUNTED.search(name))
    return 1 if value.lstrip("-").isdigit() == counted else 0


def _route(number: int, found: LocatedEndpoint) -> Route:
    path = found.draft.path.value
    head, _, query = path.partition("?")
    segments = tuple(part for part in head.split("/") if part)
    fixed = frozenset(
        (name, value)
        for name, _, value in (pair.partition("=") for pair in query.split("&") if pair)
        if not value.startswith("{")
    )
    patterns = tuple(_pattern(segment) for segment in segments)
    base = found.draft.base_url.value if found.draft.base_url else ""
    hosts = frozenset({base.split("://", 1)[-1].split("/", 1)[0].lower()} - {""})
    names = placeholders(head)
    return Route(
        number, found.draft.method.value, segments, names, fixed, patterns, hosts, [], set(names)
    )


def _pattern(segment: str) -> re.Pattern[str] | None:
    if "{" not in segment or segment.count("{") > 6:
        return None
    parts = _PLACEHOLDER.split(segment)
    text = "".join(
        re.escape(part) if place % 2 == 0 else "(.{1,300}?)" for place, part in enumerate(parts)
    )
    suffix = _SUFFIX.search(parts[-1])
    if suffix and len(parts) > 1:
        kept = len(text) - len(re.escape(suffix.group()))
        text = f"{text[:kept]}(?:{re.escape(suffix.group())})?"
    return re.compile(text + r"\Z")


def fit(route: Route, parts: tuple[str, ...]) -> dict[str, str] | None:
    """Compare a path's segments with an endpoint's from the end; give the placeholders' values.

    Either may have a prefix that the other lacks, such as the base URL's path.
    """
    wanted = route.segments
    if not wanted:
        return {} if not parts else None
    patterns = route.patterns
    if len(parts) < len(wanted):
        short = len(wanted) - len(parts)
        if not parts or any(pattern is not None for pattern in patterns[:short]):
            return None
        if all(pattern is not None for pattern in patterns[short:]):
            return None
        wanted, patterns = wanted[short:], patterns[short:]
    values: dict[str, str] = {}
    for segment, pattern, part in zip(wanted, patterns, parts[-len(wanted) :], strict=True):
        if pattern is None:
            if segment != part and not (segment.startswith("{") and segment.endswith("}")):
                return None
            continue
        found = pattern.match(part[:600])
        if not found:
            return None
        names = _PLACEHOLDER.findall(segment)
        for name, value in zip(names, found.groups(), strict=False):
            values[name] = value
    return values


def _selected(route: Route, query: tuple[tuple[str, str | None], ...]) -> bool:
    return not route.fixed or route.fixed <= {(name, value or "") for name, value in query}
