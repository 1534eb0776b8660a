"""The compiler checks itself: emitted Python must be what the IR prescribes, and nothing else.

Every module is parsed and walked. What the modules of functions may hold is in `check_functions`;
here are models, fixed modules and indexes. Anything else is our bug and raises `AssertionError`.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence

from doc2tools.compiler.emit.check_functions import check_tools, check_twins
from doc2tools.compiler.emit.check_nodes import (
    TYPES,
    annotation,
    check_docstring,
    require,
    without_docstring,
)
from doc2tools.compiler.emit.models import ModelView

__all__ = ["check_index", "check_models", "check_same", "check_tools", "check_twins"]


def check_models(source: str, reference: str, models: Sequence[ModelView]) -> None:
    """Check `models.py`: the base class is that of `reference`, and the rest are its subclasses."""
    body = without_docstring(ast.parse(source))
    classes = [node for node in body if isinstance(node, ast.ClassDef)]
    for node in body:
        imported = isinstance(node, ast.ImportFrom) and node.module in (
            *("__future__", "typing", "pydantic"),
        )
        require(imported or node in classes, "statement in models", node)
    expected = [n for n in ast.parse(reference).body if isinstance(n, ast.ClassDef)]
    require(ast.dump(classes[0]) == ast.dump(expected[0]), "base model", classes[0])
    require([c.name for c in classes[1:]] == [m.name.source for m in models], "models")
    names = {model.name.source for model in models}
    for node, model in zip(classes[1:], models, strict=True):
        require([ast.unparse(base) for base in node.bases] == ["Model"], "base", node)
        require(not node.keywords and not node.decorator_list, "decorated model", node)
        fields = node.body[1:]
        check_docstring(node.body[0], model.docstring)
        require(len(fields) == len(model.fields), "number of fields", node)
        for item, field in zip(fields, model.fields, strict=True):
            if not isinstance(item, ast.AnnAssign) or not isinstance(item.target, ast.Name):
                raise AssertionError(f"emitted code is not as prescribed: field of {node.name}")
            require(item.target.id == field.name.source, "field name", item)
            annotation(item.annotation, TYPES | names | {"JsonValue"}, {}, ())
            _field_default(item.value, field.key)


def check_same(source: str, reference: str, values: Mapping[str, object]) -> None:
    """Check a module that differs from `reference` in its docstring and its constants only.

    Args:
        source: The module.
        reference: The same template, filled with harmless values.
        values: Constant's name to the value it must have; the others must only be literals.
    """
    found, expected = _constants(ast.parse(source)), _constants(ast.parse(reference))
    require(found[0] == expected[0], "text of a fixed module")
    for name, node in found[1].items():
        if name in values:
            require(ast.literal_eval(node) == values[name], f"constant {name}", node)
    require(found[1].keys() == expected[1].keys(), "constants")


def check_index(
    source: str, reference: str, functions: Collection[str], modules: Collection[str]
) -> None:
    """Check an `__init__.py`: imports of what the package holds, `__all__` and the version.

    Args:
        source: The module.
        reference: The same template, filled for a package without tools that are imported late.
        functions: Names that the modules of tools export.
        modules: Names of the modules of tools.
    """
    fixed = {ast.dump(node) for node in ast.parse(reference).body}
    names = {"Client", "ApiError", "ApiConnectionError", *functions}
    for node in without_docstring(ast.parse(source)):
        if ast.dump(node) in fixed:
            continue
        if isinstance(node, ast.If):
            require(ast.unparse(node.test) == "TYPE_CHECKING" and not node.orelse, "if", node)
            for inner in node.body:
                _index_import(inner, functions, modules)
        elif isinstance(node, ast.ImportFrom):
            _index_import(node, functions, modules)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value = ast.literal_eval(node.value)
            match node.targets[0].id:
                case "__all__":
                    require(set(value) <= names, "__all__", node)
                case "_PLACES":
                    ok = set(value) <= set(functions) and set(value.values()) <= set(modules)
                    require(ok, "places", node)
                case name:
                    ok = name == "__version__" and isinstance(value, str)
                    require(ok, "assignment in __init__", node)
        else:
            raise AssertionError("emitted code is not as prescribed: statement in __init__")


def _index_import(node: ast.stmt, functions: Collection[str], modules: Collection[str]) -> None:
    if not isinstance(node, ast.ImportFrom):
        raise AssertionError("emitted code is not as prescribed: statement in __init__")
    module = node.module or ""
    group = module.removeprefix("tools.")
    known = node.level == 1 and group in modules
    require(known, "module in __init__", node)
    held = all(alias.name in functions and alias.asname is None for alias in node.names)
    require(held, "import in __init__", node)


def _field_default(node: ast.expr | None, key: str) -> None:
    match node:
        case None | ast.Constant(value=None):
            return
        case ast.Call(func=ast.Name(id="Field"), args=[]):
            given = {word.arg: ast.literal_eval(word.value) for word in node.keywords}
            alias = given.pop("alias", None)
            require(alias == key and given in ({}, {"default": None}), "field's alias", node)
        case _:
            require(False, "field's default", node)


def _constants(module: ast.Module) -> tuple[list[str], dict[str, ast.expr]]:
    """Split a module into its fixed text and its constants; f-strings are fixed text."""
    constants: dict[str, ast.expr] = {}
    fixed: list[str] = []
    for node in without_docstring(module):
        target = node.target if isinstance(node, ast.AnnAssign) else None
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
        value = node.value if isinstance(node, ast.AnnAssign | ast.Assign) else None
        if isinstance(target, ast.Name) and value is not None and _is_literal(value):
            constants[target.id] = value
        else:
            fixed.append(ast.dump(node))
    return fixed, constants


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except ValueError:
        return False
    return True
