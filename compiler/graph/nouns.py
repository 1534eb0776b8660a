"""Which noun a parameter or a field speaks of, and by which handle: `user_id` → user, id.

A noun counts only if the API attests it: as a path segment before a placeholder, or as what a
path parameter's name is the identifier of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.param_db.naming import (
    HANDLES,
    fold,
    is_action,
    is_generic,
    is_structural,
    placeholders,
    resource_before,
    singular,
    singular_phrase,
    stem,
)

if TYPE_CHECKING:
    from doc2tools.compiler.graph.records import Record

__all__ = [
    "Nouns",
    "ParameterNouns",
    "attested_nouns",
    "field_handle",
    "known_nouns",
    "parameter_nouns",
    "path_nouns",
    "split_handle",
]

Nouns = dict[str, float]
"""Noun to weight, from 0 to 1."""

_HANDLES = frozenset(HANDLES)
_GLUED = re.compile(r"([a-z]{3,40}?)(uuid|guid|id|name|code|slug|key)")
_SAID = re.compile(
    r"\b([a-z]{3,30})(?:'s|s')?[ _-](ids?|identifiers?|uuids?|names?|codes?|slugs?|keys?)\b"
)
_SAID_OF = re.compile(
    r"\b(id|identifier|uuid|name|code|slug|key|number)s?\b[^.,;]{0,12}? (?:of|for) "
    r"(?:the |an? |this |your |all )?([a-z]{3,30})\b"
)
_ONE = re.compile(r"\b(?:this|the|an?|given|one) ([a-z]{3,30})\b(?!-)")
_SAID_HANDLES = {
    "ids": "id",
    "identifier": "id",
    "identifiers": "id",
    "uuids": "uuid",
    "names": "name",
    "codes": "code",
    "slugs": "slug",
    "keys": "key",
}
_DESCRIPTION = 48
"""Characters of a description that may name what a parameter is; what follows only explains."""


@dataclass(frozen=True, slots=True)
class ParameterNouns:
    """What a parameter's name, place and description say of whose identifier it wants."""

    nouns: Nouns
    handle: str
    opaque: bool


def split_handle(name: str, attested: Set[str] = frozenset()) -> tuple[str, str]:
    """Split a folded name into noun and handle: `user_id` → (`user`, `id`), `name` → ("", `name`).

    A glued name is split where the API attests the noun: `petid` → (`pet`, `id`).
    """
    if name in _HANDLES:
        return "", name
    noun = stem(name)
    if noun:
        return noun, name.rpartition("_")[2]
    glued = _GLUED.fullmatch(name)
    if glued and singular(glued[1]) in attested:
        return singular(glued[1]), glued[2]
    return "", ""


def attested_nouns(endpoints: Sequence[Endpoint]) -> frozenset[str]:
    """Collect the nouns that paths and path parameters of the API speak of."""
    found: set[str] = set()
    for endpoint in endpoints:
        chosen = {parameter.name for parameter in endpoint.parameters if parameter.enum}
        for name in placeholders(endpoint.path):
            if name in chosen:
                continue
            noun = singular_phrase(resource_before(endpoint.path, name)[0])
            if noun and not is_action(noun):
                found.add(noun)
            owner = stem(name)
            if owner and not is_structural(owner):
                found.add(owner)
    return frozenset(found - {""})


def path_nouns(path: str, attested: Set[str]) -> tuple[str, ...]:
    """Give the folded literal segments of a path that may be nouns, last first."""
    found: list[str] = []
    for segment in reversed(path.partition("?")[0].split("/")):
        noun = singular_phrase(fold(segment)) if segment and "{" not in segment else ""
        if noun in attested or not (is_action(noun) or is_structural(noun) or not noun):
            found.append(noun)
    return tuple(found)


def known_nouns(phrase: str, attested: Set[str]) -> tuple[str, ...]:
    """Give the attested nouns in a folded phrase, the whole phrase and its last word first."""
    if phrase in attested:
        return (phrase,)
    parts = phrase.split("_")
    tails = ["_".join(parts[start:]) for start in range(1, len(parts))]
    for tail in tails:
        if singular_phrase(tail) in attested:
            return (singular_phrase(tail),)
    return tuple(singular(part) for part in reversed(parts) if singular(part) in attested)[:2]


def parameter_nouns(
    endpoint: Endpoint,
    parameter: Parameter,
    attested: frozenset[str],
    vocabulary: Set[str],
    mentioned: Set[str],
) -> ParameterNouns:
    """Tell whose identifier a parameter wants, from its name, its place and its description.

    Args:
        endpoint: The tool's endpoint.
        parameter: One of its parameters.
        attested: The API's nouns.
        vocabulary: All folded names of the API: what is not in it may be a made-up name.
        mentioned: Keys of records with identifiers: nouns that only descriptions speak of.
    """
    name = fold(parameter.name)
    own, handle = split_handle(name, attested)
    whole = singular_phrase(name)
    generic = is_generic(name)
    attests_own = bool(own) and (own in attested or own in vocabulary)
    opaque = not (name in vocabulary or attests_own or generic)
    nouns: Nouns = {}
    if own and not opaque:
        nouns[own] = 1.0
        for noun in known_nouns(own, attested):
            nouns.setdefault(noun, 0.9)
    in_path = parameter.location == "path"
    before = singular_phrase(resource_before(endpoint.path, parameter.name)[0]) if in_path else ""
    selects = generic and not handle  # `type` of a thing is no identifier of it
    if not own and whole in attested and (in_path or not generic):
        nouns[whole] = 1.0
    if before in attested and not selects:
        specific = not (generic or opaque or own) and whole != before
        nouns.setdefault(before, 0.75 if nouns or specific else 1.0)
    if opaque:
        handle = ""
    if opaque and not nouns:
        for noun in _mentioned(parameter.description, attested):
            nouns[noun] = 0.8
            break
    for noun, said in _said(parameter.description, attested | mentioned):
        if noun not in nouns:
            nouns[noun] = 0.9 if not nouns or parameter.location != "path" else 0.6
        handle = handle or said
    return ParameterNouns(nouns, handle, opaque)


def _said(description: str, nouns: Set[str]) -> Iterable[tuple[str, str]]:
    """Yield nouns and handles that a description names: `ID of the pet`, `person IDs`."""
    text = description[: 2 * _DESCRIPTION].lower()
    for found in _SAID.finditer(text):
        noun = singular(found[1])
        if noun in nouns and found.start() < _DESCRIPTION:
            yield noun, _SAID_HANDLES.get(found[2], found[2])
    for found in _SAID_OF.finditer(text):
        noun = singular(found[2])
        if noun in nouns and found.start() < _DESCRIPTION:
            yield noun, _SAID_HANDLES.get(found[1], found[1])


def _mentioned(description: str, nouns: Set[str]) -> Iterable[str]:
    """Yield the nouns that the beginning of a description mentions: `Only those on this node`."""
    for found in _ONE.finditer(description[:_DESCRIPTION].lower()):
        if found[1] in nouns:
            yield found[1]


def field_handle(
    name: str, description: str, record: Record, attested: frozenset[str]
) -> tuple[str, str]:
    """Tell what a field identifies: the noun it names itself, and the kind of identifier.

    `id` of a user gives ("", `id`): the record's own; `owner_id` gives (`owner`, `id`), and so does
    any name with the description "Id of the owner".
    """
    own, handle = split_handle(name, attested)
    if not handle:
        for noun, said in _said(description, attested):
            own, handle = noun, said
            break
    if own and own in record.nouns and record.nouns[own] >= 0.7:
        return "", handle
    if not own and singular_phrase(name) in attested:
        return singular_phrase(name), ""
    return own, handle
