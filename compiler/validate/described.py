"""Values that a description names: "typically car, bike or foot", "such as `svg`", "'week'"."""

from __future__ import annotations

import re

from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.compiler.validate.filters import is_stand_in

__all__ = ["described", "extensions"]

_MAX_VALUES = 4
_QUOTED = r"(?:`[^`\n]{1,40}`|\"[^\"\n]{1,40}\"|'[^'\n]{1,40}'|\u201c[^\u201d\n]{1,40}\u201d)"
_BARE = r"[A-Za-z0-9][\w.:+-]{0,39}"
_TOKEN = rf"(?:{_QUOTED}|{_BARE})"
_NEXT = r"(?:,? (?:or|and) |, ?| ?/ ?| ?\| ?)"
_EXAMPLES = re.compile(
    r"\b(?:e\.\s?g\.?|i\.e\.|for example|for instance|examples?:|such as)[,:]? {0,2}(?:an? |the )?"
    rf"(?P<list>{_TOKEN}(?:{_NEXT}{_TOKEN}){{0,9}})",
    re.IGNORECASE,
)
_LISTS = re.compile(
    r"\b(?:one of|either|any of|typically|usually|commonly|(?:possible|allowed|valid|supported|"
    r"accepted|permitted) (?:values?|options?|formats?|types?)(?: are| is)?|values?:|options?:|"
    r"choices?:|formats?:|can be|may be|must be|should be)[,:]? {0,2}(?:one of:? |either )?"
    rf"(?P<list>{_TOKEN}(?:{_NEXT}{_TOKEN}){{1,9}})",
    re.IGNORECASE,
)
_ALTERNATIVES = re.compile(
    rf"(?:^|:|\(|\b(?:is|as)) {{0,2}}(?P<list>{_TOKEN}(?:(?:, ?| ?/ ?){_TOKEN}){{0,9}},? or "
    rf"{_TOKEN})(?=$|[.,;)])",
    re.IGNORECASE,
)
"""`any, passing or critical` where nothing else stands in the clause."""
_QUOTES = "`\"'\u201c\u201d"
_STOP_LIST = """
a an the this that any all one no not none some other more most each every it its if when then than
or and but for from with without in on at by of to as is are be was only also both used using use
comma separated set given specified required optional empty null undefined true false default
"""
_STOP = frozenset(_STOP_LIST.split())
_EXTENSION = re.compile(r"(?<![\w.])\.([a-z][a-z0-9]{1,4})\b")


def described(parameter: Parameter) -> tuple[str, ...]:
    """Give the values that a parameter's description names, in its order, at most four."""
    text = " ".join(parameter.description[:1000].split())
    found: list[str] = []
    for pattern in (_LISTS, _ALTERNATIVES, _EXAMPLES):
        for match in pattern.finditer(text):
            found += _values(match.group("list"), bare=pattern is not _EXAMPLES)
    kept = [value for value in dict.fromkeys(found) if not is_stand_in(value, parameter.name)]
    return tuple(kept[:_MAX_VALUES])


def _values(listed: str, *, bare: bool) -> list[str]:
    """Read a list of words; words without quotes only where they are short and plain."""
    tokens = re.findall(_TOKEN, listed)
    values: list[str] = []
    for token in tokens:
        quoted = token[0] in _QUOTES
        value = token.strip(_QUOTES).strip() if quoted else token.rstrip(".:,")
        plain = bare or any(character.isdigit() or character in "._-:" for character in value)
        if value and value.lower() not in _STOP and (quoted or plain):
            values.append(value)
        elif not quoted and not (bare and value.lower() in _STOP):
            break
    return values


def extensions(endpoint: Endpoint) -> tuple[str, ...]:
    """Give the file extensions, such as `.svg`, that an endpoint's text names."""
    text = f"{endpoint.summary} {endpoint.description[:2000]}"
    return tuple(dict.fromkeys(_EXTENSION.findall(text)))[:_MAX_VALUES]
