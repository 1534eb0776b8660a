"""What may leave the sandbox: methods and origins by allow-list, everything else refused.

Pure data and pure decisions; no socket is opened here. The gateway asks `decide` before every
request, each redirect hop included, and `decide_address` for every address it is about to use.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from urllib.parse import parse_qsl, unquote, unquote_plus

from doc2tools.compiler.ir.base import Frozen
from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.exchange import TransportFailure
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.sandbox.addresses import (
    DEFAULT_PORTS,
    Origin,
    Refused,
    as_address,
    canonical_host,
    is_loopback,
    read_url,
    special_range,
)

MAX_HEADERS = 100
MAX_HEADER_BYTES = 65_536
MAX_BODY = 8_388_608

_METHOD = re.compile(r"[A-Z]{1,20}")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}")
_BAD_VALUE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_FORM_FIELD = re.compile(
    r"(?:^|[&;\r\n])\s{0,9}([A-Za-z_-]{1,30})(?:\[[^\]=&]{0,20}\])?\s{0,9}=([^&;\r\n]{0,40})"
)
_MULTIPART_NAME = re.compile(r"""name\*?\s{0,5}=\s{0,5}["']?(?:utf-8'')?([^"';\r\n]{1,40})""", re.I)

_OVERRIDE_HEADERS = frozenset(
    {"x-http-method-override", "x-method-override", "x-http-method", "http-method-override"}
)
OVERRIDES = frozenset({"_method", "_http_method", *_OVERRIDE_HEADERS})
_REWRITE_HEADERS = frozenset(
    {"x-original-url", "x-rewrite-url", "x-original-uri", "x-original-host", "x-forwarded-host"}
)


class AllowedHost(Frozen):
    """A host that the user named; any port, unless one is given."""

    host: str
    port: int | None = None

    def covers(self, origin: Origin) -> bool:
        """Tell whether `origin` is on this host and port."""
        return origin.host == self.host and self.port in (None, origin.port)


class Policy(Frozen):
    """What may be called. Deny by default.

    Attributes:
        methods: Methods that may be used, upper case.
        origins: Origins that the documentation or the user gave as base URL.
        hosts: Hosts that the user named beside them.
        explicit: Hosts and ports that the user gave, whatever address they have; all others must
            have public addresses.
    """

    methods: tuple[str, ...] = ()
    origins: tuple[Origin, ...] = ()
    hosts: tuple[AllowedHost, ...] = ()
    explicit: tuple[AllowedHost, ...] = ()

    @classmethod
    def from_options(cls, options: CompileOptions, base_urls: Sequence[str]) -> Policy:
        """Build the policy of one compile.

        Args:
            options: The user's options; `base_url` and `allow_hosts` count as given by the user.
            base_urls: Base URLs that the documentation states; unusable ones are passed over.

        Raises:
            UsageError: a method, base URL or host that the user gave cannot be read.
        """
        for method in options.allow:
            if not _METHOD.fullmatch(method):
                raise UsageError(
                    f"not a method: {method!r}", "name methods in upper case, as in --allow GET"
                )
        origins: list[Origin] = []
        explicit: list[AllowedHost] = []
        if options.base_url:
            target = read_url(options.base_url)
            if isinstance(target, Refused):
                raise UsageError(
                    f"the base URL cannot be used: {target.reason}",
                    "give it as in --base-url https://api.example.com/v1",
                )
            origins.append(target.origin)
            explicit.extend(_given(target.origin))
        hosts = tuple(_read_host(text) for text in options.allow_hosts)
        explicit.extend(hosts)
        login = read_url(options.auth.url)
        if options.auth.type == "login" and not isinstance(login, Refused):
            explicit.extend(_given(login.origin))
        for url in base_urls:
            target = read_url(url)
            if not isinstance(target, Refused):
                origins.append(target.origin)
        return cls(
            methods=tuple(dict.fromkeys(options.allow)),
            origins=tuple(dict.fromkeys(origins)),
            hosts=tuple(dict.fromkeys(hosts)),
            explicit=tuple(dict.fromkeys(explicit)),
        )

    @property
    def repeats_writes(self) -> bool:
        """A request that is not idempotent may be sent again when the server asks to wait."""
        return True

    def decide(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes = b""
    ) -> TransportFailure | None:
        """Give the refusal of a request, or `None` where it may be sent."""
        reason = (
            self._method_reason(method)
            or self._url_reason(url)
            or _header_reason(headers, url)
            or _override_reason(method, url, headers, body)
        )
        return TransportFailure(cause="refused-by-policy", message=reason) if reason else None

    def decide_address(self, origin: Origin, address: str) -> TransportFailure | None:
        """Give the refusal of one address that the origin's host has, or `None`."""
        if any(given.covers(origin) for given in self.explicit):
            return None
        host = origin.host
        parsed = as_address(address)
        kind = special_range(parsed) if parsed is not None else "unreadable"
        if not kind:
            return None
        shown = host if host == address else f"{host} ({address})"
        return TransportFailure(
            cause="refused-by-policy",
            message=f"{shown} is a {kind} address; --allow-host {_spell(origin)} permits it",
        )

    def allows_origin(self, origin: Origin) -> bool:
        """Tell whether `origin` is on the allow-list; plain HTTP may move up to HTTPS."""
        return (
            origin in self.origins
            or any(known.upgraded() == origin for known in self.origins)
            or any(host.covers(origin) for host in self.hosts)
        )

    def _method_reason(self, method: str) -> str:
        if not _METHOD.fullmatch(method):
            return "the method is not a plain upper-case word"
        if method not in self.methods:
            allowed = ", ".join(self.methods) or "none"
            return f"the method {method} is not allowed (allowed: {allowed})"
        return ""

    def _url_reason(self, url: str) -> str:
        target = read_url(url)
        if isinstance(target, Refused):
            return target.reason
        if not self.allows_origin(target.origin):
            return (
                f"{target.origin} is not on the allow-list; "
                f"--allow-host {_spell(target.origin)} permits it"
            )
        host = target.origin.host
        if as_address(host) is None and not is_loopback(host):
            return ""
        # A reserved name for this machine is judged without asking anybody.
        address = "127.0.0.1" if as_address(host) is None else host
        failure = self.decide_address(target.origin, address)
        return failure.message if failure else ""


def _given(origin: Origin) -> list[AllowedHost]:
    upgraded = origin.upgraded()
    return [
        AllowedHost(host=one.host, port=one.port) for one in (origin, upgraded) if one is not None
    ]


def _spell(origin: Origin) -> str:
    host = f"[{origin.host}]" if ":" in origin.host else origin.host
    return host if origin.port == DEFAULT_PORTS.get(origin.scheme) else f"{host}:{origin.port}"


def _read_host(text: str) -> AllowedHost:
    bare = text.strip()
    if "://" in bare:
        bare = bare.partition("://")[2].rstrip("/")
    host, port = bare, ""
    if bare.startswith("["):
        host, _, rest = bare[1:].partition("]")
        port = rest.removeprefix(":")
    elif bare.count(":") == 1:
        host, _, port = bare.partition(":")
    canonical = canonical_host(host)
    fits = not port or (port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65_536)
    if isinstance(canonical, Refused) or not fits:
        raise UsageError(
            f"not a host: {text!r}", "give a name, or name:port, as in --allow-host 127.0.0.1:8080"
        )
    return AllowedHost(host=canonical, port=int(port) if port else None)


def _header_reason(headers: Mapping[str, str], url: str) -> str:  # noqa: PLR0911 (one for each reason)
    if len(headers) > MAX_HEADERS:
        return f"more than {MAX_HEADERS} headers"
    if sum(len(name) + len(value) for name, value in headers.items()) > MAX_HEADER_BYTES:
        return f"more than {MAX_HEADER_BYTES:,} bytes of headers"
    if len({_plain_header(name) for name in headers}) < len(headers):
        return "a header is given twice, under different spellings"
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name):
            return "a header's name holds characters that are not allowed"
        if _BAD_VALUE.search(value):
            return f"the header {name} holds a line break or control character"
        if not _is_latin(value):
            return f"the header {name} holds characters that a header cannot carry"
        known = _plain_header(name)
        if known in _REWRITE_HEADERS:
            return f"the header {name} can change which address is called"
        if known == "host" and not _same_host(value, url):
            return "the Host header differs from the URL's host"
    return ""


def _plain_header(name: str) -> str:
    # Servers in the tradition of CGI cannot tell the two apart.
    return name.lower().replace("_", "-")


def _is_latin(value: str) -> bool:
    return all(ord(character) < 256 for character in value)


def _same_host(value: str, url: str) -> bool:
    target = read_url(url)
    claimed = read_url(f"{url.partition(':')[0]}://{value.strip()}/")
    return (
        not isinstance(target, Refused)
        and not isinstance(claimed, Refused)
        and claimed.origin == target.origin
    )


def _override_reason(method: str, url: str, headers: Mapping[str, str], body: bytes) -> str:
    if len(body) > MAX_BODY:
        return f"the body is longer than {MAX_BODY:,} bytes"
    for name, value in headers.items():
        if _plain_header(name) in _OVERRIDE_HEADERS and value.strip() != method:
            return f"the header {name} would override the method"
    target = read_url(url)
    query = "" if isinstance(target, Refused) else target.query
    for name, value in _fields(query) + _body_fields(headers, body):
        if _plain_name(name) in OVERRIDES and value.strip() != method:
            return f"the field {_plain_name(name)} would override the method"
    return ""


def _plain_name(name: str) -> str:
    # Frameworks decode twice, ignore case and drop brackets; so does the check.
    return unquote(name).strip().lower().partition("[")[0]


def _fields(text: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(text.replace(";", "&"), keep_blank_values=True, max_num_fields=10_000)
    except ValueError:
        return [("_method", "too many fields to check")]


def _body_fields(headers: Mapping[str, str], body: bytes) -> list[tuple[str, str]]:
    if not body:
        return []
    content_type = next((v for k, v in headers.items() if k.lower() == "content-type"), "").lower()
    if "multipart/" in content_type:
        return _multipart_fields(body)
    # Whatever the type says: a server may look for itself. NULs go, so UTF-16 hides nothing.
    text = body.replace(b"\0", b"").decode("utf-8", "replace").lstrip("\ufeff\ufffd")
    fields = [(match[1], match[2]) for match in _FORM_FIELD.finditer(unquote_plus(text))]
    if "json" in content_type or text.lstrip()[:1] in ("{", "["):
        fields += _json_fields(text)
    return fields


def _json_fields(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []

    def note(pairs: list[tuple[str, object]]) -> None:
        # Pairs and not a dict: of a key given twice, servers may take either.
        found.extend((key, str(value)) for key, value in pairs if _plain_name(key) in OVERRIDES)

    try:
        json.loads(text, object_pairs_hook=note)
    except (ValueError, RecursionError):
        return [("_method", "unreadable")] if "_method" in text.lower() else found
    return found


def _multipart_fields(body: bytes) -> list[tuple[str, str]]:
    # The value is not read: a form has no need of this field.
    text = body.decode("latin-1")
    return [(name, "multipart") for name in _MULTIPART_NAME.findall(text)]
