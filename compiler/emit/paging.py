"""Where the items of a paged answer are, and what leads to the next page: from the proved answer.

An iterator is written only where both are known: the documentation or the answer tells the style,
and the answer that validated the tool shows the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from doc2tools.compiler.emit.answers import Answer, proof
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.draft import PaginationDraft
from doc2tools.compiler.ir.outcome import Tool
from doc2tools.compiler.ir.spec import Endpoint, Parameter

_DEPTH = 2
_ITEMS = frozenset(
    (
        *("items", "data", "results", "result", "records", "rows", "entries", "values", "objects"),
        *("elements", "content", "hits", "list", "members", "nodes", "edges", "docs", "page"),
    )
)
_CURSORS = frozenset(
    (
        *("next", "nextcursor", "nexttoken", "nextpagetoken", "nextpage", "cursor", "after"),
        *("continuationtoken", "continuation", "marker", "nextmarker", "scrollid", "bookmark"),
        *("pagetoken", "endcursor", "continue", "nextoffset"),
    )
)
_LINKS = frozenset(
    (
        *("next", "nexturl", "nextlink", "nextpage", "nextpageurl", "nexthref", "odatanextlink"),
        "nextpagelink",
    )
)
_BESIDE = frozenset(("errors", "warnings", "links", "messages", "included", "facets", "columns"))


@dataclass(frozen=True, slots=True)
class Paging:
    """How a tool's answers are paged.

    Attributes:
        style: What leads to the next page.
        items: Names that lead from the answer to the list of items.
        parameter: What selects a page, if a parameter does.
        following: Names that lead from the answer to the next cursor or address.
        first: The number of the first page.
    """

    style: Literal["page", "offset", "cursor", "link-header", "next-url"]
    items: tuple[str, ...]
    parameter: Parameter | None = None
    following: tuple[str, ...] = ()
    first: int = 1

    @property
    def place(self) -> str:
        """The part of the request that carries the parameter."""
        return self.parameter.location if self.parameter is not None else "query"


def paging_of(tool: Tool, answer: Answer | None) -> Paging | None:
    """Tell how the answers of a tool are paged; `None` where that is not known.

    Args:
        tool: The tool.
        answer: The answer that validated it.
    """
    endpoint = tool.endpoint
    if answer is None or answer.kind != "json" or endpoint.effect.kind != "read":
        return None
    if tool.outcome.status != "validated" or endpoint.method.upper() not in ("GET", "POST"):
        return None
    items = items_at(answer.value, endpoint)
    if items is None:
        return None
    draft = endpoint.pagination
    if draft is not None and draft.style in ("page", "offset", "cursor"):
        found = _by_parameter(endpoint, draft, items, answer.value)
        if found is not None:
            return found
    return _by_link(tool, items, answer.value)


def items_at(value: JsonValue, endpoint: Endpoint) -> tuple[str, ...] | None:
    """Find the list of items in an answer: its names from the top; `None` where it is not plain."""
    if isinstance(value, list):
        return ()
    lists = [path for path, inner in _below(value) if isinstance(inner, list)]
    lists = [path for path in lists if _folded(path[-1]) not in _BESIDE] or lists
    for depth in range(1, _DEPTH + 1):
        level = [path for path in lists if len(path) == depth]
        named = [path for path in level if _folded(path[-1]) in _ITEMS]
        nouns = [path for path in level if _folded(path[-1]) in _words(endpoint)]
        for chosen in (named, nouns, level):
            if len(chosen) == 1:
                return chosen[0]
        if level:
            return None
    return None


def _below(value: JsonValue) -> Iterator[tuple[tuple[str, ...], JsonValue]]:
    """Yield what is below a value under names, at most two of them, those near the top first."""
    if not isinstance(value, dict):
        return
    for key, inner in value.items():
        yield (key,), inner
    for key, inner in value.items():
        if isinstance(inner, dict):
            yield from (((key, name), found) for name, found in inner.items())


def _folded(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _words(endpoint: Endpoint) -> frozenset[str]:
    parts = (*endpoint.path.split("/"), endpoint.name, *endpoint.name.split("_"), endpoint.group)
    return frozenset(_folded(part) for part in parts if "{" not in part and part)


def _by_parameter(
    endpoint: Endpoint, draft: PaginationDraft, items: tuple[str, ...], value: JsonValue
) -> Paging | None:
    named = [p for name in draft.parameters for p in endpoint.parameters if p.name == name]
    usable = [p for p in named if p.location in ("query", "body", "form")]
    if not usable:
        return None
    parameter = usable[0]
    if parameter.location != "query" and endpoint.body_kind in ("multipart", "text"):
        return None
    if parameter.location == "body" and endpoint.body_kind == "form":
        return None
    if draft.style == "cursor":
        following = _cursor_at(value, parameter)
        if following is None:
            return None
        return Paging("cursor", items, parameter, following)
    return Paging(draft.style, items, parameter, first=_first(parameter, value))


def _cursor_at(value: JsonValue, parameter: Parameter) -> tuple[str, ...] | None:
    own = _folded(parameter.name)
    wanted = [f"next{own}", *sorted(_CURSORS - {own}), own]
    found = {
        _folded(path[-1]): path
        for path, inner in reversed(list(_below(value)))
        if inner is None or (isinstance(inner, str | int) and not isinstance(inner, bool))
    }
    return next((found[name] for name in wanted if name in found), None)


def _first(parameter: Parameter, value: JsonValue) -> int:
    """Give the number of the first page: by the answer's own word, else the documentation's."""
    echo = value.get(parameter.name) if isinstance(value, dict) else None
    if echo == 0 and not isinstance(echo, bool):
        return 0
    stated: Iterable[JsonValue] = (
        parameter.default,
        parameter.minimum,
        *(example.value for example in parameter.examples),
    )
    return 0 if any(str(one) in ("0", "0.0") for one in stated if one is not None) else 1


def _by_link(tool: Tool, items: tuple[str, ...], value: JsonValue) -> Paging | None:
    """Tell the style from links that the answer holds, or that the documentation promises."""
    endpoint = tool.endpoint
    exchange = proof(tool.outcome)
    response = exchange.response if exchange is not None else None
    headers = response.headers if response is not None else {}
    documented = endpoint.pagination.style if endpoint.pagination is not None else ""
    for path, inner in _below(value):
        if _folded(path[-1]) in _LINKS and (
            _is_address(inner) or (inner is None and documented == "next-url")
        ):
            return Paging("next-url", items, following=path)
    linked = re.search(r'rel="?[^",;]*\bnext\b', headers.get("link", ""))
    if linked or (documented == "link-header" and not items):
        return Paging("link-header", items)
    return None


def _is_address(value: JsonValue) -> bool:
    return isinstance(value, str) and re.match(r"https?://|/[^/]|\?", value) is not None
