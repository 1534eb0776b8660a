"""The user's templates win over the built-in ones; what they are filled with stays checked."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest
from harbour_api import make_endpoint, make_plan, prove

from doc2tools.compiler.emit.environment import TEMPLATES, templates_digest
from doc2tools.compiler.emit.package import render_package
from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.ir.spec import Endpoint

SHIPS = "src/harbour/tools/ships.py"


@pytest.fixture
def plan() -> PackagePlan:
    return make_plan(prove(make_endpoint(summary='Evil """ text'), {"id": 7}))


def override(folder: Path, name: str, was: str = "", becomes: str = "") -> Path:
    """Put a changed copy of a built-in template into the user's folder."""
    (folder / "package").mkdir(exist_ok=True)
    place = folder / "package" / f"{name}.jinja"
    shutil.copy(TEMPLATES / "package" / f"{name}.jinja", place)
    text = place.read_text()
    assert was in text
    place.write_text(text.replace(was, becomes, 1))
    return folder


def test_a_changed_template_is_used_and_the_others_stay(plan: PackagePlan, tmp_path: Path) -> None:
    folder = override(tmp_path, "tools_group.py", "{{ docstring }}", "{{ docstring }}\n# Ours.")
    options = plan.options.model_copy(update={"templates": str(folder)})
    files = render_package(plan.model_copy(update={"options": options}))
    assert "# Ours." in files[SHIPS].decode()
    ast.parse(files[SHIPS])
    other = render_package(plan)
    same = {path for path in files if files[path] == other[path]}
    assert set(files) - same == {SHIPS, "src/harbour/doc2tools.json"}


def test_what_a_template_holds_is_part_of_the_key_of_the_state(tmp_path: Path) -> None:
    folder = override(tmp_path, "README.md")
    before = templates_digest(folder)
    assert templates_digest(folder) == before
    override(tmp_path, "README.md", "# ", "# Our ")
    assert templates_digest(folder) != before


def test_a_changed_template_is_read_again(plan: PackagePlan, tmp_path: Path) -> None:
    for title in ("One", "Two"):
        override(tmp_path, "README.md", "# ", f"# {title} ")
        assert f"# {title} Harbour".encode() in render_package(plan, tmp_path)["README.md"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{ nothing_of_that_name }}", "'nothing_of_that_name' is undefined"),
        ("{% if %}", "line 1"),
        ("{{ 'plain text' }}", "prints str, not Code"),
        ("{{ title.__class__ }}", "prints type, not Code"),
        ("{% include 'package/none.jinja' %}", "none.jinja"),
    ],
)
def test_a_faulty_template_is_said(plan: PackagePlan, tmp_path: Path, text: str, said: str) -> None:
    (override(tmp_path, "README.md") / "package" / "README.md.jinja").write_text(text)
    with pytest.raises(UsageError, match="README") as caught:
        render_package(plan, tmp_path)
    assert said in str(caught.value)
    assert caught.value.hint


def test_a_folder_that_replaces_nothing_is_said(plan: PackagePlan, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no templates"):
        render_package(plan, tmp_path)
    (override(tmp_path, "README.md") / "package" / "tols.py.jinja").write_text("")
    with pytest.raises(UsageError, match="replaces no template"):
        render_package(plan, tmp_path)


def elsewhere(endpoint: Endpoint, base_url: str) -> tuple[str, str]:
    del endpoint, base_url
    return "", "/elsewhere"


def test_what_is_not_overridden_is_still_checked(
    plan: PackagePlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = override(tmp_path, "README.md")
    monkeypatch.setattr("doc2tools.compiler.emit.views.below", elsewhere)
    with pytest.raises(AssertionError, match="not as prescribed"):
        render_package(plan, folder)
