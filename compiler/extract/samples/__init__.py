"""Concrete requests in code: text of a code block in, `Sample`s with offsets out.

Pure string functions; a sample's text is never run. Every parser is linear in the text.
"""

from __future__ import annotations

import re

from doc2tools.compiler.extract.samples.base import Sample, body_fields, request_sample
from doc2tools.compiler.extract.samples.calls import call_samples
from doc2tools.compiler.extract.samples.raw import raw_samples
from doc2tools.compiler.extract.samples.shell import shell_samples

__all__ = ["Sample", "body_fields", "find_samples", "request_sample"]

_SHELL = re.compile(r"\b(?:curl|http|https|xh|wget|Invoke-\w{3,12}|irm|iwr)[ \t]")
_CALL = re.compile(r"\w\s?\(")
_MAX_SAMPLES = 300
_RAW = re.compile(r"HTTP/\d")


def find_samples(text: str) -> tuple[Sample, ...]:
    """Find every request that `text` shows, in reading order, none twice."""
    found: list[Sample] = []
    if _SHELL.search(text):
        found.extend(shell_samples(text))
    if _RAW.search(text):
        found.extend(raw_samples(text))
    if _CALL.search(text):
        found.extend(call_samples(text))
    found.sort(key=lambda sample: (sample.start, -sample.end))
    kept: list[Sample] = []
    end = -1
    for sample in found:
        if sample.start >= end and len(kept) < _MAX_SAMPLES:
            kept.append(sample)
            end = sample.end
    return tuple(kept)
