"""The generated package: from a settled plan to the files of `generated/<name>/`."""

from __future__ import annotations

from collections.abc import Sequence

from doc2tools.compiler.emit.client import client_values
from doc2tools.compiler.emit.code import Docstring, Identifier, Literal, identifier
from doc2tools.compiler.emit.environment import Templates, templates
from doc2tools.compiler.emit.functions import Function, name_functions, view
from doc2tools.compiler.emit.scope import Scope
from doc2tools.compiler.emit.text import one_line
from doc2tools.compiler.ir.options import AuthOptions, CompileOptions
from doc2tools.compiler.ir.spec import Endpoint


def stage_sources(
    name: str, base_url: str, endpoints: Sequence[Endpoint], options: CompileOptions
) -> dict[str, str]:
    """Write the package that the sandbox loads before anything is validated.

    The functions and the client are those of the final package, but no answer has a model, and the
    client sends no credentials, as the gateway adds them.

    Args:
        name: The package's import name.
        base_url: Where calls go.
        endpoints: All endpoints, those that will not be called too.
        options: The options of the compile.

    Returns:
        Path below the package's folder to source; imports are relative.
    """
    shown = templates()
    functions = name_functions(endpoints)
    methods = {endpoint.method.upper() for endpoint in endpoints}
    package = identifier(name, (), "toolkit").source
    client = client_values(package, "0", package, base_url, methods, AuthOptions(), options.tls)
    files = {
        "__init__.py": '"""Functions under test."""\n',
        "client.py": shown.render("client.py", client),
        "errors.py": shown.render("errors.py", {}),
        "tools/__init__.py": '"""Functions under test."""\n',
    }
    for group, members in by_group(functions).items():
        files[f"tools/{group}.py"] = _group(shown, group, members, base_url, brief=True)
    return files


def by_group(functions: Sequence[Function]) -> dict[str, list[Function]]:
    """Sort functions into their modules, both in alphabetical order."""
    groups: dict[str, list[Function]] = {}
    for function in sorted(functions, key=lambda f: (f.module.source, f.name.source)):
        groups.setdefault(function.module.source, []).append(function)
    return groups


def _group(
    shown: Templates, group: str, functions: Sequence[Function], base_url: str, *, brief: bool
) -> str:
    taken = {function.name.source for function in functions}
    for function in functions:
        taken.update(argument.source for argument in function.names)
    scope = Scope(taken)
    tools = [view(function, scope, base_url, brief=brief) for function in functions]
    title = one_line(group.replace("_", " "))
    return shown.render(
        "tools_group.py",
        {
            "docstring": Docstring.of(f"Tools of the group {title}."),
            "imports": scope.imports(),
            "exported": [Literal.of(function.name.source) for function in functions],
            "tools": tools,
        },
    )
