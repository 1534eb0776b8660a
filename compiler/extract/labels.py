"""Verbs that stand alone above a list or a block of code: `PUT, PATCH:` governs what is below.

Each of the verbs makes an endpoint of every path there, up to the next label.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.sightings import Sighting
from doc2tools.compiler.extract.verbs import methods_in_cell
from doc2tools.compiler.ir.document import Code, ListBlock, Paragraph, plain

_SETTING = re.compile(r"\A[\s\-\u2013—•*+]{0,4}|[\s:\uff1a]{0,4}\Z")
_TRAILER = re.compile(r"\s(?:requests?|methods?|endpoints?|calls?|routes?)\Z", re.IGNORECASE)


def label_methods(outline: Outline, sightings: Sequence[Sighting]) -> list[Sighting]:
    """Give sightings without a verb those of the label above; one sighting for each verb."""
    labelled: list[Sighting] = []
    known: dict[int, tuple[tuple[str, ...], str]] = {}
    for sighting in sightings:
        if sighting.method or sighting.candidate.kind == "mention":
            labelled.append(sighting)
            continue
        home = _home(outline, sighting.candidate.index)
        if home not in known:
            known[home] = _label(outline, home)
        methods, text = known[home]
        if not methods:
            labelled.append(sighting)
        for method in methods:
            labelled.append(
                replace(
                    sighting,
                    method=method,
                    why_method=f"the label above says {text!r}",
                    values=dict(sighting.values),
                )
            )
    return labelled


def _home(outline: Outline, index: int) -> int:
    """The list that a block is in, the outermost one; else the block itself."""
    for _ in range(20):
        parent = outline.entries[index].parent
        if parent < 0:
            break
        index = parent
    return index


def _label(outline: Outline, home: int) -> tuple[tuple[str, ...], str]:
    """The verbs of the paragraph right above, where it says nothing else."""
    if home <= 0 or not isinstance(outline.entries[home].block, ListBlock | Code):
        return (), ""
    above = home - 1
    if isinstance(outline.entries[home].block, Code) and isinstance(
        outline.entries[above].block, Code
    ):
        return (), ""
    block = outline.entries[above].block
    if not isinstance(block, Paragraph) or outline.entries[above].parent >= 0:
        return (), ""
    text = plain(block.runs[:12]).strip()
    if len(text) > 60:
        return (), ""
    bare = _TRAILER.sub("", _SETTING.sub("", text))
    return (methods_in_cell(bare), text) if bare and not bare.islower() else ((), "")
