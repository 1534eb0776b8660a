"""The names of one generated module: what is defined there, what is imported, and as what."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

from doc2tools.compiler.emit.code import Expression

Natural: TypeAlias = tuple[tuple[tuple[int, int, str], ...], str]


class Scope:
    """Gives each name from elsewhere a local name that nothing in the module hides.

    Imports are `from MODULE import NAME`, and come out sorted as ruff sorts them. A builtin that
    the module hides is reached as `builtins.NAME`.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        """Keep the names that the module's functions and their parameters use."""
        self._taken = frozenset(taken)
        self._imports: dict[tuple[str, str], str] = {}
        self._builtins = False

    def use(self, name: str, module: str) -> str:
        """Give the local name of `name` from `module`, importing it."""
        local = self._imports.get((module, name))
        if local is None:
            local = name
            used = self._taken | set(self._imports.values())
            while local in used:
                local = f"_{local}"
            self._imports[module, name] = local
        return local

    def builtin(self, name: str) -> str:
        """Give the expression for a builtin."""
        if name not in self._taken:
            return name
        self._builtins = True
        return f"{self._builtins_name()}.{name}"

    def _builtins_name(self) -> str:
        local = "builtins"
        while local in self._taken:
            local = f"_{local}"
        return local

    def imports(self) -> tuple[Expression, ...]:
        """Give the import lines in ruff's order, with an empty one between sections."""
        lines: list[str] = []
        if self._builtins:
            local = self._builtins_name()
            lines.append("import builtins" + (f" as {local}" if local != "builtins" else ""))
        modules = sorted({module for module, _ in self._imports})
        sections = (
            [m for m in modules if not m.startswith(".") and m != "pydantic"],
            [m for m in modules if m == "pydantic"],
            sorted((m for m in modules if m.startswith(".")), key=_relative_order),
        )
        for number, section in enumerate(sections):
            if number and section and lines:
                lines.append("")
            for module in section:
                names = sorted(
                    ((name, local) for (m, name), local in self._imports.items() if m == module),
                    key=lambda pair: member_order(pair[0]),
                )
                plain = [name for name, local in names if name == local]
                found = [(n, f"from {module} import {n} as {a}") for n, a in names if n != a]
                if plain:
                    found.append((plain[0], f"from {module} import ({', '.join(plain)})"))
                lines += [line for _, line in sorted(found, key=lambda one: member_order(one[0]))]
        return tuple(Expression(line) for line in lines)

    def used(self) -> dict[tuple[str, str], str]:
        """Give what was imported: (module, name) to local name."""
        return dict(self._imports)


def _relative_order(module: str) -> tuple[int, Natural]:
    dots = len(module) - len(module.lstrip("."))
    return -dots, natural(module)


def member_order(name: str) -> tuple[int, Natural]:
    """Order as isort does: constants, then classes, then the rest, each in natural order."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return kind, natural(name)


def natural(text: str) -> Natural:
    """Give a key that sorts `item2` before `item10`, case aside."""
    parts = re.split(r"(\d+)", text.lower())
    key = tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts if part)
    return key, text
