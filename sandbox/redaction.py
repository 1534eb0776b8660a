"""Takes secrets out of everything that is recorded or handed on, in the forms servers echo them.

A secret is looked for raw, JSON- and HTML-escaped, percent-encoded, in hexadecimal and in base64 at
any alignment. A short one (under eight bytes) is replaced only where it stands alone, so that a
password such as `harbour` does not eat into every longer word.
"""

from __future__ import annotations

import base64
import html
import json
import re
import threading
from collections.abc import Iterable, Mapping
from urllib.parse import quote, quote_plus

MASK = "***"
SHORT = 8


class Redactor:
    """Replaces the secrets it knows by `***`. Thread-safe; never shows what it holds."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        """Start with some secrets; empty ones are passed over."""
        self._lock = threading.Lock()
        self._secrets: frozenset[str] = frozenset()
        self._plain: tuple[tuple[str, bytes], ...] = ()
        self._standing: tuple[tuple[bytes, re.Pattern[bytes], re.Pattern[str]], ...] = ()
        self.add(*secrets)

    def __repr__(self) -> str:
        """Say how many secrets there are, and nothing else."""
        return f"Redactor({len(self._secrets)} secrets)"

    def add(self, *secrets: str) -> None:
        """Learn more secrets, such as a token that a login gave."""
        with self._lock:
            known = self._secrets | {secret for secret in secrets if secret.strip()}
            if known == self._secrets:
                return
            self._secrets = known
            long: set[str] = set()
            short: set[str] = set()
            for secret in known:
                for form in _forms(secret):
                    (long if len(form) >= SHORT else short).add(form)
            self._plain = tuple(
                (form, form.encode()) for form in sorted(long, key=lambda form: (-len(form), form))
            )
            self._standing = tuple(_alone(form) for form in sorted(short))

    def text(self, text: str) -> str:
        """Give `text` without secrets."""
        for form, _ in self._plain:
            if form in text:
                text = text.replace(form, MASK)
        for form, _, pattern in self._standing:
            if form.decode() in text:
                text = pattern.sub(MASK, text)
        return text

    def data(self, data: bytes) -> bytes:
        """Give `data` without secrets."""
        for _, form in self._plain:
            if form in data:
                data = data.replace(form, MASK.encode())
        for form, pattern, _ in self._standing:
            if form in data:
                data = pattern.sub(MASK.encode(), data)
        return data

    def headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        """Give `headers` without secrets; `set-cookie` keeps nothing at all."""
        return {
            self.text(name): MASK if name.lower() == "set-cookie" else self.text(value)
            for name, value in headers.items()
        }


def _alone(form: str) -> tuple[bytes, re.Pattern[bytes], re.Pattern[str]]:
    pattern = rf"(?<![A-Za-z0-9_]){re.escape(form)}(?![A-Za-z0-9_])"
    return form.encode(), re.compile(pattern.encode()), re.compile(pattern, re.ASCII)


def _forms(secret: str) -> set[str]:
    raw = secret.encode()
    percent = quote(secret, safe="")
    forms = {
        percent,
        re.sub(r"%[0-9A-F]{2}", lambda match: match[0].lower(), percent),
        quote(secret),
        quote(percent, safe=""),
        quote_plus(secret),
        "".join(f"%{byte:02X}" for byte in raw),
        "".join(f"%{byte:02x}" for byte in raw),
        base64.b64encode(raw).decode(),
        base64.urlsafe_b64encode(raw).decode(),
        base64.b64encode(raw).decode().rstrip("="),
        base64.urlsafe_b64encode(raw).decode().rstrip("="),
    }
    # Servers that read UTF-8 as Latin-1 give it back twice encoded.
    for text in (secret, raw.decode("latin-1")):
        escaped = json.dumps(text)[1:-1]
        forms |= {text, escaped, escaped.replace("/", "\\/"), html.escape(text)}
        forms |= {json.dumps(text, ensure_ascii=False)[1:-1], html.escape(text, quote=False)}
    if len(raw) >= SHORT:
        forms |= {raw.hex(), raw.hex().upper()}
        cores = {_core(raw, shift) for shift in range(3)}
        forms |= cores | {core.replace("+", "-").replace("/", "_") for core in cores}
    return forms - {""}


def _core(raw: bytes, shift: int) -> str:
    # The characters of a base64 text that depend on these bytes alone, wherever they start in it.
    text = base64.b64encode(b"\0" * shift + raw).decode()
    return text[-(-shift * 8 // 6) : (shift + len(raw)) * 8 // 6]
