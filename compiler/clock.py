"""Announces the stages of a run and the time each took."""

from __future__ import annotations

import time

from doc2tools.compiler.events import Listener, StageFinished, StageStarted


class Clock:
    """Announces a stage, and its end with the time it took."""

    def __init__(self, on_event: Listener) -> None:
        self.on_event = on_event
        self.began = time.perf_counter()
        self.stage_began = self.began

    def start(self, event: StageStarted) -> None:
        """Announce that a stage begins."""
        self.stage_began = time.perf_counter()
        self.on_event(event)

    def finish(self, event: StageStarted, note: str) -> None:
        """Announce that it ended; `note` sums it up."""
        seconds = time.perf_counter() - self.stage_began
        self.on_event(StageFinished(event.stage, seconds, note))
