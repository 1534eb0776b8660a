"""A bound on the time that one page may take, whatever it holds and however slowly it comes."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Generator
from types import FrameType

PAGE_SECONDS = 20.0


class PageTimeoutError(BaseException):
    """The page took too long. Not an `Exception`, so that no rule can swallow it."""


@contextlib.contextmanager
def time_limit(seconds: float) -> Generator[None]:
    """Raise `PageTimeoutError` in the block after `seconds`.

    It uses the interval timer of the process, which interrupts Python code and regular expressions
    alike. Timers belong to the main thread: elsewhere the block runs without the bound.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise PageTimeoutError

    previous = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
