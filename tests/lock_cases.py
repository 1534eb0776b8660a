"""The case files of the lock, and the staged module into which they are put."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from doc2tools.compiler.emit.package import stage_sources
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.spec import Effect, Endpoint, Parameter

FOLDER = Path(__file__).parent / "cases" / "lock"
MODULE = "tools/items.py"
FUNCTION = "show_item"
_READ = Effect(kind="read", reason="GET")


@dataclass(frozen=True)
class LockCase:
    """One proposed function.

    Attributes:
        expect: Codes that must be among the violations; `accepted` alone for an honest repair.
        unlocked: What happens where the lock is off: a kind and what is looked for.
        sends: Path and query that an honest repair sends.
        given: Arguments beside the usual ones.
        source: The function, with whatever stands around it.
    """

    name: str
    expect: frozenset[str]
    source: str
    unlocked: str = ""
    sends: str = ""
    given: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])

    @property
    def honest(self) -> bool:
        """The lock must let it pass."""
        return "accepted" in self.expect

    def arguments(self) -> dict[str, JsonValue]:
        """Give the arguments of the call."""
        return {"item_id": "42", "verbose": True, **self.given}


def lock_cases() -> list[LockCase]:
    """Read all case files."""
    cases: list[LockCase] = []
    for path in sorted(FOLDER.glob("*.py")):
        lines = path.read_text(encoding="utf-8").split("\n")
        headers: dict[str, str] = {}
        while lines and lines[0].startswith("# ") and ": " in lines[0]:
            name, _, value = lines.pop(0)[2:].partition(": ")
            headers[name] = value
        cases.append(
            LockCase(
                path.stem,
                frozenset(headers["expect"].split(", ")),
                "\n".join(lines),
                headers.get("unlocked", ""),
                headers.get("sends", ""),
                json.loads(headers.get("with", "{}")),
            )
        )
    return cases


def endpoints(base_url: str) -> tuple[Endpoint, ...]:
    """Give the documented endpoints."""
    query = (("day", "string", "date"), ("tags", "array", ""), ("verbose", "boolean", ""))
    parameters = (
        Parameter(name="item_id", identifier="item_id", location="path", required=True),
        *(
            Parameter.model_validate(
                {
                    "name": name,
                    "identifier": name,
                    "location": "query",
                    "type": kind,
                    "format": form,
                }
            )
            for name, kind, form in query
        ),
    )
    parameters = (parameters[0].model_copy(update={"type": "string"}), *parameters[1:])
    tags = parameters[2].model_copy(update={"item_type": "string"})
    return (
        Endpoint(
            name=FUNCTION,
            group="items",
            method="GET",
            base_url=base_url,
            path="/items/{item_id}",
            summary="Show one item.",
            parameters=(parameters[0], parameters[1], tags, parameters[3]),
            content_types=("application/json",),
            effect=_READ,
        ),
        Endpoint(
            name="list_items",
            group="items",
            method="GET",
            base_url=base_url,
            path="/items",
            summary="List all items.",
            effect=_READ,
        ),
    )


def staged(base_url: str) -> dict[str, str]:
    """Give the package as the compiler stages it."""
    return stage_sources("shop", base_url, endpoints(base_url), CompileOptions())


def proposed(module: str, case: LockCase, base_url: str) -> str:
    """Put the case's function in the place of the staged one."""
    start = module.index(f"def {FUNCTION}(")
    end = module.find("\n\n\n", start)
    end = len(module.rstrip("\n")) if end < 0 else end
    source = case.source.rstrip("\n").replace("http://127.0.0.1:PORT", base_url)
    return module[:start] + source.lstrip("\n") + module[end:]
