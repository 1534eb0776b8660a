"""How a stored value belongs to a parameter: by resource, name and kind of field.

All values of one `Field` belong to a parameter in the same way, so that a store asks once a field
and not once a value. An identifier of one resource never belongs to a parameter of another one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from doc2tools.compiler.ir.base import Origin
from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.param_db.naming import (
    HANDLES,
    fold,
    is_generic,
    path_noun,
    resource_before,
    singular_phrase,
    stem,
)
from doc2tools.param_db.value import ORIGIN_RANK, Value

__all__ = ["Field", "Wanted", "field_of", "link_rank", "may_mean", "wanted_for"]

_NO_HANDLE = 40
_TELLING = frozenset({"country", "lang", "language", "category"})
"""Names that anything may have, and that mean the same wherever they stand."""
_IDENTIFIERS = frozenset({"id", "uuid", "guid", "key", "ref", "number", "slug", "handle", "login"})


_OF = re.compile(
    r"(?:(?:the|an?|unique|full|short) ){0,3}(?:name|ids?|identifier|key|slug|handle|code|uuid)s? "
    r"(?:of|for) (?:(?:the|an?|this|that|your|some|target|desired|given|requested|specific|single|"
    r"particular|existing) ){0,3}(?P<noun>[A-Za-z]{3,30})(?=[.,;:)]|$| (?:to|that|which|whose|in|"
    r"on|from|is|you|for|as)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is known of the parameter that candidates are sought for."""

    name: str
    stem: str
    noun: str
    prefix: str
    resource: str
    in_path: bool


@dataclass(frozen=True, slots=True)
class Field:
    """What the values of one field of one kind of answer have in common."""

    name: str
    folded: str
    owner: str
    resource: str
    collection: str
    description: str
    origin: Origin
    no_handle: bool


def field_of(value: Value) -> Field:
    """Give the field that `value` is one of."""
    return Field(
        name=value.name,
        folded=fold(value.name),
        owner=stem(value.name),
        resource=value.resource,
        collection=value.collection,
        description=value.description,
        origin=value.origin,
        no_handle=isinstance(value.value, bool | float),
    )


def wanted_for(parameter: Parameter, endpoint: Endpoint) -> Wanted:
    """Give what is known of a parameter by its name and its place in the path."""
    noun, prefix = ("", "")
    if parameter.location == "path":
        noun, prefix = resource_before(endpoint.path, parameter.name)
        if not noun and is_generic(fold(parameter.name)):
            noun = described_noun(parameter.description)
    return Wanted(
        name=fold(parameter.name),
        stem=stem(parameter.name),
        noun=singular_phrase(noun),
        prefix=prefix,
        resource=path_noun(endpoint.path),
        in_path=parameter.location == "path",
    )


def described_noun(description: str) -> str:
    """Give what a text says an identifier is of: `depot` for "Name of the target depot"."""
    found = _OF.match(" ".join(description[:200].split()))
    return singular_phrase(fold(found["noun"])) if found else ""


def link_rank(held: Field, wanted: Wanted) -> tuple[int, int, int] | None:
    """Give a field's sort key, the closest first, or `None` if its values must not be tried."""
    by_field = _field_rank(held, wanted)
    link = _link(held, wanted, by_field)
    if link is None:
        return None
    return (ORIGIN_RANK[held.origin], link, by_field)


def may_mean(held: Field, wanted: Wanted) -> bool:
    """Tell whether a field of another name may be tried for what it means.

    Identifiers never: `user_id` and `album_id` are close in meaning and have nothing in common. A
    place in a path names an object, so that only resource and name count there.
    """
    if wanted.in_path or not wanted.name or not held.folded:
        return False
    tails = {held.folded.rpartition("_")[2], wanted.name.rpartition("_")[2]}
    names = {held.folded, wanted.name} - _TELLING
    return not (tails & _IDENTIFIERS or any(map(is_generic, names)))


def _link(held: Field, wanted: Wanted, field_rank: int) -> int | None:
    """Tell how a field belongs to the parameter: 0 is closest, `None` not at all."""
    name, resource = held.folded, held.resource
    addressable = field_rank < _NO_HANDLE
    listed = wanted.in_path and bool(held.collection) and held.collection == wanted.prefix
    same_name = bool(name) and name == wanted.name
    by_noun = addressable and wanted.in_path and bool(resource) and resource == wanted.noun
    own_name = is_generic(wanted.name) or wanted.noun in {wanted.name, wanted.stem}
    links = (
        listed and same_name and not is_generic(name),
        addressable and listed and resource in {wanted.noun, wanted.stem},
        addressable and listed,
        by_noun and (own_name or name == wanted.name),
        addressable and bool(wanted.stem) and resource == wanted.stem,
        addressable and bool(resource) and resource == wanted.name != "id",
        same_name and not is_generic(name),
        same_name and not wanted.in_path and resource == wanted.resource,
        by_noun,
        _refers(held, wanted),
    )
    return next((rank for rank, holds in enumerate(links) if holds), None)


def _refers(held: Field, wanted: Wanted) -> bool:
    """Tell whether a record's field names another record, the wanted one: a post's `user_id`."""
    want = wanted.name.rpartition("_")[2]
    other_handle = want in HANDLES and held.folded.rpartition("_")[2] != want
    if not held.owner or held.no_handle or other_handle:
        return False
    if wanted.in_path and held.owner == wanted.noun:
        return is_generic(wanted.name) or wanted.noun in {wanted.name, wanted.stem}
    return held.owner in {wanted.stem, wanted.name} and not is_generic(wanted.name)


def _abbreviates(wanted: Wanted, name: str, tail: str) -> bool:
    """Tell whether the parameter's name is short for the field's: `props` for `properties_key`."""
    first = name.partition("_")[0]
    short = first.startswith(wanted.name) and first != wanted.name and len(wanted.name) >= 3
    return short and (name == first or tail in HANDLES) and not is_generic(wanted.name)


def _field_rank(held: Field, wanted: Wanted) -> int:
    """Rank the field that held the value: the same name, then the usual handles in order."""
    name = held.folded
    if name == wanted.name or (wanted.noun and name and wanted.name == f"{wanted.noun}_{name}"):
        return 0
    tail = name.rpartition("_")[2]
    want = wanted.name.rpartition("_")[2]
    rank = _NO_HANDLE
    if _abbreviates(wanted, name, tail) and held.collection == wanted.prefix:
        rank = 2
    elif held.no_handle or (held.owner and held.owner != held.resource):
        rank = _NO_HANDLE + 1  # `owner_id` of a user is no user's id
    elif not name:
        rank = 3
    elif tail in HANDLES:
        rank = 1 if tail == want else 4 + HANDLES.index(tail)
    elif name == "title" and want == "name":
        rank = 30
    return rank
