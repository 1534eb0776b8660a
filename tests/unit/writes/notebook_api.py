"""Short ways to write the operations of an invented notebook service."""

from __future__ import annotations

from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.spec import ApiSpec, Effect, Endpoint, Parameter
from doc2tools.compiler.validate.writes.model import Family, WritePlan
from doc2tools.compiler.validate.writes.plan import plan_writes
from doc2tools.param_db.naming import placeholders

BASE = "http://127.0.0.1:9"
KINDS = {"GET": "read", "DELETE": "destructive"}
ALL = ("GET", "POST", "PUT", "PATCH", "DELETE")


def field(name: str, location: str = "body", **facts: object) -> Parameter:
    settled = {"name": name, "identifier": name.replace("-", "_"), "location": location}
    return Parameter.model_validate({"type": "string", **settled, **facts})


def call(words: str, *parameters: Parameter, **facts: object) -> Endpoint:
    """Give an operation from `METHOD /path`; path parameters that are not given are added."""
    method, path = words.split()
    given = {one.name for one in parameters}
    added = [field(name, "path", required=True) for name in placeholders(path) if name not in given]
    bodies = any(one.location == "body" for one in parameters)
    name = f"{method.lower()}_{path.strip('/').replace('/', '_').translate({123: None, 125: None})}"
    settled = {
        "name": name,
        "group": "things",
        "method": method,
        "base_url": BASE,
        "path": path,
        "parameters": (*added, *parameters),
        "body_kind": "json" if bodies else "none",
        "effect": Effect.model_validate(
            {"kind": KINDS.get(method, "write"), "reason": f"method {method}"}
        ),
        **facts,
    }
    return Endpoint.model_validate(settled)


TITLE = field("title", required=True)
NOTES = (
    call("GET /notes"),
    call("POST /notes", TITLE),
    call("GET /notes/{id}"),
    call("PUT /notes/{id}", TITLE),
    call("DELETE /notes/{id}"),
)


def plan(*operations: Endpoint, **options: object) -> WritePlan:
    spec = ApiSpec(title="Notebook", endpoints=operations)
    return plan_writes(spec, CompileOptions.model_validate({"allow": ALL, **options}))


def family(*operations: Endpoint, **options: object) -> Family:
    """Plan operations that make just one family."""
    found = plan(*operations, **options)
    assert len(found.families) == 1, found.blocked
    return found.families[0]


def reasons(*operations: Endpoint, **options: object) -> dict[str, str]:
    """Plan operations that make no family; give why not, by tool."""
    found = plan(*operations, **options)
    assert found.families == ()
    assert found.digest == ""
    return {one.tool: one.reason for one in found.blocked}
