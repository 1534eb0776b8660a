"""Joining a base URL and a path that may repeat a part of it."""

from __future__ import annotations


def join(base_url: str, path: str) -> tuple[str, str]:
    """Settle what is base and what is path below it, so that `base + path` is the full URL.

    Documentation gives paths sometimes from the host's root and sometimes from the base URL; where
    the path starts with what the base ends with, it is counted once.

    Args:
        base_url: Scheme, host and base path; may be "" or end with a slash.
        path: Path template, with or without a leading slash and a query, or a full URL.

    Returns:
        The base without a trailing slash, and the path: "", or starting with `/` or `?`.
    """
    path = path.strip()
    base = base_url.strip().partition("#")[0].partition("?")[0].rstrip("/")
    if "://" in path.partition("?")[0]:
        return _join_absolute(base, path)
    if path and path[0] not in "/?":
        path = f"/{path}"
    split = _origin_and_path(base)
    if split is None or not path.startswith("/"):
        return base, path
    origin, prefix = split
    wanted, given = _segments(prefix), _segments(path)
    for length in range(min(len(wanted), len(given)), 0, -1):
        if _same(wanted[-length:], given[:length]):
            return base, _below(path, length)
    if len(wanted) > 1 and given and _same(wanted[:1], given[:1]):
        return origin, path
    return base, path


def _join_absolute(base: str, url: str) -> tuple[str, str]:
    origin, path = _origin_and_path(url) or ("", url)
    own, prefix = _origin_and_path(base) or ("", "")
    if origin.lower() != own.lower():
        return origin, path
    wanted = _segments(prefix)
    if _same(_segments(path)[: len(wanted)], wanted):
        return base, _below(path, len(wanted))
    return own, path


def _origin_and_path(url: str) -> tuple[str, str] | None:
    scheme, mark, rest = url.partition("://")
    if not mark:
        if url.startswith("/"):
            return "", url
        return None
    cut = min((at for at in (rest.find("/"), rest.find("?")) if at >= 0), default=len(rest))
    return f"{scheme}://{rest[:cut]}", rest[cut:]


def _segments(path: str) -> list[str]:
    return [part for part in path.partition("?")[0].split("/") if part]


def _same(one: list[str], other: list[str]) -> bool:
    return [part.lower() for part in one] == [part.lower() for part in other]


def _below(path: str, count: int) -> str:
    """Cut the first `count` segments off `path`, its query kept."""
    head, mark, query = path.partition("?")
    rest = head.lstrip("/").split("/")
    kept = list(rest)
    while count and kept:
        if kept.pop(0):
            count -= 1
    below = "/" + "/".join(kept) if kept else ""
    return below + mark + query
