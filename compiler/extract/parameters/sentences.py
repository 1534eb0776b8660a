"""Parameters that a sentence names without quotes: "Takes one mandatory parameter, folder, and"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from doc2tools.compiler.extract.parameters.naming import is_identifier
from doc2tools.compiler.extract.parameters.vocabulary import UNNAMED, word_set

_NAME: Final = r"[`\"“']?[A-Za-z_][\w\-]{0,40}(?:\[\])?[`\"”']?(?:\s?\([^()]{1,80}\))?"
_NAMES: Final = (
    rf"({_NAME}(?:(?:,\s?(?:and\s|or\s)?|\s(?:and|or|und|et|y|e)\s)(?:the\s)?{_NAME}){{0,8}})"
)
_DUTY: Final = r"(?P<duty>mandatory|required|optional|obligatory|additional)"
_NOUN: Final = r"(?:query |url |request |get |string |integer )?(?:parameters?|params?|arguments?)"
_TAKES: Final = (
    r"\b(?:takes?|accepts?|requires?|expects?|needs?|wants?|supports?)\s(?:also\s|only\s)?"
)
_COUNT: Final = r"(?:(?:the|an?|one|two|three|four|five|\d|these|both)\s){0,2}"
_NOUN_FIRST: Final = re.compile(
    rf"{_TAKES}{_COUNT}(?:{_DUTY}\s)?{_NOUN}(?:,|:|\s(?:called|named))?\s{_NAMES}", re.I
)
_NAME_FIRST: Final = re.compile(rf"{_TAKES}{_COUNT}(?:{_DUTY}\s)?{_NAMES}\s{_NOUN}(?![\w-])", re.I)
_SUBJECT: Final = re.compile(
    rf"(?:\A|[.;]\s)(?:the\s)?{_DUTY}\s{_NOUN}\s{_NAMES}\s(?:defines?|specif\w{{2,4}}|is|are|sets?|can|"
    r"must|may|controls?|gives?|tells?|determines?|limits?|denotes?|selects?)\b",
    re.I,
)
_LABELLED: Final = re.compile(
    rf"(?:\A|[.;]\s)(?:{_DUTY}\s)?{_NOUN}\s?:\s{_NAMES}(?=\s?[,.;:(–—]|\s-|\s?\Z)",  # noqa: RUF001 - dashes
    re.I,
)
_STOP: Final = UNNAMED | word_set(
    """returns return either updates update gives give will would does do responds produces sets
    then also but see where some many few zero no more extra as like called named so there here
    mandatory obligatory was were been get gets yields shows lists creates deletes removes"""
)
_CUT: Final = re.compile(r",\s?(?:and\s|or\s)?|\s(?:and|or|und|et|y|e)\s")


def unquoted_lists(sentence: str) -> Iterator[tuple[str, bool | None]]:
    """Yield the names that `sentence` (marked text) tells a request to take, and their duty."""
    if "aram" not in sentence and "rgument" not in sentence:
        return
    for pattern in (_NOUN_FIRST, _NAME_FIRST, _SUBJECT, _LABELLED):
        for match in pattern.finditer(sentence[:2000]):
            said = (match.group("duty") or "").lower()
            duty = None if said in {"", "additional"} else said != "optional"
            for name in _names(next(group for group in match.groups()[1:] if group)):
                yield name, duty


def _names(text: str) -> list[str]:
    found: list[str] = []
    for part in _CUT.split(text):
        name, explained, _ = part.partition("(")
        name = name.strip(" `\"“”'").removeprefix("the ")
        stops = name.lower() in _STOP and not (found and explained)
        if stops or not is_identifier(name):
            break
        found.append(name)
    return found
