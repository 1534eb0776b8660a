"""Walks a proposed body: every statement, name, attribute and literal must be on the table."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from doc2tools.compiler.repair.flow import root_name
from doc2tools.compiler.repair.names import BUILTINS, Names
from doc2tools.compiler.repair.outcome import Violation
from doc2tools.compiler.repair.policy import Policy

_DIGITS = re.compile(r"\d{3}|[^\x20-\x7e]")
_BUILTIN_TYPES = frozenset({"str", "int", "float", "bool", "bytes", "list", "dict", "tuple"})


def check_body(body: Sequence[ast.stmt], names: Names, policy: Policy) -> list[Violation]:
    """Say what in the body is not on the table."""
    walk = _Walk(names, policy)
    for statement in body:
        walk.visit(statement)
    return walk.found


class _Walk(ast.NodeVisitor):
    def __init__(self, names: Names, policy: Policy) -> None:
        self.found: list[Violation] = []
        self._names = names
        self._policy = policy
        self._loops: list[frozenset[str]] = []
        self._imported: dict[str, str] = {}

    def _refuse(self, node: ast.AST, code: str, message: str) -> None:
        self.found.append(Violation(code, getattr(node, "lineno", 0), message))

    def visit(self, node: ast.AST) -> None:
        """Refuse nodes of other kinds than those listed; look at the rest."""
        if isinstance(node, ast.expr_context):
            return
        if not isinstance(node, self._policy.nodes):
            codes = (code for kinds, code in self._policy.node_codes if isinstance(node, kinds))
            code = next(codes, "forbidden-syntax")
            self._refuse(node, code, f"{type(node).__name__} is not allowed")
        super().visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        """Only modules of the list."""
        for alias in node.names:
            bound = alias.asname or alias.name.partition(".")[0]
            self._import(node, bound, alias.name if alias.asname else bound)
            if alias.name == "builtins" or alias.name not in self._policy.imports:
                self._refuse_import(node, alias.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Only names of the list."""
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            self._import(node, alias.asname or alias.name, f"{module}.{alias.name}")
            known = self._policy.imports.get(module, frozenset[str]())
            whole = f"{module}.{alias.name}" in self._policy.imports
            if module == "builtins" or (alias.name not in known and not whole):
                self._refuse_import(node, module, alias.name)

    def _refuse_import(self, node: ast.AST, module: str, name: str = "") -> None:
        table = self._policy.module_codes
        bare = module.lstrip(".")
        code = table.get(f"{bare}.{name}") or table.get(bare) or table.get(bare.partition(".")[0])
        code = code or (table.get(name) if module.startswith(".") else None)
        shown = f"{module} {name}".strip()
        self._refuse(node, code or "forbidden-import", f"{shown} may not be imported")

    def visit_Name(self, node: ast.Name) -> None:
        """Locals, parameters and the listed built-ins; the client only where it is called."""
        name = node.id
        if not isinstance(node.ctx, ast.Load):
            self._bind(node, name)
            return
        names = self._names
        if name.startswith("__"):
            code = self._policy.name_codes.get(name, "harness-access")
            self._refuse(node, code, f"the name {name}")
        elif name in names.client:
            self._refuse(node, "client-escape", f"{name} is used other than as {name}().get(...)")
        elif name in names.imported and name not in names.bound:
            self._check_dotted(node, names.imported[name])
        elif name in names.bound | names.parameters | names.joined:
            return
        elif name in names.module:
            if not name[:1].isupper():
                self._refuse(node, "forbidden-name", f"{name} belongs to another tool")
        elif name not in self._policy.builtins or name in self._policy.name_codes:
            code = self._policy.name_codes.get(name, "forbidden-name")
            self._refuse(node, code, f"the name {name} is not on the list")

    def _import(self, node: ast.AST, name: str, dotted: str) -> None:
        """A name is imported once, and from one place."""
        self._bind(node, name)
        if name in self._names.bound or self._imported.setdefault(name, dotted) != dotted:
            self._refuse(node, "rebinding", f"{name} is bound twice")

    def _bind(self, node: ast.AST, name: str) -> None:
        names = self._names
        taken = names.parameters | names.module | names.client | names.joined | BUILTINS
        if name.startswith("__"):
            self._refuse(node, "harness-access", f"the name {name}")
        elif name in taken or name == names.function:
            self._refuse(node, "rebinding", f"{name} means something else already")

    def _check_dotted(self, node: ast.AST, dotted: str) -> None:
        """Check a name that comes from an import: module, one name of it, attributes of that."""
        parts = dotted.split(".")
        for count in range(len(parts) - 1, 0, -1):
            allowed = self._policy.imports.get(".".join(parts[:count]))
            if allowed is None:
                continue
            if parts[count] not in allowed:
                self._attribute(node, parts[count], force=True)
            for name in parts[count + 1 :]:
                self._attribute(node, name)
            return
        self._refuse_import(node, dotted)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Only listed attributes, and none is written."""
        if not isinstance(node.ctx, ast.Load):
            self._refuse(node, "attribute-write", f"writes to the attribute {node.attr}")
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            root = root.value
        names = self._names
        if isinstance(root, ast.Name) and root.id not in names.bound:
            if root.id in names.imported:
                self._check_dotted(node, names.resolve(node))
                return
            if root.id in BUILTINS and root.id not in names.parameters | names.module:
                self.visit(root)
                self._attribute(node, node.attr, force=True)
                return
        self._attribute(node, node.attr)
        self.visit(node.value)

    def _attribute(self, node: ast.AST, name: str, *, force: bool = False) -> None:
        if name.startswith("_"):
            self._refuse(node, "harness-access", f"the attribute {name}")
        elif force or name not in self._policy.attributes:
            code = self._policy.attribute_codes.get(name, "forbidden-attribute")
            self._refuse(node, code, f"the attribute {name} is not on the list")

    def visit_Call(self, node: ast.Call) -> None:
        """Calls of the client, of listed functions and of listed methods."""
        unpacked = any(isinstance(argument, ast.Starred) for argument in node.args)
        if unpacked or any(keyword.arg is None for keyword in node.keywords):
            self._refuse(node, "star-arguments", "arguments are unpacked")
        names = self._names
        if not names.client_call(node):
            match node.func:
                case ast.Attribute(attr=name, value=value):
                    self.visit(node.func)
                    self._check_repeats(node, name)
                    self._check_growth(node, name, value)
                case ast.Name(id=name):
                    self.visit(node.func)
                    if name in names.bound | names.parameters:
                        self._refuse(node, "dynamic-code", f"{name} is a value, no function")
                    self._check_repeats(node, name)
                case _:
                    self._refuse(node, "dynamic-code", "what is called is no plain name")
                    self.visit(node.func)
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            self.visit(argument)

    def _check_repeats(self, node: ast.Call, name: str) -> None:
        if name not in ("range", "zfill", "islice"):
            return
        for argument in node.args:
            for part in ast.walk(argument):
                value = part.value if isinstance(part, ast.Constant) else 0
                if isinstance(value, int) and value > self._policy.repeats:
                    most = self._policy.repeats
                    self._refuse(node, "unbounded-loop", f"{name} of more than {most:,}")

    def _check_growth(self, node: ast.Call, name: str, value: ast.expr) -> None:
        if name not in self._policy.mutators:
            return
        root = root_name(value)
        if root not in self._names.bound:
            self._refuse(node, "attribute-write", f"{name} changes what is not the body's own")
        if any(root in loop for loop in self._loops):
            self._refuse(node, "unbounded-loop", f"{root} grows while it is read")

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Items of the body's own values may be set."""
        if not isinstance(node.ctx, ast.Load) and root_name(node.value) not in self._names.bound:
            self._refuse(node, "attribute-write", "sets an item of what is not the body's own")
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        """A loop over something that ends, and that it does not let grow."""
        read = frozenset(item.id for item in ast.walk(node.iter) if isinstance(item, ast.Name))
        self._loops.append(read)
        if len(self._loops) > 2:
            self._refuse(node, "unbounded-loop", "more than two loops in one another")
        self.generic_visit(node)
        self._loops.pop()

    def visit_Try(self, node: ast.Try) -> None:
        """Only narrow failures of our own computing may be caught, and something must be done."""
        if node.finalbody:
            self._refuse(node, "swallowed-exception", "finally can swallow what was raised")
        for part in (*node.body, *node.orelse):
            if any(self._names.client_call(item) for item in ast.walk(part)):
                self._refuse(part, "swallowed-exception", "the call stands in a try block")
        for handler in node.handlers:
            self._check_handler(handler)
        for part in (*node.body, *node.orelse):
            self.visit(part)
        for handler in node.handlers:
            for part in handler.body:
                self.visit(part)

    def _check_handler(self, handler: ast.ExceptHandler) -> None:
        if handler.name:
            self._bind(handler, handler.name)
        if handler.type is None:
            self._refuse(handler, "swallowed-exception", "a bare except")
            return
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        for kind in kinds:
            if self._names.resolve(kind) not in self._policy.catches:
                shown = ast.unparse(kind)[:60]
                self._refuse(handler, "swallowed-exception", f"{shown} may not be caught")
        idle = (ast.Pass, ast.Continue, ast.Break)
        if all(
            isinstance(part, idle)
            or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
            or (isinstance(part, ast.Return) and _is_constant(part.value))
            for part in handler.body
        ):
            self._refuse(handler, "swallowed-exception", "the handler does nothing")

    def visit_Raise(self, node: ast.Raise) -> None:
        """Only complaints about arguments."""
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if raised is not None and self._names.resolve(raised) not in self._policy.raises:
            shown = ast.unparse(raised)[:60]
            name = self._names.resolve(raised) or shown
            code = self._policy.name_codes.get(name, "forbidden-name")
            self._refuse(node, code, f"{shown} may not be raised")
            return
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        """A statement of its own must do something."""
        if not isinstance(node.value, ast.Call):
            self._refuse(node, "forbidden-syntax", "an expression whose value goes nowhere")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Small literals of JSON's types, and bytes."""
        value = node.value
        if isinstance(value, str | bytes) and len(value) > self._policy.text_length:
            most = self._policy.text_length
            self._refuse(node, "resource-bomb", f"a text of more than {most} characters")
        elif isinstance(value, int | float) and not abs(value) <= self._policy.number:
            self._refuse(node, "resource-bomb", "a number out of bounds")
        elif value is ... or isinstance(value, complex):
            self._refuse(node, "forbidden-syntax", "a literal that no request needs")

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """f-strings of plain parts, with short formats."""
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                if part.format_spec is not None:
                    self._check_format(part.format_spec)
                self.visit(part.value)
            else:
                self.visit(part)

    def _check_format(self, spec: ast.expr) -> None:
        parts = spec.values if isinstance(spec, ast.JoinedStr) else [spec]
        for part in parts:
            text = part.value if isinstance(part, ast.Constant) else None
            if not isinstance(text, str) or len(text) > 12 or _DIGITS.search(text):
                self._refuse(spec, "format-trick", "a format that is not short and fixed")

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Nothing that makes a small value large."""
        if isinstance(node.op, ast.Mult):
            for side in (node.left, node.right):
                value = side.value if isinstance(side, ast.Constant) else 1
                grows = isinstance(side, ast.List | ast.Tuple | ast.JoinedStr)
                if grows or not isinstance(value, int | float) or abs(value) > 100_000:
                    self._refuse(
                        node, "resource-bomb", "a multiplication that makes much of little"
                    )
        self.generic_visit(node)

    def visit_List(self, node: ast.List) -> None:
        """Short displays only."""
        self._check_length(node, len(node.elts))

    def visit_Tuple(self, node: ast.Tuple) -> None:
        """Short displays only."""
        self._check_length(node, len(node.elts))

    def visit_Set(self, node: ast.Set) -> None:
        """Short displays only."""
        self._check_length(node, len(node.elts))

    def visit_Dict(self, node: ast.Dict) -> None:
        """Short displays only."""
        self._check_length(node, len(node.values))

    def _check_length(self, node: ast.expr, length: int) -> None:
        if length > self._policy.elements:
            most = self._policy.elements
            self._refuse(node, "resource-bomb", f"more than {most} elements in one literal")
        self.generic_visit(node)


def _is_constant(node: ast.expr | None) -> bool:
    if node is None:
        return True
    return not any(isinstance(part, ast.Name | ast.Call) for part in ast.walk(node))
