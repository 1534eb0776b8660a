"""Values that stand in addresses: a record's identifier, and what turns to the next page.

An API names its own records by address (`Location`, `Link`, `self`, `url`), and its next page by an
address or a token. In goes such an address or field; out come the values in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from urllib.parse import parse_qsl, unquote

from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.passes.splitting import split_address
from doc2tools.param_db.naming import fold, is_structural, path_noun, singular_phrase, words
from doc2tools.param_db.privacy import is_secret_name
from doc2tools.param_db.values import Value

__all__ = ["ID_LIKE", "header_values", "identified", "turned"]

ID_LIKE = re.compile(
    r"\d+|[0-9a-fA-F]{8,}|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|\S*[\d/:.-]\S*|[A-Z][A-Za-z]+|\w*_\w*"
)
"""What an identifier looks like that is told from a plain word."""

_LINK = re.compile(r"<([^<>]{1,1000})>([^<>]{0,300})")
_RELATION = re.compile(r"\brel\s{0,3}=\s{0,3}\"?([\w ]{1,60})", re.IGNORECASE)
_TURNING = frozenset({"next", "prev", "previous", "first", "last"})
_ADDRESS_KEYS = frozenset({"url", "uri", "href", "link", "self", "location"})
_SIZES = frozenset({"limit", "per_page", "page_size", "pagesize", "count", "size", "max_results"})
_MAX_ADDRESS = 2000
_MAX_PARAMETERS = 10


def header_values(
    headers: Mapping[str, str], base: Value, endpoint: Endpoint, url: str
) -> Iterator[Value]:
    """Give the identifiers and page numbers or tokens in `Location` and `Link`.

    Args:
        headers: Lower-case names.
        base: What the values have in common.
        endpoint: What was called.
        url: The address that was asked for.
    """
    for name in ("location", "content-location"):
        if name in headers:
            yield from identified(headers[name], replace(base, field_path=f"header:{name}"), url)
    below = replace(base, field_path="header:link")
    for address, rest in _LINK.findall(headers.get("link", "")[:8000])[:20]:
        relation = _RELATION.search(rest)
        if relation and set(relation.group(1).lower().split()) & _TURNING:
            yield from _query(address, below, endpoint)
        else:
            yield from identified(address, below, url)


def identified(address: str, base: Value, url: str) -> Iterator[Value]:
    """Give the identifier at the end of an address of the same server, for the noun before it."""
    parts, own = split_address(address[:_MAX_ADDRESS]), split_address(url)
    if parts.netloc and parts.netloc.lower() != own.netloc.rpartition("@")[2].lower():
        return
    head, _, last = parts.path.rstrip("/").rpartition("/")
    last = unquote(last)[:200]
    before = head.rpartition("/")[2]
    noun = singular_phrase(path_noun(f"/{before}"))
    if noun and last and ID_LIKE.fullmatch(last):
        listed = base.collection if noun == base.resource else ""
        yield replace(base, name="id", value=last, resource=noun, collection=listed)


def turned(key: str, parent: str, found: Value, endpoint: Endpoint, url: str) -> Iterator[Value]:
    """Give what a field of an answer says about other addresses of the server.

    `next` with an address gives that address' parameters; `next_cursor` gives a `cursor`, under the
    name of the parameter that the documentation pages with where it says so; a `url` gives the
    record's identifier.
    """
    parts = words(key)
    value = found.value
    text = value if isinstance(value, str) else ""
    is_address = text.startswith(("http://", "https://", "/")) and len(text) <= _MAX_ADDRESS
    if is_address:
        above = {*parts, *words(parent)}
        if above & _TURNING:
            yield from _query(text, found, endpoint)
        elif parts and parts[-1] in _ADDRESS_KEYS:
            yield from identified(text, found, url)
        return
    if isinstance(value, bool) or value == "" or "next" not in parts:
        return
    rest = "_".join(part for part in parts if part != "next")
    owner = "" if is_structural(fold(parent)) else parent
    for name in dict.fromkeys((rest or owner, *_paging(endpoint))):
        if name and not is_secret_name(name):
            yield replace(found, name=name, resource=path_noun(endpoint.path))


def _paging(endpoint: Endpoint) -> tuple[str, ...]:
    """Give the parameters by which the documentation says that pages are turned."""
    paged = endpoint.pagination
    if paged is None:
        return ()
    return tuple(name for name in paged.parameters if fold(name) not in _SIZES)[:2]


def _query(address: str, base: Value, endpoint: Endpoint) -> Iterator[Value]:
    query = split_address(address[:_MAX_ADDRESS]).query
    try:
        pairs = parse_qsl(query, max_num_fields=50)
    except ValueError:
        return
    noun = path_noun(endpoint.path)
    for name, value in pairs[:_MAX_PARAMETERS]:
        if not is_secret_name(name) and fold(name) not in _SIZES:
            yield replace(base, name=name[:100], value=value, resource=noun)
