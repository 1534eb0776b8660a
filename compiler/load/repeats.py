"""A body that a page holds twice, as for a second screen size: the second copy is dropped."""

from __future__ import annotations

from collections.abc import Sequence

from doc2tools.compiler.ir.document import Block, plain

MIN_BLOCKS = 4
MIN_SHARE = 0.3
"""A repeat is dropped only if it is this share of all text: endpoints repeat small parts rightly."""


def drop_repeats(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Drop the later of two runs of equal blocks that begin with a heading and are most of a page."""
    keys = [_key(block) for block in blocks]
    total = sum(len(key) for key in keys)
    first: dict[str, int] = {}
    for index, block in enumerate(blocks):
        if block.kind not in ("heading", "paragraph"):
            continue
        earlier = first.setdefault(keys[index], index)
        if earlier == index:
            continue
        length = size = 0
        while (
            index + length < len(keys)
            and earlier + length < index
            and keys[index + length] == keys[earlier + length]
        ):
            size += len(keys[index + length])
            length += 1
        if length >= MIN_BLOCKS and size >= total * MIN_SHARE:
            return (*blocks[:index], *blocks[index + length :])
    return tuple(blocks)


def _key(block: Block) -> str:
    if block.kind in ("heading", "paragraph"):
        return block.kind + plain(block.runs)
    if block.kind == "code":
        return "code" + block.text
    if block.kind == "table":
        cells = (plain(cell.runs) for row in (block.header, *block.rows) for cell in row)
        return "table" + "\0".join(cells)
    if block.kind in ("list", "definitions"):
        return block.kind + "\0".join(_key(inner) for item in block.items for inner in item.blocks)
    if block.kind == "field":
        return "field" + block.value
    return block.kind + block.text
