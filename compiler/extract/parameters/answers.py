"""Tells headers that answers carry from those that a client sends."""

from __future__ import annotations

import re
from typing import Final

from doc2tools.compiler.extract.parameters.mention import LISTED, Mention

_ANSWERS_ONLY: Final = re.compile(
    r"(?:access-control-(?:allow|expose|max)-[a-z-]{1,30}|link|etag|location|set-cookie|"
    r"(?:x-)?rate-?limit(?:-[a-z-]{1,30})?|(?:[a-z]{1,20}-){1,3}rate-?limit-[a-z-]{1,30}|"
    r"retry-after|www-authenticate|server|vary|allow|last-modified|expires|age|"
    r"x-(?:total|page|per-page|next-page|prev-page|total-count|total-pages)|x-powered-by|"
    r"x-response-time|x-runtime|sunset|deprecation|content-(?:range|disposition))\Z"
)
_PROXY: Final = re.compile(r"(?:x-forwarded(?:-[a-z]{1,10})?|forwarded|x-real-ip|via)\Z")
_CARRIED: Final = re.compile(
    r"\b(?:responses?|answers?|repl(?:y|ies)|(?:the|our|this) (?:api|server|service|backend))"
    r"(?: \w{1,12}){0,3}? (?:comes?|contains?|includes?|carry|carries|has|have|returns?|adds?|"
    r"gives?|sends?|sets?|provides?)\b(?! to\b)"
    r"|\b(?:in|with|of|to) (?:the|every|each|all|our|any|most) (?:\w{1,12} )?"
    r"(?:responses?|answers?|repl(?:y|ies))\b"
    r"|\bheaders? (?:is|are|will be) (?:returned|sent back|included in (?:the |every )?response)",
    re.I,
)
_ASKED: Final = re.compile(r"\brequests?\b|\byou (?:must|can|may|have to|need to|should)\b", re.I)
_SET_BY_SERVER: Final = re.compile(
    r"` (?:http )?(?:response )?headers? (?:is|are) (?:\w{1,12} )?set to\b"
    r"|` (?:http )?(?:response )?headers? (?:tells?|indicates?|shows?|reports?)\b",
    re.I,
)
_BIDDING: Final = re.compile(r"\b(?:ensure|sure|must|should|if|unless|client|your)\b", re.I)


def is_answer_header(mention: Mention) -> bool:
    """Tell whether a name can only be a header of the answer, or one that a proxy adds.

    A proxy's header may be sent where a list of headers or a sample has it.
    """
    name = mention.name.lower()
    if mention.location != "header":
        return False
    if _ANSWERS_ONLY.match(name):
        return True
    return mention.confidence < LISTED and mention.rule == "prose" and bool(_PROXY.match(name))


def carries_answer_headers(text: str) -> bool:
    """Tell whether a lead-in says that the headers below come with answers."""
    found = _CARRIED.search(text[:600])
    return found is not None and not _ASKED.search(text[: found.start()])


def tells_of_answer(sentence: str) -> bool:
    """Tell whether a sentence says what a quoted header holds, not that it should be sent."""
    found = _SET_BY_SERVER.search(sentence)
    return found is not None and not _BIDDING.search(sentence[: found.start()])
