"""Parameters in a JSON directory of the API: sample answers that list endpoints and their keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.parameters.bodies import looks_json, parse_json
from doc2tools.compiler.extract.parameters.mention import LISTED, Mention
from doc2tools.compiler.extract.parameters.routes import Routes
from doc2tools.compiler.extract.parameters.types import read_type
from doc2tools.compiler.extract.templates import parse_targets
from doc2tools.compiler.ir.base import JsonValue, Location
from doc2tools.compiler.ir.document import Code
from doc2tools.compiler.ir.source import Span

_ADDRESSES: Final = ("path", "fullUrl", "url", "uri", "endpoint", "route", "href", "link")
_LISTS: Final[tuple[tuple[str, Location | None], ...]] = (
    ("query", "query"), ("path", "path"), ("header", "header"), ("body", "body"), ("form", "form"),
    ("param", None), ("arg", None),
)  # fmt: skip
_MAX_OBJECTS: Final = 5_000


def directory_mentions(outline: Outline, routes: Routes) -> list[tuple[int, Mention]]:
    """Give the parameters that JSON on the page lists for endpoints, with the endpoint's number."""
    found: list[tuple[int, Mention]] = []
    for entry in outline.entries:
        block = entry.block
        if not isinstance(block, Code) or not looks_json(block.text) or "aram" not in block.text:
            continue
        for item in _objects(parse_json(block.text)):
            address = next((v for k in _ADDRESSES if isinstance(v := item.get(k), str)), "")
            if not address:
                continue
            mentions = list(_listed(item, block.span))
            if not mentions:
                continue
            for target in parse_targets(address)[:1]:
                for route, _ in routes.find(target):
                    found.extend((route.number, mention) for mention in mentions)
    return found


def _objects(value: JsonValue) -> Iterator[dict[str, JsonValue]]:
    stack: list[JsonValue] = [value]
    for _ in range(_MAX_OBJECTS):
        if not stack:
            return
        inner = stack.pop()
        if isinstance(inner, dict):
            yield inner
            stack.extend(inner.values())
        elif isinstance(inner, list):
            stack.extend(inner)


def _listed(item: dict[str, JsonValue], span: Span) -> Iterator[Mention]:
    for key, value in item.items():
        lowered = key.lower()
        if "param" not in lowered and "arg" not in lowered:
            continue
        places: list[Location | None] = [where for word, where in _LISTS if word in lowered]
        entries: Sequence[JsonValue] = value if isinstance(value, list) else []
        if isinstance(value, dict):
            entries = [
                {"name": name, **inner} if isinstance(inner, dict) else {"name": name}
                for name, inner in value.items()
            ]
        for entry in entries[:100]:
            mention = _mention(entry, places[0], span)
            if mention is not None:
                yield mention


def _mention(entry: JsonValue, location: Location | None, span: Span) -> Mention | None:
    if isinstance(entry, str):
        entry = {"name": entry}
    if not isinstance(entry, dict):
        return None
    name = entry.get("name") or entry.get("key")
    if not isinstance(name, str) or not 0 < len(name) <= 60 or "\n" in name:
        return None
    mention = Mention(name, span, "json-directory", LISTED, location)
    for key, meaning in (("required", True), ("mandatory", True), ("optional", False)):
        value = entry.get(key)
        if isinstance(value, bool):
            mention.required, mention.marked = value is meaning, True
    kind = entry.get("type")
    if isinstance(kind, str):
        mention.take_type(read_type(kind))
    lists = [v for k in ("values", "enum", "options") if isinstance(v := entry.get(k), list)]
    choices: list[JsonValue] = lists[0] if lists else []
    mention.enum = tuple(
        str(value) for value in choices[:50] if isinstance(value, str | int | float)
    )
    default = entry.get("default")
    if isinstance(default, str | int | float):
        mention.default = str(default)
    text = entry.get("description")
    if isinstance(text, str):
        mention.take_text(text)
    return mention
