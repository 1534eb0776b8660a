"""One shell command to words: quotes, escapes, continued lines, redirections. Nothing is run."""

from __future__ import annotations

import re
from collections.abc import Callable

_MAX_WORDS = 200
_MAX_QUOTED = 8_000
_LINE_END = re.compile(r"[ \t]{0,8}(?:\r?\n|\Z)")
_CONTINUATION = re.compile(r"[ \t]{0,8}\r?\n?[ \t]{0,80}")


def split_words(text: str, start: int, goes_on: Callable[[int], bool]) -> tuple[list[str], int]:
    """Split the command at `start`; gives its words and the offset of its end.

    Args:
        text: The block of code.
        start: Offset after the command's name.
        goes_on: Tells for the start of a line whether the command goes on there, although the line
            before does not end with a continuation mark.
    """
    splitter = _Splitter(text, start)
    while splitter.step(goes_on):
        pass
    splitter.finish()
    return splitter.words, splitter.place


class _Splitter:
    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.place = start
        self.words: list[str] = []
        self.current: list[str] = []
        self.open = False
        self.slash = False

    def step(self, goes_on: Callable[[int], bool]) -> bool:
        """Take one character, or more; tell whether the command goes on."""
        if self.place >= len(self.text) or len(self.words) > _MAX_WORDS:
            return False
        char = self.text[self.place]
        if char in "\"'":
            self.quoted(char)
        elif char in "“”\u2018\u2019":
            self.place += 1
        elif char in "\\^`" and _LINE_END.match(self.text, self.place + 1):
            self.finish()
            after = _CONTINUATION.match(self.text, self.place + 1)
            self.place = after.end() if after else len(self.text)
        elif char == "\\" and self.place + 1 < len(self.text):
            self.add(self.text[self.place + 1])
            self.place += 2
        elif char == "\n" and not goes_on(self.place + 1):
            return False
        elif char in " \t\r\n":
            self.finish()
            self.place += 1
        elif self.ends(char):
            return False
        else:
            self.add(char)
            self.place += 1
        return True

    def ends(self, char: str) -> bool:
        """Tell whether an unquoted mark ends the command.

        `<id>` or `a|b` inside an address is no redirection.
        """
        if char in "|;>":
            return not (self.open and self.slash)
        if char == "&":
            return not self.open and self.text.startswith("&&", self.place)
        return char == "`" or (char == ")" and not self.open)

    def quoted(self, quote: str) -> None:
        """Take a quoted stretch; a quote that nothing closes is a character, or nothing."""
        end = self.closing(quote)
        if end < 0:
            if self.open:
                self.add(quote)
            self.place += 1
            return
        inner = self.text[self.place + 1 : end]
        self.add(inner.replace('\\"', '"') if quote == '"' else inner)
        self.place = end + 1

    def closing(self, quote: str) -> int:
        """Find the quote that closes the one here; -1 where none does within reach."""
        end = self.place + 1
        limit = min(len(self.text), self.place + _MAX_QUOTED)
        while end < limit:
            if self.text[end] == "\\" and quote == '"':
                end += 2
                continue
            if self.text[end] == quote:
                return end
            end += 1
        return -1

    def add(self, piece: str) -> None:
        self.current.append(piece)
        self.open = True
        self.slash = self.slash or "/" in piece

    def finish(self) -> None:
        """Close the word that is open."""
        if self.open:
            self.words.append("".join(self.current))
        self.current = []
        self.open = self.slash = False
