"""Noun phrases and clauses for tools, parameters and values: the words of a task.

In go names and titles of the documentation; out comes plain English. Nothing of the documentation
is used but short titles, as it was written by others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.param_db.naming import HANDLES, path_noun, singular, words

__all__ = ["Noun", "is_handle", "is_search_name", "joined", "noun_of", "parameter_words", "quoted"]

_VERBS = frozenset(
    {
        *("get", "list", "show", "find", "search", "query", "fetch", "read", "retrieve", "lookup"),
        *("check", "view", "describe", "return", "obtain", "browse", "count", "download", "test"),
        *("getting", "listing", "showing", "finding", "searching", "querying", "fetching"),
        *("reading", "retrieving", "checking", "viewing", "formatting", "describing", "format"),
    }
)
_SEARCHING = frozenset({"find", "search", "query", "lookup", "finding", "searching", "querying"})
_LISTING = frozenset({"list", "listing", "browse"})
_ENDINGS = frozenset(
    {"api", "endpoint", "service", "route", "call", "request", "method", "a", "an"}
)
_ARTICLES = frozenset({"a", "an", "the", "all", "of", "your", "this"})
_STOPS = frozenset({"by", "with", "for", "from", "in", "of", "using", "at", "on", "per", "via"})
_ACRONYMS = frozenset(
    {"id", "url", "api", "ip", "html", "json", "xml", "uuid", "tsdb", "wal", "cpu", "http"}
)
_TITLE = re.compile(r"[A-Za-z][A-Za-z0-9' -]{2,48}")
_UNCOUNTED = frozenset(
    {
        *("information", "metadata", "data", "config", "configuration", "health", "info"),
        *("art", "history", "weather", "news", "software", "settings", "stats", "statistics"),
        *("diagnostics", "series", "access", "progress", "address", "process", "class", "details"),
    }
)
_ALWAYS_MANY = frozenset({"settings", "stats", "statistics", "diagnostics", "details", "series"})
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Noun:
    """What a tool gives: `album` as one, `albums` as many.

    Attributes:
        many: The tool gives several of them.
        searched: The tool gives those that match a text.
    """

    one: str
    several: str
    many: bool
    searched: bool = False

    @property
    def text(self) -> str:
        """The noun as the tool gives it."""
        return self.several if self.many else self.one


def noun_of(endpoint: Endpoint) -> Noun:
    """Give what a tool gives, from its title where that is short and plain, else from its name."""
    parts = endpoint.name.split("_")
    verb = parts[0] if parts[0] in _VERBS else ""
    phrase = _from_title(endpoint.title) or _from_name(parts)
    if not phrase:
        phrase = " ".join(words(path_noun(endpoint.path))) or "answer"
        phrase = phrase if phrase != "answer" else endpoint.name.replace("_", " ")
    head, joint, tail = _head(phrase)
    one, several = _one(head), _several(head)
    many = verb in _LISTING or (head == several and several != one)
    needed = [parameter.name for parameter in endpoint.parameters if parameter.required]
    searched = verb in _SEARCHING and any(is_search_name(name) for name in needed)
    last = head.split(" ")[-1].lower()
    if last in {"query", "queries", "search", "searches"}:
        one, several = f"{_one(head)} result", f"{_one(head)} results"
        many = True
    if last in _UNCOUNTED:
        one = several = head
        many = last in _ALWAYS_MANY
    if joint and not joint.startswith(" of"):
        return Noun(one, f"{several}{joint}{tail}", many or searched, searched)
    return Noun(f"{one}{joint}{tail}", f"{several}{joint}{tail}", many or searched, searched)


def _from_title(title: str) -> str:
    """Give a short title as a noun phrase: `Querying label values` → `label values`."""
    text = " ".join(title.split()).rstrip(".:")
    if not _TITLE.fullmatch(text):
        return ""
    held = text.split(" ")
    while held and held[0].lower() in _VERBS | _ARTICLES:
        held = held[1:]
    while held and held[-1].lower() in _ENDINGS:
        held = held[:-1]
    stop = next((n for n, word in enumerate(held) if n and word.lower() in _STOPS - {"of"}), None)
    held = held[:stop]
    if not 1 <= len(held) <= 5 or not any(word.isalpha() for word in held):
        return ""
    return " ".join(_lowered(word) for word in held)


def _lowered(word: str) -> str:
    inside = word[1:]
    return word if word.isupper() or any(letter.isupper() for letter in inside) else word.lower()


def _from_name(parts: list[str]) -> str:
    held = parts[1:] if parts[0] in _VERBS and len(parts) > 1 else list(parts)
    stop = next((n for n, word in enumerate(held) if n and word in _STOPS - {"of"}), None)
    held = [word for word in held[:stop] if not word.isdigit()]
    return " ".join(_spelled(word) for word in held)


def _head(phrase: str) -> tuple[str, str, str]:
    """Split off what follows the head noun: `value of key` → `value`, ` of the `, `key`."""
    found = re.search(r" of (?:the |a |an )?| and (?:their |its |the )", phrase)
    if found is None:
        return phrase, "", ""
    joint = " of the " if found.group().startswith(" of") else found.group()
    return phrase[: found.start()], joint, phrase[found.end() :]


def _one(phrase: str) -> str:
    first, _, last = phrase.rpartition(" ")
    if last.lower() in _UNCOUNTED:
        return phrase
    return f"{first} {singular(last)}".strip()


def _several(phrase: str) -> str:
    first, _, last = phrase.rpartition(" ")
    lower = last.lower()
    if lower in _UNCOUNTED or singular(lower) != lower:
        return phrase
    if lower.endswith("y") and lower[-2:-1] not in "aeiou":
        last = f"{last[:-1]}ies"
    elif lower.endswith(("s", "x", "z", "ch", "sh")):
        last = f"{last}es"
    else:
        last = f"{last}s"
    return f"{first} {last}".strip()


def parameter_words(name: str) -> str:
    """Give a parameter's name as people say it: `label_name` → `label name`, `id` → `ID`."""
    parts = [word for word in words(name) if not word.isdigit()] or [name[:40]]
    return " ".join(_spelled(word) for word in parts)


def _spelled(word: str) -> str:
    """Write acronyms as people do: `url` → `URL`, `ids` → `IDs`."""
    if word in _ACRONYMS:
        return word.upper()
    return f"{word[:-1].upper()}s" if word[:-1] in _ACRONYMS and word.endswith("s") else word


def is_handle(name: str) -> bool:
    """Tell whether a name only says that something is addressed by it: `id`, `name`."""
    parts = words(name)
    return bool(parts) and parts[-1] in HANDLES


def is_search_name(name: str) -> bool:
    """Tell whether a parameter of this name takes a text to search for."""
    return bool({"query", "q", "querystring", "search", "term", "keyword"} & set(words(name)))


def quoted(value: JsonValue) -> str:
    """Give a value as it stands in a sentence: numbers plain, texts in quotation marks."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list):
        return joined([quoted(item) for item in value[:6]])
    text = " ".join(str(value).split())
    return f"“{text if len(text) <= _SHOWN else text[: _SHOWN - 1] + '…'}”"


def joined(parts: list[str]) -> str:
    """Join with commas and `and`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
