"""The template environment: Jinja that prints nothing but `Code`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, StrictUndefined

import doc2tools.templates
from doc2tools.compiler.emit.code import Code

TEMPLATES = Path(str(doc2tools.templates.__file__)).parent


def _only_code(value: object) -> str:
    if not isinstance(value, Code):
        raise AssertionError(f"a template prints {type(value).__name__}, not Code")
    return value.source


class Templates:
    """The package's templates; a template of the same name in the user's folder wins."""

    def __init__(self, folder: Path | None = None) -> None:
        """Look in `folder` first, where one is given."""
        loaders: list[BaseLoader] = [FileSystemLoader(TEMPLATES)]
        if folder is not None:
            loaders.insert(0, FileSystemLoader(folder))
        self._environment = Environment(
            loader=ChoiceLoader(loaders),
            undefined=StrictUndefined,
            finalize=_only_code,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            autoescape=False,  # noqa: S701 - the output is source; only `Code` is ever printed
        )

    def render(self, name: str, values: Mapping[str, object]) -> str:
        """Fill the template `package/NAME.jinja`."""
        return self._environment.get_template(f"package/{name}.jinja").render(dict(values))


@lru_cache(maxsize=8)
def templates(folder: Path | None = None) -> Templates:
    """Give the templates of `folder` over the built-in ones, compiled once a process."""
    return Templates(folder)
