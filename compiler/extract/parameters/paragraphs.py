"""Paragraphs that list parameters: "Parameters: `a` (required), `b`", or a line for each."""

# ruff: noqa: RUF001 - the typographic marks and letters are what documentation holds

from __future__ import annotations

import re
from typing import Final

from doc2tools.compiler.extract.parameters.items import read_item
from doc2tools.compiler.extract.parameters.mention import LISTED, Mention
from doc2tools.compiler.extract.parameters.naming import is_identifier, read_name
from doc2tools.compiler.extract.parameters.phrases import marked, read_statement
from doc2tools.compiler.extract.parameters.roles import Role, read_role
from doc2tools.compiler.extract.parameters.types import read_type
from doc2tools.compiler.extract.parameters.values import is_nothing
from doc2tools.compiler.extract.parameters.vocabulary import word_set
from doc2tools.compiler.ir.document import Paragraph, Run, plain
from doc2tools.compiler.ir.source import Span

_TYPE_WORDS: Final = word_set(
    """string integer int number bool boolean array object float date optional required file
    enum list uuid"""
)
_ENTRY: Final = re.compile(
    r"(?:and |or |und |et |y |e "
    r")?`?([?&:{\[]?[A-Za-z_$][\w$.\-]*(?:\[\])?[}\]]?(?:=[^\s`]*)?[*?]?)`?\s*(.*)",
    re.S,
)
_HEAD: Final = re.compile(r"[^:`]{3,60}:")
_PLAIN_ENTRY: Final = re.compile(r"[a-z_][\w.\-]{0,50}\s?(?:[–—-]\s|\()")
_NEXT_LABEL: Final = re.compile(r"(?<=[.;])\s(?=[A-ZÀ-Ü][^.:`]{2,40}:\s)")
_OPERATION: Final = re.compile(r"`?(?:(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b|/|https?:)")
_OBLIGATION: Final = re.compile(
    r"\W{0,3}(?:required|optional|mandatory)(?: \w{1,12})?\W{0,4}\Z", re.I
)


def read_enumeration(text: str, span: Span, rule: str) -> list[Mention]:
    """Read names in one stretch of marked text: "`a` (required), `b` and `c`"."""
    if is_nothing(text) or len(text) > 2000:
        return []
    found: list[Mention] = []
    described = False
    for part in _parts(text):
        match = _ENTRY.fullmatch(part.strip().rstrip("."))
        name = read_name(match.group(1)) if match else None
        rest = match.group(2) if match else ""
        unmarked = rest[:1] not in tuple("(:-–—=")
        if name is None or (unmarked and (described or len(rest.split()) > 3)):
            if found:
                found[-1].take_text(part.strip())
            continue
        described = described or rest[:1] in tuple(":-–—=")
        mention = Mention(name.name, span, rule, LISTED)
        mention.take_name(name)
        stripped = rest.strip(" ():-–—")
        mention.take_type(read_type(stripped.split(",")[0]))
        mention.take_statement(read_statement(f"({stripped})"))
        found.append(mention)
    return found


def _parts(text: str) -> list[str]:
    parts: list[str] = []
    depth = start = 0
    for place, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if depth <= 0 and char in ",;、":
            parts.append(text[start:place])
            start = place + 1
    parts.append(text[start:])
    return [
        inner
        for part in parts
        for inner in re.split(r"(?<=[`)])\s+(?:and|or|und|et|y|e)\s+(?=`)", part)
    ]


def announced_names(block: Paragraph) -> list[tuple[Role, list[Mention]]]:
    """Read "Required fields: `a`, `b`": the role of the words before the colon, the names.

    Each line of the paragraph may announce some.
    """
    if not any(":" in run.text for run in block.runs):
        return []
    lines = split_lines(block.runs)
    parts = [part for line in lines[:40] for part in _NEXT_LABEL.split(marked(_set_apart(line)))]
    found = [_announced(part, block.span) for part in parts]
    return [one for one in found if one is not None]


def _set_apart(runs: tuple[Run, ...]) -> tuple[Run, ...]:
    """Take names in bold or italics after the colon for what they would be as code."""
    after = False
    found: list[Run] = []
    for run in runs:
        text = run.text.strip()
        name = after and (run.strong or run.emphasis) and is_identifier(text) and ":" not in text
        name = name and not is_nothing(text)
        found.append(run.model_copy(update={"code": True}) if name and not run.code else run)
        after = after or ":" in text
    return tuple(found)


def _announced(text: str, span: Span) -> tuple[Role, list[Mention]] | None:
    head = _HEAD.match(text)
    if head is None or len(text) > 1000:
        return None
    rest = text[head.end() :].strip()
    role = read_role(head.group(0)[:-1])
    if role is None or role.kind != "request":
        return None
    if _OPERATION.match(rest):
        return None
    if rest.startswith("`"):
        mentions = read_enumeration(rest, span, "parameter-paragraph")
    elif len(head.group(0).split()) <= 3 and _PLAIN_ENTRY.match(rest):
        plain_rest = (Run(text=rest.replace("`", "")),)
        mentions = read_item(plain_rest, span, "parameter-paragraph", loose=True)
    else:
        return None
    return (role, mentions) if mentions else None


def obligation(text: str, current: Role | None) -> Role | None:
    """Read a label such as "Required:" within a stretch on parameters."""
    if (current is not None and current.kind != "request") or not _OBLIGATION.match(text):
        return None
    word = "required" if not re.search(r"optional", text, re.I) else "optional"
    if current is None:
        return Role("request", None, text=f"{word} parameters")
    return Role("request", current.location, current.explicit, f"{word} parameters")


def labelled(block: Paragraph) -> list[Mention]:
    """Read a paragraph that stands for a list item: a name set apart, then what it is."""
    runs = block.runs
    text = plain(runs)
    first = next((run for run in runs if run.text.strip()), None)
    if first is None or not (first.code or first.strong) or text.rstrip().endswith(":"):
        return []
    rest = text[len(first.text.strip()) :].lstrip()
    if not rest:
        assigned = first.code and re.fullmatch(r"[\w.\-\[\]]{1,60}=\S{1,60}", text.strip())
        return read_item(runs, block.span, "parameter-paragraph") if assigned else []
    if (
        rest[0] in ":-–—(=[*?"
        or rest.split()[0].lower().strip(",.") in _TYPE_WORDS
        or (len(rest.split()) <= 6 and read_type(rest.split()[0]).pure)
    ):
        return read_item(runs, block.span, "parameter-paragraph")
    return []


def read_lines(block: Paragraph) -> tuple[str, list[Mention]]:
    """Read a paragraph whose lines each describe one parameter; the lead-in line, the mentions."""
    lines = split_lines(block.runs)
    if not 2 <= len(lines) <= 60:
        return "", []
    lead = ""
    leads = [n for n, line in enumerate(lines) if plain(line).rstrip().endswith((":", "："))]
    wanted = next((n for n in leads if n and _announces(plain(lines[n]))), None)
    if wanted is not None:
        stop = next((n for n in leads if n > wanted), len(lines))
        lead, lines = plain(lines[wanted]), lines[wanted + 1 : stop]
    elif 0 in leads:
        lead, lines = plain(lines[0]), lines[1:]
    found: list[Mention] = []
    read = 0
    for line in lines:
        mentions = read_item(line, block.span, "parameter-lines")
        read += bool(mentions)
        found.extend(mentions)
    return (lead, found) if read >= 0.7 * len(lines) and read else ("", [])


def _announces(text: str) -> bool:
    role = read_role(text)
    return role is not None and role.kind == "request" and role.explicit


def split_lines(runs: tuple[Run, ...]) -> list[tuple[Run, ...]]:
    """Split `runs` at their line breaks."""
    lines: list[list[Run]] = [[]]
    for run in runs:
        for number, part in enumerate(run.text.split("\n")):
            if number:
                lines.append([])
            if part:
                lines[-1].append(run.model_copy(update={"text": part}))
    return [tuple(line) for line in lines if any(run.text.strip() for run in line)]
