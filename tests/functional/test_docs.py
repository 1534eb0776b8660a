"""The docs say what exists, and nothing exists that the docs don't say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import typer.main

from doc2tools.cli.main import app
from doc2tools.compiler.ir.source import DiagnosticCode

ROOT = Path(__file__).parents[2]
SOURCES = ("compiler", "sandbox", "param_db")


def options() -> set[str]:
    """Give every long option of every command, those in groups included."""
    group = typer.main.get_group(app)
    commands = [group, *group.commands.values()]
    for command in commands:
        commands += getattr(command, "commands", {}).values() if command is not group else ()
    found = {
        word
        for command in commands
        for parameter in command.params
        for word in (*parameter.opts, *parameter.secondary_opts)
        if word.startswith("--")
    }
    return found - {"--help"}


def test_every_option_is_documented_and_every_documented_one_exists() -> None:
    documented = {
        option
        for page in (ROOT / "docs").glob("*.md")
        for option in re.findall(r"^\| `(--[a-z-]+)", page.read_text(), flags=re.M)
    }
    assert documented == options()


def test_every_command_is_documented() -> None:
    group = typer.main.get_group(app)
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    text = "\n".join(page.read_text() for page in pages)
    for name in group.commands:
        assert f"doc2tools {name}" in text
    for name in re.findall(r"doc2tools ([a-z]+)\b", " ".join(re.findall(r"`[^`\n]+`", text))):
        assert name in group.commands


def test_every_diagnostic_is_documented_and_raised() -> None:
    page = (ROOT / "docs" / "diagnostics.md").read_text()
    documented = re.findall(r"^\| `([a-z0-9-]+)` \|", page, flags=re.M)
    codes = set(get_args(DiagnosticCode))
    assert sorted(documented) == sorted(codes)
    sources = [file.read_text() for folder in SOURCES for file in (ROOT / folder).rglob("*.py")]
    unused = {code for code in codes if sum(f'"{code}"' in text for text in sources) < 2}
    assert not unused
