"""One endpoint as one Python function: its arguments, its call, its docstring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from doc2tools.compiler.emit.code import Identifier, Literal, identifier
from doc2tools.compiler.emit.docstrings import Example
from doc2tools.compiler.emit.paging import Paging
from doc2tools.compiler.emit.scope import Scope
from doc2tools.compiler.emit.types import BYTES, JSON, STR, Type
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.spec import Endpoint, Parameter

VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
_SEPARATORS = {"comma": ",", "space": " ", "pipe": "|"}


@dataclass(frozen=True, slots=True)
class Returns:
    """What a function gives back.

    Attributes:
        type: Its type; `JsonValue` where no answer was seen.
        fields: Names of the answer's own fields, for the docstring.
    """

    type: Type = JSON
    fields: tuple[str, ...] = ()

    @property
    def parsed(self) -> bool:
        """Say whether the client makes the answer into `type`, rather than give it as parsed."""
        return self.type != JSON


@dataclass(frozen=True, slots=True)
class Iteration:
    """The iterator over all pages of a tool's answers.

    Attributes:
        name: The iterator's name.
        bound: The argument that limits the pages.
        paging: How the answers are paged.
        item: The type of an item.
    """

    name: Identifier
    bound: Identifier
    paging: Paging
    item: Type = JSON


@dataclass(frozen=True, slots=True)
class Function:
    """An endpoint with the names it has in the package, and what its proof tells.

    Attributes:
        names: Python argument of each of the endpoint's parameters, in their order.
        values: Values of the proved call, by wire name.
        fields: The argument that takes parts of the answer, where it can have parts.
        iteration: The iterator over all pages, where the answers are paged.
    """

    endpoint: Endpoint
    name: Identifier
    module: Identifier
    names: tuple[Identifier, ...]
    returns: Returns = Returns()
    values: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    example: Example | None = None
    fields: Identifier | None = None
    iteration: Iteration | None = None

    def arguments(self) -> tuple[tuple[Parameter, Identifier], ...]:
        """Give each parameter with its argument, in the signature's order."""
        pairs = tuple(zip(self.endpoint.parameters, self.names, strict=True))
        return (
            *(pair for pair in pairs if is_required(pair[0])),
            *(pair for pair in pairs if not is_required(pair[0])),
        )


def exported_names(function: Function) -> tuple[Identifier, ...]:
    """Give the names that a function brings into its module: its own, and its iterator's."""
    iteration = function.iteration
    return (function.name,) if iteration is None else (function.name, iteration.name)


Sent: TypeAlias = "str | tuple[Parameter, Identifier]"
"""A fixed value, or a parameter and the argument that carries it."""

Entries: TypeAlias = list[tuple[str, Sent]]


def is_required(parameter: Parameter) -> bool:
    """Say whether a call must give the parameter; those of the path it always must."""
    return parameter.required or parameter.location == "path"


def name_functions(endpoints: Iterable[Endpoint]) -> tuple[Function, ...]:
    """Give every endpoint its function, module and arguments, each name valid and unique."""
    functions: list[Function] = []
    names: set[str] = set()
    for endpoint in endpoints:
        name = identifier(endpoint.name, names, "call")
        names.add(name.source)
        arguments: list[Identifier] = []
        taken: set[str] = set()
        for parameter in endpoint.parameters:
            argument = identifier(parameter.identifier, taken, "value")
            taken.add(argument.source)
            arguments.append(argument)
        module = identifier(endpoint.group, (), "api")
        functions.append(Function(endpoint, name, module, tuple(arguments)))
    return tuple(functions)


def below(endpoint: Endpoint, base_url: str) -> tuple[str, str]:
    """Give the base that the call must name, "" if it is the package's, and the path below it."""
    own = endpoint.base_url.rstrip("/")
    base = base_url.rstrip("/")
    if not own or own == base:
        return "", endpoint.path
    if base and own.startswith(f"{base}/"):
        return "", own[len(base) :] + endpoint.path
    return own, endpoint.path


def request_parts(function: Function, scope: Scope) -> Iterable[str]:
    """Give the parts of the request that carry fixed values and arguments: `query={...}`."""
    for keyword, entries in part_entries(function).items():
        if keyword == "text":
            yield f"text={_sent(entries[0][1], keyword, scope)}"
            continue
        slots = [f"{Literal.of(key)}: {_sent(sent, keyword, scope)}" for key, sent in entries]
        yield f"{keyword}={{{', '.join(slots)}}}"


def _sent(sent: Sent, keyword: str, scope: Scope) -> str:
    if isinstance(sent, str):
        return Literal.of(sent).source
    parameter, name = sent
    separator = _SEPARATORS.get(parameter.style)
    if keyword == "query" and separator and parameter.type in ("array", "any"):
        return f"{scope.use('joined', '..client')}({name}, {Literal.of(separator)})"
    return name.source


def part_entries(function: Function) -> dict[str, Entries]:
    """Sort fixed values and parameters into the parts of the client's request."""
    endpoint = function.endpoint
    parts: dict[str, Entries] = {
        keyword: []
        for keyword in (
            *("path", "path_slashes", "query", "headers", "cookies"),
            *("body", "form", "multipart", "text"),
        )
    }
    pairs = tuple(zip(endpoint.parameters, function.names, strict=True))
    sent = {(parameter.location, parameter.name.lower()) for parameter, _ in pairs}
    parts["query"] += [
        item for item in endpoint.fixed_query.items() if ("query", item[0]) not in sent
    ]
    multipart = endpoint.body_kind == "multipart" or any(p.type == "file" for p, _ in pairs)
    for name, value in endpoint.fixed_headers.items():
        if ("header", name.lower()) in sent or (multipart and name.lower() == "content-type"):
            continue
        parts["headers"].append((name, value))
    in_body = [parameter for parameter, _ in pairs if parameter.location in ("body", "form")]
    for parameter, name in pairs:
        match parameter.location:
            case "path":
                keyword = "path_slashes" if parameter.format == "path" else "path"
            case "query":
                keyword = "query"
            case "header":
                keyword = "headers"
            case "cookie":
                keyword = "cookies"
            case _ if multipart:
                keyword = "multipart"
            case _ if endpoint.body_kind == "text" and len(in_body) == 1:
                keyword = "text"
            case "form":
                keyword = "form"
            case _:
                keyword = "form" if endpoint.body_kind == "form" else "body"
        if all(key != parameter.name for key, _ in parts[keyword]):
            parts[keyword].append((parameter.name, (parameter, name)))
    return {keyword: entries for keyword, entries in parts.items() if entries}


TEXT_RETURNS = Returns(STR)
BYTES_RETURNS = Returns(BYTES)
