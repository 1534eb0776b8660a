"""`doc2tools extract`: only the endpoints, with the evidence; no network for files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Annotated

import typer
from pydantic import JsonValue

from doc2tools.cli import options as o
from doc2tools.cli.plain import plain
from doc2tools.cli.screen import escape, screen, stderr, write_json
from doc2tools.compiler.emit.endpoints_json import endpoints_json
from doc2tools.compiler.ir.draft import EndpointDraft, PageDraft
from doc2tools.compiler.ir.errors import StoreError
from doc2tools.compiler.pipeline import ExtractResult, extract_docs
from doc2tools.compiler.state import write_atomically


def extract_command(
    docs: o.Docs,
    *,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Folder for a JSON file a page.", metavar="DIR")
    ],
    config: o.Config = None,
    max_pages: o.MaxPages = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the lines each endpoint came from, and why.")
    ] = False,
    as_json: o.AsJson = False,
    quiet: o.Quiet = False,
) -> int:
    """Find the endpoints of every page and write them as JSON; call nothing."""
    options = o.resolve(docs, config, {"limits": o.table(pages=max_pages)})
    with screen(quiet=quiet or explain) as listener:
        result = extract_docs(docs, options, state=None, on_event=listener)
    names = file_names(draft.page for draft in result.drafts)
    for draft in result.drafts:
        _write(out / names[draft.page], o.to_json(endpoints_json(draft)))
    if explain and not as_json:
        for draft in result.drafts:
            _explain(draft)
    if as_json:
        write_json(o.to_json(_summary(result, names)))
    elif not quiet:
        number = sum(len(draft.endpoints) for draft in result.drafts)
        stderr().print(
            f"{number} endpoints on {len(result.drafts)} pages: {escape(str(out))}", soft_wrap=True
        )
    return 0 if result.drafts else 1


def file_names(pages: Iterable[str]) -> dict[str, str]:
    """Give each page its output file: its path with `.json` for its suffix.

    Of pages that differ only in their suffix the first keeps the short name; the others keep
    their suffix, too.
    """
    taken: set[str] = set()
    names: dict[str, str] = {}
    for page in pages:
        path = PurePosixPath(page)
        short = str(path.with_suffix(".json"))
        name = short if short not in taken else f"{page}.json"
        taken.add(name)
        names[page] = name
    return names


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, (text + "\n").encode())
    except OSError as fault:
        raise StoreError(
            f"{path} cannot be written: {fault.strerror or fault}", hint="choose another --out"
        ) from fault


def _summary(result: ExtractResult, names: dict[str, str]) -> dict[str, JsonValue]:
    return {
        "pages": [
            {
                "page": draft.page,
                "file": names[draft.page],
                "endpoints": len(draft.endpoints),
                "quality": draft.quality.grade,
            }
            for draft in result.drafts
        ],
        "diagnostics": [one.model_dump(mode="json") for one in result.diagnostics],
    }


def _explain(draft: PageDraft) -> None:
    lines = [f"{draft.page}: {draft.quality.grade}"]
    lines += [f"  because {reason}" for reason in draft.quality.reasons]
    for base in draft.base_urls:
        place = base.spans[0] if base.spans else draft.page
        lines.append(f"  base URL {base.value}  [{place}] {base.inferred or base.rule}".rstrip())
    for endpoint in draft.endpoints:
        lines += _explain_endpoint(endpoint)
    for refused in draft.rejected:
        lines.append(f"  refused: {refused.text}  [{refused.span}] {refused.reason}")
    lines += [f"  {diagnostic}" for diagnostic in draft.diagnostics]
    typer.echo("\n".join(map(plain, lines)))


def _explain_endpoint(endpoint: EndpointDraft) -> list[str]:
    lines = [f"  {endpoint.method.value} {endpoint.path.value}  confidence {endpoint.rank:.2f}"]
    for label, fact in (("method", endpoint.method), ("path", endpoint.path)):
        places = ", ".join(str(span) for span in fact.spans)
        why = f"inferred: {fact.inferred}" if fact.inferred else f"stated at {places}"
        lines.append(f"    {label}: {why}" + (f" ({fact.rule})" if fact.rule else ""))
    for parameter in endpoint.parameters:
        where = parameter.location.value if parameter.location else "?"
        places = ", ".join(str(span) for span in parameter.name.spans) or parameter.name.inferred
        need = "required" if parameter.required and parameter.required.value else "optional"
        lines.append(f"    parameter {parameter.name.value}: {where}, {need}, from {places}")
    lines += [f"    because {reason}" for reason in endpoint.reasons]
    return lines
