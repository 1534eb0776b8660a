"""Measure repair: put faults into the documentation of real servers, and see what becomes of them.

    python -m benchmarks.faults FOLDER [NAME …] [--faults 200] [--seed 1] [--rate 0.2] [--verbose]

FOLDER as for `benchmarks.servers`. Each copy of a server's documentation gets faults in a share of
the endpoints that validate without them (`--rate`), at most one for each endpoint, until there are
`--faults` over all servers; the kinds are spread as evenly as the endpoints allow.

Renamed segments and dropped prefixes are put into the text of the pages, on the lines that give the
endpoint's path, where reading the pages again shows this fault and no other; all else, and what
does not come out so, is put into what was read from the pages, before it is normalised.

A fault counts only where the call depends on it: the call that worked, changed as the fault changes
the documentation, is refused by the server (a status of 400 or more, nothing, or the answer that
nonsense gets), and a wrong type is one in which the proved value cannot be written.

Detected: the tool is not validated as the faulty documentation has it. Repaired: validated with the
endpoint that it had without the fault (path, method, place of the parameter, the mark). Wrong:
validated with another one; a stale endpoint has none, so any validation of it is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import warnings
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import requests

from benchmarks.fault_kinds import KINDS, Drafts, Fault, spread
from doc2tools.compiler.events import ignore
from doc2tools.compiler.ir.draft import EndpointDraft, PageDraft
from doc2tools.compiler.ir.options import AuthOptions, CompileOptions, TlsOptions
from doc2tools.compiler.ir.outcome import Failed, Tool, Validated
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.ir.spec import ApiSpec
from doc2tools.compiler.judging import Renderer, judge
from doc2tools.compiler.passes.normalise import normalise
from doc2tools.compiler.passes.paths import shape
from doc2tools.compiler.pipeline import extract_docs
from doc2tools.compiler.repair.address import whole_path
from doc2tools.compiler.repair.siblings import prefix_of
from doc2tools.compiler.state import State, key_of
from doc2tools.compiler.validate.control import NONSENSE
from doc2tools.compiler.validate.writes.plan import plan_writes
from doc2tools.compiler.writing import Writing

PASSWORD = "DOC2TOOLS_FAULTS_PASSWORD"  # noqa: S105 - the name of a variable


@dataclass
class Server:
    """One server, and its tools without faults."""

    name: str
    docs: Path
    options: CompileOptions
    auth: tuple[str, str] | None
    drafts: Drafts = ()
    tools: list[Tool] = field(default_factory=list[Tool])


@dataclass
class Result:
    """What became of one fault."""

    server: str
    fault: Fault
    detected: bool
    repaired: bool
    wrong: bool
    told: str


def read_server(folder: Path) -> Server:
    """Read a server's folder, and its documentation."""
    gold: dict[str, Any] = json.loads((folder / "gold.json").read_text())
    auth, pair = AuthOptions(), None
    if gold["auth"]["type"] == "basic":
        pair = (gold["auth"]["user"], gold["auth"]["password"])
        os.environ[PASSWORD] = pair[1]
        auth = AuthOptions(type="basic", username=pair[0], password_env=PASSWORD)
    options = CompileOptions(
        base_url=gold["base_url"],
        allow=("GET",),
        auth=auth,
        tls=TlsOptions(verify=gold.get("tls_verify", True)),
        llm="off",
        graph="off",
    )
    drafts = extract_docs([str(folder / "docs")], options, state=None).drafts
    return Server(folder.name, folder / "docs", options, pair, drafts)


def compile_drafts(
    drafts: Drafts, options: CompileOptions, work: Path
) -> tuple[ApiSpec, tuple[Tool, ...], int]:
    """Judge the tools of what was read, in a state of its own; give them and the calls made."""
    spec, _ = normalise(drafts, options)
    plan = PackagePlan(
        name="faulty",
        base_url=options.base_url,
        spec=spec,
        tools=(),
        options=options,
        digest=key_of(spec.model_dump_json()),
    )
    state = State(work)
    writing = Writing(plan_writes(spec, options), plan, state, ignore)
    found = judge(plan, state, writing, Renderer(), fresh=True, on_event=ignore)
    return spec, found.tools, found.calls


def put_in(server: Server, faults: list[Fault], work: Path) -> tuple[Drafts, list[Fault]]:
    """Put faults in, into the text where that gives just what is meant; give those that are in."""
    docs = work / "docs"
    shutil.copytree(server.docs, docs)
    drafts, inside = server.drafts, list[Fault]()
    later: list[Fault] = []
    for fault in faults:
        if fault.text is None:
            later.append(fault)
            continue
        kept = work / "kept"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(docs, kept)
        fault.text(docs)
        changed = extract_docs([str(docs)], server.options, state=None).drafts
        if _is_in(fault, changed, server, drafts):
            drafts = changed
            inside.append(replace(fault, level="text"))
        else:
            shutil.rmtree(docs)
            kept.rename(docs)
            later.append(fault)
    for fault in later:
        changed = fault.draft(drafts)
        if changed != drafts and _is_in(fault, changed, server, drafts):
            drafts = changed
            inside.append(fault)
    return drafts, inside


def _is_in(fault: Fault, changed: Drafts, server: Server, before: Drafts) -> bool:
    """Tell whether the documentation differs by the path of this fault and nothing else."""
    old, new = (_shapes(drafts, server.options) for drafts in (before, changed))
    wanted = Counter(old)
    own = shape(whole_path(fault.target.endpoint))
    if fault.path != own and fault.path in old:
        return False  # it would be another documented endpoint
    if fault.path != own:
        if fault.kind != "stale":
            wanted[own] -= 1
        wanted[fault.path] += 1
    return +wanted == Counter(new)


def _shapes(drafts: Drafts, options: CompileOptions) -> list[str]:
    spec, _ = normalise(drafts, options)
    return [shape(whole_path(one)) for one in spec.endpoints if one.method == "GET"]


def depends(fault: Fault, server: Server) -> bool:
    """Tell whether the server refuses the call that the faulty documentation leads to."""
    if fault.kind == "type":
        return True
    answer = _ask(fault.call, server)
    if answer is None or answer.status_code >= 400 or not answer.content:
        return True
    url = urlsplit(fault.call)
    nonsense = _ask(url._replace(path=f"/{NONSENSE}", query="").geturl(), server)
    return nonsense is not None and nonsense.content == answer.content


def _ask(url: str, server: Server) -> requests.Response | None:
    if not url:
        return None
    headers = {"Accept": "application/json"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return requests.get(
                url, auth=server.auth, headers=headers, timeout=15, verify=server.options.tls.verify
            )
        except requests.RequestException:
            return None


def judge_fault(fault: Fault, tool: Tool, server: str) -> Result:
    """Compare a tool with what it was without the fault."""
    validated = isinstance(tool.outcome, Validated)
    told = "; ".join(tool.repairs) or _reason(tool)
    same = shape(whole_path(tool.endpoint)) == shape(whole_path(fault.target.endpoint))
    same = same and tool.endpoint.method == fault.target.endpoint.method
    if fault.kind == "stale":
        return Result(server, fault, not validated, False, validated, told)
    if not validated:
        return Result(server, fault, True, False, False, told)
    right = same and _parameter_is_right(fault, tool)
    unnoticed = not tool.repairs and (not same or not right)
    wrong = not same
    return Result(server, fault, bool(tool.repairs) or not unnoticed, right, wrong, told)


def _reason(tool: Tool) -> str:
    outcome = tool.outcome
    if isinstance(outcome, Failed):
        verdict = outcome.attempt.verdict
        tried = [line for line in verdict.evidence if line.startswith("repair")]
        return " | ".join([verdict.message, *tried])
    return getattr(outcome, "reason", "")


def _parameter_is_right(fault: Fault, tool: Tool) -> bool:
    if not fault.parameter:
        return True
    own = next((p for p in tool.endpoint.parameters if p.name == fault.parameter), None)
    real = next(p for p in fault.target.endpoint.parameters if p.name == fault.parameter)
    if own is None:
        return False
    if fault.kind == "location":
        return own.location == real.location
    return own.required if fault.kind == "required" else True


def measure(server: Server, faults: list[Fault], work: Path) -> tuple[list[Result], int, int]:
    """Compile one faulty copy; give what became of its faults, the calls and validated tools."""
    drafts, inside = put_in(server, faults, work)
    if not inside:
        return [], 0, 0
    spec, tools, calls = compile_drafts(drafts, server.options, work)
    results: list[Result] = []
    for fault in inside:
        found = [
            tool
            for endpoint, tool in zip(spec.endpoints, tools, strict=True)
            if endpoint.method == fault.target.endpoint.method
            and shape(whole_path(endpoint)) == fault.path
        ]
        if found:
            tool = min(found, key=lambda one: _strange(one, fault))
            results.append(judge_fault(fault, tool, server.name))
    validated = sum(isinstance(tool.outcome, Validated) for tool in tools)
    return results, calls, validated


def _strange(tool: Tool, fault: Fault) -> int:
    """Count the parameters by which two endpoints of one shape differ."""
    own = {parameter.name for parameter in tool.endpoint.parameters}
    return len(own ^ {parameter.name for parameter in fault.target.endpoint.parameters})


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=0.2)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)  # noqa: S311 - a repeatable choice, no secret
    folders = sorted(path.parent for path in arguments.folder.glob("*/gold.json"))
    servers = [
        read_server(one) for one in folders if not arguments.names or one.name in arguments.names
    ]
    results: list[Result] = []
    calls = validated = copies = 0
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        for server in servers:
            _, tools, _ = compile_drafts(server.drafts, server.options, root / server.name)
            good = [tool for tool in tools if isinstance(tool.outcome, Validated)]
            server.tools = [tool for tool in good if tool.endpoint.method == "GET"]
        seen: set[tuple[str, ...]] = set()
        for _ in range(100):
            before = len(results)
            for server in servers:
                if len(results) >= arguments.faults:
                    break
                most = max(1, round(arguments.rate * len(server.tools)))
                counted = Counter[str](one.fault.kind for one in results)

                found = spread(
                    server.tools, server.drafts, chance, counted, partial(_is_usable, server, seen)
                )
                chosen = list(islice(found, most))
                copies += 1
                done, made, proved = measure(server, chosen, root / f"copy{copies}")
                seen |= {_key(server, one.fault) for one in done}
                results += done[: arguments.faults - len(results)]
                calls, validated = calls + made, validated + proved
                shutil.rmtree(root / f"copy{copies}", ignore_errors=True)
            if len(results) >= arguments.faults or len(results) == before:
                break
        lost = [everywhere(server, root / f"{server.name}-bare") for server in servers]
    show(results, verbose=arguments.verbose)
    print("base path dropped everywhere: " + "; ".join(line for line in lost if line))
    print(f"{copies} copies, {calls} calls, {calls / max(1, validated):.2f} for a validated tool")


def everywhere(server: Server, work: Path) -> str:
    """Drop the base path from every documented path; give how many tools are as before."""

    def bare(page: PageDraft) -> PageDraft:
        kept = [
            one.model_copy(update={"path": one.path.model_copy(update={"value": _bare(one)})})
            for one in page.endpoints
        ]
        return page.model_copy(update={"endpoints": tuple(kept)})

    drafts = tuple(bare(page) for page in server.drafts)
    if drafts == server.drafts:
        return ""
    _, tools, calls = compile_drafts(drafts, server.options, work)
    before = {shape(whole_path(tool.endpoint)) for tool in server.tools}
    now = {
        shape(whole_path(tool.endpoint)) for tool in tools if isinstance(tool.outcome, Validated)
    }
    return (
        f"{server.name}: {len(before & now)} of {len(before)} as before, "
        f"{len(now - before)} others, {calls} calls"
    )


def _bare(draft: EndpointDraft) -> str:
    path = draft.path.value
    prefix = prefix_of(path)
    return path if "://" in path else path[len(prefix) :] or "/"


def _is_usable(server: Server, seen: set[tuple[str, ...]], fault: Fault) -> bool:
    return _key(server, fault) not in seen and depends(fault, server)


def _key(server: Server, fault: Fault) -> tuple[str, ...]:
    name = fault.target.endpoint.name
    return (server.name, fault.kind, fault.variant, name, fault.parameter or fault.path)


def show(results: list[Result], *, verbose: bool) -> None:
    """Print what became of the faults, by kind and by level."""
    print(f"{'kind':<10} {'faults':>6} {'text':>5} {'detected':>9} {'repairable':>11} "
          f"{'repaired':>9} {'wrong':>6}")  # fmt: skip
    for kind in (*KINDS, "all"):
        own = [one for one in results if kind in (one.fault.kind, "all")]
        repairable = [one for one in own if one.fault.kind != "stale"]
        detected = sum(one.detected for one in own)
        repaired = sum(one.repaired for one in repairable)
        text = sum(one.fault.level == "text" for one in own)
        print(
            f"{kind:<10} {len(own):>6} {text:>5} {_share(detected, len(own)):>9} "
            f"{len(repairable):>11} {_share(repaired, len(repairable)):>9} "
            f"{sum(one.wrong for one in own):>6}"
        )
    print("by server: " + ", ".join(
        f"{name} {number}" for name, number in sorted(Counter(r.server for r in results).items())
    ))  # fmt: skip
    variants = Counter((one.fault.kind, one.fault.variant) for one in results)
    mended = Counter((one.fault.kind, one.fault.variant) for one in results if one.repaired)
    for (kind, variant), number in sorted(variants.items()):
        print(f"  {kind}: {variant}: {mended[kind, variant]} of {number} repaired")
    for one in results if verbose else ():
        if one.wrong or not one.detected or (not one.repaired and one.fault.kind != "stale"):
            state = "WRONG" if one.wrong else "left" if one.detected else "UNSEEN"
            print(f"{state} {one.server} {one.fault.kind} ({one.fault.variant}) "
                  f"{one.fault.target.endpoint.name} {one.fault.parameter} -> {one.fault.path}: "
                  f"{one.told[:600]}")  # fmt: skip


def _share(part: int, whole: int) -> str:
    return f"{part} {100 * part / whole:.0f}%" if whole else "-"


if __name__ == "__main__":
    sys.exit(main())
