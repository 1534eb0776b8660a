"""Rules that keep secrets and personal data out of the value store."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from doc2tools.param_db.naming import words

__all__ = ["is_personal_value", "is_secret_name"]

_SECRETS = """
    password passwd passphrase pwd pass secret token apikey authorization credential credentials
    cookie jwt csrf xsrf bearer salt signature otp pin passcode nonce session sessionid privatekey
    accesskey secretkey email mail phone telephone mobile fax ssn iban bic creditcard passport
    birthday birthdate dob firstname lastname surname fullname
"""
_KEYS = "api access private secret ssh client encryption signing auth gpg"
_PAGES = "page next continuation continue pagination resumption resume cursor sync previous prev"
_SECRET_WORDS = frozenset(_SECRETS.split())
_SECRET_ENDS = ("password", "passwd", "token", "secret", "apikey")
_KEY_OWNERS = frozenset(_KEYS.split())
_PAGE_WORDS = frozenset(_PAGES.split())
_PAGE_TOKENS = frozenset(f"{word}token" for word in _PAGE_WORDS)
_NAMES = ("first", "last", "family", "full", "given", "middle", "maiden", "real")
_PAIRS = frozenset({*((name, "name") for name in _NAMES), ("credit", "card"), ("birth", "date")})

_EMAIL = re.compile(
    r"[^\s@<>\"',;:()=/]{1,64}@([a-z0-9-]{1,63}\.){1,5}[a-z]{2,24}(?![\w.-]*@)", re.I
)
_JWT = re.compile(r"\beyJ[\w-]{5,2000}\.[\w-]{5,}")
_PREFIXED = re.compile(
    r"(?<![\w-])((AKIA|ASIA)[A-Z0-9]{8,}|gh[pousr]_\w{6,}|github_pat_\w{6,}|xox[abeprs]-[\w-]{6,}"
    r"|[srp]k_(live|test)_\w{6,}|sk-(?=[\w-]{0,100}\d)[\w-]{16,}|glpat-[\w-]{6,}|AIza[\w-]{30,}"
    r"|ya29\.[\w-]{10,}|hf_[A-Za-z]{20,}|npm_\w{20,}|pypi-[\w-]{20,}|dop_v1_\w{20,})"
)
_SCHEME = re.compile(r"(bearer|basic|digest|token)\s+\S{8,}", re.IGNORECASE)
_USERINFO = re.compile(r"[a-z][a-z0-9+.-]{1,20}://[^/\s:@]{1,100}:[^/\s@]{1,200}@", re.IGNORECASE)
_LONG_HEX = re.compile(r"[0-9a-fA-F]{128,}")
_CARD = re.compile(r"(?<!\d)\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{4}(?!\d)")
_PHONE = re.compile(r"(?<!\w)\+\d{1,3}[ \d()-]{7,16}(?!\w)")
_ASSIGNED = re.compile(r"([A-Za-z][\w-]{2,40})[\"']?\s{0,3}[=:]\s{0,3}[\"']?(?=[^\s\"'&]{4})")


@lru_cache(maxsize=8192)
def is_secret_name(name: str) -> bool:
    """Tell whether a field or parameter of this name holds a secret or a person's data.

    A token that only turns pages (`next_page_token`) is none.
    """
    parts = words(name)
    pairs = tuple(pairwise(parts))
    turned = {
        n + 1 for n, pair in enumerate(pairs) if pair[1] == "token" and pair[0] in _PAGE_WORDS
    }
    for position, part in enumerate(parts):
        if position in turned or part in _PAGE_TOKENS:
            continue
        if part in _SECRET_WORDS or part.endswith(_SECRET_ENDS):
            return True
    return any(pair in _PAIRS or (pair[1] == "key" and pair[0] in _KEY_OWNERS) for pair in pairs)


def is_personal_value(value: str) -> bool:
    """Tell whether a text holds a secret or a person's address by its look, whatever its name."""
    text = value.strip()[:4096]
    return (
        "-----BEGIN " in text
        or bool(_JWT.search(text))
        or ("@" in text and bool(_EMAIL.search(text)))
        or bool(_PREFIXED.search(text))
        or bool(_SCHEME.fullmatch(text))
        or bool(_USERINFO.search(text))
        or bool(_LONG_HEX.fullmatch(text))
        or bool(_CARD.search(text))
        or bool(_PHONE.search(text))
        or (
            ("=" in text or ":" in text)
            and any(is_secret_name(name) for name in _ASSIGNED.findall(text))
        )
    )
