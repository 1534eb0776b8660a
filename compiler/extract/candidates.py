"""What rules find and what becomes of it: candidates, located endpoints, findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from doc2tools.compiler.ir.draft import EndpointDraft, Rejected, RequestSample
from doc2tools.compiler.ir.source import Span

Kind = Literal["definition", "sample", "mention"]
"""`definition`: text that documents an endpoint; `sample`: a concrete request; `mention`: a
reference in passing, which supports an endpoint but makes none where definitions exist."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One sign of an endpoint, as one rule saw it.

    Attributes:
        text: The target as shown: a path, a URL, a query-only selector.
        index: Outline entry it stands in.
        span: Its lines.
        rule: The rule's name.
        reason: What speaks for it, one line.
        confidence: 0 to 1.
        kind: See `Kind`.
        method: Upper-case verb, or "" where the place states none.
        row: Table row or list item number where it is one of several in its block.
        order: Place within the block, to keep reading order.
        emphasised: Texts inside `text` that were set apart (placeholders).
        title: What its place calls it.
        summary: What its place says it does.
        sample: The request, where the place shows one.
    """

    text: str
    index: int
    span: Span
    rule: str
    reason: str
    confidence: float
    kind: Kind = "definition"
    method: str = ""
    row: int | None = None
    order: int = 0
    emphasised: tuple[str, ...] = ()
    title: str = ""
    summary: str = ""
    sample: RequestSample | None = None


@dataclass(frozen=True, slots=True)
class LocatedEndpoint:
    """An endpoint and the part of the page that speaks of it.

    Attributes:
        draft: Method, path, base URL, section, samples, texts, rank and reasons are filled.
        anchor: Outline entry index where it is defined (heading, table, code, paragraph, list).
        row: Table row or list item number, where it is one of several in the anchor's block.
        start: First entry index of the text that belongs to this endpoint alone.
        end: Entry index after the last.
    """

    draft: EndpointDraft
    anchor: int
    row: int | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Findings:
    """What a page documents, and what only looked like it."""

    endpoints: tuple[LocatedEndpoint, ...]
    rejected: tuple[Rejected, ...]
