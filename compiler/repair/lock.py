"""The lock: a repair may replace the body of one tool function, and do nothing else.

In go the module before, the module proposed, the function's name and what its endpoint may reach.
LibCST compares everything outside the body; CPython's own parser gives the body that `body.py`,
`flow.py` and `request.py` judge by the table in `policy.py`. Whatever the proposal holds, a value
comes back.
"""

from __future__ import annotations

import ast
import threading
import warnings

from doc2tools.compiler.repair.body import check_body
from doc2tools.compiler.repair.flow import check_flow
from doc2tools.compiler.repair.names import Names, read_names
from doc2tools.compiler.repair.outcome import Accepted, LockResult, Permit, Refused, Violation
from doc2tools.compiler.repair.outside import check_outside
from doc2tools.compiler.repair.policy import POLICY, Policy
from doc2tools.compiler.repair.request import check_requests

__all__ = ["check_repair"]

_PARSER = threading.Lock()


def check_repair(
    before: str, proposed: str, function: str, permit: Permit, policy: Policy = POLICY
) -> LockResult:
    """Judge a proposed repair.

    Args:
        before: The module as the compiler staged it.
        proposed: The module that a model proposes.
        function: Name of the one function whose body may differ.
        permit: What its endpoint may reach.
        policy: The table.

    Returns:
        `Accepted` with the proposed source, or `Refused` with the reasons.
    """
    try:
        found = _check(before, proposed, function, permit, policy)
    except (RecursionError, MemoryError):
        found = [Violation("too-deep", 0, "the source is nested too deeply to be read")]
    if not found:
        return Accepted(proposed)
    known = dict.fromkeys(sorted(found, key=lambda item: (item.line, item.code, item.message)))
    return Refused(tuple(known)[:100])


def _check(
    before: str, proposed: str, function: str, permit: Permit, policy: Policy
) -> list[Violation]:
    if found := _check_text(before, proposed, policy):
        return found
    old, new = _parse(before), _parse(proposed)
    if old is None or new is None:
        which = "to be repaired" if old is None else "proposed"
        return [Violation("syntax", 0, f"the module {which} is no valid Python")]
    old_node, node = _function(old, function), _function(new, function)
    if old_node is None or node is None:
        return [Violation("outside-changed", 0, f"there is not exactly one function {function}")]
    body = without_docstring(node)
    found = _check_size(body, proposed, policy) or check_outside(before, proposed, function)
    if found:
        return found
    names = read_names(old, old_node, body)
    found = check_body(body, names, policy)
    found += check_requests(body, names, permit, policy)
    found += check_flow(body, _sent_before(old_node, names), names, policy)
    if not found and not _compiles(proposed):
        found = [Violation("syntax", node.lineno, "the function cannot be compiled")]
    return found


def without_docstring(node: ast.FunctionDef) -> list[ast.stmt]:
    """Give the statements that a repair may replace."""
    first = node.body[0]
    text = first.value if isinstance(first, ast.Expr) else None
    is_text = isinstance(text, ast.Constant) and isinstance(text.value, str)
    return node.body[1:] if is_text else node.body


def _sent_before(node: ast.FunctionDef, names: Names) -> frozenset[str]:
    used = {
        item.id
        for statement in without_docstring(node)
        for item in ast.walk(statement)
        if isinstance(item, ast.Name)
    }
    return frozenset(used) & names.parameters


def _check_text(before: str, proposed: str, policy: Policy) -> list[Violation]:
    """Look at the characters that differ, before any parser does."""
    start = _common(before, proposed)
    end = _common(before[start:][::-1], proposed[start:][::-1])
    middle = proposed[start : len(proposed) - end]
    if len(middle) > policy.characters:
        most = f"{policy.characters:,}"
        return [Violation("too-long", 0, f"{len(middle):,} characters differ; {most} may")]
    for place, character in enumerate(middle):
        if character != "\n" and not " " <= character <= "~":
            line = proposed.count("\n", 0, start + place) + 1
            shown = f"U+{ord(character):04X}"
            return [Violation("syntax", line, f"the character {shown}: a body is plain ASCII")]
    return []


def _common(one: str, other: str) -> int:
    """Give the length of the beginning that two texts share."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _parse(source: str) -> ast.Module | None:
    # The parser warns of bad escapes; whether that is an error is the process's affair, not ours.
    with _PARSER, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError):
            return None


def _compiles(source: str) -> bool:
    with _PARSER, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(source, "<repair>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return False
    return True


def _function(module: ast.Module, name: str) -> ast.FunctionDef | None:
    found = [
        node
        for node in module.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and node.name == name
    ]
    only = found[0] if len(found) == 1 else None
    return only if isinstance(only, ast.FunctionDef) else None


def _check_size(body: list[ast.stmt], source: str, policy: Policy) -> list[Violation]:
    if not body:
        return [Violation("constant-answer", 0, "the body is empty")]
    first, last = body[0].lineno, body[-1].end_lineno or 0
    if last - first >= policy.lines:
        return [Violation("too-long", first, f"the body has more than {policy.lines} lines")]
    if len("\n".join(source.split("\n")[first - 1 : last])) > policy.characters:
        most = f"{policy.characters:,}"
        return [Violation("too-long", first, f"the body has more than {most} characters")]
    count = 0
    pending: list[tuple[ast.AST, int]] = [(statement, 1) for statement in body]
    while pending:
        node, depth = pending.pop()
        count += 1
        if depth > policy.depth:
            return [Violation("too-deep", first, f"nested more than {policy.depth} deep")]
        if count > policy.syntax_nodes:
            most = policy.syntax_nodes
            return [Violation("too-long", first, f"the body has more than {most} syntax nodes")]
        pending += [(child, depth + 1) for child in ast.iter_child_nodes(node)]
    return []
