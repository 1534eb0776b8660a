"""Inline Markdown to runs, with the HTML tags in it and the line of every run."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.token import Token

from doc2tools.compiler.ir.document import Run
from doc2tools.compiler.load.dom import Node
from doc2tools.compiler.load.inline import PLAIN, Marks, Piece, runs
from doc2tools.compiler.load.samples import attribute_title
from doc2tools.compiler.load.signs import VERB
from doc2tools.compiler.load.tags import AMBIGUOUS, BLOCKS, INLINE, VOID
from doc2tools.compiler.load.tokens import tokens

_MARKS = {
    "strong": "strong", "b": "strong", "em": "emphasis", "i": "emphasis", "cite": "emphasis",
    "code": "code", "kbd": "code", "samp": "code", "tt": "code", "var": "code",
}  # fmt: skip
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
        return runs(_pieces(children, line))


def _pieces(children: list[Token], line: int) -> list[Piece]:
    pieces: list[Piece] = []
    stack: list[tuple[str, Marks]] = []
    marks = PLAIN
    closing = {child.content.lower() for child in children if child.type == "html_inline"}
    for child in children:
        match child.type:
            case "text" | "text_special":
                pieces.append(Piece(child.content, marks, line))
            case "code_inline":
                pieces.append(Piece(child.content, marks._replace(code=True), line))
            case "softbreak":
                line += 1
                pieces.append(Piece(" ", marks, line))
            case "hardbreak":
                line += 1
                pieces.append(Piece("\n", marks, line, keep=True))
            case "link_open" | "link_close" if _is_placeholder(child, children):
                pieces.append(Piece("<" if child.nesting == 1 else ">", marks, line))
            case "strong_open" | "em_open" | "link_open":
                stack.append((child.tag, marks))
                if child.type == "link_open":
                    marks = marks._replace(
                        href=str(child.attrGet("href") or "")[:4000],
                        title=str(child.attrGet("title") or "")[:500] or marks.title,
                    )
                else:
                    marks = marks._replace(**{_MARKS[child.tag]: True})
            case "strong_close" | "em_close" | "link_close":
                marks = _leave(stack, child.tag, marks)
            case "image" if VERB.match(child.content.strip()):
                pieces.append(Piece(child.content.strip(), marks._replace(badge=True), line))
            case "html_inline":
                closes = f"</{child.content[1:-1].lower()}>" in closing
                marks = _html(child.content, stack, marks, pieces, line, closes=closes)
                line += child.content.count("\n")
            case _:
                pass
    return pieces


_ADDRESS = ("http:", "https:", "mailto:", "ftp:", "ws:", "wss:")


def _is_placeholder(link: Token, children: list[Token]) -> bool:
    """Tell whether an address in angle brackets is none, but a placeholder such as `<int:id>`."""
    if link.markup != "autolink":
        return False
    if link.nesting == 1:
        return not str(link.attrGet("href") or "").lower().startswith(_ADDRESS)
    before = children[children.index(link) - 1].content.lower()
    return not before.startswith(_ADDRESS) and "@" not in before


def _leave(stack: list[tuple[str, Marks]], tag: str, marks: Marks) -> Marks:
    """Give the marks that were in force before `tag` opened; unopened tags change nothing."""
    for index in range(len(stack) - 1, -1, -1):
        if stack[index][0] == tag:
            before = stack[index][1]
            del stack[index:]
            return before
    return marks


def _html(
    content: str,
    stack: list[tuple[str, Marks]],
    marks: Marks,
    pieces: list[Piece],
    line: int,
    *,
    closes: bool,
) -> Marks:
    """Apply one HTML tag inside a line; one that HTML does not know is a placeholder."""
    token = next(tokens(content), None)
    if token is None or token.kind == "comment":
        return marks
    name = token.name
    bare = name in AMBIGUOUS and not token.attributes and not closes
    if token.kind == "text" or name not in _KNOWN or bare:
        if token.kind != "end":
            pieces.append(Piece(content, marks, line))
        return marks
    if token.kind == "end":
        return _leave(stack, name, marks)
    if name in _BREAKS:
        pieces.append(Piece("\n", marks, line, keep=True))
    if name in VOID:
        return marks
    stack.append((name, marks))
    changes: dict[str, bool | str] = {}
    if name in _MARKS:
        changes[_MARKS[name]] = True
    if name == "var":
        changes["emphasis"] = True
    if name == "a":
        changes["href"] = token.attributes.get("href", "").strip()[:4000]
    if title := attribute_title(Node(name, token.attributes, line)):
        changes["title"] = title
    return marks._replace(**changes)
