"""The rules of stage two: how a field belongs to a parameter, by name, resource and handle.

Each rule gives a `Link` with a score from 0 to 1 and the reason in words, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from doc2tools.compiler.graph.nouns import known_nouns
from doc2tools.compiler.graph.surface import FieldSite, ParameterSite
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.param_db.naming import (
    HANDLES,
    is_generic,
    is_structural,
    path_shape,
    resource_before,
)

__all__ = ["Link", "best_link", "fitting_handle", "is_search", "is_text", "shared_noun"]

_ANY_HANDLE = ("id", "key", "name", "slug", "uuid", "guid", "code", "symbol", "login", "ref", "iso")
_SEARCHES = frozenset({"q", "query", "search", "term", "keyword", "search_term", "querystring"})
_TEXTS = frozenset({"name", "title", "label"})
_STANDS_FOR = {
    "id": ("uuid", "guid", "key", "slug", "code", "name", "ref", "number"),
    "name": ("slug", "key", "login", "handle", "id", "symbol", "tag"),
    "key": ("id", "name", "slug", "code"),
    "slug": ("name", "key", "id"),
    "code": ("id", "iso", "symbol", "abbreviation", "key", "name"),
    "uuid": ("id", "guid"),
    "guid": ("id", "uuid"),
    "symbol": ("code", "name", "id"),
    "login": ("name", "handle"),
    "handle": ("login", "name"),
    "number": ("id",),
    "ref": ("id", "name"),
    "iso": ("code",),
    "tag": ("name",),
}


@dataclass(frozen=True, slots=True)
class Link:
    """How a field belongs to a parameter."""

    score: float
    reason: str


def best_link(
    site: ParameterSite, one: FieldSite, source: Endpoint, target: Endpoint
) -> Link | None:
    """Give the strongest of the rules' links, the first of equals."""
    found = [link for rule in _RULES if (link := rule(site, one, source, target)) is not None]
    return max(found, key=lambda link: link.score, default=None)


def shared_noun(site: ParameterSite, nouns: dict[str, float]) -> tuple[str, float]:
    """Give the noun that both speak of, with the product of its weights; ("", 0) for none."""
    best = ("", 0.0)
    for noun, weight in site.nouns.items():
        held = weight * nouns.get(noun, 0.0)
        if held > best[1]:
            best = (noun, held)
    return best


def fitting_handle(site: ParameterSite, handle: str, names: frozenset[str], noun: str) -> float:
    """Tell how well a kind of identifier suits a parameter, 0 to 1.

    Another kind than the one asked for stands in for it only where the record does not have that.
    """
    wanted = site.handle
    if not handle or (handle == "name" and site.parameter.type == "integer"):
        return 0.0
    if wanted == handle:
        return 1.0
    if not wanted and site.name in names and not is_generic(site.name):
        return 0.0  # the record has the very field that is asked for
    if not wanted:
        known = handle in _ANY_HANDLE or (site.opaque and handle in HANDLES)
        return 0.95 - 0.03 * _rank(handle) if known else 0.0
    present = wanted in names or f"{noun}_{wanted}" in names
    if present or handle not in _STANDS_FOR.get(wanted, ()):
        return 0.0
    return 0.85 - 0.04 * _STANDS_FOR[wanted].index(handle)


def _a(noun: str) -> str:
    return f"an {noun}" if noun[:1] in set("aeio") else f"a {noun}"


def _rank(handle: str) -> int:
    return _ANY_HANDLE.index(handle) if handle in _ANY_HANDLE else len(_ANY_HANDLE)


def _same_name(site: ParameterSite, one: FieldSite, _: Endpoint, __: Endpoint) -> Link | None:
    name = one.name
    if site.opaque or not name or site.name != name or is_generic(name) or is_structural(name):
        return None
    if one.handle or site.nouns:
        return Link(0.9, f"both are named {one.name}")
    return Link(0.62, f"both are named {one.name}, which is not an identifier")


def _own_handle(site: ParameterSite, one: FieldSite, _: Endpoint, __: Endpoint) -> Link | None:
    if one.owner or not one.handle:
        return None
    noun, weight = shared_noun(site, one.record.nouns)
    if weight < 0.5:
        return None
    fit = fitting_handle(site, one.handle, one.record.names, noun)
    if not fit:
        return None
    why = one.record.told.get(noun, "")
    return Link(weight * fit, f"it is the {one.name} of {_a(noun)} ({why}), which is asked for")


def _reference(site: ParameterSite, one: FieldSite, _: Endpoint, __: Endpoint) -> Link | None:
    if not one.owner:
        return None
    for noun in known_nouns(one.owner, site.nouns.keys()):
        whole = 0.92 if noun == one.owner else 0.72
        weight = whole * site.nouns[noun]
        vague = is_generic(one.name) and one.name != site.name
        if not one.handle and (vague or one.seen.type == "any"):
            continue
        if not one.handle:
            return Link(0.7 * weight, f"it names {_a(noun)}, which is asked for")
        fit = fitting_handle(site, one.handle, one.record.names, noun)
        if fit:
            return Link(weight * fit, f"it refers to {_a(noun)} by its {one.handle}, as asked for")
    return None


def _bare(site: ParameterSite, one: FieldSite, _: Endpoint, __: Endpoint) -> Link | None:
    if one.name:
        return None
    noun, weight = shared_noun(site, {noun: max(w, 0.6) for noun, w in one.record.nouns.items()})
    if not weight:
        return None
    keys = "keys" if one.seen.path.endswith("*") else "elements"
    return Link(0.9 * weight, f"its {keys} are listed as {noun}, which is asked for")


def _collection(
    site: ParameterSite, one: FieldSite, source: Endpoint, target: Endpoint
) -> Link | None:
    """Link `/things` to `/things/{id}`, whatever the things are called in the answer."""
    if site.parameter.location != "path" or not one.record.top or not one.record.listed:
        return None
    prefix = resource_before(target.path, site.parameter.name)[1]
    if prefix in {"", "/"} or path_shape(source.path) != prefix:
        return None
    why = f"it comes from the list at {source.path}, below which {target.path} lies"
    if not one.name:
        return Link(0.92, why)
    if one.owner:
        return None
    fit = fitting_handle(site, one.handle, one.record.names, "")
    return Link(0.92 * fit, why) if fit else None


def _searched(site: ParameterSite, one: FieldSite, _: Endpoint, __: Endpoint) -> Link | None:
    """Link the names of records to a search: weak, so that calls with several names decide."""
    return Link(0.57, "its texts may be searched for") if is_search(site) and is_text(one) else None


def is_search(site: ParameterSite) -> bool:
    """Tell whether a parameter takes a text to search for, and a call with one has worked."""
    return site.name in _SEARCHES and bool(site.known)


def is_text(one: FieldSite) -> bool:
    """Tell whether a field holds what a record is called, as seen in a real answer."""
    named = one.name in _TEXTS or (bool(one.name) and one.name in one.record.nouns)
    return named and one.seen.observed and one.seen.type == "string"


_Rule = Callable[[ParameterSite, FieldSite, Endpoint, Endpoint], Link | None]
_RULES: tuple[_Rule, ...] = (_own_handle, _reference, _same_name, _collection, _bare, _searched)
