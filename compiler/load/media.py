"""What kind of documentation a file holds: by the end of its name and by its content."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath

from doc2tools.compiler.load.source import Media

SUFFIXES: dict[str, Media] = {
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".mkd": "markdown",
    ".mdx": "markdown",
    ".txt": "text",
    ".text": "text",
    ".rst": "text",
    ".adoc": "text",
    ".json": "openapi",
    ".yaml": "openapi",
    ".yml": "openapi",
}
CONTENT_TYPES: dict[str, Media] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "text/plain": "text",
    "text/x-rst": "text",
    "application/json": "openapi",
    "application/yaml": "openapi",
    "application/x-yaml": "openapi",
    "text/yaml": "openapi",
    "text/x-yaml": "openapi",
    "application/vnd.oai.openapi": "openapi",
    "application/vnd.oai.openapi+json": "openapi",
    "application/openapi+json": "openapi",
    "application/openapi+yaml": "openapi",
}
_HTML = re.compile(rb"^(?:\xef\xbb\xbf)?\s{0,200}<(?:!doctype\s+html|html[\s>])", re.IGNORECASE)
_YAML_KEY = re.compile(rb"^(?:\xef\xbb\xbf)?[\"']?(?:openapi|swagger)[\"']?\s*:\s*[\"']?[23]", re.M)
_JSON_KEY = re.compile(rb"\"(?:openapi|swagger)\"\s*:\s*(?:\"[23]\.|2\.0)")


def media_of(name: str, data: bytes, declared: Media | None = None) -> Media | None:
    """Tell what `data` is; `None` if it is no documentation.

    Args:
        name: The file's name or the last part of the address.
        data: Its content.
        declared: What the server's content type says, if it came from one.
    """
    by_name = SUFFIXES.get(PurePosixPath(name.lower()).suffix)
    guess = declared or by_name
    if guess is None:
        return None
    if _HTML.match(data[:600]):
        return "html"
    if guess == "openapi" or (declared == "text" and by_name == "openapi"):
        return "openapi" if is_openapi(data) else None
    if declared == "text" and by_name in ("html", "markdown"):
        return by_name
    return guess


def is_openapi(data: bytes) -> bool:
    """Tell whether a JSON or YAML file has `openapi` or `swagger` as a key of its top level."""
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start == b"{":
        if not _JSON_KEY.search(data):
            return False
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            # A broken description is still one: its reader says where it is broken.
            return bool(_JSON_KEY.search(data[:2_000]))
        return isinstance(value, dict) and ("openapi" in value or "swagger" in value)
    return bool(_YAML_KEY.search(data))
