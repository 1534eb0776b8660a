"""Imports a toolkit's package under a private name, so that it shadows and is shadowed by nothing.

A package is imported by its folder, not by `sys.path`: one called `json` hurts nobody, and a
recompiled one can be taken up beside the old one, whose calls still run.
"""

from __future__ import annotations

import importlib
import itertools
import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

_numbers = itertools.count(1)
_MODULE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)


class Package:
    """One package's code, imported when a tool of it is first called."""

    def __init__(self, folder: Path) -> None:
        """Import nothing yet.

        Args:
            folder: The folder that holds `client.py` and `tools/`.
        """
        self._folder = folder
        self._alias = f"_doc2tools_served_{next(_numbers)}"
        self._lock = threading.Lock()

    def module(self, name: str) -> ModuleType:
        """Give a module of the package.

        Args:
            name: Dotted, below the package, such as `tools.books`.

        Raises:
            ImportError: There is none, or it fails; the cause may be any exception.
        """
        if not _MODULE.fullmatch(name):
            raise ImportError(f"{name!r} names no module")
        full = f"{self._alias}.{name}"
        known = sys.modules.get(full)
        if known is not None and not getattr(known.__spec__, "_initializing", False):
            return known
        with self._lock:
            if self._alias not in sys.modules:
                # Without its __init__, which would import every group of tools.
                root = ModuleType(self._alias)
                root.__path__ = [str(self._folder)]
                sys.modules[self._alias] = root
            try:
                return importlib.import_module(full)
            except Exception as fault:
                raise ImportError(f"{name} of {self._folder.name} cannot be imported") from fault

    def function(self, module: str, name: str) -> Callable[..., object]:
        """Give a tool's function.

        Raises:
            ImportError: The package holds no such function.
        """
        found: object = getattr(self.module(module), name, None)
        if not callable(found):
            raise ImportError(f"{module} of {self._folder.name} has no function {name!r}")
        return found

    def forget(self) -> None:
        """Take the modules out of Python's table; calls under way keep theirs."""
        for name in [key for key in sys.modules if key.partition(".")[0] == self._alias]:
            del sys.modules[name]
