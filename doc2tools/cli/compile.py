"""`doc2tools compile`: the main job."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

from pydantic import JsonValue

from doc2tools.cli import options as o
from doc2tools.cli.check import check_docs
from doc2tools.cli.check import show as show_drift
from doc2tools.cli.screen import escape, screen, stderr, write_json
from doc2tools.cli.tables import tools_table
from doc2tools.cli.writes import confirm, writes_json
from doc2tools.compiler.ir.outcome import Failed, Tool, Unvalidated
from doc2tools.compiler.pipeline import CompileResult, compile_docs

ADVICE = {
    "unauthorised": "the API wants credentials: set [auth] in doc2tools.toml, see "
    "docs/configuration.md",
    "unreachable": "the host did not answer: check --base-url, the network and that it runs",
    "tls": "the certificate was refused: [tls] ca = FILE, or verify = false (--insecure)",
    "no-parameter-value": "give known values: [values] in doc2tools.toml, or --value NAME=VALUE",
    "wrong-parameter-value": "give known values: [values] in doc2tools.toml, or --value NAME=VALUE",
    "missing-base-url": "give --base-url https://host/prefix",
    "missing-path": "the server does not know these paths: check --base-url and the version",
    "rate-limited": "the API asks to slow down: --rate 1, then run the same command again",
    "timeout": "the API is slow: --timeout 60",
}
"""What to do about the commonest cause of failure."""


def compile_command(
    docs: o.Docs,
    *,
    allow: o.Allow = None,
    base_url: o.BaseUrl = None,
    name: o.Name = None,
    out: o.Out = Path("generated"),
    config: o.Config = None,
    allow_host: o.AllowHost = None,
    allow_unsafe: o.AllowUnsafe = None,
    confirm_writes: o.ConfirmWrites = None,
    value: o.Value = None,
    export: o.Export = None,
    sandbox: o.Sandbox = None,
    param_db: o.ParamDb = None,
    embedder: o.Embedder = None,
    graph: o.Graph = None,
    templates: o.Templates = None,
    llm: o.Llm = None,
    llm_model: o.LlmModel = None,
    llm_base_url: o.LlmBaseUrl = None,
    llm_budget: o.LlmBudget = None,
    fresh: bool = o.typer.Option(False, "--fresh", help="Call again what was called before."),
    check: bool = o.typer.Option(
        False, "--check", help="Write nothing; say whether the docs have drifted from the package."
    ),
    as_json: o.AsJson = False,
    quiet: o.Quiet = False,
    auth: o.AuthType = None,
    username: o.Username = None,
    password_env: o.PasswordEnv = None,
    password_file: o.PasswordFile = None,
    token_env: o.TokenEnv = None,
    token_file: o.TokenFile = None,
    auth_name: o.AuthName = None,
    auth_prefix: o.AuthPrefix = None,
    login_url: o.LoginUrl = None,
    login_method: o.LoginMethod = None,
    login_body: o.LoginBody = None,
    login_body_kind: o.LoginBodyKind = None,
    login_keep: o.LoginKeep = None,
    insecure: o.Insecure = False,
    ca: o.CaFile = None,
    rate: o.Rate = None,
    concurrency: o.Concurrency = None,
    timeout: o.Timeout = None,
    max_bytes: o.MaxBytes = None,
    max_calls: o.MaxCalls = None,
    max_pages: o.MaxPages = None,
    max_tokens: o.MaxTokens = None,
) -> int:
    """Compile documentation into a package of tools, each proved by a real call."""
    given: dict[str, JsonValue] = {
        "allow": o.strings(allow),
        "base_url": base_url,
        "name": name,
        "allow_hosts": o.strings(allow_host),
        "allow_unsafe": o.strings(allow_unsafe),
        "confirm_writes": confirm_writes,
        "values": o.pairs(value, "--value"),
        "export": export,
        "sandbox": sandbox,
        "llm": llm,
        "llm_model": llm_model,
        "llm_base_url": llm_base_url,
        "llm_budget": llm_budget,
        "param_db": param_db,
        "embedder": embedder,
        "graph": graph,
        "templates": templates,
        "max_tokens": max_tokens,
        "auth": o.table(
            type=auth,
            username=username,
            password_env=password_env,
            password_file=password_file,
            token_env=token_env,
            token_file=token_file,
            name=auth_name,
            prefix=auth_prefix,
            url=login_url,
            method=login_method,
            body=o.pairs(login_body, "--login-body"),
            body_kind=login_body_kind,
            keep=login_keep,
        ),
        "tls": o.table(verify=False if insecure else None, ca=ca),
        "limits": o.table(
            requests_per_second=rate,
            concurrency=concurrency,
            timeout=timeout,
            response_bytes=max_bytes,
            calls=max_calls,
            pages=max_pages,
        ),
    }
    settled = o.resolve(docs, config, given)
    if check:
        with screen(quiet=quiet) as listener:
            toolkit, drift = check_docs(docs, settled, out, fresh=fresh, on_event=listener)
        return show_drift(toolkit, drift, as_json=as_json)
    with screen(quiet=quiet) as listener:
        ask = partial(confirm, listener)
        result = compile_docs(docs, settled, out, fresh=fresh, on_event=listener, confirm=ask)
    if as_json:
        write_json(o.to_json(summary(result)))
    else:
        _show(result, quiet=quiet)
    counts = result.counts
    wrong = counts["failed"] or counts["unvalidated"] or result.kept or result.writes.leftovers
    return 1 if wrong else 0


def summary(result: CompileResult) -> dict[str, JsonValue]:
    """Give what `--json` writes: the result in figures, each tool in one line, the diagnostics."""
    plan = result.plan
    return {
        "name": plan.name,
        "folder": str(result.folder),
        "base_url": plan.base_url,
        "counts": dict(result.counts),
        "calls": result.calls,
        "graph_calls": result.graph_calls,
        "changed": list(result.changed),
        "values_file": str(result.values_file) if result.values_file else None,
        "kept": result.kept,
        "seconds": round(result.seconds, 3),
        "tools": [
            {
                "name": tool.endpoint.name,
                "method": tool.endpoint.method,
                "url": tool.endpoint.url,
                "status": tool.outcome.status,
                "cause": cause_of(tool),
            }
            for tool in plan.tools
        ],
        "writes": writes_json(result),
        "model": model_json(result),
        "diagnostics": [diagnostic.model_dump(mode="json") for diagnostic in plan.diagnostics],
    }


def model_json(result: CompileResult) -> JsonValue:
    """Give what the questions to a model took; `spent` leaves out what was kept from before."""
    ledger = result.plan.ledger
    if ledger is None:
        return None
    return {
        "name": ledger.model,
        "questions": ledger.questions,
        "tokens_in": ledger.tokens_in,
        "tokens_out": ledger.tokens_out,
        "spent": result.tokens_spent,
        "left_open": list(ledger.left_open),
    }


def cause_of(tool: Tool) -> str:
    """Give the finer cause of the outcome, "blocked" for a tool that was not called."""
    outcome = tool.outcome
    if isinstance(outcome, Unvalidated):
        return outcome.cause
    return outcome.status if outcome.status == "blocked" else outcome.attempt.verdict.cause


def _show(result: CompileResult, *, quiet: bool) -> None:
    console = stderr()
    counts = result.counts
    if not quiet:
        tools_table(result.plan)
    line = ", ".join(f"{number} {status}" for status, number in counts.items() if number)
    console.print(
        f"[bold]{escape(result.plan.name)}[/]: {line or 'no tools'}; {result.calls} calls, "
        f"{result.seconds:.1f} s"
    )
    ledger = result.plan.ledger
    if ledger is not None and ledger.questions:
        total = ledger.tokens_in + ledger.tokens_out
        console.print(
            f"model {escape(ledger.model)}: {ledger.questions} replies, {total:,} tokens "
            f"({ledger.tokens_in:,} in, {ledger.tokens_out:,} out), {result.tokens_spent:,} spent "
            "now"
        )
    causes = Counter(
        cause_of(tool)
        for tool in result.plan.tools
        if isinstance(tool.outcome, Failed | Unvalidated)
    )
    for cause, number in causes.most_common(3):
        if cause in ADVICE:
            advice = escape(f"{number} x {cause}: {ADVICE[cause]}")
            console.print(f"[bold]hint:[/] {advice}", soft_wrap=True)
    if result.values_file is not None:
        place = escape(str(result.values_file))
        console.print(f"[bold]hint:[/] fill in missing values: {place}", soft_wrap=True)
    if not result.kept:
        folder = escape(str(result.folder))
        console.print(f"package: {folder}", soft_wrap=True)
        console.print(f"next: doc2tools report {folder} --open", soft_wrap=True)
