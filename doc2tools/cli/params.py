"""`doc2tools params`: look into the values kept between compiles, add some, forget some."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal, cast, get_args

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.table import Table
from rich.text import Text

from doc2tools.cli import options as o
from doc2tools.cli.plain import plain
from doc2tools.cli.screen import escape, stderr, write_json
from doc2tools.compiler.ir.errors import UsageError
from doc2tools.param_db.added import note_added
from doc2tools.param_db.chroma import Folder, Place, place_of
from doc2tools.param_db.embedding import embedder as load_embedder
from doc2tools.param_db.entry import ADDED, Entry, host_of, pack
from doc2tools.param_db.naming import fold, is_generic, singular_phrase
from doc2tools.param_db.privacy import is_secret_name
from doc2tools.param_db.store import StoredValues, stored_values
from doc2tools.param_db.value import Scalar, Value

COLUMNS = ("id", "host", "resource", "name", "value", "origin", "from", "worked", "seen")
SHOWN_ID = 10
FEWEST_OF_ID = 6
Kind = Literal["string", "integer", "number", "boolean"]

Host = Annotated[
    str,
    typer.Option("--host", help="Only values of this host: name, name:port or an address."),
]
Limit = Annotated[int, typer.Option("--limit", help="Values shown at most.", min=1)]

params_app = typer.Typer(
    no_args_is_help=True, help="List, search, add and forget values kept between compiles."
)


@params_app.command("list")
def list_command(
    *,
    name: Annotated[str, typer.Option("--param", help="Only values of this name.")] = "",
    host: Host = "",
    limit: Limit = 200,
    out: o.Out = Path("generated"),
    param_db: o.ParamDb = None,
    embedder: o.Embedder = None,
    as_json: o.AsJson = False,
) -> int:
    """List the values kept, by host, resource and name."""
    place = _place(param_db, out)
    with _store(place, embedder) as store:
        if store is None:
            return _nothing(place, as_json=as_json)
        found = [one for one in store.every(_host(host)) if not name or _named(one, name)]
    found.sort(key=lambda one: (one.host, one.resource, one.name, str(one.value), one.id))
    _show(found[:limit], as_json=as_json)
    hidden = f"; {len(found) - limit} more, see --limit" if len(found) > limit else ""
    stderr().print(escape(f"{_count(len(found))} in {place}{hidden}"))
    return 0


@params_app.command("search")
def search_command(
    text: Annotated[str, typer.Argument(help="What the value is for.", metavar="TEXT")],
    *,
    host: Host = "",
    limit: Limit = 20,
    out: o.Out = Path("generated"),
    param_db: o.ParamDb = None,
    embedder: o.Embedder = None,
    as_json: o.AsJson = False,
) -> int:
    """Give the values closest to a text in meaning, the closest first."""
    place = _place(param_db, out)
    with _store(place, embedder) as store:
        if store is None:
            return _nothing(place, as_json=as_json)
        found = store.search(text, _host(host), limit)
    _show([one.entry for one in found], as_json=as_json)
    return 0


@params_app.command("add")
def add_command(
    name: Annotated[str, typer.Argument(help="The parameter's name.", metavar="NAME")],
    value: Annotated[str, typer.Argument(help="A value that works.", metavar="VALUE")],
    *,
    host: Annotated[str, typer.Option("--host", help="The host that it works on.")],
    resource: Annotated[
        str, typer.Option("--resource", help="What it names: user for the id of a user.")
    ] = "",
    kind: Annotated[
        str, typer.Option("--type", help="string, integer, number or boolean.", metavar="TYPE")
    ] = "string",
    description: Annotated[str, typer.Option("--description", help="What it is.")] = "",
    out: o.Out = Path("generated"),
    param_db: o.ParamDb = None,
    embedder: o.Embedder = None,
    as_json: o.AsJson = False,
) -> int:
    """Add a value for a host; the next compile tries it first."""
    place = _place(param_db, out)
    entry = _entry(
        name,
        _typed(value, kind),
        kind=kind,
        host=_host(host),
        resource=resource,
        description=description,
    )
    with stored_values(place, load_embedder(embedder or "wordllama")) as store:
        store.put(entry)
        ids = [one.id for one in store.added()]
    note_added(place, ids)
    _show([entry], as_json=as_json)
    return 0


@params_app.command("forget")
def forget_command(
    ids: Annotated[
        list[str] | None, typer.Argument(help="Ids as `params list` shows them.", metavar="ID…")
    ] = None,
    *,
    name: Annotated[str, typer.Option("--param", help="All values of this name.")] = "",
    host: Host = "",
    out: o.Out = Path("generated"),
    param_db: o.ParamDb = None,
    embedder: o.Embedder = None,
    as_json: o.AsJson = False,
) -> int:
    """Delete values for good: by id, by name, by host, or what all that is given leaves."""
    if not (ids or name or host):
        raise UsageError(
            "nothing says which values to forget", hint="give ids, --param NAME or --host HOST"
        )
    place = _place(param_db, out)
    with _store(place, embedder) as store:
        if store is None:
            return _nothing(place, as_json=as_json)
        kept = list(store.every(_host(host)))
        chosen = [one for one in _chosen(kept, ids) if not name or _named(one, name)]
        store.forget([one.id for one in chosen])
        left = [one.id for one in store.added()]
    note_added(place, left)
    _show(chosen, as_json=as_json)
    stderr().print(escape(f"{_count(len(chosen))} forgotten"))
    return 0 if chosen else 1


class _Store(AbstractContextManager["StoredValues | None"]):
    """The store, or None where nothing was ever kept: looking must not make one."""

    def __init__(self, place: Place, model: str | None) -> None:
        self._opened: AbstractContextManager[StoredValues] | None = None
        if not isinstance(place, Folder) or place.exists:
            self._opened = stored_values(place, load_embedder(model or "wordllama"))

    def __enter__(self) -> StoredValues | None:
        return self._opened.__enter__() if self._opened else None

    def __exit__(self, *fault: object) -> None:
        if self._opened:
            self._opened.__exit__(*cast("tuple[None, None, None]", fault))


_store = _Store


def _place(address: str | None, out: Path) -> Place:
    return place_of(address or "", out / ".doc2tools" / "params")


def _host(text: str) -> str:
    host = host_of(text) if text else ""
    if text and (not host or " " in host):
        raise UsageError(f"{text!r} is no host", hint="--host api.example.org or 127.0.0.1:8000")
    return host


def _typed(text: str, kind: str) -> Scalar:
    if kind not in get_args(Kind):
        raise UsageError(f"there is no type {kind!r}", hint=", ".join(get_args(Kind)))
    if kind == "string":
        return text
    with suppress(ValueError):
        if kind == "boolean":
            return bool(("false", "true").index(text.lower()))
        return int(text) if kind == "integer" else float(text)
    raise UsageError(f"{text!r} is no {kind}")


def _entry(
    name: str, value: Scalar, *, kind: str, host: str, resource: str, description: str
) -> Entry:
    if is_secret_name(name):
        raise UsageError(
            f"{name!r} names a secret or a person's data, which is not kept",
            hint="a credential goes into [auth]: docs/configuration.md",
        )
    noun = singular_phrase(fold(resource))
    if not noun and is_generic(fold(name)):
        raise UsageError(
            f"{name!r} alone does not say what it belongs to",
            hint="--resource user for the value of /users/{id}",
        )
    held = Value(
        name=name,
        value=value,
        resource=noun,
        type=cast("Kind", kind),
        description=description,
        origin="configured",
        endpoint=ADDED,
    )
    entry = pack(held, host, datetime.now(UTC).isoformat(timespec="seconds"))
    if entry is None:
        raise UsageError(
            "this value is not kept: it is empty, too long, or looks like a secret or an address "
            "of a person",
            hint="give it for one compile only: --value NAME=VALUE",
        )
    return entry


def _named(entry: Entry, name: str) -> bool:
    return fold(entry.name) == fold(name)


def _chosen(kept: Sequence[Entry], ids: Sequence[str] | None) -> list[Entry]:
    if not ids:
        return list(kept)
    chosen: dict[str, Entry] = {}
    for wanted in ids:
        found = [one for one in kept if one.id.startswith(wanted)]
        if len(wanted) < FEWEST_OF_ID or len(found) != 1:
            why = "several values" if found else "no value here"
            raise UsageError(
                f"{wanted!r} is the id of {why}", hint="doc2tools params list shows the ids"
            )
        chosen[found[0].id] = found[0]
    return list(chosen.values())


def _nothing(place: Place, *, as_json: bool) -> int:
    if as_json:
        write_json("[]")
    stderr().print(escape(f"no values in {place}: a compile keeps them there"))
    return 0


def _count(number: int) -> str:
    return f"{number} value{'' if number == 1 else 's'}"


def _show(entries: Iterable[Entry], *, as_json: bool) -> None:
    if as_json:
        data: list[JsonValue] = [one.model_dump(mode="json") for one in entries]
        write_json(o.to_json(data))
        return
    rows = [[plain(" ".join(cell.split())) for cell in _row(one)] for one in entries]
    console = Console(highlight=False)
    if not console.is_terminal:
        sys.stdout.write("".join("\t".join(row) + "\n" for row in rows))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in COLUMNS:
        table.add_column(column, overflow="fold", no_wrap=column == "id")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)


def _row(entry: Entry) -> tuple[str, ...]:
    value = entry.value if isinstance(entry.value, str) else json.dumps(entry.value)
    return (
        entry.id[:SHOWN_ID],
        entry.host,
        entry.resource,
        entry.name,
        value,
        entry.origin,
        f"{entry.endpoint} {entry.field_path}",
        f"{entry.successes}/{entry.successes + entry.failures}",
        entry.seen[:10],
    )
