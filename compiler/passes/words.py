"""Words: split identifiers and titles, singular and plural, and plain ASCII."""

from __future__ import annotations

import hashlib
import keyword
import re
import unicodedata
from functools import lru_cache

SAME_IN_PLURAL = frozenset(
    {
        "series", "news", "status", "analysis", "basis", "species", "canvas", "bus", "gas", "lens",
        "address", "access", "process", "class", "progress", "success", "business", "https", "dns",
        "tls", "css", "aws", "ios", "gps", "os", "sms", "rss", "js", "alias", "bias", "atlas",
        "diagnostics", "metrics", "stats", "statistics", "analytics", "settings", "this", "always",
        "is", "has", "was", "us", "virus", "campus", "corpus", "bonus", "focus", "radius",
        "consensus", "census", "less", "express", "press", "chess", "loss", "cross", "pass", "xss",
        "nexus",
    }
)  # fmt: skip
IRREGULAR = {
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "feet": "foot",
    "teeth": "tooth",
    "mice": "mouse",
    "indices": "index",
    "vertices": "vertex",
    "matrices": "matrix",
    "statuses": "status",
    "addresses": "address",
    "aliases": "alias",
    "buses": "bus",
    "movies": "movie",
    "cookies": "cookie",
    "calories": "calorie",
    "zombies": "zombie",
    "pies": "pie",
    "ties": "tie",
    "caches": "cache",
    "axes": "axis",
    "analyses": "analysis",
    "quizzes": "quiz",
    "leaves": "leaf",
    "lives": "life",
    "media": "media",
    "heroes": "hero",
    "potatoes": "potato",
    "shoes": "shoe",
    "matches": "match",
    "processes": "process",
    "classes": "class",
    "viruses": "virus",
    "lenses": "lens",
}

_SPLIT = re.compile(r"[^\w]+|_+")
_POSSESSIVE = re.compile(r"['\u2019]s?\b|['\u2019]")
_ACRONYMS = re.compile(r"(?<![A-Z])([A-Z]{2,6})s(?![A-Za-z])")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def ascii_text(text: str) -> str:
    """Give `text` in ASCII: accents dropped, letters without a plain form left out."""
    spelled = text.translate(_LIGATURES)
    return unicodedata.normalize("NFKD", spelled).encode("ascii", "ignore").decode("ascii")


_LIGATURES = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "Ae", "ø": "o", "Ø": "O", "œ": "oe", "Œ": "Oe", "ł": "l", "Ł": "L"}
    | {"đ": "d", "Đ": "D", "þ": "th", "ð": "d", "\u0131": "i"}
)


def split_words(text: str) -> list[str]:
    """Split an identifier or a phrase into lower-case ASCII words, at humps and separators."""
    return list(_split(text[:500]))


@lru_cache(maxsize=16_384)
def _split(text: str) -> tuple[str, ...]:
    plain = ascii_text(_ACRONYMS.sub(r"\1S", _POSSESSIVE.sub("", text)))
    pieces = (part for piece in _SPLIT.split(plain) for part in _HUMP.split(piece))
    return tuple(part.lower() for part in pieces if part)


def snake_case(text: str) -> str:
    """Give `text` as a lower-case name with underscores; may be empty or start with a digit."""
    return "_".join(split_words(text))


def singular(word: str) -> str:
    """Give the singular of an English noun in lower case, or the word itself."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    if len(word) < 4 or not word.endswith("s") or word in SAME_IN_PLURAL:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zzes")):
        return word[:-2]
    if word.endswith(("ss", "us", "is")):
        return word
    return word[:-1]


def plural(word: str) -> str:
    """Give the plural of an English noun in lower case, or the word itself if it is one."""
    if is_plural(word) or word in SAME_IN_PLURAL:
        return word
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "z", "ch", "sh")) else "s")


def is_plural(word: str) -> bool:
    """Tell whether an English noun in lower case is a plural."""
    return word in {"series", "news"} or singular(word) != word


def identifier(text: str, fallback: str, reserved: frozenset[str] = frozenset()) -> str:
    """Give a Python identifier for `text` that is no keyword and not `reserved`."""
    name = snake_case(text)
    if not name:
        name = fallback
    if name[0].isdigit():
        name = f"{fallback}_{name}"
    if keyword.iskeyword(name) or name in reserved:
        name = f"{name}_"
    return name


def fingerprint(text: str) -> str:
    """Give six hexadecimal digits that stand for `text`."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]
