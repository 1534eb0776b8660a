"""Reads list items, definitions and labelled paragraphs that each describe one parameter."""

# ruff: noqa: RUF001 - the typographic marks and letters are what documentation holds

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from doc2tools.compiler.extract.parameters.mention import Mention
from doc2tools.compiler.extract.parameters.naming import IDENTIFIER, Name, is_identifier, read_name
from doc2tools.compiler.extract.parameters.phrases import marked, read_statement
from doc2tools.compiler.extract.parameters.types import read_type
from doc2tools.compiler.extract.parameters.vocabulary import FACT_LABELS, word_set, words
from doc2tools.compiler.ir.base import Location
from doc2tools.compiler.ir.document import (
    Block,
    Code,
    DefinitionList,
    ListBlock,
    Paragraph,
    Run,
    plain,
)
from doc2tools.compiler.ir.source import Span

_QUOTED: Final = r"[\"'`‘’“”]?"
_PLAIN_ITEM: Final = re.compile(
    rf"({_QUOTED}[?&:]?{IDENTIFIER.pattern}{_QUOTED}(?:=[^\s:]{{0,60}})?[*?]?)"
    r"(?P<rest>\s{0,20}(?:[(\[][^()\[\]]{1,160}[)\]]\s{0,20}){0,3}(?:[:：=—–-]|\.\.\.|→|=>)(?:\s|"
    r"\Z).*|\s+[(\[].*)",
    re.S,
)
_GROUP: Final = re.compile(r"\s{0,20}([(\[])([^()\[\]]{1,200}(?:\[\][^()\[\]]{0,100})?)[)\]]")
_DELIMITER: Final = re.compile(r"\s{0,20}(?:[:：—–]|-{1,2}(?=\s)|=>|→|\|)\s{0,20}")
_ANOTHER: Final = re.compile(r"\s{0,20}(?:,|/|&|and|or|und|et|y|и)?\s{0,20}`([^`]{1,80})`")
_LEGEND: Final = re.compile(r"\s{0,20}[:：=–—-]\s{0,20}`[^`]{1,40}`\W{0,3}")
_NO_NAMES: Final = word_set(
    """note notes example examples warning tip important caution required optional default
    defaults returns return response responses request see also type description format
    method url get post put patch delete endpoint endpoints http https json xml true false
    null yes no none synopsis status code body headers parameters params query path"""
)
_PLACES: Final[dict[str, Location]] = {
    "body": "body", "json": "body", "form": "form", "query": "query", "url": "query",
    "header": "header", "cookie": "cookie",
}  # fmt: skip
_OPERATION: Final = re.compile(
    r"[\s:–—-]{0,8}`?(?:GET|POST|PUT|PATCH|DELETE|HEAD)`?[\s:]{0,4}`?(?:/|https?:)"
)
_BEFORE_NAME: Final = re.compile(
    r"(?:(?:body|json|form|query|url|header|cookie)(?: (?:field|parameter|param|key))?|"
    r"parameter|param|argument|field|required|optional|mandatory)"
)
_NEVER: Final = word_set(
    """note notes example examples warning tip important caution required optional default
    defaults see yes no none http https true false null synopsis"""
)
_DUTY: Final = re.compile(r"\s{0,4}[(\[]?(?:required|optional|mandatory)\b", re.I)
_COMMANDS: Final = re.compile(
    r"\s{0,20}(?:-{1,2}[A-Za-z]|GET\b|POST\b|PUT\b|PATCH\b|DELETE\b|HEAD\b|https?:|/|\$ |curl\b)"
)


def read_item(
    runs: tuple[Run, ...], span: Span, rule: str, *, loose: bool = False
) -> list[Mention]:
    """Read one item's text: the parameters that it describes, usually one.

    Args:
        runs: The item's first paragraph.
        span: Its lines.
        rule: Name for the evidence.
        loose: The place is known to list parameters, so that a bare name will do.
    """
    said, runs = _said_first(runs)
    names, rest = split_name(runs, loose=loose)
    if _OPERATION.match(rest):
        return []
    found: list[Mention] = []
    for name in names:
        mention = Mention(name.name, span, rule)
        mention.take_name(name)
        if said:
            mention.location = mention.location or _PLACES.get(said.split()[0])
            if said in {"required", "mandatory", "optional"}:
                mention.required, mention.marked = said != "optional", True
        read_rest(mention, rest)
        found.append(mention)
    return found


def _said_first(runs: tuple[Run, ...]) -> tuple[str, tuple[Run, ...]]:
    """Split off a word before the name that says what it is: "body `ids`", "optional `page`"."""
    if len(runs) < 2 or not runs[1].code or runs[0].code:
        return "", runs
    word = " ".join(runs[0].text.lower().split()).strip(" :")
    return (word, runs[1:]) if _BEFORE_NAME.fullmatch(word) else ("", runs)


def split_name(runs: tuple[Run, ...], *, loose: bool) -> tuple[list[Name], str]:
    """Split an item's text into the names at its start and the rest as marked text."""
    position = 0
    while position < len(runs) and not runs[position].text.strip():
        position += 1
    runs = runs[position:]
    if not runs or _COMMANDS.match(runs[0].text):
        return [], ""
    first = runs[0]
    emphasised = first.emphasis and is_identifier(first.text.strip())
    if not (first.code or first.strong or first.badge or emphasised):
        return _from_text(marked(runs), loose=loose)
    end = 1
    while end < len(runs) and _same_mark(first, runs[end]):
        end += 1
    name = read_name("".join(run.text for run in runs[:end]))
    if name is None and first.strong and not first.code:
        return _from_text(marked(runs), loose=loose)
    if name is None or not _nameable(name, code=first.code, loose=loose or first.strong):
        return [], ""
    return _others([name], marked(runs[end:]))


def _same_mark(first: Run, other: Run) -> bool:
    return (first.code, first.strong, first.badge) == (other.code, other.strong, other.badge) and (
        first.code or first.strong or first.badge
    )


def _others(names: list[Name], rest: str) -> tuple[list[Name], str]:
    for _ in range(8):
        another = _ANOTHER.match(rest)
        if not another or (not names[-1].value and "=" in another.group(1)):
            break
        name = read_name(another.group(1))
        if name is None or another.group(0).lstrip().startswith("`"):
            break
        names.append(name)
        rest = rest[another.end() :]
    return names, rest


def _from_text(text: str, *, loose: bool) -> tuple[list[Name], str]:
    found = _PLAIN_ITEM.match(text)
    if found and _LEGEND.fullmatch(found.group("rest")) and found.group(1)[0] not in "\"'`‘“":
        return [], ""
    if found:
        name = read_name(found.group(1))
        if name is not None and _nameable(name, code=found.group(1)[0] in "\"'`‘“", loose=loose):
            return [name], found.group("rest")
        return [], ""
    if loose:
        bare = text.strip().rstrip(".")
        name = read_name(bare)
        if name is not None and _nameable(name, code=False, loose=True):
            return [name], ""
        head, _, tail = text.strip().partition(" ")
        name = read_name(head)
        if (
            name is not None
            and _nameable(name, code=False, loose=True)
            and (read_type(tail[:40].split(".")[0]).pure or _DUTY.match(tail))
        ):
            return [name], " " + tail
    return [], ""


def _nameable(name: Name, *, code: bool, loose: bool = False) -> bool:
    text = name.name
    refused = _NEVER if loose else _NO_NAMES
    if text.isdigit() or (not code and text.lower() in refused):
        return False
    if not code and text[0].isupper() and text.lower() in FACT_LABELS:
        return False
    return not text.startswith("-") and text.upper() not in {"GET", "POST", "PUT", "DELETE"}


def read_rest(mention: Mention, rest: str) -> None:
    """Read what follows a name: marks, groups in brackets, type words, then the description."""
    rest = rest.lstrip()
    if rest[:1] in {"?", "*"}:
        if mention.required is None:
            mention.required, mention.marked = rest[0] == "*", True
        rest = rest[1:]
    for _ in range(4):
        group = _GROUP.match(rest)
        if not group:
            break
        inner = group.group(2)
        typing = read_type(inner.split(",")[0]) if "," in inner else read_type(inner)
        if typing.type is None:
            typing = read_type(inner)
        if typing.type is not None or read_statement(inner).required is not None or len(inner) < 30:
            mention.take_type(typing)
            mention.take_statement(read_statement(f"({inner})"))
            rest = rest[group.end() :]
        else:
            break
    head, tail = _cut(rest)
    if head and tail is not None:
        typing = read_type(head)
        statement = read_statement(head)
        if (typing.pure or statement.required is not None) and len(head) <= 60:
            mention.take_type(typing)
            mention.take_statement(statement)
            rest = tail
    rest = _DELIMITER.sub("", rest, count=1) if _DELIMITER.match(rest) else rest
    head, stop, tail = rest.partition(". ")
    typing = read_type(head.rstrip("."))
    if typing.pure and len(words(head)) <= 4:
        mention.take_type(typing)
        mention.take_statement(read_statement(head))
        rest = tail if stop else ("" if typing.type else rest)
    else:
        lead, comma, tail = rest.partition(",")
        typing = read_type(lead)
        if comma and typing.pure and typing.type and len(words(lead)) <= 3:
            mention.take_type(typing)
    mention.take_text(rest)


def _cut(rest: str) -> tuple[str, str | None]:
    found = re.search(r"\s(?:[—–]|-{1,2})\s|[:：]\s|[:：]\Z", rest[:120])
    if (
        not found
        or _DELIMITER.match(rest)
        or rest[: found.start()].count("(") > rest[: found.start()].count(")")
    ):
        return rest, None
    return rest[: found.start()].strip(), rest[found.end() :]


def list_items(
    block: ListBlock | DefinitionList,
) -> Iterator[tuple[tuple[Run, ...], tuple[Block, ...], Span]]:
    """Give each item's own text, its further blocks, and its lines."""
    for item in block.items:
        if isinstance(block, DefinitionList):
            term = getattr(item, "term", ())
            yield term, item.blocks, item.span
            continue
        blocks = item.blocks
        if blocks and isinstance(blocks[0], Paragraph):
            yield blocks[0].runs, blocks[1:], item.span
        else:
            yield (), blocks, item.span


def read_list(
    block: ListBlock | DefinitionList, rule: str, *, loose: bool = False, depth: int = 0
) -> tuple[list[Mention], float]:
    """Read a list of parameters; give them and the share of items that read as such."""
    found: list[Mention] = []
    items = total = 0
    for runs, blocks, span in list_items(block):
        if not plain(runs) and not blocks:
            continue
        total += 1
        line = _first_line(runs, span)
        definition = isinstance(block, DefinitionList)
        mentions = read_item(runs, line, rule, loose=loose or definition)
        if not mentions:
            continue
        items += 1
        for mention in mentions:
            _read_details(mention, blocks, rule, depth, definition=definition)
        found.extend(mentions)
    return found, items / total if total else 0.0


def _read_details(
    mention: Mention, blocks: tuple[Block, ...], rule: str, depth: int, *, definition: bool
) -> None:
    for number, block in enumerate(blocks[:20]):
        if isinstance(block, Paragraph):
            if definition and number == 0:
                read_rest(mention, marked(block.runs))
            else:
                mention.take_text(marked(block.runs))
        elif isinstance(block, ListBlock | DefinitionList) and depth < 6:
            children, share = read_list(block, rule, depth=depth + 1)
            if mention.type in {"object", "array"} and share >= 0.6:
                mention.children.extend(children)
            elif share >= 0.6 and children and _are_values(mention, children):
                mention.enum = mention.enum or tuple(child.name for child in children)
            else:
                _take_values(mention, block)
        elif isinstance(block, Code) and not mention.examples and "\n" not in block.text.strip():
            text = block.text.strip()
            if len(text) <= 80 and not text.startswith(("curl", "$", "http", "/")):
                mention.examples += (text.removeprefix(f"{mention.name}="),)


def _are_values(mention: Mention, children: list[Mention]) -> bool:
    return mention.type not in {"object", "array"} and all(
        child.type is None and child.required is None for child in children
    )


def _take_values(mention: Mention, block: ListBlock | DefinitionList) -> None:
    values = [plain(runs).split(" ")[0].strip("`'\":,") for runs, _, _ in list_items(block)]
    texts = [plain(runs) for runs, _, _ in list_items(block)]
    if len(values) >= 2 and all(len(text.split()) == 1 and 0 < len(text) <= 40 for text in texts):
        mention.enum = mention.enum or tuple(dict.fromkeys(values))


def _first_line(runs: tuple[Run, ...], span: Span) -> Span:
    line = next((run.line for run in runs if run.line), 0)
    return Span(page=span.page, start=line, end=line) if line else span
