"""Pages that the rules leave open, asked of a model: its findings only add to those of the rules.

In go the pages with their drafts; out come further drafts, each held to the lines that it cites
(`model_evidence`), and what was refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from doc2tools.compiler.extract.model_evidence import PageForm, hosts_of, stands
from doc2tools.compiler.extract.model_lines import Line, doubtful, parts, shown_lines
from doc2tools.compiler.ir.draft import EndpointDraft, PageDraft, Rejected
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.spec import ApiSpec, Endpoint
from doc2tools.compiler.llm.frame import Answered, Question
from doc2tools.compiler.llm.model import Model
from doc2tools.compiler.llm.prompts import prompt
from doc2tools.compiler.load.bounded import PAGE_SECONDS, PageTimeoutError, time_limit
from doc2tools.compiler.load.read import read_document
from doc2tools.compiler.load.source import Source
from doc2tools.compiler.passes.normalise import normalise
from doc2tools.compiler.passes.paths import shape

__all__ = ["PageProposals", "propose", "with_proposals"]

MOST_KNOWN = 40
MOST_TOKENS = 900
NAME_LENGTH = 56


@dataclass(frozen=True, slots=True)
class PageProposals:
    """What a model found on one page beside what the rules did."""

    page: str
    endpoints: tuple[EndpointDraft, ...] = ()
    refused: tuple[Rejected, ...] = ()


def propose(
    sources: Sequence[Source],
    drafts: Sequence[PageDraft],
    options: CompileOptions,
    model: Model,
) -> tuple[PageProposals, ...]:
    """Ask about every page that the rules found nothing on, or doubt.

    Raises:
        ProviderError: The provider fails, and the compile requires a model.
    """
    stated = [fact.value for draft in drafts for fact in draft.base_urls]
    own = [draft.base_url for page in drafts for draft in page.endpoints]
    stated += [fact.value for fact in own if fact is not None]
    hosts = hosts_of([*stated, options.base_url])
    found: list[PageProposals] = []
    for source, draft in zip(sources, drafts, strict=True):
        if source.media == "openapi" or not doubtful(draft):
            continue
        lines = _lines(source)
        shown = parts(draft, lines)
        if shown:
            found.append(_ask(draft, shown, hosts, model))
    return tuple(found)


def _lines(source: Source) -> tuple[Line, ...]:
    try:
        with time_limit(PAGE_SECONDS):
            return shown_lines(read_document(source))
    except PageTimeoutError:
        return ()
    except Exception:
        return ()  # the rules have already said what is wrong with the page


def _ask(
    draft: PageDraft, shown: Sequence[Sequence[Line]], hosts: frozenset[str], model: Model
) -> PageProposals:
    known = [f"{one.method.value} {one.path.value}" for one in draft.endpoints]
    taken = {(one.method.value, shape(one.path.value)) for one in draft.endpoints}
    endpoints: list[EndpointDraft] = []
    refused: list[Rejected] = []
    for part in shown:
        question = Question(
            instruction=prompt("page"),
            answer=PageForm,
            data={
                "title": draft.title[:200],
                "known endpoints": "\n".join(known[:MOST_KNOWN]),
                "lines": "\n".join(f"{line.number}: {line.text}" for line in part),
            },
        )
        asked = model.ask(question, "page", draft.page, MOST_TOKENS)
        if not isinstance(asked, Answered):
            continue
        for form in asked.value.endpoints:
            judged = stands(form, part, hosts, draft.page, model.terms.model)
            if isinstance(judged, Rejected):
                refused.append(judged)
                continue
            key = (judged.method.value, shape(judged.path.value))
            if key not in taken:
                taken.add(key)
                endpoints.append(judged)
    return PageProposals(draft.page, tuple(endpoints), tuple(refused))


def with_proposals(
    spec: ApiSpec,
    drafts: Sequence[PageDraft],
    proposals: Sequence[PageProposals],
    options: CompileOptions,
) -> ApiSpec:
    """Give `spec` with the proposed endpoints behind its own, which stay as they are.

    The proposals are settled together with all else, so that they get base URL, effect and name by
    the same rules; but only what the rules did not have is taken from that.
    """
    found = {one.page: one.endpoints for one in proposals if one.endpoints}
    refused = tuple(item for one in proposals for item in one.refused)
    spec = spec.model_copy(update={"rejected": (*spec.rejected, *refused)})
    if not found:
        return spec
    whole = [
        draft.model_copy(update={"endpoints": (*draft.endpoints, *found.get(draft.page, ()))})
        for draft in drafts
    ]
    settled, _ = normalise(whole, options)
    known = {_key(endpoint) for endpoint in spec.endpoints}
    names = {endpoint.name for endpoint in spec.endpoints}
    bases = {endpoint.base_url for endpoint in spec.endpoints} | {options.base_url}
    paths = {
        (draft.method.value, shape(draft.path.value)) for one in found.values() for draft in one
    }
    added: list[Endpoint] = []
    for endpoint in settled.endpoints:
        # Settling may name an endpoint of the rules anew; only what was proposed is new.
        tail = any(
            endpoint.method == method and shape(endpoint.path).endswith(path)
            for method, path in paths
        )
        if _key(endpoint) in known or not tail:
            continue
        if spec.endpoints and endpoint.base_url not in bases:
            continue
        name = _unique(endpoint.name, names)
        names.add(name)
        known.add(_key(endpoint))
        reason = next((one for one in endpoint.reasons if "the model" in one), "a model")
        added.append(endpoint.model_copy(update={"name": name, "proposed": reason}))
    return spec.model_copy(update={"endpoints": (*spec.endpoints, *added)})


def _key(endpoint: Endpoint) -> tuple[str, str, str, tuple[tuple[str, str], ...]]:
    selectors = tuple(sorted(endpoint.fixed_query.items()))
    return endpoint.method, endpoint.base_url, shape(endpoint.path), selectors


def _unique(name: str, taken: set[str]) -> str:
    number = 2
    found = name
    while found in taken:
        found = f"{name[: NAME_LENGTH - 4]}_{number}"
        number += 1
    return found
