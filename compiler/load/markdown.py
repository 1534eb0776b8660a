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
    Cell,
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
    Table,
    walk,
)
from doc2tools.compiler.ir.source import Diagnostic, Span
from doc2tools.compiler.load.directives import expand
from doc2tools.compiler.load.fragment import fragment_blocks
from doc2tools.compiler.load.inline import PLAIN, Piece, runs
from doc2tools.compiler.load.spans import InlineReader

MAX_TEXT = 4_000_000
MAX_INLINE = 40_000
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
    if len(text) > MAX_TEXT:
        text = text[:MAX_TEXT]
        diagnostics.append(
            Diagnostic(
                code="page-truncated",
                level="warning",
                span=Span(page=page, start=1, end=1),
                message=f"only the first {MAX_TEXT:,} characters of the page were read",
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
    """Read the top-level scalars of YAML front matter; aliases and broken YAML give what can be read."""
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
        return Span.model_construct(page=self.page, start=start, end=max(start, end))

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
        match token.type:
            case "heading_open":
                return self._heading(token, tokens[index + 1])
            case "paragraph_open":
                return self._paragraph(tokens[index + 1])
            case "inline":
                return self._paragraph(token)
            case "fence":
                return self._fence(token)
            case "code_block":
                return self._indented(token)
            case "html_block":
                return self._html(token)
            case "table_open":
                return self._table(tokens, index, end)
            case "bullet_list_open" | "ordered_list_open":
                return self._list(tokens, index, end)
            case "dl_open":
                return self._definitions(tokens, index, end)
            case _ if token.nesting == 1:
                return self.blocks(tokens, index + 1, end)
            case _:
                return ()

    def runs(self, token: Token) -> tuple[Run, ...]:
        line = self.fixed or (token.map[0] + 1 if token.map else 1)
        if len(token.content) > MAX_INLINE:
            return runs([Piece(token.content, PLAIN, line)])
        return self.inline.read(token.content, line)

    def _heading(self, token: Token, content: Token) -> tuple[Block, ...]:
        anchor = ""
        if found := _ANCHOR.search(content.content[-250:]):
            anchor = found[1]
            content.content = content.content[: -len(found[0])]
        text = self.runs(content)
        if not text:
            return ()
        level = int(token.tag[1])
        return (Heading(span=self.span(token), level=level, runs=text, anchor=anchor),)

    def _paragraph(self, token: Token) -> tuple[Block, ...]:
        rows = token.content.split("\n")
        if len(rows) > 1 and all(row.lstrip().startswith("|") for row in rows):
            return self._loose_table(token, rows)
        text = self.runs(token)
        if not text:
            return ()
        return (Paragraph.model_construct(kind="paragraph", span=self.span(token), runs=text),)

    def _loose_table(self, token: Token, rows: list[str]) -> tuple[Block, ...]:
        """Read lines of cells that lack the delimiter row Markdown asks for."""
        first = token.map[0] + 1 if token.map else 1
        grid: list[tuple[Cell, ...]] = []
        for number, row in enumerate(rows):
            line = first + number
            cells = row.strip().strip("|").split("|")[:64]
            if all(set(cell.strip()) <= set("-:+= ") for cell in cells):
                continue
            span = self.lines(line, line)
            grid.append(
                tuple(
                    Cell(runs=self.inline.read(cell.strip()[:MAX_INLINE], line), span=span)
                    for cell in cells
                )
            )
        if not grid:
            return ()
        width = max(map(len, grid))
        empty = Cell(runs=(), span=self.span(token))
        full = tuple((*row, *[empty] * (width - len(row))) for row in grid)
        return (Table(span=self.span(token), rows=full),)

    def _fence(self, token: Token) -> tuple[Block, ...]:
        info = token.info.strip()
        found = _INFO.match(info)
        label = _INFO_TITLE.search(info[:500])
        start, end = token.map or (0, 2)
        text = token.content.rstrip("\n")
        lead = len(text) - len(text.lstrip("\n"))
        text = text.lstrip("\n")
        if not text.strip():
            return ()
        first = start + 2 + lead
        return (
            Code(
                span=self.lines(first, min(first + text.count("\n"), max(end, first))),
                text=text,
                language=found[1].lower() if found else "",
                label=label[1] if label else "",
            ),
        )

    def _indented(self, token: Token) -> tuple[Block, ...]:
        text = token.content.strip("\n")
        if not text.strip():
            return ()
        start = (token.map or [0, 1])[0] + 1
        return (Code(span=self.lines(start, start + text.count("\n")), text=text),)

    def _html(self, token: Token) -> tuple[Block, ...]:
        line = self.fixed or (token.map or [0, 1])[0] + 1
        return fragment_blocks(token.content, self.page, line)

    def _table(self, tokens: list[Token], index: int, end: int) -> tuple[Block, ...]:
        header: tuple[Cell, ...] = ()
        rows: list[tuple[Cell, ...]] = []
        cells: list[Cell] = []
        row_span = self.span(tokens[index])
        in_head = False
        for position in range(index + 1, end):
            token = tokens[position]
            if token.type == "thead_open":
                in_head = True
            elif token.type == "thead_close":
                in_head = False
            elif token.type == "tr_open":
                cells = []
                row_span = self.span(token) if token.map else row_span
            elif token.type in ("th_open", "td_open"):
                content = tokens[position + 1]
                content.map = [row_span.start - 1, row_span.end]
                cells.append(
                    Cell.model_construct(
                        runs=self.runs(content), header=token.type == "th_open", span=row_span
                    )
                )
            elif token.type == "tr_close":
                if in_head:
                    header = tuple(cells)
                else:
                    rows.append(tuple(cells))
        if not any(cell.runs for cell in header):
            header = ()
        span = self.span(tokens[index])
        return (
            Table.model_construct(
                kind="table", span=span, header=header, rows=tuple(rows), caption=""
            ),
        )

    def _list(self, tokens: list[Token], index: int, end: int) -> tuple[Block, ...]:
        items: list[ListItem] = []
        position = index + 1
        while position < end:
            close = _close(tokens, position)
            inner = self.blocks(tokens, position + 1, close)
            if inner:
                items.append(ListItem(span=self.span(tokens[position]), blocks=inner))
            position = close + 1
        if not items:
            return ()
        ordered = tokens[index].type == "ordered_list_open"
        return (ListBlock(span=self.span(tokens[index]), ordered=ordered, items=tuple(items)),)

    def _definitions(self, tokens: list[Token], index: int, end: int) -> tuple[Block, ...]:
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
            return ()
        return (DefinitionList(span=self.span(tokens[index]), items=tuple(items)),)


def _close(tokens: list[Token], index: int) -> int:
    """Find the token that closes the one opened at `index`."""
    depth = 0
    for position in range(index, len(tokens)):
        depth += tokens[position].nesting
        if depth <= 0:
            return position
    return len(tokens) - 1
