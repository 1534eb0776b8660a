"""A step as the request that the generated function will send, for approval before it is sent."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from urllib.parse import quote, urlencode

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.compiler.passes.wire import wire_text
from doc2tools.compiler.validate.writes.model import OWN, Step
from doc2tools.sandbox.approvals import Approval

__all__ = ["address", "approval", "curl", "is_safe_id", "own_address", "sent_body", "step_url"]

_SAFE_ID = re.compile(r"[A-Za-z0-9_~@:,;=+.-]{1,200}")


def is_safe_id(identifier: str) -> bool:
    """Tell whether an identifier that a server gave can stand as one path segment."""
    return bool(_SAFE_ID.fullmatch(identifier)) and not set(identifier) <= {"."}


def step_url(endpoint: Endpoint, values: Mapping[str, JsonValue], key: str) -> str:
    """Give the address that a call has, with `OWN` in the place of the item's identifier."""
    path = endpoint.path
    for parameter in endpoint.parameters:
        if parameter.location == "path" and parameter.name != key:
            safe = "/,;:@" if parameter.format == "path" else ",;:@"
            value = quote(wire_text(values.get(parameter.name)), safe)
            path = path.replace(f"{{{parameter.name}}}", value)
    if key:
        path = path.replace(f"{{{key}}}", OWN)
    pairs = list(endpoint.fixed_query.items())
    for parameter in endpoint.parameters:
        if parameter.location == "query" and parameter.name in values:
            pairs.append((parameter.name, wire_text(values[parameter.name])))
    query = urlencode(pairs, quote_via=quote, safe=",:@/")
    return endpoint.base_url + path + (f"?{query}" if query else "")


def own_address(url: str, identifier: str) -> str:
    """Put our object's identifier into a step's address, as the generated client does."""
    return url.replace(OWN, quote(identifier, ",;:@"))


def address(step: Step, identifier: str) -> str:
    """Give the whole address of a step."""
    return own_address(step.url, identifier)


def approval(step: Step, endpoint: Endpoint, identifier: str) -> Approval:
    """Give the one request that the step may send."""
    body = sent_body(endpoint, {one.name: one.value for one in step.given})
    url = address(step, identifier)
    if body is None:
        return Approval(step.method, url)
    if endpoint.body_kind == "form" or _has_form(endpoint):
        return Approval(step.method, url, "form", {name: wire_text(body[name]) for name in body})
    return Approval(step.method, url, "json", body)


def sent_body(endpoint: Endpoint, values: Mapping[str, JsonValue]) -> dict[str, JsonValue] | None:
    """Give the fields that a call sends in its body, `None` for none."""
    found = {
        parameter.name: values[parameter.name]
        for parameter in endpoint.parameters
        if _in_body(parameter) and parameter.name in values
    }
    return found or None


def curl(method: str, url: str) -> str:
    """Write a request as a command for people; they add their credentials themselves."""
    return f"curl -X {method} {shlex.quote(url)}"


def _has_form(endpoint: Endpoint) -> bool:
    return any(parameter.location == "form" for parameter in endpoint.parameters)


def _in_body(parameter: Parameter) -> bool:
    return parameter.location in {"body", "form"}
