"""Fuzz decoding, judging and harvesting with hostile answers.

    python -m benchmarks.fuzz_answers [--inputs 100000] [--seed 1] [--engine random|atheris]
        [--whole 200] [--keep FOLDER]

Every input must pass the gateway's decoder, `judge` and `harvest` without an exception, within two
seconds, with bodies that lead back to their bytes; one in `--whole` validates a tool whose package
is rendered. `--engine atheris` needs the dependency group `fuzz`.
"""

from __future__ import annotations

import sys

from benchmarks.hostile.answers import answer
from benchmarks.hostile.checks import check_answer
from benchmarks.hostile.loop import main


def target(data: bytes, whole: bool) -> None:
    """Check one answer."""
    check_answer(answer(data), whole=whole)


if __name__ == "__main__":
    sys.exit(main(target, "hostile answers"))
