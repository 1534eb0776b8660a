"""Follows values through a body: every answer must come from the call, every argument must go in.

The analysis knows no order: a name holds an answer only if everything that is ever bound to it does
(a greatest fixpoint), and it carries the union of the arguments that any of its bindings carries.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from doc2tools.compiler.repair.names import Names
from doc2tools.compiler.repair.outcome import Violation
from doc2tools.compiler.repair.policy import Policy

Labels = frozenset[str]
_ANSWER = "<answer>"


@dataclass(slots=True)
class Binding:
    """All that is bound to one name.

    Attributes:
        values: Expressions that the name stands for as they are.
        parts: Expressions of which it takes items, by loops and unpacking, or that are added.
    """

    values: list[ast.expr] = field(default_factory=list[ast.expr])
    parts: list[ast.expr] = field(default_factory=list[ast.expr])
    opaque: bool = False


def bindings(body: Sequence[ast.stmt]) -> dict[str, Binding]:
    """Collect what a body binds to each name."""
    found: dict[str, Binding] = {}

    def bind(target: ast.expr, value: ast.expr, *, part: bool) -> None:
        if isinstance(target, ast.Name):
            binding = found.setdefault(target.id, Binding())
            (binding.parts if part else binding.values).append(value)
        elif isinstance(target, ast.Tuple | ast.List):
            for item in target.elts:
                bind(item, value, part=True)

    for statement in body:
        for node in ast.walk(statement):
            match node:
                case ast.Assign():
                    for target in node.targets:
                        bind(target, node.value, part=False)
                case ast.AnnAssign(value=ast.expr() as value):
                    bind(node.target, value, part=False)
                case ast.AugAssign():
                    bind(node.target, node.value, part=True)
                case ast.For() | ast.comprehension():
                    bind(node.target, node.iter, part=True)
                case ast.ExceptHandler(name=str(name)):
                    found.setdefault(name, Binding()).opaque = True
                case ast.NamedExpr():
                    bind(node.target, node.value, part=False)
                case _:
                    pass
    return found


def check_flow(
    body: Sequence[ast.stmt], sent: Labels, names: Names, policy: Policy
) -> list[Violation]:
    """Say where an answer is made up, or an argument is lost.

    Args:
        body: The proposed statements.
        sent: Parameters that the body before used.
        names: What its names stand for.
        policy: The table.
    """
    return _Flow(body, sent, names, policy).found


class _Flow:
    def __init__(
        self, body: Sequence[ast.stmt], sent: Labels, names: Names, policy: Policy
    ) -> None:
        self.found: list[Violation] = []
        self._names = names
        self._policy = policy
        self._bound = bindings(body)
        self._answers = {
            name for name, binding in self._bound.items() if not binding.opaque
        } - names.parameters
        while lost := {name for name in self._answers if not self._all_derived(name)}:
            self._answers -= lost
        self._put = _put_into(body, policy)
        self._labels: dict[str, Labels] = {name: frozenset({name}) for name in names.parameters}
        while self._spread():
            pass
        self._check(body, sent)

    def _refuse(self, node: ast.AST, code: str, message: str) -> None:
        self.found.append(Violation(code, getattr(node, "lineno", 0), message))

    def _all_derived(self, name: str) -> bool:
        binding = self._bound[name]
        return all(self.derived(value) for value in (*binding.values, *binding.parts))

    def _spread(self) -> bool:
        changed = False
        for name, binding in self._bound.items():
            before = self._labels.get(name, frozenset[str]())
            values = (*binding.values, *binding.parts, *self._put.get(name, ()))
            after = before.union(*(self.labels(value) for value in values))
            if after != before:
                self._labels[name] = after
                changed = True
        return changed

    def labels(self, node: ast.AST) -> Labels:
        """Give the parameters that a value may depend on, and whether an answer is among it."""
        found: set[str] = set()
        for part in ast.walk(node):
            if isinstance(part, ast.Name):
                found |= self._labels.get(part.id, frozenset[str]())
            elif self._names.client_call(part):
                found.add(_ANSWER)
        return frozenset(found)

    def derived(self, node: ast.expr) -> bool:  # noqa: PLR0911 - one line for each shape
        """Say whether an expression's value comes from the call's answer on every way."""
        match node:
            case ast.Name(id=name):
                return name in self._answers
            case ast.Attribute(value=value) | ast.Subscript(value=value):
                return self.derived(value)
            case ast.IfExp(body=first, orelse=second):
                return self.derived(first) and self.derived(second)
            case ast.BoolOp(values=values):
                return all(self.derived(value) for value in values)
            case ast.BinOp(left=first, op=ast.Add(), right=second):
                return self.derived(first) and self.derived(second)
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return bool(items) and all(self.derived(item) for item in items)
            case ast.Dict(values=items):
                return bool(items) and all(self.derived(item) for item in items)
            case ast.ListComp(elt=item) | ast.SetComp(elt=item) | ast.GeneratorExp(elt=item):
                return self.derived(item)
            case ast.DictComp(value=item):
                return self.derived(item)
            case ast.Call():
                return bool(self._names.client_call(node)) or self._handed_on(node)
            case _:
                return False

    def _handed_on(self, node: ast.Call) -> bool:
        """Say whether a function or method gives what an answer held, and nothing else."""
        dotted = self._names.resolve(node.func)
        if dotted in self._policy.keeps:
            return self._kept(node, dotted)
        if not isinstance(node.func, ast.Attribute) or node.keywords:
            return False
        method, value = node.func.attr, node.func.value
        if method == "join":
            return self._is_short(value) and len(node.args) == 1 and self.derived(node.args[0])
        if method not in self._policy.keeping_methods or not self.derived(value):
            return False
        if method == "get":
            return all(_is_none(item) or self.derived(item) for item in node.args[1:])
        return method != "replace" or len(node.args) < 2 or self._is_short(node.args[1])

    def _kept(self, node: ast.Call, dotted: str) -> bool:
        place = self._policy.keeps[dotted]
        if len(node.args) <= place or not self.derived(node.args[place]):
            return False
        plain = all(keyword.arg in ("flags", "reverse", "count") for keyword in node.keywords)
        if dotted == "itertools.chain":
            return plain and all(map(self.derived, node.args))
        return plain and (dotted != "re.sub" or self._is_short(node.args[1]))

    def _is_short(self, node: ast.expr) -> bool:
        text = node.value if isinstance(node, ast.Constant) else None
        return isinstance(text, str) and len(text) <= self._policy.kept_text_length

    def _check(self, body: Sequence[ast.stmt], sent: Labels) -> None:
        called = False
        all_sent: set[str] = set()
        values: list[ast.expr] = []
        for statement in body:
            for node in ast.walk(statement):
                if isinstance(node, ast.Return):
                    self._check_return(node, sent)
                elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
                    self._check_write(node)
                elif isinstance(node, ast.Call):
                    if self._names.client_call(node):
                        called = True
                        values += _sent_values(node)
                        all_sent = all_sent.union(*map(self.labels, _sent_values(node)))
                    else:
                        self._check_change(node)
        last = body[-1]
        if not called:
            self._refuse(body[0], "constant-answer", "the server is not called")
        elif _falls_through(body):
            self._refuse(last, "constant-answer", "the end can be reached without an answer")
        for name in sorted(sent - all_sent):
            self._refuse(body[0], "parameter-dropped", f"{name} is no longer sent")
        for name in sorted(sent & all_sent & self._names.required):
            carried = _Carried(name, self._bound, self._put, self._names)
            if not any(map(carried.by, values)):
                self._refuse(body[0], "parameter-dropped", f"{name} no longer decides what is sent")

    def _check_return(self, node: ast.Return, sent: Labels) -> None:
        if node.value is None or not self.derived(node.value):
            self._refuse(node, "constant-answer", "what is returned is not the server's answer")
            return
        for name in sorted((sent & self._names.required) - self.labels(node.value)):
            self._refuse(node, "parameter-dropped", f"this answer does not depend on {name}")

    def _check_write(self, node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> None:
        """An answer may not be changed to hold something else."""
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if not isinstance(target, ast.Subscript) or _ANSWER not in self.labels(target.value):
                continue
            if node.value is None or not self.derived(node.value):
                self._refuse(node, "constant-answer", "the answer is written over")

    def _check_change(self, node: ast.Call) -> None:
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in self._policy.mutators:
            return
        if _ANSWER in self.labels(node.func.value) and not all(map(self.derived, node.args)):
            self._refuse(node, "constant-answer", "something is put into the answer")


class _Carried:
    """Follows one parameter: on every way, the value sent must be made from it."""

    def __init__(
        self, name: str, bound: dict[str, Binding], put: dict[str, list[ast.expr]], names: Names
    ) -> None:
        self._bound = bound
        self._put = put
        # `"yes" if flag else "no"` says all that a flag can say.
        self._flag = name in names.flags
        # A name under way counts as good: what it is made from decides.
        self._known: dict[str, bool] = {name: True}

    def by(self, node: ast.expr) -> bool:  # noqa: PLR0911 - one line for each shape
        match node:
            case ast.Name(id=name):
                return self._local(name)
            case ast.Attribute(value=value) | ast.Subscript(value=value):
                return self.by(value)
            case ast.UnaryOp(operand=value) | ast.FormattedValue(value=value):
                return self.by(value)
            case ast.IfExp(test=test, body=first, orelse=second):
                chosen = self._flag and self.by(test)
                return chosen or (self.by(first) and self.by(second))
            case ast.BoolOp(values=values):
                return all(map(self.by, values))
            case ast.ListComp(elt=item) | ast.GeneratorExp(elt=item) | ast.DictComp(value=item):
                return self.by(item)
            case ast.Call():
                inner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
                return any(map(self.by, (*inner, *_sent_values(node))))
            case ast.BinOp() | ast.JoinedStr() | ast.List() | ast.Tuple() | ast.Dict():
                parts = ast.iter_child_nodes(node)
                return any(self.by(part) for part in parts if isinstance(part, ast.expr))
            case _:
                return False

    def _local(self, name: str) -> bool:
        if name not in self._known:
            self._known[name] = True
            binding = self._bound.get(name)
            values = (*binding.values, *binding.parts) if binding and not binding.opaque else ()
            made = bool(values) and all(map(self.by, values))
            self._known[name] = made or any(map(self.by, self._put.get(name, ())))
        return self._known[name]


def _put_into(body: Sequence[ast.stmt], policy: Policy) -> dict[str, list[ast.expr]]:
    """Collect what is put into a name's value: by items set and by methods that change it."""
    found: dict[str, list[ast.expr]] = {}
    for statement in body:
        for node in ast.walk(statement):
            match node:
                case ast.Assign(value=value):
                    targets = node.targets
                case ast.AugAssign(target=target, value=value):
                    targets = [target]
                case ast.Call(func=ast.Attribute(value=inner, attr=method)):
                    if method in policy.mutators:
                        found.setdefault(root_name(inner), []).extend(node.args)
                    continue
                case _:
                    continue
            for target in targets:
                if isinstance(target, ast.Subscript):
                    found.setdefault(root_name(target), []).extend((value, target.slice))
    return found


def root_name(node: ast.expr) -> str:
    """Give the name whose value holds what `a.b[c].d` stands for."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _sent_values(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(word.value for word in call.keywords if word.arg != "model")]


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _falls_through(body: Sequence[ast.stmt]) -> bool:
    """Say whether the end of a block can be reached."""
    last = body[-1]
    match last:
        case ast.Return() | ast.Raise():
            return False
        case ast.If():
            return not last.orelse or _falls_through(last.body) or _falls_through(last.orelse)
        case ast.Try():
            ends = _falls_through(last.orelse) if last.orelse else _falls_through(last.body)
            return ends or any(_falls_through(handler.body) for handler in last.handlers)
        case _:
            return True
