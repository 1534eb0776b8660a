"""Merge what several pages say about the same operation into one.

Operations are the same when method, selectors and the full path agree, names of placeholders and
the slash at the end aside. A concrete path on one page that fits a template of another becomes a
sample of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.draft import RequestSample
from doc2tools.compiler.passes.combine import combine
from doc2tools.compiler.passes.examples import looks_like_value
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

Pattern = tuple[str | None, ...]
Key = tuple[str, str, tuple[tuple[str, str], ...]]

MOST_TEMPLATES = 50
MOST_ALIKE = 50


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
        for index, known in enumerate(same[:MOST_ALIKE])
        if (one_host or _same_host(known, other))
        and (placeholders(known.full_path) == names or not set(known.pages) & set(other.pages))
    ]
    for index in options:
        if placeholders(same[index].full_path) == names:
            return index
    crowded = 0 if len(same) >= MOST_ALIKE else None
    return options[0] if options else crowded


def _same_host(one: Operation, other: Operation) -> bool:
    if one.origin == other.origin or not one.origin or not other.origin:
        return True
    loose = (is_local(one.origin), is_placeholder_host(one.origin))
    loose_other = (is_local(other.origin), is_placeholder_host(other.origin))
    return any(loose) or any(loose_other) or bool(set(one.pages) & set(other.pages))


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
    templates: dict[tuple[str, Pattern], list[int]] = {}
    for index, operation in enumerate(kept):
        if PLACEHOLDER.search(operation.full_path):
            templates.setdefault(_pattern(operation), []).append(index)
    slots: dict[int, set[tuple[int, ...]]] = {}
    for _, pattern in templates:
        places = tuple(place for place, part in enumerate(pattern) if part is None)
        slots.setdefault(len(pattern), set()).add(places)
    folded: set[int] = set()
    for index, operation in enumerate(kept):
        parts = segments(operation.full_path)
        options = (
            other
            for places in sorted(slots.get(len(parts), ()))
            for other in templates.get(_masked(operation, parts, places), ())[:MOST_TEMPLATES]
        )
        for other in options:
            values = instance_of(operation, kept[other])
            if values is not None:
                kept[other] = _fold(kept[other], operation, values)
                folded.add(index)
                break
    return tuple(operation for index, operation in enumerate(kept) if index not in folded)


def _pattern(operation: Operation) -> tuple[str, Pattern]:
    """Give a template's method and fixed segments, with `None` where it has a placeholder."""
    parts = segments(operation.full_path)
    pattern = tuple(None if PLACEHOLDER.search(part) else part for part in parts)
    return operation.draft.method.value.upper(), pattern


def _masked(
    operation: Operation, parts: Sequence[str], places: Sequence[int]
) -> tuple[str, Pattern]:
    """Give what the pattern of a template with placeholders at `places` would have to be."""
    pattern = tuple(None if place in places else part for place, part in enumerate(parts))
    return operation.draft.method.value.upper(), pattern


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
