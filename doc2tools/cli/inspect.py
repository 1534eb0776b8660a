"""`doc2tools inspect NAME`: what became of every endpoint, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

import typer
from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from doc2tools.cli import options as o
from doc2tools.cli.screen import escape, stderr, write_json
from doc2tools.cli.tables import print_table
from doc2tools.compiler.ir.errors import UsageError
from doc2tools.toolkits import find_toolkit

Status = Literal["validated", "failed", "blocked", "unvalidated"]


class SourceEntry(BaseModel):
    """Where a tool is documented."""

    model_config = ConfigDict(extra="ignore")

    page: str = ""
    start: int = 0
    end: int = 0


class ToolEntry(BaseModel):
    """The parts of a manifest's tool that the table shows."""

    model_config = ConfigDict(extra="ignore")

    name: str
    method: str
    url: str
    status: str
    cause: str = ""
    message: str = ""
    source: SourceEntry | None = None


class AnswerEntry(BaseModel):
    """What a proved answer takes of a model's context."""

    tool: str
    tokens: int


class TokensEntry(BaseModel):
    """What the package takes of a model's context."""

    tools_list: int = 0
    largest_answers: list[AnswerEntry] = []


class SpendingEntry(BaseModel):
    """What the questions on one page or tool took."""

    model_config = ConfigDict(extra="ignore")

    about: str
    subject: str
    tokens_in: int = 0
    tokens_out: int = 0


class LedgerEntry(BaseModel):
    """What the questions to a model took."""

    model_config = ConfigDict(extra="ignore")

    model: str = ""
    questions: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    entries: list[SpendingEntry] = []
    left_open: list[str] = []
    reason: str = ""


class Manifest(BaseModel):
    """The parts of a manifest that the table shows; what else it holds is left alone."""

    model_config = ConfigDict(extra="ignore")

    name: str
    base_url: str = ""
    counts: dict[str, int] = {}
    tools: list[ToolEntry]
    tokens: TokensEntry = TokensEntry()
    ledger: LedgerEntry | None = None


def inspect_command(
    name: Annotated[str, typer.Argument(help="A package's name or folder.", metavar="NAME")],
    out: o.Out = Path("generated"),
    status: Annotated[
        list[str] | None,
        typer.Option(
            "--status",
            help="Only these: validated, failed, blocked, unvalidated.",
            metavar="STATUS",
        ),
    ] = None,
    as_json: o.AsJson = False,
) -> int:
    """Show every endpoint found, what became of it and why."""
    path = find_toolkit(name, out).manifest
    try:
        text = path.read_text(encoding="utf-8")
        manifest = Manifest.model_validate_json(text)
    except (OSError, ValidationError, UnicodeDecodeError) as fault:
        raise UsageError(
            f"{path} is no manifest of this version", hint="compile the package again"
        ) from fault
    if as_json:
        data: JsonValue = json.loads(text)
        write_json(o.to_json(data))
        return 0
    shown = [tool for tool in manifest.tools if not status or tool.status in status]
    print_table([_row(tool, manifest.base_url) for tool in shown])
    counts = ", ".join(f"{number} {kind}" for kind, number in manifest.counts.items() if number)
    place = manifest.base_url or "no base URL"
    stderr().print(f"[bold]{escape(manifest.name)}[/] at {escape(f'{place}: {counts}')}")
    stderr().print(escape(_tokens(manifest.tokens)), soft_wrap=True)
    if manifest.ledger is not None and manifest.ledger.questions:
        stderr().print(escape(_ledger(manifest.ledger)), soft_wrap=True)
    return 0


def _tokens(tokens: TokensEntry) -> str:
    largest = ", ".join(f"{one.tool} {one.tokens:,}" for one in tokens.largest_answers)
    text = f"tokens: tools/list {tokens.tools_list:,}"
    return f"{text}; largest answers: {largest}" if largest else text


def _ledger(ledger: LedgerEntry) -> str:
    dearest = sorted(ledger.entries, key=lambda one: -(one.tokens_in + one.tokens_out))[:3]
    shown = ", ".join(
        f"{one.about} {one.subject} {one.tokens_in + one.tokens_out:,}" for one in dearest
    )
    text = (
        f"model {ledger.model}: {ledger.questions} replies, {ledger.tokens_in:,} tokens in, "
        f"{ledger.tokens_out:,} out; most for {shown}"
    )
    left = len(ledger.left_open)
    return f"{text}; {left} questions not asked: {ledger.reason}" if left else text


def _row(tool: ToolEntry, base_url: str) -> tuple[str, ...]:
    why = tool.message if tool.cause in {"", "ok"} else f"{tool.cause}: {tool.message}"
    place = ""
    if tool.source:
        place = f"{tool.source.page}:{tool.source.start}"
    return (
        tool.status,
        tool.name,
        tool.method,
        tool.url.removeprefix(base_url) or tool.url,
        why,
        place,
    )
