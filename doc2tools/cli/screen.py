"""What people see while work goes on: a progress display on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections import Counter
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console
from rich.markup import escape as escape_markup
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from doc2tools.cli.plain import plain
from doc2tools.cli.writes import leftover_lines, plan_lines
from doc2tools.compiler.events import (
    DiagnosticFound,
    EdgeTried,
    LeftBehind,
    Notice,
    PageDrafted,
    SampleDrawn,
    StageFinished,
    StageStarted,
    WritesPlanned,
)
from doc2tools.compiler.ir.source import Diagnostic
from doc2tools.compiler.validate.events import ToolFinished

SHOWN_DIAGNOSTICS = 20
STYLES = {"error": "red", "warning": "yellow", "info": "cyan"}


def stderr() -> Console:
    """Give a console for people: coloured on a terminal only, never wrapping elsewhere."""
    console = Console(stderr=True, highlight=False)
    return console if console.is_terminal else Console(stderr=True, highlight=False, width=10_000)


def escape(text: str) -> str:
    """Give text from outside so that rich and the terminal show it and do not obey it."""
    return escape_markup(plain(text))


def complain(message: str, hint: str = "") -> None:
    """Write an error, and what to do next, to stderr."""
    console = stderr()
    console.print(f"[bold red]error:[/] {escape(message)}", soft_wrap=True)
    if hint:
        console.print(f"[bold]hint:[/] {escape(hint)}", soft_wrap=True)


class Screen(Protocol):
    """Listens to the engine and shows what it hears; a context manager."""

    def __enter__(self) -> Self:
        """Begin."""
        ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End, leaving the terminal as it was."""
        ...

    def __call__(self, event: object) -> None:
        """Take one event."""
        ...

    def ask(self, question: str) -> bool:
        """Ask on the terminal, "no" being the default; false where there is no terminal."""
        ...


def screen(*, quiet: bool = False) -> Screen:
    """Give the display that fits where stderr goes."""
    console = stderr()
    return _Live(console, quiet) if console.is_terminal and not quiet else _Lines(console, quiet)


class _Lines:
    """One line an event of weight; nothing that needs a terminal."""

    def __init__(self, console: Console, quiet: bool) -> None:
        self.console = console
        self.quiet = quiet
        self.shown: Counter[str] = Counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        hidden = self.shown["hidden"]
        if hidden:
            self.console.print(f"{hidden} more diagnostics; --json lists them all")

    def __call__(self, event: object) -> None:
        match event:
            case DiagnosticFound(diagnostic):
                self._diagnose(diagnostic)
            case Notice(message, hint):
                self.console.print(f"[bold]note:[/] {escape(message)}", soft_wrap=True)
                if hint:
                    self.console.print(f"[bold]hint:[/] {escape(hint)}", soft_wrap=True)
            case WritesPlanned(plan, confirmed):
                for line in plan_lines(plan, confirmed=confirmed):
                    self.console.print(line, soft_wrap=True)
            case LeftBehind(leftover):
                for line in leftover_lines(leftover):
                    self.console.print(line, soft_wrap=True)
            case StageFinished(stage, seconds, note) if not self.quiet:
                self.console.print(f"{stage:<10} {escape(note)}  [dim]{seconds:.1f} s[/]")
            case _:
                pass

    def ask(self, question: str) -> bool:
        if not (sys.stdin.isatty() and self.console.is_terminal):
            return False
        self.console.print(f"{question} [bold]\\[y/N][/] ", end="")
        return sys.stdin.readline().strip().lower() in {"y", "yes"}

    def _diagnose(self, diagnostic: Diagnostic) -> None:
        if diagnostic.level == "info":
            return
        self.shown["diagnostics"] += 1
        if self.shown["diagnostics"] > SHOWN_DIAGNOSTICS:
            self.shown["hidden"] += 1
            return
        style = STYLES[diagnostic.level]
        self.console.print(f"[{style}]{escape(str(diagnostic))}[/]", soft_wrap=True)
        if diagnostic.hint:
            self.console.print(f"  [bold]hint:[/] {escape(diagnostic.hint)}", soft_wrap=True)


class _Live(_Lines):
    """The same, with a bar for the stage under way."""

    def __init__(self, console: Console, quiet: bool) -> None:
        super().__init__(console, quiet)
        self.progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description:<10}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("[dim]{task.fields[detail]}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self.task: TaskID | None = None
        self.found: Counter[str] = Counter()

    def __enter__(self) -> Self:
        self.progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.progress.stop()
        super().__exit__(kind, fault, trace)

    def __call__(self, event: object) -> None:
        match event:
            case StageStarted(stage, total):
                self.task = self.progress.add_task(stage, total=total or None, detail="")
            case PageDrafted(page, _, _):
                self._advance(page)
            case ToolFinished(_, outcome):
                self.found[outcome.status] += 1
                self._advance(", ".join(f"{n} {status}" for status, n in self.found.items()))
            case EdgeTried(_, _, stage):
                self.found[stage] += 1
                self._advance(f"{self.found['proved']} proved")
            case SampleDrawn(number):
                self._advance(f"{number} tasks")
            case StageFinished(_, _, _) if self.task is not None:
                self.progress.remove_task(self.task)
                self.task = None
            case _:
                pass
        super().__call__(event)

    def ask(self, question: str) -> bool:
        self.progress.stop()
        try:
            return super().ask(question)
        finally:
            self.progress.start()

    def _advance(self, detail: str) -> None:
        if self.task is not None:
            self.progress.update(self.task, advance=1, detail=escape(detail[:60]))


def write_json(text: str) -> None:
    """Write data to stdout, and nothing else with it."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
