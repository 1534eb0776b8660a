"""Parameters that stand in an endpoint's own row of a table, or item of a list, of endpoints."""

from __future__ import annotations

import re
from typing import Final

from doc2tools.compiler.extract.candidates import LocatedEndpoint
from doc2tools.compiler.extract.outline import Entry, Outline
from doc2tools.compiler.extract.parameters.mention import LISTED, Mention
from doc2tools.compiler.extract.parameters.naming import read_name
from doc2tools.compiler.extract.parameters.phrases import marked, read_statement
from doc2tools.compiler.extract.parameters.prose import Told, read_prose
from doc2tools.compiler.extract.parameters.reading import nested_counts, read_region
from doc2tools.compiler.extract.parameters.roles import read_role
from doc2tools.compiler.extract.parameters.types import read_type
from doc2tools.compiler.extract.parameters.values import is_nothing
from doc2tools.compiler.ir.document import Cell, DefinitionList, ListBlock, Table, plain, walk

_PART: Final = re.compile(r"\s*(?:[,;\n•·]|<br>|(?<=[\w`)\]])\s+and\s+)\s*")
_ENTRY: Final = re.compile(
    r"`?([?&:{\[]?[A-Za-z_$][\w$.\-]*(?:\[\])?[}\]]?(?:=[^\s`]*)?[*?]?)`?\s*(.*)", re.S
)


def read_row(outline: Outline, found: LocatedEndpoint) -> tuple[list[Mention], list[Told]]:
    """Read the row or item that defines `found`, apart from its path."""
    if found.row is None or not 0 <= found.anchor < len(outline.entries):
        return [], []
    entry = outline.entries[found.anchor]
    block = entry.block
    if isinstance(block, Table) and found.row < len(block.rows):
        return _table_row(block, found.row)
    if isinstance(block, ListBlock | DefinitionList) and found.row < len(block.items):
        return _list_item(entry, block, found.row)
    return [], []


def _table_row(table: Table, number: int) -> tuple[list[Mention], list[Told]]:
    mentions: list[Mention] = []
    told: list[Told] = []
    heads = [plain(cell.runs) for cell in table.header]
    for place, cell in enumerate(table.rows[number]):
        role = read_role(heads[place]) if place < len(heads) and heads[place] else None
        if role is not None and role.kind != "request":
            continue
        if role is not None and role.explicit:
            listed = _listed(cell)
            for mention in listed:
                mention.location = mention.location or role.location
            mentions.extend(listed)
        else:
            told.extend(read_prose(cell.runs, cell.span))
    return mentions, told


def _listed(cell: Cell) -> list[Mention]:
    text = marked(cell.runs)
    if is_nothing(text) or len(text) > 2000:
        return []
    found: list[Mention] = []
    depth = 0
    start = 0
    parts: list[str] = []
    for place, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if depth <= 0 and char in ",;":
            parts.append(text[start:place])
            start = place + 1
    parts.append(text[start:])
    for part in parts:
        match = _ENTRY.fullmatch(part.strip())
        name = read_name(match.group(1)) if match else None
        rest = match.group(2) if match else ""
        if name is None or (rest and rest[0] not in "(:-–—=" and len(rest.split()) > 3):
            if found:
                found[-1].take_text(part)
            continue
        mention = Mention(name.name, cell.span, "endpoint-table", LISTED)
        mention.take_name(name)
        mention.take_type(read_type(rest.strip(" ():-–—").split(",")[0]))
        mention.take_statement(read_statement(rest.strip(" ():-–—")))
        found.append(mention)
    return found


def _list_item(
    entry: Entry, block: ListBlock | DefinitionList, number: int
) -> tuple[list[Mention], list[Told]]:
    blocks = block.items[number].blocks
    entries = tuple(
        Entry(index, inner, entry.section, entry.heading, entry.depth)
        for index, inner in enumerate(walk(blocks))
    )
    region = read_region(entries, nested_counts(entries), owned=True)
    mentions = [m for listing in region.listings if listing.sure for m in listing.mentions]
    mentions += [m for _, body in region.bodies for m in body]
    return mentions, [told for _, told in region.told]
