"""Path template syntaxes to one: every way in which documentation writes a variable part → `{name}`.

In: a path or URL as shown, with `:id`, `<id>`, `[id]`, `${id}`, `%s`, `...`, optional parts.
Out: `Target`s, one for each variant that the optional parts allow, the fullest first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from urllib.parse import unquote

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
_ADDRESS_NAME = re.compile(
    r"ur[il]|host|base|server|endpoint|root|domain|api|address|instance|site|gateway|proto|"
    r"\bip\b|port|service|node|account|tenant|\bapp\b|registry|client|cluster|\bdeployment",
    re.IGNORECASE,
)
_ENCODED_MARK = re.compile(r"%(?:7[BbDd]|3[CcEeAa]|5[BbDd])")
_PLACEHOLDER = re.compile(
    r"\(\?P?<(?P<regex>\w{1,60})>[^()/]{0,60}\)"
    r"|(?<=/)\((?:\w{1,12}:)?(?P<round>[A-Za-z_]\w{0,60})\)(?=[/?]|$)"
    r"|\{\{\s{0,3}(?P<double>[^{}]{1,80})\}\}"
    r"|[$#]\{(?P<dollar>[^{}]{1,80})\}"
    r"|\{(?P<brace>[^{}]{1,120})\}"
    r"|<(?P<angle>[^<>]{1,60})>"
    r"|\[(?P<square>[^\[\]/?=&]{1,60})\]"
    r"|(?<=[/.,;_=~(-])\(?:(?P<colon>[A-Za-z_][\w-]{0,60})\)?:?"
    r"|\$(?P<shell>[A-Za-z_]\w{0,60})"
    r"|%\((?P<named>\w{1,60})\)[sdif]"
    r"|(?P<printf>%[sdi](?![0-9A-Fa-f]))"
    r"|(?<=/)(?P<dots>\.{3}|…)(?=[/?.]|$)"
    r"|(?<=/)(?P<star>\*{1,2})(?=/|$)"
)
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
_UPPER_SEGMENT = re.compile(r"[A-Z][A-Z0-9]{1,40}(?:[_-][A-Z0-9]{1,40}){0,6}\Z")
_VERSION = re.compile(r"v?\d{1,3}(?:[._]\d{1,3}){0,2}(?:[a-z]{1,5}\d{0,2})?\Z", re.IGNORECASE)
_ACRONYMS = frozenset(
    [
        "API",
        "REST",
        "RPC",
        "JSON",
        "XML",
        "CSV",
        "RSS",
        "HTTP",
        "WS",
        "GRAPHQL",
        "ODATA",
        "RDF",
        "SPARQL",
        "V",
        "SOAP",
        "WFS",
        "WMS",
        "OGC",
        "IIIF",
    ]
)
_NAMING_WORDS = frozenset(
    [
        "ID",
        "IDS",
        "NAME",
        "KEY",
        "CODE",
        "USER",
        "USERNAME",
        "TOKEN",
        "DATE",
        "TYPE",
        "QUERY",
        "CITY",
        "YEAR",
        "MONTH",
        "DAY",
        "COUNTRY",
        "LANG",
        "LANGUAGE",
        "SYMBOL",
        "TEXT",
        "VALUE",
        "NUMBER",
        "COUNT",
        "PAGE",
        "FORMAT",
        "VERSION",
        "SLUG",
        "UUID",
        "GUID",
        "TITLE",
        "CATEGORY",
        "TAG",
        "GROUP",
        "PROJECT",
        "FILE",
        "FILENAME",
        "PATH",
        "HASH",
        "ADDRESS",
        "DOMAIN",
        "IP",
        "EMAIL",
        "PHONE",
        "STATE",
        "REGION",
        "LAT",
        "LON",
        "LNG",
        "LATITUDE",
        "LONGITUDE",
        "WIDTH",
        "HEIGHT",
        "SIZE",
        "COLOR",
        "TEAM",
        "PLAYER",
        "SEASON",
        "LEAGUE",
        "MATCH",
        "ORG",
        "REPO",
        "OWNER",
        "BRANCH",
        "HOST",
        "HOSTNAME",
        "PATHNAME",
        "NAMESPACE",
        "MODULE",
        "PACKAGE",
        "INDEX",
        "TABLE",
        "DATABASE",
        "COLLECTION",
        "DOCUMENT",
        "SERVICE",
        "RESOURCE",
        "ENTITY",
        "OBJECT",
        "METHOD",
        "ACTION",
        "AMOUNT",
        "FROM",
        "TO",
        "ISBN",
        "URL",
        "WORD",
        "TERM",
        "ZIP",
        "POSTCODE",
        "CURRENCY",
        "BASE",
        "BOARD",
        "CHANNEL",
        "ROOM",
        "DEVICE",
        "SENSOR",
        "NODE",
        "JOB",
        "TASK",
        "EVENT",
        "ORDER",
        "PRODUCT",
        "ITEM",
        "ACCOUNT",
        "CUSTOMER",
        "YYYY",
        "MM",
        "DD",
        "HH",
        "YY",
    ]
)
_YOUR = re.compile(r"(?:your|my|some|any|the)[ _-]+(?=\w)", re.IGNORECASE)
_PLACEHOLDER_WORD = re.compile(
    r"(?:[a-z][a-z0-9]{0,30}(?:Id|ID|_id|-id)|id|ids|uuid|guid|slug|username|user_name|userid|"
    r"query-?_?string|yyyy(?:-mm-dd)?|yyyymmdd|"
    r"x{2,20}|X{2,20}|(?:your|my)[_-][\w-]{1,40}|YOUR\w{1,40})\Z"
)


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
        if word and word != text and "/" not in word and f"{{{word}}}" not in text:
            text = _mark(text, word)
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


def normalise_path(path: str) -> str:
    """Rewrite all placeholders of one path variant as `{name}`, names unique in the path."""
    path = _PLACEHOLDER.sub(_braces, path)
    if not path:
        return ""
    segments = path.split("/")
    literal = [s for s in segments if s and "{" not in s]
    shouting = bool(literal) and all(s.upper() == s for s in literal)
    for place, segment in enumerate(segments):
        name = _word_placeholder(segment, shouting, first=place <= 1)
        if name:
            segments[place] = f"{{{name}}}"
    return _name_all("/".join(segments))


def placeholder_free(path: str) -> str:
    """Give the shape of a template: names of placeholders and a trailing slash left out."""
    shape = re.sub(r"/{2,10}", "/", re.sub(r"\{[^{}]{0,200}\}", "{}", path))
    return shape.rstrip("/") or "/"


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


def placeholder_name(text: str) -> str:
    """Clean a placeholder's inner text to a name; "" where nothing is left."""
    text = text.strip().lstrip("+*/?&.;")
    if ":" in text:  # `int:id` (converter first) or `id:[0-9]+` (pattern last)
        head, _, tail = text.partition(":")
        converters = (
            "int",
            "string",
            "str",
            "path",
            "uuid",
            "float",
            "slug",
            "number",
            "any",
            "re",
        )
        text = tail if head.lower() in converters or not head else head
    text = re.split(r"[=|(]|\s-\s", text)[0] or text
    text = _YOUR.sub("", text.strip()) if not text.strip().lower().startswith("the ") else text[4:]
    text = re.sub(r"[^\w.-]{1,200}", "_", text.strip(" ?*+…")).strip("_.-")
    return text[:60]


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
    optional = 0
    for match in _OPTIONAL_SEGMENT.finditer(path):
        kept = next(group for group in match.groups() if group)
        if match.lastgroup == "brace":
            kept += "}"
        if match.lastgroup == "rfc":
            kept = "".join(f"/{{{name.strip('*')}}}" for name in kept[1:].split(","))
        parts.append((path[last : match.start()],))
        parts.append((kept, "") if optional < _MAX_OPTIONAL else (kept,))
        optional += 1
        last = match.end()
    parts.append((path[last:],))
    return ["".join(choice) for choice in product(*parts)]


def _braces(match: re.Match[str]) -> str:
    kind = match.lastgroup or ""
    inner = match.group(kind)
    if kind in {"printf", "dots", "star"}:
        return "{}"
    name = placeholder_name(inner)
    if kind == "colon" and match.group().startswith("("):
        return f"{{{name}}}"
    if kind == "colon" and match.string[match.start() : match.start() + 1] == "(":
        return f"({{{name}}}"
    return f"{{{name}}}"


def _word_placeholder(segment: str, shouting: bool, first: bool) -> str:
    if not segment or "{" in segment:
        return ""
    if _PLACEHOLDER_WORD.match(segment) and not first:
        return placeholder_name(segment).strip("xX_-") or "value"
    if first or shouting or not _UPPER_SEGMENT.match(segment):
        return ""
    if segment in _ACRONYMS or _VERSION.match(segment):
        return ""
    if segment not in _NAMING_WORDS and not re.search(r"[_-]", segment):
        return ""
    return placeholder_name(segment).lower()


def _name_all(path: str) -> str:
    """Give nameless placeholders the name of what stands before them, and make names unique."""
    segments = path.split("/")
    used: set[str] = set()
    literal = ""
    for place, segment in enumerate(segments):
        if "{" not in segment:
            literal = segment or literal
            continue
        before = singular(re.sub(r"\W{1,60}", "_", literal).strip("_"))

        def unique(match: re.Match[str], before: str = before) -> str:
            name = match.group(1) or before or "value"
            if name in used and before and f"{before}_{name}" not in used:
                name = f"{before}_{name}"
            number = 2
            stem = name
            while name in used:
                name = f"{stem}_{number}"
                number += 1
            used.add(name)
            return f"{{{name}}}"

        segments[place] = re.sub(r"\{([^{}]{0,200})\}", unique, segment)
    return "/".join(segments)


def singular(word: str) -> str:
    """Give the singular of an English plural noun, or the word itself."""
    lower = word.lower()
    if lower.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if lower.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if lower.endswith("s") and not lower.endswith(("ss", "us", "is", "news")) and len(word) > 3:
        return word[:-1]
    return word


def _query_value(value: str) -> str:
    value = value.strip().strip("\"'`")
    if re.fullmatch(r"\[[^\[\]]{1,60}\]", value):
        return f"{{{placeholder_name(value[1:-1])}}}"
    if re.fullmatch(r":[A-Za-z_][\w-]{0,60}", value):
        return f"{{{value[1:]}}}"
    whole = _PLACEHOLDER.fullmatch(value)
    if whole and whole.lastgroup not in {"colon", "square", "star"}:
        inner = whole.group(whole.lastgroup or "") or ""
        return f"{{{placeholder_name(inner)}}}" if whole.lastgroup != "printf" else "{}"
    if re.fullmatch(r"\.{3}|…|x{3,20}|X{3,20}", value):
        return "{}"
    if re.fullmatch(r"(?:your|YOUR|my)[_ -]?[\w -]{1,40}", value):
        return f"{{{placeholder_name(value)}}}"
    return unquote(value.replace("+", " "))


def _mark(text: str, word: str) -> str:
    """Put braces around `word` where it stands between delimiters in `text`."""
    clean = word.strip(" {}<>[]:$")
    if not clean:
        return text
    pattern = rf"(?<![\w{{<\[:$]){re.escape(clean)}(?![\w}}>\]])"
    start = text.find("/", text.find("://") + 3 if "://" in text else 0)
    return text[: start + 1] + re.sub(pattern, lambda _: f"{{{clean}}}", text[start + 1 :])
