"""What comes after a documented path: values that samples append, beginnings of longer paths."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence

from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.shapes import split
from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.extract.templates import placeholder_free, singular
from doc2tools.compiler.ir.document import Paragraph, plain

_WORD = re.compile(r"[a-z][a-z0-9]{0,40}(?:[-_][a-z0-9]{1,40}){0,6}\Z")
_NAMED_IN_PATH = re.compile(
    r"\b(?:specify\w*|add(?:ing)?|append\w*|provid\w+|pass(?:ing)?|includ\w+|supply\w*|put|using|use|"
    r"limit\w*|follow\w*|given|single|specific|particular|certain|individual|by)\b[^.\n]{0,80}?"
    r"\b(?:names?|ids?|identifiers?|keys?|slugs?|types?|paths?|code|number)\b",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\b(?:(?:the|an?)\s([a-z]{2,30})\sand\s(?:the\s)?)?"
    r"([a-z]+)\s(name|id|identifier|path|key|slug|code|number)s?\b",
    re.IGNORECASE,
)
"""`package name`, and `the package and stage name`, which names two."""
_ARTICLES = frozenset(
    [
        "the",
        "a",
        "an",
        "its",
        "your",
        "this",
        "that",
        "relative",
        "full",
        "single",
        "specific",
        "same",
        "object",
    ]
)


def generalise_children(outline: Outline, sightings: Sequence[Sighting]) -> None:
    """Turn `/status/Example` of a sample into `/status/{status}` where `/status` is documented."""
    documented = {
        placeholder_free(s.path).lower()
        for s in sightings
        if s.candidate.kind != "sample" and s.candidate.confidence >= 0.6
    }
    fixed = {s.path.lower().rstrip("/") for s in sightings if s.candidate.kind == "definition"}
    values_under = {
        placeholder_free("/" + "/".join(split(s.path)[:-1])).lower()
        for s in sightings
        if s.instance
        and s.candidate.sample is not None
        and any(part.startswith("{") for part in split(s.path)[-1:])
    }
    for sighting in sightings:
        if sighting.candidate.sample is None or sighting.path.lower().rstrip("/") in fixed:
            continue
        segments = split(sighting.path)
        if len(segments) < 2 or "{" in segments[-1]:
            continue
        parent = "/" + "/".join(segments[:-1])
        if placeholder_free(parent).lower() not in documented:
            continue
        sibling = placeholder_free(parent).lower() in values_under
        if _WORD.match(segments[-1]) and not (
            sibling or _prose_names_it(outline, sighting.candidate.index)
        ):
            continue
        before = next((s for s in reversed(segments[:-1]) if "{" not in s), "")
        used = re.findall(r"\{([^{}]*)\}", sighting.path)
        name = singular(re.sub(r"\W{1,20}", "_", before)) or "name"
        if segments[-2].startswith("{") or name in used:
            name = "name" if "name" not in used else f"{name}_name"
        sighting.values = {**sighting.values, name: segments[-1]}
        sighting.instance = sighting.instance or sighting.path
        sighting.path = f"{parent}/{{{name}}}"


def extend_by_samples(outline: Outline, sightings: list[Sighting]) -> list[Sighting]:
    """Replace "send a request to `/files` and add the name" by the longer path of its samples."""
    by_section: dict[int, list[Sighting]] = defaultdict(list)
    exact: set[tuple[str, str]] = set()
    for sighting in sightings:
        if sighting.candidate.sample is not None:
            by_section[outline.entries[sighting.candidate.index].heading].append(sighting)
            exact.add((sighting.method, placeholder_free(sighting.path).lower()))
    for samples in by_section.values():
        samples.sort(key=lambda sample: sample.candidate.index)
    kept: list[Sighting] = []
    for sighting in sightings:
        candidate = sighting.candidate
        block = outline.entries[candidate.index].block
        shape = (sighting.method, placeholder_free(sighting.path).lower())
        if (
            candidate.kind == "sample"
            or not sighting.method
            or not isinstance(block, Paragraph)
            or shape in exact
        ):
            kept.append(sighting)
            continue
        text = "".join(run.text for run in block.runs if not run.code)
        head = split(sighting.path)
        section = outline.entries[candidate.index].heading
        longer = [
            other
            for other in _near(by_section[section], candidate.index)
            if other.method == sighting.method
            and split(_shown(other))[: len(head)] == head
            and len(split(_shown(other))) > len(head)
        ]
        if not longer or not (_NAMED_IN_PATH.search(text) or _PART.search(text)):
            kept.append(sighting)
            continue
        names = _names(text)
        for other in longer:
            _fill_tail(other, head, names)
    return kept


def beginnings(paths: Sequence[str], stated: Sequence[bool], likely: int) -> set[str]:
    """Paths without a verb of their own that only begin the paths of endpoints with one.

    Args:
        paths: All paths.
        stated: Which of them have a verb of their own.
        likely: How many of them are likely endpoints; half of these must have a verb.
    """
    if not paths or sum(stated) * 2 < likely:
        return set()
    heads: set[str] = set()
    for path, has_verb in zip(paths, stated, strict=True):
        if has_verb:
            segments = split(placeholder_free(path).lower())
            heads.update("/".join(segments[:end]) for end in range(1, len(segments)))
    return {
        path
        for path, has_verb in zip(paths, stated, strict=True)
        if not has_verb and "/".join(split(placeholder_free(path).lower())) in heads
    }


def _near(samples: Sequence[Sighting], index: int) -> Sequence[Sighting]:
    """The samples that follow within a few blocks."""
    first = bisect_left(samples, index, key=lambda sample: sample.candidate.index)
    return [s for s in samples[first : first + 8] if s.candidate.index - index <= 12]


def _shown(sighting: Sighting) -> str:
    return sighting.instance or sighting.path


def _fill_tail(sighting: Sighting, head: list[str], names: list[str]) -> None:
    """Name what the sample appends; the last name takes all that is left."""
    tail = split(_shown(sighting))[len(head) :]
    wanted = names[: len(tail)]
    if names and len(tail) > len(names) and not names[-1].endswith("path"):
        wanted = [*names, "path"]
    while len(wanted) < len(tail) and not names:
        wanted.append(f"part_{len(wanted) + 1}" if len(tail) > 1 else "name")
    if not wanted:
        return
    values = dict(zip(wanted, tail, strict=False))
    values[wanted[-1]] = "/".join(tail[len(wanted) - 1 :])
    sighting.instance = _shown(sighting)
    sighting.values = dict(values)
    sighting.path = "/" + "/".join([*head, *(f"{{{name}}}" for name in wanted)])


def _names(text: str) -> list[str]:
    found: list[str] = []
    for match in _PART.finditer(text):
        first, word, kind = ((match.group(part) or "").lower() for part in (1, 2, 3))
        name = kind if word in _ARTICLES else word
        if kind == "path":
            name = "path" if word in _ARTICLES or word == "url" else f"{word}_path"
        if word in {"url", "the"} and kind == "path":
            continue
        found.extend(part for part in (first, name) if part and part not in found)
    return found[:6]


def _prose_names_it(outline: Outline, index: int) -> bool:
    """The sentence above the sample says that a name goes into the path."""
    for before in range(index - 1, max(-1, index - 3), -1):
        entry = outline.entries[before]
        if entry.heading != outline.entries[index].heading:
            return False
        if isinstance(entry.block, Paragraph):
            text = plain(entry.block.runs)
            return bool(_NAMED_IN_PATH.search(text)) and bool(
                re.search(r"\b(?:path|url|uri|name|id|single|specific)\b", text, re.IGNORECASE)
            )
    return False
