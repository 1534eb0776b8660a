"""Merges all mentions of an endpoint's parameters into drafts, and reports contradictions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, cast

from doc2tools.compiler.extract.parameters.mention import LISTED, SEEN, SHOWN, TOLD, Mention
from doc2tools.compiler.extract.parameters.values import fits, is_nothing, literal
from doc2tools.compiler.ir.base import JsonValue, Location, ValueType
from doc2tools.compiler.ir.draft import ParameterDraft
from doc2tools.compiler.ir.source import Cited, Diagnostic, Span

# Naming each form of `Cited` once: Pydantic looks a generic model up on every subscription.
CitedText = Cited[str]
CitedFlag = Cited[bool]
CitedValue = Cited[JsonValue]
CitedLocation = Cited[Location]
CitedType = Cited[ValueType]
CitedChoices = Cited[tuple[JsonValue, ...]]

_PUNCTUATION: Final = re.compile(r"[\W_]+")
_HEADER_NAME: Final = re.compile(
    r"[A-Z][A-Za-z0-9]{0,30}(?:-[A-Z][A-Za-z0-9]{0,30}){1,6}\Z|X-[\w-]{1,60}\Z"
)
_HEADERS: Final = frozenset(
    {"authorization", "accept", "user-agent", "cookie", "content-type", "host"}
)
_SHAPE: Final = re.compile(r"\{[\w .|-]{0,60}\}|<[\w .|-]{1,60}>|\.\.\.|…")
_MAX_EXAMPLES: Final = 10
_MAX_DEPTH: Final = 6


@dataclass(slots=True)
class Situation:
    """What is known of the endpoint whose parameters are merged.

    Attributes:
        names: Placeholders of the path, in order.
        aliases: Placeholder used as a query value, to the parameter's name.
        query: Names seen in the query of an address of this endpoint.
        usual: Where a parameter goes whose location the page does not say.
        always: Query names that every documented address of this endpoint holds.
    """

    names: tuple[str, ...]
    usual: Location
    usual_reason: str
    aliases: Mapping[str, str] = field(default_factory=dict[str, str])
    query: frozenset[str] = frozenset()
    body: frozenset[str] = frozenset()
    always: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()


@lru_cache(maxsize=4096)
def bare(name: str) -> str:
    """Give `name` without case and punctuation, for comparing spellings."""
    return _PUNCTUATION.sub("", name).lower()


def is_header_name(name: str) -> bool:
    """Tell whether `name` is written as HTTP headers are."""
    return bool(_HEADER_NAME.match(name)) or (
        name.lower() in _HEADERS - {"host"} and name[:1].isupper()
    )


def merge(
    mentions: Iterable[Mention], situation: Situation
) -> tuple[tuple[ParameterDraft, ...], list[Diagnostic]]:
    """Merge `mentions` (in reading order) to one draft for each parameter: path ones first."""
    groups: dict[tuple[str, str], list[Mention]] = {}
    paths = {bare(name): name for name in situation.names}
    places: dict[int, int] = {}
    for place, mention in enumerate(mentions):
        places.setdefault(id(mention), place)
        key = _key(mention, situation, paths)
        groups.setdefault(key, []).append(mention)
    _join_unplaced(groups, situation)
    diagnostics: list[Diagnostic] = []
    drafts: list[ParameterDraft] = []
    order = {name: number for number, name in enumerate(situation.names)}
    for (kind, name), group in groups.items():
        group.sort(key=lambda mention: (-mention.confidence, places[id(mention)]))
        drafts.append(_draft(kind, name, group, situation, diagnostics))
    drafts.sort(
        key=lambda draft: order.get(draft.name.value, len(order)) if _is_path(draft) else len(order)
    )
    return tuple(drafts), diagnostics


def _is_path(draft: ParameterDraft) -> bool:
    return draft.location is not None and draft.location.value == "path"


def _key(mention: Mention, situation: Situation, paths: dict[str, str]) -> tuple[str, str]:
    name = mention.name
    alias = situation.aliases.get(name)
    if (
        alias is not None
        and bare(name) not in paths
        and (mention.placeholder or name not in situation.query)
    ):
        return "query", alias
    plain = bare(name)
    if plain in paths and mention.location in {None, "path", "query"}:
        return "path", paths[plain]
    if mention.location is None and is_header_name(name):
        return "header", name
    if mention.location == "header":
        return "header", next((n for n in (name,)), name)
    if mention.location == "path":
        return ("query" if name in situation.query else "path"), name
    return mention.location or "", name


def _join_unplaced(groups: dict[tuple[str, str], list[Mention]], situation: Situation) -> None:
    """Put mentions without a location, or in headers' other spellings, with those that have one."""
    for place, name in [key for key in groups if key[0] in {"", "header"}]:
        if place == "header":
            twin = next(
                (
                    k
                    for k in groups
                    if k[0] == "header" and k != (place, name) and k[1].lower() == name.lower()
                ),
                None,
            )
            if twin and (place, name) in groups:
                groups[twin].extend(groups.pop((place, name)))
            continue
        known = [key for key in groups if key[1] == name and key[0]]
        if known:
            best = max(known, key=lambda key: max(m.confidence for m in groups[key]))
            groups[best].extend(groups.pop((place, name)))
            continue
        if name in situation.query:
            target: Location = "query"
        elif name in situation.body:
            target = "form" if situation.usual == "form" else "body"
        else:
            target = situation.usual
        groups.setdefault((target, name), []).extend(groups.pop((place, name)))
    for place, name in [key for key in groups if key[0] in {"query", "body", "form"}]:
        others = [
            k
            for k in groups
            if k[1] == name and k[0] in {"query", "body", "form"} and k != (place, name)
        ]
        if not others or (place, name) not in groups:
            continue
        strongest = max(
            [(place, name), *others], key=lambda key: max(m.confidence for m in groups[key])
        )
        for key in ((place, name), *others):
            if (
                key != strongest
                and key in groups
                and max(m.confidence for m in groups[key]) < LISTED
            ):
                groups[strongest].extend(groups.pop(key))


def _draft(
    place: str, name: str, group: list[Mention], situation: Situation, diagnostics: list[Diagnostic]
) -> ParameterDraft:
    first = group[0]
    location = _location(place, group, situation)
    kind, type_source = _type(group)
    required = _required(place, name, group, situation, diagnostics)
    default = _default(name, group, kind, diagnostics)
    enum = next(((m.enum, m) for m in group if m.enum and not any(map(_is_shape, m.enum))), None)
    if (
        enum
        and kind == "boolean"
        and not {v.lower() for v in enum[0]} <= {"true", "false", "0", "1"}
    ):
        kind, type_source = "string", enum[1]
    low = next((m.minimum for m in group if m.minimum is not None), None)
    high = next((m.maximum for m in group if m.maximum is not None), None)
    ranged = kind in {"integer", "number", None} and (low is not None or high is not None)
    inferred_type = ""
    if kind is None:
        kind, inferred_type = _infer_type(default, enum[0] if enum else (), group)
        type_source = first
        if default is not None and isinstance(default.value, str):
            default = default.model_copy(update={"value": literal(default.value, kind)})
    return ParameterDraft(
        name=CitedText(
            value=name, spans=_spans(group), confidence=first.confidence, rule=first.rule
        ),
        location=location,
        type=None
        if kind is None
        else CitedType(
            value=kind,
            spans=(type_source.span,) if type_source and not inferred_type else (),
            inferred=inferred_type,
            confidence=type_source.confidence if type_source else 0.5,
        ),
        item_type=next((m.item_type for m in group if m.item_type), None)
        if kind == "array"
        else None,
        required=required,
        default=default,
        enum=None
        if enum is None
        else CitedChoices(
            value=tuple(literal(value, kind if kind != "array" else None) for value in enum[0]),
            spans=(enum[1].span,),
            confidence=enum[1].confidence,
        ),
        format=next((m.format for m in group if m.format), ""),
        minimum=low if ranged else None,
        maximum=high if ranged else None,
        examples=_examples(group, kind),
        description=max(
            (m.description for m in group if m.confidence >= LISTED), key=len, default=""
        )
        or next((m.description for m in group if m.description), ""),
        deprecated=any(m.deprecated for m in group if m.confidence >= TOLD),
        fields=_fields(group, diagnostics, 0) if kind in {"object", "array", None} else (),
    )


def _is_shape(value: str) -> bool:
    """Whether a listed "choice" is the shape of a value, such as `{x};{y}`, and no value."""
    return any(mark in value for mark in ("{", "<", "...", "…"))


def _spans(group: Sequence[Mention]) -> tuple[Span, ...]:
    return tuple(dict.fromkeys(mention.span for mention in group))[:8]


def _location(place: str, group: Sequence[Mention], situation: Situation) -> Cited[Location]:
    value = cast("Location", place) if place else situation.usual
    stated = next((m for m in group if m.location == value), None)
    if stated is not None:
        return CitedLocation(value=value, spans=(stated.span,), confidence=stated.confidence)
    if value == "path":
        return CitedLocation(
            value=value, spans=(group[0].span,), inferred="its name stands in the path"
        )
    return CitedLocation(value=value, confidence=0.6, inferred=situation.usual_reason)


def _type(group: Sequence[Mention]) -> tuple[ValueType | None, Mention | None]:
    found = next((m for m in group if m.type is not None), None)
    return (found.type, found) if found else (None, None)


def _infer_type(
    default: Cited[JsonValue] | None, enum: tuple[str, ...], group: Sequence[Mention]
) -> tuple[ValueType | None, str]:
    if enum and {value.lower() for value in enum} <= {"true", "false"}:
        return "boolean", "its choices are true and false"
    if enum and len(enum) > 1:
        return "string", "it has a list of choices"
    if default is not None:
        if default.value in {"true", "false"}:
            return "boolean", "its default is true or false"
        if isinstance(default.value, str) and re.fullmatch(r"-?\d{1,9}", default.value):
            return "integer", "its default is a whole number"
    if any(m.minimum is not None or m.maximum is not None for m in group):
        return "integer", "it has a range"
    return None, ""


def _required(
    place: str,
    name: str,
    group: Sequence[Mention],
    situation: Situation,
    diagnostics: list[Diagnostic],
) -> Cited[bool]:
    if place == "path":
        return CitedFlag(value=True, spans=(group[0].span,), inferred="part of the path")
    for mention in group:
        if mention.contradiction:
            diagnostics.append(_conflict("required and optional", name, mention.span))
    stated = [m for m in group if m.required is not None and (m.confidence >= LISTED or m.marked)]
    told = [m for m in group if m.required is not None]
    for mention in stated[1:]:
        if mention.required != stated[0].required and mention.marked and stated[0].marked:
            if mention.confidence >= LISTED and stated[0].confidence >= LISTED:
                diagnostics.append(_conflict("required and optional", name, mention.span))
            break
    chosen = (stated or told or [None])[0]
    if chosen is not None and chosen.required is not None:
        return CitedFlag(
            value=chosen.required,
            spans=(chosen.span,),
            inferred=chosen.reason,
            confidence=chosen.confidence if not chosen.reason else 0.7,
        )
    if name in situation.always:
        return CitedFlag(
            value=True, confidence=0.6, inferred="every documented address of the endpoint holds it"
        )
    return CitedFlag(
        value=False, confidence=0.5, inferred="the page does not say that it is required"
    )


def _conflict(what: str, name: str, span: Span) -> Diagnostic:
    return Diagnostic(
        code="parameter-contradiction",
        level="warning",
        span=span,
        message=f"parameter {name!r} is said to be both {what}",
        hint="the first and clearest statement counts",
    )


def _default(
    name: str, group: Sequence[Mention], kind: ValueType | None, diagnostics: list[Diagnostic]
) -> Cited[JsonValue] | None:
    stated = [m for m in group if m.default and not is_nothing(m.default)]
    if not stated:
        return None
    first = stated[0]
    for other in stated[1:]:
        if other.confidence >= LISTED and other.default.lower() != first.default.lower():
            diagnostics.append(
                _conflict(f"{first.default!r} and {other.default!r} by default", name, other.span)
            )
            break
    value = literal(first.default, kind)
    if kind in {"integer", "number", "boolean"} and not fits(value, kind):
        return None
    if isinstance(value, str) and len(value) > 120:
        return None
    return CitedValue(value=value, spans=(first.span,), confidence=first.confidence)


def _examples(group: Sequence[Mention], kind: ValueType | None) -> tuple[Cited[JsonValue], ...]:
    """Give the values that the page shows; those that its type rules out only if no other is."""
    found: dict[str, Cited[JsonValue]] = {}
    unfit: dict[str, Cited[JsonValue]] = {}
    for mention in group:
        values: list[JsonValue] = [literal(text, kind) for text in mention.examples if text]
        for value in [*values, *mention.literals]:
            if isinstance(value, str) and (
                len(value) > 2000 or is_nothing(value) or _SHAPE.search(value)
            ):
                continue
            contradicted = kind in {"integer", "number", "boolean"} and not fits(value, kind)
            kept = unfit if contradicted else found
            kept.setdefault(
                f"{type(value).__name__}:{value}",
                CitedValue(
                    value=value, spans=(mention.span,), confidence=max(mention.confidence, 0.5)
                ),
            )
    return tuple((found or unfit).values())[:_MAX_EXAMPLES]


def _fields(
    group: Sequence[Mention], diagnostics: list[Diagnostic], depth: int
) -> tuple[ParameterDraft, ...]:
    if depth >= _MAX_DEPTH:
        return ()
    grouped: dict[str, list[Mention]] = {}
    for mention in group:
        for child in mention.children:
            grouped.setdefault(child.name, []).append(child)
    inner = Situation((), "body", "a field of the body")
    fields: list[ParameterDraft] = []
    for name, children in grouped.items():
        children.sort(key=lambda mention: -mention.confidence)
        for child in children:
            child.location = "body"
        draft = _draft("body", name, children, inner, diagnostics)
        deeper = _fields(children, diagnostics, depth + 1)
        fields.append(draft.model_copy(update={"fields": deeper}) if deeper else draft)
    return tuple(fields)


__all__ = ["SEEN", "SHOWN", "Situation", "bare", "is_header_name", "merge"]
