"""Plain text and reStructuredText to blocks: headings by underline, indented code, paragraphs."""

from __future__ import annotations

import re

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
    found: list[Block] = []
    levels: list[str] = []
    index = 0
    language = ""
    while index < len(lines):
        line = lines[index]
        if not line.strip():
            index += 1
            continue
        stop = index + 1
        if line[0] in " \t":
            while stop < len(lines) and (not lines[stop].strip() or lines[stop][0] in " \t"):
                stop += 1
            found.extend(_code(lines, index, stop, page, language))
            language = ""
        elif directive := _DIRECTIVE.match(line):
            if directive[1] in _CODE_DIRECTIVES:
                language = directive[2].strip().lower() or "text"
            elif directive[2].strip():
                found.append(_paragraph([line[3:]], index, page))
        elif line.startswith(".. "):
            pass
        elif (
            _UNDERLINE.match(line) and index + 2 < len(lines) and _UNDERLINE.match(lines[index + 2])
        ):
            found.append(_heading(lines[index + 1], line[0] * 2, levels, index + 1, page))
            stop = index + 3
        elif index + 1 < len(lines) and _underlines(line, lines[index + 1]):
            found.append(_heading(line, lines[index + 1][0], levels, index, page))
            stop = index + 2
        else:
            while stop < len(lines) and lines[stop].strip() and lines[stop][0] not in " \t":
                if stop + 1 < len(lines) and _underlines(lines[stop], lines[stop + 1]):
                    break
                stop += 1
            found.append(_paragraph(lines[index:stop], index, page))
        index = stop
    return tuple(block for block in found if not isinstance(block, Paragraph) or block.runs)


def _underlines(line: str, below: str) -> bool:
    return (
        bool(_UNDERLINE.match(below))
        and len(below.rstrip()) >= min(len(line.rstrip()), 3)
        and (len(line) < 200 and not _UNDERLINE.match(line))
    )


def _heading(text: str, style: str, levels: list[str], index: int, page: str) -> Block:
    if style not in levels:
        levels.append(style)
    span = Span(page=page, start=index + 1, end=index + 1)
    told = _inline([text.strip()], index + 1)
    level = min(levels.index(style) + 1, 6)
    return Heading(span=span, level=level, runs=told or (Run(text=text.strip()),))


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


def _code(lines: list[str], start: int, stop: int, page: str, language: str) -> list[Block]:
    while stop > start and not lines[stop - 1].strip():
        stop -= 1
    rows = [clean(line.expandtabs(8)) for line in lines[start:stop]]
    margin = min(len(row) - len(row.lstrip()) for row in rows if row.strip())
    text = "\n".join(row[margin:].rstrip() for row in rows)
    span = Span(page=page, start=start + 1, end=stop)
    return [Code(span=span, text=text, language=language)]
