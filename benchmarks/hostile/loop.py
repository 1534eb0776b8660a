"""The loop of the fuzz targets: makes inputs, checks each, keeps what breaks or hangs."""

from __future__ import annotations

import argparse
import hashlib
import importlib
import os
import random
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from doc2tools.compiler.load.bounded import PageTimeoutError

HANG_SECONDS = 2.0
LONGEST_INPUT = 700

Target = Callable[[bytes, bool], None]


@dataclass
class Record:
    """What a run found."""

    executions: int = 0
    slowest: float = 0.0
    slowest_input: bytes = b""
    crashes: dict[str, bytes] = field(default_factory=dict[str, bytes])
    hangs: list[bytes] = field(default_factory=list[bytes])
    hit: int = 0

    def check(self, target: Target, data: bytes, *, whole: bool) -> None:
        """Try one input; CPU time counts, as the machine may be busy with other things."""
        started = time.process_time()
        try:
            target(data, whole)
        except (Exception, PageTimeoutError) as error:
            same = _place(error)
            key = f"{same}: {str(error)[:150]}"
            self.hit += 1
            if all(not known.startswith(same) for known in self.crashes):
                self.crashes[key] = data
                print(f"crash: {key}: {data.hex()}", flush=True)
        spent = time.process_time() - started
        self.executions += 1
        if spent > self.slowest and self.executions > 1:
            self.slowest, self.slowest_input = spent, data
        if spent > HANG_SECONDS:
            self.hangs.append(data)
            print(f"hang: {spent:.1f} s: {data.hex()}", flush=True)


def _place(error: BaseException) -> str:
    """Name an exception by its class and the deepest line of ours."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "site-packages" not in frame.filename]
    ours = [frame for frame in ours if "/lib/python" not in frame.filename]
    deepest = (ours or frames)[-1]
    return f"{type(error).__name__} in {Path(deepest.filename).name} {deepest.lineno}"


def main(target: Target, description: str, arguments: Sequence[str] | None = None) -> int:
    """Run a target from the command line; 1 if anything was found."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", choices=("random", "atheris"), default="random")
    parser.add_argument(
        "--whole", type=int, default=200, help="render the package once in N inputs"
    )
    parser.add_argument("--seconds", type=float, default=0.0, help="stop after this wall time")
    parser.add_argument("--keep", type=Path, help="folder for inputs that crash or hang")
    given = parser.parse_args(arguments)
    record = Record()
    started = time.monotonic()
    if given.engine == "atheris":

        def finish() -> None:
            _report(record, time.monotonic() - started, given.keep)
            sys.stdout.flush()

        _with_atheris(target, record, given.inputs, given.seed, finish)
    else:
        chance = random.Random(given.seed)  # noqa: S311 - inputs, not secrets
        kept: list[bytes] = []
        for number in range(given.inputs):
            data = chance.randbytes(chance.randrange(16, chance.randrange(32, LONGEST_INPUT)))
            if kept and number % 4 == 0:
                old = chance.choice(kept)
                cut = chance.randrange(len(old))
                data = old[:cut] + data[: chance.randrange(1, 64)] + old[cut:]
            if number % 50 == 0:
                kept = [*kept[-200:], data]
            record.check(target, data, whole=number % given.whole == 0)
            if given.seconds and time.monotonic() - started > given.seconds:
                break
            if number % 5_000 == 4_999:
                print(f"{number + 1:,} inputs, {time.monotonic() - started:.0f} s", flush=True)
    _report(record, time.monotonic() - started, given.keep)
    return 1 if record.crashes or record.hangs else 0


def _with_atheris(
    target: Target, record: Record, inputs: int, seed: int, finish: Callable[[], None]
) -> None:
    # Optional: the dependency group "fuzz" brings it; it has no types.
    atheris: Any = importlib.import_module("atheris")
    atheris.instrument_all()

    def one(data: bytes) -> None:
        record.check(target, data, whole=False)
        # libFuzzer ends the process on its own terms, so the report comes first.
        if record.executions >= inputs:
            finish()
            os._exit(1 if record.crashes or record.hangs else 0)

    options = [sys.argv[0], f"-seed={seed}", f"-max_len={LONGEST_INPUT}", "-timeout=30"]
    atheris.Setup([*options, f"-runs={inputs + 10}", "-verbosity=0"], one)
    atheris.Fuzz()


def _report(record: Record, seconds: float, keep: Path | None) -> None:
    print(f"{record.executions:,} inputs in {seconds:.0f} s")
    print(f"{len(record.crashes)} kinds of crash ({record.hit} inputs), {len(record.hangs)} hangs")
    print(f"slowest input: {record.slowest * 1_000:.0f} ms of CPU")
    for key in record.crashes:
        print(f"  {key}")
    if keep is None:
        return
    keep.mkdir(parents=True, exist_ok=True)
    found = [*record.crashes.values(), *record.hangs, record.slowest_input]
    for data in found:
        (keep / f"{hashlib.sha256(data).hexdigest()[:16]}.bin").write_bytes(data)
