"""Functions of an RPC-like API: one URL with `?action=name`, and the names listed elsewhere."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from doc2tools.compiler.extract.candidates import Candidate
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.places import Place
from doc2tools.compiler.extract.selectors import SELECTOR_NAMES
from doc2tools.compiler.extract.templates import parse_targets
from doc2tools.compiler.ir.document import Heading, plain

_NAME = re.compile(r"[A-Za-z][\w.]{1,60}")
_WRITES = re.compile(
    r"(?:set|add|create|update|delete|del|remove|forget|save|post|put|edit|insert|send|change|"
    r"upload|register|extend|new)(?=_|[A-Z]|\Z)"
)
_BY_PURPOSE = re.compile(
    r"\bGET\b[^.\n]{0,60}\b(?:quer|read|retriev|fetch|get)\w*[^.\n]{0,60}\bPOST\b[^.\n]{0,60}"
    r"\b(?:set|writ|delet|chang|updat|creat|modif)\w*"
)


class FunctionList:
    """Finds the other functions where one is shown in an address."""

    name = "function-list"

    def find(self, outline: Outline) -> Iterator[Candidate]:
        """Yield a candidate for each name that is set as the shown function's name is set."""
        shown = _shown(outline)
        if not shown:
            return
        alone: dict[str, list[tuple[str, Place]]] = defaultdict(list)
        for place in outline.places:
            text = place.text.text.strip().rstrip("()").strip()
            if place.role in {"heading", "paragraph", "term", "cell", "item"} and _NAME.fullmatch(
                text
            ):
                alone[_style(outline, place)].append((text, place))
        purpose = any(
            _BY_PURPOSE.search(place.text.text)
            for place in outline.places
            if place.role in {"paragraph", "item"}
        )
        for stem, name, value in shown:
            for named in alone.values():
                if not any(text == value for text, _ in named) or len(named) > 300:
                    continue
                joined = [(t, p) for t, p in named if _joined(t) == _joined(value)]
                for text, place in joined:
                    yield Candidate(
                        text=f"{stem}?{name}={text}",
                        index=place.index,
                        span=place.span,
                        rule=self.name,
                        reason=f"{text} is set like {value}, which {name}={value} selects",
                        confidence=0.8,
                        method="POST" if purpose and _WRITES.match(text) else "",
                        row=place.row if place.role in {"cell", "item", "term"} else None,
                        title=text,
                    )


def _shown(outline: Outline) -> list[tuple[str, str, str]]:
    """Addresses with a selecting parameter: the address, the parameter, the function."""
    found: dict[tuple[str, str], tuple[str, str, str]] = {}
    for place in outline.places:
        for token in place.text.tokens:
            if token.kind != "url" or "?" not in token.raw or "=" not in token.raw:
                continue
            targets = parse_targets(token.raw)
            for name, value in targets[0].query if targets else ():
                if value and _NAME.fullmatch(value) and name.lower() in SELECTOR_NAMES:
                    stem = token.raw.partition("?")[0]
                    found.setdefault((stem, name), (stem, name, value))
    return list(found.values())[:10]


def _style(outline: Outline, place: Place) -> str:
    """Places look alike where role, level or column, and a small heading above are the same."""
    entry = outline.entries[place.index]
    if place.role == "heading":
        return f"heading {entry.depth}"
    if place.role == "cell":
        return f"cell {place.index} {place.column}"
    heading = outline.entries[entry.heading].block if entry.heading >= 0 else None
    above = plain(heading.runs) if isinstance(heading, Heading) else ""
    if place.role == "paragraph":
        return f"paragraph under {above}"
    return f"{place.role} {entry.parent}"


def _joined(text: str) -> str:
    return "snake" if "_" in text else "dot" if "." in text else "word"
