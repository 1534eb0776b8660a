"""Inline Markdown to runs, with the HTML tags in it and the line of every run."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.token import Token

from doc2tools.compiler.ir.document import Run
from doc2tools.compiler.load.dom import Node
from doc2tools.compiler.load.inline import PLAIN, Marks, Piece, runs
from doc2tools.compiler.load.samples import attribute_title
from doc2tools.compiler.load.signs import shows_verb
from doc2tools.compiler.load.tags import AMBIGUOUS, BLOCKS, INLINE, VOID
from doc2tools.compiler.load.tokens import tokens

_MARKS = {
    "strong": "strong", "b": "strong", "em": "emphasis", "i": "emphasis", "cite": "emphasis",
    "code": "code", "kbd": "code", "samp": "code", "tt": "code", "var": "code",
}  # fmt: skip
_SCHEMES = ("http:", "https:", "mailto:", "ftp:", "ws:", "wss:")
_PLACEHOLDER = "<>"
_BREAKS = frozenset(("br", "p", "li", "tr", "div"))
_KNOWN = BLOCKS | INLINE | VOID


class InlineReader:
    """Reads the inline text of blocks with one parser."""

    def __init__(self, parser: MarkdownIt) -> None:
        """Use `parser`'s inline rules."""
        self._parser = parser

    def read(self, content: str, line: int) -> tuple[Run, ...]:
        """Give the runs of `content`, which begins on `line`."""
        if not any(mark in content for mark in "`*_[<&\\!~\n"):
            return runs([Piece(content, PLAIN, line)])
        children: list[Token] = []
        try:
            self._parser.inline.parse(content, self._parser, {}, children)
        except (RecursionError, ValueError, IndexError):
            return runs([Piece(content, PLAIN, line)])
        return runs(_Walk(children, line).run())


class _Walk:
    """Goes through the parser's inline tokens once, marks and line in hand."""

    def __init__(self, children: list[Token], line: int) -> None:
        self.pieces: list[Piece] = []
        self.line = line
        self.marks = PLAIN
        self._children = children
        self._stack: list[tuple[str, Marks]] = []
        self._closing = {c.content.lower() for c in children if c.type == "html_inline"}

    def run(self) -> list[Piece]:
        for child in self._children:
            self._token(child)
        return self.pieces

    def _add(self, text: str, marks: Marks, *, keep: bool = False) -> None:
        self.pieces.append(Piece(text, marks, self.line, keep=keep))

    def _token(self, child: Token) -> None:
        match child.type:
            case "text" | "text_special":
                self._add(child.content, self.marks)
            case "code_inline":
                self._add(child.content, self.marks._replace(code=True))
            case "softbreak":
                self.line += 1
                self._add(" ", self.marks)
            case "hardbreak":
                self.line += 1
                self._add("\n", self.marks, keep=True)
            case "strong_open" | "em_open":
                self._enter(child.tag, {_MARKS[child.tag]: True})
            case "link_open":
                self._link(child)
            case "strong_close" | "em_close" | "link_close":
                self._leave(child.tag)
            case "image" if shows_verb(child.content.strip(), str(child.attrGet("src") or "")):
                self._add(child.content.strip(), self.marks._replace(badge=True))
            case "html_inline":
                self._html(child.content)
                self.line += child.content.count("\n")
            case _:
                pass

    def _enter(self, tag: str, changes: dict[str, bool | str]) -> None:
        self._stack.append((tag, self.marks))
        self.marks = self.marks._replace(**changes)

    def _leave(self, tag: str) -> None:
        """Go back to the marks before `tag` opened; tags that were not opened change nothing."""
        for index in range(len(self._stack) - 1, -1, -1):
            opened, before = self._stack[index]
            if opened == _PLACEHOLDER and tag == "a":
                self._add(">", before)
            if opened == tag or (opened == _PLACEHOLDER and tag == "a"):
                self.marks = before
                del self._stack[index:]
                return

    def _link(self, link: Token) -> None:
        """Open a link; `<int:id>` looks like an address to the parser and is a placeholder."""
        address = str(link.attrGet("href") or "")
        if link.markup == "autolink" and not address.lower().startswith(_SCHEMES):
            self._add("<", self.marks)
            self._enter(_PLACEHOLDER, {})
            return
        title = str(link.attrGet("title") or "")[:500] or self.marks.title
        self._enter("a", {"href": address[:4000], "title": title})

    def _html(self, content: str) -> None:
        """Apply one HTML tag inside a line; one that HTML does not know is a placeholder."""
        token = next(tokens(content), None)
        if token is None or token.kind == "comment":
            return
        name = token.name
        closes = f"</{name}>" in self._closing
        bare = name in AMBIGUOUS and not token.attributes and not closes
        if token.kind == "text" or name not in _KNOWN or bare:
            if token.kind != "end":
                self._add(content, self.marks)
            return
        if token.kind == "end":
            self._leave(name)
            return
        if name in _BREAKS:
            self._add("\n", self.marks, keep=True)
        if name not in VOID:
            self._enter(name, _changes(token.name, token.attributes, self.line))


def _changes(name: str, attributes: dict[str, str], line: int) -> dict[str, bool | str]:
    """Give what an HTML tag changes about the marks."""
    changes: dict[str, bool | str] = {}
    if name in _MARKS:
        changes[_MARKS[name]] = True
    if name == "var":
        changes["emphasis"] = True
    if name == "a":
        changes["href"] = attributes.get("href", "").strip()[:4000]
    if title := attribute_title(Node(name, attributes, line)):
        changes["title"] = title
    return changes
