"""The names of one generated module: what is defined there, what is imported, and as what."""

from __future__ import annotations

from collections.abc import Iterable

from doc2tools.compiler.emit.code import Expression, Identifier


class Scope:
    """Gives each name from elsewhere a local name that nothing in the module hides.

    Imports are `from MODULE import NAME`, and come out sorted as ruff sorts them. A builtin that the
    module hides is reached as `builtins.NAME`.
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
        assert "builtins" not in self._taken or "_builtins" not in self._taken
        return f"{'_builtins' if 'builtins' in self._taken else 'builtins'}.{name}"

    def imports(self) -> tuple[Expression, ...]:
        """Give the import lines in ruff's order, with an empty one between sections."""
        lines: list[str] = []
        if self._builtins:
            lines.append(
                "import builtins as _builtins" if "builtins" in self._taken else "import builtins"
            )
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
                    key=lambda pair: _member_order(pair[0]),
                )
                plain = [name for name, local in names if name == local]
                if plain:
                    lines.append(f"from {module} import ({', '.join(plain)})")
                lines.extend(f"from {module} import {n} as {a}" for n, a in names if n != a)
        return tuple(Expression(line) for line in lines)

    def used(self) -> dict[tuple[str, str], str]:
        """Give what was imported: (module, name) to local name."""
        return dict(self._imports)


def _relative_order(module: str) -> tuple[int, str]:
    dots = len(module) - len(module.lstrip("."))
    return -dots, module


def _member_order(name: str) -> tuple[int, str, str]:
    """Order as isort does: constants, then classes, then the rest, case aside."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return kind, name.lower(), name


def names_of(*groups: Iterable[Identifier]) -> frozenset[str]:
    """Give the names in all of `groups`."""
    return frozenset(name.source for group in groups for name in group)
