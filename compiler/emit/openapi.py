"""`openapi.json`: the documented API as OpenAPI 3.1, with answers as far as they were seen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from doc2tools.compiler.emit.functions import is_required
from doc2tools.compiler.emit.manifest import dump
from doc2tools.compiler.emit.proofs import Proved, public_url
from doc2tools.compiler.emit.shapes import Shape, learn
from doc2tools.compiler.emit.text import one_line
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.options import AuthOptions
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.ir.spec import Parameter

JsonObject: TypeAlias = dict[str, JsonValue]

_METHODS = ("GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE")
_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}
_BODY_MEDIA = {
    "json": "application/json",
    "form": "application/x-www-form-urlencoded",
    "multipart": "multipart/form-data",
    "text": "text/plain",
    "none": "application/json",
}

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_SURROGATES = re.compile(r"(?<!\\)((?:\\\\)*)\\u(d[89a-f][0-9a-f]{2})(?:\\u(d[c-f][0-9a-f]{2}))?")


def openapi(plan: PackagePlan, proved: Sequence[Proved]) -> bytes:
    """Write the API's description.

    What OpenAPI cannot say, such as two operations that differ in a query value only, is listed
    under `x-doc2tools-other-operations`.
    """
    paths: dict[str, JsonObject] = {}
    shapes: dict[str, str] = {}
    others: list[JsonValue] = []
    # Of two operations at one address the documented one goes before one that a model made.
    for item in sorted(proved, key=lambda item: bool(item.tool.endpoint.proposed)):
        endpoint = item.tool.endpoint
        path = _path_key(endpoint.path)
        shape = _PLACEHOLDER.sub("{}", path)
        method = endpoint.method.upper()
        known = paths.get(path, {})
        ambiguous = shapes.setdefault(shape, path) != path
        nameless = not all(re.fullmatch(r"[^/#?:!]+", name) for name in _PLACEHOLDER.findall(path))
        if method not in _METHODS or method.lower() in known or ambiguous or nameless:
            others.append(
                {
                    "operationId": item.function.name.source,
                    "method": endpoint.method,
                    "url": public_url(endpoint.url),
                    "summary": endpoint.summary,
                }
            )
            continue
        paths.setdefault(path, {})[method.lower()] = _operation(plan, item, path)
    value: JsonObject = {
        "openapi": "3.1.0",
        "info": {"title": one_line(plan.spec.title) or plan.name, "version": plan.version},
        "servers": [{"url": _server(plan.base_url)}],
        "paths": dict[str, JsonValue](sorted(paths.items())),
    }
    scheme = _security(plan.options.auth)
    if scheme is not None:
        value["components"] = {"securitySchemes": {"default": scheme}}
        value["security"] = [{"default": []}]
    if others:
        value["x-doc2tools-other-operations"] = others
    return _without_pairs(dump(value).decode()).encode()


def _without_pairs(text: str) -> str:
    """Write characters beyond the BMP as they are: tools that read JSON as YAML need that."""
    return _SURROGATES.sub(_character, text)


def _character(found: re.Match[str]) -> str:
    before, high, low = found[1], int(found[2], 16), int(found[3] or "0", 16)
    if high >= 0xDC00 or not low:
        return before + ("\\ufffd\\ufffd" if low else "\\ufffd")
    return before + chr(0x10000 + (high - 0xD800) * 0x400 + low - 0xDC00)


def _operation(plan: PackagePlan, item: Proved, path: str) -> JsonObject:
    endpoint = item.tool.endpoint
    seen: set[tuple[str, str]] = set()
    parameters: list[JsonValue] = []
    fields: list[Parameter] = []
    names = _PLACEHOLDER.findall(path)
    for parameter in endpoint.parameters:
        place = (parameter.location, parameter.name)
        if parameter.location in ("body", "form"):
            fields.append(parameter)
        elif place not in seen and (parameter.location != "path" or parameter.name in names):
            seen.add(place)
            parameters.append(_parameter(parameter))
    for name in dict.fromkeys(names):
        if ("path", name) not in seen:
            parameters.append(
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            )
    for name, text in endpoint.fixed_query.items():
        if ("query", name) not in seen:
            schema: JsonObject = {"type": "string", "const": text}
            parameters.append({"name": name, "in": "query", "required": True, "schema": schema})
    value: JsonObject = {
        "operationId": item.function.name.source,
        "tags": [item.function.module.source],
        "summary": endpoint.summary,
        "description": endpoint.description,
        "deprecated": endpoint.deprecated,
        "parameters": parameters,
        "responses": _responses(item),
        "x-doc2tools-status": item.tool.outcome.status,
    }
    if fields:
        value["requestBody"] = _body(endpoint.body_kind, fields)
    if endpoint.base_url and endpoint.base_url.rstrip("/") != plan.base_url.rstrip("/"):
        value["servers"] = [{"url": _server(endpoint.base_url)}]
    return value


def _path_key(path: str) -> str:
    """Give a path without its query; braces that enclose no name are percent-encoded."""
    pieces = re.split(r"(\{[^{}]*\})", path.partition("?")[0])
    pieces[::2] = [piece.replace("{", "%7B").replace("}", "%7D") for piece in pieces[::2]]
    whole = "".join(pieces)
    return whole if whole.startswith("/") else f"/{whole}"


def _server(url: str) -> str:
    """Give a server's address; braces would declare variables."""
    return public_url(url).replace("{", "%7B").replace("}", "%7D") or "/"


def _parameter(parameter: Parameter) -> JsonValue:
    value: JsonObject = {
        "name": parameter.name,
        "in": parameter.location,
        "description": parameter.description,
        "required": is_required(parameter),
        "schema": _schema(parameter),
    }
    if parameter.deprecated:
        value["deprecated"] = True
    if parameter.location == "query" and parameter.type == "array" and parameter.style != "repeat":
        styles = {"comma": "form", "space": "spaceDelimited", "pipe": "pipeDelimited"}
        value |= {"style": styles[parameter.style], "explode": False}
    return value


def _schema(parameter: Parameter) -> JsonObject:
    kind = parameter.type
    value: JsonObject = {}
    if kind == "file":
        return {"type": "string", "format": "binary"}
    if kind != "any":
        value["type"] = kind
    if kind == "array":
        item = parameter.item_type or "any"
        value["items"] = {"type": item} if item in _TYPES else {}
    enum = [value for value in parameter.enum if _fits(value, kind)]
    if enum and kind != "array":
        value["enum"] = [value for at, value in enumerate(enum) if value not in enum[:at]]
    allowed = value.get("enum")
    default = parameter.default
    in_enum = not isinstance(allowed, list) or default in allowed
    if default is not None and _fits(default, kind) and kind != "array" and in_enum:
        value["default"] = default
    if parameter.format and kind == "string" and "default" not in value:
        value["format"] = one_line(parameter.format, 60)
    if kind in ("integer", "number"):
        if parameter.minimum is not None and not isinstance(value.get("default"), int | float):
            value["minimum"] = parameter.minimum
        if parameter.maximum is not None and not isinstance(value.get("default"), int | float):
            value["maximum"] = parameter.maximum
    if kind == "object" and parameter.fields:
        value["properties"] = {inner.name: _schema(inner) for inner in parameter.fields}
    return value


def _fits(value: JsonValue, kind: str) -> bool:
    if isinstance(value, bool):
        return kind in ("boolean", "any")
    return kind == "any" or isinstance(value, _TYPES.get(kind, ()))


def _body(kind: str, fields: Sequence[Parameter]) -> JsonValue:
    if kind == "text" and len(fields) == 1:
        schema: JsonObject = _schema(fields[0])
    else:
        properties: JsonObject = {}
        for parameter in fields:
            described = _schema(parameter)
            if parameter.description:
                described["description"] = parameter.description
            properties[parameter.name] = described
        schema = {"type": "object", "properties": properties}
        needed = list(dict.fromkeys(p.name for p in fields if p.required))
        if needed:
            schema["required"] = list[JsonValue](needed)
    media = "multipart/form-data" if any(p.type == "file" for p in fields) else _BODY_MEDIA[kind]
    content: JsonObject = {media: {"schema": schema}}
    return {"required": any(parameter.required for parameter in fields), "content": content}


def _responses(item: Proved) -> JsonValue:
    outcome = item.tool.outcome
    exchange = outcome.attempt.exchange if outcome.status == "validated" else None
    response = exchange.response if exchange is not None else None
    if response is None or not 100 <= response.status <= 599:
        return {"default": {"description": "The answer; none was seen."}}
    value: JsonObject = {"description": "The answer, as it was seen."}
    media = response.content_type
    if item.answer is not None and re.fullmatch(r"[\w.+-]+/[\w.+-]+", media):
        schema = shape_schema(learn([item.answer.value])) if item.answer.kind == "json" else {}
        value["content"] = {media: {"schema": schema}}
    return {str(response.status): value}


def shape_schema(shape: Shape, depth: int = 0) -> JsonObject:
    """Give a shape as JSON Schema, at most eight levels deep."""
    if shape.deep or depth > 8:
        return {}
    options: list[JsonObject] = []
    names = {
        "null": "null",
        "bool": "boolean",
        "int": "integer",
        "float": "number",
        "str": "string",
    }
    kinds = shape.scalars - {"int"} if "float" in shape.scalars else shape.scalars
    options.extend({"type": names[kind]} for kind in sorted(kinds))
    if shape.lists:
        inner = shape_schema(shape.items, depth + 1) if shape.items is not None else {}
        options.append({"type": "array", "items": inner})
    if shape.objects and shape.is_map():
        below = shape_schema(shape.values(), depth + 1)
        options.append({"type": "object", "additionalProperties": below})
    elif shape.objects:
        listed = list(shape.fields.items())[:300]
        always: list[JsonValue] = [key for key, inner in listed if inner.seen == shape.objects]
        value: JsonObject = {
            "type": "object",
            "properties": {key: shape_schema(inner, depth + 1) for key, inner in listed},
        }
        if always:
            value["required"] = always
        options.append(value)
    if len(options) == 1:
        return options[0]
    return {"anyOf": list[JsonValue](options)} if options else {}


def _security(auth: AuthOptions) -> JsonValue:
    match auth.type:
        case "none":
            return None
        case "basic":
            return {"type": "http", "scheme": "basic"}
        case "bearer":
            return {"type": "http", "scheme": "bearer"}
        case "login":
            if auth.keep.startswith("json:"):
                return {"type": "http", "scheme": "bearer"}
            return {"type": "apiKey", "in": "cookie", "name": "session"}
        case kind:
            names = {"header": "Authorization", "query": "api_key", "cookie": "session"}
            return {"type": "apiKey", "in": kind, "name": auth.name or names[kind]}
