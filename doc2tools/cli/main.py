"""The front door: `doc2tools COMMAND …`, its exit codes and its last line of defence.

Exit codes: 0 all that was asked is done; 1 done, with tools that failed; 2 wrong usage or input, or
surroundings that the user has to mend; 123 our own fault; 130 interrupted.
"""

from __future__ import annotations

import importlib
import sys
import traceback
from collections.abc import Iterable, Sequence

import typer

from doc2tools import __version__
from doc2tools.cli.plain import plain
from doc2tools.cli.screen import complain
from doc2tools.compiler.ir.errors import Doc2ToolsError

INTERRUPTED = 130

COMMANDS = (
    "compile",
    "extract",
    "inspect",
    "report",
    "graph",
    "sample",
    "export",
    "publish",
    "serve",
    "params",
    "doctor",
)
"""Each is `NAME_command` of the module `doc2tools.cli.NAME`, or `NAME_app` for several in one."""


def front(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """Give the command line with these commands; the others are not imported."""
    app = typer.Typer(
        name="doc2tools",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        help="Compile API documentation into a typed Python package of tools, "
        "each proved by a call.",
    )
    app.callback()(_options)
    for name in names:
        module = importlib.import_module(f"doc2tools.cli.{name}")
        if hasattr(module, f"{name}_app"):
            app.add_typer(getattr(module, f"{name}_app"), name=name)
        else:
            app.command(name)(getattr(module, f"{name}_command"))
    return app


def __getattr__(name: str) -> typer.Typer:
    if name == "app":
        return front()
    raise AttributeError(name)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"doc2tools {__version__}")
        raise typer.Exit


def _options(
    version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Show the version."
    ),
) -> None:
    del version


def run(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    sys.exit(main(arguments))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit code.

    Args:
        arguments: Words after `doc2tools`; None takes the process's own.
    """
    words = sys.argv[1:] if arguments is None else arguments
    wanted = words[:1] if words and words[0] in COMMANDS else COMMANDS
    try:
        app = front(wanted)
        result: object = app(args=arguments, prog_name="doc2tools", standalone_mode=False)
    except Doc2ToolsError as fault:
        complain(str(fault), fault.hint)
        return 2
    except (KeyboardInterrupt, typer.Abort, EOFError):
        result = INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except Exception as fault:
        return _unexpected(fault)
    if result == INTERRUPTED:  # Typer makes an exit code of Ctrl-C
        complain("interrupted", "what was done is kept: the same command goes on from here")
    return result if isinstance(result, int) else 0


def _unexpected(fault: Exception) -> int:
    if hasattr(fault, "format_message") and hasattr(fault, "exit_code"):
        show = getattr(fault, "show", None)
        if callable(show):
            show()
        return 2
    sys.stderr.write(plain("".join(traceback.format_exception(fault))))
    complain(
        f"doc2tools itself failed: {type(fault).__name__}: {fault}",
        "please report it with the lines above and the command you ran",
    )
    return 123
