"""Doubts that the surroundings of a candidate raise: change logs, plans, negations, callbacks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from doc2tools.compiler.extract.candidates import Candidate
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.ir.document import Code, Heading, Paragraph, plain

_PAST_OR_FUTURE = re.compile(
    r"\b(?:change\s?log|changes|release notes?|releases|road\s?map|what'?s new|to-?do|migrat\w+|"
    r"upgrad\w+|version history|history of changes|future|planned|ideas|änderungen|novedades)\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\W{0,4}(?:see also|references|related(?: projects| work| links)?|links|further reading|"
    r"tutorials?|articles?|blog posts?|learn(?:ing)?(?: more| resources)?|"
    r"(?:more |other |learning |external |useful )resources|"
    r"credits|acknowledge?ments?|thanks|contributing|license|sponsors?|authors?|siehe auch|"
    r"voir aussi)\W{0,4}",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"[`*\"'\s)]{0,6}(?:(?:is|are|was|were|has been|have been|will be)\s(?:currently\s)?"
    r"(?:not|no longer|removed|dropped|gone)\b|"
    r"not (?:yet )?(?:supported|implemented|available|allowed)|does(?: not|n't) exist)",
    re.IGNORECASE,
)
_FILES = re.compile(r"(?:^|[\s\"'=])(?:\.\.?/|~/|[A-Z]:\\|file:)", re.MULTILINE)
_TREE = re.compile(r"^[ \t]{0,40}[│├└]|^[ \t]{0,40}[|`+]-{1,3}\s", re.MULTILINE)
_FILE_LINE = re.compile(
    r"^[ \t\-*]{0,40}[\w.-]{1,40}\.(?:js|jsx|ts|tsx|py|go|rb|rs|java|kt|php|cs|md|ya?ml|toml|"
    r"html|css|vue|sql|lock|sh|txt|env|ini|cfg)[ \t]{0,40}(?:(?:#|//|-|<-)[^\n]{0,200})?$",
    re.MULTILINE,
)
_ERROR = re.compile(
    r"\W{0,4}(?:(?:http|error|status|code)\s){0,2}(?:[45]\d\d\b|method not allowed|not found|"
    r"unauthori[sz]ed|bad request|forbidden|too many requests)",
    re.IGNORECASE,
)
_CALLBACK = re.compile(
    r"(?:https?:)?//(?:www\.)?(?:your|my|client|customer|app|example)[\w.-]{0,60}/"
    r"[\w/-]{0,40}(?:call-?back|web-?hook|hook|notif|redirect|return|receiver|listener)",
    re.IGNORECASE,
)


def doubt(outline: Outline, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield all candidates, those that their surroundings make doubtful with less confidence."""
    for candidate in candidates:
        reason = _reason(outline, candidate)
        if reason:
            yield replace(
                candidate,
                kind="mention",
                confidence=round(candidate.confidence * 0.5, 3),
                reason=f"{candidate.reason}, but {reason}",
            )
        else:
            yield candidate


def _is_of_other_times(heading: str, target: str) -> bool:
    """Tell whether a heading is on changes or plans, and not on a resource called so."""
    found = _PAST_OR_FUTURE.search(heading)
    return bool(found) and found.group().lower() not in target.lower()


def _reason(outline: Outline, candidate: Candidate) -> str:
    entry = outline.entries[candidate.index]
    block = entry.block
    named = [name for name in entry.section[1:] if len(name) < 60]
    running = not isinstance(block, Heading | Code)
    if running and any(_is_of_other_times(name, candidate.text) for name in named):
        return "under a heading on changes or plans"
    if not candidate.method and entry.section and _ELSEWHERE.fullmatch(entry.section[-1]):
        return "under a heading on other pages"
    if isinstance(block, Code) and candidate.rule == "bare-path":
        text = block.text[:4_000]
        if _FILES.search(text) or _TREE.search(text) or _FILE_LINE.search(text):
            return "among paths of files"
    if _CALLBACK.match(candidate.text):
        return "on the reader's own host"
    return _said_beside(block, candidate.text) if isinstance(block, Paragraph) else ""


def _said_beside(block: Paragraph, target: str) -> str:
    text = plain(block.runs)
    place = text.find(target)
    if _ERROR.match(text) and place > 0:
        return "in the explanation of an error"
    if place >= 0 and _NEGATED.match(text, place + len(target)):
        return "said not to be there"
    return ""
