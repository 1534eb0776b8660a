"""What titles, summaries and descriptions say about the effect of a call.

The leading verb of a sentence decides ("Deletes the user", "This endpoint restarts …"); participles
and nouns inside it ("the deleted users", "a stop") say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from doc2tools.compiler.passes.evidence import Evidence
from doc2tools.compiler.passes.verbs import (
    DETERMINERS,
    EITHER,
    NOUN_HEADS,
    NOUNS,
    QUIET,
    READ,
    STATE,
    TOLD,
    base_form,
    is_gerund,
    is_third_person,
)
from doc2tools.compiler.passes.words import is_plural, singular

_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*|[.!?;:,()]")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_FILLERS = frozenset(
    {
        "this", "the", "endpoint", "endpoints", "method", "call", "request", "api", "operation",
        "resource", "route", "function", "action", "command", "it", "you", "can", "could", "may",
        "will", "would", "should", "is", "be", "used", "use", "to", "for", "by", "also", "simply",
        "just", "immediately", "permanently", "automatically", "forcefully", "gracefully",
        "asynchronously", "irreversibly", "safely", "please", "calling", "sending", "making",
        "issuing", "http", "rest", "service", "url", "uri", "then", "we", "that", "which",
        "allows", "allow", "allowing", "lets", "let", "helps", "users", "user", "clients",
        "developers", "following", "admins", "administrators", "callers", "able", "admin",
        "webhook", "here", "utility",
    }
)  # fmt: skip
_REQUESTS = frozenset({"request", "requests", "query", "call", "get"})
_ENABLES = frozenset({"enable", "enables", "permits", "permit"})
_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
_SENDS = frozenset({"send", "issue", "submit", "post", "put", "request"})
_MAKES = frozenset(
    {
        "make", "makes", "making", "perform", "performing", "do", "doing", "use", "using",
    }
)  # fmt: skip
_ARTICLES = frozenset(
    {
        "a", "an", "the", "this", "that", "your", "their", "its", "these", "those",
    }
)  # fmt: skip
_SUBJECTS = frozenset(
    {
        "endpoint", "method", "call", "request", "api", "operation", "resource", "route",
        "function", "action", "command", "service", "url", "this", "that", "webhook", "utility",
    }
)  # fmt: skip
_NO_OBJECT = frozenset(
    {
        "by", "of", "for", "in", "with", "at", "on", "from", "near", "per", "are", "is", "was",
        "were", "that", "which", "and", "or", "as", "has", "have", "can", "within", "between",
        "since", "to", ".", ",", ":", ";", "!", "?", ")", "(", "every", "once", "daily", "weekly",
        "hourly", "automatically", "when", "whenever", "after", "before", "until",
    }
)  # fmt: skip
_HEAVY = frozenset(
    {
        "count", "date", "time", "timestamp", "history", "status", "statistics", "stats",
        "probability", "frequency", "url", "counts", "times", "dates",
    }
)  # fmt: skip
_LISTS = frozenset({"list", "lists", "log", "notes"})
_WITH_OBJECT = frozenset({"update", "upload", "import", "edit", "mark"})
_CALLS = frozenset({"this", "the", "each", "every", "any"})
_TIMES = frozenset(
    {
        "second", "minute", "hour", "day", "week", "month", "year", "time", "night",
    }
)  # fmt: skip
_ANSWERS = frozenset(
    {
        "answer", "array", "content", "contents", "data", "file", "files", "image", "list",
        "media", "page", "reply", "response", "stream", "thumbnail", "picture", "headers",
        "json", "xml", "html",
    }
)  # fmt: skip
LOOSE_READS = frozenset(
    {
        "return", "give", "output", "produce", "provide", "receive", "generate", "request",
        "access", "load", "pull", "test", "report", "serve", "check", "verify", "format", "expose",
    }
)  # fmt: skip
_CLIENT_SIDE = re.compile(
    r"\b(?:cookies?|(?:response |http )?headers?|cache-control|etag)\b"
    r"(?=\s*(?:[.,;)]|$|for\b|in\b|on\b|with\b|and\b|to\b|from\b|that\b|which\b|unless\b|if\b))",
    re.IGNORECASE,
)
_SERVER_SIDE = re.compile(r"\b(?:server|store|catalog|database|account|browser)\b", re.IGNORECASE)
_SIDE_EFFECT = re.compile(
    r"\b(?:has|have|causes?|with)\s+(?:a\s+|some\s+)?side[- ]effects?\b"
    r"|\bchanges? (?:the )?(?:server|system|device)(?:'s)? state\b"
    r"|\b(?:cannot|can't|can not) be undone\b|\birreversibl[ey]\b",
    re.IGNORECASE,
)
_CREDENTIAL_MADE = re.compile(
    r"\b(?:generates?|issues?|makes?)\s+(?:an?\s+|the\s+|your\s+)?(?:new\s+)?(?:\w+\s+){0,2}"
    r"(?:api[- ]?key|token|password|secret|certificate|credential|invoice)s?\b",
    re.IGNORECASE,
)
_COMPUTES = re.compile(
    r"\b(?:adds?|appends?|inserts?|increments?|decrements?)\s+(?:[a-z]+\s+){0,3}"
    r"(?:numbers?|integers?|strings?|vectors?|matrices)\b",
    re.IGNORECASE,
)
_ABILITY = re.compile(
    r"(?:[\w'\u2019-]+\s+){0,8}?(?:provid|giv|offer|add)\w{0,4}\s+(?:[\w'\u2019-]+\s+){0,3}?"
    r"(?:ability|capability|facility|means|opportunity|option|possibility|way)\s+"
    r"(?:for\s+[^.;:]{1,120}?\s+)?to\s+(?=\w)",
    re.IGNORECASE,
)
_TO_READER = re.compile(
    r"\W{0,3}(?:put|insert|fill in|enter|write)\b[^.]{0,100}\b"
    r"(?:in place of \W{0,2}[\w-]{1,30}|in(?:to)? the (?:url|uri|address|request path))\W{0,4}\Z"
    r"|like (?:the|this|that|its|all) [^.]{0,40}\b(?:endpoint|call|method|request|one|above)\b"
    r"|clone (?:the|this|our) (?:repo\w{0,9}|project)\b[^.]{0,40}\b(?:and|then)\b[^.]{0,60}"
    r"\b(?:run|terminal|install|build|make)\b",
    re.IGNORECASE,
)
"""What the reader has to do: "Put the number in place of `id`", "Clone the project and run it"."""
_THEN = re.compile(r"(?:,|\band)\s+then\s+([a-z]{3,20})\b")
MOST_SENTENCES = 30


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says: evidence of a change, and the reading verb that leads it, if one does."""

    evidence: Evidence | None = None
    reads: str = ""


def read_sentence(text: str, is_title: bool = False) -> Reading:
    """Judge a title, or the first sentence of a summary, by its leading verb."""
    whole = _SENTENCE.split(text.strip()[:600], maxsplit=1)[0]
    quoted = f"{'title' if is_title else 'text'} {whole[:80]!r}"
    enabling = _ABILITY.match(whole)
    sentence = whole[enabling.end() :] if enabling else whole
    words = _words(sentence)
    at = None if _TO_READER.match(whole) else _lead(words)
    if at is None:
        follows = _follows(words, sentence)
        return Reading(Evidence(follows, quoted, strong=True, firm=True) if follows else None)
    word = words[at]
    verb = base_form(word)
    if verb in READ and verb not in STATE:
        made = "create" if _CREDENTIAL_MADE.search(sentence) else ""
        changed = _coordinated(words, at) or made
        found = Evidence(changed, quoted, strong=True, firm=True) if changed else None
        return Reading(found, "" if found else verb)
    if is_client_side(sentence) or verb in QUIET or _COMPUTES.search(sentence):
        return Reading(reads="" if verb in QUIET else "compute")
    strength = _strength(words, at, verb)
    if enabling and strength is None and verb in EITHER:
        strength = True  # after "the ability to" it is no noun
    if strength is None:
        return Reading()
    return Reading(Evidence(verb, quoted, strong=strength, firm=True))


def _follows(words: Sequence[str], sentence: str) -> str:
    """Give the state verb in "Prepares a channel, then publishes a message", else ""."""
    if not words or not words[0].lower().endswith("s"):
        return ""
    for match in _THEN.finditer(sentence):
        verb = base_form(match[1])
        if verb in STATE - NOUNS and is_third_person(match[1]):
            return verb
    return ""


def read_description(text: str) -> Evidence | None:
    """Look for sentences that say what the call does beside answering."""
    for sentence in _SENTENCE.split(text[:6000])[:MOST_SENTENCES]:
        match = _SIDE_EFFECT.search(sentence[:500])
        before = sentence[: match.start()].lower()[-30:] if match else ""
        if match and not re.search(r"\b(?:no|not|without|never|any)\b", before):
            return Evidence("change", f"text {sentence[:80]!r}", strong=True, firm=True)
        words = _words(sentence[:400])
        at = _subject_verb(words)
        if at is None:
            continue
        verb = base_form(words[at])
        if verb in TOLD and not is_client_side(sentence) and _strength(words, at, verb):
            return Evidence(verb, f"text {sentence[:80]!r}", strong=True, firm=True)
    return None


def is_noun_in(verb: str, text: str) -> bool:
    """Tell whether a text uses a word as a noun: "Card set", "Stops", "the next launch"."""
    words = [word.lower() for word in _words(text[:400])]
    for index, word in enumerate(words):
        if singular(word) != verb and word != verb:
            continue
        before = words[index - 1] if index else ""
        if word != verb and (index or len(words) == 1):
            return True
        if before and before not in {"to", "and", "or", "then", ".", ",", ":", "will", "can"}:
            return True
    return False


def is_client_side(sentence: str) -> bool:
    """Tell whether a sentence speaks of cookies or headers, which are the client's own."""
    return bool(_CLIENT_SIDE.search(sentence[:300])) and not _SERVER_SIDE.search(sentence[:300])


def _words(sentence: str) -> list[str]:
    return _WORD.findall(sentence)[:60]


def _lead(words: Sequence[str]) -> int | None:
    """Give the index of the verb that leads a sentence, fillers such as "this endpoint" skipped."""
    index = _after_request(words) or int(words[:1] != [] and words[0] in _METHODS)
    while index < min(len(words), 14):
        if _is_lead(words, index):
            return index
        if not _is_filler(words, index):
            return None
        index += 1
    return None


def _is_lead(words: Sequence[str], index: int) -> bool:
    word = words[index].lower()
    if not base_form(word) or (word in _FILLERS and (index or word in _REQUESTS | {"use"})):
        return False
    if word in _ENABLES and _allows(words, index):
        return False
    return not (index and words[index - 1].lower() in _ARTICLES - {"this", "that"})


def _is_filler(words: Sequence[str], index: int) -> bool:
    word = words[index].lower()
    return word in _FILLERS or word.endswith("ly") or (word in _ENABLES and _allows(words, index))


def _after_request(words: Sequence[str]) -> int:
    """Give the index after "send a GET request to", which only says that a call is made."""
    lowered = [word.lower() for word in words[:12]]
    made = bool(lowered) and (base_form(lowered[0]) in _SENDS or lowered[0] in _MAKES)
    at = next((i for i, word in enumerate(lowered[1:6], 1) if made and word in _REQUESTS), 0)
    if not at:
        return 0
    purpose = (i + 1 for i, word in enumerate(words[:-1]) if i > at and word.lower() == "to")
    return next((i for i in purpose if base_form(words[i])), len(words))


def _allows(words: Sequence[str], index: int) -> bool:
    following = [word.lower() for word in words[index + 1 : index + 5]]
    return "to" in following and bool({"you", "users", "clients", "the", "user"} & set(following))


def _subject_verb(words: Sequence[str]) -> int | None:
    """Give the index of the verb whose subject is the call itself."""
    lowered = [word.lower() for word in words]
    for index, word in enumerate(lowered[:25]):
        if index + 1 >= len(lowered):
            return None
        before = lowered[index - 1] if index else ""
        subject = (word in _SUBJECTS and before in _CALLS) or (
            word in {"this", "it"} and index == 0
        )
        calling = word in {"it", "this", "endpoint", "url"} and "calling" in lowered[:index]
        if not subject and not calling:
            continue
        at = index + 1
        while at < min(len(lowered), index + 9) and (
            lowered[at] in _FILLERS or lowered[at].endswith("ly")
        ):
            at += 1
        if (
            at < len(lowered)
            and base_form(lowered[at])
            and lowered[at - 1] not in _ARTICLES - {"this"}
        ):
            return at
    return None


def _coordinated(words: Sequence[str], lead: int) -> str:
    """Give the state verb in "returns and clears the log", "get and delete a message", else ""."""
    third = is_third_person(words[lead])
    if words[0].lower() == "to":
        return ""
    for index in range(lead + 1, min(len(words) - 1, lead + 25)):
        if words[index].lower() in _REQUESTS - {"get", "call", "query"}:
            return ""
        if words[index].lower() not in {"and", "then", "or"}:
            continue
        at = index + 1
        while at < len(words) - 1 and words[at].lower() in {"then", "also", "immediately", "to"}:
            at += 1
        verb = base_form(words[at])
        if verb not in STATE or is_third_person(words[at]) != third or is_gerund(words[at]):
            continue
        following = words[at + 1].lower() if at + 1 < len(words) else ""
        beside = index == lead + 1
        sure = verb not in NOUNS | EITHER and (third or beside)
        if following in DETERMINERS or (sure and following not in NOUN_HEADS):
            return verb
    return ""


def _strength(words: Sequence[str], at: int, verb: str) -> bool | None:
    """Tell how surely a leading state verb is one: `True`, `False` for weak, `None` for a noun."""
    word = words[at].lower()
    rest = [item.lower() for item in words[at + 1 :]]
    following = rest[0] if rest else ""
    stop = next((i for i, item in enumerate(rest) if item in _NO_OBJECT), len(rest))
    head = rest[stop - 1] if stop else ""
    again = following in {"every", "each"} and bool(rest[1:2]) and singular(rest[1]) in _TIMES
    answers = verb == "send" and head in _ANSWERS and rest[stop : stop + 1] != ["to"]
    if again or answers:
        return None
    if following in DETERMINERS or (verb in {"turn", "switch"} and following in {"on", "off"}):
        return True
    if verb not in NOUNS | EITHER:
        return not {following, head} & _HEAVY
    if verb in NOUNS:
        return _names_object(word, verb, following, head) or None
    if not following:
        return None if word != verb else False
    noun = following in _NO_OBJECT or head in NOUN_HEADS or (word == verb and is_plural(head))
    return None if noun or is_gerund(word) else True


def _names_object(word: str, verb: str, following: str, head: str) -> bool:
    """Tell whether a verb that mostly is a noun has an object without an article: "Set volume"."""
    if not following or following in _NO_OBJECT or head in _HEAVY | _LISTS:
        return False
    return verb in {"set", "write", "register"} or (word == verb and verb in _WITH_OBJECT)
