"""Tells lists of parameters from lists of a parameter's values and of endpoints."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from doc2tools.compiler.extract.parameters.mention import Mention
from doc2tools.compiler.ir.document import DefinitionList, ListBlock, Paragraph

_BRACKETED: Final = re.compile(r"\[([?&][^\[\]\n]{1,300}(?:\[[^\[\]\n]{0,60}\])?)")
_OF_ENDPOINTS: Final = re.compile(
    r"\b(?:endpoints?|resources?|methods?|operations?|calls|requests) (?:that|which|to|for|of|such "
    r"as|like)\b[^.]{0,80}\Z",
    re.I,
)


def are_values(
    mentions: Sequence[Mention], known: Sequence[Mention], about: str, *, free: bool
) -> bool:
    """Tell whether a list gives the values of a parameter read before, and note them.

    Args:
        mentions: What the list reads as.
        known: The parameters read last.
        about: The text before the list.
        free: Nothing before the list announces parameters.
    """
    names = [mention.name for mention in mentions]
    for other in reversed(known):
        if len(other.enum) >= 2 and set(names) <= set(other.enum):
            return True
    named = re.findall(r"[\w$.\-\[\]]+", about)
    if not about.rstrip().endswith((":", ".")) or len(named) > 60 or not free:
        return False
    if any(m.required is not None or m.type is not None or m.examples for m in mentions):
        return False
    for other in reversed(known):
        if other.name in named and other.name not in names:
            other.enum = other.enum or tuple(names)
            return True
    return False


def are_endpoints(
    block: ListBlock | DefinitionList, mentions: Sequence[Mention], about: str
) -> bool:
    """Tell whether bare words list what endpoints are about: "the endpoints that list"."""
    if not _OF_ENDPOINTS.search(about) or any(_is_described(mention) for mention in mentions):
        return False
    first = [inner for item in block.items for inner in item.blocks[:1]]
    return not any(
        run.code for inner in first if isinstance(inner, Paragraph) for run in inner.runs
    )


def bracketed_names(text: str) -> list[str]:
    """Give the names that addresses in `text` hold in brackets: `/range?from={x}[&step={y}]`."""
    if "[&" not in text and "[?" not in text:
        return []
    inner = _BRACKETED.findall(text[:20_000])
    return [name for part in inner for name in re.findall(r"[?&]([\w.-]{1,60})=", part)][:100]


def _is_described(mention: Mention) -> bool:
    said = (mention.description, mention.type, mention.examples, mention.enum, mention.default)
    return any(said) or mention.required is not None


def folded(mentions: list[Mention]) -> Mention:
    """Fold `type=a`, `type=b` to one parameter with its choices."""
    first = mentions[0]
    first.enum = tuple(dict.fromkeys(v for mention in mentions for v in mention.examples))
    first.examples = ()
    return first
