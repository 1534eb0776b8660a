"""Merge what several pages say about the same operation into one.

Operations are the same when method, selectors and the full path agree, names of placeholders and
the slash at the end aside. A concrete path on one page that fits a template of another becomes a
sample of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.draft import EndpointDraft, ParameterDraft, RequestSample
from doc2tools.compiler.ir.source import Cited
from doc2tools.compiler.passes.examples import looks_like_value, same_value
from doc2tools.compiler.passes.hosts import is_local, is_placeholder_host
from doc2tools.compiler.passes.operation import Operation
from doc2tools.compiler.passes.paths import (
    PLACEHOLDER,
    is_prefix,
    matcher,
    placeholders,
    segments,
    shape,
)
from doc2tools.compiler.passes.words import split_words

T = TypeVar("T")
Key = tuple[str, str, tuple[tuple[str, str], ...]]

MOST_TEMPLATES = 400
MOST_SAMPLES = 20
MOST_RESPONSES = 10


def merge(operations: Sequence[Operation], one_host: bool = False) -> tuple[Operation, ...]:
    """Give one operation for each that `operations` describe, in order of first appearance.

    Args:
        operations: In reading order, base URLs settled.
        one_host: All are on one host, whatever the documentation says (a base URL was configured).
    """
    groups: dict[Key, list[int]] = {}
    merged: list[Operation] = []
    for operation in operations:
        same = groups.setdefault(_key(operation), [])
        place = _place([merged[index] for index in same], operation, one_host)
        if place is None:
            same.append(len(merged))
            merged.append(operation)
        else:
            merged[same[place]] = combine(merged[same[place]], operation)
    return _fold_instances(_fold_short_forms(merged))


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
            "samples": _distinct((*one.samples, *other.samples))[:MOST_SAMPLES],
            "responses": _distinct((*one.responses, *other.responses))[:MOST_RESPONSES],
            "response_fields": _distinct((*one.response_fields, *other.response_fields)),
            "content_types": _distinct((*one.content_types, *other.content_types)),
            "auth": one.auth or other.auth,
            "pagination": one.pagination or other.pagination,
            "rate_limit": one.rate_limit or other.rate_limit,
            "deprecated": one.deprecated or other.deprecated,
            "rank": max(one.rank, other.rank),
            "reasons": _distinct((*one.reasons, *other.reasons)),
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
        shared=_distinct((*first.shared, *second.shared)),
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
    spans = _distinct(span for source in sources for span in source.spans)
    return kept.model_copy(update={"spans": spans})


def _distinct(items: Iterable[T]) -> tuple[T, ...]:
    kept: list[T] = []
    for item in items:
        if item not in kept:
            kept.append(item)
    return tuple(kept)


def _distinct_values(examples: Iterable[Cited[JsonValue]]) -> tuple[Cited[JsonValue], ...]:
    kept: list[Cited[JsonValue]] = []
    for example in examples:
        if not any(same_value(example.value, known.value) for known in kept):
            kept.append(example)
    return tuple(kept)


def _key(operation: Operation) -> Key:
    return (
        operation.draft.method.value.upper(),
        shape(operation.full_path),
        tuple(sorted(operation.selectors)),
    )


def _place(same: Sequence[Operation], other: Operation, one_host: bool) -> int | None:
    """Give the index in `same` of the operation that `other` describes too, if there is one."""
    names = placeholders(other.full_path)
    options = [
        index
        for index, known in enumerate(same)
        if (one_host or _same_host(known, other))
        and (placeholders(known.full_path) == names or not set(known.pages) & set(other.pages))
    ]
    for index in options:
        if placeholders(same[index].full_path) == names:
            return index
    return options[0] if options else None


def _same_host(one: Operation, other: Operation) -> bool:
    if one.origin == other.origin or not one.origin or not other.origin:
        return True
    loose = (is_local(one.origin), is_placeholder_host(one.origin))
    loose_other = (is_local(other.origin), is_placeholder_host(other.origin))
    return any(loose) or any(loose_other) or bool(set(one.pages) & set(other.pages))


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


def _fold_short_forms(operations: Sequence[Operation]) -> list[Operation]:
    """Fold `/users` into `/api/v2/users` where most paths start with `/api/v2`."""
    heads = Counter(_head(operation) for operation in operations)
    usual = {head for head, count in heads.items() if head and count * 2 >= len(operations)}
    places = {_key(operation): index for index, operation in enumerate(operations)}
    kept: list[Operation | None] = list(operations)
    for index, operation in enumerate(operations):
        for head in sorted(usual - {_head(operation)}):
            method, below, selectors = _key(operation)
            other = places.get((method, head + below.rstrip("/"), selectors))
            whole = kept[other] if other is not None else None
            if whole is not None and _same_host(whole, operation):
                kept[places[_key(whole)]] = combine(whole, _moved(operation, whole))
                kept[index] = None
                break
    return [operation for operation in kept if operation is not None]


def _head(operation: Operation) -> str:
    """Give the prefix of a path that names no resource, such as `/api/v2`."""
    parts: list[str] = []
    for part in segments(operation.full_path):
        if not is_prefix(part):
            break
        parts.append(part)
    return "/" + "/".join(parts) if parts else ""


def _moved(operation: Operation, whole: Operation) -> Operation:
    draft = operation.draft.model_copy(
        update={"path": operation.draft.path.model_copy(update={"confidence": 0.0})}
    )
    return replace(
        operation, draft=draft, path=whole.path, prefix=whole.prefix, documented=whole.documented
    )


def _fold_instances(operations: Sequence[Operation]) -> tuple[Operation, ...]:
    """Fold concrete paths into the templates of other pages that they are instances of."""
    kept = list(operations)
    templates: dict[tuple[str, int], list[int]] = {}
    for index, operation in enumerate(kept):
        if PLACEHOLDER.search(operation.full_path):
            templates.setdefault(_rough(operation), []).append(index)
    folded: set[int] = set()
    for index, operation in enumerate(kept):
        if PLACEHOLDER.search(operation.full_path):
            continue
        for other in templates.get(_rough(operation), ())[:MOST_TEMPLATES]:
            values = instance_of(operation, kept[other])
            if values is not None:
                kept[other] = _fold(kept[other], operation, values)
                folded.add(index)
                break
    return tuple(operation for index, operation in enumerate(kept) if index not in folded)


def _rough(operation: Operation) -> tuple[str, int]:
    """Give what an instance and its template have in common for sure."""
    return operation.draft.method.value.upper(), len(segments(operation.full_path))


def instance_of(operation: Operation, template: Operation) -> dict[str, str] | None:
    """Give the values for the placeholders of `template` if `operation` is an instance of it."""
    concrete, general = operation.full_path, template.full_path
    if (
        PLACEHOLDER.search(concrete)
        or not PLACEHOLDER.search(general)
        or operation.draft.method.value != template.draft.method.value
        or sorted(operation.selectors) != sorted(template.selectors)
        or set(operation.pages) & set(template.pages)
        or len(concrete) > 500
        or len(segments(concrete)) != len(segments(general))
    ):
        return None
    match = matcher(general).fullmatch("/" + "/".join(segments(concrete)))
    if not match:
        return None
    values = dict(zip(placeholders(general), match.groups(), strict=True))
    draft = operation.draft
    bare = not (draft.summary or draft.description or draft.parameters)
    if bare or all(looks_like_value(text, _known(template, name)) for name, text in values.items()):
        return dict(values)
    return None


def _known(template: Operation, name: str) -> tuple[JsonValue, ...]:
    known: list[JsonValue] = [
        sample.values[name] for sample in template.draft.samples if name in sample.values
    ]
    for parameter in template.draft.parameters:
        if parameter.name.value == name:
            known.extend(example.value for example in parameter.examples)
            known.extend(parameter.enum.value if parameter.enum else ())
    return tuple(known)


def _fold(template: Operation, instance: Operation, values: dict[str, str]) -> Operation:
    url = instance.full_path
    sample = RequestSample(
        method=instance.draft.method.value,
        url=url,
        values=dict(values),
        spans=instance.draft.path.spans,
    )
    samples = tuple(
        shown.model_copy(update={"values": {**values, **shown.values}})
        for shown in instance.draft.samples
    )
    draft = instance.draft.model_copy(
        update={"samples": samples or (sample,), "path": template.draft.path, "title": ""}
    )
    draft = draft.model_copy(
        update={"path": draft.path.model_copy(update={"spans": instance.draft.path.spans})}
    )
    return combine(
        template, replace(instance, draft=draft, path=template.path, prefix=template.prefix)
    )
