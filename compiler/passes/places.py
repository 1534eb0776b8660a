"""Where each parameter is sent; credentials and fixed headers are taken out on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from doc2tools.compiler.ir.base import Location
from doc2tools.compiler.ir.draft import AuthDraft, ParameterDraft
from doc2tools.compiler.ir.source import Cited, Diagnostic
from doc2tools.compiler.passes.combine import merge_parameters
from doc2tools.compiler.passes.credentials import credential, credential_header
from doc2tools.compiler.passes.examples import is_blank
from doc2tools.compiler.passes.operation import Operation, split_query
from doc2tools.compiler.passes.paths import PLACEHOLDER, clean_placeholders, placeholders

BodyKind = Literal["none", "json", "form", "multipart", "text"]
"""How a body is sent, as in `Endpoint.body_kind`."""

BODY_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})
MOST_PARAMETERS = 150
_FIXED_HEADERS = frozenset({"content-type", "accept"})


@dataclass(frozen=True, slots=True)
class Placed:
    """A parameter with its wire name and its place; `inferred` says why, where it is not stated."""

    draft: ParameterDraft
    name: str
    location: Location
    inferred: str


@dataclass(frozen=True, slots=True)
class Placement:
    """An operation's parameters, each in its place.

    Attributes:
        path: The template, its placeholders with plain, distinct names.
        renamed: Placeholder as documented to placeholder as now named.
        auth: The scheme whose credential was among the parameters.
    """

    path: str
    renamed: dict[str, str]
    parameters: tuple[Placed, ...]
    fixed_headers: dict[str, str]
    body_kind: BodyKind
    auth: AuthDraft | None
    diagnostics: tuple[Diagnostic, ...]


def place_parameters(operation: Operation, schemes: Sequence[AuthDraft]) -> Placement:
    """Give every parameter of `operation` its place.

    Args:
        operation: With the parameters that its pages give for all their endpoints.
        schemes: Authentication that the documentation states; their carriers are no parameters.
    """
    draft = operation.draft
    path, renamed = clean_placeholders(operation.path) if operation.path else ("", {})
    slots = placeholders(path)
    own = merge_parameters((*draft.parameters, *_from_query(draft.path.value)))
    everything = merge_parameters((*own, *_fitting(operation, own, slots)))
    selectors = {name for name, _ in operation.selectors}
    headers = {k: v for k, v in draft.headers.items() if not credential_header(k)}
    auth: AuthDraft | None = None
    diagnostics: list[Diagnostic] = []
    kept: list[Placed] = []
    for parameter in _adopt(everything, renamed, slots)[:MOST_PARAMETERS]:
        placed = _place(parameter, renamed, operation)
        if not placed.name or (placed.name in selectors and placed.location == "query"):
            continue
        if placed.location == "path" and placed.name not in slots:
            diagnostics.append(_no_place(placed, operation))
            continue
        if placed.location == "header" and placed.name.lower() in _FIXED_HEADERS:
            value = _fixed(parameter)
            if value and not any(key.lower() == placed.name.lower() for key in headers):
                headers[placed.name] = value
            continue
        scheme = credential(parameter, placed.name, placed.location, schemes)
        auth = auth or scheme
        if scheme is None:
            kept.append(placed)
    kept = _distinct(kept, slots)
    known = {placed.name for placed in kept if placed.location == "path"}
    for slot in slots:
        if slot not in known:
            bare = ParameterDraft(name=Cited(value=slot, spans=draft.path.spans))
            kept.append(Placed(bare, slot, "path", "it is in the path template"))
    body_kind = _body_kind(operation, [placed.location for placed in kept])
    return Placement(
        path=path,
        renamed=renamed,
        parameters=tuple(_in_body(placed, body_kind) for placed in _ordered(kept, slots)),
        fixed_headers=headers,
        body_kind=body_kind,
        auth=auth,
        diagnostics=tuple(diagnostics),
    )


def _distinct(kept: Sequence[Placed], slots: Sequence[str]) -> list[Placed]:
    """Drop what is there twice: a path parameter seen again in a body, a body field in a form."""
    sure = {
        placed.name: placed.draft.location.confidence
        for placed in kept
        if placed.location == "path" and placed.draft.location is not None
    }
    found: dict[tuple[str, str], Placed] = {}
    for placed in kept:
        place = "body" if placed.location in {"body", "form"} else placed.location
        cited = placed.draft.location
        again = placed.name in slots and place == "body" and cited is not None
        if again and cited is not None and cited.confidence < sure.get(placed.name, 0.0):
            continue
        found.setdefault((placed.name, place), placed)
    return list(found.values())


def _fitting(
    operation: Operation, own: Sequence[ParameterDraft], slots: Sequence[str]
) -> list[ParameterDraft]:
    """Give the parameters stated for all endpoints that can apply to this one."""
    names = {parameter.name.value.strip() for parameter in own}
    found: list[ParameterDraft] = []
    for parameter in operation.shared:
        place = parameter.location.value if parameter.location else None
        name = parameter.name.value.strip()
        if place == "path" and name not in slots:
            continue
        if place in {"body", "form"} and operation.draft.method.value.upper() not in BODY_METHODS:
            continue
        if place is not None or name in slots or name not in names:
            found.append(parameter)
    return found


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


def _place(parameter: ParameterDraft, renamed: Mapping[str, str], operation: Operation) -> Placed:
    name = parameter.name.value.strip()
    method = operation.draft.method.value.upper()
    cited = parameter.location
    stated = cited.value if cited else None
    unsure = cited is None or bool(cited.inferred)
    if (name in renamed or name in renamed.values()) and (stated == "path" or unsure):
        reason = "" if stated == "path" else "its name is in the path template"
        return Placed(parameter, renamed.get(name, name), "path", reason)
    if stated in {"body", "form"} and method not in BODY_METHODS:
        return Placed(parameter, name, "query", f"a {method} request has no body")
    if cited is not None:
        return Placed(parameter, name, cited.value, cited.inferred)
    silent = "the documentation names no place"
    if method not in {"POST", "PUT", "PATCH"} or _in_sample_query(name, operation):
        return Placed(parameter, name, "query", f"{silent}; {method} parameters go into the query")
    kind: Location = "form" if operation.draft.body_kind in {"form", "multipart"} else "body"
    return Placed(parameter, name, kind, f"{silent}; {method} parameters go into the body")


def _in_sample_query(name: str, operation: Operation) -> bool:
    return any(
        name in {key for key, _ in split_query(sample.url)[1]} for sample in operation.draft.samples
    )


def _no_place(placed: Placed, operation: Operation) -> Diagnostic:
    spans = placed.draft.name.spans
    return Diagnostic(
        code="path-parameter-without-place",
        level="warning",
        message=f"path parameter {placed.name!r} is left out: it is not in {operation.full_path}",
        span=spans[0] if spans else operation.span,
        hint="check the path in the documentation",
    )


def _fixed(parameter: ParameterDraft) -> str:
    facts = (parameter.default, *parameter.examples)
    values = [fact.value for fact in facts if fact is not None]
    values.extend(parameter.enum.value[:1] if parameter.enum else ())
    value = next((value for value in values if isinstance(value, str) and not is_blank(value)), "")
    return value if "\n" not in value and "\r" not in value else ""


def _body_kind(operation: Operation, places: Sequence[Location]) -> BodyKind:
    kind = operation.draft.body_kind
    if operation.draft.method.value.upper() not in BODY_METHODS:
        return "none"
    if kind == "none" and "form" in places:
        return "form"
    if kind == "none" and "body" in places:
        return "json"
    return kind


def _in_body(placed: Placed, body_kind: BodyKind) -> Placed:
    if placed.location == "body" and body_kind in {"form", "multipart"}:
        return replace(placed, location="form")
    if placed.location == "form" and body_kind == "json":
        return replace(placed, location="body")
    return placed


def _ordered(kept: Sequence[Placed], slots: Sequence[str]) -> list[Placed]:
    order = {slot: index for index, slot in enumerate(slots)}
    in_path = [placed for placed in kept if placed.location == "path"]
    in_path.sort(key=lambda placed: order[placed.name])
    return in_path + [placed for placed in kept if placed.location != "path"]
