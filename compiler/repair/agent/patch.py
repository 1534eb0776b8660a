"""From a proved body back to the endpoint: what a model wrote becomes a change of the description.

No code that a model wrote is ever shipped. Its body is read as one request; what differs from the
documented one (path, names, places, fixed values) is written into the endpoint, from which the
compiler renders the function itself. A body that does more than put a request together has no such
form and is refused, even if it worked.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias
from urllib.parse import parse_qsl

from doc2tools.compiler.emit.functions import Function
from doc2tools.compiler.ir.base import Location
from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.compiler.passes.paths import is_prefix, placeholders, segments, shape
from doc2tools.compiler.passes.words import singular
from doc2tools.compiler.repair.lock import without_docstring
from doc2tools.param_db.naming import words

__all__ = ["Inexpressible", "patched"]

_PLACES: dict[str, Location] = {
    "path": "path",
    "path_slashes": "path",
    "query": "query",
    "headers": "header",
    "cookies": "cookie",
    "body": "body",
    "form": "form",
}
_SEPARATORS: dict[str, Literal["comma", "space", "pipe"]] = {
    ",": "comma",
    " ": "space",
    "|": "pipe",
}
_CHANGING = frozenset(
    {
        *("delete", "remove", "reset", "clear", "purge", "drop", "destroy", "kill", "shutdown"),
        *("restart", "reboot", "flush", "wipe", "erase", "truncate", "create", "update", "set"),
        *("stop", "start", "enable", "disable", "install", "execute", "run", "send", "cancel"),
        *("reload", "trigger", "upload", "write", "import", "restore", "logout", "revoke"),
    }
)


@dataclass(frozen=True, slots=True)
class Inexpressible:
    """The body is no change of the endpoint's description; why, for the model's next try."""

    reason: str


@dataclass(slots=True)
class _Request:
    """The one request of a body."""

    path: str = ""
    base: str = ""
    query: dict[str, str] = field(default_factory=dict[str, str])
    headers: dict[str, str] = field(default_factory=dict[str, str])
    placed: dict[str, tuple[str, str, str]] = field(default_factory=dict[str, tuple[str, str, str]])
    """Python argument to keyword, name on the wire, and separator of a joined list."""


_Read: TypeAlias = "_Request | Inexpressible"


def patched(
    source: str, function: Function, bases: Sequence[str], others: Sequence[Endpoint]
) -> Endpoint | Inexpressible:
    """Give the endpoint as the accepted body of its function calls it.

    Args:
        source: The module as the lock accepted it.
        function: The endpoint with the names it has in the module.
        bases: Base URLs that the API has; no other is taken over.
        others: All endpoints of the API, none of which may be called in this one's stead.
    """
    node = next(
        (
            one
            for one in ast.parse(source).body
            if isinstance(one, ast.FunctionDef) and one.name == function.name.source
        ),
        None,
    )
    if node is None:
        return Inexpressible("there is no such function")
    request = _read(without_docstring(node))
    if isinstance(request, Inexpressible):
        return request
    endpoint = function.endpoint
    names = {
        name.source: one for one, name in zip(endpoint.parameters, function.names, strict=True)
    }
    if request.placed.keys() != names.keys():
        return Inexpressible("every parameter must be sent, each of them once")
    if request.base and request.base.rstrip("/") not in bases:
        return Inexpressible("the base is none that the documentation gives")
    objection = _other_resource(endpoint, request, others)
    if objection:
        return Inexpressible(objection)
    return _changed(endpoint, request, names)


def _read(body: Sequence[ast.stmt]) -> _Read:
    known: dict[str, ast.expr] = {}
    for statement in body[:-1]:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in known:
                known[name] = value
            case _:
                return Inexpressible("only plain assignments may stand before the call")
    last = body[-1] if body else None
    call = last.value if isinstance(last, ast.Return) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return Inexpressible("the last statement must return the client's call itself")
    inner = call.func.value
    if not isinstance(inner, ast.Call) or inner.args or inner.keywords or not call.args:
        return Inexpressible("the last statement must return the client's call itself")
    request = _Request()
    path = _plain(call.args[-1], known)
    if not isinstance(path, str):
        return Inexpressible("the path must be plain text")
    request.path, _, query = path.partition("?")
    request.query |= dict(parse_qsl(query, keep_blank_values=True))
    for keyword in call.keywords:
        objection = _keyword(keyword, known, request)
        if objection:
            return Inexpressible(objection)
    return request


def _keyword(keyword: ast.keyword, known: dict[str, ast.expr], request: _Request) -> str:
    name = keyword.arg or ""
    value = _resolved(keyword.value, known)
    if name == "base":
        base = _plain(value, known)
        request.base = base if isinstance(base, str) else "?"
        return ""
    if name not in _PLACES or not isinstance(value, ast.Dict):
        return f"{name or 'what is unpacked'} cannot be written into the endpoint's description"
    for key, sent in zip(value.keys, value.values, strict=True):
        wire = _plain(key, known) if key is not None else None
        if not isinstance(wire, str):
            return "names that are sent must be plain text"
        fixed = _plain(sent, known)
        if fixed is not None:
            target = {"query": request.query, "headers": request.headers}.get(name)
            if target is None:
                return f"a fixed value in {name} cannot be written into the description"
            target[wire] = ("true" if fixed else "false") if isinstance(fixed, bool) else str(fixed)
            continue
        argument, separator = _argument(_resolved(sent, known))
        if not argument or argument in request.placed:
            return "a value must be one of the parameters as it is, each of them once"
        request.placed[argument] = (name, wire, separator)
    return ""


def _resolved(node: ast.expr, known: dict[str, ast.expr]) -> ast.expr:
    for _ in range(4):
        if isinstance(node, ast.Name) and node.id in known:
            node = known[node.id]
    return node


def _plain(node: ast.expr, known: dict[str, ast.expr]) -> str | int | float | bool | None:
    node = _resolved(node, known)
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str | int | float) else None


def _argument(node: ast.expr) -> tuple[str, str]:
    """Give the parameter that an expression sends, and the separator that joins its items."""
    match node:
        case ast.Name(id=name):
            return name, ""
        case ast.Call(func=ast.Name(id="str"), args=[ast.Name(id=name)], keywords=[]):
            return name, ""
        case ast.Call(func=ast.Name(), args=[ast.Name(id=name), ast.Constant(value=str(mark))]):
            return (name, mark) if mark in _SEPARATORS else ("", "")
        case _:
            return "", ""


def _other_resource(endpoint: Endpoint, request: _Request, others: Sequence[Endpoint]) -> str:
    """Say why the request is for something else than what the endpoint documents, "" if not."""
    path = request.path
    if not re.fullmatch(r"/[A-Za-z0-9_.~{}:,;=()/-]*", path) or "//" in path:
        return "the path has other characters than a path of this API"
    if sorted(placeholders(path)) != sorted(
        wire for keyword, wire, _ in request.placed.values() if _PLACES[keyword] == "path"
    ):
        return "the placeholders of the path are not those that are filled"
    old = [part for part in segments(endpoint.path) if "{" not in part and not is_prefix(part)]
    new = [part for part in segments(path) if "{" not in part]
    if old and singular(_bare(old[-1])) not in {singular(_bare(part)) for part in new}:
        return f"the path no longer names {old[-1]}"
    fresh = {word for part in new for word in words(part)}
    fresh -= {word for part in old for word in words(part)}
    if fresh & _CHANGING:
        return "the path names an action that changes the server"
    base = request.base.rstrip("/") or endpoint.base_url
    documented = {
        (one.method, one.base_url, shape(one.path), tuple(sorted(one.fixed_query.items())))
        for one in others
        if one.name != endpoint.name
    }
    query = {**endpoint.fixed_query, **request.query}
    if (endpoint.method, base, shape(path), tuple(sorted(query.items()))) in documented:
        return "this is the address of another documented endpoint"
    return ""


def _bare(segment: str) -> str:
    return segment.lower().partition(".")[0]


def _changed(endpoint: Endpoint, request: _Request, names: dict[str, Parameter]) -> Endpoint:
    renamed: dict[str, str] = {}
    parameters: list[Parameter] = []
    kinds: set[str] = set()
    for argument, parameter in names.items():
        keyword, wire, separator = request.placed[argument]
        kinds.add(keyword)
        renamed[parameter.name] = wire
        changes: dict[str, object] = {"name": wire, "location": _PLACES[keyword]}
        if keyword == "path":
            changes["required"] = True
        if keyword == "path_slashes":
            changes |= {"required": True, "format": "path"}
        if separator:
            changes["style"] = _SEPARATORS[separator]
        parameters.append(parameter.model_copy(update=changes))
    body = "form" if "form" in kinds else "json" if "body" in kinds else endpoint.body_kind
    if not kinds & {"form", "body"}:
        body = "none"
    return endpoint.model_copy(
        update={
            "path": request.path,
            "base_url": request.base.rstrip("/") or endpoint.base_url,
            "fixed_query": request.query,
            "fixed_headers": request.headers,
            "parameters": tuple(parameters),
            "body_kind": body,
            "samples": tuple(
                {renamed.get(name, name): value for name, value in sample.items()}
                for sample in endpoint.samples
            ),
        }
    )
