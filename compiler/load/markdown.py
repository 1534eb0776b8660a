"""Markdown to blocks: CommonMark with tables and definition lists, HTML inside it, front matter."""

from __future__ import annotations

import re
from functools import cache

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin

from doc2tools.compiler.ir.document import (
    Block,
    Code,
    Definition,
    DefinitionList,
    Document,
    Embedded,
    Heading,
    ListBlock,
    ListItem,
    Paragraph,
    Run,
    walk,
)
from doc2tools.compiler.ir.source import Diagnostic, Span
from doc2tools.compiler.load.directives import expand
from doc2tools.compiler.load.fragment import fragment_blocks
from doc2tools.compiler.load.grids import is_loose_grid, read_grid, read_loose_grid
from doc2tools.compiler.load.inline import PLAIN, Piece, runs
from doc2tools.compiler.load.spans import InlineReader

MAX_TEXT = 3_000_000
MAX_LINES = 60_000
MAX_INLINE = 8_000
_FRONT_END = re.compile(r"^(?:---|\.\.\.)\s*$")
_ANCHOR = re.compile(r"\s*\{#([\w:.-]{1,100})[^}\n]{0,100}\}\s*$")
_INFO = re.compile(r"^[{.\s]{0,4}([A-Za-z][\w+#.-]{0,29})")
_INFO_TITLE = re.compile(r"(?:title|filename|label)=\"([^\"\n]{1,100})\"")


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": 40})
    parser.enable(["table", "strikethrough"]).use(deflist_plugin)
    # Inline text is parsed block by block here, so that one over-long line can be left as it is.
    parser.core.ruler.disable(["inline", "text_join"])
    return parser


def read_markdown(text: str, page: str, url: str = "") -> Document:
    """Read the Markdown page `text`, whose lines end in a line feed."""
    diagnostics: list[Diagnostic] = []
    lines = text.count("\n") + 1
    if len(text) > MAX_TEXT or lines > MAX_LINES:
        text = "\n".join(text[:MAX_TEXT].split("\n", MAX_LINES)[:MAX_LINES])
        diagnostics.append(
            Diagnostic(
                code="page-truncated",
                level="warning",
                span=Span(page=page, start=1, end=1),
                message=f"only the first {MAX_LINES:,} lines ({MAX_TEXT:,} characters) were read",
                hint="split the page",
            )
        )
    front, fields, first = _front_matter(text)
    source = text.split("\n")
    source[: first - 1] = [""] * (first - 1)
    blocks = markdown_blocks("\n".join(source), page)
    title = str(fields.get("title") or "").strip()[:500]
    head: list[Block] = []
    if front:
        span = Span(page=page, start=1, end=first - 1)
        head.append(Embedded(span=span, origin="front-matter", name="yaml", text=front[:20_000]))
        tops = [b for b in walk(blocks) if isinstance(b, Heading) and b.level == 1]
        if title and not tops:
            line = next(
                (n for n, row in enumerate(source_lines(text), 1) if row.startswith("title:")), 1
            )
            place = Span(page=page, start=line, end=line)
            head.append(Heading(span=place, level=1, runs=(Run(text=title, line=line),)))
    if not title:
        title = next(
            ("".join(r.text for r in b.runs) for b in walk(blocks) if isinstance(b, Heading)), ""
        )
    if not head and not blocks:
        diagnostics.append(
            Diagnostic(
                code="page-empty",
                level="warning",
                span=Span(page=page, start=1, end=1),
                message="the page has no text",
                hint="check that the file was saved completely",
            )
        )
    language = str(fields.get("lang") or "")[:35]
    return Document(
        page=page,
        url=url,
        title=title,
        language=language,
        format="markdown",
        blocks=(*head, *blocks),
        lines=lines,
        diagnostics=tuple(diagnostics),
    )


def source_lines(text: str) -> list[str]:
    """Give the first lines of a page, as many as front matter may have."""
    return text[:40_000].split("\n")[:400]


def _front_matter(text: str) -> tuple[str, dict[str, object], int]:
    """Give the front matter, its fields, and the number of the first line after it."""
    if not text.startswith("---\n"):
        return "", {}, 1
    lines = source_lines(text)
    end = next((n for n, line in enumerate(lines) if n and _FRONT_END.match(line)), 0)
    if not end:
        return "", {}, 1
    front = "\n".join(lines[1:end])
    return front, _fields(front), end + 2


def _fields(front: str) -> dict[str, object]:
    """Read the top-level scalars of YAML front matter; of broken YAML, what can be read."""
    found: dict[str, object] = {}
    for line in front.split("\n"):
        key, colon, value = line.partition(":")
        if colon and key and not key[0].isspace() and len(value) < 2_000:
            value = value.strip()
            if value[:1] in ("'", '"'):
                try:
                    value = str(yaml.safe_load(value))
                except yaml.YAMLError:
                    value = value.strip("'\"")
            found.setdefault(key.strip(), value)
    return found


def markdown_blocks(text: str, page: str, line: int = 0) -> tuple[Block, ...]:
    """Read Markdown text; with a `line`, every block is said to stand on that line."""
    source = expand(text.split("\n"))
    try:
        tokens = _parser().parse("\n".join(source))
    except (RecursionError, ValueError, IndexError):
        # markdown-it-py is third-party code on hostile text: the page is then read as plain lines.
        return tuple(
            Paragraph(
                span=Span(page=page, start=line or n, end=line or n),
                runs=runs([Piece(row, PLAIN, n)]),
            )
            for n, row in enumerate(source, 1)
            if row.strip()
        )
    return _Reader(page, source, line).blocks(tokens, 0, len(tokens))


class _Reader:
    """Turns markdown-it's flat tokens into nested blocks."""

    def __init__(self, page: str, source: list[str], fixed: int) -> None:
        self.page = page
        self.source = source
        self.fixed = fixed
        self.inline = InlineReader(_parser())

    def span(self, token: Token, fallback: tuple[int, int] = (0, 1)) -> Span:
        """Give a token's lines, blank ones at its end left off."""
        start, end = token.map or fallback
        while end > start + 1 and end <= len(self.source) and not self.source[end - 1].strip():
            end -= 1
        return self.lines(start + 1, max(start + 1, end))

    def lines(self, start: int, end: int) -> Span:
        if self.fixed:
            start = end = self.fixed
        return Span(page=self.page, start=start, end=max(start, end))

    def blocks(self, tokens: list[Token], start: int, stop: int) -> tuple[Block, ...]:
        found: list[Block] = []
        index = start
        while index < stop:
            token = tokens[index]
            end = _close(tokens, index) if token.nesting == 1 else index
            made = self._block(tokens, index, end)
            found.extend(made)
            index = end + 1
        return tuple(found)

    def _block(self, tokens: list[Token], index: int, end: int) -> tuple[Block, ...]:
        token = tokens[index]
        made: Block | None = None
        match token.type:
            case "heading_open":
                made = self._heading(token, tokens[index + 1])
            case "paragraph_open":
                made = self._paragraph(tokens[index + 1])
            case "inline":
                made = self._paragraph(token)
            case "fence":
                made = self._fence(token)
            case "code_block":
                made = self._indented(token)
            case "html_block":
                line = self.fixed or (token.map or [0, 1])[0] + 1
                return fragment_blocks(token.content, self.page, line)
            case "table_open":
                inside = tokens[index + 1 : end]
                made = read_grid(inside, self.span(token), self.inline_runs, self.lines)
            case "bullet_list_open" | "ordered_list_open":
                made = self._list(tokens, index, end)
            case "dl_open":
                made = self._definitions(tokens, index, end)
            case _ if token.nesting == 1:
                return self.blocks(tokens, index + 1, end)
            case _:
                pass
        return (made,) if made is not None else ()

    def inline_runs(self, content: str, line: int) -> tuple[Run, ...]:
        line = self.fixed or line
        if len(content) > MAX_INLINE:
            return runs([Piece(content, PLAIN, line)])
        return self.inline.read(content, line)

    def runs(self, token: Token) -> tuple[Run, ...]:
        return self.inline_runs(token.content, token.map[0] + 1 if token.map else 1)

    def _heading(self, token: Token, content: Token) -> Heading | None:
        anchor = ""
        if found := _ANCHOR.search(content.content[-250:]):
            anchor = found[1]
            content.content = content.content[: -len(found[0])]
        text = self.runs(content)
        if not text:
            return None
        level = int(token.tag[1])
        return Heading(span=self.span(token), level=level, runs=text, anchor=anchor)

    def _paragraph(self, token: Token) -> Block | None:
        rows = token.content.split("\n")
        if is_loose_grid(rows):
            first = token.map[0] + 1 if token.map else 1
            return read_loose_grid(rows, self.span(token), first, self.inline_runs, self.lines)
        text = self.runs(token)
        if not text:
            return None
        return Paragraph(span=self.span(token), runs=text)

    def _fence(self, token: Token) -> Code | None:
        info = token.info.strip()[:500]
        language = _INFO.match(info)
        label = _INFO_TITLE.search(info)
        start, end = token.map or (0, 2)
        text = token.content.rstrip("\n")
        first = start + 2 + len(text) - len(text.lstrip("\n"))
        text = text.lstrip("\n")
        if not text.strip():
            return None
        return Code(
            span=self.lines(first, min(first + text.count("\n"), max(end, first))),
            text=text,
            language=language[1].lower() if language else "",
            label=label[1] if label else "",
        )

    def _indented(self, token: Token) -> Code | None:
        text = token.content.strip("\n")
        if not text.strip():
            return None
        start = (token.map or [0, 1])[0] + 1
        return Code(span=self.lines(start, start + text.count("\n")), text=text)

    def _list(self, tokens: list[Token], index: int, end: int) -> Block | None:
        items: list[ListItem] = []
        position = index + 1
        while position < end:
            close = _close(tokens, position)
            inner = self.blocks(tokens, position + 1, close)
            if inner:
                items.append(ListItem(span=self.span(tokens[position]), blocks=inner))
            position = close + 1
        if not items:
            return None
        ordered = tokens[index].type == "ordered_list_open"
        return ListBlock(span=self.span(tokens[index]), ordered=ordered, items=tuple(items))

    def _definitions(self, tokens: list[Token], index: int, end: int) -> Block | None:
        items: list[Definition] = []
        position = index + 1
        while position < end:
            close = _close(tokens, position)
            token = tokens[position]
            if token.type == "dt_open":
                term = self.runs(tokens[position + 1])
                items.append(Definition(span=self.span(tokens[position + 1]), term=term, blocks=()))
            elif items:
                last = items[-1]
                inner = self.blocks(tokens, position + 1, close)
                span = self.lines(last.span.start, max(last.span.end, self.span(token).end))
                items[-1] = Definition(span=span, term=last.term, blocks=last.blocks + inner)
            position = close + 1
        if not items:
            return None
        return DefinitionList(span=self.span(tokens[index]), items=tuple(items))


def _close(tokens: list[Token], index: int) -> int:
    """Find the token that closes the one opened at `index`."""
    depth = 0
    for position in range(index, len(tokens)):
        depth += tokens[position].nesting
        if depth <= 0:
            return position
    return len(tokens) - 1
