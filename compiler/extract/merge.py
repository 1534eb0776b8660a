"""Many sightings to few endpoints: instances go to their template, repeats to one group."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from doc2tools.compiler.extract.alternatives import exchange_words, extension_varies
from doc2tools.compiler.extract.children import extend_by_samples, generalise_children
from doc2tools.compiler.extract.explained import explain_words
from doc2tools.compiler.extract.instances import defines_itself, is_instance
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.selectors import selector_of, selectors
from doc2tools.compiler.extract.shapes import (
    Shapes,
    generalise,
    keyed,
    match_values,
    split,
    value_like,
    version_like,
)
from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.extract.templates import placeholder_free, singular

_MAX_HOMES = 100
"""Places of one template that are looked at; more tell nothing new."""


@dataclass(slots=True)
class Group:
    """All sightings of one endpoint.

    Attributes:
        path: Template from the host's root.
        query: The selector that is part of the path, such as `action=list`, or "".
        method: Upper case; "" where none of them states it.
    """

    path: str
    query: str
    method: str
    sightings: list[Sighting] = field(default_factory=list[Sighting])

    @property
    def score(self) -> float:
        """Confidence of all sightings together."""
        best: dict[tuple[str, int], float] = {}
        for sighting in self.sightings:
            candidate = sighting.candidate
            key = (candidate.rule, candidate.index)
            weight = {"definition": 1.0, "sample": 0.95, "mention": 0.7}[candidate.kind]
            best[key] = max(best.get(key, 0.0), candidate.confidence * weight)
        doubt = 1.0
        for confidence in best.values():
            doubt *= 1 - confidence
        return 1 - doubt

    @property
    def defined(self) -> float:
        """The highest confidence of those that define it."""
        return max(
            (s.candidate.confidence for s in self.sightings if s.candidate.kind == "definition"),
            default=0.0,
        )


def group_sightings(outline: Outline, sightings: Sequence[Sighting]) -> list[Group]:
    """Fit instances to templates, generalise values, and group by method, path and selector."""
    exchange_words(outline, sightings)
    explain_words(outline, sightings)
    _fit_instances(outline, sightings, strong=True)
    _fit_instances(outline, sightings)
    _fit_beginnings(sightings)
    _generalise_values(sightings, extensions=extension_varies(outline))
    _fit_instances(outline, sightings)
    _generalise_words(sightings)
    generalise_children(outline, sightings)
    sightings = extend_by_samples(outline, list(sightings))
    chosen = selectors(outline, sightings)
    groups: dict[tuple[str, str, str], Group] = {}
    names: dict[str, list[str]] = defaultdict(list)
    for sighting in sorted(sightings, key=_rank):
        path = _same_shape(names, sighting)
        if sighting.instance and path != sighting.path:  # its values go by the names that stay
            kept = match_values(path, sighting.instance)
            sighting.values = kept if len(kept) == len(sighting.values) else sighting.values
        query = selector_of(sighting, chosen)
        key = (path, query, sighting.method)
        group = groups.get(key)
        if group is None:
            group = groups[key] = Group(path, query, sighting.method)
        group.sightings.append(sighting)
    return _join_unstated(groups)


def _rank(sighting: Sighting) -> tuple[int, float, int, int]:
    """Definitions name placeholders best; then what is surest, then what comes first."""
    candidate = sighting.candidate
    kind = {"definition": 0, "mention": 1, "sample": 2}[candidate.kind]
    made = 3 if sighting.instance else 0
    return (kind + made, -candidate.confidence, candidate.index, candidate.order)


def _same_shape(names: dict[str, list[str]], sighting: Sighting) -> str:
    """Give the template that stands for all of its shape, unless names tell two apart.

    `/x/{count}` and `/x/{name}` are two endpoints where both are defined: a template that is only
    made from values joins the first of its shape.
    """
    path = sighting.path
    known = names[placeholder_free(path).lower()][:20]
    for other in known:
        if _names(other) == _names(path):
            return other
    candidate = sighting.candidate
    listed = _lists(path) and not any(_lists(other) for other in known)
    if known and listed and defines_itself(sighting):
        names[placeholder_free(path).lower()].append(path)
        return path
    defines = (
        candidate.kind == "definition"
        and not sighting.instance
        and (candidate.confidence >= 0.75 or sighting.target.optional)
    )
    if known and not (defines and all(_differ(path, other) for other in known)):
        return known[0]
    names[placeholder_free(path).lower()].append(path)
    return path


_GENERIC_NAME = re.compile(
    r"(?:ids?|uuid|guid|key|slug|names?|code|identifier|value|number|no|n|x)"
)


def _differ(one: str, other: str) -> bool:
    """Tell whether two templates of one shape have placeholders for different things."""
    for left, right in zip(_names(one), _names(other), strict=False):
        if left == right or left in right or right in left:
            continue
        if _GENERIC_NAME.fullmatch(left) or _GENERIC_NAME.fullmatch(right):
            continue
        if re.search(r"(?:id|name|key)$", left) and re.search(r"(?:id|name|key)$", right):
            continue
        return True
    return False


def _lists(path: str) -> bool:
    """The template was made from a list of values, such as `/item/1,2,3`."""
    return path.rstrip("/").endswith(("{ids}", "{values}"))


def _names(path: str) -> list[str]:
    return [re.sub(r"[\W_]", "", name).lower() for name in re.findall(r"\{([^{}]*)\}", path)]


def _fit_instances(
    outline: Outline, sightings: Sequence[Sighting], *, strong: bool = False
) -> None:
    """Make every instance of a template a sighting of the template.

    With `strong`, only templates whose own place defines them count: an example such as
    `/hit/site/:page` must not draw instances that belong to `/hit/{namespace}/{key}`.
    """
    shapes = Shapes()
    homes: dict[str, list[Sighting]] = defaultdict(list)
    for sighting in sightings:
        if sighting.concrete or (sighting.instance and strong):
            continue
        if strong and not defines_itself(sighting):
            continue
        if sighting.candidate.confidence >= 0.45:
            shapes.add(sighting.path)
            if len(homes[sighting.path]) < _MAX_HOMES:
                homes[sighting.path].append(sighting)
    defined = {s.path.rstrip("/").lower() for s in sightings if s.concrete and defines_itself(s)}
    for sighting in sightings:
        if sighting.instance or not (sighting.concrete or _shown_value(sighting)):
            continue
        own = placeholder_free(sighting.path)
        fits = [t for t in shapes.fits(sighting.path) if placeholder_free(t) != own]
        if not fits:
            continue
        best = _best_fit(sighting, fits, homes)
        if is_instance(outline, sighting, best, homes[best], defined):
            sighting.values = match_values(best, sighting.path)
            sighting.instance = sighting.path
            sighting.path = best


def _shown_value(sighting: Sighting) -> bool:
    """A path with placeholders can still be an instance where it is only an example."""
    candidate = sighting.candidate
    return candidate.kind != "definition" or (
        candidate.rule == "bare-path" and candidate.confidence < 0.8
    )


def _fit_beginnings(sightings: Sequence[Sighting]) -> None:
    """`/users/42/posts` of a sample begins like `/users/{id}`: it is `/users/{id}/posts`."""
    shapes = Shapes()
    literal: set[tuple[str, ...]] = set()
    for sighting in sightings:
        if not sighting.concrete and not sighting.instance and defines_itself(sighting):
            if len(split(sighting.path)) > 1 and split(sighting.path)[-1].startswith("{"):
                shapes.add(sighting.path)
        elif sighting.candidate.kind == "definition" and defines_itself(sighting):
            segments = split(sighting.path.lower())
            literal.update(tuple(segments[:end]) for end in range(1, len(segments) + 1))
    for sighting in sightings:
        if sighting.candidate.kind != "sample" or sighting.instance or not sighting.concrete:
            continue
        segments = split(sighting.path)
        for end in range(len(segments) - 1, 1, -1):
            head = segments[:end]
            if tuple(part.lower() for part in head) in literal:
                break
            fits = shapes.fits("/".join(head))
            if fits:
                sighting.values = match_values(fits[0], "/".join(head))
                sighting.instance = sighting.path
                sighting.path = fits[0].rstrip("/") + "/" + "/".join(segments[end:])
                break


def _best_fit(sighting: Sighting, fits: list[str], homes: dict[str, list[Sighting]]) -> str:
    """Prefer the template whose values look like values, then the one defined nearest above."""
    index = sighting.candidate.index

    def rank(template: str) -> tuple[int, int, int]:
        distance = min(
            (
                index - s.candidate.index
                if s.candidate.index <= index
                else 10_000 + s.candidate.index
            )
            for s in homes[template][:50]
        )
        literal = -sum(1 for part in split(template) if "{" not in part)
        same_method = int(bool(sighting.method) and not any(
            s.method in {sighting.method, ""} for s in homes[template]))  # fmt: skip
        return (literal, same_method, distance)

    return min(fits, key=rank)


def _generalise_values(sightings: Sequence[Sighting], *, extensions: bool) -> None:
    """Put placeholders where concrete paths hold ids, dates and lists, versions left alone."""
    concrete = [s for s in sightings if s.concrete]
    fixed = _fixed_numbers([s.path for s in concrete])
    prefixes = {s.prefix.rstrip("/") for s in sightings if s.prefix}
    for sighting in sightings:
        segments = split(sighting.path)
        shown = any(value_like(segment) or keyed(segment) for segment in segments)
        if sighting.path.rstrip("/") in prefixes or not shown:
            continue
        keep = frozenset(
            place
            for place, segment in enumerate(segments)
            if (tuple(segments[:place]), segment) in fixed
            or place < len(split(sighting.prefix))
            or (place == 0 and re.fullmatch(r"[A-Z]{2,12}", segment))  # `/GET/key` is a command
        )
        path = generalise(sighting.path, keep, extensions=extensions)
        if path != sighting.path:
            sighting.values = {**sighting.values, **match_values(path, sighting.path)}
            sighting.instance = sighting.instance or sighting.path
            sighting.path = path


def _fixed_numbers(paths: Sequence[str]) -> set[tuple[tuple[str, ...], str]]:
    """Numbers that are versions: never last, and followed by several different words."""
    followers: dict[tuple[tuple[str, ...], str], set[str]] = defaultdict(set)
    last: set[tuple[tuple[str, ...], str]] = set()
    siblings: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for path in paths:
        segments = split(path)
        for place, segment in enumerate(segments):
            if not version_like(segment):
                continue
            key = (tuple(segments[:place]), segment)
            siblings[key[0]].add(segment)
            if place + 1 < len(segments):
                if place and re.fullmatch(r"v\d{1,2}|json|xml|api", segments[place - 1]):
                    followers[key].add("")  # `/json/v1/1/search`: a key or a version
                followers[key].add(segments[place + 1])
            elif not path.endswith("/"):
                last.add(key)
    return {
        key
        for key, words in followers.items()
        if key not in last
        and (len(words) >= 2 or not re.fullmatch(r"\d+", key[1]))
        and len(siblings[key[0]]) <= 2
    }


def _generalise_words(sightings: Sequence[Sighting]) -> None:
    """Children of a collection that are only ever seen in samples are values of one placeholder."""
    children: dict[tuple[str, ...], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    fixed: set[tuple[str, ...]] = set()
    for sighting in sightings:
        segments = tuple(split(sighting.path))
        sample = sighting.candidate.kind == "sample"
        for place in range(1, len(segments)):
            if sample and "{" not in segments[place]:
                children[segments[:place]][segments[place]].add(sighting.method or "GET")
            elif not sample:
                fixed.add(segments[: place + 1])
        if not sample and segments:
            fixed.add(segments)
    open_ended: dict[tuple[str, ...], str] = {}
    for parent, words in children.items():
        free = [word for word in words if (*parent, word) not in fixed]
        several = sum(1 for word in free if len(words[word]) > 1)
        plural = singular(parent[-1]) != parent[-1]
        if len(free) >= 3 and plural and several >= 1 and len(free) == len(words):
            open_ended[parent] = singular(parent[-1])
    if not open_ended:
        return
    for sighting in sightings:
        segments = split(sighting.path)
        for place in range(1, len(segments)):
            name = open_ended.get(tuple(segments[:place]))
            if name and sighting.candidate.kind == "sample":
                sighting.instance = sighting.instance or sighting.path
                sighting.values = {name: "/".join(segments[place:])}
                sighting.path = "/" + "/".join([*segments[:place], f"{{{name}}}"])
                break


def _join_unstated(groups: dict[tuple[str, str, str], Group]) -> list[Group]:
    """Sightings that state no verb belong to the endpoints of their path that do."""
    by_path: dict[tuple[str, str], list[Group]] = defaultdict(list)
    for (path, query, _), group in groups.items():
        by_path[(path, query)].append(group)
    kept: list[Group] = []
    for same in by_path.values():
        stated = [group for group in same if group.method]
        unstated = [group for group in same if not group.method]
        if not stated or not unstated:
            kept.extend(same)
            continue
        target = next((group for group in stated if group.method == "GET"), stated[0])
        for group in unstated:
            target.sightings.extend(group.sightings)
        kept.extend(stated)
    return kept
