"""What the package's front pages are filled with: `__init__.py`, README, project file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from doc2tools.compiler.emit.client import environment_prefix
from doc2tools.compiler.emit.code import (
    Docstring,
    Expression,
    Identifier,
    Literal,
    markdown,
    markdown_code,
    toml_string,
)
from doc2tools.compiler.emit.docstrings import headline
from doc2tools.compiler.emit.functions import Function, exported_names, is_required
from doc2tools.compiler.emit.proofs import Proved, proved_arguments
from doc2tools.compiler.emit.scope import member_order, natural
from doc2tools.compiler.emit.text import api_name, one_line
from doc2tools.compiler.ir.options import AuthOptions
from doc2tools.compiler.ir.plan import PackagePlan

LAZY = 100
"""Tools of a package beyond which importing it imports none of them."""

_FRONT = ("Client", "ApiError", "ApiConnectionError")
_SUBMODULES = frozenset(
    (
        *("client", "errors", "models", "tools", "aio", "use", "annotations"),
        *("_answers", "_pages", "_shorten", "_threads", "_wire"),
    )
)


@dataclass(frozen=True, slots=True)
class Module:
    """A module and the tools imported from it."""

    name: Identifier
    tools: tuple[Identifier, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    signature: Expression
    summary: Expression
    request: Expression


@dataclass(frozen=True, slots=True)
class _Variable:
    name: Expression
    text: Expression


def init_values(plan: PackagePlan, functions: Sequence[Function]) -> dict[str, object]:
    """Give the values of `init.py.jinja`; tools named as a submodule stay in `tools`."""
    modules = _modules(functions, _SUBMODULES | set(_FRONT))
    names = [name.source for module in modules for name in module.tools]
    title = api_name(plan.spec.title, plan.name)
    return {
        "docstring": Docstring.of(f"Tools for the {title} API."),
        "version": Literal.of(plan.version),
        "modules": modules,
        **_lazy(modules),
        "exported": [Literal.of(name) for name in sorted((*_FRONT, *names), key=_all_order)],
    }


def tools_init_values(functions: Sequence[Function]) -> dict[str, object]:
    """Give the values of `tools_init.py.jinja`; tools named as a module stay in their module."""
    groups = {function.module.source for function in functions}
    modules = _modules(functions, groups | {"annotations"})
    names = [name.source for module in modules for name in module.tools]
    return {
        "docstring": Docstring.of("All tools of this package."),
        "modules": modules,
        **_lazy(modules),
        "exported": [Literal.of(name) for name in sorted(names, key=_all_order)],
    }


def aio_init_values(functions: Sequence[Function]) -> dict[str, object]:
    """Give the values of the `__init__.py` of the asynchronous twins."""
    docstring = Docstring.of("All tools of this package, asynchronous.")
    return {**tools_init_values(functions), "docstring": docstring}


def _modules(functions: Sequence[Function], hidden: frozenset[str] | set[str]) -> list[Module]:
    groups: dict[str, list[Identifier]] = {}
    for function in functions:
        for name in exported_names(function):
            if name.source not in hidden:
                groups.setdefault(function.module.source, []).append(name)
    return [
        Module(Identifier(group), tuple(sorted(names, key=lambda n: member_order(n.source))))
        for group, names in sorted(groups.items(), key=lambda group: natural(group[0]))
    ]


def _lazy(modules: Sequence[Module]) -> dict[str, object]:
    """Say whether tools are imported as they are asked for, and from which module each comes."""
    places = sorted(
        (name.source, module.name.source) for module in modules for name in module.tools
    )
    return {
        "lazy": len(places) > LAZY,
        "places": [Expression(f"{Literal.of(n)}: {Literal.of(place)}") for n, place in places],
    }


def _all_order(name: str) -> tuple[int, str]:
    return member_order(name)[0], name


def readme_values(plan: PackagePlan, held: Sequence[Proved]) -> dict[str, object]:
    """Give the values of `README.md.jinja` and `pyproject.toml.jinja`."""
    title = api_name(plan.spec.title, plan.name, 80)
    return {
        "title": Expression(markdown(title)),
        "name": Identifier(plan.name),
        "name_text": Expression(toml_string(plan.name)),
        "distribution_text": Expression(distribution_name(plan.name)),
        "iterator": _iterator(held),
        "distribution": Expression(toml_string(distribution_name(plan.name))),
        "version": Expression(toml_string(plan.version)),
        "description": Expression(toml_string(f"Typed Python tools for the {title} API.")),
        "tool_count": Literal.of(len(held)),
        "one_tool": len(held) == 1,
        "proved_only": plan.options.export == "validated",
        "example": Expression(_example(plan, held)),
        "variables": _variables(plan),
        "tools": [_row(item) for item in held],
    }


def distribution_name(package: str) -> str:
    """Give the name under which a package is installed."""
    return package.replace("_", "-").strip("-")


def _iterator(held: Sequence[Proved]) -> Identifier | None:
    """Give the name of an iterator, if the package has one."""
    found = [item.function.iteration for item in held]
    return next((iteration.name for iteration in found if iteration is not None), None)


def _row(item: Proved) -> _Row:
    function = item.function
    arguments = [
        name.source if is_required(parameter) else f"{name}=None"
        for parameter, name in function.arguments()
    ]
    endpoint = function.endpoint
    return _Row(
        Expression(markdown_code(f"{function.name}({', '.join(arguments)})")),
        Expression(markdown(one_line(headline(endpoint), 200))),
        Expression(markdown_code(f"{endpoint.method} {endpoint.path}")),
    )


def _example(plan: PackagePlan, held: Sequence[Proved]) -> str:
    """Show one call, best one with an argument and an answer of a known type."""
    shown: tuple[Function, str] | None = None
    for item in sorted(held, key=_plainness):
        function = item.function
        given = proved_arguments(function, function.values)
        needed = {name.source for p, name in function.arguments() if is_required(p)}
        texts = [
            Literal.of(value).source if name in needed else f"{name}={Literal.of(value).source}"
            for name, value in given.items()
        ]
        if len(", ".join(texts)) <= 80:
            shown = (function, ", ".join(texts))
            break
    if shown is None:
        return f"import {plan.name}"
    function, arguments = shown
    module = f"{plan.name}.tools.{function.module}"
    return f"from {module} import {function.name}\n\nprint({function.name}({arguments}))"


def _plainness(item: Proved) -> tuple[bool, bool, int, str]:
    function = item.function
    given = len(function.values)
    return (
        item.tool.outcome.status != "validated",
        not function.returns.parsed,
        abs(given - 1),
        function.name.source,
    )


def _variables(plan: PackagePlan) -> list[_Variable]:
    prefix = environment_prefix(plan.name)
    variables = [(f"{prefix}_BASE_URL", "scheme, host and base path of the server")]
    variables += _credentials(prefix, plan.options.auth)
    variables.append((f"{prefix}_TLS_VERIFY", "0 or 1, or the path of a CA bundle"))
    return [
        _Variable(Expression(markdown_code(name)), Expression(markdown(text)))
        for name, text in variables
    ]


def _credentials(prefix: str, auth: AuthOptions) -> list[tuple[str, str]]:
    match auth.type:
        case "none":
            return []
        case "basic":
            user = f" (default {one_line(auth.username, 40)})" if auth.username else ""
            return [
                (f"{prefix}_USERNAME", f"user name{user}"),
                (f"{prefix}_PASSWORD", "password"),
            ]
        case "login":
            names = {v[1:] for v in auth.body.values() if isinstance(v, str) and v[:1] == "$"}
            return [(name, "sent when logging in") for name in sorted(names)]
        case _:
            return [(f"{prefix}_TOKEN", "the token")]
