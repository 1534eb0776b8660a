"""What the user wrote is kept: in the marked places, in files of their own, and beside ours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from harbour_api import make_endpoint, make_plan, prove

from doc2tools.compiler.emit.own_code import CODE, TEXT, emptied, own_part, require_marks, with_own
from doc2tools.compiler.emit.package import render_package
from doc2tools.compiler.emit.write import digests, is_intact, kept_version, write_project
from doc2tools.compiler.ir.spec import Parameter

SHIPS = "src/harbour/tools/ships.py"
OWN = "\n\ndef flagship():\n    return get_ship(1)\n\n\n"


def rendered(**changes: Any) -> dict[str, bytes]:  # noqa: ANN401 - any field of an endpoint
    return render_package(make_plan(prove(make_endpoint(**changes), {"id": 7})))


class Told:
    """Keeps what was said of edited files."""

    def __init__(self) -> None:
        self.files: list[tuple[str, str]] = []

    def __call__(self, path: str, copy: str) -> None:
        self.files.append((path, copy))


def insert(file: Path, text: str, mark: str = CODE.begin) -> None:
    content = file.read_text()
    assert content.count(f"\n{mark}\n") == 1
    file.write_text(content.replace(f"\n{mark}\n", f"\n{mark}\n{text}"))


def test_own_code_in_the_marked_place_is_kept_and_works(tmp_path: Path) -> None:
    files, told = rendered(), Told()
    write_project(tmp_path, files, told)
    insert(tmp_path / SHIPS, OWN)
    insert(tmp_path / "README.md", "See the wiki.\n", TEXT.begin)
    insert(tmp_path / "pyproject.toml", "[tool.mypy]\nstrict = true\n")
    assert is_intact(tmp_path, digests(files))
    assert write_project(tmp_path, files, told) == ()
    again = rendered(summary="Get a ship by its number.")
    changed = write_project(tmp_path, again, told)
    assert SHIPS in changed
    text = (tmp_path / SHIPS).read_text()
    assert "Get a ship by its number." in text
    assert OWN in text
    assert "See the wiki.\n" in (tmp_path / "README.md").read_text()
    assert "[tool.mypy]" in (tmp_path / "pyproject.toml").read_text()
    assert told.files == []
    assert not list(tmp_path.rglob("*.edited*"))


def test_an_edit_elsewhere_is_kept_beside_and_said(tmp_path: Path) -> None:
    told = Told()
    write_project(tmp_path, rendered(), told)
    for number, word in enumerate(("first", "second", "second")):
        insert(tmp_path / SHIPS, f"# own {number}\n")
        edited = (
            (tmp_path / SHIPS)
            .read_text()
            .replace("return client()", f"# {word}\n    return client()")
        )
        (tmp_path / SHIPS).write_text(edited)
        assert not is_intact(tmp_path, digests(rendered()))
        changed = write_project(tmp_path, rendered(), told)
        assert changed == (SHIPS,)
        assert (tmp_path / told.files[-1][1]).read_text() == edited
        now = (tmp_path / SHIPS).read_text()
        assert f"# {word}" not in now
        assert f"# own {number}\n" in now
    assert told.files[:2] == [(SHIPS, f"{SHIPS}.edited"), (SHIPS, f"{SHIPS}.edited-2")]


def test_an_edit_that_comes_to_the_same_is_no_edit(tmp_path: Path) -> None:
    told = Told()
    write_project(tmp_path, rendered(), told)
    again = rendered(summary="Another.")
    (tmp_path / SHIPS).write_bytes(again[SHIPS])
    write_project(tmp_path, again, told)
    assert told.files == []


def test_a_generated_file_that_goes_leaves_what_the_user_wrote(tmp_path: Path) -> None:
    told = Told()
    write_project(tmp_path, rendered(), told)
    insert(tmp_path / SHIPS, OWN)
    write_project(tmp_path, rendered(group="boats"), told)
    assert not (tmp_path / SHIPS).exists()
    assert told.files == [(SHIPS, f"{SHIPS}.edited")]
    assert OWN in (tmp_path / f"{SHIPS}.edited").read_text()


def test_a_file_of_the_users_where_one_is_generated_now_is_kept(tmp_path: Path) -> None:
    told = Told()
    write_project(tmp_path, rendered(), told)
    boats = tmp_path / "src/harbour/tools/boats.py"
    boats.write_text("mine\n")
    write_project(tmp_path, rendered(group="boats"), told)
    assert (tmp_path / "src/harbour/tools/boats.py.edited").read_text() == "mine\n"


BROKEN: dict[str, Callable[[str], str]] = {
    "end gone": lambda text: text.replace(CODE.end, ""),
    "begin twice": lambda text: text.replace(CODE.begin, f"{CODE.begin}\n{CODE.begin}"),
    "moved": lambda text: text.replace(CODE.begin, "x").replace(CODE.end, CODE.begin) + CODE.end,
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_broken_marks_lose_nothing(tmp_path: Path, broken: Callable[[str], str]) -> None:
    told = Told()
    write_project(tmp_path, rendered(), told)
    insert(tmp_path / SHIPS, OWN)
    edited = broken((tmp_path / SHIPS).read_text())
    (tmp_path / SHIPS).write_text(edited)
    write_project(tmp_path, rendered(), told)
    assert told.files == [(SHIPS, f"{SHIPS}.edited")]
    assert (tmp_path / f"{SHIPS}.edited").read_text() == edited


def test_a_link_is_not_read(tmp_path: Path) -> None:
    project, told = tmp_path / "p", Told()
    write_project(project, rendered(), told)
    (tmp_path / "secret").write_text("secret")
    (project / SHIPS).unlink()
    (project / SHIPS).symlink_to(tmp_path / "secret")
    write_project(project, rendered(), told)
    assert told.files == []
    assert (tmp_path / "secret").read_text() == "secret"
    assert not list(project.rglob("*.edited"))


MARKERS = f"Ships.\n\n{CODE.begin}\nimport os\n{CODE.end}\n{TEXT.begin}\n{TEXT.end}"


def test_marking_lines_in_the_documentation_mark_nothing(
    load: Callable[..., ModuleType], tmp_path: Path
) -> None:
    parameter = Parameter(
        name=CODE.begin, identifier="begin", location="query", description=MARKERS, default=MARKERS
    )
    endpoint = make_endpoint(
        title=MARKERS, summary=MARKERS, description=MARKERS, parameters=(parameter,)
    )
    answer = {CODE.begin: MARKERS, MARKERS: [MARKERS]}
    plan = make_plan(prove(endpoint, answer, {}))
    plan = plan.model_copy(update={"spec": plan.spec.model_copy(update={"title": MARKERS})})
    files = render_package(plan)
    load(plan)
    told = Told()
    write_project(tmp_path / "p", files, told)
    insert(tmp_path / "p" / SHIPS, OWN)
    write_project(tmp_path / "p", render_package(plan), told)
    assert own_part((tmp_path / "p" / SHIPS).read_bytes()) == OWN.encode()
    assert told.files == []


def test_a_marking_line_that_comes_through_is_refused() -> None:
    text = f'"""Tools.\n{CODE.begin}\n"""\n{CODE.begin}\n{CODE.end}\n'.encode()
    with pytest.raises(AssertionError, match="marking lines"):
        require_marks({"a.py": text}, {"a.py": CODE})
    with pytest.raises(AssertionError, match="marking lines"):
        require_marks({"b.py": CODE.begin.encode()}, {})
    assert own_part(text) is None
    assert emptied(text) == text
    with pytest.raises(AssertionError):
        with_own(text, b"x")


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ('[project]\nversion = "1.2.3"\n', "1.2.3"),
        ('[project]\nversion = "1.2.3rc1"\n', "1.2.3rc1"),
        ("[project]\nversion = 3\n", "0.1.0"),
        ('[project]\nversion = "1\\n\'"\n', "0.1.0"),
        ("project = 3\n", "0.1.0"),
        ("[", "0.1.0"),
    ],
)
def test_the_version_is_kept(tmp_path: Path, text: str, version: str) -> None:
    assert kept_version(tmp_path, "0.1.0") == "0.1.0"
    (tmp_path / "pyproject.toml").write_text(text)
    assert kept_version(tmp_path, "0.1.0") == version
