"""Tells a documented sibling of a template, `/facts/random` beside `/facts/{id}`, from an instance.

A word is a value where the page shows it as one: in an example, in the template's own section.
It is a fixed part where it has a place of its own that speaks of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.shapes import value_like
from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.ir.document import Code, Heading, Paragraph, plain

_WORD = re.compile(r"[a-z][a-z]{2,20}(?:[-_][a-z]{2,20}){0,3}|[a-z]{3,12}[A-Z][a-z]{2,12}")
_OPERATION_LIST = """
random latest newest all search find query schema count counts total list lists status stats
statistics new recent popular trending top today tomorrow yesterday current now next previous
upcoming past autocomplete suggest suggestions lookup me self current-user batch bulk health info
summary metadata meta export import download upload history live last first filter validate add
create insert update edit set save delete remove clear reset send start stop pause resume enable
disable open close run execute cancel refresh reload restart login logout register evaluate
convert translate generate lock unlock verify check compare nearby about version types categories
"""
OPERATIONS = frozenset(_OPERATION_LIST.split())
"""Words that name an operation or a collection where they stand last in a path."""
_ADDRESS = re.compile(r"https?://\S{1,500}")
_EXAMPLE = re.compile(
    r"\b(?:examples?|e\.?g|for instance|such as|sample|demo|try|beispiel\w*|z\.\s?b|exemples?|"
    r"ejemplos?|exemplos?|esempio|voorbeeld)\b|пример|例|示例|예",
    re.IGNORECASE,
)


def documented_apart(
    outline: Outline, sighting: Sighting, values: Sequence[str], homes: Sequence[Sighting]
) -> bool:
    """Tell whether a path that fits a template is an endpoint of its own.

    Args:
        outline: The page.
        sighting: Where the path is shown.
        values: What stands in the path where the template has placeholders.
        homes: Where the template is shown.
    """
    candidate = sighting.candidate
    if candidate.kind == "mention" or not values or not all(map(_WORD.fullmatch, values)):
        return False
    index = candidate.index
    entry = outline.entries[index]
    named = all(word in OPERATIONS for word in values)
    if candidate.kind == "definition" and any(
        value and "{" in value for _, value in sighting.target.query
    ):
        return True  # it has placeholders of its own, in its query
    passing = candidate.kind == "sample" and candidate.sample is None
    if passing or announced_as_example(outline, index):
        return False
    own_section = entry.heading >= 0 and not any(
        outline.entries[home.candidate.index].heading == entry.heading for home in homes
    )
    heading = outline.entries[entry.heading].block if entry.heading >= 0 else None
    title = plain(heading.runs).lower() if isinstance(heading, Heading) else ""
    if own_section and _EXAMPLE.search(title):
        return False
    spoken = own_section and all(_stem(word) in title for word in values)
    if candidate.kind == "definition" and entry.item is not None and len(values) == 1:
        beside = any(outline.entries[home.candidate.index].parent == entry.parent for home in homes)
        if beside and _says(outline, sighting, values[0]):
            return True
    return spoken or (named and (own_section or candidate.kind != "sample"))


def _says(outline: Outline, sighting: Sighting, word: str) -> bool:
    """The item speaks of the word outside its address: `/cat/gif` "returns a gif"."""
    block = outline.entries[sighting.candidate.index].block
    if not isinstance(block, Paragraph) or value_like(word):
        return False
    text = plain(block.runs[:40])[:600].replace(sighting.candidate.text, " ")
    text = _ADDRESS.sub(" ", text)
    return bool(re.search(rf"\b{re.escape(word)}", text)) and not _EXAMPLE.search(text)


def _stem(word: str) -> str:
    return re.split(r"[-_]", word)[0][:6].lower()


def announced_as_example(outline: Outline, index: int) -> bool:
    """Tell whether the text right above, or the block's own label, calls it an example."""
    block = outline.entries[index].block
    if isinstance(block, Code) and _EXAMPLE.search(block.label):
        return True
    for before in range(index - 1, max(-1, index - 3), -1):
        entry = outline.entries[before]
        if entry.heading != outline.entries[index].heading:
            return False
        if entry.item is not None and entry.item != outline.entries[index].item:
            return False
        if isinstance(entry.block, Paragraph):
            text = _ADDRESS.sub(" ", plain(entry.block.runs[:30]))
            return len(text) < 300 and bool(_EXAMPLE.search(text))
    return False
