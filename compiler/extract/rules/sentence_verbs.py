"""Verbs that open the sentences below a heading: "GET returns all. PUT takes an array."."""

from __future__ import annotations

import re
from collections.abc import Iterator

from doc2tools.compiler.extract.candidates import Candidate
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.verbs import verb_spans
from doc2tools.compiler.ir.document import Heading, Paragraph, plain

_OPENING = re.compile(
    r"(?:\A|[.!?]\s{1,3}|\n)[`*]{0,2}(GET|POST|PUT|PATCH|DELETE)[`*]{0,2}\s(?:requests?\s)?"
    r"(?!and\b|or\b|request)(?=[a-z]{2,20}s\b|will\b|is\b|to\b)"
)


class SentenceVerbs:
    """Gives a heading's paths the verbs that its sentences open with."""

    name = "sentence-verb"

    def find(self, outline: Outline) -> Iterator[Candidate]:
        """Yield a candidate for each path of the heading and each verb of its section."""
        for place in outline.places:
            tokens = [token for token in place.text.tokens if token.kind == "path"]
            if place.role != "heading" or not tokens or verb_spans(place.text):
                continue
            verbs = _verbs(outline, place.index)
            for token in tokens[:6]:
                for verb in verbs:
                    yield Candidate(
                        text=token.raw,
                        index=place.index,
                        span=place.span,
                        rule=self.name,
                        reason=f"{verb} opens a sentence below the heading {token.raw[:80]}",
                        confidence=0.85,
                        method=verb,
                        order=token.start,
                        emphasised=token.emphasised,
                    )


def _verbs(outline: Outline, index: int) -> tuple[str, ...]:
    found: list[str] = []
    for entry in outline.entries[index + 1 : index + 5]:
        if isinstance(entry.block, Heading):
            break
        if isinstance(entry.block, Paragraph):
            found.extend(_OPENING.findall(plain(entry.block.runs)[:2_000]))
    return tuple(dict.fromkeys(found))
