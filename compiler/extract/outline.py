"""A document in reading order: each block with its section and its place, for rules to look at."""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.ir.document import Block, Document, Heading, plain, walk


@dataclass(frozen=True, slots=True)
class Entry:
    """One block and where it stands.

    Attributes:
        index: Its number in reading order; nested blocks follow the list that holds them.
        section: Texts of the headings above it, outermost first; a heading counts its own.
        heading: Index of the nearest heading at or above it, -1 before the first.
        depth: Level of that heading, 0 before the first.
    """

    index: int
    block: Block
    section: tuple[str, ...]
    heading: int
    depth: int


@dataclass(frozen=True, slots=True)
class Outline:
    """A page's blocks in reading order."""

    document: Document
    entries: tuple[Entry, ...]

    def section_end(self, index: int) -> int:
        """Give the index after the last block of the section that entry `index` opens or is in."""
        entry = self.entries[index]
        for other in self.entries[index + 1 :]:
            if isinstance(other.block, Heading) and other.block.level <= entry.depth:
                return other.index
        return len(self.entries)


def outline(document: Document) -> Outline:
    """Number the blocks of `document` and give each the headings it stands under."""
    entries: list[Entry] = []
    above: list[tuple[int, str]] = []
    heading = -1
    for index, block in enumerate(walk(document.blocks)):
        if isinstance(block, Heading):
            while above and above[-1][0] >= block.level:
                above.pop()
            above.append((block.level, plain(block.runs)))
            heading = index
        depth = above[-1][0] if above else 0
        entries.append(Entry(index, block, tuple(text for _, text in above), heading, depth))
    return Outline(document, tuple(entries))
