"""Type expressions of generated code, and the type of each parameter."""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.emit.code import Literal
from doc2tools.compiler.emit.scope import Scope
from doc2tools.compiler.ir.base import JsonValue, ValueType
from doc2tools.compiler.ir.spec import Parameter

ENUM_LIMIT = 40


@dataclass(frozen=True, slots=True)
class Type:
    """A type: a name, where it comes from, and its arguments.

    Attributes:
        name: The type's name; `|` for a union of `args`; `Literal` for one of `values`.
        module: Where to import it from; "" for a builtin, `None` also being one.
    """

    name: str
    module: str = ""
    args: tuple[Type, ...] = ()
    values: tuple[str | int | bool, ...] = ()

    def render(self, scope: Scope) -> str:
        """Write the type with the names that `scope` gives."""
        if self.name == "|":
            return " | ".join(part.render(scope) for part in self.args)
        if self.name == "None":
            return "None"
        name = scope.use(self.name, self.module) if self.module else scope.builtin(self.name)
        if self.values:
            return f"{name}[{', '.join(Literal.of(value).source for value in self.values)}]"
        if self.args:
            return f"{name}[{', '.join(part.render(scope) for part in self.args)}]"
        return name

    def optional(self) -> Type:
        """Give this type or `None`."""
        return union(self, NONE)


NONE = Type("None")
JSON = Type("JsonValue", "pydantic")
SCALAR = Type("Scalar", "..client")
STR, INT, FLOAT, BOOL, BYTES = (Type(name) for name in ("str", "int", "float", "bool", "bytes"))


def union(*parts: Type) -> Type:
    """Give the union of `parts`, each once, `None` last."""
    flat: list[Type] = []
    for part in parts:
        for item in part.args if part.name == "|" else (part,):
            if item not in flat:
                flat.append(item)
    if NONE in flat and len(flat) > 1:
        flat = [item for item in flat if item != NONE]
        if JSON in flat:
            return union(*flat)
        flat.append(NONE)
    return flat[0] if len(flat) == 1 else Type("|", args=tuple(flat))


def parameter_type(parameter: Parameter, used: JsonValue = None) -> Type:
    """Give the type of a parameter's argument.

    Args:
        parameter: The parameter.
        used: The value that a call was proved with; a documented enum that lacks it is not closed.
    """
    base = _base(parameter)
    choices = _choices(parameter)
    if not choices:
        return base
    closed = Type("Literal", "typing", values=choices)
    if parameter.type == "array":
        is_closed = bool(closed_choices(parameter, used))
        return Type("Sequence", "collections.abc", (closed,)) if is_closed else base
    return closed if closed_choices(parameter, used) else union(closed, base)


def closed_choices(parameter: Parameter, used: JsonValue = None) -> tuple[str | int | bool, ...]:
    """Give the values of a parameter that takes no others, else none.

    Args:
        parameter: The parameter.
        used: The value that a call was proved with; a documented enum that lacks it is not closed.
    """
    choices = _choices(parameter)
    if used is None:
        return choices
    if parameter.type == "array":
        listed = used if isinstance(used, list) else [None]
        return choices if all(item in choices for item in listed) else ()
    return choices if used in choices else ()


def _base(parameter: Parameter) -> Type:
    if parameter.type == "array":
        item = _single(parameter.item_type or "any", "", parameter.location == "body")
        return Type("Sequence", "collections.abc", (item,))
    return _single(parameter.type, parameter.format, parameter.location == "body")


def _single(kind: ValueType, format_: str, in_body: bool) -> Type:
    if kind == "string" and format_ in ("date-time", "datetime"):
        return union(Type("datetime", "datetime"), STR)
    if kind == "string" and format_ == "date":
        return union(Type("date", "datetime"), STR)
    if kind == "object":
        return Type("Mapping", "collections.abc", (STR, JSON))
    if kind == "file":
        return Type("FileContent", "..client")
    if kind == "any" and not in_body:
        return SCALAR
    simple = {"string": STR, "integer": INT, "number": FLOAT, "boolean": BOOL}
    return simple.get(kind, JSON)


def _choices(parameter: Parameter) -> tuple[str | int | bool, ...]:
    """Give the enum's values where a `Literal` can hold them all, else none."""
    kinds = (parameter.item_type if parameter.type == "array" else parameter.type) or "any"
    allowed: tuple[type[str] | type[int], ...] = {
        "string": (str,),
        "integer": (int,),
        "any": (str, int),
    }.get(kinds, ())
    values: list[str | int | bool] = []
    for value in parameter.enum:
        if not isinstance(value, allowed):
            return ()
        if isinstance(value, bool):
            return ()
        if isinstance(value, str) and (len(value) > 60 or not value.isprintable()):
            return ()
        if value not in values:
            values.append(value)
    return tuple(values) if len(values) <= ENUM_LIMIT else ()
