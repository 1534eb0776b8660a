"""Short ways to write endpoints of an invented API."""

from __future__ import annotations

from doc2tools.compiler.ir.spec import ApiSpec, Effect, Endpoint, Parameter
from doc2tools.param_db.naming import placeholders


def parameter(name: str, location: str = "query", **facts: object) -> Parameter:
    identifier = name.replace("[]", "").replace("-", "_")
    settled = {"name": name, "identifier": identifier, "location": location, **facts}
    return Parameter.model_validate(settled)


def endpoint(path: str, *parameters: Parameter, method: str = "GET", **facts: object) -> Endpoint:
    """Give an endpoint; path parameters that are not given are added."""
    given = {entry.name for entry in parameters}
    path_ones = [
        parameter(name, "path", required=True) for name in placeholders(path) if name not in given
    ]
    name = str(facts.pop("name", "")) or "_".join(
        word for word in path.replace("{", "by_").replace("}", "").split("/") if word
    )
    settled = {
        "name": name or "root",
        "group": "things",
        "method": method,
        "base_url": "http://127.0.0.1:9",
        "path": path,
        "parameters": [*path_ones, *parameters],
        "effect": Effect(kind="read", reason=f"{method} reads"),
        **facts,
    }
    return Endpoint.model_validate(settled)


def api(*endpoints: Endpoint, base_url: str = "") -> ApiSpec:
    if base_url:
        endpoints = tuple(
            entry.model_copy(update={"base_url": base_url if entry.base_url else ""})
            for entry in endpoints
        )
    return ApiSpec(title="Invented", endpoints=endpoints)
