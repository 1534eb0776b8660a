"""What an element is beside its tag: a badge, a permalink, closed, or code that is no `pre`."""

from __future__ import annotations

import re

from doc2tools.compiler.load.dom import Node
from doc2tools.compiler.load.inline import clean, collapse
from doc2tools.compiler.load.tags import BLOCKS, HEADINGS

VERB = re.compile(r"^(?:GET|POST|PUT|PATCH|DELETE|DEL|HEAD|OPTIONS)$", re.IGNORECASE)
_BADGE = re.compile(
    r"(?:^|[-_])(?:badge|method|verb|tag|pill|label|chip|http-?(?:get|post|put|patch|delete))"
    r"(?:$|[-_])"
)
_NAME_PARTS = re.compile(r"[^a-z]")
_BADGE_TEXT = re.compile(r"^[A-Za-z][\w .:+-]{0,23}$")
_ANCHOR_CLASS = re.compile(
    r"^(?:anchor|header-?link|permalink|hash-link|heading-?anchor|anchorjs-link)$"
)
_ANCHOR_TEXT = frozenset(("", "¶", "#", "§", "🔗", "\uf0c1", "link", "permalink", "[link]", "⚓"))
_HIDDEN_STYLE = re.compile(r"display\s{0,9}:\s{0,9}none", re.IGNORECASE)
_CODE_CLASS = re.compile(
    r"^(?:highlight|hljs|code|code-?block|codehilite|code-?snippet|code-?example|prettyprint|"
    r"source-?code|syntaxhighlighter|prism-code)$"
)
_CODE_STYLE = re.compile(
    r"white-space\s{0,9}:\s{0,9}pre\b(?!-line)|font-family\s{0,9}:[^;]{0,80}(?:mono|courier|consolas)",
    re.IGNORECASE,
)
_CODE_HOLDERS = frozenset(("div", "p", "blockquote", "section", "figure"))
_NOT_IN_CODE = (BLOCKS | {"input", "select", "img"}) - {"div", "p"}


def is_badge(node: Node) -> bool:
    """Tell whether an element sets a short label apart, such as a method."""
    names = node.classes
    marked = node.tag in ("mark", "button") or any(_BADGE.search(name) for name in names)
    return marked and len(node.children) <= 3 and bool(_BADGE_TEXT.match(node.text().strip()))


def shows_verb(alt: str, source: str) -> bool:
    """Tell whether an image is the badge of a method: "head" may as well be the picture of one."""
    if not VERB.match(alt):
        return False
    file = source[:2000].partition("?")[0].rpartition("/")[2]
    return alt.isupper() or alt.lower() in _NAME_PARTS.split(file.lower())


def is_permalink(node: Node) -> bool:
    """Tell whether a link only points to the place where it stands."""
    text = clean(node.text()).strip().lower()
    if not text and node.find("img"):
        return False
    if text in _ANCHOR_TEXT and "href" in node.attributes:
        return True
    return len(text) <= 2 and any(_ANCHOR_CLASS.match(name) for name in node.classes)


def is_hidden(node: Node) -> bool:
    """Tell whether an element is not shown when the page opens."""
    return (
        "hidden" in node.attributes
        or node.get("aria-hidden") == "true"
        or (node.tag == "details" and "open" not in node.attributes)
        or bool(_HIDDEN_STYLE.search(node.get("style")[:500]))
    )


def says_endpoint(node: Node) -> bool:
    """Tell whether a button's text is more than an action on the page."""
    text = node.text().strip()[:300]
    return "/" in text or bool(VERB.match(text)) or node.find(*HEADINGS) is not None


def is_block_code(node: Node) -> bool:
    """Tell whether a `code` element that is in no `pre` stands for a block of code."""
    breaks = any(child.tag in ("br", "div", "p") for child in node.nodes())
    return breaks or node.text().strip().count("\n") >= 2


def is_code_holder(node: Node) -> bool:
    """Tell whether a block element that is no `pre` is drawn as code and holds nothing else."""
    if node.tag not in _CODE_HOLDERS or not node.attributes:
        return False
    named = any(_CODE_CLASS.match(name) for name in node.classes)
    if not named and not _CODE_STYLE.search(node.get("style")[:500]):
        return False
    inner = node.nodes()
    next(inner)
    return all(child.tag not in _NOT_IN_CODE for child in inner)


def title_label(node: Node) -> str:
    """Give the title that an element carries for its tab or file."""
    for key in ("data-title", "data-label", "data-filename", "data-tab"):
        if value := collapse(node.get(key)):
            return value[:100]
    return ""


def heading_level(node: Node) -> int:
    """Give a heading's level from its tag or, for `role=heading`, its `aria-level`."""
    if node.tag in HEADINGS:
        return int(node.tag[1])
    level = node.get("aria-level")
    return int(level) if level in ("1", "2", "3", "4", "5", "6") else 2
