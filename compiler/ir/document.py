"""A documentation page as a tree of blocks with line spans: the mirror of the source.

Loaders build it from HTML and Markdown; extractor rules read nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from doc2tools.compiler.ir.base import Frozen
from doc2tools.compiler.ir.source import Diagnostic, Span


class Run(Frozen):
    """A stretch of inline text with one set of marks.

    Attributes:
        text: The text, white space collapsed outside code.
        code: In `code`, `kbd`, `samp`, `tt` or `var`.
        strong: Bold.
        emphasis: Italic.
        badge: A short label set apart by an element or class of its own, such as a method badge.
        href: Absolute or page-relative address, where the text is a link.
        title: Text of a `title` or `data-` attribute that says more than the text.
        line: Source line on which the text starts; 0 where it is not known.
    """

    text: str
    code: bool = False
    strong: bool = False
    emphasis: bool = False
    badge: bool = False
    href: str = ""
    title: str = ""
    line: int = 0


class BlockBase(Frozen):
    """What all blocks share: the lines they came from."""

    span: Span


class Heading(BlockBase):
    """A heading; `level` is 1 to 6, `anchor` its id where it has one."""

    kind: Literal["heading"] = "heading"
    level: int
    runs: tuple[Run, ...]
    anchor: str = ""


class Paragraph(BlockBase):
    """A paragraph, or any other stretch of running text."""

    kind: Literal["paragraph"] = "paragraph"
    runs: tuple[Run, ...]


class Code(BlockBase):
    """A block of code or sample output, line breaks kept.

    Attributes:
        text: The code as a reader would copy it.
        language: Declared language in lower case, or "".
        label: Caption or tab title, or "".
        hidden: In a tab or fold that is closed when the page opens.
        emphasised: Texts inside the block that were set in italics or bold (placeholders).
    """

    kind: Literal["code"] = "code"
    text: str
    language: str = ""
    label: str = ""
    hidden: bool = False
    emphasised: tuple[str, ...] = ()


class Cell(Frozen):
    """A table cell; its text may hold code with line breaks."""

    runs: tuple[Run, ...]
    header: bool = False
    span: Span


class Table(BlockBase):
    """A table, row and column spans expanded so that every row is as wide as the header.

    `header` is empty where the table has none.
    """

    kind: Literal["table"] = "table"
    header: tuple[Cell, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    caption: str = ""


class ListItem(Frozen):
    """One item: its blocks, usually one paragraph, then nested lists or code."""

    span: Span
    blocks: tuple[Block, ...]


class ListBlock(BlockBase):
    """A bullet or numbered list."""

    kind: Literal["list"] = "list"
    ordered: bool = False
    items: tuple[ListItem, ...]


class Definition(Frozen):
    """One entry of a definition list: the term, and the blocks that define it."""

    span: Span
    term: tuple[Run, ...]
    blocks: tuple[Block, ...]


class DefinitionList(BlockBase):
    """A definition list (`dl`, or Markdown's `Term` / `: definition`)."""

    kind: Literal["definitions"] = "definitions"
    items: tuple[Definition, ...]


class FormField(BlockBase):
    """A form control that the page shows, such as a read-only `<input>` holding a URL.

    Attributes:
        name: The control's name, or "".
        value: What it holds, or its placeholder.
        label: Its label's text, or "".
        control: `text`, `select`, `textarea`, … as in HTML's `type`.
        choices: A select's options.
    """

    kind: Literal["field"] = "field"
    name: str = ""
    value: str = ""
    label: str = ""
    control: str = "text"
    choices: tuple[str, ...] = ()


class Embedded(BlockBase):
    """Text that is in the page but not in its running text.

    `origin` says where: a data attribute, an HTML comment, a JSON script, front matter.
    """

    kind: Literal["embedded"] = "embedded"
    origin: Literal["attribute", "comment", "script", "front-matter"]
    name: str = ""
    text: str


Block = Annotated[
    Heading | Paragraph | Code | Table | ListBlock | DefinitionList | FormField | Embedded,
    Field(discriminator="kind"),
]


class Document(Frozen):
    """One page, ready for extraction.

    Attributes:
        page: The page's name: its path below the documentation folder, with forward slashes.
        url: Where it was fetched from, or the canonical address it states; may be "".
        title: The page's title.
        language: The page's language as a BCP 47 tag, or "".
        format: What it was parsed from.
        blocks: The content in reading order, navigation and chrome left out.
        links: Addresses of the navigation that was left out (for the crawler and for decoys).
        lines: Number of lines of the source.
        diagnostics: What was wrong with it.
    """

    page: str
    url: str = ""
    title: str = ""
    language: str = ""
    format: Literal["html", "markdown", "text"]
    blocks: tuple[Block, ...] = ()
    links: tuple[str, ...] = ()
    lines: int = 0
    diagnostics: tuple[Diagnostic, ...] = ()


def plain(runs: tuple[Run, ...]) -> str:
    """Give the text of `runs` without marks, ends trimmed."""
    return "".join(run.text for run in runs).strip()


def walk(blocks: tuple[Block, ...]) -> Iterator[Block]:
    """Yield every block in reading order, those nested in lists and definitions included."""
    for block in blocks:
        yield block
        if isinstance(block, ListBlock | DefinitionList):
            for item in block.items:
                yield from walk(item.blocks)


ListItem.model_rebuild()
Definition.model_rebuild()
