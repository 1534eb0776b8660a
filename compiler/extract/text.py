"""Running text with its marks kept by offset, and the request targets that stand in it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote

from doc2tools.compiler.ir.document import Run

_MAX_TEXT = 30_000
_MAX_TOKENS = 500

_PART = (  # alternatives for one placeholder inside a target
    r"\{\{[^{}\n]{1,60}\}\}|<<[\w][^<>\n=/]{0,40}>>|[$#]?\{[^{}\n]{1,80}\}|<[\w][^<>\n=/]{0,40}>|\[[^\[\]\n<>]{1,60}\]|"
    r"\([^()\s]{0,60}\)"
)
_URL = re.compile(
    r"(?<![\w@])(?:(?:https?|wss?)://|(?<![:\w/.])//(?=[\w-]{1,63}\.[\w.-]{2,80}/))(?:"
    + _PART
    + r"|(?!,[\w.-]{0,40}=?https?://)[^\s<>\"'`“”\u2018\u2019«»|\\^{}\[\]()、。\uff0c\uff08\uff09]){1,1500}",
    re.IGNORECASE,
)
_PATH = re.compile(
    r"(?:(?<=[\s(\[\"'`“\u2018«=:,>|\uff08\uff1a·•→\u2013—])|(?<![\s\S]))"
    r"(?P<base>\{\{?[\w .-]{1,40}\}?\}|\$\{?[A-Za-z_][\w.-]{0,40}\}?|<[\w .:-]{1,40}>|"
    r"\[[\w .-]{1,40}\]|(?:[A-Z]{2,12}_){0,2}(?:URL|URI|HOST|BASE|SERVER|ENDPOINT|ROOT|DOMAIN|API)"
    r"(?:_[A-Z]{2,12}){0,2}|"
    r"(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,10})(?::\d{2,5})?|"
    r"(?:[a-z]{2,12}-)?(?:host|hostname|server|ip|address|ipaddress)(?:-[a-z]{2,12})?:(?:port|\d{2,5})"
    r"|\.{3}|…|~)?"
    r"(?P<path>/(?!/)(?:"
    + _PART
    + r"|[\w\-.~:@!$&+=,;*%/#^…]|\?(?=[\w\[{&/]|:\w)|(?<=\w)\?(?=/)){0,1500})"
)
_SITE = re.compile(
    r"(?:[a-z0-9-]{1,63}\.){1,5}(?!(?:js|ts|py|md|rb|rs|sh|go|php|html?|json|xml|txt|ya?ml)\Z)[a-z]{2,10}"
)
_SPACED_PATH = re.compile(
    r"/?[^\s/]{1,80}/[^\s]{1,200}(?: [A-Za-z][\w.-]{0,30}){1,3}/[\w./{}-]{1,100}"
)
_TRAILING = re.compile(r"(?:[.,;:!?'\"*、。\uff0c\u2019”»]|&(?:quot|gt|lt);){1,6}\Z")
_SPACED_VALUE = re.compile(
    r"(?: (?!(?:returns?|will|gets?|to|for|with|if|gives?)\b)[\w,'&=%|]{1,40}){1,16}"
    r"(?:\[[\w ,]{1,60}\])?[\w ,&=]{0,100}"
)
_RELATIVE = re.compile(
    r"(?:[A-Za-z_][\w.~-]{0,60}|:\w{1,40}|\{[^{}\n]{1,60}\}|<\w[^<>\n/]{0,40}>)"
    r"(?:/(?:" + _PART + r"|[\w\-.~:@!$+=,;*%]){1,200}){0,20}/?"
    r"(?:\?(?=[\w\[{])(?:" + _PART + r"|[\w\-.~:@!$&+=,;*%/]){1,600})?"
)


_VERB_RUN = re.compile(r"(?:get|post|put|patch|delete|del|head|options)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mark:
    """One run of the text and the offsets it covers."""

    start: int
    end: int
    run: Run


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of text that could be a request target.

    Attributes:
        raw: The text, closing punctuation left out.
        kind: `url` with a scheme, `path` with a leading slash, `relative` without.
        emphasised: Parts of it that are set apart.
        whole: It is all that its code or link run holds.
    """

    start: int
    end: int
    raw: str
    kind: str
    emphasised: tuple[str, ...] = ()
    code: bool = False
    link: str = ""
    whole: bool = False


@dataclass(frozen=True)
class Text:
    """Text of one paragraph, heading, cell or code line, with its runs."""

    text: str
    marks: tuple[Mark, ...] = ()
    is_code: bool = False
    hints: tuple[str, ...] = ()

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """All URLs and rooted paths in it, in order, none inside another."""
        return tuple(_tokens(self))

    @cached_property
    def _starts(self) -> list[int]:
        return [mark.start for mark in self.marks]

    @cached_property
    def _token_starts(self) -> list[int]:
        return [token.start for token in self.tokens]

    def mark_at(self, offset: int) -> Mark | None:
        """Give the mark that covers `offset`."""
        place = bisect_right(self._starts, offset) - 1
        if place < 0 or offset >= self.marks[place].end:
            return None
        return self.marks[place]

    def run_at(self, offset: int) -> Run | None:
        """Give the run that covers `offset`."""
        mark = self.mark_at(offset)
        return mark.run if mark else None

    def tokens_from(self, offset: int) -> tuple[Token, ...]:
        """Give the tokens that start at `offset` or later, at most twenty."""
        place = bisect_left(self._token_starts, offset)
        return self.tokens[place : place + 20]

    def token_before(self, offset: int) -> Token | None:
        """Give the last token that ends at `offset` or before."""
        place = bisect_right(self._token_starts, offset) - 1
        while place >= 0 and self.tokens[place].end > offset:
            place -= 1
        return self.tokens[place] if place >= 0 else None

    def emphasised_in(self, start: int, end: int) -> tuple[str, ...]:
        """Give the parts of `[start, end)` that are set apart from the rest of it."""
        found = [hint for hint in self.hints if hint in self.text[start:end]]
        first = max(0, bisect_right(self._starts, start) - 1)
        last = bisect_left(self._starts, end)
        inside = [m for m in self.marks[first : min(last, first + 60)] if m.end > start]
        if len(inside) > 1:
            for mark in inside:
                run = mark.run
                plainer = any(
                    (other.run.strong, other.run.emphasis) != (run.strong, run.emphasis)
                    for other in inside
                    if "/" in other.run.text
                )
                if (run.emphasis or run.strong) and plainer and "/" not in run.text:
                    found.append(self.text[max(mark.start, start) : min(mark.end, end)].strip())
        return tuple(word for word in found if word)

    def target_at(self, offset: int) -> Token | None:
        """Give the target that starts at `offset`, one without a leading slash included."""
        for token in self.tokens_from(offset)[:1]:
            if token.start == offset:
                return token
        match = _RELATIVE.match(self.text, offset)
        if not match:
            return None
        raw = trim(match.group())
        return _token(self, offset, offset + len(raw), raw, "relative") if raw else None


def flatten(runs: tuple[Run, ...], *, is_code: bool = False) -> Text:
    """Join `runs` to one text and remember where each stands."""
    marks: list[Mark] = []
    parts: list[str] = []
    place = 0
    for run in runs:
        text = run.text[: max(0, _MAX_TEXT - place)]
        if not text:
            continue
        if text[0] in "/h" and parts and _VERB_RUN.fullmatch(parts[-1]):
            parts.append(" ")  # `<span>POST</span><span>/pets</span>` shows two words
            place += 1
        parts.append(text)
        marks.append(Mark(place, place + len(text), run))
        place += len(text)
    return Text("".join(parts), tuple(marks), is_code)


def trim(raw: str) -> str:
    """Cut the punctuation and unbalanced brackets that follow a target in prose."""
    for _ in range(8):
        match = _TRAILING.search(raw)
        if match and re.search(r"[\]}>][*?]\Z", raw):
            break
        if match and not re.search(r"(?:/|\w)\.\.\.?\Z|…\Z", raw):
            raw = raw[: match.start()]
            continue
        last = raw[-1:]
        pairs = {")": "(", "]": "[", "}": "{", ">": "<"}
        if last in pairs and raw.count(last) > raw.count(pairs[last]):
            raw = raw[:-1]
            continue
        if last and last in "([{<|=&" and not raw.endswith("="):
            raw = raw[:-1]
            continue
        break
    return raw


def _tokens(text: Text) -> list[Token]:
    body = text.text
    found: list[Token] = []
    if "/" not in body:
        return found
    spans: list[tuple[int, int]] = []
    for match in _URL.finditer(body):
        start, end = match.start(), match.end()
        end = max(end, _widen(text, start, end))
        raw = trim(body[start:end])
        if spans and start < spans[-1][1]:
            continue
        if len(found) >= _MAX_TOKENS:
            break
        spans.append((start, start + len(raw)))
        found.append(_token(text, start, start + len(raw), raw, "url"))
    place = 0
    for match in _PATH.finditer(body):
        start, end = match.start(), match.end()
        while place < len(spans) and spans[place][1] <= start:
            place += 1
        if place < len(spans) and spans[place][0] < end:
            continue
        if match.group("base") == "~":
            continue
        end = max(end, _widen(text, start, end))
        raw = trim(body[start:end])
        linked = _spaced_link(text, start, end)
        if linked:
            end, raw = start + len(linked), linked.replace(" ", "%20")
            found.append(_token(text, start, end, raw, "path"))
            continue
        if len(found) >= 2 * _MAX_TOKENS:
            break
        if raw:
            kind = "path"
            run = text.run_at(start)
            base = match.group("base") or ""
            addressed = (run and run.href) or _SITE.fullmatch(base)
            if addressed and "." in base[1:-1]:
                kind = "url"  # a link whose text is an address without its scheme
            found.append(_token(text, start, start + len(raw), raw, kind))
    found.sort(key=lambda token: token.start)
    return found


def _widen(text: Text, start: int, end: int) -> int:
    """A query or placeholder may hold spaces where a run or a line holds the target alone."""
    body = text.text
    if not text.is_code and "=" in body[start:end] and body.startswith("http", start):
        line_start = body.rfind("\n", 0, start) + 1
        line_end = body.find("\n", end)
        line_end = len(body) if line_end < 0 else line_end
        if not body[line_start:start].strip() and _SPACED_VALUE.fullmatch(body, end, line_end):
            return line_end
    if "?" not in body[start:end] and not re.search(r"[{\[<:]", body[start : end + 1]):
        return end
    mark = text.mark_at(start)
    if mark is None or start - mark.start > 8 or mark.end - start > 1_500:
        return end
    inner = body[start : mark.end].rstrip()
    whole = mark.run.code or (mark.run.href and inner.startswith("http"))
    prose = re.search(r"\n|\s(?:https?://|/\w|or|and|with|HTTP/\d)", inner)
    late = "?" in inner and " " in inner.partition("?")[0]
    return end if not whole or prose or late else start + len(inner)


def _spaced_link(text: Text, start: int, end: int) -> str:
    """A path with spaces that is all of a link's text, where the link's address ends with it."""
    mark = text.mark_at(start)
    if mark is None or mark.start != start or mark.end <= end:
        return ""
    shown = mark.run.text.strip()[:300]
    if mark.run.code and _SPACED_PATH.fullmatch(shown):
        return shown
    whole = " " in shown and unquote(mark.run.href[-900:]).endswith(shown)
    return shown if whole and "\n" not in shown else ""


def _token(text: Text, start: int, end: int, raw: str, kind: str) -> Token:
    run = text.run_at(start)
    code = text.is_code or bool(run and run.code)
    whole = False
    link = ""
    if run:
        link = run.href
        whole = run.text.strip() == raw
    return Token(start, end, raw, kind, text.emphasised_in(start, end), code, link, whole)
