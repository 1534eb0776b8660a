"""Tags to a tree of elements: implied end tags, void elements, bounded depth, lines kept.

A mirror of the page as a browser would build it, in as much as documentation needs it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from doc2tools.compiler.load.tags import AMBIGUOUS, BLOCKS, HEADINGS, INLINE, VOID
from doc2tools.compiler.load.tokens import Token, tokens

MAX_DEPTH = 120
"""Levels that are kept; deeper elements go to the last level, as browsers do from 512 on."""

MAX_NODES = 200_000

_CLOSES_P = BLOCKS - {"body", "template", "noscript", "option", "optgroup", "td", "th", "tr"}
_HEAD_ONLY = frozenset(["title", "meta", "link", "script", "style", "base", "noscript", "template"])
_BARRIERS = frozenset(["table", "td", "th", "caption", "template", "button", "object"])
_SIBLINGS = {
    "li": (frozenset(("li",)), frozenset(("ul", "ol", "menu", "dir"))),
    "dt": (frozenset(("dt", "dd")), frozenset(("dl",))),
    "dd": (frozenset(("dt", "dd")), frozenset(("dl",))),
    "option": (frozenset(("option",)), frozenset(("select", "optgroup", "datalist"))),
    "optgroup": (frozenset(("option", "optgroup")), frozenset(("select",))),
    "tr": (frozenset(("tr", "caption", "colgroup")), frozenset(("table", "template"))),
    "td": (frozenset(("td", "th")), frozenset(("tr", "table", "template"))),
    "th": (frozenset(("td", "th")), frozenset(("tr", "table", "template"))),
    "tbody": (frozenset(("tbody", "thead", "tfoot", "caption", "colgroup")), frozenset(("table",))),
    "thead": (frozenset(("tbody", "thead", "tfoot", "caption", "colgroup")), frozenset(("table",))),
    "tfoot": (frozenset(("tbody", "thead", "tfoot", "caption", "colgroup")), frozenset(("table",))),
}
_CELL_OPEN = frozenset(("table", "template"))
_END_NAME = re.compile(r"</([A-Za-z][^\s/>]{0,99})")


@dataclass(slots=True)
class Text:
    """A stretch of text; `comment` marks an HTML comment."""

    text: str
    line: int
    comment: bool = False


@dataclass(slots=True)
class Node:
    """An element.

    Attributes:
        tag: Lower-case name; `#root` for the root.
        line: 1-based line of its start tag.
        end: Line of its end tag, or of its last content.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    end: int = 0
    children: list[Node | Text] = field(default_factory=list["Node | Text"])

    def get(self, name: str) -> str:
        """Give an attribute, or ""."""
        return self.attributes.get(name, "")

    @property
    def classes(self) -> list[str]:
        """The class names, lower case."""
        return self.attributes.get("class", "").lower().split()

    def nodes(self) -> Iterator[Node]:
        """Yield the element and all below it, in document order."""
        stack: list[Node] = [self]
        while stack:
            node = stack.pop()
            yield node
            for child in reversed(node.children):
                if isinstance(child, Node):
                    stack.append(child)

    def find(self, *tags: str) -> Node | None:
        """Give the first element below (or this one) with one of these tags."""
        return next((node for node in self.nodes() if node.tag in tags), None)

    def text(self) -> str:
        """Give all text below, in document order, as it stands."""
        parts: list[str] = []
        stack: list[Node | Text] = [self]
        while stack:
            item = stack.pop()
            if isinstance(item, Text):
                if not item.comment:
                    parts.append(item.text)
            elif item.tag not in ("script", "style"):
                stack.extend(reversed(item.children))
        return "".join(parts)

    def text_content(self) -> str:
        """Give the text directly in the element: of a script, its source."""
        return "".join(child.text for child in self.children if isinstance(child, Text))


class _Builder:
    """The stack of open elements."""

    def __init__(self, source: str) -> None:
        self.root = Node("#root", {}, 1)
        self.stack = [self.root]
        self.overflow = 0
        self.count = 0
        self._open: Counter[str] = Counter()
        self._source = source
        self._closed: frozenset[str] | None = None

    def feed(self, token: Token) -> None:
        if token.kind == "text":
            self._text(token.text, token.line)
        elif token.kind == "comment":
            self.stack[-1].children.append(Text(token.text, token.line, comment=True))
        elif token.kind == "start":
            self._start(token)
        else:
            self._end(token.name, token.line)

    def _text(self, text: str, line: int) -> None:
        if self.stack[-1].tag == "head" and not text.isspace():
            self._pop(line)
        self.stack[-1].children.append(Text(text, line))

    def _start(self, token: Token) -> None:
        tag = token.name
        if tag == "html" or (tag == "body" and any(node.tag == "body" for node in self.stack)):
            self.root.attributes.update(
                (key, value)
                for key, value in token.attributes.items()
                if key not in self.root.attributes
            )
            return
        if self._is_literal(token):
            self._text(token.text, token.line)
            return
        if len(self.stack) > 1 and self.stack[-1].tag == "head" and tag not in _HEAD_ONLY:
            self._pop(token.line)
        self._imply_ends(tag, token.line)
        node = Node(tag, token.attributes, token.line, token.line)
        self.count += 1
        self.stack[-1].children.append(node)
        if tag in VOID:
            return
        if self.overflow or len(self.stack) >= MAX_DEPTH:
            self.overflow += 1
            return
        self.stack.append(node)
        self._open[tag] += 1

    def _is_literal(self, token: Token) -> bool:
        """Tell whether a tag is no tag but a placeholder such as `<id>` that was not escaped."""
        name = token.name
        known = name in BLOCKS or name in INLINE or name in VOID or "-" in name
        if (known and name not in AMBIGUOUS) or len(token.text) > 200:
            return False
        if token.attributes and (known or "=" in token.text):
            return False
        if self._closed is None:
            names = {match[1].lower() for match in _END_NAME.finditer(self._source)}
            self._closed = frozenset(names)
        return name not in self._closed

    def _imply_ends(self, tag: str, line: int) -> None:
        if tag in _CLOSES_P:
            if self._open["p"]:
                self._close({"p"}, _BARRIERS, line)
            if tag in HEADINGS and self.stack[-1].tag in HEADINGS:
                self._pop(line)
        if tag in _SIBLINGS:
            names, barriers = _SIBLINGS[tag]
            self._close(names, barriers, line)
        elif tag == "a" and self._open["a"]:
            self._close({"a"}, _BARRIERS, line)

    def _close(self, names: frozenset[str] | set[str], barriers: frozenset[str], line: int) -> None:
        """Close the innermost open element of `names`, unless a barrier stands before it."""
        for name in names:
            if self._open[name]:
                break
        else:
            return
        for index in range(len(self.stack) - 1, 0, -1):
            tag = self.stack[index].tag
            if tag in names:
                while len(self.stack) > index:
                    self._pop(line)
                self.overflow = 0
                return
            if tag in barriers:
                return

    def _end(self, tag: str, line: int) -> None:
        if tag in ("body", "html"):
            return
        if tag == "br":
            self.stack[-1].children.append(Node("br", {}, line, line))
            return
        if self.overflow and tag not in VOID:
            self.overflow -= 1
            return
        barriers = _CELL_OPEN if tag in ("td", "th", "tr", "tbody", "thead", "tfoot") else _BARRIERS
        self._close({tag}, barriers - {tag}, line)

    def _pop(self, line: int) -> None:
        node = self.stack.pop()
        node.end = line
        self._open[node.tag] -= 1


def parse(text: str, line: int = 1) -> Node:
    """Build the tree of `text`, whose lines end in a line feed and whose first line is `line`.

    Never raises; depth and size are bounded.
    """
    builder = _Builder(text)
    last = line
    for token in tokens(text, line):
        builder.feed(token)
        last = token.line
        if builder.count > MAX_NODES:
            break
    for node in builder.stack:
        node.end = last
    return builder.root
