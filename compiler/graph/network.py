"""networkx, loaded when a question needs it: it is heavy, and most commands do without."""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["networkx"]


def networkx() -> Any:  # noqa: ANN401 - the library's own types are incomplete
    """Give the library."""
    return importlib.import_module("networkx")
