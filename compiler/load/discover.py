"""DOCS arguments to pages: files, folders and addresses."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.options import LimitOptions
from doc2tools.compiler.ir.source import Diagnostic, DiagnosticCode, Span
from doc2tools.compiler.load.crawl import crawl
from doc2tools.compiler.load.encodings import MAX_BYTES, is_binary
from doc2tools.compiler.load.media import SUFFIXES, media_of
from doc2tools.compiler.load.source import Media, Source

_UNSEEN = frozenset(("Cc", "Cf", "Cn", "Co", "Zl", "Zp"))
_SKIPPED_FOLDERS = frozenset(("node_modules", "__pycache__"))
_KINDS = "HTML, Markdown, reStructuredText, plain text, or OpenAPI as JSON or YAML"


def discover(
    docs: Sequence[str], limits: LimitOptions
) -> tuple[tuple[Source, ...], tuple[Diagnostic, ...]]:
    """Find the pages that `docs` name, in a stable order.

    Args:
        docs: Files, folders, and addresses that start with `http://` or `https://`.
        limits: How many pages a crawl may fetch, how fast, and how long it waits.

    Returns:
        The pages, each with a name of its own, and what was wrong with pages left out.

    Raises:
        UsageError: a path or address that does not exist, or a folder without pages.
    """
    if not docs:
        raise UsageError("no documentation given", "name a file, a folder or an address")
    sources: list[Source] = []
    diagnostics: list[Diagnostic] = []
    names: dict[str, str] = {}
    seen: set[Path] = set()
    for doc in docs:
        if doc.lower().startswith(("http://", "https://")):
            label, (found, said) = "", crawl(doc, limits)
        else:
            path = Path(doc)
            found, said = _read_path(path, seen)
            label = path.resolve().name
        diagnostics.extend(said)
        for source in found:
            name = _free_name(source.name, label, names)
            names[name] = label
            sources.append(
                source.model_copy(update={"name": name}) if name != source.name else source
            )
    return tuple(sources), tuple(diagnostics)


def _free_name(name: str, label: str, taken: dict[str, str]) -> str:
    """Give `name`, or one made of it and its folder's name if another page has it already."""
    if name not in taken:
        return name
    if label and label != name and f"{label}/{name}" not in taken:
        return f"{label}/{name}"
    path = PurePosixPath(name)
    number = 2
    while (other := str(path.with_name(f"{path.stem}-{number}{path.suffix}"))) in taken:
        number += 1
    return other


def _read_path(path: Path, seen: set[Path]) -> tuple[list[Source], list[Diagnostic]]:
    try:
        is_folder, is_file = path.is_dir(), path.is_file()
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be read: {error}", "check the path") from error
    if is_folder:
        return _read_folder(path, seen)
    if not is_file:
        raise UsageError(
            f"{path}: no such file or folder", "check the path; DOCS may also be an address"
        )
    found, said = _read_file(path, path.name, seen, alone=True)
    return ([found] if found else []), ([said] if said else [])


def _read_folder(folder: Path, seen: set[Path]) -> tuple[list[Source], list[Diagnostic]]:
    sources: list[Source] = []
    diagnostics: list[Diagnostic] = []
    candidates = _pages_below(folder)
    given_before = any(path.resolve() in seen for path in candidates)
    for path in candidates:
        name = path.relative_to(folder).as_posix()
        found, said = _read_file(path, name, seen, alone=False)
        if found:
            sources.append(found)
        if said:
            diagnostics.append(said)
    if not sources and not diagnostics and not given_before:
        raise UsageError(f"{folder}: holds no documentation pages", f"pages are {_KINDS}")
    return sources, diagnostics


def _pages_below(folder: Path) -> list[Path]:
    """List the files below `folder` that may be pages, sorted by path; links lead nowhere else."""
    root = folder.resolve()
    found: list[Path] = []
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if name[0] != "." and name not in _SKIPPED_FOLDERS
        )
        for name in files:
            if name.startswith(".") or PurePosixPath(name.lower()).suffix not in SUFFIXES:
                continue
            path = Path(parent, name)
            if path.is_symlink() and not path.resolve().is_relative_to(root):
                continue
            if path.is_file():
                found.append(path)
    return sorted(found, key=lambda path: path.relative_to(folder).parts)


def _read_file(
    path: Path, name: str, seen: set[Path], *, alone: bool
) -> tuple[Source | None, Diagnostic | None]:
    """Read one file; `alone`, it was named by the user and is read whatever its name ends in."""
    name = _printable(name)
    real = path.resolve()
    if real in seen:
        return None, None
    seen.add(real)
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        why = f"cannot be read: {error.strerror}"
        return None, _fault(name, "page-unreadable", why, "check its permissions")
    media = media_of(name, data)
    if alone and media is None:
        media = _guess(path, name, data)
    if media is None:
        return None, None
    if not data.strip(b"\xef\xbb\xbf \t\r\n\0"):
        fault = _fault(name, "page-empty", "the file is empty", "remove it or fill it")
    elif is_binary(data):
        hint = "leave it out, or save the page again as text"
        fault = _fault(name, "page-binary", "not text, although its name says so", hint)
    else:
        return Source(name=name, data=data, media=media), None
    return None, fault


def _printable(name: str) -> str:
    """Make names safe to print, to encode and to give to files: no control or hidden characters."""
    text = name.encode("utf-8", "replace").decode("utf-8")
    return "".join("_" if unicodedata.category(c) in _UNSEEN else c for c in text)


def _guess(path: Path, name: str, data: bytes) -> Media:
    suffix = PurePosixPath(name.lower()).suffix
    if SUFFIXES.get(suffix) == "openapi":
        raise UsageError(
            f"{path}: is no OpenAPI description",
            "it has no `openapi` or `swagger` key; other JSON and YAML files are no documentation",
        )
    return media_of(f"{name}.txt", data) or "text"


def _fault(name: str, code: DiagnosticCode, message: str, hint: str) -> Diagnostic:
    span = Span(page=name, start=1, end=1)
    level = "warning" if code == "page-empty" else "error"
    return Diagnostic(code=code, level=level, span=span, message=message, hint=hint)
