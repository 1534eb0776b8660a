"""Decisions read from bytes, so that random numbers, hypothesis and atheris drive one generator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """Takes decisions from `data`; when it is used up, always the first alternative."""

    def __init__(self, data: bytes) -> None:
        """Start at the first byte."""
        self._data = data
        self._at = 0

    @property
    def left(self) -> int:
        """Bytes that are not used yet."""
        return max(0, len(self._data) - self._at)

    def below(self, bound: int) -> int:
        """Give a number from 0 to `bound` - 1."""
        value = 0
        for _ in range(1 if bound <= 256 else 4):
            byte = self._data[self._at] if self._at < len(self._data) else 0
            self._at += 1
            value = value << 8 | byte
        return value % bound

    def pick(self, items: Sequence[T]) -> T:
        """Give one of the items."""
        return items[self.below(len(items))]

    def once_in(self, number: int) -> bool:
        """Say yes once in `number` times."""
        return self.below(number) == number - 1

    def raw(self, length: int) -> bytes:
        """Give the next bytes as they are."""
        start = self._at
        self._at += length
        return self._data[start : self._at]


def mutate(data: bytes, choices: Choices) -> bytes:
    """Damage `data` in up to four places: other bytes, cut, doubled, filled up."""
    damaged = bytearray(data)
    for _ in range(1 + choices.below(4)):
        place = choices.below(max(1, len(damaged)))
        end = min(len(damaged), place + choices.below(64))
        match choices.below(6):
            case 0:
                damaged[place:end] = choices.raw(choices.below(8))
            case 1:
                del damaged[place:end]
            case 2:
                damaged[place:place] = damaged[place:end] * (1 + choices.below(40))
            case 3:
                damaged[place:place] = bytes([choices.below(256)]) * (1 + choices.below(200))
            case 4:
                damaged = damaged[:place]
            case _:
                other = choices.below(max(1, len(damaged)))
                damaged[place:end] = damaged[other : other + end - place]
    return bytes(damaged[:200_000])
