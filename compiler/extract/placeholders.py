"""Placeholder syntaxes to one: every way in which a path marks a variable part → `{name}`."""

from __future__ import annotations

import re

PLACEHOLDER = re.compile(
    r"\(\?P?<(?P<regex>\w{1,60})>[^()/]{0,60}\)"
    r"|(?<=/)\((?:\w{1,12}:)?(?P<round>[A-Za-z_]\w{0,60})\)(?=[/?]|$)"
    r"|<<\s{0,3}(?P<twice>[^<>/]{1,60})>>"
    r"|(?<=/)\[(?P<either>[A-Za-z][^\[\]?=&]{1,60})\](?=[/?]|$)"
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
    r"|(?<=/)\*(?P<glob>[A-Za-z_]\w{0,60})\*?(?=[/?,]|$)"
    r"|(?<=/)(?P<star>\*{1,2})(?=/|$)"
)
_UPPER_SEGMENT = re.compile(r"[A-Z][A-Z0-9]{1,40}(?:[_-][A-Z0-9]{1,40}){0,6}\Z")
_SHOUTED_PARTS = re.compile(r"[A-Z]{3,30}(?:[+:,;~][A-Z]{3,30}){1,4}")
_VERSION = re.compile(r"v?\d{1,3}(?:[._]\d{1,3}){0,2}(?:[a-z]{1,5}\d{0,2})?\Z", re.IGNORECASE)
_ACRONYM_LIST = (
    "API REST RPC JSON XML CSV RSS HTTP WS GRAPHQL ODATA RDF SPARQL V SOAP WFS WMS OGC IIIF"
)
_ACRONYMS = frozenset(_ACRONYM_LIST.split())
_NAMING_LIST = """
ID IDS NAME KEY CODE USER USERNAME TOKEN DATE TYPE QUERY CITY YEAR MONTH DAY COUNTRY LANG LANGUAGE
SYMBOL TEXT VALUE NUMBER COUNT PAGE FORMAT VERSION SLUG UUID GUID TITLE CATEGORY TAG GROUP PROJECT
FILE FILENAME PATH HASH ADDRESS DOMAIN IP EMAIL PHONE STATE REGION LAT LON LNG LATITUDE LONGITUDE
WIDTH HEIGHT SIZE COLOR TEAM PLAYER SEASON LEAGUE MATCH ORG REPO OWNER BRANCH HOST HOSTNAME PATHNAME
NAMESPACE MODULE PACKAGE INDEX TABLE DATABASE COLLECTION DOCUMENT SERVICE RESOURCE ENTITY OBJECT
METHOD ACTION AMOUNT FROM TO ISBN URL WORD TERM ZIP POSTCODE CURRENCY BASE BOARD CHANNEL ROOM DEVICE
SENSOR NODE JOB TASK EVENT ORDER PRODUCT ITEM ACCOUNT CUSTOMER YYYY MM DD HH YY
"""
_NAMING_WORDS = frozenset(_NAMING_LIST.split())
_YOUR = re.compile(r"(?:your|my|some|any|the)[ _-]+(?=\w)", re.IGNORECASE)
_PLACEHOLDER_WORD = re.compile(
    r"(?:[a-z][a-z0-9]{0,30}(?:Id|ID|_id|-id)|id|ids|uuid|guid|slug|username|user_name|userid|"
    r"query-?_?string|yyyy(?:-mm-dd)?|yyyymmdd|"
    r"x{2,20}|X{2,20}|(?:your|my)[_-][\w-]{1,40}|YOUR\w{1,40})\Z"
)


def normalise_path(path: str) -> str:
    """Rewrite all placeholders of one path variant as `{name}`, names unique in the path."""
    path = PLACEHOLDER.sub(_braces, path)
    if not path:
        return ""
    segments = path.split("/")
    literal = [s for s in segments if s and "{" not in s]
    shouting = bool(literal) and all(s.upper() == s for s in literal)
    for place, segment in enumerate(segments):
        if _SHOUTED_PARTS.fullmatch(segment):
            segments[place] = re.sub(r"[A-Z]{3,30}", lambda m: f"{{{m.group().lower()}}}", segment)
            continue
        name = _word_placeholder(segment, shouting, first=place <= 1)
        after = segments[place + 1] if place + 1 < len(segments) else ""
        if name and after != f"{{{segment}}}":
            segments[place] = f"{{{name}}}"
    return _name_all("/".join(segments))


def placeholder_free(path: str) -> str:
    """Give the shape of a template: names of placeholders and a trailing slash left out."""
    shape = re.sub(r"/{2,10}", "/", re.sub(r"\{[^{}]{0,200}\}", "{}", path))
    return shape.rstrip("/") or "/"


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
