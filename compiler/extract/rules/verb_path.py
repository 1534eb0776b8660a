"""A verb and a target close together, in either order: `GET /users`, `/users (GET)`, prose."""

from __future__ import annotations

import re
from collections.abc import Iterator

from doc2tools.compiler.extract.candidates import Candidate, Kind
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.places import Place
from doc2tools.compiler.extract.text import Text, Token
from doc2tools.compiler.extract.verbs import VERB, verb_spans

_WORDY = re.compile(
    r"[\s:|\-\u2013—>`*\"'“”(]{0,6}(?:(?:requests?|quer(?:y|ies)|calls?|http|https|api|urls?|uri|"
    r"endpoints?|paths?|routes?|resources?|address(?:es)?|methods?|operations?|to|the|at|on|for|from|of|"
    r"following|this|using|via|against|with|is|are|a|an|by|through|its|your|our|command|verb|base|"
    r"solicitud|petición|requête|requisição|anfrage|an|auf|запрос|на|к|de|la|el|le|à|au|sur|zu|"
    r"请求|到)[\s:`*\"'“”(,]{1,6}){1,12}\Z",
    re.IGNORECASE,
)
_LOGGED = re.compile(
    r"\sHTTP/\d(?:\.\d)?[\"']\s\d{3}\b|\s{1,4}[1-5]\d\d\s{1,4}(?:[-\u2013]\s)?\d[\d.]{0,9}\s?(?:ms|µs|us|s)\b"
)
"""What follows a request in a server's log: `HTTP/1.1" 200`, `200 3.1 ms`."""
_TIGHT_GAP = re.compile(r"[\s:|\-\u2013—>→`*\"'“”(\[=•·]{0,12}")
_NEXT = re.compile(
    r"\s{0,3}(?:,|/|\||;|&|and|or|oder|und|ou|et|y|or to|and to|, or|, and)?\s{0,3}[`*\"'(]{0,3}\Z"
)
_AFTER = re.compile(
    r"[`*\"']{0,3}\s{0,4}(?:[(\[|:\-\u2013—]|via|with|using|by|method|=>|→|\s){0,3}\s{0,4}[`*\"'(\[]{0,3}\Z"
)
_NOT_A_PATH_WORD = re.compile(
    r"(?:requests?|methods?|params?|parameters?|the|a|an|and|or|to|of|is|for|all|data|endpoints?|"
    r"this|that|with|from|in|on|operation|calls?|query|verb|http|https|only|your|if|it|will|"
    r"by|as|one|list|new|example|examples|endpoint|url|api|body|response|responses)\Z",
    re.IGNORECASE,
)


_REFERENCE = re.compile(
    r"\b(?:same as|as for|as in|as with|see|see also|like|similar to|from|returned by|unlike|by|"
    r"retrieved with|described (?:in|for)|(?:response|result|output|answer)s? (?:of|to|from)|of|"
    r"siehe|voir|wie)(?: the| a)?\s[\s`*\"'(]{0,4}(?:GET|POST|PUT|PATCH|DELETE|HEAD)\Z",
    re.IGNORECASE,
)


_MAX_VERBS = 500


class VerbPath:
    """Finds a method next to a path or URL."""

    name = "verb-path"

    def find(self, outline: Outline) -> Iterator[Candidate]:
        """Yield a candidate for each method and target that belong together."""
        for place in outline.places:
            if place.role == "embedded" or place.nature in {"program"}:
                continue
            yield from self._in_place(place)

    def _in_place(self, place: Place) -> Iterator[Candidate]:
        text = place.text
        verbs = verb_spans(text)
        if not verbs:
            return
        taken: set[int] = set()
        shared = _in_brackets(text, verbs)
        if shared:
            for _, _, methods in verbs:
                for method in methods:
                    yield self._candidate(place, shared, method, 0.8, "definition")
            return
        for number, (start, end, methods) in enumerate(verbs):
            if number >= _MAX_VERBS:
                break
            limit = verbs[number + 1][0] if number + 1 < len(verbs) else len(text.text)
            found = list(_forward(text, end, limit, place))
            if found:
                for token, confidence, kind in found:
                    taken.add(token.start)
                    for method in methods:
                        yield self._candidate(place, token, method, confidence, kind)
                continue
            token = _backward(text, start, taken) or _closing(text, verbs)
            if token:
                taken.add(token.start)
                for method in methods:
                    yield self._candidate(place, token, method, 0.85, "definition")

    def _candidate(
        self, place: Place, token: Token, method: str, confidence: float, kind: Kind
    ) -> Candidate:
        where = {"heading": "a heading", "code": "code", "cell": "a table", "item": "a list item",
                 "term": "a definition list"}.get(place.role, "the text")  # fmt: skip
        return Candidate(
            text=token.raw,
            index=place.index,
            span=place.span,
            rule=self.name,
            reason=f"{method} stands beside {token.raw[:80]} in {where}",
            confidence=confidence,
            kind=kind,
            method=method,
            row=place.row if place.role in {"cell", "item", "term", "code"} else None,
            order=token.start,
            emphasised=token.emphasised,
        )


def _forward(text: Text, end: int, limit: int, place: Place) -> Iterator[tuple[Token, float, Kind]]:
    """Find the targets that follow a verb, and how sure that is."""
    body = text.text
    start = end
    if re.search(r"[\[(][`*]{0,2}[A-Za-z]{3,7}\Z", body[max(0, end - 12) : end]):
        start = end = end + len(body[end : end + 4]) - len(body[end : end + 4].lstrip("`*)]"))
    tight = _TIGHT_GAP.match(body, end)
    start = tight.end() if tight else end
    first = next((t for t in text.tokens_from(end)[:1] if t.start < limit), None)
    if first and _LOGGED.match(body, first.end):
        return
    if first and first.start <= start:
        confidence = _tight_confidence(place, body, end)
        yield first, confidence, "definition" if confidence >= 0.7 else "mention"
        yield from _following(text, first, limit)
        return
    if start > end or place.role == "heading":
        relative = text.target_at(start)
        if relative and relative.start < limit and _is_path(relative, place):
            yield relative, 0.8 if "/" in relative.raw else 0.6, "definition"
            return
    if not first or first.start - end > 120:
        return
    gap = body[end : first.start]
    if _WORDY.match(gap):
        yield first, 0.8, "definition"
        yield from _following(text, first, limit)
    elif "." not in gap.strip() and len(gap.split()) <= 6:
        yield first, 0.6 if first.code else 0.45, "mention"


def _following(text: Text, first: Token, limit: int) -> Iterator[tuple[Token, float, Kind]]:
    """Several targets for one verb: `GET /a or /b`."""
    last = first
    for token in text.tokens_from(first.start + 1):
        if token.start >= limit:
            break
        gap = text.text[last.end : token.start]
        if not gap.strip(" `*\"'") or not _NEXT.match(gap):
            break
        yield token, 0.75, "definition"
        last = token


def _in_brackets(text: Text, verbs: list[tuple[int, int, tuple[str, ...]]]) -> Token | None:
    """One path, then all that can be done: `/x/{id}` can be read (GET) and removed (DELETE)."""
    if len(verbs) < 2 or len(text.tokens) != 1:
        return None
    token = text.tokens[0]
    for start, end, _ in verbs:
        around = text.text[max(0, start - 1) : end + 1]
        if start < token.end or not re.fullmatch(r"[(\[].*[)\]]", around):
            return None
    return token


def _backward(text: Text, start: int, taken: set[int]) -> Token | None:
    """Find the target that a verb follows: `/users (GET)`."""
    before = text.token_before(start)
    mark = text.mark_at(max(0, len(text.text[:start].rstrip(" ([-\u2013\u2014:|*_")) - 1))
    if mark and mark.run.code and "/" in mark.run.text and not mark.run.text.startswith("/"):
        relative = text.target_at(mark.start)
        if relative and relative.whole and relative.kind == "relative":
            return relative
    if before is None or before.start in taken:
        return None
    if _AFTER.match(text.text[before.end : start]):
        return before
    return None


def _closing(text: Text, verbs: list[tuple[int, int, tuple[str, ...]]]) -> Token | None:
    """The path that a line opens with, where it ends with the verb: `/x → shows one (GET)`."""
    if len(verbs) != 1 or len(text.tokens) != 1 or len(text.text) > 200:
        return None
    token, (start, end, _) = text.tokens[0], verbs[0]
    ends = re.fullmatch(
        r"[(\[]\s?[A-Z]{3,7}\s?[)\]]\W{0,3}", text.text[max(0, start - 1) : end + 4]
    )
    return token if ends and token.start <= 8 and token.end < start else None


def _tight_confidence(place: Place, body: str, end: int) -> float:
    lead = VERB.sub("", body[:end]).strip(" -*`:|#>$(\t\"'[•")
    if place.role in {"heading", "term", "cell"}:
        return 0.95
    if place.role == "code":
        return 0.95 if not lead or re.match(r"(?://|#|\d{1,3}[.)])", lead) else 0.7
    if _REFERENCE.search(body[:end]) and len(lead.split()) >= 3:
        return 0.6
    return 0.9 if len(lead) < 40 else 0.8


def _is_path(token: Token, place: Place) -> bool:
    raw = token.raw
    if re.fullmatch(r"[{<:\[][\w -]{1,60}[}>\]]?", raw):
        return False
    if _NOT_A_PATH_WORD.match(raw):
        return False
    if "/" in raw.strip("/") or re.search(r"[{<:\[]\w", raw):
        return not re.fullmatch(r"[A-Za-z]{1,12}/[A-Za-z]{1,12}", raw) or place.role in {
            "heading", "code", "cell"} or token.code  # fmt: skip
    if "." in raw and re.search(r"\.(?:php|json|xml|asp|aspx|jsp|cgi|do|ashx)\b", raw):
        return True
    return token.code and token.whole and bool(re.fullmatch(r"[a-z][\w-]{2,40}", raw))
