"""Addresses of a crawl: which are below its prefix, and the page name each gives."""

from __future__ import annotations

import ipaddress
import re
from pathlib import PurePosixPath
from urllib.parse import SplitResult, unquote, urljoin, urlsplit, urlunsplit

from doc2tools.compiler.load.source import Media

_UNSAFE = re.compile(r"[^\w.\-]+")
_NOT_A_PAGE = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|ico|css|js|mjs|map|woff2?|ttf|eot|pdf|zip|gz|tgz|bz2|xz|tar|exe|"
    r"dmg|deb|rpm|jar|mp[34]|webm|avi|mov|csv|xlsx?|docx?|pptx?|xml|rss|atom)$",
    re.IGNORECASE,
)
_ENDS: dict[Media, str] = {"html": ".html", "markdown": ".md", "text": ".txt", "openapi": ".json"}


class Prefix:
    """The part of a site that a crawl may read: one host, and the paths below one folder."""

    def __init__(self, address: str) -> None:
        """Take the folder of `address`; a last part without a dot counts as a folder."""
        parts = urlsplit(address)
        path = parts.path or "/"
        folder, _, last = path.rpartition("/")
        self.folder = f"{folder}/" if "." in last or not last else f"{path}/"
        self.start = path
        self.scheme = parts.scheme.lower()
        self.host = host_of(parts)

    def holds(self, address: str) -> bool:
        """Tell whether `address` is on the same host and below the folder."""
        parts = urlsplit(address)
        path = parts.path or "/"
        if parts.scheme.lower() != self.scheme or host_of(parts) != self.host:
            return False
        if "/../" in f"{unquote(path)}/":
            return False
        return path.startswith(self.folder) or path == self.start

    def name(self, address: str, media: Media) -> str:
        """Give the page name for `address`: its path below the folder, safe as a file path."""
        path = unquote(urlsplit(address).path or "/")
        below = path[len(self.folder) :] if path.startswith(self.folder) else ""
        if not below and path == self.start and not path.endswith("/"):
            below = PurePosixPath(path).name
        parts = [_safe(part) for part in below.split("/")]
        parts = [*[part for part in parts[:-1] if part][:12], parts[-1] or "index"]
        suffix = PurePosixPath(parts[-1]).suffix.lower()
        known = (".htm", ".xhtml", ".markdown", ".mdx", ".rst", ".yaml", ".yml", *_ENDS.values())
        if suffix not in known:
            parts[-1] += _ENDS[media]
        return "/".join(parts)


def _safe(part: str) -> str:
    return _UNSAFE.sub("_", part).strip(".")[:80]


def host_of(parts: SplitResult) -> str:
    """Give host and port in lower case; "" if they cannot be read."""
    try:
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme.lower(), 0)
    except ValueError:
        return ""
    return f"{(parts.hostname or '').lower()}:{port}"


def is_loopback(address: str) -> bool:
    """Tell whether `address` is on this machine."""
    host = urlsplit(address).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def resolve(base: str, link: str) -> str:
    """Give the address of a linked page without fragment; "" for what is no page or has a query."""
    link = link.strip()
    if not link or link[0] == "#" or len(link) > 2_000:
        return ""
    try:
        parts = urlsplit(urljoin(base, link))
    except ValueError:
        return ""
    if parts.scheme.lower() not in ("http", "https") or parts.query or "@" in parts.netloc:
        return ""
    path = re.sub(r"/{2,}", "/", parts.path or "/")
    if _NOT_A_PAGE.search(path):
        return ""
    return urlunsplit((parts.scheme.lower(), parts.netloc.lower(), path, "", ""))
