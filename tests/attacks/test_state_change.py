"""GETs that change state, under every disguise that documentation gives them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.spec import Effect, Endpoint
from doc2tools.compiler.passes import normalise as normalising
from doc2tools.compiler.passes.normalise import normalise
from doc2tools.compiler.passes.operation import Operation
from doc2tools.compiler.pipeline import compile_docs, extract_docs
from doc2tools.compiler.validate.plan import refusal
from tests.attacks.attack import Attack, attacks
from tests.attacks.raw_server import RawServer, answer


def endpoints(attack: Attack, folder: Path, options: CompileOptions) -> tuple[Endpoint, ...]:
    docs = folder / "docs"
    docs.mkdir()
    text = attack.material["page"]
    if "---" not in text and "openapi" not in text:
        text = f"# Plant API\n\nBase URL: `http://plant.example/api`\n{text}"
    (docs / attack.material.get("file", "api.md")).write_text(text)
    found = extract_docs([str(docs)], options, state=None)
    return normalise(found.drafts, options)[0].endpoints


def called(attack: Attack, folder: Path) -> list[str]:
    """Give the calls of the page that would be made, and those that it has."""
    options = CompileOptions(allow=("GET", "HEAD", "OPTIONS"))
    found = endpoints(attack, folder, options)
    names = [f"{one.method} {one.url.partition('/api')[2] or one.url}" for one in found]
    for wanted in attack.expect["refused"]:
        assert any(wanted in name for name in names), f"{wanted} was not found: {names}"
    return [name for one, name in zip(found, names, strict=True) if refusal(one, options) is None]


@attacks("state-change")
def test_fails(attack: Attack, tmp_path: Path) -> None:
    made = called(attack, tmp_path)
    for wanted in attack.expect["refused"]:
        assert not any(wanted in name for name in made), made
    for wanted in attack.expect.get("called", []):
        assert any(wanted in name for name in made), made


def _all_read(operations: Sequence[Operation]) -> tuple[Effect, ...]:
    return tuple(Effect(kind="read", reason="GET") for _ in operations)


@attacks("state-change", unguarded=True)
def test_succeeds_without_its_defence(
    attack: Attack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(normalising, "effects", _all_read)
    made = called(attack, tmp_path)
    assert any(attack.without["called"] in name for name in made)


def test_nothing_reaches_the_server(
    bubblewrap: None, server: RawServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole way: a compile asks for the status and leaves the rest alone."""
    server.replies["*"] = answer(b'{"status": "running", "items": [1, 2]}')
    page = "\n\n".join(
        [
            f"# Plant API\n\nBase URL: `{server.base_url}/api`",
            "## Get status\n\n`GET /api/status`\n\nReturns the status.",
            "## Shut down\n\n`GET /api/shutdown`\n\nStops the plant at once.",
            "## Rotate keys\n\n`GET /api/keys/rotate`\n\nMakes a new key; the old one is void.",
        ]
    )
    (tmp_path / "api.md").write_text(page.replace("/api`", "`").replace("GET /api", "GET /api"))
    options = CompileOptions(allow=("GET",), base_url=server.base_url, name="plant")
    result = compile_docs([str(tmp_path / "api.md")], options, tmp_path / "out")
    assert result.counts["blocked"] == 2
    assert any("/status" in request for request in server.seen)
    assert not any("shutdown" in request or "rotate" in request for request in server.seen)
    monkeypatch.setattr(normalising, "effects", _all_read)
    compile_docs([str(tmp_path / "api.md")], options, tmp_path / "out2")
    assert any("shutdown" in request for request in server.seen)
