"""Pydantic models for the answers of the tools, from the shapes of what the server really sent."""

from __future__ import annotations

import builtins
import re
from collections.abc import Collection, Container, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from doc2tools.compiler.emit.code import (
    Code,
    Docstring,
    Expression,
    Identifier,
    Literal,
    identifier,
    is_identifier,
)
from doc2tools.compiler.emit.functions import Returns
from doc2tools.compiler.emit.shapes import Shape, learn
from doc2tools.compiler.emit.types import (
    BOOL,
    FLOAT,
    INT,
    JSON,
    NONE,
    STR,
    Type,
    union,
)
from doc2tools.compiler.ir.base import JsonValue

FIELDS = 300
MODELS = "..models"
_VERBS = frozenset(
    (
        "get",
        "list",
        "fetch",
        "find",
        "show",
        "read",
        "retrieve",
        "query",
        "search",
        "view",
        "return",
    )
)
_TAKEN_FIELDS = frozenset(dir(BaseModel)) | {
    *("str", "int", "float", "bool", "list", "dict", "Model", "Field", "JsonValue"),
    *("l", "I", "O"),
}
_TAKEN_CLASSES = frozenset(
    (
        "Model",
        "Field",
        "JsonValue",
        "BaseModel",
        "ConfigDict",
        "ValidationError",
        "Client",
        "ApiError",
    )
) | frozenset(dir(builtins))


@dataclass(frozen=True, slots=True)
class FieldView:
    """One field of a model: `name: type = default`."""

    name: Identifier
    type: Expression
    default: Code | None
    key: str


@dataclass(frozen=True, slots=True)
class ModelView:
    """One class of `models.py`."""

    name: Identifier
    docstring: Docstring
    fields: tuple[FieldView, ...]


@dataclass(frozen=True, slots=True)
class _Spec:
    fields: tuple[tuple[str, Type, bool], ...]


class Models:
    """Collects the models of a package; each tool adds those of its answer."""

    def __init__(self) -> None:
        """Start with none."""
        self._specs: dict[str, _Spec] = {}
        self._users: dict[str, str] = {}
        self._known: dict[tuple[str, _Spec], str] = {}
        self._roots: dict[str, Type] = {}
        self._many: set[str] = set()
        self._reserved_at = 0
        self._reserved_names = _TAKEN_FIELDS

    def add(self, tool: str, value: JsonValue) -> Returns:
        """Learn the answer of a tool, and give what the tool returns.

        Args:
            tool: The tool's name.
            value: The parsed answer that validated it.
        """
        shape = learn([value])
        if _size(shape) > FIELDS or not (shape.objects or shape.lists):
            return Returns(JSON)
        before = len(self._specs)
        kind = self._type(shape, _class_name(tool, many=bool(shape.lists)), tool)
        if kind == JSON or (kind.args and all(part == JSON for part in kind.args[-1:])):
            for name in list(self._specs)[before:]:
                self._known.pop((tool, self._specs.pop(name)), None)
            return Returns(JSON)
        self._roots[tool] = kind.args[-1] if kind.args else kind
        if kind.args:
            self._many.add(tool)
        top = shape if shape.objects else shape.items
        fields = tuple(top.fields) if top is not None and not top.is_map() else ()
        return Returns(kind, fields)

    def views(self) -> tuple[ModelView, ...]:
        """Give the classes in alphabetical order."""
        return tuple(
            ModelView(
                Identifier(name),
                Docstring.of(f"{self._place(name)} of `{self._users[name]}`."),
                _fields(spec, self._reserved()),
            )
            for name, spec in sorted(self._specs.items())
        )

    def _place(self, name: str) -> str:
        if self._roots.get(self._users[name]) != Type(name, MODELS):
            return "Part of the answer"
        return "One item of the answer" if self._users[name] in self._many else "Answer"

    def attributes(self, kind: Type) -> dict[str, tuple[str, Type]]:
        """Give the fields of a model by their wire names: the attribute, and its type."""
        spec = self._specs.get(kind.name) if kind.module == MODELS else None
        if spec is None:
            return {}
        views = _fields(spec, self._reserved())
        return {
            key: (view.name.source, inner)
            for view, (key, inner, _) in zip(views, spec.fields, strict=True)
        }

    def item_type(self, kind: Type, names: Sequence[str]) -> Type:
        """Give the type of the items of the list to which `names` lead; JSON if it is not plain."""
        for name in names:
            kind = _without_none(self.attributes(kind).get(name, ("", JSON))[1])
        inner = _without_none(kind.args[0]) if kind.name == "list" and kind.args else JSON
        return JSON if inner.name == "|" else inner

    def _reserved(self) -> frozenset[str]:
        """Give the names that no field may have."""
        if self._reserved_at != len(self._specs):
            self._reserved_at = len(self._specs)
            self._reserved_names = _TAKEN_FIELDS.union(self._specs)
        return self._reserved_names

    def _type(self, shape: Shape, name: str, tool: str) -> Type:
        if shape.deep or bool(shape.objects) + bool(shape.lists) + bool(_scalars(shape)) > 1:
            return JSON
        parts: list[Type] = []
        if shape.lists:
            items = shape.items
            inner = self._type(items, name, tool) if items is not None and items.seen else JSON
            parts.append(Type("list", args=(inner,)))
        elif shape.objects and (shape.is_map() or not shape.fields):
            inner = self._type(shape.values(), name, tool) if shape.fields else JSON
            parts.append(Type("dict", args=(STR, inner)))
        elif shape.objects:
            parts.append(self._model(shape, name, tool))
        parts += _scalars(shape)
        if "null" in shape.scalars:
            parts.append(NONE)
        return union(*parts) if parts and parts != [NONE] else JSON

    def _model(self, shape: Shape, name: str, tool: str) -> Type:
        specs: list[tuple[str, Type, bool]] = []
        for key, inner in shape.fields.items():
            many = bool(inner.lists) or inner.is_map()
            below = f"{name}{_camel(_singular(key) if many else key)}"[:60]
            kind = self._type(inner, below, tool)
            specs.append((key, kind, inner.seen == shape.objects))
        spec = _Spec(tuple(specs))
        known = self._known.get((tool, spec))
        if known is not None:
            return Type(known, MODELS)
        plain = identifier(name, (), "Answer").source
        free, number = plain, 2
        while free in self._specs or free in _TAKEN_CLASSES:
            free, number = f"{plain[:60]}{number}", number + 1
        self._specs[free] = spec
        self._users[free] = tool
        self._known[tool, spec] = free
        return Type(free, MODELS)


class _Union:
    """Several collections asked as one, without copying them."""

    def __init__(self, parts: tuple[Collection[str], ...]) -> None:
        self._parts = parts

    def __contains__(self, name: object) -> bool:
        return any(name in part for part in self._parts)


def _fields(spec: _Spec, reserved: frozenset[str]) -> tuple[FieldView, ...]:
    taken = set[str]()
    keys = frozenset(key for key, _, _ in spec.fields)
    views: list[FieldView] = []
    for key, kind, always in spec.fields:
        name = _field_name(key, _Union((reserved, taken, keys - {key})))
        taken.add(name.source)
        shown = kind if always or kind == JSON else kind.optional()
        default: Code | None = None if always else Literal.of(None)
        if name.source != key:
            alias = Literal.of(key)
            default = Expression(
                f"Field(alias={alias})" if always else f"Field(default=None, alias={alias})"
            )
        views.append(FieldView(name, Expression(_render(shown)), default, key))
    return tuple(views)


def _render(kind: Type) -> str:
    """Write a type inside `models.py`, where the models need no import."""
    if kind.module == MODELS:
        return kind.name
    if kind.name == "|":
        return " | ".join(_render(part) for part in kind.args)
    if kind.args:
        return f"{kind.name}[{', '.join(_render(part) for part in kind.args)}]"
    return kind.name


def _field_name(key: str, blocked: Container[str]) -> Identifier:
    """Keep the wire's name where it can be a field's name and is free, else make one."""
    plain = key.lstrip("_")
    name = plain if is_identifier(plain) else identifier(plain.lower(), (), "field").source
    if name != key or name in blocked:
        name = name.lstrip("_") or "field"
        if name in _TAKEN_FIELDS:
            name = f"{name}_"
    return identifier(name, blocked, "field")


def _scalars(shape: Shape) -> list[Type]:
    kinds = shape.scalars - {"null"}
    types: list[Type] = []
    if "str" in kinds:
        types.append(STR)
    if "float" in kinds:
        types.append(FLOAT)
    elif "int" in kinds:
        types.append(INT)
    if "bool" in kinds:
        types.append(BOOL)
    return types


def _size(shape: Shape) -> int:
    """Count the fields below a place; the items of a map count once."""
    if shape.is_map():
        return 1 + _size(shape.values())
    inner = sum(1 + _size(field) for field in shape.fields.values())
    return inner + (_size(shape.items) if shape.items is not None else 0)


def _class_name(tool: str, *, many: bool) -> str:
    words = [word for word in re.split(r"[^A-Za-z0-9]+", tool) if word]
    if len(words) > 1 and words[0].lower() in _VERBS:
        words = words[1:]
    if many and words:
        words[-1] = _singular(words[-1])
    return _camel("_".join(words)) or "Answer"


def _camel(text: str) -> str:
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", text[:200])
    return "".join(word[:1].upper() + word[1:].lower() for word in words)


def _without_none(kind: Type) -> Type:
    return union(*(part for part in kind.args if part != NONE)) if kind.name == "|" else kind


def _singular(word: str) -> str:
    lower = word.lower()
    if lower == "data":
        return "Item"
    if lower.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if lower.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if lower.endswith("s") and not lower.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


def class_names(kinds: Sequence[Type]) -> tuple[str, ...]:
    """Give the names of the models in `kinds`, sorted."""
    names: set[str] = set()
    for kind in kinds:
        if kind.module == MODELS:
            names.add(kind.name)
        names.update(class_names(kind.args))
    return tuple(sorted(names))
