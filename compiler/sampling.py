"""Samples tasks from a compiled toolkit: opens its sandbox and gateway, and draws.

In go the name of a toolkit that was compiled into an output folder; out come the files of a data
set. What was called before is answered by its recording; new calls are recorded beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from doc2tools.compiler.clock import Clock
from doc2tools.compiler.emit.package import stage_sources
from doc2tools.compiler.events import Listener, Notice, StageStarted, ignore
from doc2tools.compiler.graph.sample.draw import Drawn, Wanted, draw_samples
from doc2tools.compiler.graph.sample.output import data_card, dataset_files
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.errors import StoreError, UsageError
from doc2tools.compiler.ir.options import AuthOptions, LimitOptions, TlsOptions
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.kept import kept_plan
from doc2tools.compiler.state import State, write_atomically
from doc2tools.compiler.writing import main_policy
from doc2tools.sandbox.gateway import Gateway
from doc2tools.sandbox.recordings import Recordings
from doc2tools.sandbox.sandbox import Sandbox

__all__ = ["Sampled", "sample_tasks"]


@dataclass(frozen=True, slots=True)
class Sampled:
    """What sampling gave.

    Attributes:
        card: The data card.
        calls: Requests that went over the network.
    """

    drawn: Drawn
    card: Mapping[str, JsonValue]
    folder: Path
    calls: int


def sample_tasks(
    name: str,
    out: Path,
    to: Path,
    wanted: Wanted,
    *,
    auth: AuthOptions | None = None,
    tls: TlsOptions | None = None,
    limits: LimitOptions | None = None,
    on_event: Listener = ignore,
) -> Sampled:
    """Draw tasks from the toolkit `name` and write them below `to`.

    Args:
        name: The toolkit's name.
        out: The output folder that it was compiled into.
        to: Folder for the data set.
        wanted: How many tasks, of which size.
        auth: Instead of what the compile was given.
        tls: Likewise.
        limits: Likewise.
        on_event: Told what happens.

    Raises:
        UsageError: The toolkit's compile is not kept, has no proved edge, or a credential is
            missing.
        SandboxError: No sandbox of the wanted strength can run here.
        StoreError: A folder can't be written.
    """
    state = State(out)
    plan = kept_plan(name, state)
    if plan is None:
        raise UsageError(
            f"nothing is kept of a compile of {name} in {out} by this version",
            hint="run its doc2tools compile again; without --fresh it calls nothing twice",
        )
    given = {"auth": auth, "tls": tls, "limits": limits}
    changed = {key: value for key, value in given.items() if value is not None}
    plan = plan.model_copy(update={"options": plan.options.model_copy(update=changed)})
    proved = sum(edge.stage == "proved" for edge in plan.graph.edges) if plan.graph else 0
    if not proved and wanted.least > 1:
        raise UsageError(
            f"{name} has no proved edge between two tools: there is nothing to draw tasks from",
            hint="doc2tools graph says why; --min-nodes 1 samples single calls",
        )
    clock = Clock(on_event)
    started = StageStarted("sample", wanted.number)
    clock.start(started)
    drawn, calls = _draw(plan, state, wanted, on_event)
    clock.finish(started, f"{len(drawn.samples)} tasks, {calls} calls")
    if len(drawn.samples) < wanted.number:
        on_event(
            Notice(
                f"{len(drawn.samples)} different tasks were found after {drawn.attempts} attempts",
                hint="more data on the server, --max-nodes, or --min-nodes 1 give more",
            )
        )
    _write(to, dataset_files(drawn, plan, wanted))
    return Sampled(drawn, data_card(drawn, plan, wanted), to, calls)


def _draw(plan: PackagePlan, state: State, wanted: Wanted, on_event: Listener) -> tuple[Drawn, int]:
    endpoints = tuple(tool.endpoint for tool in plan.tools)
    bases = sorted({endpoint.base_url for endpoint in endpoints if endpoint.base_url})
    policy = main_policy(plan.options, bases, endpoints)
    gateway = Gateway(policy, plan.options, plan.base_url, Recordings(state.calls(plan.name)))
    limits = plan.options.limits
    with gateway, Sandbox(gateway, plan.options.sandbox, limits.concurrency) as sandbox:
        root = sandbox.load(stage_sources(plan.name, plan.base_url, endpoints, plan.options))
        drawn = draw_samples(plan, wanted, sandbox, root, send=gateway.exchange, on_event=on_event)
        return drawn, gateway.calls_made


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    try:
        for path, data in files.items():
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(place, data)
    except OSError as fault:
        raise StoreError(
            f"{folder} cannot be written: {fault.strerror or fault}",
            hint="choose another folder with --to",
        ) from fault
