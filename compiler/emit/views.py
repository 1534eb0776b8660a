"""What the templates print of each function: signatures, docstrings and calls, sync and async."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from doc2tools.compiler.emit.code import Docstring, Expression, Identifier, Literal
from doc2tools.compiler.emit.docstrings import describe, describe_iterator, describe_twin, headline
from doc2tools.compiler.emit.functions import (
    VERBS,
    Function,
    Iteration,
    below,
    is_required,
    request_parts,
)
from doc2tools.compiler.emit.scope import Scope
from doc2tools.compiler.emit.types import INT, JSON, STR, Type, parameter_type, union


@dataclass(frozen=True, slots=True)
class Signature:
    """Arguments and the type of what is given back."""

    arguments: tuple[Expression, ...]
    returns: Expression


@dataclass(frozen=True, slots=True)
class IteratorView:
    """What the template prints of an iterator."""

    name: Identifier
    arguments: tuple[Expression, ...]
    returns: Expression
    docstring: Docstring
    call: Expression
    given: tuple[Expression, ...]
    run: Expression


@dataclass(frozen=True, slots=True)
class View:
    """What the template prints of one function."""

    name: Identifier
    overload: Expression
    overloads: tuple[Signature, ...]
    arguments: tuple[Expression, ...]
    returns: Expression
    docstring: Docstring
    call: Expression
    given: tuple[Expression, ...]
    run: Expression
    iterator: IteratorView | None


def view(function: Function, scope: Scope, base_url: str, *, brief: bool = False) -> View:
    """Put a function into source, apart from its layout.

    Args:
        function: The function.
        scope: The names of its module.
        base_url: The package's base URL; the path is given below it.
        brief: Leave out all of the docstring but its first line.
    """
    endpoint = function.endpoint
    overloads, whole = _signatures(function, scope)
    client = scope.use("client", "..client")
    method = endpoint.method.upper()
    given = _request(function, scope, base_url, named=method not in VERBS)
    if function.returns.parsed:
        given.append(f"model={function.returns.type.render(scope)}")
    if function.fields is not None:
        given.append(f"fields={function.fields}")
    return View(
        name=function.name,
        overload=Expression(scope.use("overload", "typing") if overloads else ""),
        overloads=overloads,
        arguments=whole.arguments,
        returns=whole.returns,
        docstring=Docstring.of(headline(endpoint), 4) if brief else describe(function, 4),
        call=Expression(f"{client}().{method.lower() if method in VERBS else 'request'}"),
        given=tuple(Expression(text) for text in given),
        run=Expression(""),
        iterator=_iterator(function, scope, base_url),
    )


def async_view(function: Function, scope: Scope) -> View:
    """Put the asynchronous twin of a function into source."""
    overloads, whole = _signatures(function, scope)
    module = scope.use(function.module.source, "..tools")
    iteration = function.iteration
    iterator = None
    if iteration is not None:
        item = iteration.item.render(scope)
        pages = scope.use("AsyncIterator", "collections.abc")
        iterator = IteratorView(
            name=iteration.name,
            arguments=_arguments(function, scope, (_bound(iteration, scope),)),
            returns=Expression(f"{pages}[{item}]"),
            docstring=describe_twin(function, iteration.name.source),
            call=Expression(f"{module}.{iteration.name}"),
            given=_handed_on(function, iteration.bound, iteration.bound.source),
            run=Expression(scope.use("stream", ".._threads")),
        )
    return View(
        name=function.name,
        overload=Expression(scope.use("overload", "typing") if overloads else ""),
        overloads=overloads,
        arguments=whole.arguments,
        returns=whole.returns,
        docstring=describe_twin(function, ""),
        call=Expression(f"{module}.{function.name}"),
        given=_handed_on(function, function.fields, _certain(function, scope)),
        run=Expression(scope.use("run", ".._threads")),
        iterator=iterator,
    )


def signature_text(function: Function) -> str:
    """Give a function's name, arguments and type in one line, for people."""
    scope = Scope(())
    whole = _signatures(function, scope)[1]
    arguments = ", ".join(argument.source for argument in whole.arguments)
    return f"{function.name}({arguments}) -> {whole.returns}"


def _signatures(function: Function, scope: Scope) -> tuple[tuple[Signature, ...], Signature]:
    """Give the overloads, where the type depends on `fields`, and the signature of the function."""
    kind = function.returns.type
    if function.fields is None:
        arguments = _arguments(function, scope, ())
        return (), Signature(arguments, Expression(kind.render(scope)))
    name = function.fields.source
    text, none = STR.render(scope), "None"
    optional = Expression(f"{name}: {STR.optional().render(scope)} = None")
    whole = union(kind, JSON)
    if kind == JSON:
        return (), Signature(
            _arguments(function, scope, (optional,)), Expression(JSON.render(scope))
        )
    without = Signature(
        _arguments(function, scope, (Expression(f"{name}: {none} = None"),)),
        Expression(kind.render(scope)),
    )
    taken = Signature(
        _arguments(function, scope, (Expression(f"{name}: {text}"),)),
        Expression(JSON.render(scope)),
    )
    both = Signature(_arguments(function, scope, (optional,)), Expression(whole.render(scope)))
    return (without, taken), both


def _arguments(
    function: Function, scope: Scope, more: Sequence[Expression]
) -> tuple[Expression, ...]:
    """Give the arguments: required ones first, the others by name only, then our own."""
    arguments: list[Expression] = []
    optional: list[Expression] = []
    for parameter, name in function.arguments():
        kind = parameter_type(parameter, function.values.get(parameter.name))
        if is_required(parameter):
            arguments.append(Expression(f"{name}: {kind.render(scope)}"))
        else:
            optional.append(Expression(f"{name}: {kind.optional().render(scope)} = None"))
    optional += more
    return (*arguments, *((Expression("*"),) if optional else ()), *optional)


def _bound(iteration: Iteration, scope: Scope) -> Expression:
    return Expression(f"{iteration.bound}: {INT.optional().render(scope)} = None")


def _certain(function: Function, scope: Scope) -> str:
    """Give `fields` as it is handed on; a type checker cannot try each overload with each union."""
    if function.fields is None or not function.returns.parsed:
        return str(function.fields)
    return f"{scope.use('cast', 'typing')}({STR.render(scope)}, {function.fields})"


def _handed_on(function: Function, more: Identifier | None, value: str) -> tuple[Expression, ...]:
    """Give the arguments of the call that a twin makes: its own."""
    given = [
        Expression(name.source if is_required(parameter) else f"{name}={name}")
        for parameter, name in function.arguments()
    ]
    if more is not None:
        given.append(Expression(f"{more}={value}"))
    return tuple(given)


def _request(function: Function, scope: Scope, base_url: str, *, named: bool) -> list[str]:
    """Give what both a call and an iterator tell the client of the request."""
    base, template = below(function.endpoint, base_url)
    given = [Literal.of(template).source]
    if named:
        given.insert(0, Literal.of(function.endpoint.method.upper()).source)
    if base:
        given.append(f"base={Literal.of(base)}")
    return [*given, *request_parts(function, scope)]


def _iterator(function: Function, scope: Scope, base_url: str) -> IteratorView | None:
    iteration = function.iteration
    if iteration is None:
        return None
    client = scope.use("client", "..client")
    given = _request(function, scope, base_url, named=True)
    item = iteration.item.render(scope)
    given.append(f"pages={_pages(iteration, scope)}")
    given.append(f"model={_model(iteration.item, scope)}")
    given.append(f"max_pages={iteration.bound}")
    pages = scope.use("Iterator", "collections.abc")
    return IteratorView(
        name=iteration.name,
        arguments=_arguments(function, scope, (_bound(iteration, scope),)),
        returns=Expression(f"{pages}[{item}]"),
        docstring=describe_iterator(function, 4),
        call=Expression(f"{client}().pages"),
        given=tuple(Expression(text) for text in given),
        run=Expression(""),
    )


def _model(kind: Type, scope: Scope) -> str:
    """Give what makes an item into its type; `None` leaves it as parsed."""
    return "None" if kind == JSON else kind.render(scope)


def _pages(iteration: Iteration, scope: Scope) -> str:
    paging = iteration.paging
    parts = [Literal.of(paging.style).source]
    parts.append(_names(paging.items))
    if paging.parameter is not None:
        parts.append(f"parameter={Literal.of(paging.parameter.name)}")
    if paging.place != "query":
        parts.append(f"place={Literal.of(paging.place)}")
    if paging.following:
        parts.append(f"following={_names(paging.following)}")
    if paging.first != 1:
        parts.append(f"first={Literal.of(paging.first)}")
    return f"{scope.use('Pages', '.._pages')}({', '.join(parts)})"


def _names(names: Sequence[str]) -> str:
    """Write a tuple; a last comma where none is needed would have it laid out over many lines."""
    listed = ", ".join(Literal.of(name).source for name in names)
    return f"({listed},)" if len(names) == 1 else f"({listed})"
