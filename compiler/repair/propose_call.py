"""Proposals for what is sent: places, names, types and marks of parameters, headers, the method."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from doc2tools.compiler.extract.parameters.bodies import json_type
from doc2tools.compiler.ir.base import JsonValue, Location, ValueType
from doc2tools.compiler.ir.spec import Parameter
from doc2tools.compiler.passes.examples import is_secret_name
from doc2tools.compiler.repair.address import (
    parts_of,
    placeholder_in,
    whole_path,
)
from doc2tools.compiler.repair.patches import (
    BooleanStyle,
    ChangeType,
    FixedHeader,
    ListStyle,
    Method,
    PathEncoding,
    Relocate,
    RenameParameter,
    ReplaceExample,
    Require,
)
from doc2tools.compiler.repair.patches.method import READING
from doc2tools.compiler.repair.patches.required import NAME
from doc2tools.compiler.repair.spelling import likeness
from doc2tools.compiler.repair.suspect import Proposal, Suspect
from doc2tools.compiler.validate.filters import is_credential
from doc2tools.compiler.validate.messages import Complaint
from doc2tools.param_db.fit import shaped
from doc2tools.param_db.naming import fold, stem

__all__ = ["complaints", "encodings", "headers", "locations", "methods", "styles", "types"]

_TYPE_WORDS: tuple[tuple[ValueType, re.Pattern[str]], ...] = (
    ("integer", re.compile(r"\bint(?:eger)?\b|whole number|base 10", re.IGNORECASE)),
    ("number", re.compile(r"\bnumber\b|\bfloat|\bnumeric|\bdecimal", re.IGNORECASE)),
    ("boolean", re.compile(r"\bbool(?:ean)?\b|true or false", re.IGNORECASE)),
    ("array", re.compile(r"\b(?:array|list)\b|comma[- ]separated", re.IGNORECASE)),
    ("string", re.compile(r"\bstr(?:ing)?\b|\btext\b", re.IGNORECASE)),
)
_LOOSER: dict[ValueType, tuple[ValueType, ...]] = {
    "boolean": ("integer", "string"),
    "integer": ("string",),
    "number": ("string",),
}
_FAULTY = frozenset({"missing", "value", "fault", "empty"})


def complaints(suspect: Suspect) -> Iterator[Proposal]:
    """Propose what the error answer asks for: a parameter, another name for it, another value."""
    said = suspect.evidence.complaint
    if said is None or suspect.evidence.trouble not in {"missing", "value", "object"}:
        return
    parameter = suspect.parameter(said.parameter)
    if parameter is None:
        if said.missing and not is_secret_name(said.parameter):
            yield from _unknown(suspect, said)
        return
    if is_credential(parameter):
        return
    if said.missing and parameter.location != "path":
        yield Proposal(Require(parameter.name), 0.9, f"it says: {said.quote}")
    sent = suspect.sent.get(parameter.name)
    for number, choice in enumerate(said.choices[:3]):
        value = shaped(choice, parameter)
        patch = ReplaceExample(parameter.name, _json(sent), value)
        yield Proposal(patch, 0.92 - 0.02 * number, f"it says: {said.quote}")


def _unknown(suspect: Suspect, said: Complaint) -> Iterator[Proposal]:
    """Propose for a parameter that the documentation does not have."""
    name = said.parameter
    if not NAME.fullmatch(name):
        return
    for parameter in suspect.endpoint.parameters:
        if parameter.location == "path":
            continue
        alike = likeness(parameter.name, name)
        related = stem(name) == fold(parameter.name) or stem(parameter.name) == fold(name)
        if alike >= 0.6 or related or fold(parameter.name) == fold(name):
            patch = RenameParameter(parameter.name, name)
            yield Proposal(patch, 0.6 + 0.3 * alike, f"it says: {said.quote}")
    for choice in said.choices[:2]:
        yield Proposal(Require(name, "query", choice), 0.8, f"it says: {said.quote}")
    for _, known in suspect.siblings.parameters(name)[:2]:
        value = known.examples[0].value if known.examples else known.default
        where: Location = "query" if known.location == "path" else known.location
        yield Proposal(Require(name, where, value), 0.7, f"it says: {said.quote}")
    if not said.choices:
        yield Proposal(Require(name), 0.5, f"it says: {said.quote}")


def _json(value: object) -> JsonValue:
    return value if isinstance(value, str | int | float | bool) else None


def locations(suspect: Suspect) -> Iterator[Proposal]:
    """Propose another place for parameters."""
    trouble = suspect.evidence.trouble
    said = suspect.evidence.complaint
    reading = suspect.endpoint.method.upper() in READING
    for parameter in suspect.endpoint.parameters:
        if is_credential(parameter) or is_secret_name(parameter.name):
            continue
        if trouble in {"route", "object", "value", "missing", "unfilled"}:
            yield from _into_path(suspect, parameter)
        if trouble == "route":
            yield from _out_of_path(suspect, parameter)
        elif trouble in _FAULTY and parameter.location != "path":
            named = said is not None and said.parameter == parameter.name
            shown = any(parameter.name in sample for sample in suspect.endpoint.samples)
            depends = named or shown or parameter.required or parameter.name in suspect.sent
            if parameter.location != "query" and depends:
                likely = 0.95 if named else 0.6
                where = "a reading call has no body" if reading else "the server misses it"
                patch = Relocate(parameter.name, parameter.location, "query")
                yield Proposal(patch, likely, where)
            elif named and said is not None and said.missing and parameter.name in suspect.sent:
                yield Proposal(Relocate(parameter.name, "query", "header"), 0.5, said.quote)


def _into_path(suspect: Suspect, parameter: Parameter) -> Iterator[Proposal]:
    if parameter.location == "path" or not parameter.required:
        return
    parts = [part for part in parts_of(whole_path(suspect.endpoint)) if part]
    places = [len(parts), *range(len(parts) - 1, 0, -1)][:4]
    usual = _usual_places(suspect, parameter.name, parts)
    noun = fold(stem(parameter.name) or parameter.name)
    gone = suspect.evidence.trouble == "route"
    for number, position in enumerate(places):
        after_noun = fold(parts[position - 1]) == noun
        sure = 0.93 if position in usual else 0.75 if after_noun else 0.5 if gone else 0.42
        patch = Relocate(parameter.name, parameter.location, "path", position)
        reason = "the address lacks something that is required"
        yield Proposal(patch, sure - 0.05 * number, reason)


def _usual_places(suspect: Suspect, name: str, parts: list[str]) -> set[int]:
    """Give where working tools have this placeholder in paths that begin alike but for a name."""
    found: set[int] = set()
    for endpoint, parameter in suspect.siblings.parameters(name):
        known = parts_of(whole_path(endpoint))
        hole = f"{{{parameter.name}}}"
        if parameter.location == "path" and hole in known:
            position = known.index(hole)
            before, own = known[:position], parts[:position]
            if len(own) == len(before) and before[1:] == own[1:]:
                found.add(position)
    return found


def _out_of_path(suspect: Suspect, parameter: Parameter) -> Iterator[Proposal]:
    parts = parts_of(whole_path(suspect.endpoint))
    if parameter.location != "path" or len(parts) < 2:
        return
    if any(placeholder_in(part) == parameter.name for part in parts):
        kept = [part for part in parts if placeholder_in(part) != parameter.name]
        known = any(parts_of(whole_path(endpoint)) == kept for endpoint in suspect.siblings.working)
        usual = any(p.location == "query" for _, p in suspect.siblings.parameters(parameter.name))
        if not known:
            patch = Relocate(parameter.name, "path", "query")
            yield Proposal(patch, 0.65 if usual else 0.42, "it may belong in the query")


def types(suspect: Suspect) -> Iterator[Proposal]:
    """Propose another type where examples, the error's words or known values contradict it."""
    trouble = suspect.evidence.trouble
    if trouble not in {*_FAULTY, "object", "unfilled", "route"}:
        return
    said = suspect.evidence.complaint
    for parameter in suspect.endpoint.parameters:
        named = said is not None and said.parameter == parameter.name
        if trouble == "route" and parameter.location != "path":
            continue
        if parameter.type == "file" or is_credential(parameter):
            continue
        if parameter.unfit_examples and (parameter.required or named):
            kind = json_type(parameter.unfit_examples[0].value) or "string"
            reason = "its documented example is of that type"
            yield Proposal(ChangeType(parameter.name, parameter.type, kind), 0.85, reason)
        if named and said is not None and not said.missing:
            for kind, words in _TYPE_WORDS:
                if kind != parameter.type and words.search(suspect.evidence.text[:1000]):
                    patch = ChangeType(parameter.name, parameter.type, kind)
                    yield Proposal(patch, 0.75, "the answer names that type")
        doubtful = parameter.name in suspect.missing or _is_guessed(suspect, parameter)
        if doubtful and parameter.required:
            for number, kind in enumerate(_LOOSER.get(parameter.type, ())):
                patch = ChangeType(parameter.name, parameter.type, kind)
                likely = (0.94 if parameter.type == "boolean" else 0.8) - 0.02 * number
                yield Proposal(patch, likely, "no value of the documented type is known to work")


def _is_guessed(suspect: Suspect, parameter: Parameter) -> bool:
    return any(
        argument.name == parameter.name and argument.origin == "guessed"
        for argument in suspect.evidence.arguments
    )


def styles(suspect: Suspect) -> Iterator[Proposal]:
    """Propose other ways to write lists and truth values that were sent."""
    if suspect.evidence.trouble not in {"value", "fault", "empty"}:
        return
    said = suspect.evidence.complaint
    for parameter in suspect.endpoint.parameters:
        if parameter.name not in suspect.sent:
            continue
        named = 0.25 if said is not None and said.parameter == parameter.name else 0.0
        if parameter.type == "array" and parameter.location == "query":
            for number, style in enumerate(("comma", "repeat", "pipe", "space")):
                if style != parameter.style:
                    patch = ListStyle(parameter.name, style)
                    yield Proposal(patch, 0.5 + named - 0.08 * number, "lists are written so, too")
        if parameter.type == "boolean":
            for number, words in enumerate(("1/0", "yes/no", "True/False", "on/off")):
                patch = BooleanStyle(parameter.name, words)
                yield Proposal(patch, 0.45 + named - 0.08 * number, "truth is written so, too")


def encodings(suspect: Suspect) -> Iterator[Proposal]:
    """Propose to send slashes in path values the other way."""
    if suspect.evidence.trouble not in {"route", "object", "value", "fault"}:
        return
    for parameter in suspect.endpoint.parameters:
        value = suspect.sent.get(parameter.name)
        if parameter.location == "path" and isinstance(value, str) and "/" in value:
            as_path = parameter.format == "path"
            patch = PathEncoding(parameter.name, slashes=not as_path)
            yield Proposal(patch, 0.8, "the value holds a slash")


def headers(suspect: Suspect) -> Iterator[Proposal]:
    """Propose the header that a refusal of the form asks for."""
    trouble, endpoint = suspect.evidence.trouble, suspect.endpoint
    if trouble not in {"form", "page"}:
        return
    if suspect.evidence.status == 415:
        for media in ("application/json", "application/x-www-form-urlencoded"):
            yield Proposal(FixedHeader("Content-Type", media), 0.5, "the body's form is refused")
        return
    documented = [
        media.lower()
        for media in (*endpoint.content_types, *(one.content_type for one in endpoint.responses))
        if media
    ]
    if trouble == "page":
        for media in dict.fromkeys(documented):
            if "html" not in media and media != "application/json":
                yield Proposal(FixedHeader("Accept", media), 0.5, "it is documented")
        return
    named = [media for media in suspect.evidence.media if media != "application/json"]
    exact = [media for media in named if "*" not in media]
    ordered = dict.fromkeys([m for m in documented if m in named] + documented + exact + named)
    for number, media in enumerate([*ordered][:4]):
        reason = "the server names it" if media in named else "it is documented"
        yield Proposal(FixedHeader("Accept", media), 0.9 - 0.05 * number, reason)
    yield Proposal(FixedHeader("Accept", "*/*"), 0.6, "the server may choose")


def methods(suspect: Suspect) -> Iterator[Proposal]:
    """Propose another reading method that both the server and the user allow."""
    if suspect.evidence.trouble != "method":
        return
    own = suspect.endpoint.method.upper()
    for method in suspect.evidence.allow:
        if method in READING and method in suspect.allow and method not in {own, "OPTIONS"}:
            yield Proposal(Method(own, method), 0.6, "the server allows it")


def ordered(proposals: Iterator[Proposal]) -> list[Proposal]:
    """Give proposals, the likeliest first, each patch once."""
    best: dict[object, Proposal] = {}
    for proposal in proposals:
        known = best.get(repr(proposal.patch))
        if known is None or proposal.likelihood > known.likelihood:
            best[repr(proposal.patch)] = replace(proposal)
    return sorted(best.values(), key=lambda one: -one.likelihood)
