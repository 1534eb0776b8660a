"""A document in reading order: each block with its section and its place, for rules to look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from doc2tools.compiler.extract.code import CodeReading
from doc2tools.compiler.extract.places import Place, places_of, read_all_code
from doc2tools.compiler.ir.document import (
    Block,
    DefinitionList,
    Document,
    Heading,
    ListBlock,
    plain,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One block and where it stands.

    Attributes:
        index: Its number in reading order; nested blocks follow the list that holds them.
        section: Texts of the headings above it, outermost first; a heading counts its own.
        heading: Index of the nearest heading at or above it, -1 before the first.
        depth: Level of that heading, 0 before the first.
        parent: Index of the list that holds it, -1 outside lists.
        item: Its item's number in that list.
        leads_item: It is the item's first block.
    """

    index: int
    block: Block
    section: tuple[str, ...]
    heading: int
    depth: int
    parent: int = -1
    item: int | None = None
    leads_item: bool = False


@dataclass(frozen=True)
class Outline:
    """A page's blocks in reading order."""

    document: Document
    entries: tuple[Entry, ...]

    def section_end(self, index: int) -> int:
        """Give the index after the last block of the section that entry `index` opens or is in."""
        return self._ends[index]

    def heading_above(self, heading: int) -> int:
        """Give the heading whose section holds that of entry `heading`; -1 where none does."""
        return self._parents.get(heading, -1)

    @cached_property
    def _parents(self) -> dict[int, int]:
        parents: dict[int, int] = {}
        open_ones: list[tuple[int, int]] = []
        for entry in self.entries:
            if isinstance(entry.block, Heading):
                while open_ones and open_ones[-1][0] >= entry.block.level:
                    open_ones.pop()
                parents[entry.index] = open_ones[-1][1] if open_ones else -1
                open_ones.append((entry.block.level, entry.index))
        return parents

    @cached_property
    def readings(self) -> dict[int, CodeReading]:
        """What the code blocks hold, by entry index."""
        return read_all_code(self.entries)

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Every stretch of text in which an endpoint can be written."""
        return tuple(places_of(self.entries, self.readings))

    @cached_property
    def _ends(self) -> tuple[int, ...]:
        """For each entry the end of its section, in one pass from the back."""
        size = len(self.entries)
        next_heading = [size] * 8
        by_heading: dict[int, int] = {}
        for entry in reversed(self.entries):
            if isinstance(entry.block, Heading):
                level = entry.block.level
                by_heading[entry.index] = min(next_heading[: level + 1])
                next_heading[level] = entry.index
        first = min(next_heading)
        return tuple(by_heading.get(entry.heading, first) for entry in self.entries)


def outline(document: Document) -> Outline:
    """Number the blocks of `document` and give each the headings it stands under."""
    entries: list[Entry] = []
    above: list[tuple[int, str]] = []
    heading = -1
    for index, (block, parent, item, leads) in enumerate(_walk(document.blocks)):
        if isinstance(block, Heading):
            while above and above[-1][0] >= block.level:
                above.pop()
            above.append((block.level, plain(block.runs)))
            heading = index
        depth = above[-1][0] if above else 0
        section = tuple(text for _, text in above)
        entries.append(Entry(index, block, section, heading, depth, parent, item, leads))
    return Outline(document, tuple(entries))


def _walk(blocks: tuple[Block, ...]) -> Iterator[tuple[Block, int, int | None, bool]]:
    """Yield blocks in reading order with the list and item they stand in; no recursion."""
    pending: list[tuple[Block, int, int | None, bool]] = [
        (block, -1, None, False) for block in reversed(blocks)
    ]
    index = 0
    while pending:
        block, parent, item, leads = pending.pop()
        yield block, parent, item, leads
        if isinstance(block, ListBlock | DefinitionList):
            inner = [
                (child, index, number, place == 0)
                for number, entry in enumerate(block.items)
                for place, child in enumerate(entry.blocks)
            ]
            pending.extend(reversed(inner))
        index += 1
