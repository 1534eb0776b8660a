"""Hosts, origins and addresses: one strict reading of a URL, so that check and use cannot differ.

A URL comes in as text; what comes out is a `Target` whose parts alone are used to connect, or the
reason why the text is refused.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import SplitResult, urlsplit

import idna

from doc2tools.compiler.ir.base import Frozen

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
DEFAULT_PORTS = {"http": 80, "https": 443}
MAX_URL = 16_384

_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f]")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


class Origin(Frozen):
    """Scheme, host and port, as in RFC 6454; the host is canonical."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        """Give the origin as a URL, without a default port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        if DEFAULT_PORTS.get(self.scheme) == self.port:
            return f"{self.scheme}://{host}"
        return f"{self.scheme}://{host}:{self.port}"

    def upgraded(self) -> Origin | None:
        """Give the HTTPS origin that plain HTTP on the default port may move up to, if any."""
        if self.scheme == "http" and self.port == 80:
            return Origin(scheme="https", host=self.host, port=443)
        return None


@dataclass(frozen=True, slots=True)
class Target:
    """A URL, read once: where to connect, and what to ask for there.

    Attributes:
        path: The request target: path and query, starting with `/`, no fragment.
        query: The query alone.
    """

    origin: Origin
    path: str
    query: str

    def __str__(self) -> str:
        """Give the URL that stands for exactly this target."""
        return f"{self.origin}{self.path}"


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a text is no usable URL or host."""

    reason: str


def canonical_host(host: str) -> str | Refused:  # noqa: PLR0911 (one for each reason)
    """Give the one spelling of `host` under which it is compared and resolved.

    Lower case, no trailing dot, IDNA in its ASCII form, IP addresses in their usual notation.
    Spellings that different programs read differently are refused: percent-encoding, numbers as
    hosts (`2130706433`, `0x7f.1`, `127.1`), IPv6 zones.
    """
    host = host.strip().lower()
    if len(host) > 1024:
        return Refused("the host is no valid name")
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode("ascii")
        except (idna.IDNAError, UnicodeError):
            return Refused("the host is no valid internationalised name")
    host = host.removesuffix(".")
    if ":" in host:
        try:
            address = ipaddress.IPv6Address(host)
        except ValueError:
            return Refused("the host is no valid IPv6 address")
        return Refused("IPv6 zones are not allowed") if address.scope_id else str(address)
    labels = host.split(".")
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        return Refused("the host is no valid name")
    if _NUMBER.fullmatch(labels[-1]):
        try:
            return str(ipaddress.IPv4Address(host))
        except ValueError:
            return Refused("the host is a number or an unusual spelling of an IP address")
    return host


@lru_cache(maxsize=512)
def read_url(url: str) -> Target | Refused:  # noqa: PLR0911 (one for each reason)
    """Read an absolute HTTP URL strictly, or say why it is refused."""
    if len(url) > MAX_URL:
        return Refused(f"the URL is longer than {MAX_URL:,} characters")
    if _CONTROL.search(url):
        return Refused("the URL holds white space or control characters")
    if "\\" in url:
        return Refused("the URL holds a backslash")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return Refused("the URL is malformed")
    if parts.scheme not in DEFAULT_PORTS:
        return Refused("the URL's scheme is neither http nor https")
    if "@" in parts.netloc:
        return Refused("the URL holds a user name")
    host = canonical_host(_bare_host(parts))
    if isinstance(host, Refused):
        return host
    if port == 0:
        return Refused("port 0 cannot be called")
    if not (parts.path + parts.query).isascii():
        return Refused("the URL's path or query is not percent-encoded")
    path = parts.path or "/"
    return Target(
        Origin(scheme=parts.scheme, host=host, port=port or DEFAULT_PORTS[parts.scheme]),
        f"{path}?{parts.query}" if parts.query else path,
        parts.query,
    )


def _bare_host(parts: SplitResult) -> str:
    netloc = parts.netloc
    if netloc.startswith("["):
        host, bracket, rest = netloc[1:].partition("]")
        return host if bracket and (not rest or rest.startswith(":")) and ":" in host else "%"
    return netloc.partition(":")[0]


def as_address(host: str) -> IPAddress | None:
    """Give the address that a canonical host spells out, or `None` for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def is_loopback(host: str) -> bool:
    """Tell whether a canonical host is this machine, by address or by reserved name (RFC 6761)."""
    address = as_address(host)
    if address is None:
        return host == "localhost" or host.endswith(".localhost")
    return _innermost(address).is_loopback


def special_range(address: IPAddress) -> str:
    """Name the special range that `address` lies in, or "" for a public unicast address.

    IPv4 addresses inside IPv6 ones (mapped, 6to4, Teredo, NAT64) are judged as themselves.
    """
    inner = _innermost(address)
    checks = (
        (inner.is_unspecified, "unspecified"),
        (inner.is_loopback, "loopback"),
        (inner.is_link_local, "link-local"),
        (inner.is_multicast, "multicast"),
        (inner.is_private, "private"),
        (inner.is_reserved, "reserved"),
        (not inner.is_global, "not public"),
        (not address.is_global and address.version == 6 and inner is address, "not public"),
    )
    return next((name for holds, name in checks if holds), "")


def _innermost(address: IPAddress) -> IPAddress:
    if isinstance(address, ipaddress.IPv4Address):
        return address
    embedded = address.ipv4_mapped or address.sixtofour
    if embedded is None and address.teredo is not None:
        embedded = address.teredo[1]
    if embedded is None and (address in _NAT64 or _is_compatible(address)):
        embedded = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return embedded or address


def _is_compatible(address: ipaddress.IPv6Address) -> bool:
    return 1 < int(address) <= 0xFFFF_FFFF
