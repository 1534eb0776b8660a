"""Fits concrete paths to templates, and tells values from fixed parts of a path."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from doc2tools.compiler.extract.templates import singular
from doc2tools.compiler.passes.wildcards import gapped

_VALUE = re.compile(
    r"\d+|[0-9a-f]{8}-[0-9a-f-]{20,36}|[0-9a-fA-F]{12,64}|"
    r"\d{4}-\d{1,2}(?:-\d{1,2})?(?:T[\d:.Z+-]{0,30})?|\d+(?:[-.:]\d+){1,5}|"
    r"-?\d+(?:\.\d+)?(?:[,;|]-?\d+(?:\.\d+)?){1,50}|"
    r"[A-Za-z][A-Za-z-]{0,30}-\d+(?:\.\d+){1,3}|[\w.+-]{1,60}@[\w-]{1,60}\.[\w.]{2,40}|[\w.-]{0,60}example[\w.-]{0,60}"
)  # fmt: skip
_CODE = re.compile(
    r"(?=\w{0,40}\d)(?=\w{0,40}[A-Z])[\w]{5,40}|(?=[a-z]{0,40}\d)[a-z0-9]{12,64}|[a-z]{1,4}\d{5,}[a-z]?"
)
_KEYED = re.compile(r"(?P<key>[A-Za-z][A-Za-z_]{1,40}):\d{1,12}(?P<end>(?:\.[a-z]{2,5})?)")
"""A name and its value in one segment, `Owner:5`."""
_DATES = re.compile(
    r"(?P<first>\d{4}-\d{2}-\d{2})(?P<to>\.\.|,|:|_to_|--|;)(?P<last>\d{4}-\d{2}-\d{2})?"
)
_ENCODED = re.compile(r"%[0-9A-Fa-f]{2}|[!@ ]|(?<=\w)\+(?=\w)|\d\.\.\d")
_VERSION = re.compile(r"v?\d{1,2}(?:\.\d{1,3}){0,2}(?:[a-z]{1,5}\d?)?\Z", re.IGNORECASE)
_EXTENSION = re.compile(
    r"(.+?)(\.(?:json|xml|csv|yml|yaml|rdf|html|txt|png|jpe?g|gif|svg|webp|pdf|php|geojson|mp3|atom|rss))\Z"
)
_SHOUTED = re.compile(r"[A-Z]{2,6}\d{0,4}|[A-Z]{1,4}\d{1,6}[A-Z]?")
_ACRONYMS = frozenset(
    [
        "API",
        "REST",
        "RPC",
        "JSON",
        "XML",
        "CSV",
        "RSS",
        "HTTP",
        "WS",
        "V",
        "SOAP",
        "WFS",
        "WMS",
        "OGC",
        "IIIF",
        "ID",
        "PDF",
    ]
)
_TOY = frozenset(
    [
        "foo",
        "bar",
        "baz",
        "foobar",
        "qux",
        "test",
        "example",
        "sample",
        "demo",
        "john",
        "doe",
        "alice",
        "bob",
        "acme",
        "hello",
        "world",
    ]
)


_MAX_SAME = 20
"""Templates of one shape that are kept apart."""


_NAMES = (
    (re.compile(r"\d{4}-\d{2}-\d{2}"), "date"),
    (re.compile(r"-?\d+\.\d+[,;]-?\d+\.\d+"), "coordinates"),
    (re.compile(r"\d+(?:[,;]\d+){1,100}"), "ids"),
    (re.compile(r"[^,;]{1,60}(?:[,;][^,;]{1,60}){1,100}"), "values"),
    (re.compile(r"\d{1,3}(?:\.\d{1,3}){3}"), "ip"),
    (re.compile(r"[0-9a-fA-F]{32,64}"), "hash"),
    (re.compile(r"\d+|[0-9a-fA-F-]{8,64}"), "id"),
)


@dataclass(slots=True)
class _Node:
    literal: dict[str, _Node] = field(default_factory=dict[str, "_Node"])
    wild: _Node | None = None
    partial: list[tuple[str, re.Pattern[str], _Node]] = field(
        default_factory=list[tuple[str, re.Pattern[str], "_Node"]]
    )
    templates: list[str] = field(default_factory=list[str])


class Shapes:
    """A set of templates that answers which of them a concrete path fits, in time of its length."""

    def __init__(self) -> None:
        self._root = _Node()

    def add(self, template: str) -> None:
        """Put a template into the set."""
        node = self._root
        for segment in split(template):
            if "{" not in segment:
                node = node.literal.setdefault(segment.lower(), _Node())
            elif re.fullmatch(r"\{[^{}]*\}", segment):
                node.wild = node.wild or _Node()
                node = node.wild
            else:
                known = next((p for p in node.partial if p[0] == segment), None)
                if known is None:
                    known = (segment, _segment_pattern(segment), _Node())
                    node.partial.append(known)
                node = known[2]
        if template not in node.templates[:_MAX_SAME] and len(node.templates) < _MAX_SAME:
            node.templates.append(template)

    def fits(self, path: str) -> list[str]:
        """Give the templates that `path` is an instance of, the most literal first."""
        found: list[tuple[int, str]] = []
        pending: list[tuple[_Node, int, int]] = [(self._root, 0, 0)]
        segments = split(path)
        steps = 0
        while pending and steps < 500:
            steps += 1
            node, place, wild = pending.pop()
            if place == len(segments):
                found.extend((wild, template) for template in node.templates)
                continue
            segment = segments[place]
            if segment.lower() in node.literal:
                pending.append((node.literal[segment.lower()], place + 1, wild))
            for _, pattern, after in node.partial[:20]:
                if pattern.fullmatch(segment):
                    pending.append((after, place + 1, wild + 1))
            if node.wild is not None:
                pending.append((node.wild, place + 1, wild + 2))
        return [template for _, template in sorted(found)]


def split(path: str) -> list[str]:
    """Give the non-empty segments of a path, its query left out."""
    return [part for part in path.partition("?")[0].split("/") if part]


def _segment_pattern(segment: str) -> re.Pattern[str]:
    parts = re.split(r"\{[^{}]*\}", segment)
    return re.compile(gapped(parts))


def match_values(template: str, path: str) -> dict[str, str]:
    """Give the values that `path` has for the placeholders of `template`, which it fits."""
    values: dict[str, str] = {}
    for pattern, segment in zip(split(template), split(path), strict=False):
        names = re.findall(r"\{([^{}]*)\}", pattern)
        if not names:
            continue
        parts = re.split(r"\{[^{}]*\}", pattern)
        match = re.fullmatch(gapped(parts, keep=True), segment)
        if match:
            values.update(zip(names, match.groups(), strict=True))
    return {name: value for name, value in values.items() if "{" not in value}


def value_like(segment: str) -> bool:
    """Tell whether a segment is a value rather than a fixed part of the path."""
    if "{" in segment or segment in {"@me", "@self"}:
        return False
    extension = _EXTENSION.fullmatch(segment)
    bare = extension.group(1) if extension else segment
    if (
        _VALUE.fullmatch(bare)
        or _DATES.fullmatch(bare)
        or _ENCODED.search(bare)
        or bare.lower() in _TOY
    ):
        return True
    if _SHOUTED.fullmatch(bare) and bare not in _ACRONYMS:
        return True
    return bool(_CODE.fullmatch(bare)) and not _VERSION.match(bare)


def keyed(segment: str) -> bool:
    """Tell whether a segment is a name and its value, `Owner:5`."""
    return bool(_KEYED.fullmatch(segment))


def _date_range(segment: str) -> str:
    """Give the template of a span of dates, closed or open; "" for anything else."""
    match = _DATES.fullmatch(segment)
    if not match:
        return ""
    end = "{end_date}" if match.group("last") else ""
    return f"{{start_date}}{match.group('to')}{end}"


def version_like(segment: str) -> bool:
    """Tell whether a segment can be an API version: `v1`, `2.0`, `1`."""
    return bool(_VERSION.match(segment))


def generalise(path: str, keep: frozenset[int] = frozenset(), *, extensions: bool = False) -> str:
    """Replace the values in a concrete path by placeholders.

    Args:
        path: The path as shown.
        keep: Positions of segments that are left alone.
        extensions: The extension of a value varies, too.
    """
    segments = split(path)
    used = {name for segment in segments for name in re.findall(r"\{([^{}]*)\}", segment)}
    before = ""
    changed = False
    for place, segment in enumerate(segments):
        pair = _KEYED.fullmatch(segment)
        if pair and pair.group("key") not in used and place not in keep:
            used.add(pair.group("key"))
            segments[place] = _KEYED.sub(r"\g<key>:{\g<key>}\g<end>", segment)
            changed = True
            continue
        if place in keep or not value_like(segment):
            before = segment if "{" not in segment else before
            continue
        span = _date_range(segment)
        if span:
            segments[place] = span
            changed = True
            continue
        extension = _EXTENSION.fullmatch(segment)
        bare = extension.group(1) if extension else segment
        name = placeholder_for(bare, before)
        if (
            name in used
            and before
            and f"{singular(before)}_{name}" not in used | {f"{name}_{name}"}
        ):
            name = f"{singular(before)}_{name}"
        stem, number = name, 1
        while name in used:
            name = f"{stem}_{number}"
            number += 1
        used.add(name)
        suffix = extension.group(2) if extension else ""
        segments[place] = f"{{{name}}}" + (".{extension}" if suffix and extensions else suffix)
        changed = True
    if not changed:
        return path
    return "/" + "/".join(segments) + ("/" if path.endswith("/") and path != "/" else "")


def placeholder_for(value: str, before: str) -> str:
    """Name the placeholder that takes the place of `value` after the literal `before`."""
    for pattern, name in _NAMES:
        if pattern.fullmatch(value):
            return name
    stem = singular(re.sub(r"\W{1,20}", "_", before).strip("_"))
    return stem or "id"
