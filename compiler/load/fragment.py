"""A piece of HTML to blocks: a page's chosen content, or HTML inside Markdown or page data."""

from __future__ import annotations

from doc2tools.compiler.ir.document import Block
from doc2tools.compiler.load.blocks import Context, Flow
from doc2tools.compiler.load.dom import Node, parse
from doc2tools.compiler.load.forms import labels_of
from doc2tools.compiler.load.inline import collapse


def fragment_blocks(text: str, page: str, line: int = 1) -> tuple[Block, ...]:
    """Read a piece of HTML that begins on `line` of `page`."""
    root = parse(text, line)
    return blocks_of(root, Context(page, labels=labels_of(root), tabs=tabs_of(root)))


def blocks_of(node: Node, context: Context) -> tuple[Block, ...]:
    """Read all that is in `node`."""
    flow = Flow(context)
    flow.children(node)
    flow.flush()
    return tuple(flow.blocks)


def tabs_of(root: Node) -> dict[str, str]:
    """Map the id of each tab's panel to the tab's text."""
    found: dict[str, str] = {}
    for node in root.nodes():
        if node.get("role") != "tab" and node.get("data-toggle") != "tab":
            if node.get("data-bs-toggle") != "tab":
                continue
        target = node.get("aria-controls") or node.get("href").removeprefix("#")
        target = target or node.get("data-bs-target").removeprefix("#")
        if target and (text := collapse(node.text())):
            found.setdefault(target, text[:100])
    return found
