"""Addresses that a page states as the base of its API: in sentences, headings, labels, tables."""

# ruff: noqa: RUF001 - the typographic marks are what documentation holds

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from doc2tools.compiler.extract.decoys import asset, website_page
from doc2tools.compiler.extract.methods import statements
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.places import Place
from doc2tools.compiler.extract.templates import parse_targets
from doc2tools.compiler.extract.text import Token
from doc2tools.compiler.ir.document import DefinitionList, Heading, Table, plain
from doc2tools.compiler.ir.source import Span

_BASE_LABEL = re.compile(
    r"\b(?:base|root|main|primary|production|prod|live|staging|sandbox|server|api|service|host|"
    r"domain|common|endpoint|web ?service)[\s-]{1,2}(?:api[\s-])?"
    r"(?:urls?|uri|address|path|endpoint|host|root|domain|link|location|server)\b|"
    r"\bbase\b[\s-]{1,2}(?!currenc|rate|unit|amount|price|value|layer|colou?r|type|class)\w{1,12}\b|\burl[\s-](?:base|prefix|root)\b|\bprefix(?:ed)?\b|"
    r"\b(?:hosts?|servers?|domains?|schemes?)\s{0,2}:|"
    r"(?:^|[\n(*`])\s{0,4}[*`]{0,2}(?:the\s)?(?:apis?|urls?)[*`]{0,2}\s{0,2}[:\uff1a]\s{0,3}[*`]{0,3}\Z|"
    r"\b(?:all|every|each|any)\b[^.\n]{0,40}\b(?:endpoints?|requests?|urls?|uris?|calls?|paths?|"
    r"routes?|methods?|resources?|queries)\b[^.\n]{0,80}\Z|"
    r"\b(?:service|server|api|endpoint|site)\s(?:is|are|can be found)\s(?:at|on|under)\b|"
    r"\b(?:the|our|its|api|rest)\s(?:server|host|service|api|root|base|endpoint)\s(?:is|=)\s{0,2}:?\s{0,3}\W{0,3}\Z|"
    r"\b(?:replace|substitute|set|export|define|let)\b[^.\n]{0,40}?(?:root|base|host|url|server|domain)\w{0,10}\W{0,4}"
    r"\s?(?:with|by|to|be|as|=)\s{1,2}\W{0,3}\Z|"
    r"\b(?:hosted|located|reachable|available|accessible|online|served|accessed|lives?|running)"
    r"\s(?:at|on|under|from|via|through|here)\b|"
    r"\b(?:api|schnittstelle|dienst|service|servicio|serveur|server)\b[^.\n]{0,60}\s(?:unter|sous|"
    r"à l'adresse(?: suivante)?|à l’adresse(?: suivante)?|en|em|sur|на|по адресу|pod adresem)"
    r"\s{0,2}:?\s{0,2}\W{0,3}\Z|"
    r"\b(?:\w{1,12}_)?(?:base|root|host)(?:_?ur[li])?\s{0,2}[:=]\s{0,2}\W{0,2}\Z|"
    r"\brelative to\b|\bstarts? with\b|\bbegins? with\b|url de base|adresse de base|basis-?url|"
    r"basisadresse|url base|endereço base|базов\w{1,4} (?:url|адрес)|"
    r"基础\s?(?:url|路径|地址)|ベースurl",
    re.IGNORECASE,
)
_BASE_HEADING = re.compile(
    r"\b(?:base|root)[\s-]?(?:urls?|uri|path|address|endpoint)?\b|\bhosts?\b|\bservers?\b|\bdomains?\b|"
    r"\bservice (?:url|address)\b|\b(?:api|main) (?:url|address|root|endpoint|host|server)s?\b|"
    r"^(?:urls?|hostname|endpoint url|production|sandbox)$|url base|url de base|basis-?url",
    re.IGNORECASE,
)
_WEAK_HEADING = re.compile(
    r"^\W{0,3}(?:(?:api|rest|http|web|main)\s)?(?:end\s?-?points?|urls?|uri|address|adresse|host|server|"
    r"production|live|prod|environments?|umgebung|entorno|environnement)\W{0,3}$",
    re.IGNORECASE,
)
_FOLLOWED = re.compile(
    r"\W{0,5}(?:followed by|plus (?:the|one)|,? (?:and|then) (?:append|add)\b)", re.IGNORECASE
)
_LISTS_ADDRESSES = re.compile(
    r"\W{0,3}(?:(?:api|full|request)\s)?(?:urls?|uri|end\s?-?points?|address|path)\W{0,3}$", re.I
)
_BASE_PATH = re.compile(
    r"(?:/(?:api|rest|restapi|ws|web-?service|services?|public|open|json|rpc|latest|webapi|"
    r"v\d{1,4}(?:\.\d{1,3}){0,2}|\d{1,2}\.\d{1,2}|\{\w{0,12}version\}|api[-_]?v\d{1,2})){0,5}/?",
    re.IGNORECASE,
)
_INSTANCE = re.compile(
    r"(?:e\.\s?g\.|\bexamples?|\bfor (?:example|instance)|\bsuch as|\blike|z\.\s?b\.|p\.\s?ex\.|"
    r"\bpar exemple|\bpor ejemplo|\bnaar)\W{0,6}\Z",
    re.IGNORECASE,
)
_HOST_LINE = re.compile(
    r"(?:\A|[\s(])(?:api |server )?host(?:name)?\s{0,2}[:=]\s{0,3}"
    r"((?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,12})"
    r"(?:\s|\Z)",
    re.IGNORECASE,
)
STALE = re.compile(
    r"deprecat|obsolete|\bold\b|legacy|retire|no longer|stopped working|discontinu|shut ?down|"
    r"not allowed|do not use|don't use|veralte|устар|obsol[èe]te|outdated|former",
    re.IGNORECASE,
)
_GENERAL = re.compile(
    r"base|root|prefix|server|host|\ball\b|every|basis|раз|基础|ベース", re.IGNORECASE
)
_TEST = re.compile(
    r"\b(?:sandbox|staging|test(?:ing)?|development|dev|demo|mock|integration|preview)\b",
    re.IGNORECASE,
)
LOCAL = re.compile(r"(?:localhost|127\.\d|0\.0\.0\.0|192\.168\.|10\.\d|\[::1\])")


@dataclass(frozen=True, slots=True)
class Base:
    """A base URL that the page states.

    Attributes:
        stale: The page calls it old or forbidden.
        test: The page calls it a place for tests.
    """

    scheme: str
    host: str
    path: str
    span: Span
    stale: bool = False
    test: bool = False

    @property
    def url(self) -> str:
        """Scheme, host and path without a trailing slash."""
        return f"{self.scheme or 'https'}://{self.host}{self.path}"


def stated_bases(outline: Outline, *, relative: bool) -> list[Base]:
    """Find addresses that the text calls the base.

    Args:
        outline: The page.
        relative: The page defines endpoints by paths without a host, so that an address under a
            heading such as "Endpoint" can be what they are relative to.
    """
    bases: list[Base] = []
    previous = ""
    verbs = {outline.entries[said.index].heading for said in statements(outline)}
    for place in outline.places:
        if place.role == "embedded":
            continue
        label = _label(outline, place)
        text = place.text.text
        for token, raw in _addresses(place):
            before = text[max(0, token.start - 120) : token.start]
            alone = len(before.strip()) < 4
            announced = previous.rstrip().endswith((":", "：", "at", "is"))
            labelled = bool(_BASE_LABEL.search(before)) or (
                alone
                and (
                    (bool(_BASE_LABEL.search(previous[-120:])) and announced)
                    or (len(label) < 60 and bool(_BASE_HEADING.search(label)))
                )
            )
            labelled = labelled or bool(_FOLLOWED.match(text, token.end))
            weak = relative and (
                (alone and bool(_WEAK_HEADING.match(label)))
                or bool(_WEAK_HEADING.match(before))
                or _stands_alone(place, raw)
            )
            if place.role == "code" and place.nature in {"program", "config"}:
                continue
            facts = outline.entries[place.index].heading in verbs
            if facts and not _GENERAL.search(before or label):
                continue  # `URL: …` beside `Method: POST` is one operation's own address
            if labelled or weak:
                base = _base(raw, place, token, label, weak=weak and not labelled)
                if base:
                    bases.append(base)
        bases.extend(_other_forms(place))
        previous = text if text.strip() else previous
    return bases


def _stands_alone(place: Place, raw: str) -> bool:
    """Whether a block or paragraph holds nothing but an address that ends as bases do: `/v2`."""
    text = place.text.text.strip()
    path = "/" + raw.partition("://")[2].partition("/")[2].strip("/")
    only = (
        place.lines == 1
        and place.role in {"code", "paragraph"}
        and text.strip("`/") == raw.strip("/")
    )
    return only and len(path) > 1 and _BASE_PATH.fullmatch(path) is not None


def _addresses(place: Place) -> Iterator[tuple[Token, str]]:
    for token in place.text.tokens:
        if token.kind == "url":
            yield token, token.raw
        elif re.match(r"(?:[\w-]+\.)+[a-z]{2,}|localhost", token.raw):
            yield token, token.raw if "://" in token.raw else f"https://{token.raw}"


def _other_forms(place: Place) -> Iterator[Base]:
    """A read-only field that holds a host, and a line such as `Host: api.example.org`."""
    text = place.text.text.strip()
    if place.role == "field" and re.match(r"https?://[\w.-]+/?\Z", text):
        for target in parse_targets(text)[:1]:
            yield Base(target.scheme, target.host, target.path.rstrip("/"), place.span)
    if place.role in {"paragraph", "item"} and len(text) < 200:
        named = _HOST_LINE.search(text)
        if named and not re.search(r"\.(?:html?|js|json|md|py|php)\Z", named.group(1), re.I):
            yield Base("https", named.group(1).lower(), "", place.span)


def _base(raw: str, place: Place, token: Token, label: str, *, weak: bool) -> Base | None:
    targets = parse_targets(raw)
    if not targets:
        return None
    target = targets[0]
    path = target.path.rstrip("/")
    if not target.host or target.query or target.fragment:
        return None
    own = re.search(
        r"\.(?:json|xml|xslt?|csv|txt|rss|atom|ics|ya?ml)\Z", path
    )  # a request's own address
    if own or ("{" in target.path and not _BASE_PATH.fullmatch(path)):
        return None
    if website_page(target) or asset(target.path) or (weak and not _BASE_PATH.fullmatch(path)):
        return None
    text = place.text.text
    if _INSTANCE.search(text[max(0, token.start - 30) : token.start]):
        heads = [
            t.raw.rstrip("/")
            for t in place.text.tokens
            if t.kind == "path" and t.end <= token.start
        ]
        shown = next((head for head in reversed(heads) if f"{path}/".startswith(f"{head}/")), None)
        if shown is None and not _BASE_PATH.fullmatch(path):
            return None
        path = path if shown is None else shown
    around = text[max(0, token.start - 80) : token.end + 60]
    near = f"{label if place.role == 'cell' else ''} {text[max(0, token.start - 40) : token.start]}"
    return Base(
        target.scheme,
        target.host,
        path,
        place.span,
        bool(STALE.search(around)),
        bool(_TEST.search(near)),
    )


def _label(outline: Outline, place: Place) -> str:
    """What an address that stands alone is called: by its row, its term, or its heading."""
    entry = outline.entries[place.index]
    block = entry.block
    if isinstance(block, Table):
        row = block.rows[place.row or 0]
        head = plain(row[0].runs) if place.column else ""
        if _BASE_HEADING.search(head) or _WEAK_HEADING.match(head):
            return head
        over = block.header[place.column].runs if place.column < len(block.header) else ()
        column = plain(over)
        return "" if _LISTS_ADDRESSES.match(column) else column
    if entry.parent >= 0 and entry.leads_item and entry.item is not None:
        parent = outline.entries[entry.parent].block
        if isinstance(parent, DefinitionList):
            return plain(parent.items[entry.item].term)
    heading = entry.heading
    if heading < 0 or heading == place.index:
        return ""
    above = outline.entries[heading].block
    return plain(above.runs) if isinstance(above, Heading) else ""
