"""HTTP methods as documentation writes them."""

from __future__ import annotations

import re

from doc2tools.compiler.extract.text import Text

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")

VERB = re.compile(r"(?<![\w/.{$?&=-])(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)(?![\w=-]|/\w)")
_ANY_CASE = re.compile(
    r"(?<![\w/.{$?&=-])(get|post|put|patch|delete|del|head|options|Get|Post|Put|Patch|Delete|Del|"
    r"DEL|Head|Options)(?![\w=(-])"
)
_SPOKEN = re.compile(  # `send a post request to`
    r"\b(?:an?|the|http|your|this)\s(get|post|put|patch|delete|Get|Post|Put|Patch|Delete)"
    r"(?=\s(?:http\s)?(?:requests?|calls?)\s(?:to|at|on|against)\b)"
)
_NOUNS = frozenset({"head", "options"})
_LIST = re.compile(
    r"(?<![\w/.{$-])(?P<verbs>(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)"
    r"(?:(?:\s{0,2}(?:,|/|\||&|\+)\s{0,2}|\s(?:or|and|oder|und|ou|et|o|y|e)\s|, (?:or|and) |\s)"
    r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)){0,6})(?![\w=-])"
)


def as_method(word: str) -> str:
    """Give the method that `word` names in any case, else ""."""
    upper = word.strip(" \t:.,`*[]()'\"-").upper()
    if upper == "DEL":
        return "DELETE"
    return upper if upper in METHODS else ""


def methods_in_cell(text: str) -> tuple[str, ...]:
    """Give the methods where `text` holds nothing else, such as `GET, POST`; else none."""
    words = re.split(r"[\s,/|&+]{1,5}|\bor\b|\band\b", text.strip())
    methods = [as_method(word) for word in words if word]
    if not methods or not all(methods) or len(methods) > 7:
        return ()
    return tuple(dict.fromkeys(methods))


def verb_spans(text: Text) -> list[tuple[int, int, tuple[str, ...]]]:
    """Find methods in `text`: upper case anywhere, other cases where they are set apart."""
    found: list[tuple[int, int, tuple[str, ...]]] = []
    for match in _LIST.finditer(text.text):
        verbs = VERB.findall(match.group()) or re.findall(r"[A-Z]{3,7}", match.group())
        found.append((match.start(), match.end(), tuple(dict.fromkeys(verbs))))
    for match in _ANY_CASE.finditer(text.text):
        run = text.run_at(match.start())
        alone = run is not None and as_method(run.text) and (run.badge or run.code or run.strong)
        if alone and run and run.badge and match.group() in _NOUNS:
            continue  # the text of a picture, `head`
        leads = text.text[: match.start()].strip(" \t\n[(") == "" and re.match(
            r"[:\s\])]\s{0,3}(?:[-\u2013—|·>→]\s{0,3})?(?:https?:/)?/\w?",
            text.text[match.end() : match.end() + 16],
        )
        if alone or leads:
            found.append((match.start(), match.end(), (as_method(match.group()),)))
    for match in _SPOKEN.finditer(text.text):
        found.append((match.start(1), match.end(1), (match.group(1).upper(),)))
    found.sort()
    return found
