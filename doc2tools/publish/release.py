"""One release: settle the version, build, check, upload, and write the version down.

In go a toolkit's project and an index; out comes a `Release`. Nothing on the index is overwritten,
and the project changes only after the upload.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from doc2tools.compiler.emit.drift import Drift, compare
from doc2tools.compiler.ir.errors import PublishError, UsageError
from doc2tools.publish.distributions import build, check, copy_project, set_version
from doc2tools.publish.index import Published, manifest_of, published
from doc2tools.publish.upload import Target, credentials, upload
from doc2tools.publish.version import next_version, parse, project_names
from doc2tools.toolkits import Toolkit

__all__ = ["Plan", "Release", "plan_release", "release", "settle"]


@dataclass(frozen=True, slots=True)
class Plan:
    """What publishing would do.

    Attributes:
        distribution: The name on the index.
        version: The version to publish; "" where the user has to choose.
        proposed: The next version that the changes mean.
        latest: The newest version on the index, "" if there is none.
        drift: The changes since then; None if there is nothing to compare with.
        simple: Where installers look, "" until it is known.
    """

    distribution: str
    version: str
    proposed: str
    latest: str
    drift: Drift | None
    simple: str


@dataclass(frozen=True, slots=True)
class Release:
    """What publishing did.

    Attributes:
        status: `unchanged`: the index has these tools already, and nothing was uploaded.
        files: Names of the distributions.
    """

    status: Literal["published", "checked", "unchanged"]
    plan: Plan
    files: tuple[str, ...] = ()


def plan_release(toolkit: Toolkit, to: Target, *, version: str = "", simple: str = "") -> Plan:
    """Compare a project with what the index holds, and settle the version where that is clear.

    Raises:
        UsageError: The toolkit has no project, or the version is on the index already.
        PublishError: The index does not answer.
    """
    project = _project(toolkit)
    distribution, current = project_names(project)
    found = _published(to, distribution, simple)
    latest = found.latest
    if latest is None:
        first = version or current
        parse(first)
        return Plan(distribution, first, first, "", None, found.simple)
    old = manifest_of(found, latest, credentials(to.settings))
    drift = compare(old, toolkit.read()) if old is not None else None
    step = drift.step if drift is not None else "minor"
    proposed = str(next_version(latest, step))
    chosen = version or (current if parse(current) > latest else "")
    if chosen and parse(chosen) in found.files:
        raise UsageError(
            f"{distribution} {chosen} is on the index already and is never overwritten",
            hint=f"--version {next_version(latest, step if step != 'none' else 'patch')}",
        )
    return Plan(distribution, chosen, proposed, str(latest), drift, found.simple)


def release(
    toolkit: Toolkit, to: Target, plan: Plan, *, dry_run: bool = False, simple: str = ""
) -> Release:
    """Build and check the planned version, and upload it.

    Args:
        toolkit: What to publish.
        to: Where to.
        plan: Its `version` is settled.
        dry_run: Stop before the upload.
        simple: As given to `plan_release`.

    Raises:
        UsageError: No version was settled.
        PublishError: It can't be built, or the index refuses it.
    """
    project = _project(toolkit)
    if not plan.version:
        raise UsageError("no version was chosen", hint=f"--version {plan.proposed}")
    with tempfile.TemporaryDirectory(prefix="doc2tools-publish-") as folder:
        work = Path(folder)
        copy = copy_project(project, toolkit.name, plan.version, work)
        files = build(copy, work / "dist")
        check(files)
        names = tuple(file.name for file in files)
        if dry_run:
            return Release("checked", plan, names)
        # Some indexes let a version be replaced: look again, as others may publish too.
        if parse(plan.version) in _published(to, plan.distribution, simple).files:
            raise PublishError(
                f"{plan.distribution} {plan.version} has just appeared on the index",
                hint="publish again: the next version will be proposed",
            )
        upload(to, files)
    set_version(project, toolkit.name, plan.version)
    found = _published(to, plan.distribution, simple)
    return Release("published", replace(plan, simple=found.simple), names)


def settle(plan: Plan, *, agree: Callable[[str], bool]) -> Plan:
    """Ask `agree` about the proposed version where none was settled."""
    if plan.version or (plan.drift is not None and plan.drift.step == "none"):
        return plan
    return replace(plan, version=plan.proposed) if agree(plan.proposed) else plan


def _project(toolkit: Toolkit) -> Path:
    if toolkit.project is None:
        raise UsageError(
            f"{toolkit.name} is an installed package; only a compiled project can be published",
            hint="name its folder, or compile it again",
        )
    return toolkit.project


def _published(to: Target, distribution: str, simple: str) -> Published:
    """List what is there, with credentials only where the index asks for them."""
    try:
        return published(to.url, distribution, None, simple)
    except PublishError:
        auth = credentials(to.settings)
        if auth is None:
            raise
        return published(to.url, distribution, auth, simple)
