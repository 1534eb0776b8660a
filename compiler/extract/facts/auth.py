"""Authentication schemes that a page states or shows in its samples."""

# ruff: noqa: RUF001 - the typographic marks and letters are what documentation holds

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, Literal

from doc2tools.compiler.extract.candidates import Findings
from doc2tools.compiler.extract.outline import Entry, Outline
from doc2tools.compiler.ir.document import Code, Heading, Paragraph, Table, plain
from doc2tools.compiler.ir.draft import AuthDraft
from doc2tools.compiler.ir.source import Span

Scheme = Literal["none", "basic", "bearer", "header", "query", "cookie", "login", "oauth2"]
_Key = tuple[Scheme, str]

_HEADING: Final = re.compile(
    r"\b(?:auth\w{0,15}|credentials?|api[- ]?keys?|access[- ]?tokens?|security|login|sign[- ]?in|"
    r"anmeldung|authentifi\w{1,12}|autentica\w{1,8}|autentifica\w{1,8}|аутентификац\w{1,4}|"
    r"авторизац\w{1,4})\b|认证|鉴权|認証|인증",
    re.I,
)
_NONE: Final = re.compile(
    r"\b(?:no|without|not? (?:require|need)(?:s|d)?)(?: any| an?)? (?:auth\w{0,12}|api[- ]?keys?|"
    r"credentials|login|registration|account|token)\b|\b(?:authentication|api keys?|"
    r"tokens?) (?:is|are) "
    r"not (?:required|needed|necessary)\b|\bno api keys are required\b|\bdoes(?: not|n't) "
    r"(?:require|need) "
    r"(?:any |an? )?(?:auth\w{0,12}|api[- ]?key|account|login|token)|"
    r"\bunauthenticated\b.{0,20}\ballowed\b",
    re.I,
)
_BASIC: Final = re.compile(
    r"\b(?:http )?basic[- ](?:auth\w{0,12}|access auth\w{0,12})|\bauthorization\W{1,4}basic\b", re.I
)
_BEARER: Final = re.compile(r"\bbearer\b", re.I)
_OAUTH: Final = re.compile(r"\boauth ?2(?:\.0)?\b", re.I)
_HEADER_SAMPLE: Final = re.compile(
    r"[\"']?(Authorization|X-[\w-]{2,40}|[\w-]{0,20}(?:Api|Auth|Access)-?(?:Key|Token)|"
    r"Api-?Key|Private-Token)[\"']?"
    r"\s{0,3}[:=]\s{0,3}[\"']?\s{0,2}([\w<{$\[.%-][^\"'\r\n]{0,80})",
    re.I,
)
_SECRET_NAME: Final = re.compile(
    r"(?:api|auth|access|private|secret|session|csrf|user|app|client|"
    r"subscription)?[-_]?(?:key|token|secret)\Z|apikey|appid",
    re.I,
)
_HEADER_PROSE: Final = re.compile(
    r"[`\"'“‘]?((?:X-[\w-]{2,40}|[\w-]{0,20}(?:Api|Auth|Access)-?(?:Key|Token)|"
    r"Private-Token))[`\"'”’]?\s+(?:http |request )?header\b"
    r"|\bheader\b.{0,30}?[`\"'“‘]((?:X-)?[\w-]{2,40}(?:Key|Token|Auth))[`\"'”’]",
    re.I,
)
_QUERY_PROSE: Final = re.compile(
    r"[`\"'“‘?&]((?:[\w-]{0,20}[_-]?)?(?:api[_-]?key|key|token|access_token|appid|auth))[`\"'”’=]"
    r"(?:.{0,40}\b(?:query|parameter|param|url)\b)?",
    re.I,
)
_COOKIE: Final = re.compile(r"\b(?:session )?cookie\b", re.I)
_CURL_USER: Final = re.compile(r"\bcurl\b[^\n]{0,300}?\s(?:-u|--user)[ =]?['\"]?[\w<{$.@-]{1,60}:")
_KEY: Final = re.compile(r"\bapi[- ]?keys?\b|\baccess[- ]?tokens?\b|\bapp[- ]?id\b", re.I)
_REQUIRES: Final = re.compile(
    r"\b(?:requires?|needs?|must be|has to be) (?:an? )?(?:auth\w{0,15}|api[- ]?key|login|logged|"
    r"(?:valid )?(?:access )?token)\b|\bauthentication (?:is )?required\b|\brequires permission\b",
    re.I,
)
_LOGIN: Final = re.compile(
    r"\b(?:log ?in|sign ?in|obtain|get|request|exchange|retrieve|"
    r"receive)\b.{0,60}\b(?:token|session|cookie)\b",
    re.I,
)


@dataclass(slots=True)
class _Seen:
    weight: float = 0.0
    description: str = ""
    spans: dict[Span, None] = field(default_factory=dict[Span, None])


def page_auth(
    outline: Outline, findings: Findings, own: frozenset[int] = frozenset()
) -> tuple[AuthDraft, ...]:
    """Give the authentication schemes of the page's API, the best attested first.

    Args:
        outline: The page.
        findings: Its endpoints.
        own: Entries of text that speaks of single endpoints only.
    """
    seen: dict[_Key, _Seen] = {}
    rows = {found.anchor for found in findings.endpoints if found.row is not None}
    for entry in outline.entries:
        about = any(_HEADING.search(text[:120]) for text in entry.section[-2:])
        block = entry.block
        if isinstance(block, Code):
            _code(block.text[:20_000], block.span, about, seen)
        elif isinstance(block, Paragraph):
            text = plain(block.runs)[:5_000]
            if entry.index not in own or not _NONE.search(text):
                _prose(text, block.span, about, seen)
        elif isinstance(block, Table) and entry.index not in rows:
            _table(block, seen)
    for found in findings.endpoints:
        for sample in found.draft.samples[:20]:
            span = sample.spans[0] if sample.spans else None
            for name, value in sample.values.items():
                if _is_credential(name, value) and f"{name}=" in sample.url:
                    _note(seen, "query", name, weight=1.0, text="", span=span)
    return tuple(
        AuthDraft(type=key[0], name=key[1], description=one.description, spans=tuple(one.spans)[:5])
        for key, one in _settled(seen)[:5]
    )


def _settled(seen: dict[_Key, _Seen]) -> list[tuple[_Key, _Seen]]:
    """Choose the schemes that are well attested; "none" counts against weak others only."""
    ranked = sorted(seen.items(), key=lambda item: -item[1].weight)
    kept = [(key, one) for key, one in ranked if one.weight >= 1.0]
    others = [(key, one) for key, one in kept if key[0] != "none"]
    nothing = [(key, one) for key, one in kept if key[0] == "none"]
    if not others or not nothing:
        return kept
    return others if any(one.weight >= 2 for _, one in others) else nothing


def endpoint_auth(entries: tuple[Entry, ...], page: tuple[AuthDraft, ...]) -> AuthDraft | None:
    """Give the scheme that an endpoint's own text asks for; `None` where it says nothing."""
    for entry in entries:
        block = entry.block
        if not isinstance(block, Paragraph | Heading):
            continue
        text = plain(block.runs)[:2_000]
        if _NONE.search(text):
            return AuthDraft(type="none", description=text[:300], spans=(block.span,))
        if _REQUIRES.search(text):
            scheme = next((draft for draft in page if draft.type != "none"), None)
            if scheme is not None:
                return scheme.model_copy(update={"spans": (block.span,), "description": text[:300]})
    return None


def _is_credential(name: str, value: object) -> bool:
    """A name such as `api_key`; `key` and `token` only with a value such as `YOUR_KEY`."""
    if _SECRET_NAME.fullmatch(name) is None:
        return False
    if name.lower() not in {"key", "token", "secret"}:
        return True
    return isinstance(value, str) and bool(
        re.search(r"your|api|key|token|secret|<|\{", value, re.I)
    )


def _note(
    seen: dict[_Key, _Seen],
    scheme: Scheme,
    name: str,
    *,
    weight: float,
    text: str,
    span: Span | None,
) -> None:
    one = seen.setdefault((scheme, name), _Seen())
    one.weight += weight
    one.description = one.description or text[:300]
    if span is not None:
        one.spans.setdefault(span)


def _prose(text: str, span: Span, about: bool, seen: dict[_Key, _Seen]) -> None:
    if _NONE.search(text):
        _note(seen, "none", "", weight=3.0, text=text, span=span)
        return
    needs = about or bool(
        re.search(
            r"\b(?:all|every|each|any) (?:api )?(?:requests?|calls?|endpoints?)\b|\bauthenticat",
            text,
            re.I,
        )
    )
    if not needs:
        return
    weight = 1.5 if about else 1.0
    if _BASIC.search(text):
        _note(seen, "basic", "", weight=weight, text=text, span=span)
    if _BEARER.search(text):
        _note(seen, "bearer", "Authorization", weight=weight, text=text, span=span)
    if _OAUTH.search(text):
        _note(seen, "oauth2", "", weight=weight, text=text, span=span)
    header = _HEADER_PROSE.search(text)
    if header:
        _note(
            seen, "header", header.group(1) or header.group(2), weight=weight, text=text, span=span
        )
    elif _KEY.search(text):
        query = _QUERY_PROSE.search(text)
        if query and re.search(r"\b(?:query|parameter|param|url|append)\b", text, re.I):
            _note(seen, "query", query.group(1), weight=weight, text=text, span=span)
    if (
        about
        and _COOKIE.search(text)
        and re.search(r"\b(?:session|login|log in|send)\b", text, re.I)
    ):
        _note(seen, "cookie", "", weight=weight * 0.7, text=text, span=span)
    if (
        about
        and _LOGIN.search(text)
        and re.search(r"\b(?:POST|/(?:login|auth|token|session)\w{0,12})", text)
    ):
        _note(seen, "login", "", weight=weight * 0.7, text=text, span=span)


def _code(text: str, span: Span, about: bool, seen: dict[_Key, _Seen]) -> None:
    if _CURL_USER.search(text):
        _note(seen, "basic", "", weight=1.0, text="", span=span)
    for match in _HEADER_SAMPLE.finditer(text):
        name, value = match.group(1), match.group(2)
        if name.lower() == "authorization":
            word = value.split(" ")[0].lower()
            if word == "bearer":
                _note(seen, "bearer", "Authorization", weight=1.0, text="", span=span)
            elif word == "basic":
                _note(seen, "basic", "", weight=1.0, text="", span=span)
            else:
                _note(
                    seen,
                    "header",
                    "Authorization",
                    weight=1.0,
                    text=f"Authorization: {value[:60]}",
                    span=span,
                )
        elif _SECRET_NAME.search(name) and (about or ":" in match.group(0)):
            _note(seen, "header", name, weight=1.0, text="", span=span)


def _table(table: Table, seen: dict[_Key, _Seen]) -> None:
    for row in table.rows[:60]:
        if len(row) < 2:
            continue
        name = plain(row[0].runs).strip("` *:")
        text = " ".join(plain(cell.runs) for cell in row[1:])[:400]
        if name.lower() == "authorization":
            if _BEARER.search(text):
                _note(seen, "bearer", "Authorization", weight=1.0, text=text, span=row[0].span)
            elif re.search(r"\bbasic\b", text, re.I):
                _note(seen, "basic", "", weight=1.0, text=text, span=row[0].span)
            else:
                _note(seen, "header", "Authorization", weight=1.0, text=text, span=row[0].span)
        elif re.fullmatch(r"X-[\w-]{0,30}(?:Key|Token)", name, re.I):
            _note(seen, "header", name, weight=1.0, text=text, span=row[0].span)
        elif name.lower() in {"api_key", "apikey", "api-key", "access_token", "appid"}:
            _note(seen, "query", name, weight=1.0, text=text, span=row[0].span)
