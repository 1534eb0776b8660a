"""A path of bare words and, right behind it, the same path with values.

"send a get request to /api/latitude/longitude, e.g. api/50.7/-3.5" shows a template: the parts that
differ are its placeholders.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from doc2tools.compiler.extract.candidates import Candidate
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.places import Place
from doc2tools.compiler.extract.shapes import split, value_like
from doc2tools.compiler.extract.templates import parse_targets
from doc2tools.compiler.extract.text import Token

_EXAMPLE = re.compile(
    r"[`*\"')\]]{0,3}[\s,;:(\u2013—-]{1,4}(?:e\.\s?g\.?|for (?:example|instance)|such as|"
    r"like|i\.\s?e\.?|z\.\s?B\.|p(?:ar)?\.? ?ex(?:emple)?\.?|"
    r"por ejemplo|por exemplo)[\s,:]{1,3}[`*\"'(]{0,3}"
    r"(?P<shown>(?:https?://)?[\w.:/%,+-]{3,200})",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z][A-Za-z_-]{1,30}")
_NUMBER = re.compile(r"[+-]?\d{1,12}(?:\.\d{1,12})?")
_VERB = re.compile(r"\b(get|post|put|patch|delete)\s(?:http\s)?requests?\b", re.IGNORECASE)


class PatternExample:
    """Finds paths whose variable parts only the example behind them tells."""

    name = "pattern-example"

    def find(self, outline: Outline) -> Iterator[Candidate]:
        """Yield a candidate for each path that an example of its shape follows."""
        for place in outline.places:
            if place.role not in {"paragraph", "item", "cell"}:
                continue
            for token in place.text.tokens[:40]:
                text = _template(place, token)
                if not text:
                    continue
                verbs = {
                    verb.upper() for verb in _VERB.findall(place.text.text[: token.start][-120:])
                }
                yield Candidate(
                    text=text,
                    index=place.index,
                    span=place.span,
                    rule=self.name,
                    reason=f"the example behind {token.raw[:80]} tells its variable parts",
                    confidence=0.8,
                    method=verbs.pop() if len(verbs) == 1 else "",
                    row=place.row,
                    order=token.start,
                )


def _valued(segment: str) -> bool:
    return value_like(segment) or bool(_NUMBER.fullmatch(segment))


def _template(place: Place, token: Token) -> str:
    """The path with braces around the words for which the example has values; "" if none."""
    found = _EXAMPLE.match(place.text.text, token.end)
    if not found or any(mark in token.raw for mark in "{<[:?"):
        return ""
    targets = parse_targets(found.group("shown").rstrip(".,;:"))
    shown = split(targets[0].path) if targets else []
    parts = split(token.raw)
    if token.kind != "path" or len(parts) < 2 or len(parts) != len(shown):
        return ""
    differing = [n for n, part in enumerate(parts) if part.lower() != shown[n].lower()]
    if not differing or 0 in differing:
        return ""
    if not all(_WORD.fullmatch(parts[n]) and _valued(shown[n]) for n in differing):
        return ""
    filled = [f"{{{part}}}" if n in differing else part for n, part in enumerate(parts)]
    return "/" + "/".join(filled)
