"""Fuzz the way from a page to generated source with hostile documents.

    python -m benchmarks.fuzz_documents [--inputs 100000] [--seed 1] [--engine random|atheris]
        [--whole 200] [--keep FOLDER]

Every input must pass `draft_page`, `endpoints_json`, `normalise` and `stage_sources` without an
exception, within two seconds, with valid JSON and with a syntax tree that holds nothing but what
the templates make; one in `--whole` also through `render_package`. `--engine atheris` needs the
dependency group `fuzz`.
"""

from __future__ import annotations

import sys

from benchmarks.hostile.checks import check_document
from benchmarks.hostile.documents import document
from benchmarks.hostile.loop import main


def target(data: bytes, whole: bool) -> None:
    """Check one document."""
    check_document(document(data), whole=whole)


if __name__ == "__main__":
    sys.exit(main(target, "hostile documents"))
