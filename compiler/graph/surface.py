"""What tools take and give, as flat lists of sites that the search and the rules work on.

In go tools; out come `ParameterSite`s and `FieldSite`s with the nouns that they belong to: whose
identifier a parameter wants, and whose record a field is part of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from doc2tools.compiler.graph.answers import Scalar, SeenField, answer_shape
from doc2tools.compiler.graph.nouns import Nouns, attested_nouns, field_handle, parameter_nouns
from doc2tools.compiler.graph.records import Record, field_place, records_of
from doc2tools.compiler.ir.outcome import Tool, Validated
from doc2tools.compiler.ir.spec import Parameter
from doc2tools.param_db.naming import fold, is_generic, singular_phrase

__all__ = ["FieldSite", "ParameterSite", "Surface", "read_surface"]

_MAX_KNOWN = 20
_IDENTIFYING = frozenset({"id", "uuid", "guid", "key", "slug", "code", "name"})
_SURE = 0.85
_TRANSPORT = frozenset({"header", "cookie"})


@dataclass(frozen=True, slots=True)
class ParameterSite:
    """A parameter of a tool.

    Attributes:
        tool: Index of the tool.
        name: Folded name; for a name that says nothing, what it seems to ask for.
        nouns: Whose identifier it wants, folded, with weights from 0 to 1.
        handle: Which kind of identifier (`id`, `name`, …); "" where the name does not say.
        opaque: The name says nothing that any answer or path of the API attests.
        known: Values that are known to be good.
    """

    tool: int
    parameter: Parameter
    name: str
    nouns: Nouns
    handle: str
    opaque: bool
    known: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class FieldSite:
    """A field of a tool's answer.

    Attributes:
        tool: Index of the tool.
        name: Folded name; "" for elements of a list and keys of a map.
        record: The record that holds it.
        owner: Noun that the name itself gives, for a reference to another record: `user_id` → user.
        handle: Which kind of identifier it is; "" for none.
    """

    tool: int
    seen: SeenField
    name: str
    record: Record
    owner: str
    handle: str


@dataclass(frozen=True, slots=True)
class Surface:
    """Everything that tools take and give."""

    tools: tuple[Tool, ...]
    parameters: tuple[ParameterSite, ...]
    fields: tuple[FieldSite, ...]
    by_tool: tuple[tuple[ParameterSite, ...], ...] = field(default=())


def read_surface(tools: Sequence[Tool]) -> Surface:
    """Read the parameters and the answers of all tools."""
    shapes = [answer_shape(tool) for tool in tools]
    attested = attested_nouns([tool.endpoint for tool in tools])
    fields: list[FieldSite] = []
    vocabulary: set[str] = set(attested)
    mentioned: set[str] = set()
    holders = records_of(tools, shapes, attested)
    for index, shape in enumerate(shapes):
        for path, seen in shape.fields.items():
            name = singular_phrase(fold(field_place(path, attested)[1]))
            record = holders[index][path]
            if record.listed and record.key and name in _IDENTIFYING:
                mentioned.add(record.key)
            owner, handle = field_handle(name, seen.description, record, attested)
            vocabulary.add(name)
            fields.append(FieldSite(index, seen, name, record, owner, handle))
    said = _Words(
        attested, frozenset(vocabulary), frozenset(mentioned), _leading_fields(fields, attested)
    )
    per_tool: list[tuple[ParameterSite, ...]] = []
    for index, tool in enumerate(tools):
        per_tool.append(
            tuple(
                _parameter_site(index, tool, parameter, said)
                for parameter in tool.endpoint.parameters
                if parameter.location not in _TRANSPORT
            )
        )
    parameters = tuple(site for sites in per_tool for site in sites)
    return Surface(tuple(tools), parameters, tuple(fields), tuple(per_tool))


@dataclass(frozen=True, slots=True)
class _Words:
    """The names that an API uses; see `parameter_nouns`."""

    attested: frozenset[str]
    vocabulary: frozenset[str]
    mentioned: frozenset[str]
    leading: dict[str, str]


def _leading_fields(fields: Sequence[FieldSite], attested: frozenset[str]) -> dict[str, str]:
    """Give, for nouns whose records have no usual identifier, the field that stands first in them.

    It is what a parameter with a name that says nothing is taken to ask for.
    """
    handled = {
        noun
        for one in fields
        if one.handle and not one.owner
        for noun, weight in one.record.nouns.items()
        if weight >= _SURE
    }
    first: dict[str, Counter[str]] = {}
    seen: set[int] = set()
    for one in fields:
        record = one.record
        if id(record) in seen or not one.name or is_generic(one.name) or one.owner:
            continue
        seen.add(id(record))
        for noun, weight in record.nouns.items():
            if weight >= _SURE and noun in attested and noun not in handled:
                first.setdefault(noun, Counter())[one.name] += 1
    return {noun: names.most_common(1)[0][0] for noun, names in first.items()}


def _parameter_site(index: int, tool: Tool, parameter: Parameter, said: _Words) -> ParameterSite:
    found = parameter_nouns(
        tool.endpoint, parameter, said.attested, said.vocabulary, said.mentioned
    )
    name, opaque = fold(parameter.name), found.opaque
    leading = said.leading.get(max(found.nouns, key=found.nouns.__getitem__, default=""), "")
    if opaque and leading and parameter.location == "path":
        name, opaque = leading, False
    return ParameterSite(
        tool=index,
        parameter=parameter,
        name=name,
        nouns=found.nouns,
        handle=found.handle,
        opaque=opaque,
        known=_known_values(tool, parameter),
    )


def _known_values(tool: Tool, parameter: Parameter) -> tuple[Scalar, ...]:
    values: list[object] = []
    if isinstance(tool.outcome, Validated):
        values.extend(
            argument.value
            for argument in tool.outcome.attempt.arguments
            if argument.name == parameter.name
        )
    values.extend(one.value for one in parameter.examples if one.origin != "guessed")
    values.extend(sample.get(parameter.name) for sample in tool.endpoint.samples)
    found: dict[str, Scalar] = {}
    for value in values:
        items: list[object] = list(value) if isinstance(value, list | tuple) else [value]  # pyright: ignore[reportUnknownArgumentType]
        for item in items[:_MAX_KNOWN]:
            if isinstance(item, str | int | float):
                found.setdefault(str(item), item)
    return tuple(found.values())[:_MAX_KNOWN]
