"""The values of a write: our own name where an object is named, else what the documentation shows.

References to other objects, people, secrets and switches that reach further are never filled in
from samples: they are left out, or the call is not planned.
"""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.compiler.validate.choices import configured
from doc2tools.compiler.validate.filters import is_credential, is_stand_in
from doc2tools.compiler.validate.writes.model import Given
from doc2tools.compiler.validate.writes.never import never_field
from doc2tools.param_db.fit import fits, shaped
from doc2tools.param_db.naming import fold

__all__ = ["Filled", "Unfilled", "fill"]

OURS = "our own name"
_NAMES = ("name", "title", "label", "subject", "slug", "caption", "headline", "key", "display_name")
_TEXTS = (
    *("summary", "description", "text", "content", "note", "comment", "body", "value"),
    *("remark", "details", "quote", "caption", "message", "memo", "alias", "tag", "data"),
)
_FORMATS: dict[str, str] = {
    "date": "2001-01-01",
    "date-time": "2001-01-01T00:00:00Z",
    "time": "00:00:00",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
}
NOWHERE = "https://example.invalid/"
"""RFC 6761, section 6.4: a name that never resolves. A documented address may be somebody's."""

_DEPTH = 6


@dataclass(frozen=True, slots=True)
class Filled:
    """The arguments of a write.

    Attributes:
        marked: At least one free text field holds our marker.
    """

    given: tuple[Given, ...]
    marked: bool


@dataclass(frozen=True, slots=True)
class Unfilled:
    """Why a call has no safe arguments."""

    reason: str


def fill(
    endpoint: Endpoint,
    options: CompileOptions,
    marker: str,
    *,
    key: str = "",
    original: str = "",
    always: bool = True,
) -> Filled | Unfilled:
    """Choose all arguments of a call but the item's key.

    Args:
        endpoint: What is called.
        options: Holds the user's own values, which go before all others.
        marker: What our object is called after this call.
        key: The path parameter that carries the object's identifier.
        original: What our object was created as; a body field that repeats the key stays so, as
            another value would be a new address.
        always: A call that carries no text of ours is of no use.
    """
    given: list[Given] = []
    whole = [dict(one) for one in endpoint.samples if _is_whole(one, endpoint)]
    sample = whole[0] if whole else dict[str, JsonValue]()
    fields = [one for one in endpoint.parameters if one.location in {"body", "form"}]
    keys = [one for one in fields if key and fold(one.name) == fold(key)]
    chosen = _marked([one for one in fields if one not in keys], sample, endpoint, options)
    for parameter in endpoint.parameters:
        if parameter.location == "path" and parameter.name == key:
            continue
        own = next(iter(configured(parameter, endpoint, options)), None)
        if own is not None and parameter.location != "cookie":
            given.append(_given(parameter, own.value, "configured", own.source))
            continue
        if parameter in keys and original:
            given.append(_given(parameter, original, "guessed", OURS))
            continue
        if parameter in chosen:
            given.append(_given(parameter, marker, "guessed", OURS))
            continue
        if reason := _needs_more(parameter):
            return Unfilled(reason)
        found = _value(parameter, sample, marker)
        if found is not None:
            given.append(found)
        elif parameter.required:
            return Unfilled(f"no value is known for {parameter.name}: give it with --value")
    if always and not chosen:
        return Unfilled("no field can carry a name of ours by which to know the object again")
    return Filled(tuple(given), marked=bool(chosen))


def _is_whole(sample: dict[str, JsonValue], endpoint: Endpoint) -> bool:
    bodies = {one.name for one in endpoint.parameters if one.location in {"body", "form"}}
    return bool(bodies & sample.keys())


def _needs_more(parameter: Parameter) -> str:
    """Say why a parameter stands in the way of a plan."""
    if not parameter.required:
        return ""
    if is_credential(parameter):
        return f"it needs a credential in {parameter.name}: configure [auth]"
    if parameter.location == "path":
        return f"it lies below an object that is not ours: give {parameter.name} with --value"
    if parameter.location in {"body", "form"}:
        if reason := never_field(parameter):
            return reason
        if _is_reference(parameter):
            return f"it refers to an object that is not ours: give {parameter.name} with --value"
    return ""


def _value(  # noqa: PLR0911 (one for each kind of value)
    parameter: Parameter, sample: dict[str, JsonValue], marker: str
) -> Given | None:
    """Give a value for a parameter that does not name our object, if it is sent at all."""
    in_body = parameter.location in {"body", "form"}
    shown = sample.get(parameter.name)
    if not parameter.required and not (in_body and shown is not None):
        return None
    if in_body and (never_field(parameter) or _is_reference(parameter)):
        return None
    if in_body and parameter.type == "boolean":
        return _given(parameter, False, "guessed", "switched off")
    if in_body and _is_address(parameter.name, parameter.format):
        if not _sendable(parameter, shown):
            return None
        return _given(parameter, NOWHERE, "guessed", "an address that is nobody's")
    documented = [shown, *(one.value for one in parameter.examples if one.origin == "documented")]
    documented += [parameter.default, *parameter.enum]
    for value in documented:
        if value is None or is_stand_in(value, parameter.name):
            continue
        taken = shaped(_cleaned(value), parameter)
        if fits(taken, parameter):
            return _given(parameter, taken, "documented", "documented example")
    invented = not in_body and parameter.type in {"string", "any"}
    if not parameter.required or (invented and not parameter.enum):
        return None
    made = _made(parameter, marker, 0)
    return None if made is None else _given(parameter, made, "guessed", "made from its type")


def _made(parameter: Parameter, marker: str, depth: int) -> JsonValue:  # noqa: PLR0911 (one for each type)
    """Make a value from the type alone; `None` where that cannot be."""
    if depth > _DEPTH:
        return None
    if parameter.enum:
        return parameter.enum[0]
    match parameter.type:
        case "string" | "any":
            return None if parameter.pattern else _FORMATS.get(parameter.format, marker)
        case "integer" | "number":
            low = parameter.minimum if parameter.minimum is not None else 1
            high = parameter.maximum if parameter.maximum is not None else max(low, 1)
            return int(min(max(low, 1), high))
        case "boolean":
            return False
        case "array":
            return []
        case "object":
            inner = [one for one in parameter.fields if one.required]
            made = {one.name: _made(one, marker, depth + 1) for one in inner}
            hostile = any(never_field(one) or _is_reference(one) for one in inner)
            return None if hostile or None in made.values() else dict(made)
        case _:
            return None


def _cleaned(value: JsonValue, depth: int = 0) -> JsonValue:
    """Take out of a documented value what names other objects or people, at any depth."""
    if depth > _DEPTH:
        return None
    if isinstance(value, dict):
        return {
            name: False if inner is True else _cleaned(inner, depth + 1)
            for name, inner in value.items()
            if not _names_other(name)
        }
    if isinstance(value, list):
        return [_cleaned(item, depth + 1) for item in value[:20]]
    if isinstance(value, str) and "://" in value:
        return NOWHERE
    return value


def _is_address(name: str, kind: str) -> bool:
    """Tell whether a field holds an address, which a server may go and look at."""
    parts = set(fold(name).split("_"))
    return kind in {"uri", "url"} or bool(parts & {"url", "uri", "href", "endpoint", "website"})


def _sendable(parameter: Parameter, shown: JsonValue) -> bool:
    text = parameter.type in {"string", "any"} and (shown is None or isinstance(shown, str))
    return text and not parameter.enum and not parameter.pattern


def _names_other(name: str) -> bool:
    parameter = Parameter(name=name, identifier="field", location="body")
    return bool(never_field(parameter)) or _is_reference(parameter)


def _is_reference(parameter: Parameter) -> bool:
    """Tell whether a field points to another object: `author_id`, `parentId`, `users`."""
    name = fold(parameter.name)
    if name == "id" or name in {"uuid", "guid"}:
        return True
    people = {"user", "owner", "author", "assignee", "member", "parent", "customer", "account"}
    return name.endswith(("_id", "_uuid", "_guid", "_ref")) or bool(people & set(name.split("_")))


def _marked(
    fields: list[Parameter],
    sample: dict[str, JsonValue],
    endpoint: Endpoint,
    options: CompileOptions,
) -> list[Parameter]:
    """Give the fields that hold our name: all that name the object, else one that is free text."""
    free = [
        one
        for one in fields
        if _is_free(one, sample) and not configured(one, endpoint, options) and not never_field(one)
    ]
    names = [one for one in free if _rank(one, _NAMES) is not None]
    needed = [one for one in names if one.required or one.name in sample]
    if needed:
        return needed
    if names:
        return [min(names, key=lambda one: _rank(one, _NAMES) or 0)]
    texts = [one for one in free if _rank(one, _TEXTS) is not None]
    others = [one for one in free if one.required or one.name in sample]
    for found in ([one for one in texts if one in others], texts, others):
        if found:
            return [min(found, key=_order)]
    return []


def _order(parameter: Parameter) -> int:
    rank = _rank(parameter, _TEXTS)
    return len(_TEXTS) if rank is None else rank


def _is_free(parameter: Parameter, sample: dict[str, JsonValue]) -> bool:
    shown = sample.get(parameter.name)
    if parameter.enum or parameter.pattern or parameter.format or _is_reference(parameter):
        return False
    if _is_address(parameter.name, ""):
        return False
    if parameter.type == "string":
        return True
    return parameter.type == "any" and (shown is None or isinstance(shown, str))


def _rank(parameter: Parameter, known: tuple[str, ...]) -> int | None:
    name = fold(parameter.name)
    last = name.rpartition("_")[2]
    found = next((one for one in (name, last) if one in known), None)
    return known.index(found) if found is not None else None


def _given(parameter: Parameter, value: JsonValue, origin: str, source: str) -> Given:
    return Given.model_validate(
        {"name": parameter.name, "value": value, "origin": origin, "source": source}
    )
