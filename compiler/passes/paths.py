"""Path templates: segments, shapes for comparison, and clean placeholder names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from doc2tools.compiler.passes.words import singular, snake_case, split_words

PLACEHOLDER = re.compile(r"\{([^{}/]{0,200})\}")
VERSION = re.compile(
    r"v?\d{1,4}(?:[._]\d{1,3}){0,3}(?:(?:alpha|beta|rc|dev)\d{0,3})?", re.IGNORECASE
)
PREFIXES = frozenset(
    {
        "api", "apis", "rest", "public", "restapi", "rest-api", "jsonapi", "_api",
    }
)  # fmt: skip
MOST_IN_SEGMENT = 7
_CLEAN = re.compile(r"[A-Za-z_][\w.\-]*(?:\[\])?", re.ASCII)


def tidy(path: str) -> str:
    """Give `path` with one leading slash and no doubled ones."""
    return "/" + re.sub(r"/{2,}", "/", path.strip()).lstrip("/")


def segments(path: str) -> list[str]:
    """Give the parts between the slashes, empty ones left out."""
    return [part for part in path.split("/") if part]


def placeholders(path: str) -> tuple[str, ...]:
    """Give the names of the placeholders in order."""
    return tuple(PLACEHOLDER.findall(path))


def shape(path: str) -> str:
    """Give the form of a template for comparison: names of placeholders and end slash dropped."""
    return "/" + "/".join(PLACEHOLDER.sub("{}", part) for part in segments(path))


def is_version(segment: str) -> bool:
    """Tell whether a segment only names a version, such as `v1`, `1.0` or `v2beta1`."""
    lower = segment.lower()
    return bool(VERSION.fullmatch(lower)) and (lower.startswith("v") or "." in lower)


def is_prefix(segment: str) -> bool:
    """Tell whether a segment names no resource: a version, or `api` and its like."""
    return is_version(segment) or segment.lower() in PREFIXES


def resource_segments(path: str) -> list[str]:
    """Give the segments that carry meaning: versions and leading `api` prefixes dropped."""
    parts = segments(path)
    kept: list[str] = []
    for index, part in enumerate(parts):
        inside = index + 1 < len(parts)
        dropped = is_version(part) or (inside and _is_small_number(part))
        prefix = part.lower() in PREFIXES
        before_version = inside and is_version(parts[index + 1])
        if not dropped and not (prefix and (not kept or before_version)):
            kept.append(part)
    return kept


def _is_small_number(part: str) -> bool:
    return len(part) <= 2 and part.isascii() and part.isdigit()


def matcher(template: str) -> re.Pattern[str]:
    """Give a pattern that matches concrete paths of `template`, end slash aside.

    Its groups are the values of the placeholders in order. Placeholders without text between them
    can't be told apart, and many in one segment take too long: the pattern then never matches.
    """
    pieces: list[str] = []
    for part in segments(template):
        cut = PLACEHOLDER.split(part)
        if len(cut) > MOST_IN_SEGMENT or any(not text for text in cut[2:-1:2]):
            return re.compile(r"(?!)")
        pieces.append("([^/{}]+?)".join(re.escape(text) for text in cut[::2]))
    return re.compile("/" + "/".join(pieces) + "/?")


def clean_placeholders(path: str) -> tuple[str, dict[str, str]]:
    """Give `path` with a distinct, plain name in every placeholder.

    The second part maps the names as documented to the names now used, first occurrence first.
    """
    used: set[str] = set()
    renamed: dict[str, str] = {}
    done: list[str] = []
    for part in segments(path):
        previous = _noun(done)

        def name(match: re.Match[str], previous: str = previous) -> str:
            documented = match.group(1)
            plain = _plain(documented, previous)
            options = [plain, f"{previous}_{plain}" if previous else f"{plain}_2"]
            options.extend(f"{plain}_{number}" for number in range(2, len(used) + 3))
            chosen = next(option for option in options if option not in used)
            used.add(chosen)
            renamed.setdefault(documented, chosen)
            return "{" + chosen + "}"

        done.append(PLACEHOLDER.sub(name, part))
    end = "/" if path.endswith("/") and done else ""
    return "/" + "/".join(done) + end, renamed


def _noun(before: Sequence[str]) -> str:
    for part in reversed(before):
        if not PLACEHOLDER.search(part):
            words = split_words(part)
            return singular(words[-1]) if words else ""
    return ""


def _plain(documented: str, previous: str) -> str:
    name = documented.strip().strip("+*?#").strip()
    if _CLEAN.fullmatch(name):
        return name
    words = snake_case(name)
    if words and len(words) <= 40:
        return words if not words[0].isdigit() else f"value_{words}"
    return previous or "value"
