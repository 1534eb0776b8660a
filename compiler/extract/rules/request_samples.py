"""Requests that the page shows: curl, HTTPie, fetch, requests, raw HTTP, and so on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from doc2tools.compiler.extract.candidates import Candidate
from doc2tools.compiler.extract.code import line_of
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.places import Place, line_span
from doc2tools.compiler.extract.samples import Sample, find_samples, request_sample
from doc2tools.compiler.ir.document import Block, Code, Embedded
from doc2tools.compiler.ir.source import Span

_COMMAND = re.compile(
    r"(?:^|[\s`>$(])(?:curl|wget|http|https)\s{1,4}[-'\"/\w]|HTTP/\d|\b\w{2,20}\(\s{0,4}[\"'`]"
)


_METHOD_SET = re.compile(
    r"(?:setRequestMethod\(|CURLOPT_CUSTOMREQUEST,|(?:\.Method|\.method|httpMethod)\s?=|Method\.|HttpMethod\.|"
    r"method\()\s?[\"']?(GET|POST|PUT|PATCH|DELETE)\b",
    re.IGNORECASE,
)


class RequestSamples:
    """Finds concrete requests in code blocks, and in text that shows a command."""

    name = "request-sample"

    def find(self, outline: Outline) -> Iterator[Candidate]:
        """Yield a candidate for each request."""
        for index, reading in outline.readings.items():
            block = outline.entries[index].block
            if isinstance(block, Code):
                for sample in reading.samples:
                    first = line_of(block.text, sample.start)
                    last = line_of(block.text, max(sample.start, sample.end - 1))
                    span = line_span(block, first, last)
                    yield self._candidate(sample, index, span, None, block.emphasised)
        for place in outline.places:
            if place.role == "code" and place.nature == "program":
                yield from self._addresses(outline, place)
            if place.role == "code" or "/" not in place.text.text:
                continue
            if _COMMAND.search(place.text.text):
                for sample in find_samples(place.text.text):
                    row = place.row if place.role in {"cell", "item", "term"} else None
                    yield self._candidate(
                        sample, place.index, place.span, row, _hints(place, sample)
                    )
        for entry in outline.entries:
            if isinstance(entry.block, Embedded) and entry.block.origin == "comment":
                for sample in find_samples(entry.block.text[:20_000]):
                    yield self._candidate(sample, entry.index, entry.block.span, None, ())

    def _addresses(self, outline: Outline, place: Place) -> Iterator[Candidate]:
        """Addresses in strings of a program whose way of calling is not known."""
        body = place.text.text
        for token in place.text.tokens:
            if token.kind != "url" or re.match(r"\s{0,40}(?:#|//|;|\*|--|/\*|\"\"\")", body):
                continue
            if body[token.start - 1 : token.start] not in {'"', "'", "`"}:
                continue
            verb = re.search(
                r"\b(get|post|put|patch|delete)\b", body[: token.start], re.IGNORECASE
            ) or _set_method(outline.entries[place.index].block)
            yield Candidate(
                text=token.raw,
                index=place.index,
                span=place.span,
                rule=self.name,
                reason=f"a program uses {token.raw[:80]}",
                confidence=0.6,
                kind="sample",
                method=verb.group(1).upper() if verb else "",
                order=token.start,
            )

    def _candidate(
        self, sample: Sample, index: int, span: Span, row: int | None, hints: tuple[str, ...]
    ) -> Candidate:
        method = sample.method
        override = next(
            (v for k, v in sample.headers.items() if k.lower() == "x-http-method-override"), ""
        )
        if override.strip().upper() in {"GET", "PUT", "PATCH", "DELETE", "POST"}:
            method = override.strip().upper()
        return Candidate(
            text=sample.url,
            index=index,
            span=span,
            rule=self.name,
            reason=f"{sample.tool} sends {method} {sample.url[:80]}",
            confidence=0.85 if sample.stated else 0.8,
            kind="sample",
            method="" if method == "HEAD" else method,
            row=row,
            order=sample.start,
            emphasised=tuple(word for word in hints if word in sample.url),
            sample=request_sample(sample, span),
        )


def _set_method(block: Block) -> re.Match[str] | None:
    """The verb that a program sets apart from the address, where it uses one address only."""
    if not isinstance(block, Code) or len(re.findall(r"https?://", block.text[:20_000])) != 1:
        return None
    return _METHOD_SET.search(block.text[:20_000])


def _hints(place: Place, sample: Sample) -> tuple[str, ...]:
    return place.text.emphasised_in(sample.start, sample.end)
