"""What people may call an endpoint, and which endpoints words such as "all POST requests" mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from doc2tools.compiler.extract.candidates import Findings, LocatedEndpoint
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.parameters.roles import read_role
from doc2tools.compiler.ir.document import Code, Heading, Paragraph, plain

_METHODS: Final = (
    r"(?:GET|POST|PUT|PATCH|DELETE)(?:(?:,| and| or|/|, and|, or)\s?(?:GET|POST|PUT|PATCH|"
    r"DELETE)){0,4}"
)
_EXCEPT: Final = re.compile(
    rf"\b(?:except|excluding|other than|but not)(?: for)?(?: the)?(?: all)? ({_METHODS})(?! /)\b"
)
_ONLY_METHOD: Final = re.compile(
    rf"\b(?:[Aa]ll|[Ee]very|[Ee]ach|[Aa]ny) ({_METHODS}) (?:request|call|endpoint|method)s?\b"
)


def path_names(outline: Outline) -> Iterator[str]:
    """Names that some path on the page has as placeholders, endpoints' or not."""
    for entry in outline.entries:
        block = entry.block
        text = block.text[:5000] if isinstance(block, Code) else ""
        if isinstance(block, Heading | Paragraph):
            text = plain(block.runs)[:2000]
        if "/" in text and "{" in text:
            for token in text.split():
                path = token.partition("?")[0]
                if "/" in path and len(path) < 300:
                    yield from re.findall(r"[/.({,]\{?([\w-]{1,40})\}", path)


def is_list(located: LocatedEndpoint) -> bool:
    """Tell whether an endpoint reads, by its path, several things."""
    draft = located.draft
    return draft.method.value == "GET" and not draft.path.value.rstrip("/").endswith("}")


def announces(text: str) -> bool:
    """Tell whether `text` announces request parameters."""
    role = read_role(text)
    return role is not None and role.kind == "request"


def of_method(text: str, numbers: tuple[int, ...], findings: Findings) -> tuple[int, ...]:
    """Keep the endpoints whose method the text speaks of: "all `POST` requests", "except GET"."""
    plain_text = text.replace("`", "")
    excepted = _EXCEPT.search(plain_text)
    only = _ONLY_METHOD.search(plain_text)
    if excepted:
        out = set(re.findall(r"[A-Z]{3,6}", excepted.group(1)))
        return tuple(n for n in numbers if findings.endpoints[n].draft.method.value not in out)
    if only:
        kept = set(re.findall(r"[A-Z]{3,6}", only.group(1)))
        return tuple(n for n in numbers if findings.endpoints[n].draft.method.value in kept)
    return numbers


def shape(path: str) -> str:
    """Give a path with its placeholders made alike."""
    path = re.sub(r"\{[^{}]{0,80}\}|<[^<>]{0,80}>|:[a-z_]\w{0,60}|\[[^\[\]]{0,60}\]", "{}", path)
    return path.rstrip("/") or "/"


def last_literal(located: LocatedEndpoint) -> str:
    """Give the last part of the path that is no placeholder."""
    parts = located.draft.path.value.partition("?")[0].lower().split("/")
    return next((part for part in reversed(parts) if part and "{" not in part), "")


def calls(located: LocatedEndpoint) -> frozenset[str]:
    """What people may call an endpoint: its last segment, its title, its heading, its selector."""
    draft = located.draft
    query = draft.path.value.partition("?")[2].lower()
    names = {
        draft.title.lower(),
        (draft.section or ("",))[-1].lower(),
        last_literal(located),
        query.rpartition("=")[2],
    }
    return frozenset(name for name in names if 2 <= len(name) <= 80)
