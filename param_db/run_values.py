"""The values of one run: in memory while it lasts, joined with the store before and after.

A run begins as if nothing were known but what a person put in by hand, so that it finds the same on
every machine. What the store holds from earlier runs is asked for where the run itself is at its
end, and then only for the host of the tool that waits. What it learnt is written when it is over.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from doc2tools.compiler.ir.errors import Doc2ToolsError
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.param_db.added import added_digest
from doc2tools.param_db.chroma import Folder, Place, place_of, warm
from doc2tools.param_db.entry import host_of
from doc2tools.param_db.meaning import Meaning
from doc2tools.param_db.naming import stem
from doc2tools.param_db.value import Value
from doc2tools.param_db.values import ValueStore

if TYPE_CHECKING:
    from doc2tools.param_db.embedding import Embedder
    from doc2tools.param_db.store import StoredValues

__all__ = ["CONFIGURED", "RunValues", "place_for"]

CONFIGURED = "[values]"
"""The source of a value that the configuration gave."""

_MAX_ASKED = 60
"""Parameters that the store is asked for in one run."""


def place_for(options: CompileOptions, state: Path) -> Place:
    """Give where a compile keeps its values: the server named, or a folder of the state folder.

    Raises:
        UsageError: The address is none of a Chroma server.
    """
    return place_of(options.param_db, state / "params")


class RunValues(ValueStore):
    """Values of one run over the endpoints of one API."""

    def __init__(
        self, place: Place, options: CompileOptions, endpoints: Sequence[Endpoint]
    ) -> None:
        """Load what needs time in a thread beside the run."""
        super().__init__(Meaning(lambda: _embedder(options.embedder)))
        self._place = place
        self._options = options
        self._hosts = {one.name: host_of(one.base_url) for one in endpoints if one.base_url}
        self._known: dict[tuple[object, ...], Value] = {}
        threading.Thread(target=self._warm, name="doc2tools-values", daemon=True).start()

    def begin(self) -> None:
        """Take what a person put in for the hosts at hand.

        Raises:
            StoreError: The store can't be opened or used.
            UsageError: It holds vectors of another model.
        """
        if isinstance(self._place, Folder) and not added_digest(self._place):
            return
        with self._opened() as store:
            for host in sorted(set(self._hosts.values())):
                self._take([entry.as_value() for entry in store.added(host)])

    def remember(self, endpoints: Sequence[Endpoint]) -> int:
        """Take what earlier runs learnt on the host of each of `endpoints`; give how many are new.

        Raises:
            StoreError: The store can't be opened or used.
            UsageError: It holds vectors of another model.
        """
        asked = [
            (endpoint, parameter)
            for endpoint in endpoints
            for parameter in endpoint.parameters
            if parameter.required and endpoint.name in self._hosts
        ]
        if not asked or (isinstance(self._place, Folder) and not self._place.exists):
            return 0
        new = 0
        with self._opened() as store:
            for endpoint, parameter in asked[:_MAX_ASKED]:
                host = self._hosts[endpoint.name]
                found = store.candidates(parameter, endpoint, host)
                new += self._take(found)
                new += self._take(store.mates(found, host))
        return new

    def finish(self) -> None:
        """Write what the run learnt, each value under the host that it was seen on.

        Raises:
            StoreError: The store can't be opened or used.
            UsageError: It holds vectors of another model.
        """
        by_host: dict[str, list[Value]] = {}
        for value in (*self._configured(), *self._learnt()):
            host = host_of(value.host) if value.host else self._hosts.get(value.endpoint, "")
            if host:
                by_host.setdefault(host, []).append(value)
        if not by_host:
            return
        with self._opened() as store:
            for host, values in by_host.items():
                store.save(values, host)

    def _take(self, values: Sequence[Value]) -> int:
        """Add stored values; what the run counts later is told from what they bring along."""
        new = 0
        for value in values:
            if self.add([value]):
                self._known[_key(value)] = value
                new += 1
        return new

    def _learnt(self) -> list[Value]:
        """Give the values with the successes and failures of this run alone."""
        learnt: list[Value] = []
        for value in self:
            before = self._known.get(_key(value))
            if before is None:
                learnt.append(value)
            elif (value.successes, value.failures) != (before.successes, before.failures):
                learnt.append(_counted(value, before))
        return learnt

    def _configured(self) -> list[Value]:
        """Give the values of the configuration."""
        host = next(iter(self._hosts.values()), "")
        found: list[Value] = []
        for key, given in self._options.values.items():
            tool, _, name = key.rpartition(".")
            name, own = (name, self._hosts.get(tool, "")) if tool in self._hosts else (key, "")
            for value in given if isinstance(given, list) else [given]:
                if isinstance(value, str | int | float):
                    found.append(
                        Value(
                            name=name,
                            value=value,
                            resource=stem(name),
                            origin="configured",
                            endpoint=CONFIGURED,
                            host=own or host,
                        )
                    )
        return found

    def _warm(self) -> None:
        with suppress(Doc2ToolsError, ImportError):  # told where it is needed
            _embedder(self._options.embedder)
            warm()

    def _opened(self) -> AbstractContextManager[StoredValues]:
        module = importlib.import_module("doc2tools.param_db.store")
        opened: AbstractContextManager[StoredValues] = module.stored_values(
            self._place, _embedder(self._options.embedder)
        )
        return opened


def _embedder(name: str) -> Embedder:
    module = importlib.import_module("doc2tools.param_db.embedding")  # a compile that has nothing
    loaded: Embedder = module.embedder(name)  # to do must not wait for numpy and a model
    return loaded


def _key(value: Value) -> tuple[object, ...]:
    kind = (value.name, value.resource, value.collection, value.origin)
    return (*kind, repr(value.value), value.context)


def _counted(value: Value, before: Value) -> Value:
    return replace(
        value,
        successes=value.successes - before.successes,
        failures=value.failures - before.failures,
    )
