"""`doc2tools.json`: what became of every endpoint, with evidence, and what it was compiled with."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Sequence
from typing import cast

import doc2tools
from doc2tools.compiler.emit.answers import content_of, proof
from doc2tools.compiler.emit.ledger_json import ledger_json
from doc2tools.compiler.emit.proofs import (
    Proved,
    arguments_of,
    proved_arguments,
    public_url,
    values_of,
)
from doc2tools.compiler.emit.schemas import input_schema, output_schema
from doc2tools.compiler.emit.shapes import field_paths
from doc2tools.compiler.emit.tokens import summary
from doc2tools.compiler.emit.views import signature_text
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.ledger import Ledger
from doc2tools.compiler.ir.options import AuthOptions, CompileOptions
from doc2tools.compiler.ir.outcome import Blocked, Failed, Unvalidated, Validated
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.ir.source import Diagnostic, Span

FORMAT = 1
FIELD_PATHS = 500
REDACTED = "***"


def manifest(plan: PackagePlan, proved: Sequence[Proved], exported: Sequence[str]) -> bytes:
    """Write the manifest.

    Args:
        plan: The package's plan.
        proved: All tools, in the manifest's order.
        exported: Names of those that the package holds.
    """
    counts = Counter(item.tool.outcome.status for item in proved)
    held = set(exported)
    value: dict[str, JsonValue] = {
        "format": FORMAT,
        "name": plan.name,
        "version": plan.version,
        "title": plan.spec.title,
        "base_url": public_url(plan.base_url),
        "compiler": {"name": "doc2tools", "version": doc2tools.__version__},
        "digest": plan.digest,
        "options": public_options(plan.options),
        "counts": {
            "endpoints": len(proved),
            **{s: counts[s] for s in ("validated", "failed", "blocked", "unvalidated")},
            "exported": len(exported),
            "rejected": len(plan.spec.rejected),
            "calls": sum(_calls(item) for item in proved),
        },
        "pages": [
            {
                "page": page.page,
                "title": page.title,
                "quality": page.quality.grade,
                "reasons": list(page.quality.reasons),
                "endpoints": page.endpoints,
            }
            for page in sorted(plan.spec.pages, key=lambda page: page.page)
        ],
        "diagnostics": [diagnostic(item) for item in plan.diagnostics],
        "tools": [_tool(item, item.function.name.source in held, plan.ledger) for item in proved],
        "ledger": ledger_json(plan.ledger),
    }
    value["tokens"] = summary(value)
    return dump(value)


def dump(value: JsonValue) -> bytes:
    """Write JSON as all generated files have it: ASCII, two columns of indent, a final line end."""
    try:
        text = json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), indent=2, ensure_ascii=True, allow_nan=False)
    return (text + "\n").encode()


def _finite(value: JsonValue) -> JsonValue:
    """Replace numbers that JSON has no words for, such as `Infinity`, by `null`."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def diagnostic(item: Diagnostic) -> JsonValue:
    """Give a diagnostic as JSON."""
    return {
        "code": item.code,
        "level": item.level,
        "message": item.message,
        "span": span(item.span) if item.span else None,
        "hint": item.hint,
    }


def span(item: Span) -> JsonValue:
    """Give a span as JSON."""
    return {"page": item.page, "start": item.start, "end": item.end}


def public_options(options: CompileOptions) -> JsonValue:
    """Give the options without secrets and without paths of this machine."""
    value = cast("dict[str, JsonValue]", options.model_dump(mode="json"))
    auth = cast("dict[str, JsonValue]", value["auth"])
    auth["body"] = {key: _masked(item) for key, item in options.auth.body.items()}
    for name in ("password_file", "token_file"):
        auth.pop(name)
    value["auth"] = auth
    value["tls"] = {"verify": options.tls.verify}
    value["templates"] = bool(options.templates)
    value["param_db"] = public_url(options.param_db)
    value["llm_base_url"] = public_url(options.llm_base_url)
    value["base_url"] = public_url(options.base_url)
    auth["url"] = public_url(options.auth.url)
    return value


def _masked(value: JsonValue) -> JsonValue:
    return value if isinstance(value, str) and value.startswith("$") else REDACTED


def without_secrets(auth: AuthOptions, variable: str) -> AuthOptions:
    """Replace what a login's body spells out as a secret by the name of a variable."""
    words = ("pass", "secret", "token", "key", "pin", "credential", "pwd")
    body: dict[str, JsonValue] = {}
    for key, value in auth.body.items():
        spelled = isinstance(value, str) and not value.startswith("$")
        secret = spelled and any(word in key.lower() for word in words)
        body[key] = f"${variable}" if secret else value
    return auth.model_copy(update={"body": body, "url": public_url(auth.url)})


def _calls(item: Proved) -> int:
    outcome = item.tool.outcome
    return outcome.calls if isinstance(outcome, Validated | Failed) else 0


def _tool(item: Proved, exported: bool, ledger: Ledger | None) -> JsonValue:
    tool, function = item.tool, item.function
    endpoint = tool.endpoint
    effect = endpoint.effect
    return {
        "name": function.name.source,
        "module": f"tools.{function.module}",
        "group": function.module.source,
        "title": endpoint.title,
        "summary": endpoint.summary,
        "method": endpoint.method,
        "url": public_url(endpoint.url),
        "exported": exported,
        **_outcome(item),
        "rounds": tool.rounds,
        "repairs": list(tool.repairs),
        "proposed": endpoint.proposed,
        "tokens": ledger.tokens_of(endpoint.name) if ledger else 0,
        "parameters": _parameters(item),
        "input_schema": input_schema(function),
        "output_schema": output_schema(item),
        "signature": signature_text(function),
        "fields_argument": function.fields.source if function.fields else None,
        "iterator": function.iteration.name.source if function.iteration else None,
        "example": cast("JsonValue", proved_arguments(function, values_of(tool.outcome))),
        "response": _response(item),
        "annotations": {
            "readOnlyHint": effect.kind == "read",
            "destructiveHint": effect.kind == "destructive",
            "idempotentHint": effect.kind == "read" or effect.idempotent,
        },
        "effect": {"kind": effect.kind, "reason": effect.reason},
        "deprecated": endpoint.deprecated,
        "confidence": round(endpoint.rank, 4),
        "evidence": list(endpoint.reasons),
        "source": span(endpoint.spans[0]) if endpoint.spans else None,
        "sources": [span(place) for place in endpoint.spans],
    }


def _outcome(item: Proved) -> dict[str, JsonValue]:
    outcome = item.tool.outcome
    value: dict[str, JsonValue] = {"status": outcome.status, "verdict": None}
    match outcome:
        case Validated() | Failed():
            verdict = outcome.attempt.verdict
            value |= {
                "verdict": verdict.verdict,
                "cause": verdict.cause,
                "message": verdict.message,
                "verdict_evidence": list(verdict.evidence),
                "missing": [],
                "tentative": isinstance(outcome, Validated) and outcome.tentative,
            }
        case Blocked():
            value |= {"cause": "blocked", "message": outcome.reason}
            value |= {"verdict_evidence": [], "missing": []}
        case Unvalidated():
            value |= {"cause": outcome.cause, "message": outcome.reason}
            value |= {"verdict_evidence": [], "missing": list(outcome.missing)}
    value["calls"] = _calls(item)
    return value


def _parameters(item: Proved) -> JsonValue:
    given = {argument.name: argument for argument in arguments_of(item.tool.outcome)}
    listed: list[JsonValue] = []
    pairs = zip(item.tool.endpoint.parameters, item.function.names, strict=True)
    for parameter, name in pairs:
        argument = given.get(parameter.name)
        listed.append(
            {
                "name": parameter.name,
                "identifier": name.source,
                "in": parameter.location,
                "type": parameter.type,
                "item_type": parameter.item_type,
                "required": parameter.required or parameter.location == "path",
                "default": parameter.default,
                "enum": list(parameter.enum),
                "value": argument.value if argument else None,
                "value_origin": argument.origin if argument else None,
                "value_source": argument.source if argument else "",
                "source": [span(place) for place in parameter.spans],
            }
        )
    return listed


def _response(item: Proved) -> JsonValue:
    outcome = item.tool.outcome
    if not isinstance(outcome, Validated | Failed) or outcome.attempt.exchange is None:
        return None
    response = outcome.attempt.exchange.response
    if response is None:
        return None
    exchange = proof(outcome)
    fields: list[JsonValue] = []
    if item.answer is not None and item.answer.kind == "json":
        fields = list(field_paths(item.answer.value, FIELD_PATHS))
    return {
        "status": response.status,
        "content_type": response.content_type,
        "kind": item.answer.kind if item.answer else None,
        "fields": fields,
        "sha256": hashlib.sha256(content_of(response)).hexdigest() if exchange else "",
        "bytes": len(content_of(response)),
    }
