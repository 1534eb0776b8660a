"""Names that one operation can have by itself: from its title, else from its method and path."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from doc2tools.compiler.ir.spec import EffectKind
from doc2tools.compiler.passes.effect_paths import VERBISH
from doc2tools.compiler.passes.effect_text import read_sentence
from doc2tools.compiler.passes.operation import Operation
from doc2tools.compiler.passes.paths import PLACEHOLDER, placeholders, resource_segments
from doc2tools.compiler.passes.verbs import (
    DESTROY,
    EITHER,
    NOUN_HEADS,
    NOUNS,
    READ,
    STATE,
    base_form,
    is_gerund,
    is_third_person,
)
from doc2tools.compiler.passes.words import (
    fingerprint,
    is_plural,
    plural,
    singular,
    snake_case,
    split_words,
)

GET_LIKE = frozenset(
    {
        "access", "describe", "display", "fetch", "get", "give", "obtain", "output", "provide",
        "read", "receive", "request", "retrieve", "return", "see", "serve", "show", "view",
        "query", "load",
    }
)  # fmt: skip
PATH_VERBS = frozenset(
    {
        "autocomplete", "calculate", "check", "compare", "convert", "decode", "download", "encode",
        "export", "find", "geocode", "generate", "login", "lookup", "parse", "ping", "preview",
        "query", "redirect", "render", "resolve", "reverse", "search", "suggest", "translate",
        "validate", "verify",
    }
)  # fmt: skip
_LEADING_VERBS = frozenset(
    {
        "search", "find", "lookup", "validate", "convert", "check", "discover",
    }
)  # fmt: skip
_VERB_FOR = {"POST": "create", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}
_ARTICLES = frozenset(
    {
        "a", "an", "the", "all", "your", "this", "its", "given", "specified", "every",
    }
)  # fmt: skip
_VAGUE = frozenset(
    {
        "details", "detail", "info", "information", "all", "list", "one", "data", "by", "id", "it",
        "them", "item", "items", "object", "objects", "resource", "resources",
    }
)  # fmt: skip
_IDLE = frozenset({"available", "currently", "existing"})
_ABOUT = frozenset({"information", "info", "detail", "details", "data"})
_PREPOSITIONS = frozenset(
    {
        "by", "for", "from", "in", "of", "on", "to", "with", "at", "about", "as", "and", "using",
        "near",
    }
)  # fmt: skip
_EXTENSION = re.compile(
    r"\.(?:json|jsonp|xml|php|html?|txt|csv|cgi|aspx?|do|jsp|py|pl|ya?ml|mvt|png|svg|rss|atom)$",
    re.IGNORECASE,
)
_LISTS = re.compile(r"\b(?:lists?|all|every)\b", re.IGNORECASE)
_IS_LIST = re.compile(
    r"(?:(?:gets?|gives?|obtains?|retrieves?|returns?|shows?)\s+)?(?:an?\s+|the\s+)?"
    r"(?:lists?\s+of|lists?\s+all)\b",
    re.IGNORECASE,
)
_METHOD = re.compile(r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b[:\s]*")
_AMOUNTS = frozenset(
    {
        "n", "count", "num", "limit", "size", "amount", "max", "total", "length",
    }
)  # fmt: skip
_TITLE_WORDS = 6
_PATH_WORDS = 6


@dataclass(frozen=True, slots=True)
class _Phrase:
    verb: str
    nouns: tuple[str, ...]

    def __str__(self) -> str:
        words = [word for word in (self.verb, *self.nouns) if word]
        kept = [word for index, word in enumerate(words) if index == 0 or word != words[index - 1]]
        return "_".join(kept)


def spoken_name(operation: Operation, kind: EffectKind, title: str) -> str:
    """Give the name that title or summary say, else "".

    Args:
        operation: With its documented path.
        kind: What a call does; a name must not say that a read deletes.
        title: Its title if that is its own, else "".
    """
    name = _from_text(title, operation, kind)
    summary = operation.draft.summary
    if not name and summary and not is_third_person(summary.split(" ", 1)[0]):
        brief = _from_text(summary.rstrip(". "), operation, kind)
        name = brief if brief.count("_") <= 3 else ""
    return "" if set(name.split("_")[1:]) <= _VAGUE else name


def candidates(
    operation: Operation, kind: EffectKind, spoken: str, is_collection: bool = False
) -> Iterator[str]:
    """Yield names for `operation`, best first, each longer and more special than those before.

    Args:
        operation: With its documented path.
        kind: What a call does.
        spoken: The name that title or summary say, if it is its own, else "".
        is_collection: One member of it can be read, too, below the same path.
    """
    method = operation.draft.method.value.upper()
    if spoken:
        yield spoken
    phrase = _from_path(operation, kind, is_collection)
    if phrase is None:
        yield f"op_{fingerprint(f'{method} {operation.documented}')}"
        return
    yield str(phrase)
    full = _literals(operation.documented)
    whole = _Phrase(phrase.verb, (*(word for literal in full for word in literal),))
    slots = [snake_case(name) for name in placeholders(operation.documented)]
    if slots:
        last = f"_by_{slots[-1]}"
        plain = str(phrase).removesuffix(last)
        yield f"{plain}{last}"
        yield f"{plain}_by_{'_and_'.join(slots)}"
    verb = method.lower()
    if phrase.verb != verb:
        yield f"{verb}_{phrase}"
    yield str(whole)
    extension = _EXTENSION.search(operation.documented)
    if extension:
        yield f"{phrase}_{extension.group()[1:].lower()}"
    yield f"{verb}_{whole}" + (f"_by_{'_and_'.join(slots)}" if slots else "")


def _from_text(text: str, operation: Operation, kind: EffectKind) -> str:
    """Give a name for a title or short summary that says what the call does, else ""."""
    plain = _METHOD.sub("", text.strip(), count=1).strip()
    if not plain or len(plain) > 90 or re.search(r"[/{}?=<>|:]", plain) or not _is_ascii(plain):
        return ""
    words = split_words(plain)
    if len(plain.split()) == 1:
        if words[1:] == split_words(operation.documented) or words[1:] == split_words(
            operation.full_path
        ):
            return ""
        known = [base_form(word) for word in words]
        fits = any(verb and _fits(verb, operation, kind) for verb in known)
        return "_".join(words) if 2 <= len(words) <= _TITLE_WORDS and fits else ""
    verb = base_form(words[0]) if len(words) > 1 else ""
    if not verb or not _fits(verb, operation, kind) or _is_noun(verb, words):
        return ""
    rest = [word for word in words[1:] if word not in _ARTICLES and word not in _IDLE]
    if verb in GET_LIKE:
        verb = "get"
        if rest[:2] == ["list", "of"]:
            verb, rest = "list", rest[2:]
        if len(rest) > 2 and rest[0] in _ABOUT and rest[1] in {"about", "of", "for", "on"}:
            rest = rest[2:]
        if len(rest) > 1 and rest[-1] in _ABOUT - {"data"}:
            rest.pop()
    ends_open = operation.documented.rstrip("/").endswith("}")
    if rest[-2:] in (["by", "id"], ["by", "name"]) and ends_open:
        rest = rest[:-2]
    while rest and rest[-1] in _PREPOSITIONS:
        rest.pop()
    if not rest or len(rest) >= _TITLE_WORDS:
        return ""
    cut = next((i for i, word in enumerate(rest) if word in _PREPOSITIONS), len(rest))
    if verb == "get" and cut and is_plural(rest[cut - 1]) and not ends_open:
        verb = "list"
    return "_".join((verb, *rest))


def _is_ascii(text: str) -> bool:
    return sum(not character.isascii() for character in text) * 10 <= len(text)


def _is_noun(verb: str, words: Sequence[str]) -> bool:
    """Tell whether a title such as "Order status" or "Running jobs" starts with a noun."""
    if words[0] == verb and verb in NOUNS | EITHER | READ:
        last = words[-1]
        return (
            words[1] not in _ARTICLES
            and verb not in GET_LIKE | {"list", "search", "find"}
            and (last in NOUN_HEADS or verb in NOUNS)
        )
    return is_gerund(words[0]) and verb in NOUNS | EITHER


def _fits(verb: str, operation: Operation, kind: EffectKind) -> bool:
    """Tell whether a verb suits what the call does."""
    method = operation.draft.method.value.upper()
    if method in {"GET", "HEAD", "OPTIONS"}:
        return verb in READ or kind != "read"
    if method == "DELETE":
        return verb in DESTROY
    return verb in STATE or (verb in READ and verb not in GET_LIKE and verb != "list")


def _from_path(operation: Operation, kind: EffectKind, is_collection: bool) -> _Phrase | None:
    method = operation.draft.method.value.upper()
    path = operation.documented
    literals = _literals(path)
    spoken = [literal for literal in literals if literal]
    if len(spoken) < len(literals) and not spoken:
        return None
    open_end = bool(PLACEHOLDER.search(path.rstrip("/").rpartition("/")[2]))
    phrase = _selector_phrase(operation, spoken, kind)
    if phrase is not None:
        return phrase
    verb = _verb_for(method, open_end)
    if not spoken:
        slots = [snake_case(name) for name in placeholders(path)][:3]
        return _Phrase(verb, ("by", *"_and_".join(slots).split("_")) if slots else ("root",))
    told = _verb_in_path(operation, kind, literals, open_end)
    if told is not None:
        return told
    nouns = _nouns(path, literals)
    if method == "GET":
        verb, nouns = _reading(operation, verb, nouns, is_collection)
    if method == "POST" and not open_end:
        if read_sentence(operation.draft.summary).reads:
            return _Phrase("post", tuple(nouns[-_PATH_WORDS:]))
        nouns[-1] = singular(nouns[-1])
    return _Phrase(verb, tuple(nouns[-_PATH_WORDS:]))


def _reading(
    operation: Operation, verb: str, nouns: list[str], is_collection: bool
) -> tuple[str, list[str]]:
    """Tell a GET that lists from one that gives one thing."""
    path, summary = operation.documented, operation.draft.summary
    if PLACEHOLDER.search(path.rstrip("/").rpartition("/")[2]):
        slot = snake_case(placeholders(path)[-1])
        if _IS_LIST.match(summary) and slot not in {"", "id"}:
            return "list", [*nouns[:-1], plural(nouns[-1]), "by", *slot.split("_")]
    elif not _EXTENSION.search(path):
        told = _LISTS.search(f"{operation.draft.title} {summary}")
        if is_collection and (told or path.endswith("/")):
            nouns = [*nouns[:-1], plural(nouns[-1])]
        return "list" if is_plural(nouns[-1]) else verb, nouns
    return verb, nouns


def _verb_in_path(
    operation: Operation, kind: EffectKind, literals: Sequence[list[str]], open_end: bool
) -> _Phrase | None:
    """Give the phrase for a path that says what is done: `/users/search`, `/deleteUser`."""
    spoken = [literal for literal in literals if literal]
    last, first = spoken[-1], spoken[0]
    if len(last) > 1 and base_form(last[0]) == last[0]:
        return (
            _Phrase(last[0], tuple(last[1:]))
            if _names_call(last[0], last, operation, kind)
            else None
        )
    if len(last) == 1 and _is_path_verb(last[0], operation, kind, open_end):
        nouns = _nouns(operation.documented, literals[:-1])
        return _Phrase(last[0], tuple(nouns[-_PATH_WORDS:]))
    if len(spoken) > 1 and len(first) == 1 and first[0] in _LEADING_VERBS:
        nouns = _nouns(operation.documented, literals)[1:]
        return _Phrase(first[0], tuple(nouns[-_PATH_WORDS:]))
    return None


def _verb_for(method: str, open_end: bool) -> str:
    if method == "POST" and open_end:
        return "post"
    return _VERB_FOR.get(method, snake_case(method) or "call")


def _names_call(lead: str, words: Sequence[str], operation: Operation, kind: EffectKind) -> bool:
    if lead in STATE:
        return _fits(lead, operation, kind) and words[-1] not in NOUN_HEADS
    return lead in GET_LIKE | PATH_VERBS | {"list", "count", "format", "search", "find", "filter"}


def _is_path_verb(word: str, operation: Operation, kind: EffectKind, open_end: bool) -> bool:
    if word in PATH_VERBS:
        return True
    if word not in STATE or word in {"post", "put", "patch"}:
        return False
    return _fits(word, operation, kind) and (word not in NOUNS or word in VERBISH)


def _literals(path: str) -> list[list[str]]:
    """Give the words of each literal part of a path; an empty list for one without ASCII words."""
    found: list[list[str]] = []
    for segment in resource_segments(path):
        literal = PLACEHOLDER.sub(" ", _EXTENSION.sub("", segment))
        text = unquote(literal)
        if text.strip(" .,;:()@-_*~!$&'+="):
            found.append(split_words(text))
    return found


def _nouns(path: str, literals: Sequence[list[str]]) -> list[str]:
    """Give the words of the literals, in the singular where a placeholder follows."""
    followed: list[bool] = []
    parts = resource_segments(path)
    for index, segment in enumerate(parts):
        literal = PLACEHOLDER.sub(" ", _EXTENSION.sub("", segment))
        if unquote(literal).strip(" .,;:()@-_*~!$&'+="):
            after = parts[index + 1] if index + 1 < len(parts) else ""
            slot = PLACEHOLDER.search(after)
            followed.append(bool(slot) and snake_case(slot.group(1)) not in _AMOUNTS)
    words: list[str] = []
    for literal, one in zip(literals, followed, strict=False):
        if literal:
            words.extend((*literal[:-1], singular(literal[-1]) if one else literal[-1]))
    return words


def _selector_phrase(
    operation: Operation, literals: Sequence[list[str]], kind: EffectKind
) -> _Phrase | None:
    """Give the name of an operation that its query selects, such as `?action=list`."""
    if not operation.selectors:
        return None
    chosen: list[str] = []
    for key, value in operation.selectors:
        bare = value.lower() in {"", "1", "true", "yes"}
        chosen.extend(split_words(key if bare else value))
    if not chosen:
        return None
    method = operation.draft.method.value.upper()
    nouns = [word for literal in literals for word in literal]
    lead = base_form(chosen[0])
    if lead == chosen[0] and _fits(lead, operation, kind):
        return _Phrase(chosen[0], tuple(chosen[1:] or nouns))
    last = base_form(chosen[-1])
    if len(chosen) > 1 and last == chosen[-1] and _fits(last, operation, kind):
        return _Phrase(last, tuple(chosen[:-1]))
    open_end = operation.documented.rstrip("/").endswith("}")
    return _Phrase(_verb_for(method, open_end), (*nouns[-3:], *chosen))
