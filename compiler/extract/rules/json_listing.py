"""An answer that lists the API's own endpoints: `{"path": "/users/<id>", "type": "GET"}`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from doc2tools.compiler.extract.candidates import Candidate
from doc2tools.compiler.extract.code import line_of
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.places import line_span
from doc2tools.compiler.extract.verbs import as_method
from doc2tools.compiler.ir.document import Code

_PAIR = re.compile(
    r"\"(?P<key>[\w -]{1,60})\"\s{0,4}:\s{0,4}\"(?P<value>(?:https?://|/)[^\"\s]{0,300})\""
)
_KEY = re.compile(r"(?:url|uri|path|href|endpoint|route|link|template)s?\Z", re.IGNORECASE)
_METHOD = re.compile(
    r"\"(?:type|method|verb|http_?method)\"\s{0,4}:\s{0,4}\"(\w{3,7})\"", re.IGNORECASE
)
_NAME = re.compile(
    r"\"(?:name|title|summary|description)\"\s{0,4}:\s{0,4}\"([^\"\n]{1,160})\"", re.IGNORECASE
)


class JsonListing:
    """Finds endpoints in sample answers that describe them, told by their placeholders."""

    name = "json-listing"

    def find(self, outline: Outline) -> Iterator[Candidate]:
        """Yield a candidate for each address in an answer that lists templates."""
        for index, reading in outline.readings.items():
            block = outline.entries[index].block
            if not isinstance(block, Code) or not reading.answer:
                continue
            pairs = [
                m for m in _PAIR.finditer(reading.answer[:40_000]) if _KEY.search(m.group("key"))
            ]
            values = {match.group("value") for match in pairs}
            templates = {value for value in values if re.search(r"[{<]\w|/:\w", value)}
            if len(values) < 3 or not templates:
                continue
            shift = max(0, block.text.find(reading.answer[:200]))
            for match in pairs[:200]:
                line = line_of(block.text, shift + match.start())
                around = _object(reading.answer, match.start(), match.end())
                method = _METHOD.search(around)
                name = _NAME.search(around)
                yield Candidate(
                    text=match.group("value"),
                    index=index,
                    span=line_span(block, line, line),
                    rule=self.name,
                    reason=f"a sample answer lists {match.group('value')[:80]} as an endpoint",
                    confidence=0.65,
                    method=as_method(method.group(1)) if method else "",
                    row=line,
                    order=match.start(),
                    title=name.group(1) if name else "",
                )


def _object(text: str, start: int, end: int) -> str:
    """The object around a pair, nested lists left in; as far as 600 characters."""
    first = max(text.rfind("\n  {", 0, start), text.rfind("\n    {", max(0, start - 40), start),
                start - 600, 0)  # fmt: skip
    last = text.find("\n  }", end)
    return text[first : min(end + 600, last if last > 0 else len(text))]
