"""Time, rate and number: deadlines, a rate limit for each host, the budget of a compile."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

DEFAULT_RATE = 5.0
"""Requests a second for a remote host, where the user gives no rate."""

MAX_RETRY_AFTER = 15.0
"""Longest `Retry-After` that is waited for, in seconds; an answer that asks for more is final."""


class Deadline:
    """A point in time by which a call must be done; waiting in a queue moves it on."""

    def __init__(self, seconds: float) -> None:
        """Set the point `seconds` from now."""
        self._at = time.monotonic() + seconds

    def remaining(self) -> float:
        """Give the seconds that are left; zero or less when it has passed."""
        return self._at - time.monotonic()

    def extend(self, seconds: float) -> None:
        """Move the point on by time that was not the call's own."""
        self._at += seconds


class HostRate:
    """Spaces the requests to one host evenly, after a burst of one second's worth.

    The generic cell rate algorithm, which is a token bucket that keeps one number.
    """

    def __init__(self, rate: float) -> None:
        """Allow `rate` requests a second; 0 means no limit."""
        self._interval = 1 / rate if rate else 0.0
        self._burst = max(0.0, 1.0 - self._interval)
        self._next = 0.0
        self._held_until = 0.0
        self._lock = threading.Lock()

    def reserve(self) -> float:
        """Take the next place and give the seconds to wait for it."""
        now = time.monotonic()
        with self._lock:
            wait = max(0.0, self._held_until - now)
            if self._interval:
                start = max(self._next, now + wait)
                wait = max(wait, start - self._burst - now)
                self._next = start + self._interval
            return wait

    def hold(self, seconds: float) -> None:
        """Let nobody through for `seconds`, as `Retry-After` asks (RFC 9110, section 10.2.3)."""
        with self._lock:
            self._held_until = max(self._held_until, time.monotonic() + seconds)


class Budget:
    """Counts the requests of a compile against its limit."""

    def __init__(self, limit: int) -> None:
        """Allow `limit` requests; 0 means no limit."""
        self.limit = limit
        self._spent = 0
        self._lock = threading.Lock()

    @property
    def spent(self) -> int:
        """Requests made so far."""
        return self._spent

    def spend(self) -> bool:
        """Take one request; `False` when none is left."""
        with self._lock:
            if self.limit and self._spent >= self.limit:
                return False
            self._spent += 1
            return True


def retry_after(value: str, now: datetime | None = None) -> float | None:
    """Read a `Retry-After` header: seconds to wait, or `None` where it is absent or unreadable."""
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())
