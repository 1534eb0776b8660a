"""Documents that no honest author writes: tags, verbs, paths and templates mixed with bait."""

# ruff: noqa: RUF001, RUF005 - look-alikes are the point; long tables read better in rows

from __future__ import annotations

import json

from benchmarks.hostile.choices import Choices, mutate
from doc2tools.compiler.load.source import Media, Source

# What would be seen in the emitted tree, in TOML, JSON, HTML or a shell if it got through.
PAYLOADS = (
    '"""); import os; pwned() #',
    "'''+pwned()+'''",
    "\\",
    '\\"""',
    '"\npwned()\n"',
    "{{ pwned() }}",
    "{% for x in pwned() %}",
    "${pwned}",
    "$(pwned)",
    "`pwned`",
    "{0.__class__}",
    "f'{pwned()}'",
    "]]>",
    "</script><script>pwned()</script>",
    "-->",
    "\x00",
    "\x1b[31m",
    "\u202epwned\u2066",
    "\u2028pwned()\u2029",
    "\ufffd",
    "é" * 40,
    "𝐞𝐯𝐚𝐥",
    "class",
    "__class__",
    "__init__",
    "None",
    "self",
    "client",
    "joined",
    "import",
    "../../../etc/passwd",
    "con",
    "\r\nX-Injected: pwned",
    "'); DROP TABLE tools; --",
    "%00%0a%s%n",
    "0" * 400,
    "1e999999",
    "-" * 300,
    "a" * 3_000,
    "NaN",
)
VERBS = ("GET", "POST", "PUT", "DELETE", "PATCH", "get", "Get", "HEAD", "GETT", "G E T", "MOVE")
SEGMENTS = (
    ("items", "{id}", ":id", "<id>", "[id]", "$ID", "%s", "[.{format}]", "users", "v1", "{", "}")
    + ("{a{b}}", "{{id}}", "<<x>>", "[[", "(?:x|y)", "*", "**", "...", "..", ".", "~", "@", "ü")
    + ("{id}.json", "{x,y}", "{id:[0-9]+}", "{+path}", "{?q,r}", "{;m*}", "%7Bid%7D", "a b")
)
HOSTS = (
    ("https://api.example.com", "http://127.0.0.1:1", "//example.org", "https://", "http://[::1")
    + ("https://user:secret@example.com", "HTTP://EXAMPLE.COM:99999", "javascript:", "{base}")
    + ("https://example.com\\@evil.example", "https://exa mple.com", "file:///etc/passwd", "")
)
WORDS = (
    ("name", "type", "string", "integer", "required", "optional", "default", "The", "parameter")
    + ("returns", "example", "one of", "list", "of", "id", "curl", "-X", "-H", "-d", "GET", "POST")
    + ("Authorization", "Bearer", "page", "limit", "offset", "null", "true", "`x`", "(required)")
    + ("must be", "endpoint", "path", "query", "header", "body", "deprecated", "enum", "array")
)
TAGS = (
    ("p", "div", "table", "tr", "td", "th", "pre", "code", "ul", "li", "dl", "dt", "dd", "h1", "h2")
    + ("h3", "a", "span", "form", "input", "select", "option", "section", "article", "main", "nav")
    + ("script", "style", "template", "svg", "math", "textarea", "title", "body", "html", "iframe")
    + (
        "button",
        "label",
        "details",
        "summary",
        "b",
        "i",
        "br",
        "hr",
        "img",
        "blockquote",
        "plaintext",
    )
)
ATTRIBUTES = ("href", "id", "class", "name", "value", "data-url", "data-path", "style", "action")
BAIT = (
    ("a" * 2_000, "(" * 1_500, "[" * 1_500, "{" * 1_500, "<" * 1_500, "`" * 1_500, "*" * 1_500)
    + ("_" * 1_500, "/" * 2_000, "?a=" * 700, "&" * 2_000, "#" * 2_000, "\\" * 2_000, " " * 3_000)
    + ("\t" * 2_000, "\n" * 2_000, "> " * 700, "- " * 900, "| " * 1_200, "![[" * 600, "](" * 900)
    + ('"' * 2_000, "'" * 2_000, "--" * 1_000, "http://" * 400, "GET /" * 500, ": " * 900)
    + ("x=" * 900, "{a}" * 700, ".5" * 900, "1," * 900, "é̈" * 500, "&amp;" * 500, "<!--" * 400)
)


def document(data: bytes) -> Source:
    """Make one page from the decisions in `data`."""
    choices = Choices(data)
    media: Media = choices.pick(("html", "markdown", "text", "openapi"))
    match media:
        case "html":
            content = _html(choices)
        case "openapi":
            content = json.dumps(_openapi(choices, 0), ensure_ascii=choices.once_in(2))
        case _:
            content = _markdown(choices)
    encoded = content.encode(
        choices.pick(("utf-8", "utf-8", "utf-8", "utf-16", "latin-1")), "replace"
    )
    if choices.once_in(3):
        encoded = mutate(encoded, choices)
    name = choices.pick(
        ("page.html", "a b.md", "x/../y.md", "\u202eevil.html", "class.md", "-rf.md")
    )
    url = choices.pick(("", "", "https://docs.example.com/a", "http://[", "javascript:pwned()"))
    return Source(name=name, data=encoded, media=media, url=url)


def word(choices: Choices) -> str:
    """Give a word, or what poses as one."""
    match choices.below(12):
        case 0:
            return choices.pick(PAYLOADS)
        case 1:
            return path(choices)
        case 2:
            return choices.raw(choices.below(12)).decode("utf-8", "replace")
        case _:
            return choices.pick(WORDS)


def path(choices: Choices) -> str:
    """Give a path with placeholders of every style, sound or not."""
    segments = [
        choices.pick(PAYLOADS) if choices.once_in(12) else choices.pick(SEGMENTS)
        for _ in range(choices.below(5))
    ]
    query = "?" + "&".join(f"{word(choices)}={word(choices)}" for _ in range(choices.below(3)))
    host = choices.pick(HOSTS) if choices.once_in(3) else ""
    return f"{host}/{'/'.join(segments)}{query if choices.once_in(3) else ''}"


def _sentence(choices: Choices) -> str:
    return " ".join(word(choices) for _ in range(1 + choices.below(9)))


def _call(choices: Choices) -> str:
    verb = choices.pick(VERBS)
    match choices.below(4):
        case 0:
            return f"curl -X {verb} '{path(choices)}' -H '{word(choices)}: {word(choices)}'"
        case 1:
            return f"{verb} {path(choices)} HTTP/1.1\nHost: {word(choices)}\n\n{word(choices)}"
        case _:
            return f"{verb} {path(choices)}"


def _markdown(choices: Choices) -> str:
    parts: list[str] = []
    for _ in range(2 + choices.below(14)):
        if not choices.left:
            break
        match choices.below(9):
            case 0:
                parts.append("#" * (1 + choices.below(7)) + " " + _call(choices))
            case 1:
                mark = choices.pick(("```", "~~~", "````", "```json", "```http", "    "))
                parts.append(f"{mark}\n{_call(choices)}\n{choices.pick((mark, '', '```'))}")
            case 2:
                width = 1 + choices.below(5)
                rows = [[word(choices) for _ in range(width)] for _ in range(1 + choices.below(5))]
                rows.insert(1, ["---"] * choices.pick((width, 1, 7)))
                parts.append("\n".join("| " + " | ".join(row) + " |" for row in rows))
            case 3:
                indent = " " * choices.below(9)
                parts.append(
                    "\n".join(
                        f"{indent}- `{word(choices)}` ({_sentence(choices)})"
                        for _ in range(1 + choices.below(4))
                    )
                )
            case 4:
                parts.append(choices.pick(BAIT))
            case 5:
                parts.append(f"[{word(choices)}]({path(choices)})")
            case 6:
                parts.append(_html(choices))
            case 7:
                parts.append(f"---\n{word(choices)}: {word(choices)}\n---")
            case _:
                parts.append(_sentence(choices))
    return choices.pick(("\n\n", "\n", "\r\n")).join(parts)


def _html(choices: Choices, depth: int = 0) -> str:
    parts: list[str] = []
    for _ in range(1 + choices.below(7)):
        if not choices.left:
            break
        tag = choices.pick(TAGS)
        attribute = f' {choices.pick(ATTRIBUTES)}="{word(choices)}"' if choices.once_in(3) else ""
        match choices.below(8):
            case 0 if depth < 6:
                inner = _html(choices, depth + 1)
            case 1:
                inner = choices.pick(BAIT)
            case 2:
                inner = f"<{tag}>" * (1 + choices.below(300))
            case 3 | 4:
                inner = _call(choices)
            case _:
                inner = _sentence(choices)
        close = choices.pick((f"</{tag}>", f"</{tag}>", "", "</table>", f"<{tag}/>"))
        parts.append(f"<{tag}{attribute}>{inner}{close}")
    return "".join(parts)


def _openapi(choices: Choices, depth: int) -> object:
    if depth == 0:
        version = choices.pick(("3.0.0", "3.1.0", "2.0", "9", word(choices)))
        operations = {
            path(choices): {
                choices.pick((*VERBS, "get", "post", "parameters")): _operation(choices)
                for _ in range(1 + choices.below(3))
            }
            for _ in range(1 + choices.below(4))
        }
        return {
            choices.pick(("openapi", "swagger")): version,
            "info": {"title": word(choices), "version": word(choices)},
            "servers": [{"url": choices.pick(HOSTS)}],
            "host": word(choices),
            "basePath": word(choices),
            "paths": operations if not choices.once_in(9) else _odd(choices, 3),
            "components": {"schemas": {"A": _schema(choices, 0)}, "parameters": _odd(choices, 2)},
        }
    return _odd(choices, 3)


def _operation(choices: Choices) -> object:
    if choices.once_in(8):
        return _odd(choices, 3)
    return {
        "operationId": word(choices),
        "summary": _sentence(choices),
        "tags": [word(choices)],
        "parameters": [
            {
                "name": word(choices),
                "in": choices.pick(("path", "query", "header", "cookie", "body", "formData", "x")),
                "required": choices.pick((True, False, "yes", None)),
                "schema": _schema(choices, 0),
                "example": _odd(choices, 1),
                "description": _sentence(choices),
            }
            for _ in range(choices.below(4))
        ],
        "requestBody": {"content": {word(choices): {"schema": _schema(choices, 0)}}},
        "responses": {choices.pick(("200", "default", "x")): _odd(choices, 3)},
        "security": _odd(choices, 2),
    }


def _schema(choices: Choices, depth: int) -> object:
    if depth > 4 or choices.once_in(6):
        return _odd(choices, 1)
    match choices.below(5):
        case 0:
            return {"$ref": choices.pick(("#/components/schemas/A", "#/", "#/paths", "http://x/y"))}
        case 1:
            return {"type": "object", "properties": {word(choices): _schema(choices, depth + 1)}}
        case 2:
            return {"type": "array", "items": _schema(choices, depth + 1)}
        case 3:
            return {choices.pick(("allOf", "anyOf", "oneOf")): [_schema(choices, depth + 1)] * 2}
        case _:
            return {
                "type": choices.pick(("string", "integer", "number", "boolean", ["string"], 3)),
                "enum": [_odd(choices, 1) for _ in range(choices.below(4))],
                "default": _odd(choices, 1),
                "pattern": choices.pick(("(a+)+$", "[", word(choices))),
                "minimum": choices.pick((0, -1, 1e308, "x", None)),
            }


def _odd(choices: Choices, depth: int) -> object:
    match choices.below(9):
        case 0:
            return None
        case 1:
            return choices.pick((0, -1, 10**40, 1.5, True, 1e300))
        case 2 | 3 if depth > 0:
            return {word(choices): _odd(choices, depth - 1) for _ in range(choices.below(4))}
        case 4 | 5 if depth > 0:
            return [_odd(choices, depth - 1) for _ in range(choices.below(4))]
        case _:
            return word(choices)
