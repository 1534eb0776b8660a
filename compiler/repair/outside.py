"""Compares two modules byte for byte, but for the body of one function below its docstring."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from doc2tools.compiler.repair.outcome import Violation


def check_outside(before: str, proposed: str, function: str) -> list[Violation]:
    """Say what differs outside the function's body."""
    try:
        old, new = cst.parse_module(before), cst.parse_module(proposed)
    except (cst.ParserSyntaxError, ValueError):
        return [Violation("syntax", 0, "the proposed module is no valid Python")]
    if old.code != before or new.code != proposed:
        return [Violation("syntax", 0, "the proposed module cannot be read back as it is")]
    places = [_is_function(node, function) for node in old.body]
    if places.count(True) != 1 or places != [_is_function(node, function) for node in new.body]:
        what = f"statements were added or removed, or {function} is not where it was"
        return [Violation("outside-changed", 0, what)]
    place = places.index(True)
    old_node = cst.ensure_type(old.body[place], cst.FunctionDef)
    new_node = cst.ensure_type(new.body[place], cst.FunctionDef)
    if found := _frame(old_node, new_node):
        return found
    statements = list(new.body)
    statements[place] = new_node.with_changes(body=old_node.body)
    if new.with_changes(body=statements).code == before:
        return []
    return [_difference(old, new, place)]


def _is_function(node: cst.CSTNode, name: str) -> bool:
    return isinstance(node, cst.FunctionDef) and node.name.value == name


def _frame(old: cst.FunctionDef, new: cst.FunctionDef) -> list[Violation]:
    """Compare what surrounds the statements of the body, and its docstring."""
    if not isinstance(old.body, cst.IndentedBlock) or not isinstance(new.body, cst.IndentedBlock):
        return [Violation("outside-changed", 0, "the body is not a block of its own")]
    same = (
        old.body.header.deep_equals(new.body.header)
        and old.body.indent == new.body.indent
        and _same(old.body.footer, new.body.footer)
    )
    if not same:
        return [Violation("outside-changed", 0, "what stands around the body differs")]
    text = old.get_docstring(clean=False)
    if text != new.get_docstring(clean=False):
        return [Violation("outside-changed", 0, "the docstring differs")]
    if text is not None and not old.body.body[0].deep_equals(new.body.body[0]):
        return [Violation("outside-changed", 0, "the docstring is written differently")]
    return []


def _same(old: Sequence[cst.CSTNode], new: Sequence[cst.CSTNode]) -> bool:
    return len(old) == len(new) and all(a.deep_equals(b) for a, b in zip(old, new, strict=True))


def _difference(old: cst.Module, new: cst.Module, place: int) -> Violation:
    for number, (left, right) in enumerate(zip(old.body, new.body, strict=True)):
        if number != place and not left.deep_equals(right):
            what = old.code_for_node(left).strip().partition("\n")[0][:80]
            return Violation("outside-changed", 0, f"this statement differs: {what}")
    return Violation(
        "outside-changed", 0, "the signature, the decorators or the module's frame differ"
    )
