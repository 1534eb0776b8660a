"""Parameters that stand in an endpoint's own row of a table, or item of a list, of endpoints."""

from __future__ import annotations

from collections.abc import Iterator

from doc2tools.compiler.extract.candidates import LocatedEndpoint
from doc2tools.compiler.extract.outline import Entry, Outline
from doc2tools.compiler.extract.parameters.lines import read_cell
from doc2tools.compiler.extract.parameters.mention import Mention
from doc2tools.compiler.extract.parameters.prose import Told, read_prose
from doc2tools.compiler.extract.parameters.reading import nested_counts, read_region
from doc2tools.compiler.extract.parameters.roles import read_role
from doc2tools.compiler.extract.parameters.routes import Routes
from doc2tools.compiler.extract.templates import parse_targets
from doc2tools.compiler.ir.document import DefinitionList, ListBlock, Table, plain, walk


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


def listed_rows(outline: Outline, routes: Routes) -> Iterator[tuple[int, list[Mention]]]:
    """Give what tables with a column of parameters say, with the number of the row's endpoint."""
    for entry in outline.entries:
        table = entry.block
        if not isinstance(table, Table) or not table.header:
            continue
        roles = [read_role(plain(cell.runs)) for cell in table.header]
        if not any(role is not None and role.kind == "request" and role.explicit for role in roles):
            continue
        for number, row in enumerate(table.rows[:500]):
            tokens = [plain(cell.runs).split() for cell in row[:3]]
            addresses = [word for words in tokens for word in words[:4] if "/" in word]
            for target in [t for word in addresses[:2] for t in parse_targets(word)[:1]]:
                for route, _ in routes.find(target)[:1]:
                    mentions, _ = _table_row(table, number)
                    yield route.number, mentions


def _table_row(table: Table, number: int) -> tuple[list[Mention], list[Told]]:
    mentions: list[Mention] = []
    told: list[Told] = []
    heads = [plain(cell.runs) for cell in table.header]
    for place, cell in enumerate(table.rows[number]):
        role = read_role(heads[place]) if place < len(heads) and heads[place] else None
        if role is not None and role.kind != "request":
            continue
        if role is not None and role.explicit:
            listed = read_cell(cell, "endpoint-table")
            for mention in listed:
                mention.location = mention.location or role.location
            mentions.extend(listed)
        else:
            told.extend(read_prose(cell.runs, cell.span))
    return mentions, told


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
