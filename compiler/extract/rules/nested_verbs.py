"""Verbs listed below the path they belong to: `/users`, and under it `GET`, `POST`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from doc2tools.compiler.extract.candidates import Candidate
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.places import Place
from doc2tools.compiler.extract.text import Text, Token, flatten
from doc2tools.compiler.extract.verbs import as_method, verb_spans
from doc2tools.compiler.ir.document import Heading, Paragraph


class NestedVerbs:
    """Joins a heading or list item that opens with a verb to the path of what is above it."""

    name = "nested-verb"

    def find(self, outline: Outline) -> Iterator[Candidate]:
        """Yield a candidate for each verb that stands below a path."""
        for place in outline.places:
            if place.role not in {"heading", "item"} or place.text.tokens:
                continue
            methods = _opening(place.text)
            if not methods:
                continue
            above = _above(outline, place)
            if above is None:
                continue
            for method in methods:
                yield Candidate(
                    text=above.raw,
                    index=place.index,
                    span=place.span,
                    rule=self.name,
                    reason=f"{method} stands below {above.raw[:80]}",
                    confidence=0.8,
                    method=method,
                    row=place.row if place.role == "item" else None,
                    emphasised=above.emphasised,
                )


def _opening(text: Text) -> tuple[str, ...]:
    """The verb that a text opens with, where no sentence follows."""
    body = text.text.strip()
    if len(body) > 120 or not body:
        return ()
    alone = as_method(re.sub(r"\W{1,4}(?:request|method)\Z", "", body, flags=re.IGNORECASE))
    if alone:
        return (alone,)
    closing = re.search(r"[(\[]([A-Z]{3,6})[)\]]\Z", body)
    if closing and as_method(closing.group(1)):
        return (as_method(closing.group(1)),)
    for start, end, methods in verb_spans(text)[:1]:
        if text.text[:start].strip(" `*[("):
            return ()
        after = text.text[end:]
        if re.match(r"[`*\])]{0,3}(?:\s{0,3}[-\u2013—:|(]|\s{1,4}\w)", after):
            return methods
    return ()


def _above(outline: Outline, place: Place) -> Token | None:
    """The path that the heading or item above is about."""
    entry = outline.entries[place.index]
    if place.role == "heading":
        level = entry.depth
        index = place.index
        for _ in range(40):
            index = outline.entries[index - 1].heading if index > 0 else -1
            if index < 0:
                return None
            block = outline.entries[index].block
            if isinstance(block, Heading) and block.level < level:
                text = flatten(block.runs)
                return _only(text) if not verb_spans(text) else None
        return None
    parent = outline.entries[entry.parent] if entry.parent >= 0 else None
    if parent is None or parent.parent < 0:
        return None
    for index in range(parent.index - 1, max(-1, parent.index - 4), -1):
        other = outline.entries[index]
        if other.leads_item and other.parent == parent.parent and other.item == parent.item:
            block = other.block
            if isinstance(block, Paragraph):
                text = flatten(block.runs)
                return _only(text) if not verb_spans(text) else None
    return None


def _only(text: Text) -> Token | None:
    tokens = text.tokens
    if len(tokens) != 1:
        return None
    ends = text.text[: tokens[0].start].endswith("[") and text.text[tokens[0].end :].strip() == "]"
    return tokens[0] if tokens[0].start <= 12 or ends else None
