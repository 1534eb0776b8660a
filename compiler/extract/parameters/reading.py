"""Walks a stretch of the page and reads the parameters it documents, block by block.

The state is what the nearest heading, caption or lead-in announced (`Role`): a list under
"Response" describes the answer, one under "Query parameters" what is sent.
"""

# ruff: noqa: RUF001 - the typographic marks and letters are what documentation holds

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from doc2tools.compiler.extract.outline import Entry
from doc2tools.compiler.extract.parameters.answers import carries_answer_headers
from doc2tools.compiler.extract.parameters.bodies import body_mentions, looks_json, parse_json
from doc2tools.compiler.extract.parameters.items import read_list, split_name
from doc2tools.compiler.extract.parameters.lines import (
    names_set_apart,
    read_code_lines,
    read_fact_rows,
)
from doc2tools.compiler.extract.parameters.listings import (
    are_endpoints,
    are_values,
    bracketed_names,
    folded,
)
from doc2tools.compiler.extract.parameters.mention import Mention
from doc2tools.compiler.extract.parameters.paragraphs import (
    announced_names,
    labelled,
    obligation,
    read_lines,
)
from doc2tools.compiler.extract.parameters.phrases import marked
from doc2tools.compiler.extract.parameters.prose import demanded, read_prose
from doc2tools.compiler.extract.parameters.regions import Listing, Region
from doc2tools.compiler.extract.parameters.roles import Role, is_sample_heading, read_role
from doc2tools.compiler.extract.parameters.tables import read_table
from doc2tools.compiler.extract.parameters.vocabulary import word_set, words
from doc2tools.compiler.extract.samples import find_samples
from doc2tools.compiler.ir.document import (
    Code,
    DefinitionList,
    Heading,
    ListBlock,
    Paragraph,
    Table,
    plain,
    walk,
)

_JOINERS: Final = frozenset({"", "and", "or"})
_RECORD: Final = word_set("attributes attribute properties fields schema model object objects")
_STATUS_LINE: Final = re.compile(r"\s{0,200}HTTP/\d(?:\.\d)?\s\d{3}\b")
_STAR_OPTIONAL: Final = re.compile(
    r"\W{0,4}\*\W{0,4}(?:means|denotes|is|are|marks)?\s{0,2}(?:an? )?optional\b", re.I
)
_BOLD_LEGEND: Final = re.compile(
    r"\bbold\b[^.]{0,30}\b(?:required|mandatory|obligatory)\b"
    r"|\b(?:required|mandatory|obligatory)\b[^.]{0,40}\bbold\b",
    re.I,
)
_ROUTE: Final = re.compile(r"(?<!\S)(?:https?:/)?/[^\s/][^\s]{0,300}")
_KEY: Final = re.compile(r'"([\w.-]{1,60})"\s{0,3}:')
_LEAD_WORDS: Final = 7
_LAST_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")
_ASIDE: Final = re.compile(r"\s{0,4}(?:where|here|wherein|in which)\b", re.I)
_DEMANDED: Final = re.compile(
    r"['\"`\\]{1,2}(\w{1,60})['\"`\\]{1,2} (?:query |url )?(?:parameter|param|argument|"
    r"field) is (?:required|missing|mandatory)\b"
    r"|\b(?:missing|required) (?:required |query |url )?(?:parameter|param|argument|"
    r"field):? ['\"`\\]{0,2}(\w{1,60})\b",
    re.I,
)


def nested_counts(entries: Sequence[Entry]) -> dict[int, int]:
    """Give, for each list entry, how many entries after it lie inside it."""
    counts: dict[int, int] = {}
    open_lists: list[tuple[int, int]] = []
    for entry in entries:
        block = entry.block
        if isinstance(block, ListBlock | DefinitionList) and entry.index not in counts:
            counts[entry.index] = sum(1 for item in block.items for _ in walk(item.blocks))
            open_lists.append((entry.index, counts[entry.index]))
    return counts


def read_region(entries: Sequence[Entry], inside: dict[int, int], *, owned: bool) -> Region:
    """Read the blocks of `entries`, which stand in reading order.

    Args:
        entries: The stretch of the page.
        inside: As `nested_counts` gives it.
        owned: The stretch belongs to an endpoint, so that a plain list may be its parameters.
    """
    reader = _Reader(inside, owned)
    position = 0
    while position < len(entries):
        entry = entries[position]
        skip = reader.read(entry)
        position += 1
        while skip and position < len(entries) and entries[position].index <= entry.index + skip:
            position += 1
    return reader.region


class _Reader:
    def __init__(self, inside: dict[int, int], owned: bool) -> None:
        self.inside = inside
        self.owned = owned
        self.region = Region()
        self.headings: list[tuple[int, Role | None]] = []
        self.role: Role | None = None
        self.lead: Role | None = None
        self.about = ""
        self.answered = False
        self.aside = False
        self.commanded = False
        self.bold = False
        self.titled: list[Mention] = []

    def read(self, entry: Entry) -> int:
        """Read one block; give how many nested entries it has used up."""
        block = entry.block
        if isinstance(block, Heading | Paragraph | Code):
            text = block.text if isinstance(block, Code) else plain(block.runs)
            for name in bracketed_names(text):
                self.region.spared.append((name, block.span))
        if isinstance(block, Heading):
            self.heading(entry.index, block)
        elif isinstance(block, Paragraph):
            self.paragraph(entry.index, block)
        elif isinstance(block, Table):
            self.table(entry.index, block)
        elif isinstance(block, ListBlock | DefinitionList):
            return self.listing(entry.index, block)
        elif isinstance(block, Code):
            self.code(entry.index, block)
        return 0

    def titles(self, index: int, block: Heading, role: Role | None) -> list[Mention]:
        """Read a heading that is itself the name of a parameter, below one that announces them."""
        parent = self.headings[-1][1] if self.headings else None
        if parent is None or parent.kind != "request" or not parent.explicit or role is not parent:
            return []
        names = split_name(block.runs, loose=True)[0]
        code = all(run.code for run in block.runs if run.text.strip(" ,/&()") not in _JOINERS)
        plain_name = len(plain(block.runs).split()) == 1 and plain(block.runs)[:1].islower()
        if not names or not (code or plain_name) or any(name.value for name in names):
            return []
        mentions = [Mention(name.name, block.span, "parameter-heading") for name in names]
        for mention, name in zip(mentions, names, strict=True):
            mention.take_name(name)
        self.add(index, parent, True, self.placed(mentions, parent))
        return mentions

    def heading(self, index: int, block: Heading) -> None:
        text = plain(block.runs)
        while self.headings and self.headings[-1][0] >= block.level:
            self.headings.pop()
        role = read_role(_ROUTE.sub(" ", text))
        above = self.headings[-1][1] if self.headings else None
        if role is None:
            role = (obligation(text, above) if self.owned else None) or above
        named = self.titles(index, block, role)
        self.headings.append((block.level, role))
        self.role, self.lead, self.about = role, None, text
        self.titled = named
        self.aside = self.commanded = False
        self.answered = self.answered and role is not None and role.kind == "response"

    def paragraph(self, index: int, block: Paragraph) -> None:
        text = plain(block.runs)
        if not text:
            return
        if self.titled:
            for mention in self.titled:
                mention.take_text(marked(block.runs))
            return
        if _STAR_OPTIONAL.match(text):
            for mention in (m for one in self.region.listings[-3:] for m in one.mentions):
                mention.required = False if mention.starred else mention.required
        self.bold = self.bold or _BOLD_LEGEND.search(text) is not None
        if self.items(index, block):
            return
        last = _LAST_SENTENCE.split(text[-400:])[-1]
        strong = all(run.strong or not run.text.strip(" :") for run in block.runs)
        short = len(text.split()) <= _LEAD_WORDS and not text.rstrip().endswith(".")
        self.about = text
        if text.rstrip().endswith((":", "：")) or strong or short:
            lead = read_role(last if len(text) > 200 else text, heading=strong or short)
            self.aside = bool(_ASIDE.match(text)) and not strong
            foreign = self.role is not None and self.role.kind != "request"
            if lead is not None and not (foreign and lead.kind == "request" and not lead.asks):
                self.lead = lead
                self.answered = self.commanded = False
            elif strong or (short and not text.rstrip().endswith(":")):
                self.lead = None
        current = self.lead or self.role
        if current is not None and current.location == "header" and carries_answer_headers(text):
            self.lead = self.role = Role("response", "header", text=text[:200])
            return
        if current is None or current.kind == "request":
            self.region.told.extend((index, told) for told in read_prose(block.runs, block.span))
            names = demanded(block.runs) if self.owned else []
            self.region.demanded.extend((name, block.span) for name in names)

    def items(self, index: int, block: Paragraph) -> bool:
        """Read a paragraph that is a list of parameters, or one item of such a list."""
        current = self.lead or self.role
        if current is not None and current.kind != "request":
            return False
        announced = announced_names(block)
        for role, mentions in announced:
            self.add(index, role, True, self.placed(mentions, role))
        if announced:
            return True
        said = obligation(plain(block.runs), current) if current or self.owned else None
        if said is not None:
            self.lead = said
            return True
        lead, mentions = read_lines(block)
        if mentions:
            role = (read_role(lead, heading=False) if lead else None) or current
            if role is None or role.kind == "request":
                sure = role is not None and role.explicit
                self.add(index, role, sure, self.placed(mentions, role))
            return True
        mentions = labelled(block)
        explicit = current is not None and current.explicit
        said_so = self.owned and all(m.required is not None and m.marked for m in mentions)
        if not mentions or not (explicit or said_so):
            return False
        self.add(index, current, explicit or not self.answered, self.placed(mentions, current))
        return True

    def placed(self, mentions: list[Mention], role: Role | None) -> list[Mention]:
        """Give `mentions` the location that `role` says."""
        for mention in mentions:
            if mention.location is None and role is not None:
                mention.location = role.location
        return mentions

    def table(self, index: int, block: Table) -> None:
        caption = read_role(block.caption) if block.caption else None
        current = caption or self.lead or self.role
        facts = read_fact_rows(block, "parameter-row")
        for role, mentions in facts:
            self.add(index, role, self.owned, self.placed(mentions, role))
        if facts:
            return
        reading = read_table(block, current)
        if not reading.mentions or (current is not None and current.kind != "request"):
            return
        bold = names_set_apart(block) if self.bold else frozenset[str]()
        for mention in reading.mentions if bold else ():
            if mention.required is None:
                mention.required, mention.marked = mention.name in bold, True
        marked = (reading.marked or bool(bold)) and self.owned
        sure = reading.strength >= 2 or current is not None or marked
        sure = sure and not (reading.strength < 2 and self.answered and not marked)
        firm = reading.strength >= 2
        self.add(index, current, sure, self.placed(reading.mentions, current), firm=firm)

    def grouped(self, index: int, block: DefinitionList) -> bool:
        """Read a definition list whose terms are labels such as "Query Parameters"."""
        roles = [read_role(plain(item.term)) for item in block.items]
        if not any(role is not None and role.explicit for role in roles):
            return False
        lead = self.lead
        for item, role in zip(block.items, roles, strict=True):
            self.lead = role
            for inner in item.blocks:
                if isinstance(inner, Paragraph):
                    self.paragraph(index, inner)
                elif isinstance(inner, Table):
                    self.table(index, inner)
                elif isinstance(inner, ListBlock | DefinitionList):
                    self.listing(index, inner)
        self.lead = lead
        return True

    def listing(self, index: int, block: ListBlock | DefinitionList) -> int:
        current = self.lead or self.role
        if isinstance(block, DefinitionList) and self.grouped(index, block):
            return self.inside.get(index, 0)
        if current is not None and current.kind != "request":
            self.lead = None if self.lead is current and self.role is not current else self.lead
            return self.inside.get(index, 0) if current.kind in {"response", "error"} else 0
        explicit = current is not None and current.explicit
        mentions, share = read_list(block, "parameter-list", loose=explicit)
        if not mentions or share < 0.5:
            return 0
        if len(mentions) > 1 and len({mention.name for mention in mentions}) == 1:
            explicit, mentions = False, [folded(mentions)]
        known = [m for listing in self.region.listings[-3:] for m in listing.mentions]
        free = self.lead is None
        if are_values(mentions, known, self.about, free=free) or (
            free and are_endpoints(block, mentions, self.about)
        ):
            return self.inside.get(index, 0)
        self.placed(mentions, current)
        telling = sum(1 for m in mentions if m.required is not None or m.type is not None)
        typed = any("=" in (m.description or "") for m in mentions)
        record = bool(set(words(self.about)) & _RECORD)
        told = self.owned and not self.answered and not record
        sure = explicit or (told and telling >= max(1, len(mentions) / 2))
        self.add(index, current, sure and not (typed and not explicit), mentions)
        return self.inside.get(index, 0) if sure else 0

    def code(self, index: int, block: Code) -> None:
        current = self.lead or self.role
        request = current is not None and current.kind == "request"
        self.region.demanded.extend(
            (next(group for group in match.groups() if group), block.span)
            for match in _DEMANDED.finditer(block.text[:20_000])
        )
        if _STATUS_LINE.match(block.text):
            self.answered = True
        if not looks_json(block.text):
            if current is None or request:
                announced = current is not None and current.explicit
                mentions = read_code_lines(block.text, block.span, announced=announced)
                if mentions:
                    sure = announced or self.owned
                    self.add(index, current, sure, self.placed(mentions, current))
                    return
            self.commanded = self.commanded or bool(find_samples(block.text))
            return
        self.region.answers.update(_KEY.findall(block.text[:20_000]))
        if self.commanded:
            self.answered = True
            return
        sample = current is not None and is_sample_heading(current.text)
        if not (request and current is not None and _takes_body(current)):
            self.answered = True
            return
        mentions = body_mentions(parse_json(block.text), block.span, shown=not sample)
        if mentions:
            self.region.bodies.append((index, mentions))

    def add(
        self,
        index: int,
        role: Role | None,
        sure: bool,
        mentions: list[Mention],
        *,
        firm: bool = False,
    ) -> None:
        sure = sure and not self.aside
        said = role.required if role is not None else None
        for mention in mentions:
            if said is not None and mention.required is None:
                mention.required, mention.marked = said, True
        plausible = not self.answered and not self.aside
        self.region.listings.append(Listing(index, role, sure, mentions, plausible, firm))


def _takes_body(role: Role) -> bool:
    named = re.search(r"\b(?:request|body|payload|post|put)\b", role.text, re.I)
    return role.location == "body" or (role.location in {"form", None} and named is not None)
