"""Formatting of generated Python by ruff: one process for a whole package."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from doc2tools.compiler.ir.errors import Doc2ToolsError

LINE_LENGTH = 100
_SECONDS = 120


def format_sources(sources: Mapping[str, str]) -> dict[str, str]:
    """Format every source as `ruff format` does, whatever configuration lies around.

    Raises:
        Doc2ToolsError: ruff is not there or failed.
    """
    with tempfile.TemporaryDirectory(prefix="doc2tools-format-") as name:
        folder = Path(name)
        for path, source in sources.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(source, encoding="utf-8")
        command = [ruff(), "format", "--isolated", "--no-cache", "--quiet"]
        command += ["--target-version", "py311", "--line-length", str(LINE_LENGTH), str(folder)]
        try:
            # Without our environment: credentials may be in it.
            subprocess.run(command, check=True, capture_output=True, timeout=_SECONDS, env={})  # noqa: S603 - our own arguments
        except (OSError, subprocess.SubprocessError) as error:
            said = getattr(error, "stderr", b"") or b""
            text = said.decode("utf-8", "replace").strip()[:2_000] or str(error)
            raise Doc2ToolsError(
                f"ruff could not format the package: {text}", "reinstall ruff: pip install ruff"
            ) from error
        return {path: (folder / path).read_text(encoding="utf-8") for path in sources}


@lru_cache(maxsize=1)
def ruff() -> str:
    """Give the path of the ruff that is installed beside us.

    Raises:
        Doc2ToolsError: There is none.
    """
    beside = sysconfig.get_path("scripts")
    found = shutil.which("ruff", path=beside) or shutil.which("ruff")
    if found is None:
        raise Doc2ToolsError("ruff is not installed", "pip install ruff")
    return found
