"""What someone else put into the folders of results and state: poisoned entries, links, lists."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from doc2tools.compiler import pipeline
from doc2tools.compiler.emit import code, package, write
from doc2tools.compiler.ir.errors import Doc2ToolsError
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.pipeline import CompileResult, compile_docs
from doc2tools.compiler.validate import classify
from doc2tools.sandbox import recordings
from tests.attacks.attack import Attack, attacks
from tests.attacks.raw_server import RawServer, answer
from tests.attacks.test_text_into_code import faults

VICTIM = "the user's own words\n"


def _compile(folder: Path, server: RawServer) -> CompileResult:
    docs = folder / "docs"
    docs.mkdir(exist_ok=True)
    page = f"# Plant API\n\nBase URL: `{server.base_url}`\n\n## Status\n\n`GET /status`\n"
    (docs / "api.md").write_text(page)
    options = CompileOptions(allow=("GET",), base_url=server.base_url, name="plant")
    return compile_docs([str(docs)], options, folder / "out")


def _edit(node: Any, changes: dict[str, Any]) -> Any:  # noqa: ANN401 (any JSON)
    """Replace the values of some keys wherever they stand."""
    if isinstance(node, dict):
        items = cast("dict[str, Any]", node)
        return {key: changes.get(key, _edit(value, changes)) for key, value in items.items()}
    if isinstance(node, list):
        found = cast("list[Any]", node)
        return [_edit(value, changes) for value in found]
    return node


def plant(attack: Attack, folder: Path) -> None:
    """Put the attack's material into the output and state folders."""
    out = folder / "out"
    given = attack.material
    for place in given.get("remove", []):
        for path in out.glob(place):
            path.unlink()
    for pattern, changes in given.get("edit", {}).items():
        paths = sorted(out.glob(pattern))
        assert paths, f"nothing at {pattern}"
        for path in paths:
            path.write_text(json.dumps(_edit(json.loads(path.read_text()), changes)))
    for pattern, text in given.get("write", {}).items():
        paths = sorted(out.glob(pattern)) or [out / pattern]
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("@DEEP@", "[" * 100_000))
    for place, target in given.get("link", {}).items():
        path = out / place
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir() and not path.is_symlink():
            path.rename(path.with_name(f"{path.name}-moved"))
        path.unlink(missing_ok=True)
        path.symlink_to(target.replace("@FOLDER@", str(folder)))


def attempt(attack: Attack, folder: Path, server: RawServer) -> tuple[str, dict[str, str]]:
    """Compile, plant, compile again; give the error, if one came, and the package's files."""
    server.replies["/status"] = answer(b'{"status": "true answer"}')
    (folder / "victim").mkdir()
    (folder / "victim" / "file").write_text(VICTIM)
    if attack.material.get("compiled", True):
        _compile(folder, server)
    plant(attack, folder)
    said = ""
    try:
        _compile(folder, server)
    except Doc2ToolsError as error:
        said = f"{error} {error.hint}"
    project = folder / "out" / "plant"
    files = {
        str(path.relative_to(project)): path.read_text()
        for path in project.rglob("*")
        if path.is_file() and not path.is_symlink() and path.suffix in (".py", ".json", ".md")
    }
    return said, files


def victims(folder: Path) -> dict[str, str]:
    """Give what is in the user's other folder."""
    found = sorted((folder / "victim").iterdir())
    return {path.name: path.read_text() if path.is_file() else "" for path in found}


@attacks("state-folder")
def test_fails(attack: Attack, bubblewrap: None, server: RawServer, tmp_path: Path) -> None:
    said, files = attempt(attack, tmp_path, server)
    expect = attack.expect
    if "error" in expect:
        assert expect["error"] in said
    else:
        assert said == ""
        assert faults(files) == []
    assert "forged" not in json.dumps(files)
    assert victims(tmp_path) == {"file": VICTIM}


def _always(*_: object) -> bool:
    return True


def _nothing(*_: object, **__: object) -> None:
    pass


def _same(texts: dict[str, str]) -> dict[str, str]:
    return texts


def _naive(value: str) -> str:
    return f'"{value}"'


DEFENCES: dict[str, list[tuple[object, str, Callable[..., object]]]] = {
    # Behind it stands the rule that an exchange must be the tool's own.
    "recorded-request": [(recordings, "_answers", _always), (classify, "foreign", _nothing)],
    "links": [(write, "_refuse_links", _nothing)],
    "constructors": [
        (code, "_quoted", _naive),
        (package, "format_sources", _same),
        *((package, name, _nothing) for name in ("check_tools", "check_same", "check_index")),
    ],
}


@attacks("state-folder", unguarded=True)
def test_succeeds_without_its_defence(
    attack: Attack,
    *,
    bubblewrap: None,
    server: RawServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for place, name, instead in DEFENCES[attack.without["defence"]]:
        monkeypatch.setattr(place, name, instead)
    _, files = attempt(attack, tmp_path, server)
    match attack.without["shows"]:
        case "forged":
            assert "forged" in json.dumps(files)
        case "outside":
            assert victims(tmp_path) != {"file": VICTIM}
        case fault:
            assert any(fault in found for found in faults(files)), faults(files)


def test_the_suite_compiles_for_real(bubblewrap: None, server: RawServer, tmp_path: Path) -> None:
    """Without an attack, the second compile makes no call and the package holds the true answer."""
    assert pipeline.compile_docs is compile_docs
    plain = Attack(Path("plain"), "", "state-folder", "", {})
    said, files = attempt(plain, tmp_path, server)
    assert said == ""
    assert "true answer" in json.dumps(files)
    assert len([one for one in server.seen if " /status " in one]) == 1
