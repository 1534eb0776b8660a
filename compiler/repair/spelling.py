"""Words that may stand for a wrong path segment: from what the documentation says of the tool."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise

from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.passes.words import plural, singular, split_words
from doc2tools.compiler.repair.address import is_literal, parts_of, whole_path
from doc2tools.compiler.validate.promises import promises
from doc2tools.param_db.naming import stem

__all__ = [
    "alike",
    "likeness",
    "said_of",
    "spellings",
    "style_of",
    "supported",
    "variants",
    "vocabulary",
]

_STOP_WORDS = """
    a an the of for to in on at by with from and or as is are be it its this that these those all
    any each one which who whose what when where how not no get gets getting got list lists listing
    return returns returned retrieve retrieves retrieving fetch fetches show shows give gives query
    querying find finds read reads endpoint endpoints api apis rest http https request requests
    response responses call calls url urls path parameter parameters optional required following
    given can will may must use used using you your their them they there has have had via into
    example examples see also only more than other such if then we our us again
"""
_STOP = frozenset(_STOP_WORDS.split())
_SHORT = {
    "administrator": "admin",
    "application": "app",
    "applications": "apps",
    "authentication": "auth",
    "configuration": "config",
    "database": "db",
    "databases": "dbs",
    "description": "desc",
    "directory": "dir",
    "document": "doc",
    "documents": "docs",
    "environment": "env",
    "identifier": "id",
    "image": "img",
    "information": "info",
    "language": "lang",
    "message": "msg",
    "metadata": "meta",
    "organization": "org",
    "organizations": "orgs",
    "package": "pkg",
    "reference": "ref",
    "repositories": "repos",
    "repository": "repo",
    "statistics": "stats",
    "statistic": "stat",
    "temperature": "temp",
}
_CAMEL = re.compile(r"[a-z][A-Z]")
_NEAR = 0.72
_CLOSE = 0.8
_MOST_WORDS = 5_000


def likeness(one: str, other: str) -> float:
    """Tell how alike two words are in spelling, from 0 to 1."""
    return SequenceMatcher(None, one.lower()[:60], other.lower()[:60], autojunk=False).ratio()


def said_of(endpoint: Endpoint) -> Iterator[tuple[str, float]]:
    """Yield the texts about an endpoint, each with how much it is about it."""
    yield endpoint.title, 1.0
    yield endpoint.summary, 0.9
    if endpoint.section:
        yield endpoint.section[-1], 0.9
    for parameter in endpoint.parameters:
        if parameter.location == "path":
            yield stem(parameter.name), 0.8
            yield parameter.name, 0.6
    if len(endpoint.section) > 1:
        yield endpoint.section[-2], 0.6
    yield " ".join(_answer_keys(endpoint)), 0.6
    yield endpoint.description[:600], 0.5


def _answer_keys(endpoint: Endpoint) -> list[str]:
    keys: list[str] = []
    for example in promises(endpoint).examples[:3]:
        first = example[0] if isinstance(example, list) and example else example
        if isinstance(first, dict):
            keys += [key for key in list(first)[:12] if len(key) <= 40]
    return keys


def spellings(endpoint: Endpoint, styles: tuple[str, ...]) -> dict[str, float]:
    """Give segments that the words about an endpoint make, with how likely each is.

    Args:
        endpoint: The endpoint.
        styles: How the API joins words in a path: `-`, `_`, `camel` or "" for nothing between.
    """
    found: dict[str, float] = {}

    def note(word: str, weight: float) -> None:
        if 2 <= len(word) <= 60 and weight > found.get(word, 0.0):
            found[word] = weight

    for text, weight in said_of(endpoint):
        every = split_words(text)[:60]
        for word in every:
            note(word, 0.2 * weight)
        tokens = [word for word in every if word not in _STOP and len(word) > 2]
        for number, word in enumerate(tokens):
            place = weight * (1.0 - 0.02 * min(number, 10))
            note(word, place)
            for form in (singular(word), plural(word), _SHORT.get(word, "")):
                note(form, place * 0.92)
        for first, second in pairwise(tokens):
            for last in dict.fromkeys((second, plural(second), _SHORT.get(second, second))):
                for style in styles:
                    sure = 0.75 if style else 0.6
                    note(_joined((first, last), style), weight * sure)
    return found


def vocabulary(endpoints: Iterable[Endpoint]) -> frozenset[str]:
    """Give the words that the documentation of a whole API uses, and their other number."""
    found: set[str] = set()
    for endpoint in endpoints:
        for part in parts_of(whole_path(endpoint)):
            if is_literal(part):
                found.add(part)
        for text, _ in said_of(endpoint):
            found.update(word for word in split_words(text)[:60] if word not in _STOP)
    words = sorted(word for word in found if 3 <= len(word) <= 40)[:_MOST_WORDS]
    return frozenset({*words, *map(singular, words), *map(plural, words)})


def alike(word: str, words: Iterable[str]) -> dict[str, float]:
    """Give those of `words` that are spelled much like `word`, with how much."""
    found: dict[str, float] = {}
    letters = Counter(word.lower())
    for other in words:
        shared = sum((letters & Counter(other.lower())).values())
        if abs(len(other) - len(word)) > 3 or 2 * shared < _NEAR * (len(other) + len(word)):
            continue
        near = likeness(word, other)
        if near >= _NEAR and other != word:
            found[other] = near
    return found


def _joined(words: tuple[str, ...], style: str) -> str:
    if style == "camel":
        return words[0] + "".join(word.capitalize() for word in words[1:])
    return style.join(words)


def variants(segment: str) -> dict[str, float]:
    """Give other spellings of a segment: number, separators, a digit or word at its end."""
    found: dict[str, float] = {}
    words = split_words(segment)
    if len(words) == 1:
        found[singular(segment)] = 0.7
        found[plural(segment)] = 0.7
    elif words:
        last = words[-1]
        other = singular(last) if singular(last) != last else plural(last)
        joiner = "-" if "-" in segment else "_" if "_" in segment else ""
        if joiner:
            found[joiner.join((*words[:-1], other))] = 0.6
            found[joiner.join(words[:-1])] = 0.85
            found[joiner.join(words[1:])] = 0.75
        for style in ("-", "_", "", "camel"):
            found.setdefault(_joined(tuple(words), style), 0.6)
    trimmed = segment.rstrip("0123456789")
    found.setdefault(trimmed.rstrip("-_v"), 0.5)
    found.pop(segment, None)
    return {word: weight for word, weight in found.items() if len(word) >= 2}


@lru_cache(maxsize=512)
def style_of(segment: str) -> str | None:
    """Give how a segment joins its words, or `None` if it is one word."""
    if "-" in segment:
        return "-"
    if "_" in segment:
        return "_"
    return "camel" if _CAMEL.search(segment) else None


def supported(endpoint: Endpoint, before: str, after: str, *, closely: bool = False) -> str:
    """Say what speaks for the segment `after` in the place of `before`, or "" if nothing does.

    Args:
        endpoint: The tool.
        before: The documented segment.
        after: The one that may be meant.
        closely: Only what is said of this tool alone counts, not the headings above it.
    """
    if likeness(before, after) >= _NEAR:
        return f"{after!r} is spelled like {before!r}"
    wanted = [singular(word) for word in split_words(after)]
    known: set[str] = set()
    for text, weight in said_of(endpoint):
        if closely and weight < _CLOSE:
            continue
        for word in split_words(text):
            known |= {singular(word), _SHORT.get(word, word), _SHORT.get(singular(word), word)}
    glued = after.lower()
    whole = bool(wanted) and all(word in known for word in wanted)
    if whole or any(len(word) > 2 and glued in (word, f"{word}s") for word in known):
        return f"the documentation of this tool speaks of {after!r}"
    pairs = not closely and glued in spellings(endpoint, ("",))
    return f"the documentation of this tool speaks of {after!r}" if pairs else ""
