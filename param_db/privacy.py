"""Rules that keep secrets and personal data out of the value store."""

from __future__ import annotations

import re
from itertools import pairwise

from doc2tools.param_db.naming import words

__all__ = ["is_personal_value", "is_secret_name"]

_SECRETS = """
    password passwd passphrase pwd secret token apikey authorization credential credentials cookie
    jwt csrf xsrf bearer salt signature otp pin passcode nonce session sessionid privatekey
    accesskey secretkey email mail phone telephone mobile fax ssn iban bic creditcard passport
    birthday birthdate dob firstname lastname surname
"""
_KEYS = "api access private secret ssh client encryption signing auth gpg"
_SECRET_WORDS = frozenset(_SECRETS.split())
_KEY_OWNERS = frozenset(_KEYS.split())
_PAIRS = frozenset({("first", "name"), ("last", "name"), ("family", "name"), ("credit", "card")})

_EMAIL = re.compile(r"[^\s@]{1,64}@[^\s@.]{1,63}(\.[^\s@.]{1,63}){1,5}")
_JWT = re.compile(r"eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*")
_PREFIXED = re.compile(r"(AKIA|ASIA|gh[pousr]_|github_pat_|xox[abprs]-|sk-|sk_live_|glpat-)\w{6,}")
_SCHEME = re.compile(r"(bearer|basic|digest|token)\s+\S{8,}", re.IGNORECASE)
_USERINFO = re.compile(r"[a-z][a-z0-9+.-]{1,20}://[^/\s:@]{1,100}:[^/\s@]{1,200}@", re.IGNORECASE)
_LONG_HEX = re.compile(r"[0-9a-fA-F]{128,}")
_CARD = re.compile(r"\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{4}")
_PHONE = re.compile(r"\+\d{1,3}[ \d()-]{7,16}")


def is_secret_name(name: str) -> bool:
    """Tell whether a field or parameter of this name holds a secret or a person's data."""
    parts = words(name)
    if any(part in _SECRET_WORDS for part in parts):
        return True
    pairs = tuple(pairwise(parts))
    return any(pair in _PAIRS or (pair[1] == "key" and pair[0] in _KEY_OWNERS) for pair in pairs)


def is_personal_value(value: str) -> bool:
    """Tell whether a text looks like a secret or like a person's address, whatever its name."""
    text = value.strip()[:4096]
    return (
        "-----BEGIN " in text
        or bool(_JWT.match(text))
        or bool(_EMAIL.fullmatch(text))
        or bool(_PREFIXED.match(text))
        or bool(_SCHEME.fullmatch(text))
        or bool(_USERINFO.match(text))
        or bool(_LONG_HEX.fullmatch(text))
        or bool(_CARD.fullmatch(text))
        or bool(_PHONE.fullmatch(text))
    )
