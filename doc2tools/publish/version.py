"""Versions: what a project says it is, what it may become, and writing it down.

A version is Python's (PEP 440); a step is semantic versioning's: a removed or changed tool is
major, a new one minor, else patch. Before 1.0.0 a major step moves the minor number, as is the
custom.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from packaging.version import InvalidVersion, Version
from pydantic import JsonValue

from doc2tools.compiler.emit.drift import Step
from doc2tools.compiler.emit.manifest import dump
from doc2tools.compiler.ir.errors import PublishError, UsageError

__all__ = ["next_version", "parse", "project_names", "with_version"]

_TOML = re.compile(r'^version = "[^"\n]*"$', re.MULTILINE)
_DUNDER = re.compile(r'^__version__ = "[^"\n]*"$', re.MULTILINE)


def parse(text: str) -> Version:
    """Read a version.

    Raises:
        UsageError: It is none.
    """
    try:
        return Version(text)
    except InvalidVersion as fault:
        raise UsageError(
            f"{text!r} is no version", hint="give one such as 1.2.0 (PEP 440)"
        ) from fault


def next_version(latest: Version, step: Step) -> Version:
    """Give the version that follows `latest` after changes that mean `step`."""
    major, minor, patch = (*latest.release, 0, 0, 0)[:3]
    if step == "none":
        return latest
    if latest.is_prerelease:
        return Version(f"{major}.{minor}.{patch}")
    if step == "major" and major:
        return Version(f"{major + 1}.0.0")
    if step == "major" or (step == "minor" and major):
        return Version(f"{major}.{minor + 1}.0")
    return Version(f"{major}.{minor}.{patch + 1}")


def project_names(project: Path) -> tuple[str, str]:
    """Give the distribution's name and version, from `pyproject.toml`.

    Raises:
        UsageError: The file is missing, broken, or says neither.
    """
    file = project / "pyproject.toml"
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8")).get("project", {})
        name, version = table.get("name"), table.get("version")
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, AttributeError) as fault:
        raise UsageError(f"{file} cannot be read: {fault}", hint="compile it again") from fault
    if not isinstance(name, str) or not isinstance(version, str):
        raise UsageError(f"{file} gives no name and version", hint="compile the package again")
    return name, version


def with_version(files: Mapping[str, bytes], package: str, version: str) -> dict[str, bytes]:
    """Give the files in which the project's version stands, with another version.

    Args:
        files: `pyproject.toml`, and the package's `__init__.py`, `client.py`, `doc2tools.json` and
            `openapi.json`, by path below the project's folder.
        package: The import name.
        version: The version to write.

    Raises:
        PublishError: A file does not say its version where a compile writes it.
    """
    parse(version)
    agent = re.compile(rf'^(USER_AGENT: Final = )"{re.escape(package)}/[^"\n]*"$', re.MULTILINE)
    written: dict[str, bytes] = {}
    for path, content in files.items():
        name = path.rpartition("/")[2]
        if name == "pyproject.toml":
            written[path] = _once(_TOML, f'version = "{version}"', content, path)
        elif name == "__init__.py":
            written[path] = _once(_DUNDER, f'__version__ = "{version}"', content, path)
        elif name == "client.py":
            written[path] = _once(agent, rf'\g<1>"{package}/{version}"', content, path)
        else:
            written[path] = _json(content, path, version)
    return written


def _once(pattern: re.Pattern[str], line: str, content: bytes, path: str) -> bytes:
    text, number = pattern.subn(line, content.decode("utf-8"))
    if number != 1:
        raise PublishError(
            f"{path} says its version {number} times, not once",
            hint="compile the package again, or set its version by hand and publish with twine",
        )
    return text.encode()


def _json(content: bytes, path: str, version: str) -> bytes:
    value = cast("dict[str, JsonValue]", json.loads(content))
    place = value.get("info") if path.endswith("openapi.json") else value
    if not isinstance(place, dict) or "version" not in place:
        raise PublishError(f"{path} says no version", hint="compile the package again")
    place["version"] = version
    return dump(value)
