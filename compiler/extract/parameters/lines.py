"""Parameters written as lines: in a cell, in a code block, and in rows labelled "Parameters"."""

# ruff: noqa: RUF001 - the typographic marks are what documentation holds

from __future__ import annotations

import re
from typing import Final

from doc2tools.compiler.extract.parameters.items import read_item
from doc2tools.compiler.extract.parameters.mention import Mention
from doc2tools.compiler.extract.parameters.naming import IDENTIFIER
from doc2tools.compiler.extract.parameters.paragraphs import read_enumeration, split_lines
from doc2tools.compiler.extract.parameters.phrases import marked
from doc2tools.compiler.extract.parameters.roles import Role, read_role
from doc2tools.compiler.extract.parameters.values import is_nothing
from doc2tools.compiler.ir.document import Cell, Run, Table, plain
from doc2tools.compiler.ir.source import Span

_LINE: Final = re.compile(
    rf"[ \t]{{0,12}}(?:[-*•]\s)?[?&]?(?:{IDENTIFIER.pattern})[*?]?[ \t]{{0,30}}"
    r"(?:\([^()\n]{1,60}\)[ \t]{0,4})?(?:[:：=–—-]|\()[ \t].{0,400}"
)
_CONTINUED: Final = re.compile(r"[ \t]{8,200}\S")
_DUTY: Final = re.compile(r"[(,;\[]\s?(?:required|optional|mandatory)\b", re.I)
_LABEL: Final = re.compile(r"(?!no\b)[^/=<>{}]{2,60}", re.I)
_COMMAND: Final = re.compile(r"\s{0,4}(?:curl\b|\$|https?:|/|GET\b|POST\b|\{|\[)")
_MAX_LINES: Final = 80


def read_cell(cell: Cell, rule: str) -> list[Mention]:
    """Read a cell that lists parameters: a line for each, or one enumeration."""
    lines = split_lines(cell.runs)
    if len(lines) > 1:
        found = [m for line in lines for m in read_item(line, cell.span, rule, loose=True)]
        if len(found) >= 0.7 * len(lines):
            return found
    return read_enumeration(marked(cell.runs), cell.span, rule)


def read_fact_rows(table: Table, rule: str) -> list[tuple[Role, list[Mention]]]:
    """Read rows such as "Parameters | id: the coin (required)" of a table of labelled facts."""
    found: list[tuple[Role, list[Mention]]] = []
    rows = (table.header, *table.rows) if table.header else table.rows
    if not 2 <= len(rows) <= 30 or any(len(row) != 2 for row in rows):
        return []
    for row in rows:
        label = plain(row[0].runs)
        role = read_role(label) if _LABEL.fullmatch(label) else None
        if role is None or role.kind != "request" or not role.explicit:
            continue
        if not plain(row[1].runs) or is_nothing(plain(row[1].runs)):
            continue
        if read_role(plain(row[1].runs)) is not None and len(plain(row[1].runs).split()) <= 2:
            return []
        if _COMMAND.match(plain(row[1].runs)):
            return []
        mentions = read_cell(row[1], rule)
        listing = any(mark in plain(row[1].runs) for mark in ":=(,\n") or _is_code(row[1])
        if mentions and listing:
            found.append((role, mentions))
    return found


def _is_code(cell: Cell) -> bool:
    return all(run.code or run.strong for run in cell.runs if run.text.strip(" ,;&"))


def read_code_lines(text: str, span: Span, *, announced: bool) -> list[Mention]:
    """Read a code block whose lines describe parameters: `city - name of the city (required)`.

    Args:
        text: The block.
        span: Its lines.
        announced: The words before it say that parameters follow; else its own lines must say
            what is required or optional.
    """
    lines = [line for line in text[:8000].splitlines() if line.strip()]
    if not 1 <= len(lines) <= _MAX_LINES:
        return []
    own = [line for line in lines if not _CONTINUED.match(line)]
    fitting = [line for line in own if _LINE.fullmatch(line)]
    if not fitting or len(fitting) < 0.8 * len(own):
        return []
    duties = sum(1 for line in fitting if _DUTY.search(line))
    if not announced and (duties == 0 or 2 * duties < len(fitting)):
        return []
    found: list[Mention] = []
    for number, line in enumerate(text[:8000].splitlines()):
        if line not in fitting:
            continue
        place = min(span.start + number, span.end)
        runs = (Run(text=re.sub(r"[ \t]{2,}", " ", line.strip().lstrip("-*• "))),)
        found.extend(
            read_item(runs, Span(page=span.page, start=place, end=place), "code-lines", loose=True)
        )
    return found


def names_set_apart(table: Table) -> frozenset[str]:
    """Give the texts of first cells that are bold, where others of the table are not."""
    bold: set[str] = set()
    others = 0
    for row in table.rows[:200]:
        runs = [run for cell in row[:1] for run in cell.runs if run.text.strip(" *")]
        if runs and all(run.strong for run in runs):
            bold.add(plain(row[0].runs))
        else:
            others += bool(runs)
    return frozenset(bold) if others else frozenset()
