"""An endpoint's whole path, base path and template together: taken apart, and put back.

The origin, scheme and host with port, is never touched here.
"""

from __future__ import annotations

import re

from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.passes.splitting import split_address

__all__ = [
    "SEGMENT",
    "begins",
    "is_literal",
    "moved",
    "origin",
    "parts_of",
    "placeholder_in",
    "whole_path",
    "with_parts",
]

SEGMENT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.~-]{0,59}")
"""What a repair may write into a path as a fixed part."""

_PLACEHOLDER = re.compile(r"\{([^{}/]{1,200})\}")


def origin(endpoint: Endpoint) -> str:
    """Give scheme and host with port."""
    parts = split_address(endpoint.base_url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def whole_path(endpoint: Endpoint) -> str:
    """Give base path and template, from the host's root on."""
    return split_address(endpoint.base_url).path.rstrip("/") + endpoint.path


def moved(endpoint: Endpoint, path: str) -> Endpoint:
    """Give the endpoint at another whole path of the same host.

    Path parameters whose placeholder is gone are left out.
    """
    root = origin(endpoint)
    base = split_address(endpoint.base_url).path.rstrip("/")
    if base and begins(path, base):
        base_url, below = f"{root}{base}", path[len(base) :]
    else:
        base_url, below = root, path
    names = set(_PLACEHOLDER.findall(below))
    kept = tuple(
        parameter
        for parameter in endpoint.parameters
        if parameter.location != "path" or parameter.name in names
    )
    return endpoint.model_copy(
        update={"base_url": base_url, "path": below or "/", "parameters": kept}
    )


def parts_of(path: str) -> list[str]:
    """Give the segments of a path; an empty last one stands for a slash at the end."""
    return path.lstrip("/").split("/")


def with_parts(endpoint: Endpoint, parts: list[str]) -> Endpoint:
    """Give the endpoint at the whole path that `parts` make."""
    return moved(endpoint, "/" + "/".join(parts))


def begins(path: str, prefix: str) -> bool:
    """Tell whether `path` is `prefix` or below it."""
    return path == prefix or path.startswith(f"{prefix}/")


def is_literal(part: str) -> bool:
    """Tell whether a segment is fixed text."""
    return bool(part) and "{" not in part


def placeholder_in(part: str) -> str:
    """Give the name of the placeholder that is the whole segment, or ""."""
    found = _PLACEHOLDER.fullmatch(part)
    return found.group(1) if found else ""
