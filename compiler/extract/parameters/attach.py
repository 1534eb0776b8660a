"""Gives every found endpoint the parameters that its page documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from doc2tools.compiler.extract.candidates import Findings
from doc2tools.compiler.extract.outline import Entry, Outline
from doc2tools.compiler.extract.parameters.credentials import credential_mentions
from doc2tools.compiler.extract.parameters.directory import directory_mentions
from doc2tools.compiler.extract.parameters.endpoint import Collected, complete
from doc2tools.compiler.extract.parameters.mention import SEEN, SHOWN, Mention
from doc2tools.compiler.extract.parameters.merge import Situation, bare, merge
from doc2tools.compiler.extract.parameters.ownership import own_ranges
from doc2tools.compiler.extract.parameters.prose import Told
from doc2tools.compiler.extract.parameters.reading import nested_counts, read_region
from doc2tools.compiler.extract.parameters.regions import Listing, Region, is_record
from doc2tools.compiler.extract.parameters.routes import Routes
from doc2tools.compiler.extract.parameters.rows import listed_rows, read_row
from doc2tools.compiler.extract.parameters.sampled import lend_values, without_foreign
from doc2tools.compiler.extract.parameters.scope import Reach, Scope
from doc2tools.compiler.ir.document import Paragraph, plain
from doc2tools.compiler.ir.draft import EndpointDraft, ParameterDraft
from doc2tools.compiler.ir.source import Diagnostic


@dataclass(frozen=True, slots=True)
class Parameters:
    """The endpoints of a page with their parameters, in the order they were given.

    Attributes:
        endpoints: Drafts with `parameters`, `body_kind`, `headers` and `samples` completed.
        shared: Parameters that the page says all endpoints take; each endpoint has them already.
        diagnostics: Contradictions among the page's statements on parameters.
    """

    endpoints: tuple[EndpointDraft, ...]
    shared: tuple[ParameterDraft, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def attach_parameters(outline: Outline, findings: Findings) -> Parameters:
    """Read the parameters of every endpoint in `findings` from the page."""
    if not findings.endpoints:
        return Parameters(())
    routes = Routes(findings.endpoints)
    routes.scan(outline)
    scope = Scope(outline, findings, routes)
    collected = [
        Collected(without_foreign(found, routes, route), route)
        for found, route in zip(findings.endpoints, routes.all, strict=True)
    ]
    inside = nested_counts(outline.entries)
    owners = _owners(outline, findings)
    general: list[Region] = []
    for numbers, entries in _stretches(outline, owners):
        region = read_region(entries, inside, owned=bool(numbers))
        if numbers:
            _own(numbers, region, scope, collected)
        else:
            general.append(region)
    for region in general:
        _general(region, scope, collected)
    for one, found in zip(collected, findings.endpoints, strict=True):
        mentions, told = read_row(outline, found)
        one.mentions.extend(mentions)
        one.told.extend(told)
    for mention, numbers in credential_mentions(outline, findings):
        for number in numbers:
            collected[number].mentions.append(mention)
            collected[number].everywhere.append(mention)
    for number, mentions in listed_rows(outline, routes):
        if findings.endpoints[number].row is None:
            collected[number].mentions.extend(mentions)
    for number, mention in directory_mentions(outline, routes):
        collected[number].mentions.append(mention)
    _copy_same(scope, owners, collected)
    diagnostics: list[Diagnostic] = []
    drafts: list[EndpointDraft] = []
    for one in collected:
        draft, faults = complete(one)
        drafts.append(draft)
        diagnostics.extend(faults)
    own = {bare(name) for route in routes.all for name in route.names}
    own |= {bare(name) for route in routes.all for name, _ in route.fixed}
    shared, _ = merge(
        [m for m in _everywhere(collected) if bare(m.name) not in own],
        Situation((), "query", "said for all requests"),
    )
    unique = {(str(d.span), d.message): d for d in diagnostics}
    return Parameters(tuple(lend_values(drafts)), shared, tuple(unique.values()))


def _copy_same(
    scope: Scope, owners: Sequence[tuple[int, ...]], collected: Sequence[Collected]
) -> None:
    """Give an endpoint what the page says it takes like another one."""
    for entry in scope.outline.entries:
        if not isinstance(entry.block, Paragraph):
            continue
        text = plain(entry.block.runs)
        if "same" not in text and not text.lstrip().lower().startswith(("see", "please see")):
            continue
        see = "same" not in text
        for named, sources in scope.same_as(text):
            for target in named or owners[entry.index]:
                if see and collected[target].listings:
                    continue
                for source in sources:
                    if source != target:
                        taken = [m for m in collected[source].mentions if m.location != "path"]
                        collected[target].mentions.extend(taken)


def _owners(outline: Outline, findings: Findings) -> list[tuple[int, ...]]:
    """Give, for each outline entry, the endpoints whose own text it is in; the closest win."""
    ranges: dict[tuple[int, int], list[int]] = {}
    for number, (start, end) in enumerate(own_ranges(outline, findings)):
        if end > start:
            ranges.setdefault((start, end), []).append(number)
    owners: list[tuple[int, ...]] = [()] * len(outline.entries)
    for (start, end), numbers in sorted(ranges.items(), key=lambda item: item[0][0] - item[0][1]):
        owners[start:end] = [tuple(numbers)] * (end - start)
    return owners


def _stretches(
    outline: Outline, owners: Sequence[tuple[int, ...]]
) -> list[tuple[tuple[int, ...], tuple[Entry, ...]]]:
    found: list[tuple[tuple[int, ...], tuple[Entry, ...]]] = []
    start = 0
    for index in range(1, len(owners) + 1):
        if index == len(owners) or owners[index] != owners[start]:
            found.append((owners[start], outline.entries[start:index]))
            start = index
    return found


def _own(
    numbers: tuple[int, ...], region: Region, scope: Scope, collected: Sequence[Collected]
) -> None:
    for number in numbers:
        _own_one(collected[number], region)
    paths = scope.path_names
    for listing in region.listings:
        whole = scope.addresses_all(listing)
        reach = Reach(numbers, whole, "said for all" if whole else "same names")
        for number in scope.beyond(listing, numbers):
            _share(collected[number], listing, reach, paths)
    for index, told in region.told:
        header = told.mention.location in {"header", "cookie"}
        ahead = scope.precedes(index, numbers)
        if (told.everywhere and (header or ahead)) or (header and ahead and told.sends):
            for number in scope.every:
                if number not in numbers:
                    _tell(collected[number], told, Reach((number,), True, "said for all"))


def _own_one(one: Collected, region: Region) -> None:
    known = one.known_names()
    for listing in region.listings:
        names = {bare(m.name) for m in listing.mentions}
        sent = listing.plausible and one.found.draft.method.value in {"POST", "PUT", "PATCH"}
        shared = len(known & names)
        if not shared and is_record(listing, region) and not sent:
            continue
        if listing.sure or sent or 3 * shared >= len(names) or (shared > 1 and listing.plausible):
            one.mentions.extend(listing.mentions)
            one.listings.append(listing)
    one.told.extend(told for _, told in region.told)
    names = {name for shown in one.route.shown for name, _ in shown.query}
    for name, span in region.demanded:
        if name in names:
            mention = Mention(name, span, "demanded", SEEN, required=True, marked=True)
            mention.reason = "the page says that it must be given"
            one.mentions.append(mention)
    for name, span in region.spared:
        if name in names:
            mention = Mention(name, span, "bracketed", SEEN, "query", required=False, marked=True)
            one.mentions.append(mention)
    for _, mentions in region.bodies:
        one.bodies.extend(mentions)


def _general(region: Region, scope: Scope, collected: Sequence[Collected]) -> None:
    paths = scope.path_names
    for listing in region.listings:
        reach = scope.of_listing(listing)
        for number in reach.endpoints:
            _share(collected[number], listing, reach, paths)
    for index, told in region.told:
        reach = scope.of_text(told, scope.outline.entries[index])
        for number in reach.endpoints:
            _tell(collected[number], told, reach)


def _share(one: Collected, listing: Listing, reach: Reach, paths: frozenset[str]) -> None:
    own = {bare(name) for name in one.route.names}
    chosen = _chosen(one, listing)
    taken = [
        mention
        for mention in listing.mentions
        if bare(mention.name) in own
        or mention.name in one.route.shown_names
        or (
            (not chosen or bare(mention.name) in chosen)
            and bare(mention.name) not in paths
            and mention.location != "path"
            and _sendable(one, mention)
        )
    ]
    one.mentions.extend(taken)
    one.listings.append(listing)
    if reach.everywhere:
        one.everywhere.extend(taken)


def _chosen(one: Collected, listing: Listing) -> set[str]:
    """Names that the endpoint's own text picks from a general list: "Accepted options: `a`"."""
    listed = {bare(mention.name) for mention in listing.mentions}
    for own in one.listings:
        names = {bare(mention.name) for mention in own.mentions}
        named = all(m.rule == "parameter-paragraph" and not m.description for m in own.mentions)
        if own.sure and named and 2 * len(names & listed) > len(names):
            return names
    return set()


def _tell(one: Collected, told: Told, reach: Reach) -> None:
    if _sendable(one, told.mention):
        if reach.everywhere:
            told.mention.confidence = SHOWN
            one.everywhere.append(told.mention)
        if reach.sure:
            one.mentions.append(told.mention)
        else:
            one.told.append(told)


def _sendable(one: Collected, mention: Mention) -> bool:
    method = one.found.draft.method.value
    return mention.location not in {"body", "form"} or method not in {"GET", "HEAD"}


def _everywhere(collected: Sequence[Collected]) -> list[Mention]:
    """Mentions that were given to every endpoint because the page says so."""
    if len(collected) < 2:
        return []
    first = collected[0].everywhere
    others = [{id(m) for m in one.everywhere} for one in collected[1:]]
    return [mention for mention in first if all(id(mention) in ids for ids in others)]
