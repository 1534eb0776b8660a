"""The docs say what exists, and nothing exists that the docs don't say."""

from __future__ import annotations

import re
from pathlib import Path

import typer.main

from doc2tools.cli.main import app

ROOT = Path(__file__).parents[2]
SOURCES = ("compiler", "sandbox", "param_db", "doc2tools")


def options() -> set[str]:
    """Give every long option of every command."""
    group = typer.main.get_command(app)
    commands = [group, *group.commands.values()]  # type: ignore[attr-defined] - a click Group
    found = {
        word
        for command in commands
        for parameter in command.params
        for word in (*parameter.opts, *parameter.secondary_opts)
        if word.startswith("--")
    }
    return found - {"--help"}


def code(text: str) -> set[str]:
    return set(re.findall(r'Diagnostic\(\s*(?:code=)?"([a-z0-9-]+)"', text))


def test_every_option_is_documented_and_every_documented_one_exists() -> None:
    table = (ROOT / "docs" / "configuration.md").read_text().split("## Options")[1]
    documented = set(re.findall(r"^\| `(--[a-z-]+)", table, flags=re.M))
    assert documented == options()


def test_every_command_is_documented() -> None:
    group = typer.main.get_command(app)
    readme = (ROOT / "README.md").read_text()
    for name in group.commands:  # type: ignore[attr-defined] - a click Group
        assert f"doc2tools {name}" in readme
    for name in re.findall(r"doc2tools ([a-z]+)\b", " ".join(re.findall(r"`[^`\n]+`", readme))):
        assert name in group.commands  # type: ignore[attr-defined] - a click Group


def test_every_diagnostic_is_documented_and_every_documented_one_exists() -> None:
    page = (ROOT / "docs" / "diagnostics.md").read_text()
    documented = set(re.findall(r"^\| `([a-z0-9-]+)` \|", page, flags=re.M))
    raised: set[str] = set()
    for folder in SOURCES:
        for file in (ROOT / folder).rglob("*.py"):
            if not file.is_symlink():
                raised |= code(file.read_text())
    assert documented == raised
