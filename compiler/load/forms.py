"""Form controls that hold something a reader should see: addresses, defaults, choices."""

from __future__ import annotations

from collections.abc import Iterable

from doc2tools.compiler.ir.document import FormField
from doc2tools.compiler.ir.source import Span
from doc2tools.compiler.load.dom import Node, Text
from doc2tools.compiler.load.inline import collapse

_SILENT = frozenset(
    ("hidden", "submit", "button", "reset", "image", "checkbox", "radio", "password", "search")
)
_MAX = 5_000


def form_field(node: Node, page: str, labels: dict[str, str]) -> FormField | None:
    """Make a field of an `input`, `select` or `textarea`; `None` if it tells a reader nothing."""
    control = "text"
    choices: tuple[str, ...] = ()
    if node.tag == "input":
        control = node.get("type").strip().lower() or "text"
        if control in _SILENT:
            return None
        value = node.get("value") or node.get("placeholder")
    elif node.tag == "textarea":
        control = "textarea"
        value = node.text().strip() or node.get("placeholder")
    else:
        control = "select"
        options = [option for option in node.nodes() if option.tag == "option"][:500]
        choices = tuple(filter(None, (_choice(option) for option in options)))
        chosen = [option for option in options if "selected" in option.attributes]
        value = _choice(chosen[0]) if chosen else ""
    name = collapse(node.get("name") or node.get("id"))
    label = labels.get(node.get("id"), "") or collapse(node.get("aria-label"))
    if not value and not choices and not label:
        return None
    return FormField(
        span=Span(page=page, start=node.line, end=max(node.line, node.end)),
        name=name[:200],
        value=value.strip()[:_MAX],
        label=label[:300],
        control=control[:30],
        choices=choices,
    )


def _choice(option: Node) -> str:
    return collapse(option.attributes.get("value") or option.text())[:300]


def labels_of(nodes: Iterable[Node]) -> dict[str, str]:
    """Map the id of each control to the text of the `label` that names it."""
    found: dict[str, str] = {}
    for node in nodes:
        if node.tag != "label":
            continue
        text = collapse(" ".join(c.text for c in node.children if isinstance(c, Text)))
        text = text or collapse(node.text())[:300]
        target = node.get("for")
        if not target:
            inner = node.find("input", "select", "textarea")
            target = inner.get("id") if inner else ""
        if target and text:
            found.setdefault(target, text)
    return found
