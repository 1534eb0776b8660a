"""The text of blocks as a reader sees it, for comparing and measuring."""

from __future__ import annotations

from collections.abc import Iterable

from doc2tools.compiler.ir.document import (
    Block,
    Code,
    DefinitionList,
    Embedded,
    FormField,
    Heading,
    ListBlock,
    Paragraph,
    Table,
    plain,
    walk,
)


def texts(blocks: Iterable[Block]) -> list[str]:
    """Give the text of each block that a reader sees, nested ones included."""
    found = (own_text(block) for block in walk(tuple(blocks)))
    return [text for text in found if text]


def own_text(block: Block) -> str:
    """Give a block's own text, that of blocks nested in it left out."""
    if isinstance(block, Heading | Paragraph):
        return plain(block.runs)
    if isinstance(block, Code):
        return block.text
    if isinstance(block, Table):
        return " ".join(plain(cell.runs) for row in (block.header, *block.rows) for cell in row)
    if isinstance(block, DefinitionList):
        return " ".join(plain(item.term) for item in block.items)
    if isinstance(block, FormField):
        return block.value
    return ""


def full_text(block: Block) -> str:
    """Give a block's kind and all its text, so that equal blocks give equal texts."""
    if isinstance(block, ListBlock | DefinitionList):
        inner = (full_text(nested) for item in block.items for nested in item.blocks)
        return "\0".join((block.kind, own_text(block), *inner))
    if isinstance(block, Embedded):
        return f"{block.kind}\0{block.text}"
    return f"{block.kind}\0{own_text(block)}"
