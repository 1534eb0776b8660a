"""Where the Python is that the worker runs, and the libraries it may import: paths only."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

LIBRARIES = ("requests", "pydantic")
"""What generated packages depend on."""

_REQUIREMENT = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]{0,100})")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python outside any virtual environment, and what it imports.

    Attributes:
        executable: The real executable, links followed.
        prefix: Its installation.
        standard: Folders of the standard library.
        packages: Files and folders of the libraries: import name to path.
    """

    executable: Path
    prefix: Path
    standard: tuple[Path, ...]
    packages: dict[str, Path]


def find_interpreter() -> Interpreter:
    """Give the interpreter below this one, whatever virtual environment is around it."""
    executable = Path(getattr(sys, "_base_executable", "") or sys.executable).resolve()
    base = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix}
    base |= {"installed_base": sys.base_prefix, "installed_platbase": sys.base_exec_prefix}
    standard = {sysconfig.get_path(name, vars=base) for name in ("stdlib", "platstdlib")}
    return Interpreter(
        executable=executable,
        prefix=Path(sys.base_prefix).resolve(),
        standard=tuple(sorted(Path(path).resolve() for path in standard if Path(path).is_dir())),
        packages=_packages(),
    )


def _packages() -> dict[str, Path]:
    found: dict[str, Path] = {}
    todo: list[str] = list(LIBRARIES)
    seen: set[str] = set()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        for requirement in distribution.requires or ():
            match = _REQUIREMENT.match(requirement)
            if match and "extra ==" not in requirement:
                todo.append(match[1])
        found.update(_top_level(name, distribution))
    return found


def _top_level(name: str, distribution: importlib.metadata.Distribution) -> dict[str, Path]:
    tops = {
        Path(str(distribution.locate_file(file.parts[0])))
        for file in distribution.files or ()
        if file.parts[0] not in ("..", "__pycache__") and not file.parts[0].endswith("-info")
    }
    if not tops:
        # Installed by a system package manager that keeps no list of files.
        spec = importlib.util.find_spec(name.replace("-", "_"))
        if spec and spec.origin:
            origin = Path(spec.origin)
            tops = {origin.parent if origin.name == "__init__.py" else origin}
    return {top.name: top.resolve() for top in sorted(tops) if top.exists()}
