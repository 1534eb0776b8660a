"""Checks what a body sends: the endpoint's method, the API's own hosts, names in plain text."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

from doc2tools.compiler.repair.flow import bindings
from doc2tools.compiler.repair.names import Names
from doc2tools.compiler.repair.outcome import Permit, Violation
from doc2tools.compiler.repair.policy import Policy

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]{1,20}:[/\\]{2}[^\s\"'<>]*|^[/\\]{2}[^\s\"'<>]*")
_LOOPS = (ast.For, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_COMBINATIONS = 16


def check_requests(
    body: Sequence[ast.stmt], names: Names, permit: Permit, policy: Policy
) -> list[Violation]:
    """Say what a body sends that it may not send."""
    return _Requests(body, names, permit, policy).found


class _Requests:
    def __init__(
        self, body: Sequence[ast.stmt], names: Names, permit: Permit, policy: Policy
    ) -> None:
        self.found: list[Violation] = []
        self._names = names
        self._permit = permit
        self._policy = policy
        self._bound = bindings(body)
        self._path_names: set[str] = set()
        self._steps = 0
        self._writes = [
            node
            for statement in body
            for node in ast.walk(statement)
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
        ]
        self._changed = {
            node.func.value.id
            for statement in body
            for node in ast.walk(statement)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.attr in policy.mutators
        }
        calls: list[ast.Call] = []
        for statement in body:
            for node in ast.walk(statement):
                if isinstance(node, ast.Constant):
                    self._check_text(node)
                elif isinstance(node, ast.Call) and names.client_call(node):
                    calls.append(node)
                elif isinstance(node, _LOOPS):
                    self._check_loop(node)
        if len(calls) > policy.calls:
            self._refuse(calls[-1], "too-many-calls", f"more than {policy.calls} calls")
        for call in calls:
            self._check_call(call)

    def _refuse(self, node: ast.AST, code: str, message: str) -> None:
        self.found.append(Violation(code, getattr(node, "lineno", 0), message))

    def _check_loop(self, node: ast.AST) -> None:
        if any(self._names.client_call(part) for part in ast.walk(node)):
            self._refuse(node, "too-many-calls", "a call in a loop")

    def _check_text(self, node: ast.Constant) -> None:
        text = node.value.decode("latin-1") if isinstance(node.value, bytes) else node.value
        if not isinstance(text, str):
            return
        if ".." in text:
            self._refuse(node, "other-path", "two dots lead out of a path")
        for match in _ADDRESS.finditer(text):
            if not self._is_own(match[0]):
                self._refuse(node, "other-host", f"the address {match[0][:80]}")

    def _is_own(self, address: str) -> bool:
        if "\\" in address or "@" in address:
            return False
        try:
            given = urlsplit(address)
            own = [urlsplit(base) for base in self._permit.base_urls]
        except ValueError:
            return False
        origin = (given.scheme.lower(), given.netloc.lower())
        return any(origin == (base.scheme.lower(), base.netloc.lower()) for base in own)

    def _check_call(self, call: ast.Call) -> None:
        verb = self._names.client_call(call)
        arguments = list(call.args)
        method = verb.upper()
        if verb == "request":
            first = arguments.pop(0) if arguments else None
            method = str(first.value) if isinstance(first, ast.Constant) else ""
        known = {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT"}
        if method != self._permit.method:
            known_verb = verb == "request" or method in known
            code = "other-method" if known_verb else "harness-access"
            self._refuse(call, code, f"{verb} is not the endpoint's {self._permit.method}")
        if len(arguments) != 1:
            self._refuse(call, "other-path", "the path must be the only argument without a keyword")
        for argument in arguments:
            self._check_path(argument)
        self._path_names.clear()
        for keyword in call.keywords:
            self._check_keyword(keyword)
        texts = [text for argument in arguments for text in self._texts(argument)]
        for name in sorted(self._path_names):
            if not all(f"{{{name}}}" in text.partition("?")[0] for text in texts):
                self._refuse(call, "parameter-dropped", f"the path has no place for {name}")

    def _check_path(self, node: ast.expr) -> None:
        texts = self._texts(node)
        if not texts:
            self._refuse(node, "other-path", "the path is not plain text; fill it through path=")
            return
        for text in texts:
            path, _, query = text.partition("?")
            plain = unquote(unquote(path))
            bad = any(part in ("..", ".") for part in plain.replace("\\", "/").split("/"))
            if not path.startswith("/") or path.startswith("//"):
                self._refuse(
                    node, "other-host", f"the path {text[:80]!r} does not start with one /"
                )
            elif bad or re.search(r"[\\#\s@]", plain):
                self._refuse(node, "other-path", f"the path {text[:80]!r}")
            for pair in query.split("&"):
                if unquote(pair.partition("=")[0]).lower() in self._policy.query_keys:
                    self._refuse(node, "other-method", f"the query {pair[:60]!r}")

    def _check_keyword(self, keyword: ast.keyword) -> None:
        name = keyword.arg or ""
        if name in ("verify", "cert"):
            self._refuse(keyword.value, "tls-verify", f"{name} is set")
        elif name == "base":
            texts = self._texts(keyword.value)
            if not texts or not all(self._is_base(text) for text in texts):
                self._refuse(keyword.value, "other-host", "the base is not one of the API's own")
        elif name in self._policy.part_keywords:
            self._check_part(keyword.value, name, 0)
        elif name and name not in self._policy.keywords:
            self._refuse(keyword.value, "forbidden-keyword", f"{name} is no part of a request")

    def _is_base(self, text: str) -> bool:
        plain = unquote(unquote(text))
        steps = any(part == ".." for part in plain.split("/"))
        return not steps and not re.search(r"[\\#?\s@]", plain) and self._is_own(text)

    def _check_part(self, node: ast.expr, part: str, depth: int) -> None:
        """Follow a mapping that is sent to displays with names in plain text."""
        self._steps += 1
        if depth > 4 or self._steps > 500:
            self._refuse(node, "dynamic-key", f"{part} is put together in too many steps")
            return
        match node:
            case ast.Dict():
                for key, value in zip(node.keys, node.values, strict=True):
                    if key is None:
                        self._check_part(value, part, depth + 1)
                    else:
                        self._check_key(key, part)
            case ast.DictComp(key=ast.Name(), generators=[ast.comprehension(iter=source)]):
                self._check_copy(node, source, part, depth)
            case ast.Name(id=name) if name in self._bound:
                self._check_local(node, name, part, depth)
            case ast.IfExp():
                self._check_part(node.body, part, depth + 1)
                self._check_part(node.orelse, part, depth + 1)
            case ast.Name(id=name) if name in self._names.parameters and part in ("body", "form"):
                pass
            case _:
                self._refuse(node, "dynamic-key", f"the names in {part} are not plain text")

    def _check_local(self, node: ast.Name, name: str, part: str, depth: int) -> None:
        for value in self._bound[name].values:
            self._check_part(value, part, depth + 1)
        for write in self._writes:
            if isinstance(write.value, ast.Name) and write.value.id == name:
                self._check_key(write.slice, part)
        if name in self._changed or self._bound[name].parts:
            self._refuse(node, "dynamic-key", f"{part} is changed in ways not followed")

    def _check_copy(self, node: ast.DictComp, source: ast.expr, part: str, depth: int) -> None:
        """`{name: value for name, value in parts.items() ...}`: the names are those of `parts`."""
        target = node.generators[0].target
        first = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else None
        inner = source.func if isinstance(source, ast.Call) and not source.args else None
        same = (
            isinstance(first, ast.Name)
            and isinstance(node.key, ast.Name)
            and first.id == node.key.id
        )
        if same and isinstance(inner, ast.Attribute) and inner.attr == "items":
            self._check_part(inner.value, part, depth + 1)
        else:
            self._refuse(node, "dynamic-key", f"the names in {part} are not plain text")

    def _check_key(self, key: ast.expr, part: str) -> None:
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            self._refuse(key, "dynamic-key", f"a name in {part} is not plain text")
            return
        name = key.value.strip().lower()
        if part in ("headers", "cookies") and not re.fullmatch(r"[a-z0-9_\-\.]{1,80}", name):
            self._refuse(key, "forbidden-header", f"{key.value[:60]!r} is no header's name")
        elif part == "headers" and name.replace("_", "-") in self._policy.headers:
            self._refuse(key, "forbidden-header", f"the header {key.value}")
        elif name in self._policy.query_keys:
            self._refuse(key, "other-method", f"{key.value} switches the method")
        elif part in ("path", "path_slashes"):
            self._path_names.add(key.value)

    def _texts(self, node: ast.expr, depth: int = 0) -> list[str]:
        """Give all plain texts that an expression can be; none where it can be anything else."""
        if depth > 6:
            return []
        match node:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.IfExp(body=first, orelse=second):
                left, right = self._texts(first, depth + 1), self._texts(second, depth + 1)
                return left + right if left and right else []
            case ast.BinOp(left=first, op=ast.Add(), right=second):
                left, right = self._texts(first, depth + 1), self._texts(second, depth + 1)
                found = [a + b for a in left for b in right]
                return found if len(found) <= _COMBINATIONS else []
            case ast.Name(id=name) if name in self._bound and not self._bound[name].parts:
                groups = [self._texts(value, depth + 1) for value in self._bound[name].values]
                return [text for group in groups for text in group] if all(groups) else []
            case _:
                return []
