"""Reads the attacks: one TOML file each, in a folder named after its class."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

CASES = Path(__file__).with_name("cases")
WORDS = ("title", "class", "holds")


@dataclass(frozen=True)
class Attack:
    """One attack.

    Attributes:
        folder: The class of attacks it belongs to.
        holds: What must hold, in words.
        material: Everything else in the file: what the runner of its class needs.
    """

    path: Path
    title: str
    folder: str
    holds: str
    material: dict[str, Any]

    @property
    def expect(self) -> dict[str, Any]:
        """What the runner checks."""
        return self.material.get("expect", {})

    @property
    def without(self) -> dict[str, Any]:
        """The defence to take out, and how the attack's success shows then."""
        return self.material.get("without", {})

    @property
    def name(self) -> str:
        """The file's name as a Python identifier."""
        return self.path.stem.replace("-", "_")


def read(path: Path) -> Attack:
    """Read an attack."""
    with path.open("rb") as stream:
        data = tomllib.load(stream)
    title, folder, holds = (data.pop(word) for word in WORDS)
    return Attack(path, title, folder, holds, data)


def every() -> list[Attack]:
    """Give all attacks."""
    return [read(path) for path in sorted(CASES.rglob("*.toml"))]


def attacks(*folders: str, unguarded: bool = False) -> pytest.MarkDecorator:
    """Parametrise a test over the attacks of some classes.

    Args:
        folders: The classes.
        unguarded: Only those that say which defence to take out.
    """
    found = [one for one in every() if one.folder in folders and (one.without or not unguarded)]
    names = [f"{one.folder}/{one.path.stem}" for one in found]
    return pytest.mark.parametrize("attack", found, ids=names)
