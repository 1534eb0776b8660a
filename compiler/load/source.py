"""A page's bytes before parsing: the unit of work that is cached and can be shipped elsewhere."""

from __future__ import annotations

import hashlib
from typing import Literal

from doc2tools.compiler.ir.base import Frozen

Media = Literal["html", "markdown", "text", "openapi"]


class Source(Frozen):
    """One page of documentation as found.

    Attributes:
        name: Path below the documentation folder with forward slashes, or made from the address.
        media: What kind of content it holds, decided by name and content.
        url: Where it was fetched from, or "".
    """

    name: str
    data: bytes
    media: Media
    url: str = ""

    @property
    def digest(self) -> str:
        """SHA-256 of name, address and content, hexadecimal."""
        head = f"{self.name}\0{self.media}\0{self.url}\0".encode()
        return hashlib.sha256(head + self.data).hexdigest()
