"""The compiler checks itself: emitted Python must be what the IR prescribes, and nothing else.

Every module is parsed and walked. Only the node shapes that the templates produce pass, with the
names and strings of the IR in their places; anything else is our bug and raises `AssertionError`.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Collection, Mapping, Sequence

from doc2tools.compiler.emit.code import Docstring
from doc2tools.compiler.emit.docstrings import describe, headline
from doc2tools.compiler.emit.functions import (
    VERBS,
    Function,
    Sent,
    below,
    is_required,
    part_entries,
)
from doc2tools.compiler.emit.models import ModelView

_TYPES = {"str", "int", "float", "bool", "bytes", "list", "dict"}
_IMPORTS = {
    ("typing", 0): {"Literal"},
    ("collections.abc", 0): {"Sequence", "Mapping"},
    ("datetime", 0): {"date", "datetime"},
    ("pydantic", 0): {"JsonValue"},
    ("client", 2): {"client", "joined", "FileContent", "Scalar"},
    ("__future__", 0): {"annotations"},
}


def require(condition: bool, what: str, node: ast.AST | None = None) -> None:
    """Raise `AssertionError` that names the place unless `condition` holds."""
    if not condition:
        line = getattr(node, "lineno", 0)
        raise AssertionError(f"emitted code is not as prescribed: {what}, line {line}")


def check_tools(
    source: str,
    functions: Sequence[Function],
    base_url: str,
    models: Collection[str],
    *,
    brief: bool = False,
) -> None:
    """Check a module of tools.

    Args:
        source: The module.
        functions: The functions that it must hold, in this order.
        base_url: The package's base URL.
        models: Names of the classes of `models.py`.
        brief: The docstrings are one line.
    """
    body = _without_docstring(ast.parse(source))
    local: dict[str, str] = {}
    while body and isinstance(body[0], ast.ImportFrom | ast.Import):
        _import(body.pop(0), local, models)
    _exports(body.pop(0), [function.name.source for function in functions])
    require(len(body) == len(functions), "number of functions")
    for node, function in zip(body, functions, strict=True):
        _function(node, function, base_url, local, brief)


def check_models(source: str, reference: str, models: Sequence[ModelView]) -> None:
    """Check `models.py`: the base class is that of `reference`, and the rest are its subclasses."""
    body = _without_docstring(ast.parse(source))
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
        _docstring(node.body[0], model.docstring)
        require(len(fields) == len(model.fields), "number of fields", node)
        for item, field in zip(fields, model.fields, strict=True):
            if not isinstance(item, ast.AnnAssign) or not isinstance(item.target, ast.Name):
                raise AssertionError(f"emitted code is not as prescribed: field of {node.name}")
            require(item.target.id == field.name.source, "field name", item)
            _annotation(item.annotation, _TYPES | names | {"JsonValue"}, {}, ())
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


def check_index(source: str, functions: Collection[str], modules: Collection[str]) -> None:
    """Check an `__init__.py`: imports of what the package holds, `__all__` and the version."""
    own = {"client": {"Client"}, "errors": {"ApiError", "ApiConnectionError"}}
    for node in _without_docstring(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            if node.module == "__future__":
                continue
            module = node.module or ""
            names = {alias.name for alias in node.names}
            known = own.get(module) or set(functions)
            require(node.level == 1 and names <= known, "import in __init__", node)
            group = module.removeprefix("tools.")
            require(module in own or group in modules, "module in __init__", node)
            continue
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            raise AssertionError("emitted code is not as prescribed: statement in __init__")
        name = node.targets[0].id
        require(name in ("__all__", "__version__"), "assignment in __init__", node)
        value = ast.literal_eval(node.value)
        names = {"Client", "ApiError", "ApiConnectionError", *functions}
        require(name == "__version__" or set(value) <= names, "__all__", node)


def _without_docstring(module: ast.Module) -> list[ast.stmt]:
    first = module.body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    require(is_text, "module docstring", first)
    return module.body[1:]


def _import(node: ast.stmt, local: dict[str, str], models: Collection[str]) -> None:
    if isinstance(node, ast.Import):
        require([alias.name for alias in node.names] == ["builtins"], "import", node)
        local[node.names[0].asname or "builtins"] = "builtins"
        return
    if not isinstance(node, ast.ImportFrom):
        raise AssertionError("emitted code is not as prescribed: import")
    known: Collection[str] = _IMPORTS.get((node.module or "", node.level), set[str]())
    if (node.module, node.level) == ("models", 2):
        known = models
    for alias in node.names:
        require(alias.name in known, f"import of {alias.name}", node)
        local[alias.asname or alias.name] = alias.name


def _exports(node: ast.stmt, names: Sequence[str]) -> None:
    ok = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    require(ok, "__all__", node)
    if isinstance(node, ast.Assign):
        require(ast.literal_eval(node.value) == list(names), "names in __all__", node)


def _function(
    node: ast.stmt, function: Function, base_url: str, local: Mapping[str, str], brief: bool
) -> None:
    if not isinstance(node, ast.FunctionDef):
        raise AssertionError("emitted code is not as prescribed: no function")
    require(node.name == function.name.source, f"name of {node.name}", node)
    require(not node.decorator_list and len(node.body) == 2, "function's body", node)
    arguments = node.args
    plain = not (arguments.posonlyargs or arguments.vararg or arguments.kwarg or arguments.defaults)
    require(plain, "kinds of arguments", node)
    pairs = function.arguments()
    given = [*arguments.args, *arguments.kwonlyargs]
    require([a.arg for a in given] == [name.source for _, name in pairs], "arguments", node)
    needed = sum(is_required(parameter) for parameter, _ in pairs)
    require(len(arguments.args) == needed, "required arguments", node)
    nothing = all(isinstance(d, ast.Constant) and d.value is None for d in arguments.kw_defaults)
    require(nothing, "defaults", node)
    names = (_TYPES | set(local)) - {"client", "joined"}
    for argument, (parameter, _) in zip(given, pairs, strict=True):
        _annotation(argument.annotation, names, local, parameter.enum)
    _annotation(node.returns, names, local, ())
    endpoint = function.endpoint
    text = Docstring.of(headline(endpoint), 4) if brief else describe(function, 4)
    _docstring(node.body[0], text)
    _call(node.body[1], function, base_url, local)


def _call(node: ast.stmt, function: Function, base_url: str, local: Mapping[str, str]) -> None:
    call = node.value if isinstance(node, ast.Return) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        raise AssertionError("emitted code is not as prescribed: no call")
    client = call.func.value
    ok = isinstance(client, ast.Call) and not client.args and not client.keywords
    require(ok, "client", node)
    if isinstance(client, ast.Call):
        require(local.get(ast.unparse(client.func)) == "client", "client", node)
    method = function.endpoint.method.upper()
    base, template = below(function.endpoint, base_url)
    first = [template] if method in VERBS else [method, template]
    require(call.func.attr == (method.lower() if method in VERBS else "request"), "method", node)
    require([ast.literal_eval(argument) for argument in call.args] == first, "path", node)
    entries = part_entries(function)
    for keyword in call.keywords:
        if keyword.arg == "base":
            require(ast.literal_eval(keyword.value) == base, "base", node)
        elif keyword.arg == "model":
            require(function.returns.parsed, "model", node)
            _annotation(keyword.value, _TYPES | set(local), local, ())
        elif keyword.arg == "text":
            _sent(keyword.value, entries.pop("text")[0][1], local)
        else:
            require(keyword.arg in entries, "part of the request", node)
            _part(keyword.value, entries.pop(str(keyword.arg)), local)
    require(not entries, "parts of the request", node)


def _part(
    node: ast.expr,
    entries: Sequence[tuple[str, Sent]],
    local: Mapping[str, str],
) -> None:
    if not isinstance(node, ast.Dict):
        raise AssertionError("emitted code is not as prescribed: part of the request")
    keys = [key.value for key in node.keys if isinstance(key, ast.Constant)]
    require(keys == [name for name, _ in entries], "names in the request", node)
    for value, (_, entry) in zip(node.values, entries, strict=True):
        _sent(value, entry, local)


def _sent(node: ast.expr, entry: Sent, local: Mapping[str, str]) -> None:
    if isinstance(entry, str):
        require(isinstance(node, ast.Constant) and node.value == entry, "fixed value", node)
        return
    if isinstance(node, ast.Call):
        ok = local.get(ast.unparse(node.func)) == "joined" and len(node.args) == 2
        require(ok and not node.keywords and isinstance(node.args[1], ast.Constant), "call", node)
        node = node.args[0]
    require(isinstance(node, ast.Name) and node.id == str(entry[1]), "argument sent", node)


def _annotation(
    node: ast.expr | None,
    names: Collection[str],
    local: Mapping[str, str],
    choices: Sequence[object],
) -> None:
    match node:
        case ast.Name():
            require(node.id in names, f"type {node.id}", node)
        case ast.Constant(value=None):
            pass
        case ast.BinOp(op=ast.BitOr()):
            _annotation(node.left, names, local, choices)
            _annotation(node.right, names, local, choices)
        case ast.Subscript(value=ast.Name(id=name)) if local.get(name) == "Literal":
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            require(all(ast.literal_eval(part) in choices for part in parts), "choices", node)
        case ast.Subscript():
            _annotation(node.value, names, local, choices)
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            for part in parts:
                _annotation(part, names, local, choices)
        case ast.Attribute(value=ast.Name(id=name)):
            require(local.get(name) == "builtins" and node.attr in _TYPES, "builtin", node)
        case _:
            require(False, "type", node)


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


def _docstring(node: ast.stmt, expected: Docstring) -> None:
    value = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(value, ast.Constant) or not isinstance(value.value, str):
        raise AssertionError("emitted code is not as prescribed: no docstring")
    same = inspect.cleandoc(value.value) == inspect.cleandoc(expected.text)
    require(same, "docstring", node)


def _constants(module: ast.Module) -> tuple[list[str], dict[str, ast.expr]]:
    """Split a module into its fixed text and its constants; f-strings are fixed text."""
    constants: dict[str, ast.expr] = {}
    fixed: list[str] = []
    for node in _without_docstring(module):
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
