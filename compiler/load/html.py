"""HTML to a `Document`: build the tree, choose the content, read its blocks."""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.ir.document import Block, Code, Document, Paragraph, walk
from doc2tools.compiler.ir.source import Diagnostic, DiagnosticCode, Level, Span
from doc2tools.compiler.load.content import choose, measure
from doc2tools.compiler.load.dom import MAX_NODES, Node, parse
from doc2tools.compiler.load.flow import MAX_BLOCKS, Context, blocks_of
from doc2tools.compiler.load.forms import labels_of
from doc2tools.compiler.load.fragment import tabs_of
from doc2tools.compiler.load.inline import collapse
from doc2tools.compiler.load.payload import payload_blocks
from doc2tools.compiler.load.reading import texts
from doc2tools.compiler.load.repeats import drop_repeats

LITTLE_TEXT = 300
"""Characters below which a page is looked through for text that a script would show."""

_ASIDE = frozenset(("script", "noscript", "template"))


def read_html(text: str, page: str, url: str = "") -> Document:
    """Read the HTML page `text`; what it lacks is said in the document's diagnostics."""
    root = parse(text)
    nodes = list(root.nodes())
    head = _head_of(root, nodes)
    context = Context(page, head.base, labels_of(nodes), tabs_of(nodes))
    asides = [node for node in nodes if node.tag in _ASIDE]
    carriers = [node for node in nodes if node.attributes and _carries_data(node)]
    content = choose(root)
    blocks = drop_repeats(blocks_of(content.node, context))
    said = sum(map(len, texts(blocks)))
    if said < LITTLE_TEXT:
        blocks = (*blocks, *_unseen(asides, context, said))
    blocks = (*blocks, *payload_blocks([*asides, *carriers], page, said, blocks))
    lines = text.count("\n") + 1
    faults = list(_faults(blocks, asides, root))
    if len(nodes) > MAX_NODES or context.count > MAX_BLOCKS:
        faults.append(_TOO_LARGE)
    span = Span(page=page, start=1, end=1)
    return Document(
        page=page,
        url=url or head.canonical,
        title=head.title,
        language=head.language,
        format="html",
        blocks=blocks,
        links=content.links,
        lines=lines,
        diagnostics=tuple(
            Diagnostic(code=code, level=level, span=span, message=message, hint=hint)
            for code, level, message, hint in faults
        ),
    )


def _unseen(asides: list[Node], context: Context, said: int) -> list[Block]:
    """Read what stands in `noscript` and `template` of a page that shows next to nothing."""
    found: list[Block] = []
    for node in asides:
        if node.tag == "script":
            continue
        inner = Node("div", {}, node.line, node.end, node.children)
        if measure(inner)[id(inner)].text > max(said, LITTLE_TEXT):
            found.extend(blocks_of(inner, context))
    return found


@dataclass(slots=True)
class _Head:
    """What the page says about itself."""

    title: str = ""
    canonical: str = ""
    base: str = ""
    language: str = ""


def _head_of(root: Node, nodes: list[Node]) -> _Head:
    head = _Head(language=(root.get("lang") or root.get("xml:lang")).strip()[:35])
    shared = ""
    for node in nodes:
        if node.tag == "title" and not head.title:
            head.title = collapse(node.text())[:500]
        elif node.tag == "link" and node.get("rel").lower() == "canonical":
            head.canonical = head.canonical or _http(node.get("href"))
        elif node.tag == "base":
            head.base = head.base or _http(node.get("href"))
        elif node.tag == "meta" and node.get("property") == "og:title":
            shared = shared or collapse(node.get("content"))[:500]
    head.title = head.title or shared
    return head


def _http(address: str) -> str:
    address = address.strip()[:2000]
    return address if address.lower().startswith(("http://", "https://")) else ""


def _carries_data(node: Node) -> bool:
    """Tell whether an element's attribute holds the data that a script would show."""
    return any(
        len(value) > 500 and key.startswith("data-") and value.lstrip()[:1] in ("{", "[")
        for key, value in node.attributes.items()
    )


_Fault = tuple[DiagnosticCode, Level, str, str]
_EMPTY: _Fault = (
    "page-empty",
    "warning",
    "the page has no text",
    "check that the file was saved completely",
)
_SHELL: _Fault = (
    "page-javascript-shell",
    "warning",
    "the page has almost no text: a script would build it in a browser",
    "save the page from a browser after it has loaded, or give the API's OpenAPI file",
)
_INDEX: _Fault = (
    "page-index-only",
    "info",
    "the page is little more than a list of links",
    "compile the folder or the address above it, so that the linked pages are read",
)
_TOO_LARGE: _Fault = (
    "page-truncated",
    "warning",
    "the page has more elements than are read; its end was left out",
    "split the page",
)


def _faults(blocks: tuple[Block, ...], asides: list[Node], root: Node) -> list[_Fault]:
    said = sum(map(len, texts(blocks)))
    scripts = [node for node in asides if node.tag == "script"]
    if not blocks:
        scripted = any(node.get("src") for node in scripts) or root.find("iframe") is not None
        return [_SHELL if scripted else _EMPTY]
    has_code = any(isinstance(block, Code) for block in walk(blocks))
    running = [node for node in scripts if not node.get("type").endswith("json")]
    if said < 200 and running and not has_code:
        return [_SHELL]
    linked = sum(
        len(run.text)
        for block in walk(blocks)
        if isinstance(block, Paragraph)
        for run in block.runs
        if run.href
    )
    return [_INDEX] if said > 100 and linked > 0.8 * said else []
