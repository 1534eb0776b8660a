"""The text of code blocks: lines rebuilt from tags, line numbers and buttons left out."""

from __future__ import annotations

import re
from textwrap import dedent

from doc2tools.compiler.ir.document import Code
from doc2tools.compiler.ir.source import Span
from doc2tools.compiler.load.dom import Node, Text
from doc2tools.compiler.load.inline import clean

_GUTTER = re.compile(
    r"^(?:gutter|lineno|linenos|linenumbers?|linenodiv|line-numbers?(?:-rows)?|ln|ln-num|"
    r"blob-num|hljs-ln-numbers|react-syntax-highlighter-line-number|rouge-gutter|linenum)$"
)
_LINE = re.compile(r"^(?:line|code-?line|token-line|view-line|cl|hljs-ln-line)$")
_LINE_TAGS = frozenset(("div", "p", "li", "tr", "dd", "dt", "ol", "ul", "table"))
_LEFT_OUT = frozenset(("button", "script", "style", "svg", "clipboard-copy"))
_EMPHASIS = frozenset(("em", "i", "var", "b", "strong"))
_LANGUAGE_CLASS = re.compile(
    r"^(?:language|lang|highlight-source|highlight-text|highlight|brush:|source|sourcecode|"
    r"prettyprint-lang|code-lang)[-_:]?([a-z][a-z0-9+#.]*)?(?:-basic)?$"
)
_NO_LANGUAGE = frozenset(("code", "notranslate", "source", "block", "default", "none", "wrap"))
_KNOWN = frozenset(
    [
        "bash",
        "shell",
        "sh",
        "zsh",
        "console",
        "curl",
        "http",
        "https",
        "json",
        "json5",
        "jsonc",
        "xml",
        "html",
        "yaml",
        "yml",
        "toml",
        "ini",
        "text",
        "plaintext",
        "javascript",
        "js",
        "jsx",
        "typescript",
        "ts",
        "tsx",
        "python",
        "python3",
        "py",
        "pycon",
        "ruby",
        "rb",
        "php",
        "java",
        "kotlin",
        "swift",
        "go",
        "golang",
        "rust",
        "c",
        "cpp",
        "csharp",
        "c#",
        "objc",
        "perl",
        "lua",
        "r",
        "sql",
        "graphql",
        "powershell",
        "csv",
        "properties",
        "dart",
        "scala",
        "elixir",
        "httpie",
        "wget",
    ]
)


def is_gutter(node: Node) -> bool:
    """Tell whether an element holds line numbers."""
    return any(_GUTTER.match(name) for name in node.classes)


def language_of(chain: list[Node]) -> str:
    """Read the declared language off an element and those around it, nearest first."""
    for node in chain:
        for key in ("data-lang", "data-language", "lang-name"):
            value = node.get(key).strip().lower()
            if value and len(value) <= 20 and value.isprintable():
                return value
        names = node.classes
        for index, name in enumerate(names):
            found = _LANGUAGE_CLASS.match(name)
            if not found:
                continue
            language = found[1] or (names[index + 1] if index + 1 < len(names) else "")
            language = language.rstrip(";")
            if language and language not in _NO_LANGUAGE and (found[1] or language in _KNOWN):
                return language
    for node in chain[:2]:
        known = [name for name in node.classes if name in _KNOWN]
        if known:
            return known[0]
    return ""


class _Lines:
    """Text of a code block while it is put together."""

    def __init__(self, line: int) -> None:
        self.parts: list[str] = []
        self.first = 0
        self.last = line
        self.emphasised: list[str] = []
        self._due = False

    def add(self, text: str, line: int) -> None:
        text = clean(text)
        if not text:
            return
        if self._due and text[0] != "\n":
            self.parts.append("\n")
        self._due = False
        self.parts.append(text)
        if not text.isspace():
            if not self.first:
                lead = len(text) - len(text.lstrip())
                self.first = line + text.count("\n", 0, lead)
            self.last = max(self.last, line + text.rstrip().count("\n"))

    def newline(self) -> None:
        """End the line; a line feed that follows in the text is the same one."""
        self._due = self._due or bool(self.parts and not self.parts[-1].endswith("\n"))

    def space(self) -> None:
        if self.parts and not self._due and not self.parts[-1].endswith("\n"):
            self.parts.append(" ")


def code_text(node: Node) -> tuple[str, int, int, tuple[str, ...]]:
    """Give the code under `node`, its first and last line, and the texts set in italics or bold."""
    lines = _Lines(node.line)
    # `None` on the stack ends a line after the element whose children stand above it.
    stack: list[Node | Text | None] = list(reversed(node.children))
    while stack:
        item = stack.pop()
        if item is None:
            lines.newline()
        elif isinstance(item, Text):
            if not item.comment:
                lines.add(item.text, item.line)
        elif item.tag == "br":
            lines.add("\n", item.line)
        elif item.tag in _LEFT_OUT or is_gutter(item):
            continue
        else:
            if item.tag in _EMPHASIS and (text := clean(item.text()).strip()):
                lines.emphasised.append(text)
            if item.tag in _LINE_TAGS or any(_LINE.match(name) for name in item.classes):
                if item.tag in _LINE_TAGS:
                    lines.newline()
                stack.append(None)
            elif item.tag in ("td", "th"):
                lines.space()
            stack.extend(reversed(item.children))
    text = "".join(lines.parts).replace("\r", "")
    text = dedent("\n".join(line.rstrip() for line in text.split("\n")).strip("\n"))
    first = lines.first or node.line
    return text, first, max(first, lines.last), tuple(dict.fromkeys(lines.emphasised))


def code_block(
    node: Node, chain: list[Node], page: str, *, label: str = "", hidden: bool = False
) -> Code | None:
    """Make a code block of `node`; `chain` is the element and those around it, nearest first."""
    text, first, last, emphasised = code_text(node)
    if not text.strip():
        return None
    inner = [child for child in node.children if isinstance(child, Node) and child.tag == "code"]
    return Code(
        span=Span(page=page, start=first, end=last),
        text=text,
        language=language_of([*inner[:1], *chain]),
        label=label,
        hidden=hidden,
        emphasised=emphasised,
    )
