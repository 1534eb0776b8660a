"""The wheel holds what the tree holds, from a checkout with symlinks or without."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAPPED = ("compiler", "param_db", "sandbox", "templates")
SUFFIXES = {".py", ".jinja", ".md", ".css", ".js", ".txt", ".typed"}


def tree() -> set[str]:
    """Give the files that belong in the wheel, by their names there."""
    found = {
        file.relative_to(ROOT).as_posix()
        for file in (ROOT / "doc2tools").rglob("*")
        if file.suffix in SUFFIXES and not (set(file.relative_to(ROOT).parts[1:]) & set(MAPPED))
    }
    for folder in MAPPED:
        for file in (ROOT / folder).rglob("*"):
            if file.suffix in SUFFIXES:
                found.add(f"doc2tools/{file.relative_to(ROOT).as_posix()}")
    return {name for name in found if "__pycache__" not in name}


def copy_checkout(target: Path, *, symlinks: bool) -> Path:
    """Copy the tracked part of the tree, symlinks as git or as a zip download leaves them."""
    names = ["doc2tools", *MAPPED, "pyproject.toml", "README.md", "LICENSE"]
    junk = shutil.ignore_patterns("__pycache__", "*.egg-info")
    target.mkdir()
    for name in names:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name, symlinks=True, ignore=junk)
        else:
            shutil.copy(source, target / name)
    for name in MAPPED:
        link = target / "doc2tools" / name
        link.unlink(missing_ok=True)
        if symlinks:
            link.symlink_to(f"../{name}")
        else:
            link.write_text(f"../{name}")
    return target


def run(*command: str, cwd: Path) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def wheel_names(folder: Path) -> set[str]:
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


@pytest.mark.parametrize("symlinks", [True, False], ids=["git checkout", "zip download"])
def test_wheel_holds_the_tree(tmp_path: Path, symlinks: bool) -> None:
    checkout = copy_checkout(tmp_path / "checkout", symlinks=symlinks)
    run(
        sys.executable, "-m", "build", "--no-isolation", "--wheel", "-o", str(tmp_path / "dist"),
        cwd=checkout,
    )  # fmt: skip
    assert wheel_names(tmp_path / "dist") == tree()


def test_sdist_builds_the_same_wheel(tmp_path: Path) -> None:
    checkout = copy_checkout(tmp_path / "checkout", symlinks=True)
    run(sys.executable, "-m", "build", "--no-isolation", "-o", str(tmp_path / "dist"), cwd=checkout)
    assert wheel_names(tmp_path / "dist") == tree()


def test_zip_download_installs_editable_and_runs(tmp_path: Path) -> None:
    checkout = copy_checkout(tmp_path / "checkout", symlinks=False)
    site = tmp_path / "site"
    run(
        sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation",
        "--disable-pip-version-check", "--target", str(site), "-e", ".",
        cwd=checkout,
    )  # fmt: skip
    script = (
        f"sys.path.insert(0, {str(site)!r}); import site; site.addsitedir({str(site)!r}); "
        "import doc2tools.compiler.pipeline as p, doc2tools.templates as t; "
        "print(p.__file__); print(list(t.__path__)[0])"
    )
    libraries = [entry for entry in sys.path if entry.endswith("site-packages")]
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path += {libraries!r}; {script}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    module, templates = done.stdout.split()
    assert Path(module) == checkout / "compiler" / "pipeline.py"
    assert Path(templates) == checkout / "templates"


def test_every_package_is_listed() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        listed = set(tomllib.load(file)["tool"]["setuptools"]["packages"])
    modules = [Path(name) for name in tree() if name.endswith(".py")]
    folders = {module.parent.as_posix().replace("/", ".") for module in modules}
    assert listed == folders | {"doc2tools.templates", "doc2tools.templates.package"}
