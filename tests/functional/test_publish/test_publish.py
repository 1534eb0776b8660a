"""`doc2tools publish` against real indexes: upload, refuse, propose, install, use."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from tests.functional.test_publish.indexes import PASSWORD, USER, Index, devpi, pypiserver

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module", params=["pypiserver", "devpi"])
def index(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Generator[Index]:
    """Give a running index of each kind."""
    start = pypiserver if request.param == "pypiserver" else devpi
    with start(tmp_path_factory.mktemp("index") / "server") as running:
        yield running


@pytest.fixture
def credentials(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Give twine the uploader's credentials, and a home without a `.pypirc`."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TWINE_USERNAME", USER)
    monkeypatch.setenv("TWINE_PASSWORD", PASSWORD)


@pytest.fixture
def project(doc2tools: Run, library_api: str, library_docs: Path, tmp_path: Path) -> Path:
    """Give the compiled package of the library, under a name of its own for each test."""
    name = "lib_" + "".join(c for c in tmp_path.name.lower() if c.isalnum())
    out = tmp_path / "generated"
    code, _, said = doc2tools(
        "compile", library_docs, "--allow", "GET", "--base-url", library_api,
        "--name", name, "--out", out, "--graph", "off", "--llm", "off",
    )  # fmt: skip
    assert code in {0, 1}, said
    return out / name


def add_tool(project: Path) -> str:
    """Take one tool out of the manifest of a copy that is then published first; give its name."""
    place = next(project.glob("src/*/doc2tools.json"))
    manifest = json.loads(place.read_text())
    exported = [tool for tool in manifest["tools"] if tool["exported"]]
    gone = exported[-1]
    manifest["tools"].remove(gone)
    place.write_text(json.dumps(manifest))
    return str(gone["name"])


@pytest.mark.usefixtures("credentials")
def test_a_published_package_installs_from_the_index_and_answers(
    doc2tools: Run, project: Path, index: Index, library_api: str, tmp_path: Path
) -> None:
    code, out, said = doc2tools("publish", project, "--index", index.url, "--json")
    assert code == 0, said
    done = json.loads(out)
    assert done["status"] == "published"
    assert done["version"] == "0.1.0"
    assert done["simple_url"] + "/" == index.simple
    assert len(done["files"]) == 2
    assert PASSWORD not in out + said

    clean = tmp_path / "clean"
    venv.create(clean, with_pip=True)
    site = next(clean.glob("lib/python*/site-packages"))
    # The two dependencies come from this environment: the index holds nothing but the package.
    ours = next(path for path in sys.path if (Path(path) / "requests").is_dir())
    (site / "dependencies.pth").write_text(ours + "\n")
    python = str(clean / "bin" / "python")
    subprocess.run(
        [python, "-m", "pip", "install", "-q", "--no-deps", "--no-cache-dir",
         "--disable-pip-version-check", "--index-url", index.simple, done["name"]],
        check=True, env={**os.environ, "PIP_CONFIG_FILE": os.devnull},
    )  # fmt: skip
    package = project.name
    call = (
        f"import {package} as p; print(p.__version__, p.__file__); "
        f"print([n for n in p.__all__ if 'book' in n])"
    )
    used = subprocess.run(
        [python, "-c", call], check=True, capture_output=True, text=True, cwd=clean,
        env={**os.environ, f"{package.upper()}_BASE_URL": library_api},
    )  # fmt: skip
    assert used.stdout.startswith("0.1.0 " + str(clean))
    assert "book" in used.stdout.splitlines()[1]


@pytest.mark.usefixtures("credentials")
def test_what_is_on_the_index_is_never_overwritten(
    doc2tools: Run, project: Path, index: Index
) -> None:
    assert doc2tools("publish", project, "--index", index.url)[0] == 0
    code, _, said = doc2tools("publish", project, "--index", index.url, "--version", "0.1.0")
    assert code == 2
    assert "never overwritten" in said
    code, _, said = doc2tools("publish", project, "--index", index.url)
    assert code == 0
    assert "nothing changed since 0.1.0" in said


@pytest.mark.usefixtures("credentials")
def test_the_next_version_follows_from_the_drift(
    doc2tools: Run, project: Path, index: Index
) -> None:
    older = project.parent / f"{project.name}_older"
    shutil.copytree(project, older)
    added = add_tool(older)
    assert doc2tools("publish", older, "--index", index.url)[0] == 0

    code, _, said = doc2tools("publish", project, "--index", index.url)
    assert code == 2, "without a terminal nobody has agreed to a version"
    assert f"1 added: {added}" in said
    assert "--version 0.1.1" in said

    code, out, said = doc2tools("publish", project, "--index", index.url, "--yes", "--json")
    assert code == 0, said
    assert json.loads(out)["version"] == "0.1.1"
    assert 'version = "0.1.1"' in (project / "pyproject.toml").read_text()
    manifest = json.loads(next(project.glob("src/*/doc2tools.json")).read_text())
    assert manifest["version"] == "0.1.1"

    code, _, said = doc2tools("publish", older, "--index", index.url, "--yes", "--json")
    assert code == 0, said
    assert "a major step, so the next version is 0.2.0" in said, "a tool is gone"


def test_wrong_credentials_are_a_clear_error_and_nothing_is_uploaded(
    doc2tools: Run,
    project: Path,
    index: Index,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TWINE_USERNAME", USER)
    monkeypatch.setenv("TWINE_PASSWORD", "wrong-" + PASSWORD)
    before = (project / "pyproject.toml").read_bytes()
    code, _, said = doc2tools("publish", project, "--index", index.url, "--version", "0.3.0")
    assert code == 2
    assert "TWINE_PASSWORD" in said
    assert "wrong-" not in said
    assert (project / "pyproject.toml").read_bytes() == before


def test_a_dry_run_uploads_nothing(doc2tools: Run, project: Path, index: Index) -> None:
    code, _, said = doc2tools("publish", project, "--index", index.url, "--dry-run")
    assert code == 0, said
    assert "nothing was uploaded" in said
    assert not list(project.glob("dist")), "the project is left as it was"


def test_an_address_with_a_password_is_refused(doc2tools: Run, project: Path) -> None:
    code, _, said = doc2tools("publish", project, "--index", "http://u:secret@127.0.0.1:1/")
    assert code == 2
    assert "secret" not in said


def test_an_index_that_is_not_there_is_a_clear_error(
    doc2tools: Run, project: Path, closed_port: int
) -> None:
    url = f"http://127.0.0.1:{closed_port}/"
    code, _, said = doc2tools("publish", project, "--index", url)
    assert code == 2
    assert "does not answer" in said


@pytest.mark.usefixtures("credentials")
def test_credentials_come_from_pypirc(
    doc2tools: Run, project: Path, index: Index, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("TWINE_USERNAME")
    monkeypatch.delenv("TWINE_PASSWORD")
    (tmp_path / ".pypirc").write_text(
        "[distutils]\nindex-servers = team\n"
        f"[team]\nrepository = {index.url}\nusername = {USER}\npassword = {PASSWORD}\n"
    )
    code, _, said = doc2tools("publish", project, "--index", "team")
    assert code == 0, said
    assert "published" in said
