"""Fixed-looking parts of a path that the prose says can be exchanged for other words.

"In the URL, `cars` may be replaced by `bikes` or `trucks`" makes `/cars/brands` a template; a list
of extensions such as `.json/.xml/.yml` makes the extension of example files one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.shapes import split, version_like
from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.extract.templates import singular

_QUOTED = re.compile(r"[\"“«\u2018'`]([A-Za-z][\w-]{1,40})[\"”»\u2019'`]")
_EXTENSIONS = re.compile(
    r"\.(?:json|xml|ya?ml|rdf|csv|txt|html|geojson|atom|rss)\s{0,2}(?:,|/|\||\bor\b|\band\b|;)\s{0,2}"
    r"(?:or |and )?\.(?:json|xml|ya?ml|rdf|csv|txt|html|geojson|atom|rss)\b"
)


_MAX_SAME = 100
_MAX_EXCHANGES = 20


def exchange_words(outline: Outline, sightings: Sequence[Sighting]) -> None:
    """Put placeholders where the text names a segment of a path among its alternatives."""
    places: dict[str, list[tuple[Sighting, int]]] = {}
    for sighting in sightings:
        for place, segment in enumerate(split(sighting.path)):
            if "{" not in segment and not version_like(segment):
                same = places.setdefault(segment.lower(), [])
                if len(same) < _MAX_SAME:
                    same.append((sighting, place))
    exchanges = 0
    for place in outline.places:
        if place.role not in {"paragraph", "item"} or len(place.text.text) > 2_000:
            continue
        words = _set_apart(outline, place.index)
        if not 2 <= len(words) <= 12:
            continue
        known = [word for word in words if word.lower() in places]
        if len(known) != 1:
            continue
        near = [
            (sighting, number)
            for sighting, number in places[known[0].lower()]
            if 0 <= place.index - sighting.candidate.index <= 4
            and (sighting.candidate.method or sighting.target.host)
        ]
        if near and exchanges < _MAX_EXCHANGES and _exchanged(place.text.text):
            sighting, number = near[-1]
            exchanges += 1
            _exchange(sightings, split(sighting.path)[: number + 1])


def extension_varies(outline: Outline) -> bool:
    """Tell whether the page lists extensions as alternatives."""
    return any(
        _EXTENSIONS.search(place.text.text)
        for place in outline.places
        if place.role in {"paragraph", "item", "cell"} and "." in place.text.text
    )


def _set_apart(outline: Outline, index: int) -> list[str]:
    block = outline.entries[index].block
    words: list[str] = []
    if block.kind != "paragraph":
        return words
    for run in block.runs:
        if run.code or run.strong or run.emphasis:
            bare = run.text.strip(" \"'“”«»\u2018\u2019`.,;:")
            if re.fullmatch(r"[A-Za-z][\w-]{1,40}", bare):
                words.append(bare)
            elif " " not in bare and len(bare) > 40:
                return []
    text = "".join(run.text for run in block.runs)
    words.extend(_QUOTED.findall(text))
    return list(dict.fromkeys(words))


def _exchanged(text: str) -> bool:
    return bool(
        re.search(
            r"\b(?:replac\w*|chang\w*|instead|substitut\w*|swap\w*|switch\w*|alter\w*|either|"
            r"can be|may be|could be|one of|valid|possible|available|supported|allowed|ersetz\w*|"
            r"anstatt|rempla\w*|reempla\w*|cambi\w*|troc\w*|mud\w*|substitu\w*|замен\w*|вместо)\b",
            text,
            re.IGNORECASE,
        )
    )


def _exchange(sightings: Sequence[Sighting], head: Sequence[str]) -> None:
    word = head[-1]
    before = [s for s in head[:-1] if "{" not in s and not version_like(s)]
    name = singular(before[-1]) if before and before[-1] not in {"api", "rest"} else singular(word)
    for sighting in sightings:
        segments = split(sighting.path)
        if segments[: len(head)] == list(head):
            used = re.findall(r"\{([^{}]*)\}", sighting.path)
            unique = name if name not in used else f"{name}_value"
            sighting.values = {**sighting.values, unique: word}
            segments[len(head) - 1] = f"{{{unique}}}"
            slash = "/" if sighting.path.endswith("/") else ""
            sighting.path = "/" + "/".join(segments) + slash
