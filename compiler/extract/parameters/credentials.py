"""The header that carries a credential, where the page says that requests need one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from doc2tools.compiler.extract.candidates import Findings
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.parameters.mention import SHOWN, Mention
from doc2tools.compiler.extract.parameters.prose import speaks_of_all
from doc2tools.compiler.ir.document import Code, Paragraph, plain
from doc2tools.compiler.ir.source import Span

_BEARER: Final = re.compile(
    r"\bbearer token\b|\bauthorization\W{1,4}(?:http )?header\b|\bheader\W{1,3}authorization\b",
    re.I,
)
_NEEDS: Final = re.compile(
    r"\b(?:must|need|needs|require[sd]?|should|have to|has to|in order to|authenticated|expects?|"
    r"(?:is|are) (?:sent|passed|included|transmitted|accompanied))\b",
    re.I,
)
_CREDENTIAL: Final = re.compile(
    r"\bauthenticat\w{1,8}|\bapi[- ]?keys?\b|\b(?:access )?tokens?\b|\bcredentials?\b", re.I
)
_HEADER: Final = re.compile(
    r"(?<![?&\w$-])[\"'`]?\b(?P<name>Authorization|(?:X-)?(?:[A-Za-z]{1,20}-){0,3}(?:Key|Token|"
    r"Auth))[\"'`]?\s{0,4}(?P<sign>[:=])"
    r"\s{0,4}[\"']?\s{0,2}(?P<value>(?:(?:Bearer|Token|Basic|ApiKey|Key)\s+)?[^\"'\s,]{1,60})",
    re.I,
)
_EXCEPT: Final = re.compile(
    r"\b(?:except|excluding|other than|apart from|but not)\b(?P<rest>[^.)]{1,160})", re.I
)
_ENDPOINT: Final = re.compile(r"(?:\b(GET|POST|PUT|PATCH|DELETE)\s+)?(/[\w./{}:-]{1,100})")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"“(])")


@dataclass(slots=True)
class _Said:
    mentions: list[Mention] = field(default_factory=list[Mention])
    strong: set[int] = field(default_factory=set[int])
    weak: list[set[int]] = field(default_factory=list[set[int]])
    example: str = ""


def credential_mentions(
    outline: Outline, findings: Findings
) -> list[tuple[Mention, tuple[int, ...]]]:
    """Give the authorization header and the endpoints that need it, if the page says "all"."""
    said: dict[str, _Said] = {}
    pending: dict[tuple[str, ...], tuple[str, Span]] = {}
    for entry in outline.entries:
        block = entry.block
        if isinstance(block, Code) and len(block.text) < 400:
            _read_header(block.text, entry.section, pending, said)
        if not isinstance(block, Paragraph):
            continue
        text = plain(block.runs)[:6000]
        for sentence in _SENTENCE.split(text)[:60]:
            if not (_NEEDS.search(sentence) and speaks_of_all(sentence)):
                continue
            if _BEARER.search(sentence):
                _note(said, "Authorization", sentence, block.span, findings)
            elif _CREDENTIAL.search(sentence):
                pending[entry.section] = (sentence, block.span)
        if len(text) < 400:
            _read_header(text, entry.section, pending, said)
    found: list[tuple[Mention, tuple[int, ...]]] = []
    for one in said.values():
        exempt = set(one.strong)
        if one.weak:
            exempt |= {n for n in one.weak[0] if all(n in named for named in one.weak)}
        mention = one.mentions[0]
        mention.examples = (one.example,) if one.example else ()
        reached = tuple(n for n in range(len(findings.endpoints)) if n not in exempt)
        found.append((mention, reached))
    return found


def _read_header(
    text: str,
    section: tuple[str, ...],
    pending: dict[tuple[str, ...], tuple[str, Span]],
    said: dict[str, _Said],
) -> None:
    """Take a header line with a credential for the one that the section's text speaks of."""
    match = _HEADER.search(text)
    if match is None:
        return
    name = match.group("name")
    if match.group("sign") == "=" and "-" not in name and name.lower() != "authorization":
        return
    if section in pending and name not in said:
        sentence, span = pending[section]
        said[name] = _Said([_mention(name, sentence, span)])
    if name in said and not said[name].example:
        said[name].example = " ".join(match.group("value").split())


def _note(said: dict[str, _Said], name: str, sentence: str, span: Span, findings: Findings) -> None:
    one = said.setdefault(name, _Said())
    one.mentions.append(_mention(name, sentence, span))
    strong, named = _exceptions(sentence, findings)
    one.strong |= strong
    one.weak.append(named)


def _mention(name: str, sentence: str, span: Span) -> Mention:
    return Mention(
        name,
        span,
        "credentials",
        SHOWN,
        "header",
        type="string",
        required=True,
        marked=True,
        description=sentence[:300],
    )


def _exceptions(sentence: str, findings: Findings) -> tuple[set[int], set[int]]:
    """Endpoints that the sentence exempts: by method and path, and by path alone."""
    found = _EXCEPT.search(sentence)
    strong: set[int] = set()
    weak: set[int] = set()
    if not found:
        return strong, weak
    for method, path in _ENDPOINT.findall(found.group("rest")):
        wanted = _segments(path)
        for number, located in enumerate(findings.endpoints):
            segments = _segments(located.draft.path.value)
            if (
                method
                and located.draft.method.value == method
                and segments[-len(wanted) :] == wanted
            ):
                strong.add(number)
            elif not method and any(
                segments[place : place + len(wanted)] == wanted for place in range(len(segments))
            ):
                weak.add(number)
    return strong, weak | strong


def _segments(path: str) -> Sequence[str]:
    return [part for part in path.partition("?")[0].rstrip(".,").split("/") if part]
