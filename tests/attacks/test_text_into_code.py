"""Text of documentation, and of answers, that tries to become code in what is generated."""

from __future__ import annotations

import ast
import importlib
import json
import sys
import tomllib
import unicodedata
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from doc2tools.compiler.emit import code, docstrings, functions, index, package
from doc2tools.compiler.emit.code import Docstring
from doc2tools.compiler.emit.package import render_package, stage_sources
from doc2tools.compiler.emit.write import write_project
from doc2tools.compiler.ir.exchange import Exchange, Request, Response
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.outcome import Attempt, Outcome, Tool, Unvalidated, Validated, Verdict
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.passes.normalise import normalise
from doc2tools.compiler.passes.package_name import package_name
from doc2tools.compiler.pipeline import extract_docs
from tests.attacks.attack import Attack, attacks

FORBIDDEN = {"__import__", "eval", "exec", "compile", "open", "system", "popen", "pwned"}
TABLES = {"build-system", "project", "tool"}
TOOLS = {"setuptools", "pytest", "ruff", "pyright"}


def plan_of(attack: Attack, folder: Path) -> PackagePlan:
    """Give the plan for the attack's documentation, every tool validated by its answer."""
    docs = folder / "docs"
    docs.mkdir()
    (docs / attack.material.get("file", "api.md")).write_text(attack.material["page"])
    fields: dict[str, Any] = {"export": "all", **attack.material.get("options", {})}
    if attack.material.get("named", True):
        fields["name"] = f"attack_{attack.name}"[:60]
    options = CompileOptions.model_validate(fields)
    extracted = extract_docs([str(docs)], options, state=None)
    spec, diagnostics = normalise(extracted.drafts, options)
    assert len(spec.endpoints) >= attack.expect.get("endpoints", 1), "the page has no endpoint"
    name = package_name(options, [draft.title for draft in extracted.drafts], [str(docs)])
    outcome = _outcome(attack.material.get("answer"))
    tools = tuple(Tool(endpoint=endpoint, outcome=outcome) for endpoint in spec.endpoints)
    return PackagePlan(
        name=name,
        base_url=spec.endpoints[0].base_url,
        spec=spec,
        tools=tools,
        options=options,
        diagnostics=diagnostics,
    )


def _outcome(answer: str | None) -> Outcome:
    if answer is None:
        return Unvalidated(cause="no-parameter-value", reason="not called here")
    response = Response(status=200, headers={"content-type": "application/json"}, body=answer)
    exchange = Exchange(request=Request(method="GET", url="http://x.example/"), response=response)
    verdict = Verdict(verdict="information", cause="ok", message="200")
    return Validated(attempt=Attempt(arguments=(), exchange=exchange, verdict=verdict))


def faults(files: Mapping[str, str]) -> list[str]:
    """Tell what of a package is more than data."""
    found: list[str] = []
    for path, text in files.items():
        hidden = {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")}
        if hidden - {"\n", "\t"}:
            found.append(f"{path}: holds {hidden!a}")
        if path.endswith(".py"):
            found += _python_faults(path, text)
        elif path.endswith(".json"):
            json.loads(text)
        elif path == "pyproject.toml":
            found += _project_faults(text)
        elif path.endswith(".md"):
            found += _markdown_faults(text)
    return found


def _python_faults(path: str, text: str) -> list[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except SyntaxError as error:
        return [f"{path}: {error}"]
    found: list[str] = []
    for node in ast.walk(tree):
        called = node.func if isinstance(node, ast.Call) else None
        name = called.id if isinstance(called, ast.Name) else ""
        name = called.attr if isinstance(called, ast.Attribute) else name
        own = path.endswith(("client.py", "conftest.py"))
        if name in FORBIDDEN and not (own and name == "open"):
            found.append(f"{path}:{getattr(node, 'lineno', 0)}: calls {name}")
    return found


def _project_faults(text: str) -> list[str]:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return [f"pyproject.toml: {error}"]
    found = sorted(set(data) - TABLES) + sorted(set(data["tool"]) - TOOLS)
    points = data["project"]["entry-points"]
    if list(points) != ["doc2tools.toolkits"] or len(points["doc2tools.toolkits"]) != 1:
        found.append("entry points")
    if len(data["project"]["dependencies"]) != 2 or "scripts" in data["project"]:
        found.append("dependencies or scripts")
    return [f"pyproject.toml: more than it should hold: {name}" for name in found]


def _markdown_faults(text: str) -> list[str]:
    found: list[str] = []
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
    fences = [token.info for token in tokens if token.type == "fence"]
    if fences != ["sh", "python", "sh"]:
        found.append(f"README.md: code blocks {fences}")
    for token in tokens:
        for inner in (token, *(token.children or ())):
            if inner.type in ("html_block", "html_inline", "link_open", "image"):
                found.append(f"README.md: {inner.type}: {inner.content[:80]}")
    return found


@attacks("text-into-code")
def test_fails(attack: Attack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(attack, tmp_path)
    files = {path: data.decode() for path, data in render_package(plan).items()}
    staged = stage_sources(plan.name, plan.base_url, plan.spec.endpoints, plan.options)
    assert faults(files) == []
    assert faults(staged) == []
    for path in files:
        assert not Path(path).is_absolute()
        assert ".." not in Path(path).parts
    folder = tmp_path / "out"
    write_project(folder, {path: text.encode() for path, text in files.items()})
    monkeypatch.setattr(sys, "path", [str(folder / "src"), *sys.path])
    importlib.invalidate_caches()
    before = set(sys.modules)
    try:
        module = importlib.import_module(plan.name)
        assert module.__version__ == "0.1.0"
        assert "pwned" not in sys.modules
    finally:
        for name in set(sys.modules) - before:
            if name.partition(".")[0] in (plan.name, "pwned"):
                del sys.modules[name]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["docs", "out"]


def _naive_literal(value: str) -> str:
    return f'"{value}"'


def _naive_docstring(text: str, indent: int = 0) -> Docstring:
    return Docstring(f'"""{text}"""', text)


def _identity(text: str) -> str:
    return text


def _allowed(*_: object, **__: object) -> None:
    pass


def _unformatted(texts: dict[str, str]) -> dict[str, str]:
    return texts


DEFENCES: dict[str, list[tuple[object, str, object]]] = {
    "literals": [(code, "_quoted", _naive_literal), (code, "_CHUNK", 10_000)],
    "docstrings": [
        (Docstring, "of", staticmethod(_naive_docstring)),
        (docstrings, "printable", _identity),
    ],
    "toml": [(index, "toml_string", _naive_literal)],
    "markdown": [(index, "markdown", _identity), (index, "markdown_code", _identity)],
    "identifiers": [(code, "is_identifier", bool), (functions, "identifier", None)],
}
CHECKS = ("check_tools", "check_twins", "check_same", "check_models", "check_index")


@attacks("text-into-code", unguarded=True)
def test_succeeds_without_its_defence(
    attack: Attack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_of(attack, tmp_path)
    for place, name, instead in DEFENCES[attack.without["defence"]]:
        if hasattr(place, name) and instead is not None:
            monkeypatch.setattr(place, name, instead)
    monkeypatch.setattr(package, "format_sources", _unformatted)
    if attack.without.get("checked"):
        # The second wall: the check of the tree stops what the first let through.
        with pytest.raises((AssertionError, SyntaxError)):
            render_package(plan)
    for check in CHECKS:
        monkeypatch.setattr(package, check, _allowed)
    files = {path: data.decode() for path, data in render_package(plan).items()}
    assert any(attack.without["fault"] in fault for fault in faults(files)), faults(files)
