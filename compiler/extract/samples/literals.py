"""Reads the arguments of a call in JavaScript, Python and their like, without running anything.

Strings, template strings, concatenation and formatting are followed as far as the sample's own
variables are known; what is not known becomes `{name}`. Nothing raises; nesting is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from doc2tools.compiler.ir.base import JsonValue

_MAX_DEPTH = 12
_SPACE = re.compile(
    r"(?:\s|//[^\n]{0,400}(?=\n|\Z)|/\*(?:[^*]|\*(?!/)){0,400}\*/|(?<=\s)#[^\n]{0,400})*"
)
_NUMBER = re.compile(r"-?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?")
_NAME = re.compile(
    r"(?:(?:new|await|await\s|return)\s{1,4})?[$@]?[A-Za-z_][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)*"
)
_PREFIXED = re.compile(r"(?P<prefix>[fFrRbBuU@$]{0,2})(?P<quote>\"\"\"|'''|\"|'|`)")
_WRAPPERS = re.compile(
    r"(?:JSON\.stringify|json\.dumps|dumps|encodeURI(?:Component)?|String|str|quote(?:_plus)?|"
    r"urlencode|(?:urllib\.)?(?:parse\.)?(?:urlencode|quote)|URLSearchParams|URL|URI|URI\.parse|"
    r"http_build_query|json_encode|rawurlencode|(?:urllib\d?\.)?(?:request\.)?Request|Uri|Uri\.parse|"
    r"url\.parse|trim)\Z"
)
_CONSTANTS: dict[str, JsonValue] = {
    "true": True, "True": True, "false": False, "False": False,
    "null": None, "None": None, "nil": None, "undefined": None,
}  # fmt: skip


@dataclass(slots=True)
class Arguments:
    """Arguments of one call: positional values, keyword values, and where the call ends."""

    positional: list[JsonValue] = field(default_factory=list[JsonValue])
    keywords: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    end: int = 0


def read_arguments(text: str, start: int, variables: Mapping[str, JsonValue]) -> Arguments:
    """Read the arguments after the opening parenthesis that ends just before `start`."""
    return _Reader(text, variables).arguments(start, 0)


def read_variables(text: str) -> dict[str, JsonValue]:
    """Give the sample's own variables that hold strings or objects, in order of assignment."""
    variables: dict[str, JsonValue] = {}
    pattern = re.compile(
        r"^[ \t]{0,24}"
        r"(?:(?:const|let|var|final|public|private|static|my|String|string|auto)\s{1,4}){0,3}"
        r"\$?(\w{1,60})(?:\s?:\s?\w{1,30})?\s{0,4}(?::=|=)(?![=>])\s{0,4}(?=[\"'`{\[fFrRbBuU$@\w])",
        re.MULTILINE,
    )
    for count, match in enumerate(pattern.finditer(text)):
        if count > 200:
            break
        value, _ = _Reader(text, variables).value(match.end(), 0)
        if isinstance(value, str | dict) and not (isinstance(value, str) and len(value) > 2_000):
            variables[match.group(1)] = value
    return variables


class _Reader:
    def __init__(self, text: str, variables: Mapping[str, JsonValue]) -> None:
        self.text = text
        self.variables = variables

    def skip(self, place: int) -> int:
        match = _SPACE.match(self.text, place)
        return match.end() if match else place

    def at(self, place: int) -> str:
        return self.text[place : place + 1]

    def arguments(self, place: int, depth: int) -> Arguments:
        found = Arguments()
        keyword = re.compile(r"([A-Za-z_]\w{0,60})\s{0,4}[=:](?![=:/])\s{0,4}")
        for _ in range(60):
            place = self.skip(place)
            if self.at(place) in {")", ""}:
                break
            if self.at(place) == ",":
                place += 1
                continue
            named = keyword.match(self.text, place)
            before = place
            if named:
                value, place = self.value(named.end(), depth + 1)
                found.keywords[named.group(1)] = value
            else:
                value, place = self.value(place, depth + 1)
                found.positional.append(value)
            place = self.to_separator(place)
            if place <= before:
                break
        found.end = min(place + 1, len(self.text))
        return found

    def to_separator(self, place: int) -> int:
        """Skip what was not understood, up to the next `,` or closing bracket of this level."""
        level = 0
        limit = min(len(self.text), place + 4_000)
        while place < limit:
            char = self.text[place]
            if char in "\"'`":
                _, place = self.string(place, "", char)
                continue
            if char in "([{":
                level += 1
            elif char in ")]}":
                if level == 0:
                    return place
                level -= 1
            elif char in ",;" and level == 0:
                return place
            place += 1
        return place

    def value(self, place: int, depth: int) -> tuple[JsonValue, int]:
        place = self.skip(place)
        if depth > _MAX_DEPTH:
            return None, place
        value, place = self.primary(place, depth)
        for _ in range(40):
            after = self.skip(place)
            char = self.at(after)
            if (char == "+" and self.at(after + 1) not in {"+", "="}) or (
                char == "." and re.match(r"\.\s{0,4}[\"'$]", self.text[after : after + 8])
            ):
                other, place = self.primary(self.skip(after + 1), depth + 1)
                value = f"{_text(value)}{_text(other)}"
            elif char == "%" and isinstance(value, str) and "%" in value:
                other, place = self.value(after + 1, depth + 1)
                value = _percent(value, other)
            elif match := re.compile(r"\.(\w{1,40})\(").match(self.text, after):
                inner = self.arguments(match.end(), depth + 1)
                if match.group(1) == "format" and isinstance(value, str):
                    value = _format(value, inner)
                place = inner.end
            elif (
                isinstance(value, str)
                and char in "\"'"
                and after > place
                and "\n" in self.text[place:after]
            ):
                other, place = self.primary(after, depth + 1)  # Python joins adjacent strings
                value = f"{value}{_text(other)}"
            else:
                break
        return value, place

    def primary(self, place: int, depth: int) -> tuple[JsonValue, int]:
        char = self.at(place)
        prefixed = _PREFIXED.match(self.text, place)
        if prefixed:
            value, end = self.string(
                prefixed.start("quote"), prefixed.group("prefix"), prefixed.group("quote")
            )
            return value, end
        if char in {"{", "[", "("}:
            return self.bracketed(char, place + 1, depth + 1)
        number = _NUMBER.match(self.text, place)
        if number:
            raw = number.group()
            return (float(raw) if re.search(r"[.eE]", raw) else int(raw)), number.end()
        name = _NAME.match(self.text, place)
        if not name:
            return None, place
        return self.named(name.group(), name.end(), depth)

    def bracketed(self, bracket: str, place: int, depth: int) -> tuple[JsonValue, int]:
        if bracket == "{":
            return self.mapping(place, depth)
        if bracket == "[":
            return self.sequence(place, depth)
        value, end = self.value(place, depth)
        end = self.to_separator(end)
        return value, end + 1 if self.at(end) == ")" else end

    def named(self, name: str, place: int, depth: int) -> tuple[JsonValue, int]:
        name = re.sub(r"^(?:new|await|return)\s{1,4}", "", name)
        bare = name.lstrip("$@")
        if self.at(place) == "(":
            inner = self.arguments(place + 1, depth + 1)
            if _WRAPPERS.match(name) and inner.positional:
                first = inner.positional[0]
                if (
                    len(inner.positional) > 1
                    and name == "URL"
                    and isinstance(inner.positional[1], str)
                ):
                    first = inner.positional[1].rstrip("/") + _text(first)
                return first, inner.end
            return f"{{{bare.rpartition('.')[2]}}}", inner.end
        if bare in _CONSTANTS:
            return _CONSTANTS[bare], place
        if bare in self.variables:
            return self.variables[bare], place
        return f"{{{re.split(r'[.:>]', bare)[-1]}}}", place

    def string(self, place: int, prefix: str, quote: str) -> tuple[str, int]:
        """Read a string whose opening quote is at `place`; an unclosed one ends with its line."""
        start = place + len(quote)
        limit = min(len(self.text), start + 8_000)
        end = start
        while end < limit:
            if self.text[end] == "\\":
                end += 2
                continue
            if self.text.startswith(quote, end):
                break
            if self.text[end] == "\n" and quote in {'"', "'"}:
                break
            end += 1
        body = self.text[start : min(end, limit)]
        body = re.sub(r"\\([\"'/`\\$])", r"\1", body)
        if quote == "`" or "$" in prefix:
            body = re.sub(r"\$?\{([^{}]{1,80})\}", self.substitute, body)
        elif prefix.lower().startswith("f"):
            body = re.sub(r"(?<!\{)\{([^{}]{1,80})\}(?!\})", self.substitute, body)
        elif quote == '"' and re.search(r"[$#]\{?\w", body):
            body = re.sub(r"[$#]\{([\w.$]{1,60})\}|\$(\w{1,60})", self.substitute, body)
        return body, min(end + len(quote), len(self.text))

    def substitute(self, match: re.Match[str]) -> str:
        name = (match.group(1) or (match.group(2) if match.re.groups > 1 else "") or "").strip()
        name = re.sub(r"^\w{1,30}\(([\w.]{1,60})\)$", r"\1", name).lstrip("$")
        value = self.variables.get(name)
        if isinstance(value, str | int | float):
            return str(value)
        return f"{{{re.split(r'[.:!]', name)[-1] or 'value'}}}"

    def mapping(self, place: int, depth: int) -> tuple[JsonValue, int]:
        found: dict[str, JsonValue] = {}
        key = re.compile(
            r"(?:\"([^\"\n]{1,120})\"|'([^'\n]{1,120})'|\[?:?([\w$.-]{1,80})\]?)\s{0,8}(:|=>|=|,|\})"
        )
        for _ in range(200):
            place = self.skip(place)
            if self.at(place) in {"}", ""}:
                break
            if self.at(place) == ",":
                place += 1
                continue
            match = key.match(self.text, place)
            if not match:
                before = place
                place = self.to_separator(place + 1)
                if place <= before or depth > _MAX_DEPTH:
                    break
                continue
            name = match.group(1) or match.group(2) or match.group(3)
            if match.group(4) in {",", "}"}:
                found[name] = self.variables.get(name)
                place = match.end() - 1
                continue
            found[name], place = self.value(match.end(), depth + 1)
            place = self.to_separator(place)
        return found, min(place + 1, len(self.text))

    def sequence(self, place: int, depth: int) -> tuple[JsonValue, int]:
        found: list[JsonValue] = []
        pairs: dict[str, JsonValue] = {}
        for _ in range(200):
            place = self.skip(place)
            if self.at(place) in {"]", ""}:
                break
            if self.at(place) == ",":
                place += 1
                continue
            before = place
            value, place = self.value(place, depth + 1)
            arrow = re.compile(r"\s{0,8}=>\s{0,8}").match(self.text, place)
            if arrow:  # PHP writes maps with square brackets
                pairs[_text(value)], place = self.value(arrow.end(), depth + 1)
            else:
                found.append(value)
            place = self.to_separator(place)
            if place <= before:
                break
        return (pairs or found), min(place + 1, len(self.text))


def _text(value: JsonValue) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int | float) else "{value}"


def _percent(template: str, value: JsonValue) -> str:
    values = value if isinstance(value, list) else [value]
    pending = [item for item in values if isinstance(item, str | int | float)]

    def take(match: re.Match[str]) -> str:
        if match.group(1):
            return f"{{{match.group(1)}}}"
        return str(pending.pop(0)) if pending else "{value}"

    return re.sub(r"%(?:\((\w{1,60})\))?[sdif]", take, template)


def _format(template: str, inner: Arguments) -> str:
    pending = list(inner.positional)

    def take(match: re.Match[str]) -> str:
        name = match.group(1)
        if name in inner.keywords:
            return _text(inner.keywords[name])
        if pending and (not name or name.isdigit()):
            return _text(pending.pop(0))
        return f"{{{name or 'value'}}}"

    return re.sub(r"\{(\w{0,60})\}", take, template)
