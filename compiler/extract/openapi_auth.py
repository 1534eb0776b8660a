"""Security schemes of an OpenAPI or Swagger description."""

from __future__ import annotations

from typing import Literal

from doc2tools.compiler.extract.openapi_schema import References
from doc2tools.compiler.extract.openapi_tree import Map
from doc2tools.compiler.ir.draft import AuthDraft

AuthType = Literal["basic", "bearer", "header", "query", "cookie", "oauth2"]
_PLACES: dict[str, AuthType] = {"header": "header", "query": "query", "cookie": "cookie"}


def schemes_of(root: Map, references: References) -> dict[str, AuthDraft]:
    """Give the schemes that the description defines, by name; unknown kinds are left out."""
    table = root.map("components").map("securitySchemes")
    if "securityDefinitions" in root:
        table = root.map("securityDefinitions")
    found: dict[str, AuthDraft] = {}
    for name, value in list(table.items())[:100]:
        made = _scheme(references.resolve(value), references, table.line_of(name))
        if made is not None:
            found[name] = made
    return found


def _scheme(scheme: Map, references: References, line: int) -> AuthDraft | None:
    kind = scheme.text("type").lower()
    http = scheme.text("scheme").lower() if kind == "http" else ""
    place = scheme.text("in") if kind == "apikey" else ""
    name = ""
    made: AuthType | None = None
    if kind == "basic" or http == "basic":
        made = "basic"
    elif http:
        made, name = ("bearer" if http == "bearer" else "header"), "Authorization"
    elif kind in ("oauth2", "openidconnect"):
        made = "oauth2"
    elif place in _PLACES:
        made, name = _PLACES[place], scheme.text("name").strip()[:200]
    if made is None:
        return None
    description = scheme.text("description").strip()[:1_000]
    return AuthDraft(type=made, name=name, description=description, spans=(references.span(line),))


def operation_auth(holder: Map, schemes: dict[str, AuthDraft]) -> AuthDraft | None:
    """Give the scheme that an operation or the whole API names; `None` if it says nothing."""
    if "security" not in holder:
        return None
    wanted = holder.sequence("security")
    if not wanted or any(isinstance(item, Map) and not item for item in wanted):
        return AuthDraft(type="none")
    for item in wanted:
        if isinstance(item, Map):
            for name in item:
                if name in schemes:
                    return schemes[name]
    return None
