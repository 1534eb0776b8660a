"""Settle an operation's parameters: place, type, required, identifier, examples; credentials go."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from doc2tools.compiler.ir.base import JsonValue, Location, ValueType
from doc2tools.compiler.ir.draft import AuthDraft, ParameterDraft, RequestSample
from doc2tools.compiler.ir.source import Cited, Diagnostic, Span
from doc2tools.compiler.ir.spec import Example, Parameter
from doc2tools.compiler.passes.credentials import credential
from doc2tools.compiler.passes.examples import is_blank, is_secret_name, same_value
from doc2tools.compiler.passes.merge import merge_parameters
from doc2tools.compiler.passes.operation import Operation, split_query
from doc2tools.compiler.passes.paths import PLACEHOLDER, clean_placeholders, placeholders
from doc2tools.compiler.passes.types import array_style, coerce, infer_type
from doc2tools.compiler.passes.words import identifier

BODY_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})
RESERVED = frozenset(
    {
        "self", "cls", "client", "fields", "str", "int", "float", "bool", "list", "dict", "tuple",
        "set", "bytes", "object", "sequence", "mapping", "any", "literal", "none", "true", "false",
    }
)  # fmt: skip
MOST_EXAMPLES = 12
MOST_PARAMETERS = 150
_FIXED_HEADERS = frozenset({"content-type", "accept"})


@dataclass(frozen=True, slots=True)
class Settlement:
    """What became of an operation's parameters."""

    path: str
    parameters: tuple[Parameter, ...]
    fixed_headers: dict[str, str]
    samples: tuple[dict[str, JsonValue], ...]
    body_kind: str
    auth: AuthDraft | None
    diagnostics: tuple[Diagnostic, ...]


def settle_parameters(operation: Operation, schemes: Sequence[AuthDraft]) -> Settlement:
    """Settle the parameters of `operation`.

    Args:
        operation: With the parameters that its pages give for all their endpoints.
        schemes: Authentication that the documentation states; their carriers are no parameters.
    """
    draft = operation.draft
    path, renamed = clean_placeholders(operation.path) if operation.path else ("", {})
    drafts = merge_parameters(
        (*draft.parameters, *_from_query(draft.path.value), *operation.shared)
    )
    selectors = {name for name, _ in operation.selectors}
    headers = {k: v for k, v in draft.headers.items() if not credential_header(k)}
    auth: AuthDraft | None = None
    diagnostics: list[Diagnostic] = []
    kept: list[tuple[ParameterDraft, str, Location, str]] = []
    slots = placeholders(path)
    drafts = _adopt(drafts, renamed, slots)
    for parameter in drafts[:MOST_PARAMETERS]:
        name = parameter.name.value.strip()
        place, inferred = _place(parameter, name, renamed, operation)
        if not name or (name in selectors and place == "query"):
            continue
        if place == "path":
            name = renamed.get(name, name)
            if name not in slots:
                diagnostics.append(_no_place(name, operation, parameter.name.spans))
                continue
        elif place == "header" and name.lower() in _FIXED_HEADERS:
            value = _fixed(parameter)
            if value and not any(key.lower() == name.lower() for key in headers):
                headers[name] = value
            continue
        elif place in {"query", "header", "cookie"}:
            scheme = credential(parameter, name, place, schemes)
            if scheme is not None:
                auth = auth or scheme
                continue
        kept.append((parameter, name, place, inferred))
    for slot in slots:
        if not any(name == slot and place == "path" for _, name, place, _ in kept):
            kept.append((_bare(slot, draft.path.spans), slot, "path", "it is in the path template"))
    body_kind = _body_kind(operation, [place for _, _, place, _ in kept])
    samples = _samples(draft.samples, renamed, {name for _, name, _, _ in kept}, path, operation)
    used: set[str] = set()
    settled = [
        _settle(parameter, name, _match_body(place, body_kind), inferred, samples, used)
        for parameter, name, place, inferred in _ordered(kept, slots)
    ]
    return Settlement(
        path=path,
        parameters=tuple(settled),
        fixed_headers=headers,
        samples=_usable(samples, settled),
        body_kind=body_kind,
        auth=auth,
        diagnostics=tuple(diagnostics),
    )


def credential_header(name: str) -> bool:
    """Tell whether a header of this name carries a credential."""
    return name.lower() in {"authorization", "proxy-authorization", "cookie"} or is_secret_name(
        name
    )


def _from_query(path: str) -> tuple[ParameterDraft, ...]:
    """Give the parameters that stand in the template's query with a placeholder for a value."""
    found: list[ParameterDraft] = []
    for name, value in split_query(path)[1]:
        if PLACEHOLDER.search(value):
            found.append(
                ParameterDraft(
                    name=Cited(value=name, inferred="it is in the query of the template"),
                    location=Cited[Location](value="query", inferred="it is in the query"),
                )
            )
    return tuple(found)


def _adopt(
    drafts: Sequence[ParameterDraft], renamed: Mapping[str, str], slots: Sequence[str]
) -> tuple[ParameterDraft, ...]:
    """Give the one path parameter whose name is in no slot the name of the one slot left free."""
    names = {renamed.get(draft.name.value.strip(), draft.name.value.strip()) for draft in drafts}
    free = [slot for slot in slots if slot not in names]
    homeless = [
        index
        for index, draft in enumerate(drafts)
        if draft.location is not None
        and draft.location.value == "path"
        and renamed.get(draft.name.value.strip(), draft.name.value.strip()) not in slots
    ]
    adopted = list(drafts)
    if len(free) == len(homeless) == 1:
        draft = drafts[homeless[0]]
        name = draft.name.model_copy(update={"value": free[0]})
        adopted[homeless[0]] = draft.model_copy(update={"name": name})
    return tuple(adopted)


def _place(
    parameter: ParameterDraft, name: str, renamed: Mapping[str, str], operation: Operation
) -> tuple[Location, str]:
    method = operation.draft.method.value.upper()
    stated = parameter.location.value if parameter.location else None
    in_path = name in renamed or name in renamed.values()
    if in_path and (
        stated in {None, "path"} or (parameter.location and parameter.location.inferred)
    ):
        return "path", "" if stated == "path" else "its name is in the path template"
    if stated in {"body", "form"} and method not in BODY_METHODS:
        return "query", f"a {method} request has no body"
    if stated is not None:
        return stated, parameter.location.inferred if parameter.location else ""
    if method in {"GET", "HEAD", "DELETE", "OPTIONS"} or _in_sample_query(name, operation):
        return "query", f"the documentation names no place; {method} parameters go into the query"
    kind: Location = "form" if operation.draft.body_kind in {"form", "multipart"} else "body"
    return kind, f"the documentation names no place; {method} parameters go into the body"


def _in_sample_query(name: str, operation: Operation) -> bool:
    return any(
        name in {key for key, _ in split_query(sample.url)[1]} for sample in operation.draft.samples
    )


def _no_place(name: str, operation: Operation, spans: Sequence[Span]) -> Diagnostic:
    return Diagnostic(
        code="path-parameter-without-place",
        level="warning",
        message=f"path parameter {name!r} has no place in {operation.full_path}; it is left out",
        span=spans[0] if spans else operation.span,
        hint="check the path in the documentation",
    )


def _fixed(parameter: ParameterDraft) -> str:
    facts = (parameter.default, *parameter.examples)
    values = [fact.value for fact in facts if fact is not None]
    values.extend(parameter.enum.value[:1] if parameter.enum else ())
    value = next((value for value in values if isinstance(value, str) and not is_blank(value)), "")
    return value if "\n" not in value and "\r" not in value else ""


def _bare(name: str, spans: tuple[Span, ...]) -> ParameterDraft:
    return ParameterDraft(name=Cited(value=name, spans=spans))


def _body_kind(operation: Operation, places: Sequence[Location]) -> str:
    kind = operation.draft.body_kind
    if operation.draft.method.value.upper() not in BODY_METHODS:
        return "none"
    if kind == "none" and "form" in places:
        return "form"
    if kind == "none" and "body" in places:
        return "json"
    return kind


def _match_body(place: Location, body_kind: str) -> Location:
    if place == "body" and body_kind in {"form", "multipart"}:
        return "form"
    if place == "form" and body_kind == "json":
        return "body"
    return place


def _ordered(
    kept: Sequence[tuple[ParameterDraft, str, Location, str]], slots: Sequence[str]
) -> list[tuple[ParameterDraft, str, Location, str]]:
    order = {slot: index for index, slot in enumerate(slots)}
    in_path = [item for item in kept if item[2] == "path"]
    in_path.sort(key=lambda item: order[item[1]])
    return in_path + [item for item in kept if item[2] != "path"]


def _samples(
    samples: Sequence[RequestSample],
    renamed: Mapping[str, str],
    names: set[str],
    path: str,
    operation: Operation,
) -> list[tuple[dict[str, JsonValue], tuple[Span, ...]]]:
    """Give the values of each sample by wire name, blanks and secrets left out."""
    found: list[tuple[dict[str, JsonValue], tuple[Span, ...]]] = []
    for sample in samples:
        values: dict[str, JsonValue] = {}
        blanks = 0
        for documented, value in sample.values.items():
            name = documented if documented in names else renamed.get(documented, documented)
            if name not in names:
                continue
            if is_secret_name(name) or is_blank(value, name):
                blanks += 1
            else:
                values[name] = value
        schematic = blanks and blanks * 2 >= blanks + len(values)
        if schematic:
            values = {k: v for k, v in values.items() if not _one_letter(v)}
        found.append((values, sample.spans))
    return found


def _one_letter(value: JsonValue) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"[A-Za-z]", value))


def _settle(
    draft: ParameterDraft,
    name: str,
    place: Location,
    inferred: str,
    samples: Sequence[tuple[dict[str, JsonValue], tuple[Span, ...]]],
    used: set[str],
) -> Parameter:
    secret = is_secret_name(name)
    examples = [] if secret else _examples(draft, name, samples)
    default = draft.default.value if draft.default and not secret else None
    enum = _distinct(draft.enum.value if draft.enum else ())
    kind, item_type = infer_type(draft, name, place, [example.value for example in examples])
    style = array_style(name, kind, draft.description, examples)
    usable = [
        example.model_copy(update={"value": coerced})
        for example in examples
        if (coerced := coerce(example.value, kind)) is not None
    ]
    if isinstance(default, str):
        default = coerce(default, kind)
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
        enum=tuple(enum),
        format=draft.format,
        pattern=draft.pattern,
        minimum=draft.minimum,
        maximum=draft.maximum,
        style=style,
        examples=tuple(usable[:MOST_EXAMPLES]),
        description=draft.description,
        deprecated=draft.deprecated,
        fields=_fields(draft.fields, place),
        spans=draft.name.spans,
        inferred=inferred or draft.name.inferred,
    )


def _fields(fields: Sequence[ParameterDraft], place: Location) -> tuple[Parameter, ...]:
    used: set[str] = set()
    return tuple(
        _settle(field, field.name.value.strip(), place, "", (), used)
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


def _examples(
    draft: ParameterDraft,
    name: str,
    samples: Sequence[tuple[dict[str, JsonValue], tuple[Span, ...]]],
) -> list[Example]:
    found: list[Example] = []
    cited = [(fact.value, fact.spans) for fact in draft.examples]
    cited.extend((values[name], spans) for values, spans in samples if name in values)
    for value, spans in cited:
        if is_blank(value, name) or any(same_value(value, known.value) for known in found):
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
    samples: Sequence[tuple[dict[str, JsonValue], tuple[Span, ...]]], settled: Sequence[Parameter]
) -> tuple[dict[str, JsonValue], ...]:
    """Give the samples that set every required parameter, values in their types."""
    kinds: dict[str, ValueType] = {parameter.name: parameter.type for parameter in settled}
    required = {parameter.name for parameter in settled if parameter.required}
    kept: list[dict[str, JsonValue]] = []
    for values, _ in samples:
        coerced = {name: coerce(value, kinds[name]) for name, value in values.items()}
        complete = {name: value for name, value in coerced.items() if value is not None}
        if required <= set(complete) and (complete or not required) and complete not in kept:
            kept.append(complete)
    return tuple(kept)
