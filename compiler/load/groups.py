"""HTML lists and definition lists, given how to read what is inside their items."""

from __future__ import annotations

from collections.abc import Callable

from doc2tools.compiler.ir.document import (
    Block,
    Definition,
    DefinitionList,
    ListBlock,
    ListItem,
    Run,
)
from doc2tools.compiler.ir.source import Span
from doc2tools.compiler.load.dom import Node, Text

ReadBlocks = Callable[[Node], tuple[Block, ...]]
ReadRuns = Callable[[Node], tuple[Run, ...]]
_NO_PART = frozenset(("script", "style", "template", "noscript"))


def read_list(node: Node, page: str, read: ReadBlocks) -> ListBlock | None:
    """Make a list of `node`; what stands in it beside its items counts as items, too."""
    items: list[ListItem] = []
    for holder in _items(node):
        blocks = read(holder)
        if blocks:
            span = _span(page, holder.line, max(holder.end, blocks[-1].span.end))
            items.append(ListItem(span=span, blocks=blocks))
    if not items:
        return None
    return ListBlock(
        span=_span(page, items[0].span.start, items[-1].span.end),
        ordered=node.tag == "ol",
        items=tuple(items),
    )


def _items(node: Node) -> list[Node]:
    found: list[Node] = []
    for child in node.children:
        if isinstance(child, Text):
            if not child.comment and not child.text.isspace():
                found.append(Node("li", {}, child.line, child.line, [child]))
        elif child.tag == "li":
            found.append(child)
        elif child.tag not in _NO_PART:
            found.append(Node("li", {}, child.line, child.end, [child]))
    return found


def read_definitions(
    node: Node, page: str, read: ReadBlocks, read_runs: ReadRuns
) -> DefinitionList | None:
    """Make a definition list of `node`; terms that share a definition each get it."""
    items: list[Definition] = []
    terms: list[tuple[tuple[Run, ...], Node]] = []
    for child in _parts(node):
        if child.tag == "dt":
            terms.append((read_runs(child), child))
            continue
        blocks = read(child)
        if not terms and items:
            last = items[-1]
            items[-1] = Definition(
                span=_span(page, last.span.start, child.end),
                term=last.term,
                blocks=last.blocks + blocks,
            )
            continue
        for term, place in terms or [((), child)]:
            span = _span(page, place.line, max(place.end, child.end))
            items.append(Definition(span=span, term=term, blocks=blocks))
        terms = []
    items.extend(
        Definition(span=_span(page, place.line, place.end), term=term, blocks=())
        for term, place in terms
    )
    if not items:
        return None
    return DefinitionList(
        span=_span(page, items[0].span.start, items[-1].span.end),
        items=tuple(items),
    )


def _parts(node: Node) -> list[Node]:
    """Give the `dt` and `dd` of a list, also those wrapped in `div`."""
    parts: list[Node] = []
    for child in node.children:
        if isinstance(child, Text):
            if not child.comment and not child.text.isspace():
                parts.append(Node("dd", {}, child.line, child.line, [child]))
            continue
        if child.tag in _NO_PART:
            continue
        if child.tag in ("dt", "dd"):
            parts.append(child)
        else:
            inner = [n for n in child.children if isinstance(n, Node) and n.tag in ("dt", "dd")]
            parts.extend(inner or [child])
    return parts


def _span(page: str, start: int, end: int) -> Span:
    return Span(page=page, start=start, end=max(start, end))
