"""What a page holds twice: a second copy of its body, or of code in an attribute."""

from __future__ import annotations

from collections.abc import Sequence

from doc2tools.compiler.ir.document import Block, Code, Embedded, Heading, Paragraph, walk
from doc2tools.compiler.load.reading import full_text

MIN_BLOCKS = 4
MIN_SHARE = 0.3
"""Only a repeat that is this share of all text goes: endpoints repeat small parts rightly."""


def drop_repeats(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Drop the second of two equal stretches that make up most of a page, and copied code."""
    return _drop_body(_drop_copies(blocks))


def _drop_copies(blocks: Sequence[Block]) -> list[Block]:
    """Drop attributes that only hold what a code block shows, as copy buttons do."""
    shown = {
        "".join(block.text.split()) for block in walk(tuple(blocks)) if isinstance(block, Code)
    }
    return [
        block
        for block in blocks
        if not (
            isinstance(block, Embedded)
            and block.origin == "attribute"
            and "".join(block.text.split()) in shown
        )
    ]


def _drop_body(blocks: Sequence[Block]) -> tuple[Block, ...]:
    keys = [full_text(block) for block in blocks]
    total = sum(len(key) for key in keys)
    first: dict[str, int] = {}
    left = 20 * len(keys)  # comparisons: a page made of equal blocks must not cost their square
    for index, block in enumerate(blocks):
        if not isinstance(block, Heading | Paragraph):
            continue
        earlier = first.setdefault(keys[index], index)
        if left < 0:
            break
        if earlier == index or (earlier > 0 and keys[earlier - 1] == keys[index - 1]):
            continue
        length = size = 0
        while (
            index + length < len(keys)
            and earlier + length < index
            and keys[index + length] == keys[earlier + length]
        ):
            size += len(keys[index + length])
            length += 1
        left -= length
        if length >= MIN_BLOCKS and size >= total * MIN_SHARE:
            return (*blocks[:index], *blocks[index + length :])
    return tuple(blocks)
