"""Rate limits, paging and deprecation, as the text and the parameters tell them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from doc2tools.compiler.extract.outline import Entry
from doc2tools.compiler.extract.parameters.merge import bare
from doc2tools.compiler.extract.parameters.vocabulary import word_set
from doc2tools.compiler.ir.document import Heading, Paragraph, plain
from doc2tools.compiler.ir.draft import EndpointDraft, PaginationDraft
from doc2tools.compiler.ir.source import Span

_Style = Literal["page", "cursor", "offset"]
_RATE: Final = re.compile(
    r"\b\d[\d,.]{0,12}k?\s{0,2}(?:api |http )?(?:requests?|calls?|queries|hits|reqs?|"
    r"invocations|keys)\b.{0,40}?"
    r"(?:per|/|an?\b|every|each)\s{0,2}(?:\d{1,4} )?(?:sec|min|hour|day|month|ip|user|"
    r"client|key|s\b|m\b|h\b)"
    r"|\b\d[\d,]{0,9}\s?(?:/\s?\w{1,8}){0,1}/\s?(?:s|sec|second|min|minute|hour|h|day|month)\b"
    r"|\bonce (?:a|per|every) (?:second|minute|hour|day)\b|\bone (?:request|call) (?:per|every|a)\b"
    r"|\b\d{1,6}\s?(?:rps|rpm|qps)\b",
    re.I,
)
_RATE_WORD: Final = re.compile(r"\brate[- ]?limit\w{0,4}\b|\bthrottl\w{2,4}\b|\bquota\b", re.I)
_NO_RATE: Final = re.compile(r"\bno\b.{0,20}\b(?:rate )?limits?\b|\bunlimited\b", re.I)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")
_DEPRECATED: Final = re.compile(
    r"\b(?:endpoint|method|api|call|route|resource|function|operation|"
    r"this)\b.{0,40}\b(?:is|has been|was|are|will be)"
    r"\b.{0,20}\b(?:deprecated|obsolete|discontinued|retired|removed)\b|"
    r"\A\W{0,6}(?:deprecated|obsolete)\b"
    r"|[(\[]\s?deprecated\b|\bno longer (?:supported|available|works?|maintained)\b|"
    r"\A\W{0,3}устарел",
    re.I,
)
_LINK_HEADER: Final = re.compile(r"\blink\W{1,4}(?:response |http )?header\b|rel=\W?next\b", re.I)
_NEXT_URL: Final = re.compile(
    r"\b(?:next|next_page|nextPage|next_url|nextLink)\b\W{0,6}(?:url|link|field|property)\b", re.I
)
_PAGES: Final = frozenset(
    {"page", "pagenumber", "pageno", "pagenum", "pageindex", "p", "currentpage", "paged"}
)
_SIZES: Final = frozenset(
    {
        "perpage",
        "pagesize",
        "limit",
        "size",
        "count",
        "rows",
        "pagelimit",
        "maxresults",
        "top",
        "num",
        "take",
        "n",
    }
)
_OFFSETS: Final = frozenset({"offset", "skip", "start", "startindex", "from", "first"})
_CURSORS: Final = word_set(
    """cursor after before pagetoken nexttoken nextpagetoken startingafter endingbefore
    continuationtoken marker continue sinceid maxid nextcursor scrollid bookmark"""
)


def rate_limit(entries: Sequence[Entry]) -> str:
    """Give the sentence that states a rate limit, or ""."""
    fallback = ""
    for entry in entries:
        block = entry.block
        if not isinstance(block, Paragraph):
            continue
        text = plain(block.runs)[:4_000]
        if not _RATE.search(text) and not _RATE_WORD.search(text):
            continue
        for sentence in _SENTENCE.split(text):
            if _RATE.search(sentence) and not re.search(r"\bper connection\b", sentence, re.I):
                return " ".join(sentence.split())[:300]
            if _RATE_WORD.search(sentence) and not fallback and not _NO_RATE.search(sentence):
                fallback = " ".join(sentence.split())[:300]
    return fallback


def is_deprecated(entries: Sequence[Entry]) -> bool:
    """Tell whether an endpoint's headings or first paragraphs call it deprecated."""
    looked = 0
    for entry in entries:
        block = entry.block
        if isinstance(block, Heading):
            if re.search(r"\b(?:deprecated|obsolete)\b", plain(block.runs), re.I):
                return True
        elif isinstance(block, Paragraph):
            looked += 1
            if looked > 4:
                break
            if any(run.badge and run.text.strip().lower() == "deprecated" for run in block.runs):
                return True
            text = plain(block.runs)[:600]
            if _DEPRECATED.search(text) and not re.search(
                r"\b(?:parameter|field|option|header)\b", text, re.I
            ):
                return True
    return False


def endpoint_pagination(draft: EndpointDraft) -> PaginationDraft | None:
    """Tell from an endpoint's parameters how its answers are paged."""
    if draft.method.value not in {"GET", "POST"}:
        return None
    names = {
        bare(p.name.value): p
        for p in draft.parameters
        if p.location is None or p.location.value in {"query", "body", "form"}
    }
    sizes = [p for key, p in names.items() if key in _SIZES]
    styles: tuple[tuple[_Style, frozenset[str]], ...] = (
        ("page", _PAGES),
        ("cursor", _CURSORS),
        ("offset", _OFFSETS),
    )
    for style, keys in styles:
        found = [p for key, p in names.items() if key in keys]
        if not found or (
            style == "offset" and not sizes and "offset" not in names and "skip" not in names
        ):
            continue
        if (
            style == "cursor"
            and not sizes
            and "cursor" not in names
            and not any("token" in k for k in names)
        ):
            continue
        used = (*found[:2], *sizes[:1])
        spans = tuple(span for p in used for span in p.name.spans[:1])
        return PaginationDraft(
            style=style, parameters=tuple(p.name.value for p in used), spans=spans
        )
    return None


def text_pagination(entries: Sequence[Entry]) -> PaginationDraft | None:
    """Tell from running text that pages are linked by a header or a field."""
    for entry in entries:
        block = entry.block
        if not isinstance(block, Paragraph):
            continue
        text = plain(block.runs)[:3_000]
        spans: tuple[Span, ...] = (block.span,)
        if _LINK_HEADER.search(text) and re.search(r"\bpag(?:e|inat)", text, re.I):
            return PaginationDraft(style="link-header", spans=spans)
        if _NEXT_URL.search(text) and re.search(r"\bpag(?:e|inat)", text, re.I):
            return PaginationDraft(style="next-url", spans=spans)
    return None
