"""Template directives in Markdown to plain Markdown, line for line.

Liquid and Hugo tags, admonitions and tabs of site generators, and attribute lists: what carries
code or an endpoint is rewritten, the rest is blanked, so that line numbers stay true.
"""

from __future__ import annotations

import re

_FENCE = re.compile(r"^ {0,3}(?:[-*>] {1,3})?(`{3,}|~{3,})")
_OPEN_CODE = re.compile(
    r"^\s{0,8}\{(?:%-?|\{[<%])\s{0,4}(?:highlight|code-?block|code)(?:\s{1,4}(?:lang(?:uage)?=)?"
    r"\"?([\w+#.-]{1,30})\"?)?[^}]{0,200}\}"
)
_CLOSE_CODE = re.compile(
    r"^\s{0,8}\{(?:%-?|\{[<%])\s{0,4}(?:/|end)\s?(?:highlight|code-?block|code)\b"
)
_DIRECTIVE = re.compile(r"\{%[^%\n]{0,1000}%\}|\{\{[<%][^\n]{0,1000}?[>%]\}\}")
_PAIR = re.compile(r"([\w-]{1,40})=(?:\"([^\"\n]{0,500})\"|'([^'\n]{0,500})'|([\w./:-]{1,200}))")
_CONTAINER = re.compile(
    r"^\s{0,8}:{3,}\s{0,4}(?:\{?[\w-]{0,30}\}?)?(?:\[([^\]\n]{0,200})\]|\s(.{0,200}))?$"
)
_TAB = re.compile(
    r"^(\s{0,8})(?:===[+!]?|\?\?\?\+?|!!!)\s{1,4}(?:[\w-]{1,30}\s{0,4})?(?:\"([^\"\n]{0,200})\")?\s{0,8}$"
)
_ATTRIBUTES = re.compile(r"\{:[^}\n]{0,200}\}")
_MODULE_LINE = re.compile(r"^(?:import\s[^\n]{1,300}from\s|export\s)")
_TABLE_OPEN = re.compile(r"<(table|dl)\b", re.IGNORECASE)


def expand(lines: list[str]) -> list[str]:
    """Rewrite `lines`; the result has as many lines, so that positions hold."""
    out: list[str] = []
    fence = ""
    indents: list[int] = []
    for raw in lines:
        line = raw
        while indents and line.strip() and _indent(line) < indents[-1]:
            indents.pop()
        if indents:
            line = line[indents[-1] :]
        found = _FENCE.match(line)
        if fence:
            if found and found[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            elif fence == "```" and _CLOSE_CODE.match(line):
                line, fence = "```", ""
            out.append(line)
            continue
        if found:
            fence = found[1]
        elif opened := _OPEN_CODE.match(line):
            fence = "```"
            line = f"```{opened[1] or ''}"
        elif tab := _TAB.match(line):
            indents.append((indents[-1] if indents else 0) + len(tab[1]) + 4)
            line = f"**{tab[2]}**" if tab[2] else ""
        else:
            line = _plain_line(line)
        out.append(line)
    return _join_tables(out)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _plain_line(line: str) -> str:
    if "{" in line:
        line = _DIRECTIVE.sub(lambda found: _rewrite(found[0]), line)
        line = _ATTRIBUTES.sub("", line)
    if ":::" in line and (container := _CONTAINER.match(line)):
        title = (container[1] or container[2] or "").strip()
        return f"**{title}**" if title else ""
    if line.startswith(("import ", "export ")) and _MODULE_LINE.match(line):
        return ""
    return line


def _rewrite(directive: str) -> str:
    """Give the Markdown for a directive that states an endpoint or a parameter, else nothing."""
    pairs = {
        found[1].lower(): next(filter(None, found.groups()[1:]), "")
        for found in _PAIR.finditer(directive)
    }
    method, path = pairs.get("method", ""), pairs.get("path", "")
    if method.isalpha() and path:
        base = pairs.get("baseurl") or pairs.get("host") or ""
        summary = pairs.get("summary", "")
        return f"`{method.upper()} {base}{path}`" + (f" {summary}" if summary else "")
    if "parameter" in directive and (name := pairs.get("name")):
        facts = [pairs.get("type", ""), pairs.get("in", "")]
        facts.append("required" if pairs.get("required") == "true" else "optional")
        told = ", ".join(filter(None, facts))
        return f"- `{name}` ({told}): {pairs.get('description', '')}"
    return ""


def _join_tables(lines: list[str]) -> list[str]:
    """Fill blank lines inside raw HTML tables, which Markdown would break there."""
    out = list(lines)
    index = 0
    while index < len(out):
        found = _TABLE_OPEN.search(out[index]) if "<" in out[index] else None
        if not found or out[index].startswith(("    ", "\t", "```")):
            index += 1
            continue
        close = f"</{found[1].lower()}"
        stop = index
        while stop < len(out) and close not in out[stop].lower() and "```" not in out[stop]:
            stop += 1
        if stop < len(out) and "```" not in out[stop]:
            for inner in range(index, stop):
                if not out[inner].strip():
                    out[inner] = "<!-- -->"
        index = stop + 1
    return out
