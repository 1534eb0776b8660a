"""Tells parameter tables from others by their structure, and reads their rows."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, cast

from doc2tools.compiler.extract.parameters.cells import (
    LOCATIONS,
    NO,
    YES,
    Column,
    take_cell,
)
from doc2tools.compiler.extract.parameters.items import read_rest
from doc2tools.compiler.extract.parameters.mention import Mention
from doc2tools.compiler.extract.parameters.naming import Name, is_identifier, read_name
from doc2tools.compiler.extract.parameters.phrases import (
    marked,
    read_required,
)
from doc2tools.compiler.extract.parameters.roles import Role, read_role
from doc2tools.compiler.extract.parameters.types import read_type
from doc2tools.compiler.extract.parameters.vocabulary import (
    COLUMN_SUBSTRINGS,
    COLUMN_WORDS,
    FOREIGN_COLUMNS,
    PARAMETER_NOUNS,
    words,
)
from doc2tools.compiler.ir.base import Location
from doc2tools.compiler.ir.document import Cell, Table, plain

_Rows = tuple[tuple[Cell, ...], ...]
_NOTHING: Final = re.compile(r"\s{0,20}(?:no|none|without) (?:param|arg|quer|option)", re.I)
_STATUS: Final = re.compile(r"\s{0,20}`?\s{0,20}[1-5](?:\d\d|xx)\b")
_VERB_OR_PATH: Final = re.compile(
    r"\s{0,20}(?:(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b|https?://|/\w)"
)


@dataclass(slots=True)
class Reading:
    """What became of a table.

    Attributes:
        mentions: Its parameters, in row order.
        strength: 0: nothing but its names speaks for it; 1: one only if its surroundings say so;
            2: its own head says so.
        location: Where its head says that they are sent.
        marked: Some row is marked as required or optional.
    """

    mentions: list[Mention] = field(default_factory=list[Mention])
    strength: int = 0
    location: Location | None = None
    marked: bool = False


def read_table(table: Table, role: Role | None) -> Reading:
    """Read `table` as a parameter table, as far as it is one."""
    header = table.header
    rows = table.rows
    if not header and rows and all(cell.header for cell in rows[0]):
        header, rows = rows[0], rows[1:]
    columns, strength, location = _columns(header, rows)
    if "name" not in columns:
        return Reading()
    reading = Reading([], strength, location)
    place = columns.index("name")
    group: Location | None = None
    parents: list[tuple[int, Mention]] = []
    refused = False
    for row in rows:
        band = _band(row)
        if band:
            announced = read_role(band)
            if announced is not None:
                refused = announced.kind != "request"
                group = announced.location
                continue
        if refused or place >= len(row):
            continue
        for mention, depth in _read_row(row, columns, place):
            mention.location = mention.location or group or location
            while parents and parents[-1][0] >= depth:
                parents.pop()
            if depth and parents:
                parents[-1][1].children.append(mention)
            else:
                reading.mentions.append(mention)
            parents.append((depth, mention))
    reading.marked = any(m.required is not None and m.marked for m in reading.mentions)
    filled = sum(1 for row in rows if any(plain(cell.runs) for cell in row))
    if role is None and strength < 2 and len(reading.mentions) < 0.6 * filled:
        return Reading()
    return reading


def _band(row: tuple[Cell, ...]) -> str:
    texts = [plain(cell.runs) for cell in row]
    present = {text for text in texts if text}
    if len(present) != 1 or (len(texts) > 1 and texts[0] == "") or len(texts) < 2:
        return ""
    text = present.pop()
    full = all(text == other for other in texts)
    return text if full or not is_identifier(text) else ""


def _columns(
    header: tuple[Cell, ...], rows: _Rows
) -> tuple[list[Column | None], int, Location | None]:
    texts = [plain(cell.runs) for cell in header]
    width = max([len(texts), *(len(row) for row in rows[:50])], default=0)
    texts += [""] * (width - len(texts))
    columns: list[Column | None] = [_column(text) for text in texts]
    sample = rows[:40]
    if _lists_else(columns, texts, sample):
        return [], 0, None
    if columns.count("name") > 1:
        keep = _best_name(columns, texts, sample)
        columns = [
            column if column != "name" or place == keep else "values"
            for place, column in enumerate(columns)
        ]
    coded = _coded_name(columns, rows)
    if coded is not None and "name" in columns:
        columns[columns.index("name")] = None
        columns[coded] = "name"
    if "name" in columns:
        place = columns.index("name")
        strength = 2 if _speaks_of_parameters(texts[place]) else 1
        if _share(sample, place, _is_name) < 0.5:
            return [], 0, None
    else:
        found = _structural_name(columns, sample, width)
        strength = 1
        if found is None and not any(text.strip() for text in texts) and 2 <= width <= 3:
            found, strength = (0, 0) if _share(rows, 0, _is_name) == 1.0 else (None, 0)
        if found is None:
            return [], 0, None
        columns[found] = "name"
    _fill_by_structure(columns, sample, width)
    return columns, strength, _head_location(texts[0])


def _lists_else(columns: list[Column | None], texts: list[str], rows: _Rows) -> bool:
    """Whether a table lists status codes, endpoints or anything else but parameters."""
    if not columns:
        return True
    foreign = columns[0] == "foreign" and not set(words(texts[0])) & PARAMETER_NOUNS
    routes = any(_share(rows, place, _is_route) > 0.5 for place in range(min(len(columns), 3)))
    return foreign or routes or _share(rows, 0, _is_status) > 0.5


def _speaks_of_parameters(head: str) -> bool:
    nouns = set(words(head)) & (PARAMETER_NOUNS | {"header", "headers"})
    return bool(nouns) or "参数" in head or "パラメータ" in head


def _column(text: str) -> Column | None:
    known = set(words(text))
    if known & {"parameter", "param"} and known & {"type", "location", "kind"}:
        return "type"
    if known & {"data", "value"} and "type" in known:
        return "type"
    if known & {"name", "nom", "nombre", "имя"} and not known & {"method", "file", "host"}:
        return "name"
    for kind, marks in COLUMN_WORDS.items():
        if known & marks:
            answered = kind == "type" and known & {"response", "content"}
            other = kind == "values" and known & FOREIGN_COLUMNS
            return "foreign" if answered or other else cast("Column", kind)
    kind = next((kind for mark, kind in COLUMN_SUBSTRINGS if mark in text), None)
    if kind is None and known & FOREIGN_COLUMNS:
        kind = "foreign"
    if kind is None and text.strip().lower() in {"?", "m/o", "r/o"}:
        kind = "required"
    return cast("Column | None", kind)


def _head_location(text: str) -> Location | None:
    known = words(text)
    if set(known) & {"header", "headers"}:
        return "header"
    for word in known:
        if word in {"query", "path", "body", "cookie", "form"}:
            return LOCATIONS[word]
    return None


def _best_name(columns: list[Column | None], texts: list[str], rows: _Rows) -> int:
    places = [place for place, column in enumerate(columns) if column == "name"]
    return max(places, key=lambda place: (_share(rows, place, _is_name) > 0.5, -place))


def _coded_name(columns: list[Column | None], rows: _Rows) -> int | None:
    """A column without a head, before the names: set as code, it holds the names themselves."""
    place = columns.index("name") if "name" in columns else 0
    cells = [row[0] for row in rows[:40] if row and row[0].runs]
    if not place or columns[0] is not None or not cells:
        return None
    coded = all(run.code for cell in cells for run in cell.runs if run.text.strip())
    return 0 if coded and all(read_name(plain(cell.runs)) for cell in cells) else None


def _structural_name(columns: list[Column | None], rows: _Rows, width: int) -> int | None:
    for place in range(min(width, 2)):
        if columns[place] not in {None, "description", "values"} or not rows:
            continue
        if _share(rows, place, _is_name) >= 0.8 and _types_beside(rows, place, width):
            return place
    return None


def _types_beside(rows: _Rows, place: int, width: int) -> bool:
    return any(
        _share(rows, other, _is_type) > 0.6 or _share(rows, other, _is_obligation) > 0.5
        for other in range(place + 1, min(width, place + 4))
    )


def _fill_by_structure(columns: list[Column | None], rows: _Rows, width: int) -> None:
    name = columns.index("name")
    for place in range(width):
        if place == name:
            continue
        uncertain = columns[place] in {None, "type", "values"}
        if uncertain and _share(rows, place, _is_location) > 0.6:
            columns[place] = "location"
        elif columns[place] is None:
            if "type" not in columns and _share(rows, place, _is_type) > 0.6:
                columns[place] = "type"
            elif "required" not in columns and _share(rows, place, _is_mark) > 0.8:
                columns[place] = "required"
    if "description" not in columns:
        rest = [place for place, column in enumerate(columns) if column is None]
        if rest:
            longest = max(rest, key=lambda place: sum(len(_text(row, place)) for row in rows))
            columns[longest] = "description"


def _share(rows: _Rows, place: int, test: Callable[[str], bool]) -> float:
    texts = [text for row in rows if (text := _text(row, place).strip()) and not _band(row)]
    if not texts:
        return 0.0
    return sum(1 for text in texts if test(text)) / len(texts)


def _text(row: tuple[Cell, ...], place: int) -> str:
    return plain(row[place].runs) if place < len(row) else ""


def _is_location(text: str) -> bool:
    return text.lower().strip() in LOCATIONS


def _is_type(text: str) -> bool:
    return read_type(text).pure


def _is_obligation(text: str) -> bool:
    return read_required(text)[0] is not None


def _is_status(text: str) -> bool:
    return bool(_STATUS.match(text))


def _is_route(text: str) -> bool:
    return bool(_VERB_OR_PATH.match(text))


def _is_mark(text: str) -> bool:
    lowered = text.lower().strip("` .()*")
    return lowered in YES or lowered in NO or text.strip() == "*"


def _is_name(text: str) -> bool:
    if read_name(text) is not None:
        return True
    head = re.split(r"[\s(,/]", text.strip(), maxsplit=1)[0]
    return (
        read_name(head) is not None and (len(text) < 60 or "\n" in text) and len(text.split()) <= 5
    )


def _read_row(
    row: tuple[Cell, ...], columns: list[Column | None], place: int
) -> list[tuple[Mention, int]]:
    names, marks = _row_names(row[place])
    found: list[tuple[Mention, int]] = []
    for name in names:
        mention = Mention(name.name, row[place].span, "parameter-table")
        mention.take_name(name)
        if marks:
            read_rest(mention, marks)
        for other, column in enumerate(columns[: len(row)]):
            if other != place and column is not None:
                take_cell(mention, column, marked(row[other].runs))
        found.append((mention, name.depth))
    return found


def _row_names(cell: Cell) -> tuple[list[Name], str]:
    """Give the names in a name cell, and what stands there beside them."""
    runs = tuple(run for run in cell.runs if run.text.strip())
    if not runs:
        return [], ""
    text = plain(cell.runs)
    if _NOTHING.match(text):
        return [], ""
    whole = read_name(text)
    if whole is not None:
        return [whole], ""
    first = runs[0]
    if first.code or first.strong or first.badge or first.emphasis:
        name = read_name(first.text)
        if name is not None:
            return _with_others(name, marked(runs[1:]))
    return _plain_names(text)


def _with_others(name: Name, rest: str) -> tuple[list[Name], str]:
    start = rest.strip()
    if start[:1] not in {",", "/", "&"} and not start.startswith(("and ", "or ")):
        return [name], rest
    others = [read_name(part) for part in re.findall(r"`([^`]{1,60})`", rest)]
    found = [other for other in others if other is not None]
    return ([name, *found], "") if found else ([name], rest)


def _plain_names(text: str) -> tuple[list[Name], str]:
    parts = re.split(r"\s{0,20}[,/]\s{0,20}|\s+(?:and|or)\s+", text)
    several = [name for part in parts if (name := read_name(part)) is not None]
    if 1 < len(parts) <= 6 and len(several) == len(parts):
        return several, ""
    head, _, tail = text.replace("\n", " ").partition(" ")
    name = read_name(head)
    if name is not None and len(tail) <= 60:
        return [name], tail
    bracket = text.find("(")
    name = read_name(text[:bracket]) if bracket > 0 else None
    return ([name], text[bracket:]) if name is not None else ([], "")
