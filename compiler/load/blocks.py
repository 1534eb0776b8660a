"""The tree of a page's main content to blocks, in reading order."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from doc2tools.compiler.ir.document import (
    Block,
    Definition,
    DefinitionList,
    Heading,
    ListBlock,
    ListItem,
    Paragraph,
    Run,
    Table,
    plain,
)
from doc2tools.compiler.ir.source import Span
from doc2tools.compiler.load.code import code_block, is_gutter
from doc2tools.compiler.load.dom import BLOCKS, HEADINGS, Node, Text
from doc2tools.compiler.load.forms import form_field
from doc2tools.compiler.load.inline import PLAIN, Marks, Piece, clean, collapse, runs
from doc2tools.compiler.load.samples import attribute_samples, attribute_title, comment_sample
from doc2tools.compiler.load.tables import code_lines, is_layout, read_table

MAX_BLOCKS = 60_000

_SKIPPED = frozenset(
    [
        "script",
        "style",
        "head",
        "svg",
        "template",
        "noscript",
        "iframe",
        "object",
        "canvas",
        "audio",
        "video",
        "link",
        "meta",
        "datalist",
        "map",
        "colgroup",
        "col",
        "area",
        "param",
        "track",
        "base",
        "frame",
        "frameset",
        "progress",
        "meter",
        "clipboard-copy",
        "math",
    ]
)
_CODE = frozenset(("code", "kbd", "samp", "tt", "var"))
_STRONG = frozenset(("b", "strong"))
_EMPHASIS = frozenset(("em", "i", "cite", "dfn", "var"))
_VERB = re.compile(r"^(?:GET|POST|PUT|PATCH|DELETE|DEL|HEAD|OPTIONS)$", re.IGNORECASE)
_BADGE = re.compile(
    r"(?:^|[-_])(?:badge|method|verb|tag|pill|label|chip|http-?(?:get|post|put|patch|delete))"
    r"(?:$|[-_])"
)
_BADGE_TEXT = re.compile(r"^[A-Za-z][\w .:+/-]{0,23}$")
_ANCHOR_CLASS = re.compile(
    r"^(?:anchor|header-?link|permalink|hash-link|heading-?anchor|anchorjs-link)$"
)
_ANCHOR_TEXT = frozenset(("", "¶", "#", "§", "🔗", "\uf0c1", "link", "permalink", "[link]", "⚓"))
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none", re.IGNORECASE)


@dataclass(slots=True)
class Context:
    """What the whole page shares while its blocks are read.

    Attributes:
        base: Address from `<base href>`, or "".
        labels: Text of the label for each form control's id.
        tabs: Text of the tab for each tab panel's id.
    """

    page: str
    base: str = ""
    labels: dict[str, str] = field(default_factory=dict[str, str])
    tabs: dict[str, str] = field(default_factory=dict[str, str])
    count: int = 0

    def span(self, start: int, end: int) -> Span:
        """Give the span of lines `start` to `end` of this page."""
        return Span.model_construct(page=self.page, start=start, end=max(start, end))


class Flow:
    """Collects the blocks of one container."""

    def __init__(
        self, context: Context, chain: tuple[Node, ...] = (), hidden: bool = False
    ) -> None:
        """`chain` is the elements around, nearest first; `hidden`, that one of them is closed."""
        self.context = context
        self.blocks: list[Block] = []
        self.pieces: list[Piece] = []
        self.chain = chain
        self.hidden = hidden
        self.anchor = ""
        self.label = ""

    def children(self, node: Node, marks: Marks = PLAIN) -> None:
        """Read what is in `node`."""
        for child in node.children:
            if self.context.count > MAX_BLOCKS:
                return
            if isinstance(child, Node):
                self.element(child, marks)
            elif child.comment:
                if sample := comment_sample(child, self.context.page):
                    self.flush()
                    self.add(sample)
            else:
                self.pieces.append(Piece(child.text, marks, child.line))

    def element(self, node: Node, marks: Marks) -> None:
        """Read one element."""
        tag = node.tag
        if tag in _SKIPPED:
            return
        if tag not in BLOCKS:
            self._inline(node, marks)
            return
        self.flush()
        samples = attribute_samples(node, self.context.page)
        if tag in HEADINGS or (node.get("role") == "heading" and tag != "table"):
            self._heading(node)
        elif tag in ("pre", "xmp", "listing"):
            self._code(node)
        elif tag == "table":
            self._table(node, marks)
        elif tag in ("ul", "ol", "menu", "dir"):
            self._list(node)
        elif tag == "dl":
            self._definitions(node)
        elif tag == "hr":
            pass
        else:
            self._container(node, marks)
        for sample in samples:
            self.add(sample)

    def _container(self, node: Node, marks: Marks) -> None:
        """Read a block element that has no meaning of its own."""
        if is_gutter(node):
            return
        hidden, label, chain = self.hidden, self.label, self.chain
        self.hidden = hidden or is_hidden(node)
        self.label = self.context.tabs.get(node.get("id"), "") or _title_label(node) or label
        self.chain = (node, *chain[:3])
        if anchor := node.get("id"):
            self.anchor = anchor
        if node.tag in ("summary", "legend", "caption"):
            marks = marks._replace(strong=True)
        elif _is_badge(node):
            marks = marks._replace(badge=True)
        self.children(node, marks)
        self.flush(node)
        self.hidden, self.label, self.chain = hidden, label, chain

    def _inline(self, node: Node, marks: Marks) -> None:
        tag = node.tag
        if tag == "br":
            self.pieces.append(Piece("\n", marks, node.line, keep=True))
            return
        if tag in ("input", "select", "textarea"):
            made = form_field(node, self.context.page, self.context.labels)
            if made:
                self.flush()
                self.add(made)
            return
        if tag == "img":
            text = collapse(node.get("alt"))
            if _VERB.match(text):
                self.pieces.append(Piece(text, marks._replace(badge=True), node.line))
            return
        if tag == "button" and not _says_endpoint(node):
            return
        if tag == "code" and _is_block_code(node):
            self.flush()
            self._code(node)
            return
        if tag == "a":
            if _is_permalink(node):
                self.anchor = self.anchor or node.get("href").removeprefix("#")
                return
            if anchor := node.get("name") or node.get("id"):
                self.anchor = anchor
        self.children(node, self._marks(node, marks))

    def _marks(self, node: Node, marks: Marks) -> Marks:
        tag = node.tag
        changes: dict[str, bool | str] = {}
        if tag in _CODE:
            changes["code"] = True
        if tag in _STRONG:
            changes["strong"] = True
        if tag in _EMPHASIS:
            changes["emphasis"] = True
        if _is_badge(node):
            changes["badge"] = True
        if tag == "a" and (href := node.get("href").strip()):
            changes["href"] = self._address(href)
        if title := attribute_title(node):
            changes["title"] = title
        return marks._replace(**changes) if changes else marks

    def _address(self, href: str) -> str:
        """Give a link's address; one that runs a script is none."""
        href = href[:4000]
        if href[:11].lower() == "javascript:":
            return ""
        if self.context.base and not re.match(r"[a-z][a-z0-9+.-]{0,20}:|#", href, re.IGNORECASE):
            return join_address(self.context.base, href)
        return href

    def runs_of(self, node: Node) -> tuple[Run, ...]:
        """Give all text under `node` as runs; what would be blocks begins on a new line."""
        inner = Flow(self.context, self.chain, self.hidden)
        inner.children(node)
        inner.flush()
        if len(inner.blocks) == 1 and isinstance(inner.blocks[0], Paragraph):
            return inner.blocks[0].runs
        pieces: list[Piece] = []
        _flatten(tuple(inner.blocks), pieces)
        return runs(pieces)

    def _heading(self, node: Node) -> None:
        anchor = node.get("id") or self.anchor
        self.anchor = ""
        inner = Flow(self.context, self.chain, self.hidden)
        found = inner.runs_of(node)
        inner_anchor = next(
            (n.get("id") or n.get("name") for n in node.nodes() if n.tag == "a"), ""
        )
        if not plain(found):
            return
        level = int(node.tag[1]) if node.tag in HEADINGS else _aria_level(node)
        self.add(
            Heading(
                span=self.context.span(node.line, node.end),
                level=level,
                runs=found,
                anchor=node.get("id") or inner_anchor or anchor,
            )
        )

    def _code(self, node: Node) -> None:
        label = self.label or _title_label(node)
        hidden = self.hidden or is_hidden(node)
        nested = [child for child in node.nodes() if child is not node and child.tag == "table"]
        made = code_block(node, [node, *self.chain], self.context.page, label=label, hidden=hidden)
        if made and not (nested and not made.text):
            self.add(made)

    def _table(self, node: Node, marks: Marks) -> None:
        if code_lines(node):
            codes = [n for n in node.nodes() if n.tag == "pre" and not _in_gutter(node, n)]
            if len(codes) == 1:
                self._code(codes[0])
            else:
                self._code(node)
            return
        if is_layout(node):
            self._container_cells(node, marks)
            return
        extra: list[Table] = []

        def cell_runs(cell: Node) -> tuple[Run, ...]:
            inner = Flow(self.context, (cell, *self.chain[:3]), self.hidden)
            inner.children(cell)
            inner.flush()
            blocks = inner.blocks
            if len(blocks) == 1 and isinstance(blocks[0], Paragraph):
                return blocks[0].runs
            extra.extend(block for block in blocks if isinstance(block, Table))
            pieces: list[Piece] = []
            _flatten(tuple(blocks), pieces)
            return runs(pieces)

        made = read_table(node, self.context.page, cell_runs)
        if made:
            self.add(made)
        for table in extra:
            self.add(table)

    def _container_cells(self, node: Node, marks: Marks) -> None:
        for child in node.children:
            if isinstance(child, Text):
                if not child.comment:
                    self.pieces.append(Piece(child.text, marks, child.line))
            elif child.tag in ("tbody", "thead", "tfoot", "tr"):
                self._container_cells(child, marks)
            elif child.tag in ("td", "th"):
                self.flush()
                self._container(child, marks)
            else:
                self.element(child, marks)

    def _list(self, node: Node) -> None:
        items: list[ListItem] = []
        for child in node.children:
            if isinstance(child, Text):
                if child.comment or child.text.isspace():
                    continue
                holder = Node("li", {}, child.line, child.line, [child])
            elif child.tag == "li" or child.tag in BLOCKS:
                holder = child
            else:
                holder = Node("li", {}, child.line, child.end, [child])
            inner = Flow(self.context, (holder, *self.chain[:3]), self.hidden or is_hidden(holder))
            inner.label = self.label
            if holder.tag == "li":
                inner.children(holder)
                inner.flush(holder)
            else:
                inner.element(holder, PLAIN)
                inner.flush()
            if inner.blocks:
                span = self.context.span(holder.line, max(holder.end, inner.blocks[-1].span.end))
                items.append(ListItem.model_construct(span=span, blocks=tuple(inner.blocks)))
        if items:
            self.add(
                ListBlock.model_construct(
                    kind="list",
                    span=self.context.span(items[0].span.start, items[-1].span.end),
                    ordered=node.tag == "ol",
                    items=tuple(items),
                )
            )

    def _definitions(self, node: Node) -> None:
        items: list[Definition] = []
        terms: list[tuple[tuple[Run, ...], Node]] = []
        for child in _definition_parts(node):
            if child.tag == "dt":
                terms.append((self.runs_of(child), child))
                continue
            inner = Flow(self.context, (child, *self.chain[:3]), self.hidden)
            inner.children(child)
            inner.flush(child)
            blocks = tuple(inner.blocks)
            if not terms and items:
                last = items[-1]
                items[-1] = last.model_copy(
                    update={
                        "blocks": last.blocks + blocks,
                        "span": self.context.span(last.span.start, child.end),
                    }
                )
                continue
            for term, place in terms or [((), child)]:
                span = self.context.span(place.line, max(place.end, child.end))
                items.append(Definition.model_construct(span=span, term=term, blocks=blocks))
            terms = []
        items.extend(
            Definition.model_construct(
                span=self.context.span(place.line, place.end), term=term, blocks=()
            )
            for term, place in terms
        )
        if items:
            self.add(
                DefinitionList.model_construct(
                    kind="definitions",
                    span=self.context.span(items[0].span.start, items[-1].span.end),
                    items=tuple(items),
                )
            )

    def add(self, block: Block) -> None:
        """Append a finished block."""
        self.blocks.append(block)
        self.context.count += 1

    def flush(self, node: Node | None = None) -> None:
        """Close the paragraph that the inline text so far makes; `node`, its own element."""
        if not self.pieces:
            return
        pieces, self.pieces = self.pieces, []
        for part in _split_at_blank_lines(pieces):
            text = runs(part)
            if not text:
                continue
            start = next(
                (
                    piece.line + piece.text.count("\n", 0, len(piece.text) - len(bare))
                    for piece in part
                    if (bare := clean(piece.text).lstrip())
                ),
                part[0].line,
            )
            last = next((piece for piece in reversed(part) if not piece.text.isspace()), part[-1])
            end = last.line + (0 if last.keep else last.text.rstrip().count("\n"))
            self.add(
                Paragraph.model_construct(
                    kind="paragraph", span=self.context.span(start, end), runs=text
                )
            )


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


def _flatten(blocks: tuple[Block, ...], pieces: list[Piece]) -> None:
    """Turn blocks into inline text, each beginning on a new line."""
    for block in blocks:
        line = block.span.start
        if pieces:
            pieces.append(Piece("\n", PLAIN, line, keep=True))
        if block.kind in ("paragraph", "heading"):
            pieces.extend(_pieces(block.runs))
        elif block.kind == "code":
            pieces.append(Piece(block.text, Marks(code=True), line, keep=True))
        elif block.kind == "table":
            for row in (block.header, *block.rows):
                for cell in row:
                    pieces.extend((*_pieces(cell.runs), Piece(" ", PLAIN, line)))
                pieces.append(Piece("\n", PLAIN, line, keep=True))
        elif block.kind == "list":
            for item in block.items:
                _flatten(item.blocks, pieces)
        elif block.kind == "definitions":
            for entry in block.items:
                pieces.extend((Piece("\n", PLAIN, line, keep=True), *_pieces(entry.term)))
                _flatten(entry.blocks, pieces)
        elif block.kind == "field":
            text = block.value or " ".join(block.choices)
            pieces.append(Piece(text, PLAIN, line))


def _pieces(found: tuple[Run, ...]) -> list[Piece]:
    return [
        Piece(
            run.text,
            Marks(run.code, run.strong, run.emphasis, run.badge, run.href, run.title),
            run.line,
            keep=True,
        )
        for run in found
    ]


def _definition_parts(node: Node) -> list[Node]:
    """Give the `dt` and `dd` of a list, also those wrapped in `div`."""
    parts: list[Node] = []
    for child in node.children:
        if not isinstance(child, Node):
            continue
        if child.tag in ("dt", "dd"):
            parts.append(child)
        elif child.tag not in _SKIPPED:
            inner = [n for n in child.children if isinstance(n, Node) and n.tag in ("dt", "dd")]
            parts.extend(inner or [child])
    return parts


def _in_gutter(table: Node, code: Node) -> bool:
    return any(is_gutter(cell) and any(n is code for n in cell.nodes()) for cell in table.nodes())


def _is_badge(node: Node) -> bool:
    names = node.classes
    if not names and node.tag not in ("mark", "button"):
        return False
    if any(_BADGE.search(name) for name in names) or node.tag in ("mark", "button"):
        text = node.text() if len(node.children) <= 3 else ""
        return bool(_BADGE_TEXT.match(text.strip()))
    return False


def _says_endpoint(node: Node) -> bool:
    """Tell whether a button's text is more than an action on the page."""
    text = node.text().strip()[:300]
    return "/" in text or bool(_VERB.match(text)) or node.find(*HEADINGS) is not None


def _is_permalink(node: Node) -> bool:
    text = clean(node.text()).strip().lower()
    if not text and node.find("img"):
        return False
    if text in _ANCHOR_TEXT and "href" in node.attributes:
        return True
    return len(text) <= 2 and any(_ANCHOR_CLASS.match(name) for name in node.classes)


def _is_block_code(node: Node) -> bool:
    """Tell whether a `code` element that is in no `pre` stands for a block of code."""
    breaks = sum(1 for child in node.nodes() if child.tag in ("br", "div", "p"))
    lines = node.text().strip().count("\n")
    if breaks == 0 and lines == 0:
        return False
    return breaks >= 1 or lines >= 2


def is_hidden(node: Node) -> bool:
    """Tell whether an element is not shown when the page opens."""
    return (
        "hidden" in node.attributes
        or node.get("aria-hidden") == "true"
        or (node.tag == "details" and "open" not in node.attributes)
        or bool(_HIDDEN_STYLE.search(node.get("style")[:500]))
    )


def _title_label(node: Node) -> str:
    for key in ("data-title", "data-label", "data-filename", "data-tab"):
        if value := collapse(node.get(key)):
            return value[:100]
    return ""


def _aria_level(node: Node) -> int:
    level = node.get("aria-level")
    return int(level) if level in ("1", "2", "3", "4", "5", "6") else 2


def join_address(base: str, href: str) -> str:
    """Resolve `href` against `base`; an address that cannot be parsed stays as it is."""
    from urllib.parse import urljoin

    try:
        return urljoin(base, href)
    except ValueError:
        return href
