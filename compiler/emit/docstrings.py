"""Docstrings of tools, in Google's style."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from doc2tools.compiler.emit.code import Docstring
from doc2tools.compiler.emit.text import one_line, sentence, wrap
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.source import Span
from doc2tools.compiler.ir.spec import Endpoint, Parameter

if TYPE_CHECKING:
    from doc2tools.compiler.emit.functions import Function

WIDTH = 100
_DESCRIPTION = 900
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)(?<!vs\.)\s+(?=[A-Z])")
_PARAMETER = 400
FIELDS = "JMESPath expression; what it takes of the answer is returned instead."
BOUND = "Pages to read at most; by default all, up to 1,000."


@dataclass(frozen=True, slots=True)
class Example:
    """The proved call as a reader would type it, and what it printed, shortened."""

    lines: tuple[str, ...]
    output: str


def headline(endpoint: Endpoint) -> str:
    """Give the docstring's first line."""
    text = endpoint.summary or endpoint.title or endpoint.description
    first = _SENTENCE_END.split(one_line(text, 2_000), maxsplit=1)[0]
    line = sentence(first if len(first) >= 8 else text, 400)
    return line or sentence(one_line(endpoint.name.replace("_", " "), 80))


def describe(function: Function, indent: int) -> Docstring:
    """Write the docstring of a tool.

    Args:
        function: The tool.
        indent: Columns by which the function's body is indented.
    """
    endpoint = function.endpoint
    width = WIDTH - indent
    lines = wrap(headline(endpoint), width - 3) or ["Call the API."]
    for paragraph in _paragraphs(endpoint):
        lines += ["", *wrap(paragraph, width)]
    described = _arguments(function)
    if function.fields is not None:
        described.append(f"{function.fields}: {FIELDS}")
    lines += _section("Args", described, width)
    lines += ["", "Returns:", *wrap(_returns(function), width, " " * 4, " " * 4)]
    lines += ["", "Raises:", "    ApiError: The server answered with an error, or not at all."]
    if function.example is not None:
        lines += ["", "Example:", *(f"    {line}" for line in function.example.lines)]
        if function.example.output:
            lines.append(f"    {function.example.output}")
    if endpoint.spans:
        lines += ["", *wrap(f"Source: {_places(endpoint.spans)}", width)]
    return Docstring.of("\n".join(lines), indent)


def describe_iterator(function: Function, indent: int) -> Docstring:
    """Write the docstring of the iterator over all pages of a tool's answers."""
    width = WIDTH - indent
    lines = wrap(f"Yield the items of all pages of `{function.name}`.", width - 3)
    described = _arguments(function)
    if function.iteration is not None:
        described.append(f"{function.iteration.bound}: {BOUND}")
    lines += _section("Args", described, width)
    lines += ["", "Yields:", "    Each item; a page is read when its first item is asked for."]
    lines += ["", "Raises:", "    ApiError: The server answered with an error, or not at all."]
    return Docstring.of("\n".join(lines), indent)


def describe_twin(function: Function, iterator: str) -> Docstring:
    """Write the docstring of an asynchronous twin, that of the iterator where one is named."""
    first = headline(function.endpoint) or "Call the API."
    if iterator:
        first = f"Yield the items of all pages of `{function.name}`."
    place = f"`{iterator or function.name}` of `tools.{function.module}`"
    lines = wrap(first, WIDTH - 7)
    lines += ["", *wrap(f"As {place}, with the event loop free.", WIDTH - 4)]
    return Docstring.of("\n".join(lines), 4)


def _arguments(function: Function) -> list[str]:
    return [
        f"{name}: {parameter_text(parameter, name.source)}".rstrip()
        for parameter, name in function.arguments()
    ]


def _section(title: str, described: list[str], width: int) -> list[str]:
    if not described:
        return []
    lines = ["", f"{title}:"]
    for text in described:
        lines += wrap(text, width, " " * 4, " " * 8)
    return lines


def _paragraphs(endpoint: Endpoint) -> list[str]:
    paragraphs: list[str] = []
    known = one_line(headline(endpoint)).rstrip(".").casefold()
    summary = one_line(endpoint.summary).casefold()
    room = _DESCRIPTION
    for source in (endpoint.summary, endpoint.description):
        for part in re.split(r"\n\s*\n", source[:8_000]):
            text = sentence(part)
            folded = text.rstrip(".").casefold()
            if not folded or folded == known or room <= 0:
                continue
            if source is endpoint.description and folded in summary:
                continue
            if folded.startswith(known) and known:
                text = sentence(text[len(known) :].lstrip(".!? "))
                if not text:
                    continue
            text = one_line(text, room)
            if text not in paragraphs:
                paragraphs.append(text)
                room -= len(text)
    if endpoint.deprecated:
        paragraphs.append("Deprecated: the documentation advises against it.")
    if endpoint.effect.kind == "write":
        paragraphs.append("Changes state on the server.")
    if endpoint.effect.kind == "destructive":
        paragraphs.append("Deletes or overwrites state on the server.")
    return paragraphs


def parameter_text(parameter: Parameter, name: str = "") -> str:
    """Describe a parameter in one line: what it is, an example, its default.

    Args:
        parameter: The parameter.
        name: The argument's name, where the reader shall learn that it is sent under another.
    """
    parts = [sentence(parameter.description, _PARAMETER)]
    if not parts[0]:
        parts = [_by_type(parameter)]
    notes: list[str] = []
    if name and parameter.name != name:
        notes.append(f"sent as `{one_line(parameter.name, 80).replace('`', '')}`")
    example = next((e.value for e in parameter.examples if e.origin == "documented"), None)
    shown = _short(example)
    if shown and shown.strip('"') not in parts[0]:
        notes.append(f"for example {shown}")
    default = _short(parameter.default)
    if default and default.strip('"') not in parts[0]:
        notes.append(f"by default {default}")
    if parameter.deprecated:
        notes.append("deprecated")
    if notes:
        note = "; ".join(notes)
        parts.append(f"{note[0].upper()}{note[1:]}.")
    return " ".join(part for part in parts if part)


def _by_type(parameter: Parameter) -> str:
    words = {
        "path": "Part of the path.",
        "query": "Query parameter.",
        "header": "Request header.",
        "cookie": "Cookie.",
        "body": "Field of the body.",
        "form": "Form field.",
    }
    return words[parameter.location]


def _short(value: JsonValue) -> str:
    if isinstance(value, str):
        return f'"{value}"' if value and len(value) <= 60 and value.isprintable() else ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else ""


def _returns(function: Function) -> str:
    kind = function.returns.type.name
    if function.returns.fields:
        names = [f"`{one_line(name, 60)}`" for name in function.returns.fields[:8]]
        more = ", and more" if len(function.returns.fields) > 8 else ""
        listed = ", ".join(names) if more or len(names) == 1 else _listed(names)
        many = kind in ("list", "dict")
        return f"The answer{': items' if many else ''} with {listed}{more}."
    if kind == "str":
        return "The answer's text."
    if kind == "bytes":
        return "The answer's content."
    return "The answer, parsed."


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _places(spans: tuple[Span, ...]) -> str:
    """Name the lines of each page, from the first to the last that count."""
    pages: dict[str, tuple[int, int]] = {}
    for span in spans:
        start, end = pages.get(span.page, (span.start, span.end))
        pages[span.page] = (min(start, span.start), max(end, span.end))
    places = [
        f"{one_line(page, 160)}, line{'s' if end > start else ''} {start}"
        + (f"-{end}" if end > start else "")
        for page, (start, end) in list(pages.items())[:4]
    ]
    return f"{'; '.join(places)}."
