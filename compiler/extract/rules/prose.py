"""Paths and URLs inside sentences, in inline code, and behind links whose text is the address."""

from __future__ import annotations

import re
from collections.abc import Iterator

from doc2tools.compiler.extract.candidates import Candidate, Kind
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.places import Place
from doc2tools.compiler.extract.text import Token

_CALLED = re.compile(
    r"\b(?:endpoints?|call(?:s|ing)?|request(?:s|ing)?|quer(?:y|ies|ying)|route|hit(?:ting)?|"
    r"visit(?:ing)?|send(?:s|ing)?|fetch(?:es|ing)?|access(?:ed|ing|es)?|available|returns?|get|"
    r"retriev(?:e|ed|es|ing)|resource|url|api|service|use|using|invok(?:e|es|ing)|made|issu(?:e|ing)|"
    r"obtain(?:ed)?|aufruf\w*|abfrag\w*|appel\w*|solicitud|llam\w+|acess\w+|chamad\w+|запрос\w*)\b",
    re.IGNORECASE,
)


_Weight = tuple[float, Kind, str]
_BEHIND: _Weight = (0.4, "sample", "is the address behind a target that the text shows")
_SCRIPT: _Weight = (0.45, "mention", "is the address of a script that the text names")


class Prose:
    """Finds targets in running text."""

    name = "prose"

    def find(self, outline: Outline) -> Iterator[Candidate]:
        """Yield a candidate for each target in a sentence, and for addresses of such links."""
        for place in outline.places:
            if place.role in {"embedded", "code", "field", "heading", "term"}:
                continue
            seen: set[str] = set()
            for token in place.text.tokens:
                weight = _weigh(place, token)
                if weight:
                    yield self._candidate(place, token.raw, token.start, weight, token.emphasised)
                if token.link and token.link not in seen and _tells_more(token):
                    seen.add(token.link)
                    yield self._candidate(place, token.link, token.start, _BEHIND)
            for mark in place.text.marks:
                link = mark.run.href
                if link and link not in seen and _file_link(mark.run.text.strip(), link):
                    seen.add(link)
                    yield self._candidate(place, link, mark.start, _SCRIPT)

    def _candidate(
        self, place: Place, text: str, order: int, weight: _Weight, emphasised: tuple[str, ...] = ()
    ) -> Candidate:
        confidence, kind, how = weight
        return Candidate(
            text=text,
            index=place.index,
            span=place.span,
            rule=self.name,
            reason=f"{text[:80]} {how}",
            confidence=confidence,
            kind=kind,
            row=place.row if place.role in {"cell", "item"} else None,
            order=order,
            emphasised=emphasised,
        )


def _weigh(place: Place, token: Token) -> _Weight | None:
    body = place.text.text
    sentence = _sentence(body, token.start, token.end)
    called = bool(_CALLED.search(sentence))
    if token.link and not token.code and token.kind == "path" and token.whole:
        return None if token.raw.rstrip("/") not in token.link else (0.5, "mention", "is a link")
    if token.kind == "url":
        return _weigh_address(place, token, sentence, called=called)
    if (token.code or token.whole) and _called_endpoint(body, token):
        return 0.65, "definition", "is called an endpoint"
    sure = called or bool(re.search(r"[{<:\[]\w|=", token.raw))
    if token.code:
        return (0.6 if sure else 0.5), "mention", "is set as code in the text"
    return (0.5 if sure else 0.35), "mention", "is a path in the text"


def _weigh_address(place: Place, token: Token, sentence: str, *, called: bool) -> _Weight:
    body = place.text.text
    before = body[max(0, token.start - 40) : token.start]
    if token.link and not token.whole:
        return 0.3, "mention", "is in the text of a link"
    if re.search(r"[:\uff1a]\s{0,2}[`*\"'(]{0,2}\Z", before) and _ends_line(body, token.end):
        return 0.6, "definition", "closes a line that announces it"
    if re.search(r"/(?:\{\w|<\w|:[a-z])", token.raw.partition("://")[2].partition("?")[0]):
        return 0.6, "definition", "is an address with placeholders in the text"
    if place.role == "item" and _ends_line(body, token.end):
        return 0.55, "definition", "closes a list item"
    if re.search(r"\b(?:for (?:instance|example)|e\.g\.?|example|such as)\b", sentence, re.I):
        return 0.65, "mention", "is given as an example"
    return (0.55 if called else 0.45), "mention", "is an address in the text"


def _file_link(text: str, link: str) -> bool:
    """The text names a server's script, and the link is its address."""
    return bool(
        re.fullmatch(r"[\w-]{1,60}\.(?:asp|aspx|php|cgi|jsp|ashx|do|json|pl)", text)
        and re.search(rf"/{re.escape(text)}(?:\?|\Z)", link)
    )


def _tells_more(token: Token) -> bool:
    """The link's address shows the same target with a host, or with values."""
    if not re.match(r"https?://|//|/", token.link):
        return False
    if token.raw.startswith(token.link) and token.kind == "url":
        return False
    return token.link.rstrip("/") != token.raw.rstrip("/")


def _called_endpoint(body: str, token: Token) -> bool:
    after = body[token.end : token.end + 40]
    before = body[max(0, token.start - 40) : token.start]
    return bool(
        re.match(
            r"[`*\"')]{0,3}\s(?:(?:api|url|http|rest|get)\s)?(?:endpoint|route)\b", after, re.I
        )
        or re.match(
            r"[`*\"')]{0,3}(?:\s?(?:,|and|or|&|,\s?and)\s[`*\"'(]{0,3}/\S{1,60}){1,4}\s(?:endpoint|route)s\b",
            body[token.end : token.end + 160],
            re.I,
        )
        or (
            re.search(
                r"/\S{1,60}\s(?:and|or|&|,\s?and)\s[`*\"'(]{0,3}\Z",
                body[max(0, token.start - 80) : token.start],
            )
            and re.match(r"[`*\"')]{0,3}\s(?:endpoint|route)s\b", after, re.I)
        )
        or (token.code and re.search(r"\bAPI\s\([`*\"']{0,3}\Z", before))
        or re.search(
            r"\b(?:endpoint|route)(?:\s(?:at|is|called|named|of))?:?\s[`*\"'(]{0,3}\Z", before, re.I
        )
    )


def _ends_line(body: str, end: int) -> bool:
    line_end = body.find("\n", end, end + 200)
    return not body[end : line_end if line_end >= 0 else end + 200].strip(" .;*`")


def _sentence(body: str, start: int, end: int) -> str:
    near = max(0, start - 200)
    first = max(body.rfind(". ", near, start), body.rfind("\n", near, start), near)
    last = body.find(". ", end, end + 120)
    return body[first : end + 120 if last < 0 else last]
