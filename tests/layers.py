"""Check the import layers on the code as it is installed, where folders are real folders.

import-linter does not follow the checkout's symlinks, so the packages are laid out in a temporary
folder first, as the wheel lays them out. Run by `make check`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
MAPPED = ("compiler", "param_db", "sandbox", "templates")


def main() -> int:
    """Give import-linter's exit code."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "doc2tools"
        junk = shutil.ignore_patterns("__pycache__", *MAPPED)
        shutil.copytree(ROOT / "doc2tools", package, ignore=junk)
        for name in MAPPED:
            shutil.copytree(
                ROOT / name, package / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        linter = Path(sys.executable).parent / "lint-imports"
        return subprocess.run(
            [str(linter), "--config", str(ROOT / "pyproject.toml"), "--no-cache"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": folder},
            check=False,
        ).returncode


if __name__ == "__main__":
    sys.exit(main())
