"""Projects are written file by file, and nothing that is not ours is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from doc2tools.compiler.emit.write import LISTING, write_project
from doc2tools.compiler.ir.errors import StoreError, UsageError

FILES = {"README.md": b"one", "src/harbour/doc2tools.json": b"{}", "src/harbour/tools/a.py": b"a"}


def test_the_files_are_there(tmp_path: Path) -> None:
    changed = write_project(tmp_path / "new" / "harbour", FILES)
    assert changed == tuple(sorted(FILES))
    for path, content in FILES.items():
        assert (tmp_path / "new" / "harbour" / path).read_bytes() == content


def test_what_is_right_is_not_touched(tmp_path: Path) -> None:
    write_project(tmp_path, FILES)
    before = {p: (tmp_path / p).stat().st_mtime_ns for p in (*FILES, LISTING)}
    assert write_project(tmp_path, FILES) == ()
    assert {p: (tmp_path / p).stat().st_mtime_ns for p in before} == before
    assert write_project(tmp_path, {**FILES, "README.md": b"two"}) == ("README.md",)


def test_what_is_generated_no_more_goes_and_the_users_files_stay(tmp_path: Path) -> None:
    write_project(tmp_path, FILES)
    own = tmp_path / "src/harbour/notes.txt"
    own.write_text("mine")
    files = {path: content for path, content in FILES.items() if not path.endswith("a.py")}
    assert write_project(tmp_path, files) == ("src/harbour/tools/a.py",)
    assert not (tmp_path / "src/harbour/tools").exists()
    assert own.read_text() == "mine"


def test_a_folder_with_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(UsageError, match=r"thesis\.tex") as caught:
        write_project(tmp_path, FILES)
    assert "--out" in caught.value.hint
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_in_the_folders_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "harbour").write_text("mine")
    with pytest.raises(UsageError):
        write_project(tmp_path / "harbour", FILES)


def test_a_package_without_its_list_is_ours(tmp_path: Path) -> None:
    write_project(tmp_path, FILES)
    (tmp_path / LISTING).unlink()
    assert write_project(tmp_path, {**FILES, "README.md": b"two"}) == ("README.md",)


def test_a_link_that_leads_out_is_refused(tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    write_project(project, FILES)
    outside.mkdir()
    (project / "src/harbour/tools/a.py").unlink()
    (project / "src/harbour/tools").rmdir()
    (project / "src/harbour/tools").symlink_to(outside)
    with pytest.raises(UsageError):
        write_project(project, FILES)
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("listing", [b"{", b"[]", b'{"files": 1}', b'{"files": {"../x": "1"}}'])
def test_a_broken_list_does_no_harm(tmp_path: Path, listing: bytes) -> None:
    outside = tmp_path / "x"
    outside.write_text("mine")
    write_project(tmp_path / "p", FILES)
    (tmp_path / "p" / LISTING).write_bytes(listing)
    assert write_project(tmp_path / "p", FILES) == ()
    assert outside.read_text() == "mine"


def test_a_path_that_leads_out_is_our_bug(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        write_project(tmp_path, {"../x": b""})


def test_a_full_place_is_said(tmp_path: Path) -> None:
    write_project(tmp_path, FILES)
    (tmp_path / "README.md").unlink()
    (tmp_path / "README.md").mkdir()
    with pytest.raises(StoreError) as caught:
        write_project(tmp_path, FILES)
    assert caught.value.hint


def test_files_have_the_usual_permissions(tmp_path: Path) -> None:
    write_project(tmp_path, FILES)
    mask = os.umask(0)
    os.umask(mask)
    assert (tmp_path / "README.md").stat().st_mode & 0o777 == 0o666 & ~mask


KILLED = """
    import os, signal, sys
    from pathlib import Path
    from doc2tools.compiler.emit import write

    left = int(sys.argv[2])
    real = os.fsync
    def fsync(number):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        real(number)
    os.fsync = fsync
    files = {f"src/harbour/f{n}.py": sys.argv[3].encode() for n in range(4)}
    files["src/harbour/doc2tools.json"] = b"{}"
    if sys.argv[3] == "old":
        files["src/harbour/stale.py"] = b"stale"
    write.write_project(Path(sys.argv[1]), files)
"""


@pytest.mark.parametrize("moment", range(8))
def test_after_a_kill_the_same_command_goes_on(tmp_path: Path, moment: int) -> None:
    script = tmp_path / "killed.py"
    script.write_text(textwrap.dedent(KILLED))
    project = tmp_path / "project"

    def run(left: int, text: str) -> int:
        command = [sys.executable, str(script), str(project), str(left), text]
        return subprocess.run(command, check=False).returncode

    first = run(moment, "old")
    assert first in (0, -signal.SIGKILL)
    assert run(99, "old") == 0
    again = run(moment, "new")
    assert again in (0, -signal.SIGKILL)
    assert run(99, "new") == 0
    found = {p.relative_to(project).as_posix(): p for p in project.rglob("*") if p.is_file()}
    wanted = {f"src/harbour/f{n}.py" for n in range(4)} | {"src/harbour/doc2tools.json", LISTING}
    assert found.keys() == wanted
    assert {found[f"src/harbour/f{n}.py"].read_bytes() for n in range(4)} == {b"new"}
