"""Samples and addresses that stand in attributes and comments instead of the running text."""

from __future__ import annotations

import re

from doc2tools.compiler.ir.document import Embedded
from doc2tools.compiler.ir.source import Span
from doc2tools.compiler.load.dom import Node, Text
from doc2tools.compiler.load.inline import collapse

MAX_TEXT = 5_000

_SAMPLE = re.compile(
    r"https?://[\w{<\[$:]|(?:^|\s)(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s{1,20}/|"
    r"(?:^|\s)curl\s|^/[\w{<:]{1,80}(?:/|$|\?)"
)
_ASSET = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|ico|css|js|mjs|map|woff2?|ttf|mp4|webm)(?:$|[?#])", re.IGNORECASE
)
_OTHER_DATA = re.compile(
    r"src|image|img|icon|href|analytics|track|hydro|ga-|gtm|hovercard|turbo|pjax|react|cfemail|"
    r"login|avatar|permalink|share|redirect|edit|action|theme|n-head|testid|poster|background"
)
_TELLING = re.compile(
    r"clipboard|code|copy|snippet|sample|example|url|endpoint|path|curl|request|uri|api|content"
)


def attribute_title(node: Node) -> str:
    """Give the `title`, or a `data-` attribute with a sample, of an inline element."""
    attributes = node.attributes
    if not attributes:
        return ""
    title = attributes.get("title", "")
    if title.strip():
        return collapse(title)[:500]
    for key, value in attributes.items():
        if _is_sample(key, value):
            return collapse(value)[:500]
    return ""


def attribute_samples(node: Node, page: str) -> tuple[Embedded, ...]:
    """Give the samples in the `data-` attributes of a block element, or of a copy button in it."""
    found: list[Embedded] = []
    holders = [node] if node.attributes else []
    holders.extend(
        child
        for child in node.children
        if isinstance(child, Node) and child.tag in ("button", "clipboard-copy")
    )
    for holder in holders:
        for key, value in holder.attributes.items():
            named = key == "value" and holder.tag in ("button", "clipboard-copy")
            if _is_sample("data-copy" if named else key, value):
                found.append(
                    Embedded(
                        span=Span(page=page, start=holder.line, end=holder.line),
                        origin="attribute",
                        name=key,
                        text=value.strip()[:MAX_TEXT],
                    )
                )
    return tuple(found)


def _is_sample(key: str, value: str) -> bool:
    if not key.startswith("data-") or len(value) < 5:
        return False
    name = key[5:]
    if _OTHER_DATA.search(name) or not _TELLING.search(name):
        return False
    head = value[:MAX_TEXT].strip()
    return bool(_SAMPLE.search(head)) and not _ASSET.search(head)


def comment_sample(comment: Text, page: str) -> Embedded | None:
    """Give a comment in which a request is shown; conditional comments are none."""
    text = comment.text.strip()
    if len(text) < 8 or text[0] == "[" or text.startswith(("<![", "<script", "<link", "<meta")):
        return None
    if not re.search(
        r"https?://|\b(?:GET|POST|PUT|PATCH|DELETE)\s{1,20}/|\bcurl\s", text[:MAX_TEXT]
    ):
        return None
    return Embedded(
        span=Span(page=page, start=comment.line, end=comment.line + comment.text.count("\n")),
        origin="comment",
        text=text[:MAX_TEXT],
    )
