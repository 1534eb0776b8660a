"""The stretch of the page that is each endpoint's own, repeated sub-headings included."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

from doc2tools.compiler.extract.candidates import Findings, LocatedEndpoint
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.parameters.paragraphs import announced_names
from doc2tools.compiler.extract.parameters.roles import read_role
from doc2tools.compiler.ir.document import (
    DefinitionList,
    Heading,
    ListBlock,
    Paragraph,
    Table,
    plain,
)


def own_ranges(outline: Outline, findings: Findings) -> list[tuple[int, int]]:
    """Give each endpoint's range of entries; an empty one where it has only a row of its own.

    Where headings such as "Parameters" stand beside the endpoint's heading, at its level, and come
    again for other endpoints, or announce the answer, what is under them is the endpoint's, too.
    """
    size = len(outline.entries)
    titles = Counter(
        plain(entry.block.runs).lower()
        for entry in outline.entries
        if isinstance(entry.block, Heading)
    )
    starts = sorted({max(0, found.start) for found in findings.endpoints})
    ranges: list[tuple[int, int]] = []
    for found in findings.endpoints:
        start, end = max(0, found.start), min(size, found.end)
        if end <= start or is_row(outline, found):
            ranges.append((start, start))
            continue
        own = _after_lists(outline, found, start)
        ranges.append((own, _extended(outline, found, end, starts, titles)))
    return _with_lists_before(ranges, findings)


def _after_lists(outline: Outline, found: LocatedEndpoint, start: int) -> int:
    """The start of an endpoint's text without parameters of the one before: "parameter: state"."""
    last = min(found.anchor, len(outline.entries))
    around = _ancestors(outline, found.anchor)
    while start < last:
        parent = outline.entries[start].parent
        if parent < 0 or parent >= start or parent in around:
            break
        start += 1
    for index in range(last - 1, start - 1, -1):
        block = outline.entries[index].block
        if isinstance(block, Paragraph) and announced_names(block):
            return index + 1
    return start


def _ancestors(outline: Outline, index: int) -> set[int]:
    """The lists and the like that entry `index` lies in."""
    found: set[int] = set()
    while 0 <= index < len(outline.entries):
        index = outline.entries[index].parent
        if index in found:
            break
        found.add(index)
    return found


def _with_lists_before(ranges: list[tuple[int, int]], findings: Findings) -> list[tuple[int, int]]:
    """Let each endpoint's text reach to the next one's, where that begins later than found."""
    moved = {found.start: own for found, (own, _) in zip(findings.endpoints, ranges, strict=True)
             if own > found.start and own > 0}  # fmt: skip
    return [(start, max(end, moved.get(end, end)) if start < end else end) for start, end in ranges]


def is_row(outline: Outline, found: LocatedEndpoint) -> bool:
    """Tell whether all that `found` has to itself is a table's row or a list's item."""
    if found.row is None or not 0 <= found.anchor < len(outline.entries):
        return False
    block = outline.entries[found.anchor].block
    return isinstance(block, Table | ListBlock | DefinitionList) and found.end - found.start <= 1


def _answers(title: str) -> bool:
    role = read_role(title)
    return role is not None and role.kind == "response"


def _extended(
    outline: Outline,
    found: LocatedEndpoint,
    end: int,
    starts: Sequence[int],
    titles: Counter[str],
) -> int:
    following = bisect_right(starts, max(found.start, 0))
    limit = starts[following] if following < len(starts) else len(outline.entries)
    level = outline.entries[found.anchor].depth if found.anchor < len(outline.entries) else 0
    position = end
    while position < limit:
        entry = outline.entries[position]
        if isinstance(entry.block, Heading):
            title = plain(entry.block.runs)
            repeated = titles[title.lower()] > 1 or _answers(title)
            if not repeated or entry.block.level < level:
                break
        elif position == end:
            break
        position += 1
    return max(end, position)
