"""Tells whether a path that fits a template is an instance of it."""

from __future__ import annotations

import re

from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.shapes import match_values, split, value_like
from doc2tools.compiler.extract.siblings import announced_as_example, documented_apart
from doc2tools.compiler.extract.sightings import Sighting


def defines_itself(sighting: Sighting) -> bool:
    """The place defines this very path: a heading, a table's row, a list item, a verb beside it."""
    candidate = sighting.candidate
    return candidate.kind == "definition" and (
        candidate.rule in {"table", "verb-path"} or candidate.confidence >= 0.8
    )


def is_instance(
    outline: Outline, sighting: Sighting, template: str, homes: list[Sighting], defined: set[str]
) -> bool:
    """Tell whether `sighting` only shows `template` with values.

    Args:
        outline: The page.
        sighting: A path that fits the template.
        template: The most likely of the templates that it fits.
        homes: Where the template is shown.
        defined: Paths without placeholders that have a definition of their own.
    """
    values = match_values(template, sighting.path)
    told = _by_values(outline, sighting, template, values, homes)
    return _by_place(outline, sighting, values, homes, defined) if told is None else told


def _by_values(
    outline: Outline,
    sighting: Sighting,
    template: str,
    values: dict[str, str],
    homes: list[Sighting],
) -> bool | None:
    """What the values themselves tell; `None` where they leave it open."""
    candidate = sighting.candidate
    if not sighting.concrete and _more_literal(sighting.path, template):
        return False
    block = outline.entries[candidate.index]
    named = [value for value in values.values() if value.startswith("@")]
    if named and candidate.method and block.block.kind == "heading":
        return False  # `PATCH /users/@me` has a heading of its own
    if values and all(value_like(value) for value in values.values()):
        return True
    if values and all(home.instance for home in homes):
        return False  # the template itself was made from values: only values fit it
    if documented_apart(outline, sighting, list(values.values()), homes):
        return False
    return None


def _by_place(
    outline: Outline,
    sighting: Sighting,
    values: dict[str, str],
    homes: list[Sighting],
    defined: set[str],
) -> bool:
    """What the place of the path tells, against those that show the template."""
    candidate = sighting.candidate
    here = sighting.path.rstrip("/").lower()
    if candidate.kind in {"sample", "mention"}:
        return here not in defined
    block = outline.entries[candidate.index]
    near = any(
        outline.entries[home.candidate.index].heading == outline.entries[candidate.index].heading
        and (home.candidate.index, home.candidate.order) < (candidate.index, candidate.order)
        for home in homes
    )
    if candidate.rule == "table" and near and announced_as_example(outline, candidate.index):
        return True
    if candidate.rule == "table" and any(value_like(value) for value in values.values()):
        return all(value_like(value) or len(value) <= 2 for value in values.values())
    itself = candidate.row is not None and block.block.kind != "code" and defines_itself(sighting)
    if candidate.rule == "table" or block.block.kind == "heading" or itself:
        return False
    if candidate.rule == "verb-path" and candidate.method:
        return near and _looks_chosen(list(values.values()))
    return near or here not in defined


def _more_literal(path: str, template: str) -> bool:
    """The path has fixed words where the template has placeholders, and placeholders itself."""
    pairs = list(zip(split(template), split(path), strict=False))
    chosen = [part for wild, part in pairs if "{" in wild and "{" not in part]
    return bool(chosen) and all(re.fullmatch(r"[a-z][a-z_-]{2,30}", part) for part in chosen)


def _looks_chosen(values: list[str]) -> bool:
    return all(value_like(value) or not re.fullmatch(r"[a-z][a-z_-]*", value) for value in values)
