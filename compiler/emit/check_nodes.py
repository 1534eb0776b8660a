"""The smallest parts of emitted code that are checked: constants, types, docstrings."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Collection, Mapping, Sequence

from doc2tools.compiler.emit.code import Docstring

TYPES = frozenset(("str", "int", "float", "bool", "bytes", "list", "dict"))


def require(condition: bool, what: str, node: ast.AST | None = None) -> None:
    """Raise `AssertionError` that names the place unless `condition` holds."""
    if not condition:
        line = getattr(node, "lineno", 0)
        raise AssertionError(f"emitted code is not as prescribed: {what}, line {line}")


def without_docstring(module: ast.Module) -> list[ast.stmt]:
    """Give the statements of a module below its docstring."""
    first = module.body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    require(is_text, "module docstring", first)
    return module.body[1:]


def annotation(
    node: ast.expr | None,
    names: Collection[str],
    local: Mapping[str, str],
    choices: Sequence[object],
) -> None:
    """Check that a type is made of names that are allowed."""
    match node:
        case ast.Name():
            require(node.id in names, f"type {node.id}", node)
        case ast.Constant(value=None):
            pass
        case ast.BinOp(op=ast.BitOr()):
            annotation(node.left, names, local, choices)
            annotation(node.right, names, local, choices)
        case ast.Subscript(value=ast.Name(id=name)) if local.get(name) == "Literal":
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            require(all(ast.literal_eval(part) in choices for part in parts), "choices", node)
        case ast.Subscript():
            annotation(node.value, names, local, choices)
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            for part in parts:
                annotation(part, names, local, choices)
        case ast.Attribute(value=ast.Name(id=name)):
            require(local.get(name) == "builtins" and node.attr in TYPES, "builtin", node)
        case _:
            require(False, "type", node)


def check_docstring(node: ast.stmt, expected: Docstring) -> None:
    """Check that a statement is just the docstring that it must be."""
    value = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(value, ast.Constant) or not isinstance(value.value, str):
        raise AssertionError("emitted code is not as prescribed: no docstring")
    same = inspect.cleandoc(value.value) == inspect.cleandoc(expected.text)
    require(same, "docstring", node)
