"""What must hold for every hostile document and every hostile answer; a breach is an exception."""

from __future__ import annotations

import ast
import json
import tomllib
from collections.abc import Mapping

from benchmarks.hostile.answers import AnswerCase
from doc2tools.compiler.emit.endpoints_json import endpoints_json
from doc2tools.compiler.emit.package import render_package, stage_sources
from doc2tools.compiler.extract.page import draft_page
from doc2tools.compiler.ir.draft import PageDraft
from doc2tools.compiler.ir.exchange import Exchange, Request, Response, ToolRun
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Argument, Attempt, Tool, Unvalidated, Validated, Verdict
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.ir.spec import ApiSpec
from doc2tools.compiler.load.source import Source
from doc2tools.compiler.passes.normalise import normalise
from doc2tools.compiler.validate.classify import judge
from doc2tools.compiler.validate.harvest import harvest
from doc2tools.sandbox.bodies import body_bytes, body_text
from doc2tools.sandbox.decoding import BodyDecoder, DecodingError

OPTIONS = CompileOptions(base_url="http://127.0.0.1:1", allow=("GET",), export="all")
ANSWER_BYTES = 200_000
_VERBS = {"get", "post", "put", "patch", "delete", "head", "options", "request"}
# All that a module of tools is made of; a node of another kind was injected.
_NODES = (
    *(ast.Module, ast.Expr, ast.Constant, ast.ImportFrom, ast.Import, ast.alias, ast.Assign),
    *(ast.List, ast.Name, ast.Load, ast.Store, ast.FunctionDef, ast.arguments, ast.arg),
    *(ast.Return, ast.Call, ast.Attribute, ast.keyword, ast.Dict, ast.Subscript, ast.Tuple),
    *(ast.BinOp, ast.BitOr, ast.UnaryOp, ast.USub),
)


class BreachError(AssertionError):
    """Something that must hold does not."""


def check_document(source: Source, *, whole: bool = False) -> ApiSpec:
    """Compile a page as far as needs no server; `whole` renders the final package too."""
    draft = draft_page(source)
    timed_out = any(item.code == "page-too-slow" for item in draft.diagnostics)
    if timed_out:
        raise BreachError("the page took longer than its limit")
    _check_json(endpoints_json(draft))
    if PageDraft.model_validate_json(draft.model_dump_json()) != draft:
        raise BreachError("the draft does not survive its own JSON")
    spec, diagnostics = normalise([draft], OPTIONS)
    staged = stage_sources("hostile", OPTIONS.base_url, spec.endpoints, OPTIONS)
    for path, text in staged.items():
        tree = ast.parse(text)
        if path.startswith("tools/"):
            _check_tree(tree)
    if whole:
        reason = Unvalidated(cause="no-parameter-value", reason="no server")
        tools = tuple(Tool(endpoint=endpoint, outcome=reason) for endpoint in spec.endpoints)
        plan = PackagePlan(
            name="hostile",
            base_url=OPTIONS.base_url,
            spec=spec,
            tools=tools,
            options=OPTIONS,
            diagnostics=(*draft.diagnostics, *diagnostics),
        )
        check_files(render_package(plan))
    return spec


def check_files(files: Mapping[str, bytes]) -> None:
    """Read every file of a package as what its name says."""
    for path, content in files.items():
        text = content.decode("utf-8")
        if path.endswith(".py"):
            tree = ast.parse(text)
            if "/tools/" in path:
                _check_tree(tree)
        elif path.endswith(".json"):
            json.loads(text, parse_constant=_refuse)
        elif path.endswith(".toml"):
            known = {"build-system", "project", "tool"}
            if set(tomllib.loads(text)) != known:
                raise BreachError("a table of pyproject.toml was injected")
        if path.endswith(".md") and "<script" in text:
            raise BreachError("HTML got into the README")


def _check_tree(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if not isinstance(node, _NODES):
            raise BreachError(f"injected syntax node {type(node).__name__}")
        if isinstance(node, ast.Call):
            function = ast.unparse(node.func)
            head, _, verb = function.partition("().")
            own = head.startswith("client") and verb in _VERBS
            if not own and not head.startswith(("client", "joined")):
                raise BreachError(f"injected call of {function[:80]}")


def _check_json(value: object) -> None:
    text = json.dumps(value, ensure_ascii=True)
    if json.loads(text, parse_constant=_refuse) != value:
        raise BreachError("JSON that does not lead back")


def _refuse(name: str) -> object:
    raise BreachError(f"{name} is no JSON")


def check_answer(case: AnswerCase, *, whole: bool = False) -> None:
    """Decode, judge and harvest one answer; `whole` emits a package that it validates."""
    decoder = BodyDecoder("", ANSWER_BYTES)
    try:
        decoder = BodyDecoder(case.headers.get("content-encoding", ""), ANSWER_BYTES)
        for start in range(0, len(case.body), case.piece):
            decoder.feed(case.body[start : start + case.piece])
            if decoder.full:
                break
        body = decoder.body()
    except DecodingError:
        body = case.body[:ANSWER_BYTES]
    if len(body) > ANSWER_BYTES:
        raise BreachError("more bytes than the limit")
    text, encoded = body_text(body, case.headers)
    if body_bytes(text, encoded=encoded, headers=case.headers) != body:
        raise BreachError("the body does not lead back to its bytes")
    response = Response(
        status=case.status,
        headers=case.headers,
        body=text,
        body_base64=encoded,
        truncated=decoder.full,
        final_url=case.url,
    )
    exchange = Exchange(request=Request(method="GET", url=case.url), response=response)
    run = ToolRun(tool=case.endpoint.name, exchanges=(exchange,))
    judgement = judge(case.endpoint, run, exchange if case.controlled else None)
    json.dumps(judgement.verdict.model_dump(mode="json")).encode()
    argument = Argument(name="item_id", value="7", origin="documented")
    values = harvest(case.endpoint, (argument,), exchange)
    if len(values) > 5_000:
        raise BreachError("an answer gave more values than may be")
    if not whole:
        return
    verdict = Verdict(verdict="information", cause="ok", message="")
    attempt = Attempt(arguments=(argument,), exchange=exchange, verdict=verdict)
    spec = ApiSpec(title="Hostile", endpoints=(case.endpoint,))
    tool = Tool(endpoint=case.endpoint, outcome=Validated(attempt=attempt))
    plan = PackagePlan(
        name="hostile", base_url=OPTIONS.base_url, spec=spec, tools=(tool,), options=OPTIONS
    )
    check_files(render_package(plan))
