"""A piece of HTML to blocks, such as HTML inside Markdown or in page data."""

from __future__ import annotations

from collections.abc import Iterable

from doc2tools.compiler.ir.document import Block
from doc2tools.compiler.load.dom import Node, parse
from doc2tools.compiler.load.flow import Context, blocks_of
from doc2tools.compiler.load.forms import labels_of
from doc2tools.compiler.load.inline import collapse


def fragment_blocks(text: str, page: str, line: int = 1) -> tuple[Block, ...]:
    """Read a piece of HTML that begins on `line` of `page`."""
    root = parse(text, line)
    nodes = list(root.nodes())
    return blocks_of(root, Context(page, labels=labels_of(nodes), tabs=tabs_of(nodes)))


def tabs_of(nodes: Iterable[Node]) -> dict[str, str]:
    """Map the id of each tab's panel to the tab's text."""
    found: dict[str, str] = {}
    for node in nodes:
        if not node.attributes:
            continue
        marks = (node.get("role"), node.get("data-toggle"), node.get("data-bs-toggle"))
        if "tab" not in marks:
            continue
        target = node.get("aria-controls") or node.get("href").removeprefix("#")
        target = target or node.get("data-bs-target").removeprefix("#")
        if target and (text := collapse(node.text())):
            found.setdefault(target, text[:100])
    return found
