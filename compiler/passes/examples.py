"""Which values of samples are examples, which are blanks, and which are secrets."""

from __future__ import annotations

import json
import re
from itertools import pairwise

from doc2tools.compiler.ir.base import JsonValue, Location
from doc2tools.compiler.passes.words import split_words

_BLANK = re.compile(
    r"""
      <[^<>]*> | \{[^{}]*\} | \[[^\[\]]*\] | :[A-Za-z_]\w* | \$\{?\w+\}? | %s | %\w+% | \*+
    | x{2,} | X{2,} | \.{2,} | … | -+ | _+ | \?+ | n/a | TODO | tbd
    | (?:your|my|the|some|any|a|an|enter|insert|put|replace|add|change)[-_\ ].{0,80}
    | (?:your|my)[A-Z]\w{0,60}
    | (?:string|integer|int|number|boolean|bool|float|double|object|array|str|datetime
        |value|values|val|null|undefined|nil|optional|required|placeholder)
    """,
    re.VERBOSE,
)
_SLOT = re.compile(r"[<{][\w\- ]{1,60}[>}]")
_SHOUTED = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_COUNTS = frozenset(
    {
        "amount", "count", "delay", "duration", "limit", "num", "number", "numbytes",
        "offset", "seconds", "size", "year",
    }
)  # fmt: skip
_BLANK_WORDS = frozenset(
    {
        "your", "key", "token", "id", "name", "value", "secret", "password", "username", "user",
        "here",
    }
)  # fmt: skip
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_HEX = re.compile(r"[0-9a-fA-F]{12,}")
_SECRET_WORDS = frozenset(
    {
        "password", "passwd", "pwd", "passphrase", "secret", "authorization", "credential",
        "credentials",
    }
)  # fmt: skip
_SECRET_PAIRS = frozenset(
    {
        ("api", "key"), ("access", "key"), ("access", "token"), ("auth", "token"), ("auth", "key"),
        ("api", "token"), ("private", "token"), ("private", "key"), ("bearer", "token"),
        ("refresh", "token"), ("session", "token"), ("client", "secret"), ("api", "secret"),
        ("app", "key"), ("app", "secret"), ("app", "token"), ("id", "token"), ("csrf", "token"),
        ("subscription", "key"), ("license", "key"), ("secret", "key"), ("user", "key"),
    }
)  # fmt: skip
_SECRET_NAMES = frozenset(
    {
        "apikey", "apitoken", "accesstoken", "authtoken", "token", "jwt", "auth",
    }
)  # fmt: skip


def is_blank(value: JsonValue, name: str = "") -> bool:
    """Tell whether a sample's value only stands for one that the reader is to fill in."""
    if value is None:
        return True
    if not isinstance(value, str):
        return False
    text = value.strip()
    if not text or _BLANK.fullmatch(text) or (len(text) <= 60 and _SLOT.search(text)):
        return True
    words = split_words(text)
    about = split_words(name)
    if words and (words == about or (len(text) == 1 and text.isalpha() and _COUNTS & set(about))):
        return True
    return bool(_SHOUTED.fullmatch(text)) and bool(_BLANK_WORDS & set(words))


def is_example(value: JsonValue, name: str, place: Location) -> bool:
    """Tell whether a documented value is one to call with: no blank, no secret.

    In the path of a concrete address a parameter's own name is a value like any other.
    """
    plain = isinstance(value, str) and re.fullmatch(r"[\w.-]{1,60}", value)
    if place == "path" and plain and split_words(str(value)) == split_words(name):
        return True
    return not is_secret_name(name) and not is_blank(value, name)


def has_slot(value: JsonValue) -> bool:
    """Tell whether a value is a template with a blank in it, such as `{index};{index}`."""
    return isinstance(value, str) and bool(_SLOT.search(value[:200]))


def is_secret_name(name: str) -> bool:
    """Tell whether a parameter of this name carries a credential."""
    words = split_words(name)
    if words[:1] == ["x"]:
        words = words[1:]
    if not words:
        return False
    joined = "".join(words)
    return (
        bool(_SECRET_WORDS & set(words))
        or joined in _SECRET_NAMES
        or any(pair in _SECRET_PAIRS for pair in pairwise(words))
    )


def looks_like_value(text: str, known: tuple[JsonValue, ...] = ()) -> bool:
    """Tell whether a path segment is more likely a value than a fixed part of the path."""
    if any(str(value).casefold() == text.casefold() for value in known):
        return True
    digits = sum(character.isdigit() for character in text)
    return bool(
        (text.isascii() and text.isdigit())
        or _UUID.fullmatch(text)
        or (_HEX.fullmatch(text) and digits)
        or "@" in text
        or "," in text
        or "%" in text
        or (digits >= 2 and digits * 2 >= len(text))
        or (digits and re.fullmatch(r"[A-Za-z]{1,12}[-_]?\d+", text) and not re.match(r"v\d", text))
    )


def same_value(one: JsonValue, other: JsonValue) -> bool:
    """Compare two JSON values, telling `1`, `1.0` and `true` apart."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
