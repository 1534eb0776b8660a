"""JSON Schema (2020-12) of a tool's arguments and of its answer, for the manifest.

The arguments' schema is closed and as exact as the function's signature; properties are named as
the function's arguments are. The answer's schema is open, like the models: a field may be missing
or null, new ones may come.
"""

from __future__ import annotations

import math
from datetime import date, datetime
from typing import TypeAlias

from doc2tools.compiler.emit.docstrings import parameter_text
from doc2tools.compiler.emit.functions import Function, is_required
from doc2tools.compiler.emit.proofs import Proved
from doc2tools.compiler.emit.shapes import Shape, learn
from doc2tools.compiler.emit.types import closed_choices
from doc2tools.compiler.ir.base import JsonValue, ValueType
from doc2tools.compiler.ir.spec import Parameter

JsonObject: TypeAlias = dict[str, JsonValue]

FIELDS = 300
DEPTH = 6
_PLAIN: dict[ValueType, str] = {
    "string": "string",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "object": "object",
}
_SEEN = {"null": "null", "bool": "boolean", "int": "number", "float": "number", "str": "string"}
_FORMATS = {"date-time": "date-time", "datetime": "date-time", "date": "date"}


def input_schema(function: Function) -> JsonObject:
    """Give the schema of a tool's arguments, by the names that its function gives them."""
    properties: JsonObject = {}
    needed: list[JsonValue] = []
    for parameter, name in function.arguments():
        used = function.values.get(parameter.name)
        properties[name.source] = parameter_schema(parameter, used)
        if is_required(parameter):
            needed.append(name.source)
    value: JsonObject = {"type": "object", "properties": properties}
    if needed:
        value["required"] = needed
    value["additionalProperties"] = False
    return value


def parameter_schema(parameter: Parameter, used: JsonValue = None) -> JsonObject:
    """Give the schema of one parameter.

    Args:
        parameter: The parameter.
        used: The value that a call was proved with; a limit that it breaks is left out.
    """
    value = _type(parameter, used)
    value["description"] = parameter_text(parameter)
    if parameter.type in ("integer", "number"):
        value |= _range(parameter, used)
    default = parameter.default
    if default is not None and _fits(default, parameter) and _in_choices(default, parameter, used):
        value["default"] = default
    if parameter.deprecated:
        value["deprecated"] = True
    return value


def _type(parameter: Parameter, used: JsonValue) -> JsonObject:
    choices = list[JsonValue](closed_choices(parameter, used))
    in_body = parameter.location == "body"
    if parameter.type == "array":
        items = _single(parameter.item_type or "any", "", in_body=in_body, used=None)
        if choices:
            items = _enum(items, choices)
        return {"type": "array", "items": items}
    value = _single(parameter.type, parameter.format, in_body=in_body, used=used)
    if choices:
        return _enum(value, choices)
    if parameter.type == "object" and parameter.fields:
        value["properties"] = {
            inner.name: parameter_schema(inner) for inner in parameter.fields[:FIELDS]
        }
    return value


def _enum(value: JsonObject, choices: list[JsonValue]) -> JsonObject:
    closed: JsonObject = {"type": value["type"]} if "type" in value else {}
    closed["enum"] = choices
    return closed


def _single(kind: ValueType, format_: str, *, in_body: bool, used: JsonValue) -> JsonObject:
    if kind == "file":
        return {"type": "string", "contentEncoding": "base64"}
    if kind in _PLAIN:
        value: JsonObject = {"type": _PLAIN[kind]}
        named = _FORMATS.get(format_)
        if kind == "string" and named and (used is None or _is_time(used, named)):
            value["format"] = named
        return value
    if in_body or kind == "array":
        return {}
    return {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}]}


def _is_time(value: JsonValue, format_: str) -> bool:
    kind = datetime if format_ == "date-time" else date
    try:
        kind.fromisoformat(str(value))
    except ValueError:
        return False
    return True


def _range(parameter: Parameter, used: JsonValue) -> JsonObject:
    """Give the bounds that are numbers and that neither the proof nor the default breaks."""
    known = [
        value
        for value in (used, parameter.default)
        if isinstance(value, int | float) and not isinstance(value, bool)
    ]
    value: JsonObject = {}
    low, high = parameter.minimum, parameter.maximum
    if low is not None and math.isfinite(low) and all(low <= number for number in known):
        value["minimum"] = _number(low)
    if high is not None and math.isfinite(high) and all(number <= high for number in known):
        value["maximum"] = _number(high)
    return value


def _number(value: float) -> JsonValue:
    return int(value) if value == int(value) else value


def _fits(value: JsonValue, parameter: Parameter) -> bool:
    """Say whether a default is of the parameter's type."""
    match parameter.type:
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            return is_number and math.isfinite(float(str(value)))
        case "any":
            return parameter.location == "body" or isinstance(value, str | int | float | bool)
        case _:
            return False


def _in_choices(value: JsonValue, parameter: Parameter, used: JsonValue) -> bool:
    choices = closed_choices(parameter, used)
    return not choices or value in choices


def output_schema(item: Proved) -> JsonObject | None:
    """Give the schema of a tool's answer, by the names that the server uses.

    `None` where no answer was seen; `{}` where it can be anything.
    """
    if item.answer is None or item.tool.outcome.status != "validated":
        return None
    match item.answer.kind:
        case "text":
            return {"type": "string"}
        case "bytes":
            return {"type": "string", "contentEncoding": "base64"}
        case "empty":
            return {}
        case _:
            room = [FIELDS]
            return answer_schema(learn([item.answer.value]), room)


def answer_schema(shape: Shape, room: list[int], depth: int = 0) -> JsonObject:
    """Give a shape as a schema that also takes what is missing, null or new.

    Args:
        shape: What was seen.
        room: One number, that of the fields that may still be named; it goes down.
        depth: How deep the shape lies.
    """
    kinds = bool(shape.objects) + bool(shape.lists) + bool(shape.scalars - {"null"})
    if shape.deep or depth > DEPTH or kinds != 1:
        return {}
    if shape.lists:
        items = answer_schema(shape.items, room, depth + 1) if shape.items is not None else {}
        value: JsonObject = {"type": ["array", "null"] if depth else "array"}
        return {**value, "items": items} if items else value
    if not shape.objects:
        found = {_SEEN[kind] for kind in shape.scalars} | {"null"}
        return {"type": list[JsonValue](sorted(found, key=_type_order))}
    value = {"type": ["object", "null"] if depth else "object"}
    if shape.is_map():
        inner = answer_schema(shape.values(), room, depth + 1)
        return {**value, "additionalProperties": inner} if inner else value
    properties: JsonObject = {}
    for key, field in shape.fields.items():
        if room[0] <= 0:
            break
        room[0] -= 1
        properties[key] = answer_schema(field, room, depth + 1)
    return {**value, "properties": properties} if properties else value


def _type_order(name: str) -> tuple[bool, str]:
    return name == "null", name
