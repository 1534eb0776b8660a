"""Which part of a page is its content: by structure, link density and share of text.

Navigation, banners and repository chrome fall away; what holds code or most of the text stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from doc2tools.compiler.load.dom import Node, Text
from doc2tools.compiler.load.tags import HEADINGS

_UNSEEN = frozenset(
    ("script", "style", "template", "noscript", "svg", "head", "textarea", "select")
)
_CODE = frozenset(("pre", "code"))
_NEVER_CHROME = HEADINGS | {"body", "main", "article", "a"}
_LANDMARK_ROLES = frozenset(
    ("navigation", "banner", "contentinfo", "search", "complementary", "menu", "menubar", "tree")
)
_OVERLAY_ROLES = frozenset(("dialog", "alertdialog"))
_CHROME_NAME = re.compile(
    r"(?:^|[-_])(?:nav|navbar|navigation|menu|sidebar|side-?bar|toc|breadcrumbs?|pagination|pager|"
    r"footer|masthead|topbar|table-?of-?contents|share|social|skip-?link|site-?header)(?:$|[-_])"
)
_OVERLAY_NAME = re.compile(r"cookie|consent|gdpr|onetrust|newsletter")


OUTSIDE = 200
"""Characters beside the body from which on a page counts as put together from parts."""


@dataclass(slots=True)
class Measure:
    """What is below an element: characters of text, of link text and of code, and headings."""

    text: int = 0
    links: int = 0
    code: int = 0
    headings: int = 0
    blocks: int = 0

    def take(self, other: Measure) -> None:
        """Add another element's figures."""
        self.text += other.text
        self.links += other.links
        self.code += other.code
        self.headings += other.headings
        self.blocks += other.blocks


def measure(root: Node) -> dict[int, Measure]:
    """Measure every element below `root` by `id()`, children before parents."""
    found: dict[int, Measure] = {}
    order: list[Node] = []
    stack = [root]
    while stack:
        node = stack.pop()
        order.append(node)
        if node.tag not in _UNSEEN:
            stack.extend(child for child in node.children if isinstance(child, Node))
    for node in reversed(order):
        total = Measure()
        if node.tag not in _UNSEEN:
            for child in node.children:
                if isinstance(child, Text):
                    if not child.comment:
                        total.text += len(child.text.strip())
                elif (inner := found.get(id(child))) is not None:
                    total.take(inner)
            if node.tag == "a" and "href" in node.attributes:
                total.links = total.text
            if node.tag in _CODE:
                total.code = total.text
                total.blocks += node.tag == "pre"
            if node.tag in HEADINGS:
                total.headings += 1
        found[id(node)] = total
    return found


@dataclass(slots=True)
class Content:
    """The chosen part of the page.

    Attributes:
        node: Its element; chrome inside it is cut out already.
        links: Addresses in what was cut, in order.
    """

    node: Node
    links: tuple[str, ...]


def choose(root: Node) -> Content:
    """Cut chrome from the page under `root` and choose the element that holds its content."""
    figures = measure(root)
    seen = (node for node in root.nodes() if id(node) in figures)
    body = next((node for node in seen if node.tag == "body"), root)
    if figures[id(root)].text > figures[id(body)].text + OUTSIDE:
        body = root
    links: list[str] = []
    _cut(body, figures, links)
    figures = measure(body)
    chosen = _narrow(body, figures)
    if chosen is not body:
        links.extend(_links_outside(body, chosen))
    return Content(chosen, tuple(dict.fromkeys(links)))


def _cut(body: Node, figures: dict[int, Measure], links: list[str]) -> None:
    """Take chrome out of the tree, collecting the addresses it links to."""
    whole = figures[id(body)]
    stack: list[tuple[Node, bool]] = [(body, False)]
    while stack:
        node, inside = stack.pop()
        kept: list[Node | Text] = []
        deeper = inside or node.tag in ("main", "article") or node.get("role") == "main"
        for child in node.children:
            if isinstance(child, Node) and (own := figures.get(id(child))) is not None:
                if _is_chrome(child, own, whole, inside=deeper):
                    links.extend(_addresses(child))
                    continue
                stack.append((child, deeper))
            kept.append(child)
        node.children = kept


def _is_chrome(node: Node, own: Measure, whole: Measure, *, inside: bool) -> bool:
    if own.text == 0 or own.blocks or own.text > whole.text * 0.6 or node.tag in _NEVER_CHROME:
        return False
    linked = own.links / own.text
    short = own.code == 0 and own.text < 1_500
    role, names = node.get("role"), [*node.classes, node.get("id").lower()]
    if node.tag == "nav" or role in _LANDMARK_ROLES:
        return linked > 0.3 or short
    if node.tag == "header":
        return not inside and not own.headings and not own.code and linked > 0.3
    if node.tag == "footer":
        return own.code == 0 and (linked > 0.3 or (short and not inside))
    if node.tag == "aside" or any(_CHROME_NAME.search(name[:200]) for name in names):
        return linked > 0.6
    is_overlay = any(_OVERLAY_NAME.search(name[:200]) for name in names) and short
    return is_overlay or node.tag == "dialog" or role in _OVERLAY_ROLES


def _narrow(body: Node, figures: dict[int, Measure]) -> Node:
    """Go from the body to `main` and to the `article` in it, where these hold the content."""
    chosen = body
    for wanted in (_is_main, _is_article):
        found = [node for node in _outermost(chosen, wanted) if id(node) in figures]
        if len(found) != 1:
            continue
        own, around = figures[id(found[0])], figures[id(chosen)]
        if own.text == 0:
            continue
        holds_code = own.blocks == around.blocks and own.code >= around.code * 0.9
        share = own.text / max(1, around.text)
        prose = (own.text - own.links) / max(1, around.text - around.links)
        if holds_code and max(share, prose) >= 0.4:
            chosen = found[0]
    return chosen


def _is_main(node: Node) -> bool:
    return node.tag == "main" or node.get("role") == "main"


def _is_article(node: Node) -> bool:
    return (
        node.tag == "article"
        or node.get("role") == "article"
        or node.get("itemprop") in ("articleBody", "text")
    )


def _outermost(root: Node, wanted: Callable[[Node], bool]) -> list[Node]:
    found: list[Node] = []
    stack = [root]
    while stack:
        node = stack.pop()
        if node is not root and node.tag not in _UNSEEN and wanted(node):
            found.append(node)
        else:
            stack.extend(child for child in reversed(node.children) if isinstance(child, Node))
    return found


def _addresses(node: Node) -> list[str]:
    return [
        href
        for link in node.nodes()
        if link.tag == "a" and (href := link.get("href").strip()[:2000]) and href[0] != "#"
    ]


def _links_outside(body: Node, chosen: Node) -> list[str]:
    found: list[str] = []
    stack = [body]
    while stack:
        node = stack.pop()
        if node is chosen:
            continue
        if node.tag == "a" and (href := node.get("href").strip()[:2000]) and href[0] != "#":
            found.append(href)
        stack.extend(child for child in reversed(node.children) if isinstance(child, Node))
    return found
