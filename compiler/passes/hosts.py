"""Hosts in documentation: local ones, reserved ones, and blanks for the reader to fill in."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_BLANK = re.compile(r"[{}<>\[\]$%*]|\.\.\.|…")
_BLANK_LABELS = frozenset(
    {
        "address", "addr", "base", "baseurl", "base-url", "domain", "fqdn", "host", "hostname",
        "ip", "instance", "ipaddress", "ip-address", "node", "server", "servername", "server-name",
        "site", "url", "website", "xxx", "myhost", "myserver", "mydomain", "somehost",
        "someserver",
    }
)  # fmt: skip
_YOURS = re.compile(r"(?:your|my|some|the)[-_]?(?:own[-_]?)?[a-z0-9-]{0,40}")
_RESERVED = ("example.com", "example.org", "example.net", "example.edu")
_LOOPBACK = re.compile(r"localhost|127(?:\.\d{1,3}){3}|::1|0\.0\.0\.0|.+\.localhost")


def host_of(origin: str) -> str:
    """Give the host of an origin or URL in lower case, without user and port; may be empty."""
    try:
        host = urlsplit(origin if "//" in origin else f"//{origin}").hostname
    except ValueError:
        return ""
    return host or ""


def is_local(origin: str) -> bool:
    """Tell whether the host is a loopback address."""
    return bool(_LOOPBACK.fullmatch(host_of(origin)))


def is_private(origin: str) -> bool:
    """Tell whether the host is on a private network or has no domain: someone's own machine."""
    host = host_of(origin)
    return bool(
        re.fullmatch(
            r"10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}", host
        )
        or host.endswith((".local", ".lan", ".localdomain", ".internal", ".intranet", ".home"))
        or (host and "." not in host and ":" not in host and not is_local(origin))
    )


def is_reserved(origin: str) -> bool:
    """Tell whether the host is reserved for examples (RFC 2606)."""
    host = host_of(origin)
    endings = (*(f".{name}" for name in _RESERVED), ".example", ".test", ".invalid")
    return host in _RESERVED or host.endswith(endings)


def is_placeholder_host(origin: str) -> bool:
    """Tell whether the host is a blank for the reader to fill in."""
    rest = origin.partition("//")[2] if "//" in origin else origin
    netloc = rest.partition("/")[0]
    if not netloc or _BLANK.search(netloc):
        return True
    host = host_of(origin)
    if not host:
        return True
    first = host.partition(".")[0]
    return (
        ("." not in host and first in _BLANK_LABELS)
        or bool(_YOURS.fullmatch(first) and _says_yours(first, host))
        or any(label in {"yourdomain", "your-domain", "mydomain"} for label in host.split("."))
    )


def _says_yours(first: str, host: str) -> bool:
    return first.startswith("your") or "." not in host
