"""What the names in a body stand for: parameters, locals, imports, the client."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

BUILTINS = frozenset(dir(builtins))


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one function.

    Attributes:
        function: The function's own name.
        parameters: All of its parameters.
        required: Those without a default.
        flags: Those that are `bool`, and nothing else.
        module: Names that the module binds.
        client: The names under which the module has the client's getter.
        joined: The names under which it has the client's `joined`.
        imported: Name to the dotted name it stands for, module's and body's.
        bound: Names that the body binds, imports left out.
    """

    function: str
    parameters: frozenset[str]
    required: frozenset[str]
    flags: frozenset[str]
    module: frozenset[str]
    client: frozenset[str]
    joined: frozenset[str]
    imported: dict[str, str]
    bound: frozenset[str]

    def resolve(self, node: ast.expr) -> str:
        """Give the dotted name that an expression stands for, "" if it is no plain name."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        if node.id in self.imported:
            return ".".join((self.imported[node.id], *reversed(parts)))
        if node.id in self.bound or node.id in self.parameters or node.id in self.module:
            return ""
        return ".".join((node.id, *reversed(parts))) if node.id in BUILTINS else ""

    def client_call(self, node: ast.AST) -> str:
        """Give the method's name of `client().method(...)`, "" for every other node."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return ""
        inner = node.func.value
        if not isinstance(inner, ast.Call) or not isinstance(inner.func, ast.Name):
            return ""
        plain = not inner.args and not inner.keywords
        return node.func.attr if plain and inner.func.id in self.client else ""


def read_names(module: ast.Module, function: ast.FunctionDef, body: Sequence[ast.stmt]) -> Names:
    """Read the names from the module before and the body proposed."""
    imported: dict[str, str] = {}
    client: set[str] = set()
    joined: set[str] = set()
    bound: set[str] = set()
    for node in module.body:
        for name, dotted in _imports(node):
            bound.add(name)
            if dotted == "..client.client":
                client.add(name)
            elif dotted == "..client.joined":
                joined.add(name)
            elif not dotted.startswith("."):
                imported[name] = dotted
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound.add(node.name)
        bound.update(_stored(node))
    own: set[str] = set()
    for statement in body:
        own.update(_stored(statement))
        for node in ast.walk(statement):
            for name, dotted in _imports(node):
                if name not in bound:
                    imported[name] = dotted
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    optional = len(arguments.defaults)
    required = {item.arg for item in positional[: len(positional) - optional]}
    keyword_only = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    required |= {item.arg for item, default in keyword_only if default is None}
    return Names(
        function=function.name,
        parameters=frozenset(item.arg for item in (*positional, *arguments.kwonlyargs)),
        required=frozenset(required),
        flags=frozenset(
            item.arg
            for item in (*positional, *arguments.kwonlyargs)
            if item.annotation is not None and ast.unparse(item.annotation) == "bool"
        ),
        module=frozenset(bound),
        client=frozenset(client),
        joined=frozenset(joined),
        imported=imported,
        bound=frozenset(own),
    )


def _imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.asname:
                yield alias.asname, alias.name
            else:
                top = alias.name.partition(".")[0]
                yield top, top
    elif isinstance(node, ast.ImportFrom):
        prefix = "." * node.level + (node.module or "")
        for alias in node.names:
            yield alias.asname or alias.name, f"{prefix}.{alias.name}"


def _stored(statement: ast.stmt) -> Iterable[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            yield node.id
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name
