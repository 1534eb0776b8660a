"""The only ways in which text of documentation and servers gets into generated source.

Everything that a template prints is a `Code`. Untrusted text becomes one as a checked `Identifier`,
as a `Literal` built by `repr`, or as a `Docstring` that no text can end; the rest is our own words.
"""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from doc2tools.compiler.emit.text import printable

IDENTIFIER_LIMIT = 64
_CHUNK = 68
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


@dataclass(frozen=True, slots=True)
class Code:
    """A piece of source that is safe to print."""

    source: str

    def __str__(self) -> str:
        """Give the source."""
        return self.source


@dataclass(frozen=True, slots=True)
class Identifier(Code):
    """A name: ASCII, no keyword, no dunder, of bounded length."""

    def __post_init__(self) -> None:
        """Refuse what is no plain name; `identifier` makes one out of any text."""
        if not is_identifier(self.source):
            raise AssertionError(f"not an identifier: {self.source!r}")


@dataclass(frozen=True, slots=True)
class Literal(Code):
    """A constant expression in ASCII; long strings come as adjacent parts in parentheses."""

    @classmethod
    def of(cls, value: object) -> Literal:
        """Write `value`, made of JSON's types, as an expression that evaluates to it."""
        return cls(_literal(value, 0))


@dataclass(frozen=True, slots=True)
class Docstring(Code):
    """A triple-quoted string. `text` is what it holds once Python has read it."""

    text: str = ""

    @classmethod
    def of(cls, text: str, indent: int = 0) -> Docstring:
        """Quote `text`, already wrapped, with all lines but the first indented by `indent`."""
        lines = [printable(line).rstrip().replace('"""', "'''") for line in text.split("\n")]
        while len(lines) > 1 and not lines[-1]:
            lines.pop()
        pad = " " * indent
        body = "\n".join([lines[0], *(pad + line if line else "" for line in lines[1:])])
        # Backslashes are not doubled: lines keep the width to which they were wrapped.
        prefix = "r" if "\\" in body else ""
        if len(lines) > 1 or (prefix and body.endswith(("\\", '"'))):
            return cls(f'{prefix}"""{body}\n{pad}"""', "\n".join(lines))
        if body.endswith('"'):
            body = body[:-1] + '\\"'
        return cls(f'{prefix}"""{body}"""', lines[0])


@dataclass(frozen=True, slots=True)
class Expression(Code):
    """Code put together from other `Code` and our own words by the functions of this package."""


def is_identifier(text: str) -> bool:
    """Say whether `text` can stand as a name in generated source as it is."""
    return (
        len(text) <= IDENTIFIER_LIMIT
        and _PLAIN.match(text) is not None
        and not keyword.iskeyword(text)
        and not text.startswith("__")
        and text != "_"
    )


def identifier(text: str, taken: Container[str] = (), fallback: str = "value") -> Identifier:
    """Make a name out of any text that is not in `taken`; a good free name stays as it is."""
    name = text if is_identifier(text) else _fold(text, fallback)
    number = 2
    free = name
    while free in taken:
        tail = f"_{number}"
        free = name[: IDENTIFIER_LIMIT - len(tail)] + tail
        number += 1
    return Identifier(free)


def _fold(text: str, fallback: str) -> str:
    folded = unicodedata.normalize("NFKD", text[:1_000]).encode("ascii", "ignore").decode()
    name = re.sub(r"[^A-Za-z0-9]+", "_", folded).strip("_")[: IDENTIFIER_LIMIT - 8].rstrip("_")
    if not name:
        name = fallback
    if name[0].isdigit():
        name = f"n{name}"
    return f"{name}_" if keyword.iskeyword(name) else name


def _literal(value: object, depth: int) -> str:
    if depth >= 100:
        raise AssertionError("literal nested too deeply")
    if isinstance(value, str):
        return _string(value)
    if value is None or isinstance(value, bool | int):
        return repr(value)
    if isinstance(value, float):
        return repr(value) if value - value == 0 else f"float({str(value)!r})"
    if isinstance(value, Mapping):
        mapping = cast("Mapping[str, object]", value)
        pairs = (
            f"{_literal(key, depth + 1)}: {_literal(item, depth + 1)}"
            for key, item in mapping.items()
        )
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, Sequence):
        items = cast("Sequence[object]", value)
        return f"[{', '.join(_literal(item, depth + 1) for item in items)}]"
    raise AssertionError(f"no literal for {type(value).__name__}")


def _string(value: str) -> str:
    if len(ascii(value)) <= _CHUNK + 12:
        return _quoted(value)
    parts = [_quoted(value[at : at + _CHUNK]) for at in range(0, len(value), _CHUNK)]
    return "(" + " ".join(parts) + ")"


def _quoted(value: str) -> str:
    quoted = ascii(value)
    if quoted.startswith("'") and '"' not in quoted:
        return f'"{quoted[1:-1]}"'
    return quoted


def toml_string(text: str) -> str:
    """Write `text` as a TOML basic string: JSON's escapes, controls and all but ASCII escaped."""
    parts: list[str] = []
    for character in printable(text):
        code = ord(character)
        if character in '"\\':
            parts.append("\\" + character)
        elif 0x20 <= code < 0x7F:
            parts.append(character)
        else:
            parts.append(f"\\U{code:08X}")
    return '"' + "".join(parts) + '"'


def markdown(text: str) -> str:
    """Escape `text` for a line or a table cell of Markdown, HTML included."""
    line = " ".join(printable(text).split())
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_{}\[\]()#!|~$])", r"\\\1", line)


def markdown_code(text: str) -> str:
    """Give `text` as a code span that it cannot end, safe inside a table."""
    line = " ".join(printable(text).split()).replace("|", "\\|")
    longest = max((len(run) for run in re.findall(r"`+", line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{line}{pad}{fence}" if line else ""
