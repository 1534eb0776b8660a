"""Proposals for the path below the base: segments, placeholders, suffix, slash."""

from __future__ import annotations

from collections.abc import Iterator

from doc2tools.compiler.passes.examples import is_secret_name
from doc2tools.compiler.passes.paths import PLACEHOLDER, is_prefix
from doc2tools.compiler.passes.words import split_words
from doc2tools.compiler.repair.address import (
    SEGMENT,
    is_literal,
    parts_of,
    placeholder_in,
    whole_path,
)
from doc2tools.compiler.repair.patches import (
    ClosePlaceholder,
    FormatSuffix,
    OpenSegment,
    RenameSegment,
    TrailingSlash,
)
from doc2tools.compiler.repair.spelling import (
    alike,
    likeness,
    said_of,
    spellings,
    style_of,
    supported,
    variants,
)
from doc2tools.compiler.repair.suspect import Proposal, Suspect
from doc2tools.param_db.naming import fold

__all__ = ["endings", "placeholders", "segments"]

_MOST_OF_A_PLACE = 10
_ALIKE = 0.72
_LEAST = 0.4


def segments(suspect: Suspect) -> Iterator[Proposal]:
    """Propose other spellings and names for the segments that no working tool has."""
    if not suspect.gone:
        return
    parts = parts_of(whole_path(suspect.endpoint))
    literals = [n for n, part in enumerate(parts) if is_literal(part) and SEGMENT.fullmatch(part)]
    words = spellings(suspect.endpoint, _styles(suspect, parts))
    for position in literals:
        part = parts[position]
        attested = part in suspect.siblings.children(parts[:position])
        if is_prefix(part) and len(literals) > 1:
            continue
        weight = 0.55 if attested else 0.8 if _is_said(suspect, part) else 1.0
        inner = attested and position != literals[-1]
        found = _candidates(suspect, parts, position, None if inner else words)
        ranked = sorted(found.items(), key=lambda entry: (-entry[1][0], entry[0]))
        for candidate, (score, reason) in ranked[:_MOST_OF_A_PLACE]:
            if score * weight >= _LEAST:
                patch = RenameSegment(position, part, candidate)
                yield Proposal(patch, min(score, 1.0) * weight, reason)


def _is_said(suspect: Suspect, part: str) -> bool:
    """Tell whether the documentation's words hold the segment, so that it is meant as it is."""
    said = " ".join(text for text, _ in said_of(suspect.endpoint)).lower()
    return len(part) > 2 and part.lower() in split_words(said)


def _candidates(
    suspect: Suspect, parts: list[str], position: int, words: dict[str, float] | None
) -> dict[str, tuple[float, str]]:
    """Give words for a place, by score; without `words`, only those that working tools have."""
    part = parts[position]
    beside = set(parts[:position]) | set(parts[position + 1 :])
    known = suspect.siblings.children(parts[:position])
    found: dict[str, tuple[float, str]] = {}

    def note(word: str, score: float, reason: str) -> None:
        usual = SEGMENT.fullmatch(word) and word != part and word not in beside
        if usual and score > found.get(word, (0.0, ""))[0]:
            found[word] = (score, reason)

    for word in suspect.evidence.meant:
        last = parts_of(word)[-1] if "/" in word else word
        if likeness(last, part) >= 0.5 or len(parts_of(word)) == len(parts):
            note(last, 1.0, "the server says so")
    for word in known:
        near = likeness(word, part)
        if is_literal(word) and (near >= _ALIKE or supported(suspect.endpoint, part, word)):
            note(word, 0.45 + 0.55 * near, "a working tool has it there")
    for word, weight in (words or {}).items():
        near = likeness(word, part)
        note(word, 0.5 * weight + 0.48 * near, "the documentation of the tool speaks of it")
    for word, near in alike(part, sorted(suspect.words)).items():
        note(word, 0.35 + 0.5 * near, "the documentation of another tool has it")
    for word, weight in variants(part).items() if words is not None else ():
        note(word, 0.5 * weight + 0.45 * likeness(word, part), "another spelling")
    for shown in suspect.shown:
        if len(shown) == len(parts) and _fits_around(shown, parts, position):
            word = shown[position]
            if supported(suspect.endpoint, part, word):
                score = 0.7 + 0.4 * likeness(word, part)
                note(word, score, "the server itself shows it there")
    return found


def _fits_around(shown: list[str], parts: list[str], position: int) -> bool:
    return all(
        one == other or "{" in other or "{" in one or "<" in one
        for number, (one, other) in enumerate(zip(shown, parts, strict=True))
        if number != position
    )


def _styles(suspect: Suspect, parts: list[str]) -> tuple[str, ...]:
    """Give how this API joins words in a segment, the commonest first; glued together last."""
    counted: dict[str, int] = {}
    paths = [whole_path(endpoint) for endpoint in suspect.siblings.working]
    for part in (*parts, *(part for path in paths for part in parts_of(path))):
        style = style_of(part) if is_literal(part) else None
        if style is not None:
            counted[style] = counted.get(style, 0) + 1
    used = sorted(counted, key=lambda style: (-counted[style], style))
    return (*(used or ["-", "_"]), "")


def placeholders(suspect: Suspect) -> Iterator[Proposal]:
    """Propose that a placeholder is fixed text, or fixed text a placeholder."""
    trouble = suspect.evidence.trouble
    if trouble not in {"route", "method", "unfilled"}:
        return
    parts = parts_of(whole_path(suspect.endpoint))
    for position, part in enumerate(parts):
        children = suspect.siblings.children(parts[:position])
        name = placeholder_in(part)
        if name:
            yield from _closed(suspect, name, [child for child in children if is_literal(child)])
        elif trouble != "unfilled" and is_literal(part) and part not in children:
            other = suspect.siblings.placeholder_at(parts, position)
            if other and not is_prefix(part):
                reason = "working tools have a placeholder there"
                yield Proposal(OpenSegment(position, part, other), 0.5, reason)


def _closed(suspect: Suspect, name: str, literals: list[str]) -> Iterator[Proposal]:
    if is_secret_name(name):
        return
    parameter = suspect.parameter(name)
    shown = bool(parameter and (parameter.examples or parameter.enum))
    for literal in literals:
        if fold(literal) == fold(name):
            yield Proposal(ClosePlaceholder(name, literal), 0.75, "a working tool has it so")
    if not shown and SEGMENT.fullmatch(name) and len(split_words(name)) <= 2:
        likely = 0.45 if name in suspect.missing else 0.3
        yield Proposal(ClosePlaceholder(name, name), likely, "its name may be the text itself")


def endings(suspect: Suspect) -> Iterator[Proposal]:
    """Propose a format suffix or a slash at the end, or none."""
    trouble = suspect.evidence.trouble
    if trouble not in {"route", "method", "page"}:
        return
    path = whole_path(suspect.endpoint)
    siblings = suspect.siblings
    number = max(1, len(siblings.working))
    last = PLACEHOLDER.sub("x", parts_of(path)[-1])
    dot = last.rfind(".")
    own = last[dot:] if dot > 0 and last[dot + 1 :].isalpha() and len(last) - dot <= 6 else ""
    for suffix, count in siblings.suffixes():
        if suffix != own and not own:
            likely = 0.4 + 0.45 * count / number
            reason = f"{count} of {number} working tools have it"
            yield Proposal(FormatSuffix(suffix, added=True), likely, reason)
    text = f"{suspect.endpoint.summary} {suspect.endpoint.description[:1000]}".lower()
    if not own:
        likely = 0.55 if ".json" in text else 0.37
        yield Proposal(FormatSuffix(".json", added=True), likely, "JSON is documented")
    if own and trouble != "page" and own not in dict(siblings.suffixes()):
        yield Proposal(FormatSuffix(own, added=False), 0.45, "no working tool has it")
    if trouble in {"route", "method"} and path != "/":
        slash = path.endswith("/")
        share = siblings.with_slash() / number
        likely = 0.25 + 0.5 * (1 - share if slash else share)
        yield Proposal(TrailingSlash(added=not slash), likely, "servers tell the two apart")
