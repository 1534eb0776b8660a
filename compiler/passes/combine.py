"""Unite what two pages say about one operation: words, parameters, samples, evidence."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.draft import EndpointDraft, ParameterDraft
from doc2tools.compiler.ir.source import Cited
from doc2tools.compiler.passes.examples import same_value
from doc2tools.compiler.passes.operation import Operation
from doc2tools.compiler.passes.paths import PLACEHOLDER, placeholders
from doc2tools.compiler.passes.words import split_words

T = TypeVar("T")
H = TypeVar("H", bound=Hashable)

MOST_SHARED = 100
MOST_SPANS = 50
MOST_SAMPLES = 20
MOST_RESPONSES = 10


def combine(first: Operation, second: Operation) -> Operation:
    """Unite two descriptions of one operation; the better evidence wins, then the earlier one.

    Words are taken from one of the two, the page that is about the operation: a page that only
    mentions it speaks of something else.
    """
    pages = _distinct((*first.pages, *second.pages))
    if _about(second) > _about(first):
        first, second = second, first
    names = dict(zip(placeholders(second.full_path), placeholders(first.full_path), strict=False))
    other = _rename(second.draft, {old: new for old, new in names.items() if old != new})
    one = first.draft
    path_holder = first if _better(one.path, other.path) is one.path else second
    own = first if first.own_origin or not second.own_origin else second
    words = one if one.summary or one.description else other
    keep_path = path_holder is first or placeholders(first.path) != placeholders(second.path)
    draft = one.model_copy(
        update={
            "method": _better(one.method, other.method),
            "path": _with_spans(one.path if keep_path else other.path, one.path, other.path),
            "title": one.title or words.title,
            "summary": words.summary,
            "description": words.description,
            "section": words.section or one.section,
            "parameters": merge_parameters((*one.parameters, *other.parameters)),
            "headers": {**other.headers, **one.headers},
            "body_kind": one.body_kind if one.body_kind != "none" else other.body_kind,
            "samples": _unlike((*one.samples, *other.samples), MOST_SAMPLES),
            "responses": _unlike((*one.responses, *other.responses), MOST_RESPONSES),
            "response_fields": _distinct((*one.response_fields, *other.response_fields)),
            "answer_fields": one.answer_fields or other.answer_fields,
            "content_types": _distinct((*one.content_types, *other.content_types)),
            "auth": one.auth or other.auth,
            "pagination": one.pagination or other.pagination,
            "rate_limit": one.rate_limit or other.rate_limit,
            "deprecated": one.deprecated or other.deprecated,
            "rank": max(one.rank, other.rank),
            "reasons": _distinct((*one.reasons, *other.reasons))[:MOST_SPANS],
        }
    )
    return replace(
        first,
        draft=draft,
        pages=pages,
        path=first.path if keep_path else second.path,
        prefix=first.prefix if keep_path else second.prefix,
        origin=own.origin or first.origin or second.origin,
        own_origin=own.own_origin,
        base_reason=own.base_reason,
        auth=first.auth or second.auth,
        pagination=first.pagination or second.pagination,
        rate_limit=first.rate_limit or second.rate_limit,
        shared=_unlike((*first.shared, *second.shared), MOST_SHARED),
    )


def _about(operation: Operation) -> tuple[int, bool, float, int]:
    """Rank how much the text around an operation is about it."""
    draft = operation.draft
    heading = " ".join((*draft.section[-2:], draft.title))
    literal = set(split_words(PLACEHOLDER.sub(" ", draft.path.value.partition("?")[0])))
    named = bool(literal) and literal <= set(split_words(heading))
    verb = named and draft.method.value.upper() in heading.upper()
    return (int(named) + int(verb), not draft.method.inferred, draft.rank, len(draft.parameters))


def merge_parameters(parameters: Iterable[ParameterDraft]) -> tuple[ParameterDraft, ...]:
    """Unite drafts of the same parameter: same name, and places that do not contradict."""
    merged: list[ParameterDraft] = []
    for parameter in parameters:
        for index, known in enumerate(merged):
            if _same_parameter(known, parameter):
                merged[index] = _unite(known, parameter)
                break
        else:
            merged.append(parameter)
    return tuple(merged)


def _same_parameter(one: ParameterDraft, other: ParameterDraft) -> bool:
    if one.name.value.strip() != other.name.value.strip():
        return False
    if one.location is None or other.location is None:
        return True
    if one.location.value == other.location.value:
        return True
    sure = not one.location.inferred and not other.location.inferred
    return not sure


def _unite(one: ParameterDraft, other: ParameterDraft) -> ParameterDraft:
    return one.model_copy(
        update={
            "name": _with_spans(one.name, one.name, other.name),
            "location": _better(one.location, other.location),
            "type": _better(one.type, other.type),
            "item_type": one.item_type or other.item_type,
            "required": _better(one.required, other.required),
            "default": _better(one.default, other.default),
            "enum": _better(one.enum, other.enum),
            "format": one.format or other.format,
            "pattern": one.pattern or other.pattern,
            "minimum": one.minimum if one.minimum is not None else other.minimum,
            "maximum": one.maximum if one.maximum is not None else other.maximum,
            "examples": _distinct_values((*one.examples, *other.examples)),
            "description": one.description or other.description,
            "deprecated": one.deprecated or other.deprecated,
            "fields": merge_parameters((*one.fields, *other.fields)),
        }
    )


def _better(one: Cited[T] | None, other: Cited[T] | None) -> Cited[T] | None:
    if one is None or other is None:
        return one or other
    if bool(one.inferred) != bool(other.inferred):
        return other if one.inferred else one
    return other if other.confidence > one.confidence else one


def _with_spans(kept: Cited[T], *sources: Cited[T]) -> Cited[T]:
    spans = {str(span): span for source in sources for span in source.spans}
    return kept.model_copy(update={"spans": tuple(spans.values())[:MOST_SPANS]})


def _distinct(items: Iterable[H]) -> tuple[H, ...]:
    return tuple(dict.fromkeys(items))


def _unlike(items: Sequence[T], most: int) -> tuple[T, ...]:
    """Give the first `most` different of `items`, which need not be hashable."""
    kept: list[T] = []
    for item in items[: 10 * most]:
        if item not in kept:
            kept.append(item)
    return tuple(kept[:most])


def _distinct_values(examples: Iterable[Cited[JsonValue]]) -> tuple[Cited[JsonValue], ...]:
    kept: list[Cited[JsonValue]] = []
    for example in examples:
        if not any(same_value(example.value, known.value) for known in kept):
            kept.append(example)
    return tuple(kept)


def _rename(draft: EndpointDraft, names: dict[str, str]) -> EndpointDraft:
    if not names:
        return draft
    parameters = tuple(_renamed(parameter, names) for parameter in draft.parameters)
    samples = tuple(
        sample.model_copy(
            update={"values": {names.get(key, key): value for key, value in sample.values.items()}}
        )
        for sample in draft.samples
    )
    return draft.model_copy(update={"parameters": parameters, "samples": samples})


def _renamed(parameter: ParameterDraft, names: dict[str, str]) -> ParameterDraft:
    name = names.get(parameter.name.value)
    if name is None or (parameter.location is not None and parameter.location.value != "path"):
        return parameter
    return parameter.model_copy(update={"name": parameter.name.model_copy(update={"value": name})})
