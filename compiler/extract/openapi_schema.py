"""JSON Schema as OpenAPI uses it: references resolved, types, fields and examples read off."""

from __future__ import annotations

import re
from typing import TypeVar, cast

from doc2tools.compiler.extract.openapi_tree import Map, as_list, plain
from doc2tools.compiler.ir.base import JsonValue, Location, ValueType
from doc2tools.compiler.ir.draft import ParameterDraft
from doc2tools.compiler.ir.source import Cited, Diagnostic, DiagnosticCode, Span

MAX_FIELDS = 300
MAX_OPERATION_FIELDS = 1_500
"""Fields, nested ones together, that are read for one operation."""

MAX_DEPTH = 4
MAX_PATHS = 200
RULE = "openapi"
T = TypeVar("T")

_TYPES: dict[str, ValueType] = {
    "string": "string",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "array": "array",
    "object": "object",
    "file": "file",
}


class References:
    """Resolves local references, and remembers what could not be resolved."""

    def __init__(self, root: Map, page: str) -> None:
        """Resolve within `root`, the whole description."""
        self.root = root
        self.page = page
        self.diagnostics: list[Diagnostic] = []
        self._said: set[str] = set()
        self.fields_left = MAX_OPERATION_FIELDS

    def resolve(self, value: object) -> Map:
        """Follow `$ref` from `value` to an object; an empty one if there is none."""
        seen: set[str] = set()
        while isinstance(value, Map) and isinstance(value.get("$ref"), str):
            reference = value.text("$ref")
            line = value.line_of("$ref")
            if reference in seen or len(seen) > 50:
                self.say("openapi-broken-ref", line, f"{reference} refers to itself", reference)
                return Map(line)
            seen.add(reference)
            if not reference.startswith("#"):
                message = f"{reference} is in another file, which is not read"
                self.say("openapi-remote-ref", line, message, reference)
                return Map(line)
            value = self._pointer(reference, line)
        return value if isinstance(value, Map) else Map()

    def _pointer(self, reference: str, line: int) -> object:
        value: object = self.root
        for raw in reference.removeprefix("#").strip("/").split("/")[:60]:
            part = _unquote(raw).replace("~1", "/").replace("~0", "~")
            if isinstance(value, Map) and part in value:
                value = value[part]
            elif isinstance(value, list) and part.isdecimal() and len(part) < 6:
                items = as_list(cast("object", value))
                value = items[int(part)] if int(part) < len(items) else None
            else:
                self.say("openapi-broken-ref", line, f"{reference} leads nowhere", reference)
                return None
        return value

    def say(self, code: DiagnosticCode, line: int, message: str, key: str) -> None:
        """Note a fault once for each `key`, and at most 50 in all."""
        if key in self._said or len(self._said) >= 50:
            return
        self._said.add(key)
        hint = (
            "put all files into one, for example with a bundler for OpenAPI"
            if code == "openapi-remote-ref"
            else "correct the reference"
        )
        span = Span(page=self.page, start=line, end=line)
        self.diagnostics.append(
            Diagnostic(code=code, level="warning", span=span, message=message, hint=hint)
        )

    def span(self, line: int) -> Span:
        """Give the span of one line."""
        return Span(page=self.page, start=line, end=line)


def _unquote(part: str) -> str:
    if "%" not in part:
        return part
    return re.sub(r"%([0-9A-Fa-f]{2})", lambda found: chr(int(found[1], 16)), part)


class Schema:
    """One schema with its references and compositions resolved.

    `allOf` parts are merged; of `oneOf` and `anyOf` the first that is not null stands for all.
    """

    def __init__(self, references: References, value: object, above: tuple[int, ...] = ()) -> None:
        """Read `value`; `above` names the schemas around it, which it may refer back to."""
        self.references = references
        self.node = references.resolve(value)
        self.repeats = id(self.node) in above
        self.above = (*above, id(self.node))
        self.parts: list[Map] = []
        self._collect(self.node, 0, set())

    def _collect(self, node: Map, depth: int, seen: set[int]) -> None:
        if depth > 12 or id(node) in seen or len(self.parts) > 60:
            return
        seen.add(id(node))
        self.parts.append(node)
        for part in node.sequence("allOf"):
            self._collect(self.references.resolve(part), depth + 1, seen)
        for key in ("oneOf", "anyOf"):
            for part in node.sequence(key):
                found = self.references.resolve(part)
                if found.get("type") != "null" and found:
                    self._collect(found, depth + 1, seen)
                    break

    def first(self, key: str) -> tuple[object, int]:
        """Give the first value that a part has for `key`, and its line."""
        for part in self.parts:
            if part.get(key) is not None:
                return part[key], part.line_of(key)
        return None, self.node.line

    def text(self, key: str) -> str:
        """Give the first text that a part has for `key`."""
        value = self.first(key)[0]
        return value if isinstance(value, str) else ""

    @property
    def type(self) -> ValueType | None:
        """The JSON type; a binary string is a file; `None` where nothing says."""
        value = self.first("type")[0]
        for name in as_list(value) or [value]:
            if isinstance(name, str) and name in _TYPES:
                if name == "string" and self.text("format") == "binary":
                    return "file"
                return _TYPES[name]
        if any("properties" in part for part in self.parts):
            return "object"
        if any("items" in part for part in self.parts):
            return "array"
        values = as_list(self.first("enum")[0])
        return "string" if values and all(isinstance(item, str) for item in values) else None

    def items(self) -> Schema:
        """Give the schema of an array's items."""
        return Schema(self.references, self.first("items")[0], self.above)

    def properties(self) -> dict[str, tuple[object, int]]:
        """Give each property's schema and line, those of all parts together."""
        found: dict[str, tuple[object, int]] = {}
        for part in self.parts:
            table = part.map("properties")
            for name, value in table.items():
                if len(found) < MAX_FIELDS:
                    found.setdefault(name, (value, table.line_of(name)))
        return found

    def required(self) -> frozenset[str]:
        """Give the names of required properties."""
        names = (name for part in self.parts for name in part.sequence("required"))
        return frozenset(name for name in names if isinstance(name, str))

    def examples(self) -> list[tuple[JsonValue, int]]:
        """Give the example values, each with its line."""
        found: list[tuple[JsonValue, int]] = []
        for part in self.parts:
            for key in ("example", "x-example"):
                if part.get(key) is not None:
                    found.append((plain(part[key]), part.line_of(key)))
            line = part.line_of("examples")
            found.extend((plain(item), line) for item in part.sequence("examples")[:5])
            if part.get("const") is not None:
                found.append((plain(part["const"]), part.line_of("const")))
        return [(value, line) for value, line in found if value is not None]


def parameter_draft(
    schema: Schema,
    name: Cited[str],
    location: Location | None,
    *,
    required: Cited[bool] | None = None,
    description: str = "",
    examples: tuple[tuple[JsonValue, int], ...] = (),
    deprecated: bool = False,
) -> ParameterDraft:
    """Make a parameter of a schema; nested properties become its fields."""
    span = schema.references.span
    default, default_line = schema.first("default")
    enum, enum_line = schema.first("enum")
    kind = schema.type
    item = schema.items() if kind == "array" else None
    if item is not None and not as_list(enum):
        enum, enum_line = item.first("enum")
    values = tuple(plain(value) for value in as_list(enum)[:500] if value is not None)
    shown = [*examples, *schema.examples()]
    samples = [cited(value, span(line)) for value, line in shown[:10]]
    inner = item if item is not None and item.type == "object" else schema
    return ParameterDraft(
        name=name,
        location=cited(location, name.spans[0]) if location else None,
        type=cited(kind, span(schema.first("type")[1])) if kind else None,
        item_type=item.type if item is not None else None,
        required=required,
        default=cited(plain(default), span(default_line)) if default is not None else None,
        enum=cited(values, span(enum_line)) if values else None,
        format=schema.text("format")[:50],
        pattern=schema.text("pattern")[:500],
        minimum=_number(schema.first("minimum")[0]),
        maximum=_number(schema.first("maximum")[0]),
        examples=tuple(samples),
        description=(description or schema.text("description")).strip()[:2_000],
        deprecated=deprecated or schema.first("deprecated")[0] is True,
        fields=() if inner.repeats or len(inner.above) > MAX_DEPTH else fields_of(inner, None),
    )


def fields_of(schema: Schema, location: Location | None) -> tuple[ParameterDraft, ...]:
    """Make a parameter of each property of an object."""
    span = schema.references.span
    needed = schema.required()
    found: list[ParameterDraft] = []
    for name, (value, line) in schema.properties().items():
        if schema.references.fields_left <= 0:
            break
        schema.references.fields_left -= 1
        inner = Schema(schema.references, value, schema.above)
        if inner.first("readOnly")[0] is True:
            continue
        found.append(
            parameter_draft(
                inner,
                cited(name, span(line)),
                location,
                required=cited(name in needed, span(line)),
            )
        )
    return tuple(found)


def field_paths(schema: Schema) -> tuple[str, ...]:
    """List the paths of an answer's fields: `data`, `data[]`, `data[].id`."""
    found: list[str] = []
    queue: list[tuple[Schema, str]] = [(schema, "")]
    while queue and len(found) < MAX_PATHS:
        node, path = queue.pop(0)
        if node.repeats or len(node.above) > MAX_DEPTH + 2:
            continue
        if node.type == "array":
            if path:
                found.append(f"{path}[]")
            queue.append((node.items(), f"{path}[]"))
            continue
        for name, (value, _) in node.properties().items():
            inner = f"{path}.{name}" if path else name
            found.append(inner)
            queue.append((Schema(node.references, value, node.above), inner))
    return tuple(dict.fromkeys(found[:MAX_PATHS]))


def cited(value: T, span: Span) -> Cited[T]:
    """Cite `value` from one place of the description."""
    return Cited(value=value, spans=(span,), rule=RULE)


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e300:
        return None
    return float(value)
