"""One endpoint as one Python function: its arguments, its call, its docstring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from doc2tools.compiler.emit.code import Docstring, Expression, Identifier, Literal, identifier
from doc2tools.compiler.emit.docstrings import Example, describe, headline
from doc2tools.compiler.emit.scope import Scope
from doc2tools.compiler.emit.types import BYTES, JSON, STR, Type, parameter_type
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
class Function:
    """An endpoint with the names it has in the package, and what its proof tells.

    Attributes:
        names: Python argument of each of the endpoint's parameters, in their order.
        values: Values of the proved call, by wire name.
    """

    endpoint: Endpoint
    name: Identifier
    module: Identifier
    names: tuple[Identifier, ...]
    returns: Returns = Returns()
    values: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    example: Example | None = None

    def arguments(self) -> tuple[tuple[Parameter, Identifier], ...]:
        """Give each parameter with its argument, in the signature's order."""
        pairs = tuple(zip(self.endpoint.parameters, self.names, strict=True))
        return (
            *(pair for pair in pairs if is_required(pair[0])),
            *(pair for pair in pairs if not is_required(pair[0])),
        )


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


@dataclass(frozen=True, slots=True)
class View:
    """What the template prints of one function."""

    name: Identifier
    arguments: tuple[Expression, ...]
    returns: Expression
    docstring: Docstring
    call: Expression
    given: tuple[Expression, ...]


def view(function: Function, scope: Scope, base_url: str, *, brief: bool = False) -> View:
    """Put a function into source, apart from its layout.

    Args:
        function: The function.
        scope: The names of its module.
        base_url: The package's base URL; the path is given below it.
        brief: Leave out all of the docstring but its first line.
    """
    endpoint = function.endpoint
    returns = function.returns.type.render(scope)
    arguments: list[Expression] = []
    starred = False
    for parameter, name in function.arguments():
        kind = parameter_type(parameter, function.values.get(parameter.name))
        if is_required(parameter):
            arguments.append(Expression(f"{name}: {kind.render(scope)}"))
            continue
        if not starred:
            arguments.append(Expression("*"))
            starred = True
        arguments.append(Expression(f"{name}: {kind.optional().render(scope)} = None"))
    base, template = below(endpoint, base_url)
    client = scope.use("client", "..client")
    method = endpoint.method.upper()
    given = [Literal.of(template).source]
    if method not in VERBS:
        given.insert(0, Literal.of(method).source)
    if base:
        given.append(f"base={Literal.of(base)}")
    given += request_parts(function, scope)
    if function.returns.parsed:
        given.append(f"model={returns}")
    return View(
        name=function.name,
        arguments=tuple(arguments),
        returns=Expression(returns),
        docstring=Docstring.of(headline(endpoint), 4) if brief else describe(function, 4),
        call=Expression(f"{client}().{method.lower() if method in VERBS else 'request'}"),
        given=tuple(Expression(text) for text in given),
    )


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
