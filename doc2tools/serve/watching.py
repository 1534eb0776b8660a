"""Takes up packages that changed while they are served."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from doc2tools.compiler.ir.errors import UsageError
from doc2tools.serve.catalogue import Found, find
from doc2tools.serve.service import Service
from doc2tools.toolkits import MANIFEST

SECONDS = 1.0

Snapshot = dict[Path, tuple[int, int]]


async def watch(service: Service, say: Callable[[str], object]) -> None:
    """Look for changes once a second, for ever; a package that is being written is waited for.

    Args:
        service: What takes up the change.
        say: Told what happened.
    """
    known = await asyncio.to_thread(snapshot, service)
    before = known
    while True:
        await asyncio.sleep(SECONDS)
        now = await asyncio.to_thread(snapshot, service)
        if now != before or now == known:
            before = now
            continue
        known = now
        try:
            found = await asyncio.to_thread(find, service.options)
            old = [k for k in service.moment.catalogue.toolkits if k.name in found.problems]
            for kit in old:
                say(f"{kit.name} changed but stays as it was: {found.problems[kit.name]}")
            toolkits = sorted((*found.toolkits, *old), key=lambda kit: kit.name)
            service.replace(Found(tuple(toolkits), found.problems))
        except (UsageError, ValueError) as fault:
            service.metrics.reloads.labels("failed").inc()
            say(f"a package changed but cannot be taken up; the old one stays: {fault}")
        else:
            service.metrics.reloads.labels("done").inc()
            catalogue = service.moment.catalogue
            say(f"a package changed: {len(catalogue.tools)} tools are served now")


def snapshot(service: Service) -> Snapshot:
    """Give time and size of every file that matters."""
    folders = {kit.toolkit.package for kit in service.moment.catalogue.toolkits}
    if not service.options.names:
        folders |= {found.parent for found in service.options.out.glob(f"*/src/*/{MANIFEST}")}
    seen: Snapshot = {}
    for folder in folders:
        for path in (folder / MANIFEST, *folder.glob("*.py"), *folder.glob("tools/*.py")):
            try:
                stat = path.stat()
            except OSError:
                continue
            seen[path] = (stat.st_mtime_ns, stat.st_size)
    return seen
