"""Operations told as the values of one parameter: `action = "shorturl"`, a table of modes.

The address is given once; each value has an item, a table or a section of its own.
"""

# ruff: noqa: RUF001 - the typographic marks are what documentation holds

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from doc2tools.compiler.extract.candidates import Candidate
from doc2tools.compiler.extract.outline import Entry, Outline
from doc2tools.compiler.extract.selectors import STRONG_NAMES
from doc2tools.compiler.ir.document import Table, plain
from doc2tools.compiler.ir.source import Span

_NAMES = STRONG_NAMES | {"mode", "request", "f"}
_NAMED = re.compile(
    r"[\s`*\"']{0,4}(?P<name>[A-Za-z_]{1,20})[`*\"']{0,3}\s{0,2}(?:=|:|\bis\b)\s{0,2}[`*]{0,2}"
    r"(?P<open>[\"'“‘`]?)(?P<value>[A-Za-z][\w.-]{1,50})(?P<close>[\"'”’`]?)(?=[\s:.,`)\-–—]|\Z)"
)
_QUOTED = re.compile(r"\W{0,3}[\"'“‘`](?P<value>[A-Za-z][\w.-]{1,50})[\"'”’`]\W{0,3}")
_WORD = re.compile(r"[A-Za-z][\w.-]{1,50}")


@dataclass(frozen=True, slots=True)
class _Choice:
    name: str
    value: str
    entry: Entry
    row: int | None
    span: Span


class ActionValues:
    """Finds operations where a selecting parameter's values are documented one by one."""

    name = "action-values"

    def find(self, outline: Outline) -> Iterator[Candidate]:
        """Yield a candidate for each value that has its own place."""
        choices = [*_in_items(outline), *_in_tables(outline)]
        if len(choices) < 2:
            return
        by_name: dict[str, list[_Choice]] = defaultdict(list)
        for choice in choices[:500]:
            by_name[choice.name.lower()].append(choice)
        for same in by_name.values():
            if len({choice.value for choice in same}) < 2:
                continue
            address = _address(outline, same[0].entry.index)
            if not address:
                continue
            for choice in same:
                yield Candidate(
                    text=f"{address}?{choice.name}={choice.value}",
                    index=choice.entry.index,
                    span=choice.span,
                    rule=self.name,
                    reason=f"{choice.value} is a documented value of {choice.name}",
                    confidence=0.8,
                    row=choice.row,
                    title=choice.value,
                )


def _in_items(outline: Outline) -> Iterator[_Choice]:
    for place in outline.places:
        if place.role not in {"item", "term", "heading"} or len(place.text.text) > 600:
            continue
        match = _NAMED.match(place.text.text)
        if not match or match.group("name").lower() not in _NAMES:
            continue
        set_apart = bool(match.group("open")) or "=" in match.group()
        if set_apart:
            entry = outline.entries[place.index]
            row = place.row if place.role != "heading" else None
            yield _Choice(match.group("name"), match.group("value"), entry, row, place.span)


def _in_tables(outline: Outline) -> Iterator[_Choice]:
    """Rows such as `action | "GetClients"`, and columns headed by the parameter's name."""
    for entry in outline.entries:
        table = entry.block
        if not isinstance(table, Table) or not table.rows:
            continue
        head = plain(table.header[0].runs).strip(" `*") if table.header else ""
        if head.lower() in _NAMES and len(table.rows) >= 2:
            values = [plain(row[0].runs).strip(" `*\"'") if row else "" for row in table.rows]
            if all(_WORD.fullmatch(value) for value in values) and _said(outline, entry, head):
                for number, value in enumerate(values):
                    yield _Choice(head, value, entry, number, table.rows[number][0].span)
            continue
        for row in table.rows[:10]:
            name = plain(row[0].runs).strip(" `*") if row else ""
            if name.lower() not in _NAMES:
                continue
            fixed = next(
                (m for cell in row[1:6] if (m := _QUOTED.fullmatch(plain(cell.runs)[:80]))), None
            )
            if fixed:
                yield _Choice(name, fixed.group("value"), entry, None, row[0].span)


def _said(outline: Outline, entry: Entry, name: str) -> bool:
    """The text above the table speaks of the parameter by its name, set as code or quoted."""
    for before in range(entry.index - 1, max(-1, entry.index - 6), -1):
        block = outline.entries[before].block
        if block.kind == "paragraph" and any(
            run.code and run.text.strip(" ?=&").lower() == name.lower() for run in block.runs
        ):
            return True
    return False


def _address(outline: Outline, index: int) -> str:
    """The last address above that stands by itself and has no query, of the API by its looks."""
    best = ""
    for place in outline.places:
        if place.index >= index:
            break
        if place.role in {"embedded", "code"} and place.nature in {"program", "answer"}:
            continue
        for token in place.text.tokens[:20]:
            if token.kind != "url" or "?" in token.raw or (token.link and not token.whole):
                continue
            rest = token.raw.partition("://")[2].partition("/")[2].rstrip("/")
            if re.search(r"\.(?:php|cgi|aspx?|jsp|do|pl)\Z|(?:\A|/)(?:api|rpc|rest)\b", rest):
                best = token.raw.rstrip("/")
    return best
