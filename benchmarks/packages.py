"""Hold generated packages to what is promised of them.

    python -m benchmarks.packages FOLDER…

Each FOLDER is a generated project, or holds some. Printed for each: what pyright (strict, on the
package and on its tests' configuration), ruff (check and format) and its own tests find, what pip
would install with it, and how long importing it takes. The exit code is 1 if one of them finds
anything.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tomllib
from pathlib import Path

RULES = "E4,E7,E9,F,E,I,UP,B"
IMPORT = "import sys, time; t = time.perf_counter(); __import__(sys.argv[1]); print(f'{time.perf_counter() - t:.2f}')"  # noqa: E501 - one line for -c


def run(project: Path, *words: str | Path) -> tuple[bool, str]:
    """Run a tool in the project; give whether it found nothing, and the last line it said."""
    environment = {**os.environ, "PYTHONPATH": str(project / "src")}
    done = subprocess.run(
        [str(word) for word in words],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    lines = (done.stdout.strip() or done.stderr.strip()).splitlines()
    return done.returncode == 0, lines[-1][:100] if lines else ""


def measure(project: Path) -> bool:
    """Print one project's line; say whether nothing was found."""
    tools = Path(sys.executable).parent
    name = next(project.glob("src/*/doc2tools.json")).parent.name
    ruff = tools / "ruff"
    checks = {
        "pyright": run(project, tools / "pyright", "--pythonpath", sys.executable, "-p", "."),
        "ruff": run(project, ruff, "check", "--no-cache", "--select", RULES, "src", "tests"),
        "format": run(project, ruff, "format", "--check", "--no-cache", "src", "tests"),
        "tests": run(project, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
        "import s": run(project, sys.executable, "-c", IMPORT, name),
    }
    table = tomllib.loads((project / "pyproject.toml").read_text())["project"]
    needs = [item.split(">")[0] for item in table["dependencies"]]
    modules = list((project / "src").rglob("*.py"))
    lines = sum(len(module.read_text().splitlines()) for module in modules)
    said = "; ".join(f"{check}: {text}" for check, (_, text) in checks.items())
    print(f"{name}: {lines:,} lines; needs {' and '.join(sorted(needs))}; {said}", flush=True)
    return all(good for good, _ in checks.values()) and sorted(needs) == ["pydantic", "requests"]


def main() -> int:
    """Measure the packages, and give the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("folders", nargs="+", type=Path)
    folders: list[Path] = parser.parse_args().folders
    manifests = [
        manifest
        for folder in folders
        for pattern in ("src/*/doc2tools.json", "*/src/*/doc2tools.json")
        for manifest in sorted(folder.glob(pattern))
    ]
    good = [measure(manifest.parents[2].resolve()) for manifest in manifests]
    print(f"{sum(good)} of {len(good)} packages are as promised")
    return 0 if good and all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
