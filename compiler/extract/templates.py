"""Paths and URLs as documentation writes them, read as request targets.

In: a path or URL as shown, with `:id`, `<id>`, `[id]`, `${id}`, `%s`, `...`, optional parts.
Out: `Target`s, one for each variant that the optional parts allow, the fullest first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from urllib.parse import unquote

from doc2tools.compiler.extract.placeholders import (
    PLACEHOLDER,
    normalise_path,
    placeholder_free,
    placeholder_name,
    singular,
)

__all__ = [
    "MAX_TARGET",
    "Target",
    "normalise_path",
    "parse_query",
    "parse_targets",
    "placeholder_free",
    "placeholder_name",
    "singular",
]

MAX_TARGET = 2_000
"""Characters of a target that are looked at; no real path is longer."""
_MAX_OPTIONAL = 3

_SCHEME = re.compile(r"(?:(https?|wss?)://|//(?=[\w-]{1,63}\.))", re.IGNORECASE)
_HOST = re.compile(r"[^/?#\s]{1,255}")
_REAL_HOST = re.compile(
    r"(?:[\w-]{1,63}\.){1,8}[a-z][\w-]{1,62}(?::\d{1,5})?|localhost(?::\d{1,5})?|"
    r"\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|[\w-]{1,63}:\d{2,5}",
    re.IGNORECASE,
)
_BARE_HOST = re.compile(
    r"(?:(?:[\w-]{1,63}\.){1,8}[a-z]{2,18}|localhost|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?(?=/)",
    re.IGNORECASE,
)
_BASE_NAME = re.compile(
    r"(?:\{\{?[\w .-]{1,40}\}?\}|\$\{?[\w.-]{1,40}\}?|<[\w .:-]{1,40}>|\[[\w .-]{1,40}\]|"
    r"[A-Z][A-Z0-9]{0,20}(?:_[A-Z0-9]{1,20}){0,3}|\.\.\.|…)(?=/)"
)
_HOST_WORD = re.compile(  # `server-ip:port/api`
    r"(?:[a-z]{2,12}-)?(?:host|hostname|server|ip|address|ipaddress)(?:-[a-z]{2,12})?:(?:port|\d{2,5})(?=/)",
    re.IGNORECASE,
)
_ADDRESS_NAME = re.compile(
    r"ur[il]|host|base|server|endpoint|root|domain|api|address|instance|site|gateway|proto|"
    r"\bip\b|port|service|node|account|tenant|\bapp\b|registry|client|cluster|\bdeployment",
    re.IGNORECASE,
)
_LIST = re.compile(r"(?<=/)\[(\d{1,9}(?:,\s?\d{1,9}){1,20})\]")
"""A list of values in brackets, `/item/[1,2,3]`: no placeholder's name."""
_ROUND = re.compile(  # `({id})`, and `(id)@(time)`
    r"\(\{([^{}]{1,80})\}\)|(?<=[/@,:.])\((?:\w{1,12}:)?[A-Za-z_]\w{0,60}\)(?=[@,.:]|\Z)"
)
_ENCODED_MARK = re.compile(r"%(?:7[BbDd]|3[CcEeAa]|5[BbDd])")
_OPTIONAL_SEGMENT = re.compile(
    r"\[(?P<square>/[^\[\]]{1,120})\]"
    r"|\((?P<round>/[^()]{1,120})\)\??"
    r"|(?P<colon>/:[A-Za-z_][\w-]{0,60})\?(?=/|$)"
    r"|(?P<brace>/\{[\w-]{1,60})\?\}"
    r"|(?P<star>/(?:\[[^\[\]/]{1,60}\]|\{[^{}/]{1,60}\}|<[^<>/]{1,60}>))[*?](?=/|$)"
    r"|\{(?P<rfc>/[\w,.*-]{1,60})\}"
)
_OPTIONAL_SUFFIX = re.compile(
    r"\[\.[^\[\]]{1,40}\]|\(\.[^()]{1,40}\)\??|\{\.[\w*]{1,40}\}|\.\{[\w-]{1,40}\?\}"
)
_QUERY_EXPRESSION = re.compile(r"\{[?&]([\w,.*%\[\]-]{1,300})\}")
_QUERY_START = re.compile(r"\?(?!/)|\[\s{0,2}\?|\{\?")


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes, as one place of the page shows it.

    Attributes:
        scheme: `https`, `http`, … or "".
        host: Host with port in lower case; "" where none, or only a placeholder, is shown.
        path: Template with `{name}` placeholders; "" where only a query is shown.
        query: Names and values in order; a value that is a placeholder is given as `{name}`, a
            name without `=` has `None`.
        rooted: A host, a base placeholder or a leading slash is shown.
        fragment: An address inside a page (`#…`) is shown.
        base: The placeholder that stands for the base URL, or "".
        optional: This variant leaves out an optional part.
    """

    scheme: str = ""
    host: str = ""
    path: str = ""
    query: tuple[tuple[str, str | None], ...] = ()
    rooted: bool = True
    fragment: bool = False
    base: str = ""
    optional: bool = False

    @property
    def segments(self) -> tuple[str, ...]:
        """The path's non-empty segments."""
        return tuple(part for part in self.path.split("/") if part)


def parse_targets(text: str, emphasised: Sequence[str] = ()) -> tuple[Target, ...]:
    """Read `text` as a request target; several variants where parts are optional, else one.

    Args:
        text: A URL or path alone, without surrounding prose.
        emphasised: Parts of `text` that were set apart as placeholders.
    """
    text = text.strip().strip("\"'`“”\u2018\u2019").strip()[:MAX_TARGET]
    if not text:
        return ()
    text = _ENCODED_MARK.sub(lambda match: unquote(match.group()), text)
    for word in emphasised:
        if word.isdigit():
            continue  # a highlighted value names nothing
        if word and word != text and "/" not in word and f"{{{word}}}" not in text:
            text = _mark(text, word, emphasised.count(word))
    text = _ROUND.sub(_round, text)
    text = _LIST.sub(r"\1", text)
    scheme, host, base, rest = _split_host(text)
    head, fragment = _cut_fragment(rest)
    path, query_text = _split_query(head)
    rooted = bool(host or base or path.startswith("/"))
    query = parse_query(query_text)
    targets: list[Target] = []
    seen: set[str] = set()
    variants = _variants(path)
    for number, variant in enumerate(variants):
        template = normalise_path(variant)
        if template in seen:
            continue
        seen.add(template)
        targets.append(
            Target(scheme, host, template, query, rooted, fragment, base, optional=number > 0)
        )
    return tuple(targets)


def parse_query(text: str) -> tuple[tuple[str, str | None], ...]:
    """Split a query string as shown; placeholders in values become `{name}`."""
    pairs: list[tuple[str, str | None]] = []
    expression = _QUERY_EXPRESSION.search(text)
    if expression:
        pairs.extend((name.strip("*% "), None) for name in expression.group(1).split(","))
        text = text[: expression.start()] + text[expression.end() :]
    text = text.replace("&amp;", "&").lstrip("?&[ ")
    for part in re.split(r"\s{0,5}[&?]\s{0,5}|;(?=[\w\[\]-]{1,60}=)", text)[:100]:
        name, mark, value = part.partition("=")
        name = unquote(name).strip(" []{}<>\"'`,").strip()
        name = f"{name}[]" if re.match(r"[\w.-]{1,80}(?:\[\]|%5[Bb]%5[Dd])\s{0,3}=", part) else name
        if not re.fullmatch(r"[\w$@:][\w$@.:~-]{0,80}(?: [\w]{1,30})?(?:\[\w{0,40}\])?", name):
            continue
        pairs.append((name, _query_value(value) if mark else None))
    return tuple(pairs)


def _split_host(text: str) -> tuple[str, str, str, str]:
    match = _SCHEME.match(text)
    if match:
        rest = text[match.end() :]
        named = _HOST.match(_shield(rest))
        host = rest[: named.end()] if named else ""
        after = rest[len(host) :]
        bare = host.rpartition("@")[2].lower().rstrip(".")
        if _REAL_HOST.fullmatch(bare):
            return (match.group(1) or "https").lower(), bare, "", after or "/"
        return (match.group(1) or "").lower(), "", host or "host", after or "/"
    named = _BASE_NAME.match(text)
    if named and (_ADDRESS_NAME.search(named.group()) or named.group() in {"...", "…"}):
        return "", "", named.group(), text[named.end() :]
    named = _HOST_WORD.match(text)
    if named:
        return "", "", named.group(), text[named.end() :]
    bare = _BARE_HOST.match(text)
    if bare and not text.startswith("/"):
        return "", bare.group().lower(), "", text[bare.end() :]
    return "", "", "", text


def _shield(text: str) -> str:
    """Blank the inside of placeholders, so that `<your host>` or `{a/b}` does not end a host."""
    return re.sub(
        r"\{[^{}]{1,60}\}|<[^<>]{1,60}>", lambda match: "x" * len(match.group()), text[:400]
    )


def _cut_fragment(text: str) -> tuple[str, bool]:
    match = re.search(r"(?<!\{)#(?![{/])", text)
    if not match:
        return text, False
    return text[: match.start()], True


def _split_query(text: str) -> tuple[str, str]:
    for match in _QUERY_START.finditer(text):
        start = match.start()
        if match.group() == "?":
            before, after = text[:start], text[start + 1 :]
            colon = re.search(r"/:[A-Za-z_][\w-]{0,60}\Z", before[-64:])
            if colon and not after:
                continue
            if re.search(r"\{[\w-]{1,60}\Z", before[-64:]) and after.startswith("}"):
                continue
            if re.search(r"\)\Z", before) or before.endswith("(") or after.startswith("P<"):
                continue
        return text[:start], text[start:]
    match = re.search(r"&(?:amp;)?[\w\[\]-]{1,60}=", text)
    if match:  # `/path&key=value`: a slip seen on many pages
        return text[: match.start()], text[match.start() :]
    return text, ""


def _variants(path: str) -> list[str]:
    """Write out what optional parts allow: fullest first; an optional suffix is left out."""
    path = _OPTIONAL_SUFFIX.sub("", path)
    parts: list[tuple[str, ...]] = []
    last = 0
    for number, match in enumerate(_OPTIONAL_SEGMENT.finditer(path)):
        kept = next(group for group in match.groups() if group)
        if match.lastgroup == "brace":
            kept += "}"
        if match.lastgroup == "rfc":
            kept = "".join(f"/{{{name.strip('*')}}}" for name in kept[1:].split(","))
        parts.append((path[last : match.start()],))
        parts.append((kept, "") if number < _MAX_OPTIONAL else (kept,))
        last = match.end()
    parts.append((path[last:],))
    return ["".join(choice) for choice in product(*parts)]


def _query_value(value: str) -> str:
    value = value.strip().strip("\"'`")
    if re.fullmatch(r"\[[^\[\]]{1,60}\]", value):
        return f"{{{placeholder_name(value[1:-1])}}}"
    if re.fullmatch(r":[A-Za-z_][\w-]{0,60}", value):
        return f"{{{value[1:]}}}"
    whole = PLACEHOLDER.fullmatch(value)
    if whole and whole.lastgroup not in {"colon", "square", "star"}:
        inner = whole.group(whole.lastgroup or "") or ""
        return f"{{{placeholder_name(inner)}}}" if whole.lastgroup != "printf" else "{}"
    if re.fullmatch(r"\.{3}|…|x{3,20}|X{3,20}", value):
        return "{}"
    if re.fullmatch(r"(?:your|YOUR|my)[_ -]?[\w -]{1,40}", value):
        return f"{{{placeholder_name(value)}}}"
    return unquote(value.replace("+", " "))


def _round(match: re.Match[str]) -> str:
    return f"{{{match.group(1) or match.group().strip('()').rpartition(':')[2]}}}"


def _mark(text: str, word: str, times: int) -> str:
    """Put braces around `word` where it stands between delimiters in `text`.

    Where it stands there more often than it is set apart, the last ones are meant: the first
    `username` of `/username/*username*` is a fixed word.
    """
    clean = word.strip(" {}<>[]:$")
    if not clean or (word != clean and word in text):
        return text  # it is marked already
    pattern = rf"(?<![\w{{<\[:$]){re.escape(clean)}(?![\w}}>\]])"
    start = text.find("/", text.find("://") + 3 if "://" in text else 0)
    rest = text[start + 1 :]
    skip = max(0, len(re.findall(pattern, rest)) - times)
    for match in reversed(list(re.finditer(pattern, rest))[skip:][-20:]):
        rest = f"{rest[: match.start()]}{{{clean}}}{rest[match.end() :]}"
    return text[: start + 1] + rest
