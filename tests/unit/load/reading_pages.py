"""Short ways to read a page in a test."""

from __future__ import annotations

from typing import TypeVar

from doc2tools.compiler.ir.document import Block, Document, walk
from doc2tools.compiler.load.read import read_document
from doc2tools.compiler.load.source import Media, Source

B = TypeVar("B", bound=Block)


def read(text: str | bytes, media: Media = "html") -> Document:
    data = text.encode() if isinstance(text, str) else text
    return read_document(Source(name="page", data=data, media=media))


def body(inner: str) -> Document:
    return read(f"<html><body><main>{inner}</main></body></html>")


def all_of(document: Document, kind: type[B]) -> list[B]:
    return [block for block in walk(document.blocks) if isinstance(block, kind)]


def codes(document: Document) -> list[str]:
    return [diagnostic.code for diagnostic in document.diagnostics]
