"""A path or URL that stands by itself: as a heading, a term, a list item's start, a code line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from doc2tools.compiler.extract.candidates import Candidate, Kind
from doc2tools.compiler.extract.methods import statements
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.places import Place
from doc2tools.compiler.extract.text import Token

_LEAD = re.compile(r"[\s\-\u2013—•*`>$#\d.)(\"'“\[]{0,8}\Z")
_EXPLAINED = re.compile(r"[`*\"')\]]{0,3}\s{0,4}(?:[-\u2013—:|•,(]|=>|→|//|#|\s{2,}|\n|$)")
_LABEL = re.compile(
    r"[^.!?\n]{0,40}\b(?:endpoints?|urls?|uri|route|path|call|request|link|address|format|usage|"
    r"syntax|grammar|structure|template|pattern|"
    r"example|resource|method|adresse|ruta|chemin|rota|адрес|url-адрес|地址|路径|接口|エンドポイント)"
    r"\w{0,4}\s{0,3}(?:is|:|\uff1a|=|-|\u2013|—|->|→)\s{0,3}[`*\"'“(]{0,3}\Z",
    re.IGNORECASE,
)


_ANY_LABEL = re.compile(r"(?:\A|\n)\s{0,4}[^.!?:\uff1a\n/]{2,40}[:\uff1a]\s{0,3}[`*_\"'“(]{0,3}\Z")


class BarePath:
    """Finds targets that are set where a definition stands, without a verb beside them."""

    name = "bare-path"

    def find(self, outline: Outline) -> Iterator[Candidate]:
        """Yield a candidate for each target that opens or fills its place."""
        previous = ""
        stated = {outline.entries[s.index].heading for s in statements(outline)}
        for place in outline.places:
            if place.role in {"embedded", "cell"} or place.nature == "program":
                continue
            announced = previous.endswith((":", "\uff1a"))
            previous = place.text.text.rstrip() or previous
            verb_beside = outline.entries[place.index].heading in stated
            for number, token in enumerate(place.text.tokens):
                confidence, kind, how = _weigh(place, token, number)
                if not confidence and verb_beside and _ANY_LABEL.search(_before(place, token)):
                    confidence, kind, how = 0.75, "definition", "is labelled beside a verb"
                if not confidence and number == 0 and announced and _leads(place, token):
                    confidence, kind, how = 0.65, "definition", "follows a line that announces it"
                if confidence:
                    yield Candidate(
                        text=token.raw,
                        index=place.index,
                        span=place.span,
                        rule=self.name,
                        reason=f"{token.raw[:80]} {how}",
                        confidence=confidence,
                        kind=kind,
                        row=place.row if place.role in {"item", "term", "code"} else None,
                        order=token.start,
                        emphasised=token.emphasised,
                    )


def _leads(place: Place, token: Token) -> bool:
    return token.kind == "url" and token.start <= 2 and place.role == "paragraph"


def _before(place: Place, token: Token) -> str:
    return place.text.text[max(0, token.start - 60) : token.start]


@dataclass(frozen=True, slots=True)
class _Setting:
    """How a target stands in its line."""

    alone: bool
    leads: bool
    explained: bool
    labelled: bool


_Weight = tuple[float, Kind, str]
_NOTHING: _Weight = (0.0, "mention", "")


def _weigh(place: Place, token: Token, number: int) -> _Weight:
    if token.raw == "/" and not token.code and place.text.text.strip() != "/":
        return _NOTHING
    setting = _setting(place, token)
    if place.role == "heading":
        opens = setting.alone or setting.leads
        return (
            (0.85 if opens else 0.7),
            "definition",
            "is the heading" if opens else "is in a heading",
        )
    if place.role == "term":
        return 0.8, "definition", "is the term that a definition list explains"
    if place.role == "field":
        return 0.75, "definition", "is shown in a form field"
    if place.role == "code":
        return _in_code(place, token, setting)
    return _in_text(place, token, setting, number)


def _setting(place: Place, token: Token) -> _Setting:
    body = place.text.text
    near = max(0, token.start - 300)
    before = body[max(near, body.rfind("\n", near, token.start) + 1) : token.start]
    line_end = body.find("\n", token.end, token.end + 300)
    after = body[token.end : line_end if line_end >= 0 else token.end + 300]
    leads = bool(_LEAD.match(before)) and len(before) <= 8
    return _Setting(
        alone=not before.strip(" `*:\"'()[]<>") and not after.strip(" `*.:;,\"'()[]<>"),
        leads=leads,
        explained=leads and bool(_EXPLAINED.match(after)),
        labelled=bool(_LABEL.match(before[-80:])),
    )


def _in_code(place: Place, token: Token, setting: _Setting) -> _Weight:
    if place.nature == "request":
        return (0.6, "sample", "stands beside a request") if setting.alone else _NOTHING
    if setting.alone:
        sure = 0.8 if token.kind == "path" and "{" in token.raw else 0.72
        return sure, "definition", "stands alone in a block of code"
    if setting.explained and token.kind == "path":
        return 0.8, "definition", "opens a line of code that explains it"
    if setting.labelled or (setting.leads and token.kind == "url"):
        return 0.7, "definition", "is given in a block of code"
    return 0.2, "mention", "is in a block of code"


def _in_text(place: Place, token: Token, setting: _Setting, number: int) -> _Weight:
    path = token.kind == "path"
    weight = _NOTHING
    if token.link and path and _page_link(token):
        return weight
    set_apart = setting.leads and (token.code or (bool(token.link) and token.raw in token.link))
    if setting.labelled:
        weight = 0.75, "definition", "is labelled as the address"
    elif place.role == "item" and (
        setting.explained
        or set_apart
        or (setting.leads and (setting.alone or (not path and (not token.link or token.whole))))
    ):
        weight = (0.75 if path else 0.55), "definition", "opens a list item"
    elif setting.alone:
        strong = token.code or path
        weight = (0.7 if strong else 0.55), "definition", "stands alone in its paragraph"
    elif number == 0 and setting.explained and (token.code or path):
        weight = 0.65, "definition", "opens its paragraph"
    return weight


def _page_link(token: Token) -> bool:
    """The path is only the text of a link to some page: `/docs` behind `https://site/docs`."""
    if token.code or "{" in token.raw or ":" in token.raw or "<" in token.raw:
        return False
    return token.raw.rstrip("/") not in token.link
