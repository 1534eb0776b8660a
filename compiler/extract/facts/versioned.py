"""Settles endpoints' base URLs: a public host rather than a local one, and no blanks in them.

Callers must fill in the placeholder of a base such as `https://host/{version}`. The part from the
placeholder on goes to the paths, and the placeholder becomes a parameter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from doc2tools.compiler.extract.parameters.mention import SHOWN, Mention
from doc2tools.compiler.extract.parameters.merge import (
    CitedFlag,
    CitedLocation,
    Situation,
    bare,
    merge,
)
from doc2tools.compiler.extract.stated import LOCAL
from doc2tools.compiler.ir.draft import EndpointDraft, ParameterDraft
from doc2tools.compiler.ir.source import Cited, Span
from doc2tools.compiler.passes.base_urls import join
from doc2tools.compiler.passes.hosts import is_placeholder_host
from doc2tools.compiler.passes.splitting import split_address

_OPEN: Final = re.compile(
    r"(?P<base>[a-z]+://[^/{}]{1,300}(?:/[^/{}]{1,200}(?=/)){0,30})(?P<rest>/[^/{}]{0,200}\{.*)"
)
_OWN_MACHINE: Final = re.compile(r"(?:localhost|127\.\d|0\.0\.0\.0|\[::1\])", re.I)
_NAME: Final = re.compile(r"\{([\w.-]{1,60})\}")


def fill_bases(
    bases: tuple[Cited[str], ...], drafts: Sequence[EndpointDraft]
) -> tuple[tuple[Cited[str], ...], tuple[EndpointDraft, ...]]:
    """Cut the bases before their first placeholder, and lengthen the paths below them."""
    if not drafts:
        return bases, tuple(drafts)
    page = bases[0] if bases else None
    public = page if page is not None and _is_public(page.value) else None
    settled = [_published(draft, public) for draft in drafts]
    filled = tuple(_filled(draft, draft.base_url or page) for draft in settled)
    cut: dict[str, Cited[str]] = {}
    for base in bases:
        match = _OPEN.fullmatch(base.value)
        short = base.model_copy(update={"value": match["base"]}) if match else base
        cut.setdefault(short.value, short)
    return tuple(cut.values()), filled


def _published(draft: EndpointDraft, public: Cited[str] | None) -> EndpointDraft:
    """Take the page's public host for one of the reader's own machine."""
    own = draft.base_url
    if own is None or public is None or not _OWN_MACHINE.match(own.value.partition("://")[2]):
        return draft
    if split_address(own.value).path.strip("/"):
        return draft
    reason = "its own text shows a local host only"
    return draft.model_copy(update={"base_url": public.model_copy(update={"inferred": reason})})


def _is_public(url: str) -> bool:
    host = split_address(url).netloc.partition(":")[0]
    return "." in host and not (LOCAL.match(host) or is_placeholder_host(f"//{host}"))


def _filled(draft: EndpointDraft, base: Cited[str] | None) -> EndpointDraft:
    if base is None:
        return draft
    url, below = join(base.value, draft.path.value)
    match = _OPEN.fullmatch(url)
    if match is None:
        return draft
    parameters = draft.parameters
    for name in reversed(_NAME.findall(match["rest"])):
        span = base.spans[0] if base.spans else _span(draft)
        parameters = _with(parameters, name, span)
    update: dict[str, object] = {
        "path": draft.path.model_copy(update={"value": match["rest"] + below}),
        "parameters": parameters,
    }
    if draft.base_url is not None:
        update["base_url"] = draft.base_url.model_copy(update={"value": match["base"]})
    return draft.model_copy(update=update)


def _with(
    parameters: tuple[ParameterDraft, ...], name: str, span: Span
) -> tuple[ParameterDraft, ...]:
    known = next((p for p in parameters if bare(p.name.value) == bare(name)), None)
    if known is None:
        mention = Mention(name, span, "base-url", SHOWN, "path")
        made, _ = merge([mention], Situation((name,), "query", ""))
        return (*made, *parameters)
    moved = known.model_copy(
        update={
            "name": known.name.model_copy(update={"value": name}),
            "location": CitedLocation(value="path", spans=(span,), inferred="part of the base"),
            "required": CitedFlag(value=True, spans=(span,), inferred="part of the base URL"),
        }
    )
    return (moved, *(p for p in parameters if p is not known))


def _span(draft: EndpointDraft) -> Span:
    return draft.path.spans[0] if draft.path.spans else Span(page="", start=1, end=1)
