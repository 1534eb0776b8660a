"""HTML to a `Document`: decode, build the tree, choose the content, read its blocks."""

from __future__ import annotations

from doc2tools.compiler.ir.document import Block, Document, Paragraph, plain, walk
from doc2tools.compiler.ir.source import Diagnostic, Span
from doc2tools.compiler.load.blocks import Context
from doc2tools.compiler.load.content import choose, measure
from doc2tools.compiler.load.dom import Node, parse
from doc2tools.compiler.load.forms import labels_of
from doc2tools.compiler.load.fragment import blocks_of, tabs_of
from doc2tools.compiler.load.inline import collapse
from doc2tools.compiler.load.payload import payload_blocks
from doc2tools.compiler.load.repeats import drop_repeats

LITTLE_TEXT = 300


def read_html(text: str, page: str, url: str = "") -> Document:
    """Read the HTML page `text`; what it lacks is said in the document's diagnostics."""
    root = parse(text)
    head = _Head(root)
    tabs = tabs_of(root)
    labels = labels_of(root)
    scripts = [node for node in root.nodes() if node.tag in ("script", "noscript", "template")]
    carriers = [node for node in root.nodes() if node.attributes.get("data-initial-props")]
    content = choose(root)
    context = Context(page, head.base, labels, tabs)
    blocks = drop_repeats(blocks_of(content.node, context))
    lines = text.count("\n") + 1
    said = len(" ".join(_texts(blocks)))
    if said < LITTLE_TEXT:
        for node in scripts:
            if node.tag != "script" and measure(node)[id(node)].text == 0:
                inner = Node("div", {}, node.line, node.end, node.children)
                found = blocks_of(inner, context)
                if len(" ".join(_texts(found))) > max(said, LITTLE_TEXT):
                    blocks = (*blocks, *found)
    blocks = (*blocks, *payload_blocks([*scripts, *carriers], page, said, blocks))
    diagnostics = _diagnose(blocks, scripts, root, page, lines)
    return Document(
        page=page,
        url=url or head.canonical,
        title=head.title,
        language=head.language,
        format="html",
        blocks=blocks,
        links=content.links,
        lines=lines,
        diagnostics=diagnostics,
    )


class _Head:
    """What the page says about itself."""

    def __init__(self, root: Node) -> None:
        self.title = self.canonical = self.base = ""
        self.language = root.get("lang").strip()[:35] or root.get("xml:lang").strip()[:35]
        described = ""
        for node in root.nodes():
            if node.tag == "title" and not self.title:
                self.title = collapse(node.text())[:500]
            elif node.tag == "link" and node.get("rel").lower() == "canonical":
                self.canonical = self.canonical or _http(node.get("href"))
            elif node.tag == "base":
                self.base = self.base or _http(node.get("href"))
            elif node.tag == "meta" and node.get("property") == "og:title":
                described = collapse(node.get("content"))[:500]
        self.title = self.title or described


def _http(address: str) -> str:
    address = address.strip()[:2000]
    return address if address.lower().startswith(("http://", "https://")) else ""


def _texts(blocks: tuple[Block, ...]) -> list[str]:
    """Give the text of each block that a reader sees."""
    found: list[str] = []
    for block in walk(blocks):
        if block.kind in ("paragraph", "heading"):
            found.append(plain(block.runs))
        elif block.kind == "code":
            found.append(block.text)
        elif block.kind == "table":
            found.extend(plain(cell.runs) for row in (block.header, *block.rows) for cell in row)
        elif block.kind == "definitions":
            found.extend(plain(item.term) for item in block.items)
        elif block.kind == "field":
            found.append(block.value)
    return [text for text in found if text]


def _diagnose(
    blocks: tuple[Block, ...], scripts: list[Node], root: Node, page: str, lines: int
) -> tuple[Diagnostic, ...]:
    span = Span(page=page, start=1, end=max(1, lines))
    first = Span(page=page, start=1, end=1)
    texts = _texts(blocks)
    said = sum(map(len, texts))
    if said == 0 and not blocks:
        if any(node.tag == "script" and node.get("src") for node in scripts) or root.find("iframe"):
            return (_shell(first),)
        return (
            Diagnostic(
                code="page-empty",
                level="warning",
                span=first,
                message="the page has no text",
                hint="check that the file was saved completely",
            ),
        )
    code = sum(
        1 for node in scripts if node.tag == "script" and not node.get("type").endswith("json")
    )
    if said < 200 and code >= 1 and not any(block.kind == "code" for block in walk(blocks)):
        return (_shell(first),)
    linked = sum(
        len(run.text)
        for block in walk(blocks)
        if isinstance(block, Paragraph)
        for run in block.runs
        if run.href
    )
    if said and linked > 0.8 * said and said > 100:
        return (
            Diagnostic(
                code="page-index-only",
                level="info",
                span=span,
                message="the page is only a list of links",
                hint="compile the folder or the address above it, so that the linked pages are read",
            ),
        )
    return ()


def _shell(span: Span) -> Diagnostic:
    return Diagnostic(
        code="page-javascript-shell",
        level="warning",
        span=span,
        message="the page has almost no text: a script would build it in a browser",
        hint="save the page from a browser after it has loaded, or give the API's OpenAPI file",
    )
