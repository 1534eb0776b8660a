"""Reads a parameter's name as documentation writes it: `name*`, `[name]`, `:name`, `name=<x>`."""

# ruff: noqa: RUF001 - the typographic marks and letters are what documentation holds

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

IDENTIFIER: Final = re.compile(r"[A-Za-z_$@][\w$@.\-]{0,79}(?:\[[\w.\-*$]{0,40}\]){0,4}")
_WHOLE: Final = re.compile(rf"(?:{IDENTIFIER.pattern})\Z")
_QUOTES: Final = "'\"`‘’“”«»„"
_HEADER_LINE: Final = re.compile(
    r"([A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+|Authorization|Accept|Cookie)\s{0,20}:\s{0,20}(.*)\Z"
)
_DEPTH: Final = re.compile(r"[\s»›↳└├─│→▸∟>]{1,40}")
_PLACEHOLDER: Final = re.compile(r"(?:\{([^{}]{1,60})\}|<([^<>]{1,60})>|:([A-Za-z_]\w{0,59}))\Z")


@dataclass(frozen=True, slots=True)
class Name:
    """A parameter's name and what its spelling says.

    Attributes:
        name: As sent on the wire.
        value: What stands after `=`, a placeholder or a sample value.
        required: `True` for `name*`, `False` for `name?` and `[name]`.
        placeholder: Written as a placeholder of a path.
        header: Written as a header line.
        depth: Levels of nesting shown by leading marks.
    """

    name: str
    value: str = ""
    required: bool | None = None
    placeholder: bool = False
    header: bool = False
    depth: int = 0


def is_identifier(text: str) -> bool:
    """Tell whether `text` can be a parameter's name as it stands."""
    return _WHOLE.match(text) is not None and not text.endswith((".", "-"))


@lru_cache(maxsize=4096)
def read_name(text: str) -> Name | None:
    """Read `text`, a name and its marks and nothing else; `None` where it is no name."""
    text = text.strip()
    if not text or len(text) > 300:
        return None
    depth = 0
    nested = _DEPTH.match(text)
    if nested and text[nested.end() :]:
        depth = sum(nested.group(0).count(mark) for mark in "»›↳└├→▸∟>") or 1
        text = text[nested.end() :]
    line = _HEADER_LINE.match(text)
    if line:
        return Name(line.group(1), line.group(2).strip(), header=True, depth=depth)
    text = text.rstrip(":,;").strip()
    text, required = _marks(text)
    text = text.lstrip("?&").strip(_QUOTES)
    found = _PLACEHOLDER.match(text)
    if found:
        inner = next(group for group in found.groups() if group)
        inner, optional = _marks(inner)
        if is_identifier(inner):
            return Name(
                inner,
                required=optional if required is None else required,
                placeholder=True,
                depth=depth,
            )
        return None
    head, equals, value = text.partition("=")
    head = head.strip().strip(_QUOTES)
    if not is_identifier(head):
        return None
    return Name(head, value.strip() if equals else "", required, depth=depth)


def _marks(text: str) -> tuple[str, bool | None]:
    required: bool | None = None
    for _ in range(3):
        if len(text) > 1 and text.endswith("*"):
            text, required = text[:-1].rstrip(), True
        elif len(text) > 1 and text.startswith("*"):
            text, required = text[1:].lstrip(), True
        elif len(text) > 1 and text.endswith("?"):
            text, required = text[:-1].rstrip(), False
        elif (
            len(text) > 2 and text.startswith("[") and text.endswith("]") and "[" not in text[1:]
        ) or (text.startswith("(") and text.endswith(")")):
            text, required = text[1:-1].strip(), False
    return text, required
