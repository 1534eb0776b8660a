"""Plain text and reStructuredText to blocks: headings by underline, indented code, paragraphs."""

from __future__ import annotations

import re
from collections.abc import Callable

from doc2tools.compiler.ir.document import Block, Code, Document, Heading, Paragraph, Run
from doc2tools.compiler.ir.source import Diagnostic, Span
from doc2tools.compiler.load.inline import PLAIN, Marks, Piece, clean, runs

_UNDERLINE = re.compile(r"^([=\-~^\"'`#*+.:_])\1{2,}\s*$")
_DIRECTIVE = re.compile(r"^\.\. ([\w:-]{1,60}):: ?(.{0,300})$")
_LITERAL = re.compile(r"``([^`\n]{1,500})``")
_LINK = re.compile(r"`([^`<\n]{1,300}) <([^>\n]{1,1000})>`__?")
_CODE_DIRECTIVES = frozenset(("code", "code-block", "sourcecode", "parsed-literal", "literal"))
MAX_LINES = 200_000


def read_text(text: str, page: str, url: str = "") -> Document:
    """Read the plain-text page `text`, whose lines end in a line feed."""
    lines = text.split("\n")
    blocks = _blocks(lines[:MAX_LINES], page)
    title = next(
        ("".join(run.text for run in b.runs) for b in blocks if isinstance(b, Heading)), ""
    )
    diagnostics: tuple[Diagnostic, ...] = ()
    if not blocks:
        diagnostics = (
            Diagnostic(
                code="page-empty",
                level="warning",
                span=Span(page=page, start=1, end=1),
                message="the page has no text",
                hint="check that the file was saved completely",
            ),
        )
    return Document(
        page=page,
        url=url,
        title=title,
        format="text",
        blocks=blocks,
        lines=len(lines),
        diagnostics=diagnostics,
    )


def _blocks(lines: list[str], page: str) -> tuple[Block, ...]:
    reader = _Reader(lines, page)
    while reader.index < len(lines):
        reader.step()
    return tuple(b for b in reader.found if not isinstance(b, Paragraph) or b.runs)


class _Reader:
    """Goes through the lines once; `index` is the next one."""

    def __init__(self, lines: list[str], page: str) -> None:
        self.lines = lines
        self.page = page
        self.index = 0
        self.found: list[Block] = []
        self.levels: list[str] = []
        self.language = ""

    def step(self) -> None:
        start, line = self.index, self.lines[self.index]
        self.index += 1
        if not line.strip():
            return
        if line[0] in " \t":
            self._skip_while(lambda row: not row.strip() or row[0] in " \t")
            self.found.append(_code(self.lines, start, self.index, self.page, self.language))
            self.language = ""
        elif line.startswith(".. "):
            self._directive(line, start)
        elif _UNDERLINE.match(line) and _UNDERLINE.match(self._at(start + 2)):
            self._heading(self._at(start + 1), line[0] * 2, start + 1)
            self.index = start + 3
        elif _underlines(line, self._at(start + 1)):
            self._heading(line, self._at(start + 1)[0], start)
            self.index = start + 2
        else:
            self._skip_while(lambda row: bool(row.strip()) and row[0] not in " \t")
            for number in range(start + 1, self.index):
                if _underlines(self.lines[number], self._at(number + 1)):
                    self.index = number
                    break
            self.found.append(_paragraph(self.lines[start : self.index], start, self.page))

    def _skip_while(self, holds: Callable[[str], bool]) -> None:
        while self.index < len(self.lines) and holds(self.lines[self.index]):
            self.index += 1

    def _at(self, index: int) -> str:
        return self.lines[index] if index < len(self.lines) else ""

    def _directive(self, line: str, start: int) -> None:
        found = _DIRECTIVE.match(line)
        if found and found[1] in _CODE_DIRECTIVES:
            self.language = found[2].strip().lower() or "text"
        elif found and found[2].strip():
            self.found.append(_paragraph([line[3:]], start, self.page))

    def _heading(self, text: str, style: str, index: int) -> None:
        if not text.strip():
            return
        if style not in self.levels:
            self.levels.append(style)
        span = Span(page=self.page, start=index + 1, end=index + 1)
        told = _inline([text.strip()], index + 1) or (Run(text=text.strip()),)
        level = min(self.levels.index(style) + 1, 6)
        self.found.append(Heading(span=span, level=level, runs=told))


def _underlines(line: str, below: str) -> bool:
    return (
        bool(_UNDERLINE.match(below))
        and len(below.rstrip()) >= min(len(line.rstrip()), 3)
        and (len(line) < 200 and not _UNDERLINE.match(line))
    )


def _paragraph(lines: list[str], index: int, page: str) -> Paragraph:
    span = Span(page=page, start=index + 1, end=index + len(lines))
    return Paragraph(span=span, runs=_inline(lines, index + 1))


def _inline(lines: list[str], first: int) -> tuple[Run, ...]:
    """Give runs in which line breaks are kept: plain text means them."""
    pieces: list[Piece] = []
    for number, line in enumerate(lines):
        if number:
            pieces.append(Piece("\n", PLAIN, first + number, keep=True))
        position = 0
        marked = sorted((*_LITERAL.finditer(line), *_LINK.finditer(line)), key=lambda m: m.start())
        for match in marked:
            if match.start() < position:
                continue
            pieces.append(Piece(line[position : match.start()], PLAIN, first + number))
            marks = Marks(code=True) if match.re is _LITERAL else Marks(href=match[2])
            pieces.append(Piece(match[1], marks, first + number))
            position = match.end()
        pieces.append(Piece(line[position:], PLAIN, first + number))
    return runs(pieces)


def _code(lines: list[str], start: int, stop: int, page: str, language: str) -> Code:
    while stop > start and not lines[stop - 1].strip():
        stop -= 1
    rows = [clean(line.expandtabs(8)) for line in lines[start:stop]]
    margin = min((len(row) - len(row.lstrip()) for row in rows if row.strip()), default=0)
    text = "\n".join(row[margin:].rstrip() for row in rows)
    span = Span(page=page, start=start + 1, end=stop)
    return Code(span=span, text=text, language=language)
