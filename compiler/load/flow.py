"""The tree of a page's main content to blocks, in reading order."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import urljoin

from doc2tools.compiler.ir.document import Block, Heading, Paragraph, Run, Table, plain
from doc2tools.compiler.ir.source import Span
from doc2tools.compiler.load.code import code_block, is_gutter
from doc2tools.compiler.load.dom import Node, Text
from doc2tools.compiler.load.flatten import flat_runs
from doc2tools.compiler.load.forms import form_field
from doc2tools.compiler.load.groups import read_definitions, read_list
from doc2tools.compiler.load.inline import PLAIN, Marks, Piece, clean, collapse, runs
from doc2tools.compiler.load.samples import attribute_samples, attribute_title, comment_sample
from doc2tools.compiler.load.signs import (
    heading_level,
    is_badge,
    is_block_code,
    is_code_holder,
    is_hidden,
    is_permalink,
    says_endpoint,
    shows_verb,
    title_label,
)
from doc2tools.compiler.load.tables import (
    code_cell,
    code_lines,
    is_layout,
    read_table,
)
from doc2tools.compiler.load.tags import BLOCKS, HEADINGS

MAX_BLOCKS = 60_000
MAX_NESTING = 12
"""Lists, definitions and cells inside each other that stay nested; deeper ones are flat."""

_SKIPPED = frozenset(
    (
        *("script", "style", "head", "svg", "template", "noscript", "iframe", "object", "canvas"),
        *("audio", "video", "link", "meta", "datalist", "map", "colgroup", "col", "area", "param"),
        *("track", "base", "frame", "frameset", "progress", "meter", "clipboard-copy", "math"),
    )
)
_CODE = frozenset(("code", "kbd", "samp", "tt", "var"))
_STRONG = frozenset(("b", "strong", "label"))
_EMPHASIS = frozenset(("em", "i", "cite", "dfn", "var"))
_WHOLE = re.compile(r"[a-z][a-z0-9+.-]{0,20}:|#", re.IGNORECASE)


@dataclass(slots=True)
class Context:
    """What the whole page shares while its blocks are read.

    Attributes:
        base: Address from `<base href>`, or "".
        labels: Text of the label for each form control's id.
        tabs: Text of the tab for each tab panel's id.
        nesting: Lists, definitions and cells that are being read inside each other.
        count: Blocks made so far; past `MAX_BLOCKS` the rest of the page is left out.
    """

    page: str
    base: str = ""
    labels: dict[str, str] = field(default_factory=dict[str, str])
    tabs: dict[str, str] = field(default_factory=dict[str, str])
    nesting: int = 0
    count: int = 0

    def span(self, start: int, end: int) -> Span:
        """Give the span of lines `start` to `end` of this page."""
        return Span(page=self.page, start=start, end=max(start, end))


def blocks_of(
    node: Node, context: Context, chain: tuple[Node, ...] = (), *, hidden: bool = False
) -> tuple[Block, ...]:
    """Read all that is in `node`.

    Args:
        node: The element; its own tag plays no part.
        context: What the page's blocks share.
        chain: The elements around, nearest first.
        hidden: One of these is closed when the page opens.
    """
    flow = _Flow(context, chain, hidden=hidden)
    flow.children(node, PLAIN)
    flow.flush()
    return tuple(flow.blocks)


class _Flow:
    """Collects the blocks of one container."""

    def __init__(self, context: Context, chain: tuple[Node, ...], *, hidden: bool) -> None:
        self.context = context
        self.blocks: list[Block] = []
        self.pieces: list[Piece] = []
        self.chain = chain
        self.hidden = hidden
        self.anchor = ""
        self.label = ""

    def children(self, node: Node, marks: Marks) -> None:
        for child in node.children:
            if self.context.count > MAX_BLOCKS:
                return
            if isinstance(child, Node):
                self.element(child, marks)
            elif not child.comment:
                self.pieces.append(Piece(child.text, marks, child.line))
            elif sample := comment_sample(child, self.context.page):
                self.flush()
                self.add(sample)

    def element(self, node: Node, marks: Marks) -> None:
        if node.tag in _SKIPPED:
            return
        if node.tag not in BLOCKS:
            self._inline(node, marks)
            return
        self.flush()
        self._block(node, marks)
        for sample in attribute_samples(node, self.context.page):
            self.add(sample)

    def _block(self, node: Node, marks: Marks) -> None:
        tag, page = node.tag, self.context.page
        if tag in HEADINGS or (node.get("role") == "heading" and tag != "table"):
            self._heading(node)
        elif tag in ("pre", "xmp", "listing") or is_code_holder(node):
            self._code(node)
        elif self.context.nesting >= MAX_NESTING:
            self._container(node, marks)
        elif tag == "table":
            self._table(node, marks)
        elif tag in ("ul", "ol", "menu", "dir"):
            self.add(read_list(node, page, self._inside))
        elif tag == "dl":
            self.add(read_definitions(node, page, self._inside, self._runs_of))
        else:
            self._container(node, marks)

    def _inside(self, node: Node) -> tuple[Block, ...]:
        """Read what is in an item, a cell or a heading."""
        hidden = self.hidden or is_hidden(node)
        self.context.nesting += 1
        blocks = blocks_of(node, self.context, (node, *self.chain[:3]), hidden=hidden)
        self.context.nesting -= 1
        return blocks

    def _runs_of(self, node: Node) -> tuple[Run, ...]:
        return flat_runs(self._inside(node))

    def _container(self, node: Node, marks: Marks) -> None:
        """Read a block element that has no meaning of its own."""
        if is_gutter(node):
            return
        hidden, label, chain = self.hidden, self.label, self.chain
        self.hidden = hidden or is_hidden(node)
        self.label = self.context.tabs.get(node.get("id"), "") or title_label(node) or label
        self.chain = (node, *chain[:3])
        self.anchor = node.get("id") or self.anchor
        if node.tag in ("summary", "legend"):
            marks = marks._replace(strong=True)
        elif is_badge(node):
            marks = marks._replace(badge=True)
        self.children(node, marks)
        self.flush()
        self.hidden, self.label, self.chain = hidden, label, chain

    def _inline(self, node: Node, marks: Marks) -> None:
        tag = node.tag
        if tag == "br":
            self.pieces.append(Piece("\n", marks, node.line, keep=True))
        elif tag in ("input", "select", "textarea"):
            if made := form_field(node, self.context.page, self.context.labels):
                self.flush()
                self.add(made)
        elif tag == "img":
            text = collapse(node.get("alt"))
            if shows_verb(text, node.get("src")):
                self.pieces.append(Piece(text, marks._replace(badge=True), node.line))
        elif tag == "code" and is_block_code(node):
            self.flush()
            self._code(node)
        elif tag == "a" and is_permalink(node):
            self._permalink(node.get("href").removeprefix("#"))
        elif tag != "button" or says_endpoint(node):
            if tag == "a" and (anchor := node.get("name") or node.get("id")):
                self.anchor = anchor
            self.children(node, self._marks(node, marks))
            if tag == "label":
                self.pieces.append(Piece(" ", marks, node.line))

    def _permalink(self, anchor: str) -> None:
        """Give an anchor to the heading just before its link, else to the one after it."""
        last = self.blocks[-1] if self.blocks else None
        if isinstance(last, Heading) and not self.pieces:
            if not last.anchor:
                self.blocks[-1] = last.model_copy(update={"anchor": anchor})
        else:
            self.anchor = self.anchor or anchor

    def _marks(self, node: Node, marks: Marks) -> Marks:
        tag = node.tag
        changes: dict[str, bool | str] = {}
        if tag in _CODE:
            changes["code"] = True
        if tag in _STRONG:
            changes["strong"] = True
        if tag in _EMPHASIS:
            changes["emphasis"] = True
        if is_badge(node):
            changes["badge"] = True
        if tag == "a" and (href := node.get("href").strip()):
            changes["href"] = self._address(href[:4000])
        if title := attribute_title(node):
            changes["title"] = title
        return marks._replace(**changes) if changes else marks

    def _address(self, href: str) -> str:
        """Give a link's address; one that runs a script is none."""
        if href[:11].lower() == "javascript:":
            return ""
        if not self.context.base or _WHOLE.match(href):
            return href
        try:
            return urljoin(self.context.base, href)
        except ValueError:
            return href

    def _heading(self, node: Node) -> None:
        inner = (n.get("id") or n.get("name") for n in node.nodes() if n is not node)
        anchor = node.get("id") or next(filter(None, inner), "") or self.anchor
        text = self._runs_of(node)
        if not plain(text):
            return
        span = self.context.span(node.line, node.end)
        self.add(Heading(span=span, level=heading_level(node), runs=text, anchor=anchor))

    def _code(self, node: Node) -> None:
        self.add(
            code_block(
                node,
                [node, *self.chain],
                self.context.page,
                label=self.label or title_label(node),
                hidden=self.hidden or is_hidden(node),
            )
        )

    def _table(self, node: Node, marks: Marks) -> None:
        if code_lines(node):
            self._code(code_cell(node) or node)
            return
        if is_layout(node):
            self._cells(node, marks)
            return
        nested: list[Table] = []

        def cell_runs(cell: Node) -> tuple[Run, ...]:
            blocks = self._inside(cell)
            nested.extend(block for block in blocks if isinstance(block, Table))
            return flat_runs(blocks)

        self.add(read_table(node, self.context.page, cell_runs))
        for table in nested:
            self.add(table)
        self._strays(node, marks)
        self.flush()

    def _strays(self, node: Node, marks: Marks) -> None:
        """Read what stands in a table beside its cells, where browsers show it, too."""
        for child in node.children:
            if isinstance(child, Text):
                if not child.comment:
                    self.pieces.append(Piece(child.text, marks, child.line))
            elif child.tag in ("tr", "thead", "tbody", "tfoot", "form"):
                self._strays(child, marks)
            elif child.tag not in ("td", "th", "caption"):
                self.element(child, marks)

    def _cells(self, node: Node, marks: Marks) -> None:
        """Read the cells of a table that only lays out the page."""
        for child in node.children:
            if isinstance(child, Text):
                if not child.comment:
                    self.pieces.append(Piece(child.text, marks, child.line))
            elif child.tag in ("tbody", "thead", "tfoot", "tr"):
                self._cells(child, marks)
            elif child.tag in ("td", "th"):
                self.flush()
                self._container(child, marks)
            else:
                self.element(child, marks)

    def add(self, block: Block | None) -> None:
        if block is not None:
            self.blocks.append(block)
            self.context.count += 1
            self.anchor = ""

    def flush(self) -> None:
        """Close the paragraph that the inline text so far makes."""
        if not self.pieces:
            return
        pieces, self.pieces = self.pieces, []
        for part in _split_at_blank_lines(pieces):
            text = runs(part)
            if text:
                start, end = _lines(part)
                span = self.context.span(start, end)
                self.add(Paragraph(span=span, runs=text))


def _lines(pieces: list[Piece]) -> tuple[int, int]:
    """Give the first and last line on which `pieces` have visible text."""
    shown = [piece for piece in pieces if clean(piece.text).strip()]
    first, last = shown[0], shown[-1]
    lead = len(first.text) - len(first.text.lstrip())
    start = first.line + first.text.count("\n", 0, lead)
    return start, last.line + last.text.rstrip().count("\n")


def _split_at_blank_lines(pieces: list[Piece]) -> list[list[Piece]]:
    """Split where two line breaks follow each other: that is a paragraph to the eye."""
    parts: list[list[Piece]] = [[]]
    breaks = 0
    for piece in pieces:
        if piece.keep and piece.text == "\n":
            breaks += 1
            if breaks == 2:
                parts.append([])
        elif not piece.text.isspace():
            breaks = 0
        parts[-1].append(piece)
    return parts
