"""The import name of a generated package: a Python identifier that shadows nothing."""

from __future__ import annotations

import builtins
import keyword
import re
import sys
from collections.abc import Sequence
from urllib.parse import urlsplit

from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.passes.titles import telling_parts
from doc2tools.compiler.passes.words import fingerprint, split_words

MOST_LETTERS = 40
_TAKEN = frozenset(
    {
        "_pytest", "annotated_types", "anyio", "attr", "attrs", "bs4", "build", "certifi",
        "chardet", "charset_normalizer", "click", "conftest", "coverage", "distutils", "django",
        "dist", "doc", "docs", "doc2tools", "fastapi", "fastmcp", "flask", "generated", "httpx",
        "httpcore", "idna", "iniconfig", "jinja2", "lib", "lxml", "mcp", "numpy", "openai",
        "anthropic", "packaging", "pandas", "pip", "pkg_resources", "pluggy", "pydantic",
        "pydantic_core", "pygments", "pytest", "requests", "rich", "ruff", "scipy", "setuptools",
        "site_packages", "six", "src", "starlette", "syrupy", "test", "tests", "tools", "torch",
        "typer", "typing_extensions", "uvicorn", "urllib3", "wheel", "yaml", "aiohttp", "redis",
        "docker", "github", "kubernetes", "boto3",
    }
)  # fmt: skip
_IDLE = frozenset(
    {
        "a", "an", "and", "api", "apis", "center", "com", "developer", "developers", "doc", "docs",
        "documentation", "for", "free", "guide", "home", "http", "https", "index", "introduction",
        "main", "manual", "md", "html", "htm", "of", "official", "overview", "page", "pages",
        "public", "readme", "reference", "rest", "restful", "simple", "site", "the", "to", "v1",
        "v2", "v3", "web", "welcome", "with", "your", "service", "services", "html5", "www",
        "using", "source", "content", "markdown", "txt", "json", "yaml", "yml", "openapi",
        "swagger", "en", "latest", "stable",
    }
)  # fmt: skip
MOST_WORDS = 3


def package_name(options: CompileOptions, titles: Sequence[str], docs: Sequence[str]) -> str:
    """Give the package's import name.

    Args:
        options: Their `name` is taken if there is one, made an identifier.
        titles: The API's title, or the pages' titles, best first.
        docs: The documentation as given: files, folders, addresses.

    Returns:
        Lower case, at most 40 letters, no keyword, no module of the standard library, none of the
        packages that Python environments often hold.
    """
    if options.name:
        return _safe(_joined(split_words(options.name)) or f"api_{fingerprint(options.name)}")
    for text in (*titles, *(_stem(place) for place in docs)):
        for part in (*telling_parts(text), text):
            words = [word for word in split_words(part) if word not in _IDLE]
            if words:
                return _safe(_joined(words[:MOST_WORDS]))
    told = "\n".join((*titles, *docs))
    return f"api_{fingerprint(told)}" if told.strip() else "api_tools"


def _joined(words: Sequence[str]) -> str:
    name = "_".join(words)[:MOST_LETTERS].strip("_")
    return f"api_{name}" if name and name[0].isdigit() else name


def _stem(place: str) -> str:
    """Give the telling part of a path or address: the host's name, else the last folder or file."""
    if "://" in place:
        try:
            host = urlsplit(place).hostname or ""
        except ValueError:
            return ""
        labels = [label for label in host.split(".")[:-1] if label not in {"www", "api", "docs"}]
        return labels[-1] if labels else host
    parts = [part for part in re.split(r"[\\/]+", place) if part not in {"", ".", ".."}]
    for part in reversed(parts):
        stem = part.rpartition(".")[0] or part
        if any(word not in _IDLE for word in split_words(stem)):
            return stem
    return parts[-1] if parts else ""


def _safe(name: str) -> str:
    taken = (
        keyword.iskeyword(name)
        or keyword.issoftkeyword(name)
        or name in sys.stdlib_module_names
        or name in _TAKEN
        or hasattr(builtins, name)
    )
    return f"{name}_api" if taken else name
