"""Checks of emitted modules of functions: tools, their iterators, their asynchronous twins.

Only the node shapes that the templates produce pass, with the names and strings of the IR in their
places; anything else is our bug and raises `AssertionError`.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias

from doc2tools.compiler.emit.check_nodes import (
    TYPES,
    annotation,
    check_docstring,
    require,
    without_docstring,
)
from doc2tools.compiler.emit.code import Docstring, Identifier
from doc2tools.compiler.emit.docstrings import (
    describe,
    describe_iterator,
    describe_twin,
    headline,
)
from doc2tools.compiler.emit.functions import (
    VERBS,
    Function,
    Sent,
    below,
    exported_names,
    is_required,
    part_entries,
)

_IMPORTS = {
    ("typing", 0): {"Literal", "cast", "overload"},
    ("collections.abc", 0): {"AsyncIterator", "Iterator", "Sequence", "Mapping"},
    ("datetime", 0): {"date", "datetime"},
    ("pydantic", 0): {"JsonValue"},
    ("client", 2): {"client", "joined", "FileContent", "Scalar"},
    ("_pages", 2): {"Pages"},
    ("_threads", 2): {"run", "stream"},
    ("__future__", 0): {"annotations"},
}

_Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"


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
    body, local = _opened(source, functions, models)
    for function in functions:
        node = _overloads(body, function, local)
        _function(node, function, local, brief=brief)
        _call(node, function, base_url, local)
        if function.iteration is not None:
            _iterator(body.pop(0), function, base_url, local)
    require(not body, "number of functions")


def check_twins(source: str, functions: Sequence[Function], models: Collection[str]) -> None:
    """Check a module of asynchronous twins.

    Args:
        source: The module.
        functions: The functions whose twins it must hold, in this order.
        models: Names of the classes of `models.py`.
    """
    groups = {function.module.source for function in functions}
    body, local = _opened(source, functions, models, groups)
    for function in functions:
        node = _overloads(body, function, local)
        _signature(node, function, local, function.fields)
        check_docstring(node.body[0], describe_twin(function, ""))
        made = _returned(node)
        call = made.value if isinstance(made, ast.Await) else None
        _twin(call, function, local, run="run", name=function.name, more=function.fields)
        if function.iteration is not None:
            iterator = body.pop(0)
            name, bound = function.iteration.name, function.iteration.bound
            _signature(iterator, function, local, bound, name.source)
            if isinstance(iterator, ast.FunctionDef):
                check_docstring(iterator.body[0], describe_twin(function, name.source))
            made = _returned(iterator)
            _twin(made, function, local, run="stream", name=name, more=bound)
    require(not body, "number of functions")


def _opened(
    source: str,
    functions: Sequence[Function],
    models: Collection[str],
    groups: Collection[str] = (),
) -> tuple[list[ast.stmt], dict[str, str]]:
    """Check the head of a module; give what follows, and what its imports are."""
    body = without_docstring(ast.parse(source))
    local: dict[str, str] = {}
    while body and isinstance(body[0], ast.ImportFrom | ast.Import):
        _import(body.pop(0), local, models, groups)
    _exports(body.pop(0), [name.source for one in functions for name in exported_names(one)])
    return body, local


def _import(
    node: ast.stmt, local: dict[str, str], models: Collection[str], groups: Collection[str]
) -> None:
    if isinstance(node, ast.Import):
        require([alias.name for alias in node.names] == ["builtins"], "import", node)
        local[node.names[0].asname or "builtins"] = "builtins"
        return
    if not isinstance(node, ast.ImportFrom):
        raise AssertionError("emitted code is not as prescribed: import")
    known: Collection[str] = _IMPORTS.get((node.module or "", node.level), set[str]())
    if (node.module, node.level) == ("models", 2):
        known = models
    if (node.module, node.level) == ("tools", 2):
        known = groups
    for alias in node.names:
        require(alias.name in known, f"import of {alias.name}", node)
        local[alias.asname or alias.name] = alias.name


def _exports(node: ast.stmt, names: Sequence[str]) -> None:
    ok = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    require(ok, "__all__", node)
    if isinstance(node, ast.Assign):
        require(ast.literal_eval(node.value) == list(names), "names in __all__", node)


def _overloads(body: list[ast.stmt], function: Function, local: Mapping[str, str]) -> _Function:
    """Check the overloads that go before a function, and take all of them off; give it."""
    if function.fields is not None and function.returns.parsed:
        for _ in range(2):
            node = body.pop(0)
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                raise AssertionError("emitted code is not as prescribed: no overload")
            (decorator,) = node.decorator_list
            is_overload = isinstance(decorator, ast.Name) and local.get(decorator.id) == "overload"
            require(is_overload, "decorator", node)
            _arguments(node, function, local, function.fields)
            empty = ast.unparse(node.body[0]) == "..." and len(node.body) == 1
            require(empty, "body of an overload", node)
    require(bool(body), "number of functions")
    node = body.pop(0)
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        raise AssertionError("emitted code is not as prescribed: no function")
    return node


def _signature(
    node: ast.stmt,
    function: Function,
    local: Mapping[str, str],
    more: Identifier | None,
    name: str = "",
) -> None:
    """Check name, arguments and kind of a function of one docstring and one statement."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        raise AssertionError("emitted code is not as prescribed: no function")
    require(node.name == (name or function.name.source), f"name of {node.name}", node)
    require(not node.decorator_list and len(node.body) == 2, "function's body", node)
    text = node.body[0].value if isinstance(node.body[0], ast.Expr) else None
    is_text = isinstance(text, ast.Constant) and isinstance(text.value, str)
    require(is_text, "docstring", node)
    _arguments(node, function, local, more)


def _arguments(
    node: _Function, function: Function, local: Mapping[str, str], more: Identifier | None
) -> None:
    require(node.name in {name.source for name in exported_names(function)}, "name", node)
    arguments = node.args
    plain = not (arguments.posonlyargs or arguments.vararg or arguments.kwarg or arguments.defaults)
    require(plain, "kinds of arguments", node)
    pairs = function.arguments()
    given = [*arguments.args, *arguments.kwonlyargs]
    expected = [name.source for _, name in pairs] + ([more.source] if more is not None else [])
    require([a.arg for a in given] == expected, "arguments", node)
    needed = sum(is_required(parameter) for parameter, _ in pairs)
    require(len(arguments.args) == needed, "required arguments", node)
    nothing = all(
        d is None or (isinstance(d, ast.Constant) and d.value is None)
        for d in arguments.kw_defaults
    )
    require(nothing, "defaults", node)
    names = (TYPES | set(local)) - {"client", "joined"}
    choices = [*(parameter.enum for parameter, _ in pairs), ()]
    for argument, allowed in zip(given, choices, strict=False):
        annotation(argument.annotation, names, local, allowed)
    annotation(node.returns, names, local, ())


def _function(node: ast.stmt, function: Function, local: Mapping[str, str], *, brief: bool) -> None:
    if not isinstance(node, ast.FunctionDef):
        raise AssertionError("emitted code is not as prescribed: no function")
    _signature(node, function, local, function.fields)
    endpoint = function.endpoint
    text = Docstring.of(headline(endpoint), 4) if brief else describe(function, 4)
    check_docstring(node.body[0], text)


def _handed_on(function: Function, more: Identifier | None) -> tuple[list[str], list[str]]:
    """Give the names of the arguments that a twin hands on by place, and those by name."""
    pairs = function.arguments()
    first = [name.source for parameter, name in pairs if is_required(parameter)]
    named = [name.source for parameter, name in pairs if not is_required(parameter)]
    return first, named + ([more.source] if more is not None else [])


def _twin(
    node: ast.expr | None,
    function: Function,
    local: Mapping[str, str],
    *,
    run: str,
    name: Identifier,
    more: Identifier | None,
) -> None:
    """Check the statement `run(lambda: module.name(arguments))`."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        raise AssertionError("emitted code is not as prescribed: no twin")
    require(local.get(ast.unparse(node.func)) == run, "twin's helper", node)
    inner = node.args[0]
    call = inner.body if isinstance(inner, ast.Lambda) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        raise AssertionError("emitted code is not as prescribed: no twin")
    module = local.get(ast.unparse(call.func.value))
    require(module == function.module.source and call.func.attr == name.source, "twin", node)
    first, named = _handed_on(function, more)
    require([ast.unparse(argument) for argument in call.args] == first, "arguments", node)
    pairs = [(word.arg, ast.unparse(_uncast(word.value, local))) for word in call.keywords]
    require(pairs == [(word, word) for word in named], "arguments", node)


def _uncast(node: ast.expr, local: Mapping[str, str]) -> ast.expr:
    """Give what is inside `cast(str, ...)`, or the expression itself."""
    if isinstance(node, ast.Call) and local.get(ast.unparse(node.func)) == "cast":
        require(len(node.args) == 2 and not node.keywords, "cast", node)
        annotation(node.args[0], {"str"}, local, ())
        return node.args[1]
    return node


def _returned(node: ast.stmt) -> ast.expr | None:
    """Give what the last statement of a function returns."""
    last = node.body[-1] if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else None
    return last.value if isinstance(last, ast.Return) else None


def _client_call(node: ast.stmt, local: Mapping[str, str]) -> tuple[ast.Call, str]:
    """Give the call `client().method(...)` that a statement returns, and the method's name."""
    call = node.value if isinstance(node, ast.Return) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        raise AssertionError("emitted code is not as prescribed: no call")
    client = call.func.value
    ok = isinstance(client, ast.Call) and not client.args and not client.keywords
    require(ok, "client", node)
    if isinstance(client, ast.Call):
        require(local.get(ast.unparse(client.func)) == "client", "client", node)
    return call, call.func.attr


def _iterator(node: ast.stmt, function: Function, base_url: str, local: Mapping[str, str]) -> None:
    iteration = function.iteration
    if iteration is None or not isinstance(node, ast.FunctionDef):
        raise AssertionError("emitted code is not as prescribed: no iterator")
    _signature(node, function, local, iteration.bound, iteration.name.source)
    check_docstring(node.body[0], describe_iterator(function, 4))
    call, method = _client_call(node.body[1], local)
    require(method == "pages", "iterator", node)
    base, template = below(function.endpoint, base_url)
    first = [function.endpoint.method.upper(), template]
    require([ast.literal_eval(argument) for argument in call.args] == first, "path", node)
    own = {"pages", "max_pages"}
    _keywords([k for k in call.keywords if k.arg not in own], function, base, local)
    words = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg in own}
    require(ast.unparse(words["max_pages"]) == iteration.bound.source, "bound", node)
    pages = words["pages"]
    if not isinstance(pages, ast.Call):
        raise AssertionError("emitted code is not as prescribed: pages")
    require(local.get(ast.unparse(pages.func)) == "Pages", "pages", node)
    paging = iteration.paging
    given = [ast.literal_eval(argument) for argument in pages.args]
    require(given == [paging.style, paging.items], "pages", node)
    sent = {
        "parameter": paging.parameter.name if paging.parameter is not None else "",
        "place": paging.place,
        "following": paging.following,
        "first": paging.first,
    }
    for keyword in pages.keywords:
        value = ast.literal_eval(keyword.value)
        require(keyword.arg in sent and sent[str(keyword.arg)] == value, "pages", node)


def _call(node: _Function, function: Function, base_url: str, local: Mapping[str, str]) -> None:
    call, name = _client_call(node.body[1], local)
    method = function.endpoint.method.upper()
    base, template = below(function.endpoint, base_url)
    first = [template] if method in VERBS else [method, template]
    require(name == (method.lower() if method in VERBS else "request"), "method", node)
    require([ast.literal_eval(argument) for argument in call.args] == first, "path", node)
    words = list(call.keywords)
    if function.fields is not None:
        last = words.pop()
        ok = last.arg == "fields" and ast.unparse(last.value) == function.fields.source
        require(ok, "fields", node)
    models = [keyword for keyword in words if keyword.arg == "model"]
    require(not models or function.returns.parsed, "model", node)
    _keywords(words, function, base, local)


def _keywords(
    words: Sequence[ast.keyword], function: Function, base: str, local: Mapping[str, str]
) -> None:
    """Check what a call says of the request: its parts, and no others."""
    entries = part_entries(function)
    for keyword in words:
        if keyword.arg == "base":
            require(ast.literal_eval(keyword.value) == base, "base", keyword)
        elif keyword.arg == "model":
            annotation(keyword.value, TYPES | set(local), local, ())
        elif keyword.arg == "text":
            _sent(keyword.value, entries.pop("text")[0][1], local)
        else:
            require(keyword.arg in entries, "part of the request", keyword)
            _part(keyword.value, entries.pop(str(keyword.arg)), local)
    require(not entries, "parts of the request")


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
