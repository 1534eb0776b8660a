"""Finds compiled toolkits: by folder, by name below the output folder, or as installed packages.

In go names; out come `Toolkit`s. A toolkit is found by its manifest, `doc2tools.json`.
"""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from pydantic import JsonValue

from doc2tools.compiler.ir.errors import UsageError

__all__ = ["ENTRY_POINTS", "MANIFEST", "Toolkit", "find_toolkit", "toolkits"]

MANIFEST = "doc2tools.json"
ENTRY_POINTS = "doc2tools.toolkits"


@dataclass(frozen=True, slots=True)
class Toolkit:
    """One compiled package.

    Attributes:
        name: Its import name.
        package: The folder that Python imports, which holds the manifest.
        project: The folder with its `pyproject.toml`; None for an installed package.
    """

    name: str
    package: Path
    project: Path | None

    @property
    def manifest(self) -> Path:
        """The manifest's place."""
        return self.package / MANIFEST

    def read(self, file: str = MANIFEST) -> dict[str, JsonValue]:
        """Read one of the package's JSON files.

        Raises:
            UsageError: It is missing or no JSON object.
        """
        path = self.package / file
        try:
            value: object = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError) as fault:
            raise UsageError(
                f"{path} is missing or cannot be read as JSON", hint="compile the package again"
            ) from fault
        if not isinstance(value, dict):
            raise UsageError(f"{path} holds no JSON object", hint="compile the package again")
        return cast("dict[str, JsonValue]", value)


def find_toolkit(name: str, out: Path) -> Toolkit:
    """Give the toolkit of a folder, of a name below `out`, or of an installed package.

    Raises:
        UsageError: There is none.
    """
    for folder in (Path(name), out / name):
        if found := _in_project(folder):
            return found
    for entry in _installed():
        if entry.name == name:
            return entry
    known = sorted(toolkit.name for toolkit in toolkits(out))
    raise UsageError(
        f"no compiled package {name!r} in {out} or installed",
        hint=f"there are: {', '.join(known)}" if known else "compile one first: doc2tools compile",
    )


def toolkits(out: Path) -> tuple[Toolkit, ...]:
    """Give every toolkit below `out` and every installed one, by name; those below `out` win."""
    found = {toolkit.name: toolkit for toolkit in _installed()}
    if out.is_dir():
        for folder in sorted(out.iterdir()):
            if toolkit := _in_project(folder):
                found[toolkit.name] = toolkit
    return tuple(found[name] for name in sorted(found))


def _in_project(folder: Path) -> Toolkit | None:
    places = sorted(folder.glob(f"src/*/{MANIFEST}")) if folder.is_dir() else []
    if not places:
        return None
    package = places[0].parent
    return Toolkit(package.name, package, folder)


def _installed() -> Iterator[Toolkit]:
    for entry in importlib.metadata.entry_points(group=ENTRY_POINTS):
        if entry.dist is None:
            continue
        package = Path(str(entry.dist.locate_file(entry.value)))
        if (package / MANIFEST).is_file():
            yield Toolkit(entry.name, package, None)
