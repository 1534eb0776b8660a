"""What an operation sends: its parameters and its body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from doc2tools.compiler.extract.openapi_schema import (
    References,
    Schema,
    cited,
    fields_of,
    parameter_draft,
)
from doc2tools.compiler.extract.openapi_tree import Map, plain
from doc2tools.compiler.ir.base import JsonValue, Location
from doc2tools.compiler.ir.draft import ParameterDraft

BodyKind = Literal["none", "json", "form", "multipart", "text"]

_LOCATIONS: dict[str, Location] = {
    "path": "path",
    "query": "query",
    "header": "header",
    "cookie": "cookie",
    "formData": "form",
}
_CONTENT_KINDS: tuple[tuple[str, BodyKind], ...] = (
    ("json", "json"),
    ("x-www-form-urlencoded", "form"),
    ("multipart", "multipart"),
)
_SET_ELSEWHERE = frozenset(("accept", "content-type", "authorization"))


@dataclass(frozen=True, slots=True)
class Request:
    """An operation's request; `example` is a whole body and its line."""

    parameters: tuple[ParameterDraft, ...]
    body_kind: BodyKind
    example: tuple[JsonValue, int] | None


def read_request(
    references: References, root: Map, item: Map, operation: Map, *, old: bool
) -> Request:
    """Read the parameters of a path item and its operation, which win, and the body.

    `old` reads Swagger 2.0, where the body is a parameter.
    """
    found: dict[tuple[str, str], Map] = {}
    for value in (*item.sequence("parameters")[:300], *operation.sequence("parameters")[:300]):
        parameter = references.resolve(value)
        name, place = parameter.text("name"), parameter.text("in")
        if name and place:
            found[name, place] = parameter
        elif parameter:
            references.say(
                "openapi-parameter",
                parameter.line,
                "a parameter without name or location is left out",
                f"parameter at line {parameter.line}",
            )
    parameters: list[ParameterDraft] = []
    kind: BodyKind = "none"
    example: tuple[JsonValue, int] | None = None
    for (name, place), parameter in found.items():
        if place == "body":
            kind = "json"
            body = Schema(references, parameter.get("schema"))
            parameters.extend(_body_fields(references, body, name, parameter, "body"))
            example = next(iter(body.examples()), None)
        elif place in _LOCATIONS and not (place == "header" and name.lower() in _SET_ELSEWHERE):
            parameters.append(_parameter(references, name, _LOCATIONS[place], parameter))
            if place == "formData" and kind != "multipart":
                consumed = operation.sequence("consumes") or root.sequence("consumes")
                several = parameter.text("type") == "file" or "multipart/form-data" in consumed
                kind = "multipart" if several else "form"
    if not old and "requestBody" in operation:
        body = references.resolve(operation["requestBody"])
        made = _request_body(references, body)
        parameters.extend(made.parameters)
        kind, example = made.body_kind, made.example
    return Request(tuple(parameters), kind, example)


def _parameter(
    references: References, name: str, location: Location, parameter: Map
) -> ParameterDraft:
    line = parameter.line_of("name")
    value = parameter.get("schema")
    if value is None and "content" in parameter:
        media = next(iter(parameter.map("content").values()), None)
        value = media.get("schema") if isinstance(media, Map) else None
    if value is None:
        value = parameter  # Swagger 2.0 puts type, format and the like on the parameter itself
    examples: list[tuple[JsonValue, int]] = []
    if parameter.get("example") is not None and value is not parameter:
        examples.append((plain(parameter["example"]), parameter.line_of("example")))
    table = parameter.map("examples")
    for key in list(table)[:5]:
        example = references.resolve(table[key])
        if example.get("value") is not None:
            examples.append((plain(example["value"]), example.line_of("value")))
    needed = parameter.get("required") is True or location == "path"
    return parameter_draft(
        Schema(references, value),
        cited(name, references.span(line)),
        location,
        required=cited(needed, references.span(parameter.line_of("required"))),
        description=parameter.text("description"),
        examples=tuple(examples),
        deprecated=parameter.get("deprecated") is True,
    )


def _request_body(references: References, body: Map) -> Request:
    content = body.map("content")
    chosen = ""
    kind: BodyKind = "text"
    for wanted, name in _CONTENT_KINDS:
        chosen = next((key for key in content if wanted in key.lower()), "")
        if chosen:
            kind = name
            break
    if not chosen:
        chosen = next(iter(content), "")
    if not chosen:
        return Request((), "none", None)
    media = content.map(chosen)
    schema = Schema(references, media.get("schema"))
    example = _body_example(references, media, schema)
    if kind == "text":
        line = content.line_of(chosen)
        single = parameter_draft(
            schema,
            cited("body", references.span(line)),
            "body",
            required=cited(body.get("required") is True, references.span(line)),
            description=body.text("description"),
        )
        return Request((single,), "text", example)
    location: Location = "body" if kind == "json" else "form"
    fields = _body_fields(references, schema, "body", body, location)
    return Request(tuple(fields), kind, example)


def _body_example(
    references: References, media: Map, schema: Schema
) -> tuple[JsonValue, int] | None:
    if media.get("example") is not None:
        return plain(media["example"]), media.line_of("example")
    table = media.map("examples")
    for key in table:
        example = references.resolve(table[key])
        if example.get("value") is not None:
            return plain(example["value"]), example.line_of("value")
    return next(iter(schema.examples()), None)


def _body_fields(
    references: References, schema: Schema, name: str, holder: Map, location: Location
) -> tuple[ParameterDraft, ...]:
    """Give an object's properties as parameters; any other body is one parameter."""
    if schema.properties():
        return fields_of(schema, location)
    line = holder.line_of("schema" if "schema" in holder else "content")
    return (
        parameter_draft(
            schema,
            cited(name, references.span(line)),
            location,
            required=cited(holder.get("required") is True, references.span(line)),
            description=holder.text("description"),
        ),
    )
