"""Names as words: how `userId`, `user_id` and `/users/{id}` are told to mean the same thing."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = [
    "ALIASES",
    "HANDLES",
    "fold",
    "is_action",
    "is_generic",
    "is_structural",
    "path_noun",
    "path_shape",
    "placeholders",
    "resource_before",
    "singular",
    "singular_phrase",
    "stem",
    "words",
]

_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SPLIT = re.compile(r"[^0-9A-Za-z]+")
_PLACEHOLDER = re.compile(r"\{([^{}]{0,200})\}")
_VERSION = re.compile(r"v?\d+(\.\d+){0,3}[a-z]{0,8}\d{0,3}")

_IRREGULAR = {
    "people": "person",
    "children": "child",
    "indices": "index",
    "vertices": "vertex",
    "matrices": "matrix",
    "men": "man",
    "women": "woman",
    "series": "series",
    "species": "species",
    "news": "news",
    "data": "data",
    "media": "media",
    "movies": "movie",
    "cookies": "cookie",
    "ties": "tie",
    "caches": "cache",
}

HANDLES = (
    "id",
    "uuid",
    "guid",
    "uid",
    "identifier",
    "key",
    "slug",
    "code",
    "name",
    "handle",
    "login",
    "number",
    "ref",
    "symbol",
    "tag",
    "iso",
    "abbreviation",
)
"""Words that name the field by which a record is addressed, best first."""

ALIASES = {"identifier": "id", "uid": "id", "no": "number", "num": "number", "nr": "number"}
"""Handle words that mean the same."""

_GENERIC_WORDS = """
    type value path title label status state kind version date time text url href description
    content data item index size count limit offset page order sort format language lang country
    category group user_name from to start end
"""
_STRUCTURAL_WORDS = """
    api rest service data result item entry record response payload content object value list
    element collection node member embedded row hit doc document page body output root all child
    edge feature property attribute
"""
_ACTION_WORDS = """
    query query_range search lookup find list get all latest recent random status stat info export
    count summary report check test ping health version login me self current batch autocomplete
    suggest suggestion stream event history
"""
_ACTIONS = frozenset(_ACTION_WORDS.split())
_GENERIC = frozenset({*HANDLES, *_GENERIC_WORDS.split()})
_STRUCTURAL = frozenset(_STRUCTURAL_WORDS.split())


@lru_cache(maxsize=8192)
def words(name: str) -> tuple[str, ...]:
    """Split a name at case changes and punctuation into lower-case words."""
    spaced = _BOUNDARY.sub(" ", name[:200])
    return tuple(word.lower() for word in _SPLIT.split(spaced) if word)


@lru_cache(maxsize=8192)
def singular(word: str) -> str:
    """Fold the plural of one English noun, roughly: `users` → `user`, `boxes` → `box`."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 3 or word.endswith(("ss", "us", "is")):
        return "id" if word == "ids" else word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") else word


@lru_cache(maxsize=8192)
def fold(name: str) -> str:
    """Give one spelling for all spellings of a name: `UserIDs` → `user_id`."""
    parts = words(name)
    if not parts:
        return ""
    last = singular(parts[-1])
    return "_".join((*parts[:-1], ALIASES.get(last, last)))


def is_generic(name: str) -> bool:
    """Tell whether a folded name says nothing about what it belongs to (`id`, `name`, `type`)."""
    return name in _GENERIC


def is_action(name: str) -> bool:
    """Tell whether a folded path word says what is done (`search`), rather than what there is."""
    return name in _ACTIONS


def is_structural(name: str) -> bool:
    """Tell whether a folded key only wraps an answer (`data`, `results`, `items`)."""
    return name in _STRUCTURAL


@lru_cache(maxsize=8192)
def stem(name: str) -> str:
    """Give what a handle names: `user_id`, `userName` → `user`; "" for a name without one."""
    folded = fold(name)
    head, _, tail = folded.rpartition("_")
    return singular_phrase(head) if head and tail in HANDLES else ""


def singular_phrase(folded: str) -> str:
    """Fold the plural of the last word of an underscored phrase."""
    head, separator, tail = folded.rpartition("_")
    return f"{head}{separator}{singular(tail)}"


def placeholders(path: str) -> tuple[str, ...]:
    """Give the names of a template's placeholders in order."""
    return tuple(_PLACEHOLDER.findall(path))


@lru_cache(maxsize=8192)
def path_shape(path: str) -> str:
    """Give a template's shape: placeholders blank, plurals folded, no slash at the end."""
    segments: list[str] = []
    for segment in path.split("?", 1)[0].split("/"):
        if not segment:
            continue
        if "{" in segment:
            segments.append(_PLACEHOLDER.sub("{}", segment))
        else:
            segments.append(fold(segment) or segment)
    return "/" + "/".join(segments)


@lru_cache(maxsize=8192)
def path_noun(path: str) -> str:
    """Give the folded last literal segment that is a noun; "" where there is none."""
    for segment in reversed(path.split("?", 1)[0].split("/")):
        literal = segment.rsplit(".", 1)[0] if segment.count(".") == 1 else segment
        if not literal or "{" in literal or _VERSION.fullmatch(literal.lower()):
            continue
        noun = fold(literal)
        if noun and noun != "api":
            return noun
    return ""


@lru_cache(maxsize=8192)
def resource_before(path: str, name: str) -> tuple[str, str]:
    """Give the noun before the placeholder `name`, and the shape of the path before it.

    The noun is "" where another placeholder or nothing stands before it.
    """
    head, found, _ = path.partition("{" + name + "}")
    if not found:
        return "", ""
    segments = [segment for segment in head.split("/") if segment]
    if head and not head.endswith("/"):
        segments = segments[:-1]
    noun = ""
    if segments and "{" not in segments[-1]:
        noun = path_noun("/" + segments[-1])
    return noun, path_shape("/" + "/".join(segments))
