"""Operations that query parameters select: `?action=list`, `?module=account&action=balance`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.extract.templates import placeholder_free

_STRONG_LIST = """
action method cmd command function func operation op do act task procedure rpc apimethod
request_type requesttype
"""
STRONG_NAMES = frozenset(_STRONG_LIST.split())
"""Query parameters that select an operation whatever else the page says."""
_WEAK_LIST = "f m a mode request type service module call api fn q_type r route endpoint"
_WEAK = frozenset(_WEAK_LIST.split())
SELECTOR_NAMES = STRONG_NAMES | _WEAK
"""Query parameters that can select an operation."""
_MAX_NAMES = 20


def selectors(outline: Outline, sightings: Sequence[Sighting]) -> dict[str, tuple[str, ...]]:
    """Give the selecting parameters for each path shape that has any, in the order of the query."""
    by_shape: dict[str, list[Sighting]] = defaultdict(list)
    for sighting in sightings:
        if any(value and _operation_name(value) for _, value in sighting.target.query):
            by_shape[placeholder_free(sighting.path)].append(sighting)
    chosen: dict[str, tuple[str, ...]] = {}
    for shape, same in by_shape.items():
        names = _selecting(outline, same)
        if names:
            chosen[shape] = names
    return chosen


def _selecting(outline: Outline, same: Sequence[Sighting]) -> tuple[str, ...]:
    listed: set[str] = set()
    values: dict[str, set[str]] = defaultdict(set)
    sections: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for sighting in same:
        heading = outline.entries[sighting.candidate.index].heading
        if sighting.candidate.rule == "action-values":
            listed.update(name for name, _ in sighting.target.query)
        for name, value in sighting.target.query[:_MAX_NAMES]:
            if value and _operation_name(value) and value.lower() != name.lower():
                values[name].add(value)
                sections[name][value].add(heading)
    weak = ""
    found: list[str] = []
    for name, seen in values.items():
        if name.lower() in STRONG_NAMES or name in listed:
            found.append(name)
        elif name.lower() in _WEAK and not weak:
            calls = sum(1 for value in seen if re.search(r"[a-z](?:_|[A-Z])[a-z]", value))
            if calls >= 1 and (calls == len(seen) or calls >= 3):
                weak = name
    if not found and weak:
        found.append(weak)
    every = [dict(sighting.target.query) for sighting in same]
    for name, seen in values.items():  # `?module=account&action=balance`
        weak_name = name.lower() in _WEAK and name not in found and len(seen) > 1
        if found and weak_name and all(name in query for query in every):
            found.append(name)
    found.extend(name for name in _leading(outline, same, sections) if name not in found)
    order = {name: place for s in reversed(same) for place, (name, _) in enumerate(s.target.query)}
    return tuple(sorted(found, key=lambda name: (order.get(name, 0), name)))


def _leading(
    outline: Outline, same: Sequence[Sighting], sections: dict[str, dict[str, set[int]]]
) -> list[str]:
    """Parameters that open every query and have another word in each section.

    `?type=command&param=getversion` has two of them: the second is looked at among the queries
    that share the first one's value.
    """
    firsts = {s.target.query[0][0] for s in same if s.target.query}
    if len(firsts) != 1:
        return []
    first = firsts.pop()
    opened: dict[str, dict[str, set[int]]] = {}
    for place in (0, 1):
        names = {s.target.query[place][0] for s in same if len(s.target.query) > place}
        for name in sorted(names):
            if place == 0 or name.lower() in SELECTOR_NAMES | {"param", "sub", "what", "list"}:
                opened[name] = sections[name]
    second = [name for name in opened if name != first and _apart(opened[name])]
    known = first.lower() in SELECTOR_NAMES
    if second and known:
        return [first, *second]
    if _apart(sections[first]) and (known or _titled(outline, same, first)):
        return [first]
    return []


def _apart(values: dict[str, set[int]]) -> bool:
    """Two values or more, each shown under headings of its own."""
    headings: set[int] = set()
    for own in values.values():
        if own & headings:
            return False
        headings |= own
    return len(values) >= 2


def _titled(outline: Outline, same: Sequence[Sighting], name: str) -> bool:
    """The heading above each query says the word that the parameter has there."""
    for sighting in same:
        section = outline.entries[sighting.candidate.index].section
        value = dict(sighting.target.query).get(name) or ""
        if (
            not section
            or not _operation_name(value)
            or value[:6].lower() not in section[-1].lower()
        ):
            return False
    return True


def selector_of(sighting: Sighting, chosen: dict[str, tuple[str, ...]]) -> str:
    """Give the `name=value` pairs that select this sighting's operation, or ""."""
    names = chosen.get(placeholder_free(sighting.path), ())
    pairs = [
        f"{key}={value}"
        for key, value in sighting.target.query
        if key in names and value and _operation_name(value)
    ]
    return "&".join(pairs)


def _operation_name(value: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z][\w.:-]{1,60}", value))
