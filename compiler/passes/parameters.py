"""Settle an operation's parameters: type, default, identifier, examples, and whole samples."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from doc2tools.compiler.ir.base import JsonValue, Location, ValueType
from doc2tools.compiler.ir.draft import AuthDraft, ParameterDraft, RequestSample
from doc2tools.compiler.ir.source import Diagnostic, Span
from doc2tools.compiler.ir.spec import Example, Parameter
from doc2tools.compiler.passes.examples import (
    has_slot,
    is_example,
    is_secret_name,
    same_value,
)
from doc2tools.compiler.passes.operation import Operation
from doc2tools.compiler.passes.places import MOST_PARAMETERS, BodyKind, Placed, place_parameters
from doc2tools.compiler.passes.types import array_style, coerce, infer_type
from doc2tools.compiler.passes.words import identifier

Sample = tuple[dict[str, JsonValue], tuple[Span, ...]]
"""Values of one sample by wire name, and where it stands."""

_ENCODED = re.compile(r"%[0-9A-Fa-f]{2}")
RESERVED = frozenset({"self", "cls", "client"})
MOST_EXAMPLES = 12


@dataclass(frozen=True, slots=True)
class Settlement:
    """What became of an operation's parameters."""

    path: str
    parameters: tuple[Parameter, ...]
    fixed_headers: dict[str, str]
    samples: tuple[dict[str, JsonValue], ...]
    body_kind: BodyKind
    auth: AuthDraft | None
    diagnostics: tuple[Diagnostic, ...]


def settle_parameters(operation: Operation, schemes: Sequence[AuthDraft]) -> Settlement:
    """Settle the parameters of `operation`.

    Args:
        operation: With the parameters that its pages give for all their endpoints.
        schemes: Authentication that the documentation states; their carriers are no parameters.
    """
    placement = place_parameters(operation, schemes)
    places: dict[str, Location] = {
        placed.name: placed.location for placed in reversed(placement.parameters)
    }
    samples = _samples(operation.draft.samples, placement.renamed, places)
    used: set[str] = set()
    settled = [_settle(placed, samples, used) for placed in placement.parameters]
    return Settlement(
        path=placement.path,
        parameters=tuple(settled),
        fixed_headers=placement.fixed_headers,
        samples=_usable(samples, settled),
        body_kind=placement.body_kind,
        auth=placement.auth,
        diagnostics=placement.diagnostics,
    )


def _samples(
    samples: Sequence[RequestSample],
    renamed: Mapping[str, str],
    places: Mapping[str, Location],
) -> list[Sample]:
    """Give the values of each sample by wire name, blanks and secrets left out."""
    found: list[Sample] = []
    for sample in samples:
        values: dict[str, JsonValue] = {}
        blanks = 0
        for documented, shown in sample.values.items():
            name = documented if documented in places else renamed.get(documented, documented)
            if name not in places:
                continue
            value = _decoded(shown)
            if not is_example(value, name, places[name]):
                blanks += 1
            else:
                values[name] = value
        schematic = blanks and blanks * 2 >= blanks + len(values)
        if schematic:
            values = {k: v for k, v in values.items() if not _one_letter(v)}
        found.append((values, sample.spans))
    return found


def _decoded(value: JsonValue) -> JsonValue:
    """Give a value that was cut out of a URL as it was before percent-encoding."""
    if isinstance(value, str) and _ENCODED.search(value):
        return unquote(value, errors="replace")
    return value


def _bare(value: JsonValue, name: str) -> JsonValue:
    """Give the value of an example that is written as `name=value`."""
    return value.removeprefix(f"{name}=") if isinstance(value, str) else value


def _one_letter(value: JsonValue) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"[A-Za-z]", value))


def _settle(placed: Placed, samples: Sequence[Sample], used: set[str]) -> Parameter:
    draft, name, place = placed.draft, placed.name, placed.location
    secret = is_secret_name(name)
    examples = _examples(placed, samples)
    default = draft.default.value if draft.default and not secret else None
    kind, item_type = infer_type(draft, name, place, [example.value for example in examples])
    style = array_style(name, kind, draft.description, examples)
    usable: list[Example] = []
    unfit: list[Example] = []
    for example in examples:
        value = coerce(example.value, kind)
        if value is None:
            unfit.append(example)
        elif not any(same_value(value, known.value) for known in usable):
            usable.append(example.model_copy(update={"value": value}))
    default = None if default is None else coerce(default, kind)
    required = place == "path" or bool(draft.required and draft.required.value)
    if place != "path" and default is not None and draft.required and draft.required.inferred:
        required = False
    return Parameter(
        name=name,
        identifier=_argument(name, place, used),
        location=place,
        type=kind,
        item_type=item_type,
        required=required,
        default=default,
        enum=_enum(draft, kind),
        format=draft.format,
        pattern=draft.pattern,
        minimum=draft.minimum,
        maximum=draft.maximum,
        style=style,
        examples=tuple(usable[:MOST_EXAMPLES]),
        unfit_examples=tuple(unfit[:MOST_EXAMPLES]),
        description=draft.description,
        deprecated=draft.deprecated,
        fields=_fields(draft.fields, place),
        spans=draft.name.spans,
        inferred=placed.inferred or draft.name.inferred,
    )


def _fields(fields: Sequence[ParameterDraft], place: Location) -> tuple[Parameter, ...]:
    used: set[str] = set()
    return tuple(
        _settle(Placed(field, field.name.value.strip(), place, ""), (), used)
        for field in fields[:MOST_PARAMETERS]
        if field.name.value.strip()
    )


def _argument(name: str, place: Location, used: set[str]) -> str:
    chosen = identifier(name, "value", RESERVED)[:60]
    options = [chosen, f"{chosen}_{place}"]
    options.extend(f"{chosen}_{number}" for number in range(2, len(used) + 3))
    free = next(option for option in options if option not in used)
    used.add(free)
    return free


def _enum(draft: ParameterDraft, kind: ValueType) -> tuple[JsonValue, ...]:
    """Give the values that are allowed; none if some are only described."""
    values = draft.enum.value if draft.enum else ()
    if any(has_slot(value) for value in values):
        return ()
    typed = [coerce(value, kind) for value in values]
    return tuple(_distinct([value for value in typed if value is not None]))


def _examples(placed: Placed, samples: Sequence[Sample]) -> list[Example]:
    draft, name = placed.draft, placed.name
    found: list[Example] = []
    cited = [(_decoded(_bare(fact.value, name)), fact.spans) for fact in draft.examples]
    described = draft.enum is not None and any(has_slot(value) for value in draft.enum.value)
    if draft.enum is not None and described:
        cited.extend((v, draft.enum.spans) for v in draft.enum.value if not has_slot(v))
    cited.extend((values[name], spans) for values, spans in samples if name in values)
    for value, spans in cited:
        if not is_example(value, name, placed.location):
            continue
        if any(same_value(value, known.value) for known in found):
            continue
        found.append(Example(value=value, origin="documented", spans=spans))
    return found


def _distinct(values: Sequence[JsonValue]) -> list[JsonValue]:
    kept: list[JsonValue] = []
    for value in values:
        if not any(same_value(value, known) for known in kept):
            kept.append(value)
    return kept


def _usable(
    samples: Sequence[Sample], settled: Sequence[Parameter]
) -> tuple[dict[str, JsonValue], ...]:
    """Give the samples that set every required parameter, values in their types."""
    kinds: dict[str, ValueType] = {parameter.name: parameter.type for parameter in settled}
    required = {parameter.name for parameter in settled if parameter.required}
    kept: list[dict[str, JsonValue]] = []
    for values, _ in samples:
        coerced = {name: coerce(value, kinds[name]) for name, value in values.items()}
        complete: dict[str, JsonValue] = {
            name: value for name, value in coerced.items() if value is not None
        }
        if required <= set(complete) and (complete or not required) and complete not in kept:
            kept.append(complete)
    return tuple(kept)
