"""The driver: runs the stages in order, keeps their results, and tells listeners what happens.

`extract_docs` stops after the drafts and never touches the network. `compile_docs` goes on to a
package: load → extract → normalise → plan, run, classify → verify → emit.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from doc2tools.compiler.clock import Clock
from doc2tools.compiler.consulting import consult, left_open, settle
from doc2tools.compiler.emit.environment import templates_digest
from doc2tools.compiler.emit.graph_json import graph_json
from doc2tools.compiler.emit.tokens import excess
from doc2tools.compiler.emit.write import (
    check_target,
    digests,
    is_intact,
    kept_version,
    write_project,
)
from doc2tools.compiler.events import (
    DiagnosticFound,
    Listener,
    Notice,
    PageDrafted,
    StageStarted,
    ignore,
)
from doc2tools.compiler.extract.model import propose, with_proposals
from doc2tools.compiler.extract.page import draft_page
from doc2tools.compiler.ir.base import Frozen
from doc2tools.compiler.ir.draft import PageDraft
from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.graph import DependencyGraph
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Failed, Tool, Validated
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.ir.source import Diagnostic, Span
from doc2tools.compiler.ir.spec import ApiSpec
from doc2tools.compiler.judging import Judged, Renderer, judge
from doc2tools.compiler.kept import keep_plan
from doc2tools.compiler.llm.model import Model
from doc2tools.compiler.load.bounded import PAGE_SECONDS, PageTimeoutError, time_limit
from doc2tools.compiler.load.discover import discover
from doc2tools.compiler.load.source import Source
from doc2tools.compiler.passes.normalise import normalise
from doc2tools.compiler.passes.package_name import package_name
from doc2tools.compiler.repair.agent.stage import found_by_rules
from doc2tools.compiler.report.page import render_report
from doc2tools.compiler.state import State, key_of
from doc2tools.compiler.validate.writes.model import Leftover, WritePlan
from doc2tools.compiler.validate.writes.plan import plan_writes
from doc2tools.compiler.values_file import read_values, update, values_file, with_values
from doc2tools.compiler.writing import Confirm, Writing, refuse

NO_ANSWER = frozenset({"unreachable", "tls", "timeout"})


class Shipped(Frozen):
    """The files of one written package: path to SHA-256."""

    files: dict[str, str]


@dataclass(frozen=True, slots=True)
class ExtractResult:
    """The drafts of every page, and what was wrong with the documentation."""

    drafts: tuple[PageDraft, ...]
    diagnostics: tuple[Diagnostic, ...]
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class WriteReport:
    """What was, or would be, written."""

    plan: WritePlan = field(default_factory=WritePlan)
    confirmed: bool = False
    leftovers: tuple[Leftover, ...] = ()


@dataclass(frozen=True, slots=True)
class CompileResult:
    """What a compile did.

    Attributes:
        folder: The package's folder.
        changed: Paths below it that were written.
        calls: Requests that went over the network to validate the tools.
        kept: The host gave no answer at all, so an earlier package was left as it was.
        seconds: Wall time.
        graph_calls: Requests that went over the network to prove the dependency graph.
        values_file: Where a person can fill in values that tools wait for; `None` if none do.
        tokens_spent: Tokens of a model, in and out, that this compile paid for.
    """

    plan: PackagePlan
    folder: Path
    changed: tuple[str, ...]
    calls: int
    kept: bool
    seconds: float
    writes: WriteReport = field(default_factory=WriteReport)
    graph_calls: int = 0
    values_file: Path | None = None
    tokens_spent: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """Number of tools by status."""
        found = Counter(tool.outcome.status for tool in self.plan.tools)
        order = ("validated", "failed", "blocked", "unvalidated")
        return {status: found[status] for status in order}


def extract_docs(
    docs: Sequence[str],
    options: CompileOptions,
    *,
    state: State | None,
    on_event: Listener = ignore,
) -> ExtractResult:
    """Draft the endpoints of every page below `docs`.

    Args:
        docs: Files, folders or addresses.
        options: Only the limits count here.
        state: Where drafts of unchanged pages are kept; None keeps nothing.
        on_event: Told what happens.

    Raises:
        UsageError: There is no documentation to read.
    """
    clock = Clock(on_event)
    started = StageStarted("load")
    clock.start(started)
    sources, diagnostics = discover(docs, options.limits)
    clock.finish(started, f"{len(sources)} pages")
    started = StageStarted("extract", len(sources))
    clock.start(started)
    drafts = tuple(_draft(source, state, on_event) for source in sources)
    found = [*diagnostics, *(one for draft in drafts for one in draft.diagnostics)]
    for diagnostic in found:
        on_event(DiagnosticFound(diagnostic))
    clock.finish(started, f"{sum(len(draft.endpoints) for draft in drafts)} endpoints")
    return ExtractResult(drafts, tuple(found), tuple(sources))


def _draft(source: Source, state: State | None, on_event: Listener) -> PageDraft:
    key = key_of(source.digest)
    kept = state.get("drafts", key, PageDraft) if state else None
    draft = kept or _read(source)
    if state and not kept and not any(one.code == "page-failed" for one in draft.diagnostics):
        state.put("drafts", key, draft)
    on_event(PageDrafted(source.name, len(draft.endpoints), cached=kept is not None))
    return draft


def _read(source: Source) -> PageDraft:
    """Draft a page; a fault of ours on one page must not cost the user the others."""
    first = Span(page=source.name, start=1, end=1)
    try:
        with time_limit(PAGE_SECONDS):
            return draft_page(source)
    except PageTimeoutError:
        diagnostic = Diagnostic(
            code="page-too-slow",
            level="error",
            span=first,
            message=f"the page was given up after {PAGE_SECONDS:.0f} s",
            hint="split it, or leave out what is no documentation",
        )
    except Exception as fault:
        diagnostic = Diagnostic(
            code="page-failed",
            level="error",
            span=first,
            message=f"doc2tools failed on this page: {type(fault).__name__}: {fault}",
            hint="please report it with the page; the other pages are not affected",
        )
    return PageDraft(page=source.name, url=source.url, diagnostics=(diagnostic,))


def compile_docs(
    docs: Sequence[str],
    options: CompileOptions,
    out: Path,
    *,
    fresh: bool = False,
    on_event: Listener = ignore,
    confirm: Confirm = refuse,
) -> CompileResult:
    """Compile documentation into a package of proved tools below `out`.

    Args:
        docs: Files, folders or addresses.
        options: See `CompileOptions`.
        out: Folder that holds the package folders and the state.
        fresh: Call everything again instead of using the recorded answers.
        on_event: Told what happens, from this thread or a worker thread.
        confirm: Asks the user about a write plan; without it, `confirm_writes` alone agrees to one.

    Raises:
        UsageError: There is nothing to compile, nothing may be called, or another write plan was
            confirmed than the one at hand.
        SandboxError: No sandbox of the wanted strength can run here.
        StoreError: The output or state folder can't be written.
    """
    began = time.perf_counter()
    state = State(out)
    options = settle(options)
    model = consult(options, state, on_event)
    if not options.allow and options.export != "all":
        raise UsageError(
            "no method may be called, so no tool can be proved",
            hint="give --allow GET, or --export all to write tools without proof",
        )
    extracted = extract_docs(docs, options, state=state, on_event=on_event)
    clock = Clock(on_event)
    started = StageStarted("normalise")
    clock.start(started)
    spec, diagnostics = normalise(extracted.drafts, options)
    for diagnostic in diagnostics:
        on_event(DiagnosticFound(diagnostic))
    clock.finish(started, f"{len(spec.endpoints)} endpoints")
    spec = _with_model(spec, extracted, options, model, on_event)
    name = package_name(options, [draft.title for draft in extracted.drafts], docs)
    _require_endpoints(spec, options, len(extracted.drafts))
    folder = out / name
    check_target(folder)
    templates = templates_digest(Path(options.templates)) if options.templates else ""
    filled = read_values(values_file(out, name))
    options = with_values(options, filled)
    plan = PackagePlan(
        name=name,
        version=kept_version(folder, PackagePlan.model_fields["version"].default),
        base_url=_main_base_url(spec, options),
        spec=spec,
        tools=(),
        options=options.model_copy(update={"confirm_writes": ""}),
        diagnostics=(*extracted.diagnostics, *diagnostics),
        digest=key_of(name, spec.model_dump_json(), _relevant(options), templates),
    )
    writing = Writing(plan_writes(found_by_rules(spec), plan.options), plan, state, on_event)
    renderer = Renderer()
    with state.locked(name):
        writing.settle(options.confirm_writes, confirm, fresh=fresh)
        writing.take_back()
        found = judge(plan, state, writing, renderer, fresh=fresh, on_event=on_event, model=model)
        plan = plan.model_copy(update={"tools": found.tools, "ledger": found.ledger})
        if found.ledger and (open_questions := left_open(found.ledger)):
            on_event(Notice(open_questions))
        kept = folder.exists() and _nothing_answered(found.tools)
        changed: tuple[str, ...] = ()
        if kept:
            on_event(
                Notice(
                    f"no call was answered; {folder} was left as it was",
                    hint="check the base URL and the network, then run the same command again",
                )
            )
        else:
            started = StageStarted("emit")
            clock.start(started)
            changed = _emit(plan, found.graph, folder, state, renderer, on_event=on_event)
            clock.finish(started, f"{len(changed)} files written" if changed else "unchanged")
        asked = None if kept else update(out, name, found.tools, filled)
    seconds = time.perf_counter() - began
    report = WriteReport(writing.plan, writing.confirmed, tuple(writing.left))
    plan = plan.model_copy(update={"graph": found.graph})
    calls = found.calls + writing.calls
    return CompileResult(
        plan,
        folder,
        changed,
        calls,
        kept,
        seconds,
        report,
        graph_calls=found.graph_calls,
        tokens_spent=model.ledger.spent if model else 0,
        values_file=asked,
    )


def _with_model(
    spec: ApiSpec,
    extracted: ExtractResult,
    options: CompileOptions,
    model: Model | None,
    on_event: Listener,
) -> ApiSpec:
    """Add what a model, where there is one, finds on the pages that the rules leave open."""
    if model is None:
        return spec
    clock = Clock(on_event)
    started = StageStarted("model")
    clock.start(started)
    proposals = propose(extracted.sources, extracted.drafts, options, model)
    whole = with_proposals(spec, extracted.drafts, proposals, options)
    more = len(whole.endpoints) - len(spec.endpoints)
    refused = sum(len(one.refused) for one in proposals)
    clock.finish(started, f"{len(proposals)} pages, {more} endpoints more, {refused} refused")
    return whole


def _emit(
    plan: PackagePlan,
    graph: DependencyGraph | None,
    folder: Path,
    state: State,
    renderer: Renderer,
    *,
    on_event: Listener,
) -> tuple[str, ...]:
    """Write the package, unless the same plan was written before and nobody touched it since."""
    outcomes = Judged(tools=plan.tools, graph=graph, ledger=plan.ledger).model_dump_json()
    key = key_of(plan.digest, plan.version, plan.options.model_dump_json(), outcomes)
    shipped = state.get("shipped", key, Shipped)
    if shipped and is_intact(folder, shipped.files):
        return ()
    files = renderer.render(plan)
    _require_budget(files[f"src/{plan.name}/doc2tools.json"], plan.options.max_tokens)
    if graph is not None:
        files = {**files, f"src/{plan.name}/graph.json": graph_json(graph)}
    files = {**files, "report.html": _report(files, plan.name, graph)}

    def kept(path: str, copy: str) -> None:
        hint = "move your changes to the marked place at its end, or to a file of your own"
        on_event(Notice(f"{folder / path} was edited: your version is kept as {copy}", hint=hint))

    changed = write_project(folder, files, kept)
    keep_plan(plan.model_copy(update={"graph": graph}), state)
    state.put("shipped", key, Shipped(files=digests(files)))
    return changed


def _report(files: Mapping[str, bytes], name: str, graph: DependencyGraph | None) -> bytes:
    manifest = json.loads(files[f"src/{name}/doc2tools.json"])
    return render_report(manifest, json.loads(files["tests/recordings.json"]), graph)


def _require_endpoints(spec: ApiSpec, options: CompileOptions, pages: int) -> None:
    if not spec.endpoints:
        raise UsageError(
            f"no endpoint was found on {pages} page{'s' if pages != 1 else ''}",
            hint="`doc2tools extract DOCS --out DIR --explain` shows what was looked at and why "
            "it was refused",
        )
    if options.export != "all" and not any(endpoint.base_url for endpoint in spec.endpoints):
        waiting = ", ".join(endpoint.name for endpoint in spec.endpoints[:8])
        more = f" and {len(spec.endpoints) - 8} more" if len(spec.endpoints) > 8 else ""
        raise UsageError(
            f"the documentation gives no base URL; waiting for it: {waiting}{more}",
            hint="give --base-url https://host/prefix, or base_url in doc2tools.toml",
        )


def _main_base_url(spec: ApiSpec, options: CompileOptions) -> str:
    """Give the base URL that most endpoints have, the first of equals."""
    if options.base_url:
        return options.base_url
    known = found_by_rules(spec).endpoints or spec.endpoints
    found = Counter(endpoint.base_url for endpoint in known if endpoint.base_url)
    return found.most_common(1)[0][0] if found else ""


def _require_budget(manifest: bytes, limit: int) -> None:
    if over := excess(json.loads(manifest), limit):
        raise UsageError(
            f"{over}; nothing was written",
            hint="raise --max-tokens, or compile fewer pages into one package",
        )


def _relevant(options: CompileOptions) -> str:
    """Write down the options that change what a run finds, not those that change how fast."""
    speed = {"concurrency", "requests_per_second", "pages"}
    apart = ("name", "confirm_writes", "llm_base_url", "max_tokens")
    irrelevant = {**dict.fromkeys(apart, True), "limits": speed}
    return options.model_dump_json(exclude=irrelevant)


def _nothing_answered(tools: tuple[Tool, ...]) -> bool:
    """Tell whether calls were made and every one of them ended without an answer."""
    if any(isinstance(tool.outcome, Validated) for tool in tools):
        return False
    failed = [tool.outcome.attempt for tool in tools if isinstance(tool.outcome, Failed)]
    return bool(failed) and all(attempt.verdict.cause in NO_ANSWER for attempt in failed)
