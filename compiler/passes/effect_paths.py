"""What the path and the selectors of a call say about its effect."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from urllib.parse import unquote

from doc2tools.compiler.passes.evidence import Evidence
from doc2tools.compiler.passes.paths import PLACEHOLDER, resource_segments
from doc2tools.compiler.passes.verbs import DESTROY, EITHER, NOUN_HEADS, NOUNS, READ, STATE
from doc2tools.compiler.passes.words import is_plural, singular, split_words

_EXTENSION = re.compile(r"\.[A-Za-z]{1,5}$")
_QUALIFIERS = frozenset(
    {
        "batch", "bulk", "mass", "multi", "force", "soft", "hard", "do", "async", "auto", "quick",
        "try",
    }
)  # fmt: skip
_METHOD_NAMES = frozenset({"post", "put", "patch"})
VERBISH = frozenset(
    {
        "archive", "bookmark", "checkout", "claim", "deposit", "drop", "edit", "favorite",
        "follow", "grant", "hit", "import", "like", "mark", "pin", "pop", "refund", "register",
        "seek", "set", "star", "switch", "touch", "transfer", "turn", "update", "upgrade",
        "upload", "vote", "wake", "write",
    }
)  # fmt: skip
_SETTERS = frozenset(
    {
        "set", "update", "edit", "write", "mark", "upload", "import", "register",
    }
)  # fmt: skip
_ACTION_KEYS = frozenset(
    {
        "a", "act", "action", "cmd", "command", "do", "event", "exec", "func", "function", "job",
        "m", "method", "mode", "op", "operation", "procedure", "r", "request", "task", "verb",
    }
)  # fmt: skip
_FACTS = frozenset(
    {"count", "counts", "date", "dates", "time", "times", "history", "status", "stats"}
)
_GLUED = re.compile(
    r"(create|delete|destroy|disable|disconnect|enable|erase|execute|insert|install|kill|modify|"
    r"purge|reboot|reload|remove|rename|reset|restart|revoke|shutdown|terminate|uninstall|"
    r"unregister|update)"
    r"(?!d(?!ata|ev|ir|isk|oc|omain)|[lt]?(?:able|ance|ings?|ers?|(?:at|t)?ions?|ments?|ed|ly)$)"
    r"([a-z]{3,30})"
)
"""A verb that is no noun with its object written on: `killprocess`, but not `installations`."""
_CONDITIONS = frozenset(
    {
        "allowed", "available", "due", "enabled", "needed", "pending", "possible", "recommended",
        "required", "supported",
    }
)  # fmt: skip
"""What follows a verb in a question about it, as in `restart-required`."""
_VALUES = frozenset({"value", "values", "val", "to", "data"})
_SENT = frozenset({"data", "event", "file", "message"})
_RESOURCES = frozenset({"deploy", "launch", "lock", "merge", "move", "purchase", "run"})
_CLIENT_SIDE = frozenset({"cookie", "header"})


def read_path(path: str, parameters: Sequence[str]) -> Iterator[Evidence]:
    """Yield what the literal parts of a path template say.

    Args:
        path: The template below the host.
        parameters: Names of all parameters; `/set` with a `value` is a verb.
    """
    parts = [
        piece
        for part in resource_segments(path)
        for piece in re.split(r"(?<=.):(?=[A-Za-z])", unquote(part))
    ]
    literals = [_EXTENSION.sub("", PLACEHOLDER.sub(" ", part)) for part in parts]
    for index, literal in enumerate(literals):
        words = split_words(literal)
        glued = _GLUED.fullmatch(words[0]) if len(words) == 1 and words[0] not in STATE else None
        if glued is not None:
            words = [glued[1], glued[2]]
        while len(words) > 1 and words[0] in _QUALIFIERS:
            words = words[1:]
        if not words or (PLACEHOLDER.search(parts[index]) and len(words) > 1):
            continue
        if _on_client(words, literals[:index]):
            continue
        following = literals[index + 1].strip() if index + 1 < len(literals) else ""
        if words in (["action"], ["cmd"], ["command"]) and following:
            yield Evidence("execute", f"path segment {parts[index][:60]!r}", strong=True)
        after = parts[index + 1 :]
        quoted = f"path segment {parts[index][:60]!r}"
        if len(words) == 1 and literal.strip().isupper() and is_command(literal.strip()):
            found = Evidence(words[0], quoted, strong=True, firm=True)
        elif len(words) == 1:
            found = _single(words[0], index, after, parameters, quoted)
        else:
            found = _compound(words, _has_hump(literal) or glued is not None, quoted)
        if found is not None:
            yield found


def is_command(text: str) -> bool:
    """Tell whether one word is a verb of change written as a command, `SET` or `shutdown`."""
    words = split_words(text)
    if len(words) != 1 or words[0] not in STATE - _METHOD_NAMES:
        return False
    return (len(text) > 1 and text.isupper()) or words[0] not in NOUNS | EITHER


def verb_segments(path: str) -> Iterator[str]:
    """Yield the segments of a path that are a verb of change by themselves."""
    for part in resource_segments(path):
        words = split_words(_EXTENSION.sub("", part))
        if len(words) == 1 and words[0] in STATE - _METHOD_NAMES and "{" not in part:
            yield words[0]


def read_selectors(selectors: Sequence[tuple[str, str]]) -> Iterator[Evidence]:
    """Yield what a fixed query such as `?action=delete` says."""
    for key, value in selectors:
        bare = value.strip().lower() in {"", "1", "true", "yes", "on"}
        quoted = f"query {key}={value}"[:70] if value else f"query {key[:60]}"
        words = split_words(key) if bare else split_words(value.rpartition(".")[2] or value)
        all_words = words if bare else split_words(value)
        if not words:
            continue
        acts = key.lower() in _ACTION_KEYS
        if len(words) == 1 and words[0] in STATE:
            verb = words[0]
            if acts or bare or verb not in NOUNS | EITHER or len(all_words) > 1:
                yield Evidence(verb, quoted, strong=True, firm=True)
        elif len(words) > 1:
            found = _compound(words, _has_hump(value) or acts, quoted)
            if found is not None:
                yield found


def _on_client(words: Sequence[str], before: Sequence[str]) -> bool:
    """Tell whether `/cookies/set` is meant: cookies are kept by the client."""
    if len(words) > 1 and words[0] in STATE:
        return singular(words[-1]) in _CLIENT_SIDE
    previous = split_words(before[-1]) if before else []
    return len(before) == 1 and len(previous) == 1 and singular(previous[0]) in _CLIENT_SIDE


def _has_hump(text: str) -> bool:
    return bool(re.search(r"[a-z][A-Z]", text))


def _single(
    word: str, index: int, after: Sequence[str], parameters: Sequence[str], quoted: str
) -> Evidence | None:
    last = not after
    literal_after = any(not PLACEHOLDER.search(part) for part in after)
    found: Evidence | None = None
    if word in {"on", "off"} and last and index > 0:
        found = Evidence("switch", quoted, strong=True)
    elif word not in STATE or word in _METHOD_NAMES:
        found = None
    elif word not in NOUNS | EITHER:
        found = Evidence(word, quoted, strong=True, firm=word in DESTROY or last)
    elif word in EITHER:
        resource = after and not literal_after and word in _RESOURCES
        firm = last and index > 0
        found = None if resource else Evidence(word, quoted, strong=last, firm=firm)
    elif word in VERBISH and not literal_after:
        values = {name.lower() for name in parameters} & _VALUES
        found = Evidence(word, quoted, strong=word in _SETTERS and bool(values))
    return found


def _compound(words: Sequence[str], hump: bool, quoted: str) -> Evidence | None:
    lead, last = words[0], words[-1]
    if last in _CONDITIONS:
        return None
    if lead in READ and lead not in STATE:
        joined = (verb for word, verb in pairwise(words) if word in {"and", "or"} and verb in STATE)
        verb = next(joined, "")
        return Evidence(verb, quoted, strong=True, firm=True) if verb else None
    if lead in STATE and (hump or lead not in _METHOD_NAMES):
        return _leading(lead, last, hump, quoted)
    if last in STATE - NOUNS and len(words) <= 3:
        sure = last not in EITHER
        return Evidence(last, quoted, strong=sure, firm=sure and last in DESTROY)
    return None


def _leading(lead: str, last: str, hump: bool, quoted: str) -> Evidence | None:
    """Judge a compound that starts with a state verb: `delete_items`, but not `order-items`."""
    many = is_plural(last)
    if lead not in NOUNS | EITHER:
        firm = hump or not many
        return None if last in _FACTS else Evidence(lead, quoted, strong=True, firm=firm)
    called = hump and (lead in _SETTERS or (lead in _METHOD_NAMES and last in _SENT))
    if last in NOUN_HEADS and lead != "set" and not called:
        return None
    if lead in EITHER:
        return Evidence(lead, quoted, strong=True, firm=hump) if hump or not many else None
    sets = lead == "set" or (lead in _SETTERS and not many)
    return Evidence(lead, quoted, strong=True) if sets or (hump and not many) else None
