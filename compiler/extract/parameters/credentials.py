"""The header that carries a credential, where the page says that requests need one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from doc2tools.compiler.extract.candidates import Findings
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.parameters.mention import SHOWN, Mention
from doc2tools.compiler.extract.parameters.prose import speaks_of_all
from doc2tools.compiler.ir.document import Code, Paragraph, plain

_BEARER: Final = re.compile(
    r"\bbearer token\b|\bauthorization\W{1,4}(?:http )?header\b|\bheader\W{1,3}authorization\b",
    re.I,
)
_NEEDS: Final = re.compile(
    r"\b(?:must|need|needs|require[sd]?|should|have to|has to|in order to|authenticated)\b", re.I
)
_HEADER: Final = re.compile(
    r"[\"']?Authorization[\"']?\s{0,4}[:=]\s{0,4}[\"']?\s{0,2}(?P<scheme>Bearer|Token|Basic|ApiKey|Key)\s+(?P<token>[^\"'\s]{1,60})",
    re.I,
)
_EXCEPT: Final = re.compile(
    r"\b(?:except|excluding|other than|apart from|but not)\b(?P<rest>[^.)]{1,160})", re.I
)
_ENDPOINT: Final = re.compile(r"(?:\b(GET|POST|PUT|PATCH|DELETE)\s+)?(/[\w./{}:-]{1,100})")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"“(])")


def credential_mentions(
    outline: Outline, findings: Findings
) -> list[tuple[Mention, tuple[int, ...]]]:
    """Give the authorization header and the endpoints that need it, if the page says "all"."""
    general: list[Mention] = []
    strong: set[int] = set()
    weak: list[set[int]] = []
    example = ""
    for entry in outline.entries:
        block = entry.block
        if isinstance(block, Code) and len(block.text) < 400:
            found = _HEADER.search(block.text)
            example = example or (
                f"{found.group('scheme')} {found.group('token')}" if found else ""
            )
        if not isinstance(block, Paragraph):
            continue
        for sentence in _SENTENCE.split(plain(block.runs)[:6000])[:60]:
            if not (
                _BEARER.search(sentence) and _NEEDS.search(sentence) and speaks_of_all(sentence)
            ):
                continue
            general.append(
                Mention(
                    "Authorization",
                    block.span,
                    "credentials",
                    SHOWN,
                    "header",
                    type="string",
                    required=True,
                    marked=True,
                    description=sentence[:300],
                )
            )
            exempt, named = _exceptions(sentence, findings)
            strong |= exempt
            weak.append(named)
    if not general:
        return []
    everywhere_exempt = set.intersection(*weak) if weak else set[int]()
    if example:
        general[0].examples = (example,)
    reached = tuple(
        number
        for number in range(len(findings.endpoints))
        if number not in strong and number not in everywhere_exempt
    )
    return [(mention, reached) for mention in general[:1]]


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
