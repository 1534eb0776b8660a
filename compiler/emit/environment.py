"""The template environment: Jinja that prints nothing but `Code`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    Undefined,
)

import doc2tools.templates
from doc2tools.compiler.emit.code import Code
from doc2tools.compiler.ir.errors import UsageError

TEMPLATES = Path(str(doc2tools.templates.__file__)).parent


def _only_code(value: object) -> str:
    if isinstance(value, Undefined):
        return str(value)  # raises, and names what is missing
    if not isinstance(value, Code):
        raise AssertionError(f"a template prints {type(value).__name__}, not Code")
    return value.source


class Templates:
    """The package's templates; a template of the same name in the user's folder wins."""

    def __init__(self, folder: Path | None = None) -> None:
        """Look in `folder` first, where one is given."""
        loaders: list[BaseLoader] = [FileSystemLoader(TEMPLATES)]
        self.overridden: frozenset[str] = frozenset()
        if folder is not None:
            loaders.insert(0, FileSystemLoader(folder))
            self.overridden = frozenset(path.stem for path in own_templates(folder))
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
        """Fill the template `package/NAME.jinja`.

        Raises:
            UsageError: The user's own template is faulty.
        """
        try:
            return self._environment.get_template(f"package/{name}.jinja").render(dict(values))
        except (TemplateError, AssertionError, OSError, UnicodeDecodeError) as error:
            if name not in self.overridden:
                raise
            line = getattr(error, "lineno", None)
            place = f"package/{name}.jinja" + (f", line {line}" if line else "")
            raise UsageError(
                f"the template {place} cannot be filled: {type(error).__name__}: {error}",
                hint="begin with a copy of the built-in template, which prints what there is",
            ) from error


def own_templates(folder: Path) -> tuple[Path, ...]:
    """List the user's templates of a package, in alphabetical order.

    Raises:
        UsageError: One of them replaces none, or there are none.
    """
    found = tuple(sorted((folder / "package").glob("*.jinja")))
    known = {path.name for path in (TEMPLATES / "package").glob("*.jinja")}
    strange = [path.name for path in found if path.name not in known]
    if strange:
        raise UsageError(
            f"{folder / 'package' / strange[0]} replaces no template",
            hint=f"there are: {', '.join(sorted(known))}",
        )
    if not found:
        raise UsageError(
            f"{folder} holds no templates", hint="put them into its folder package/, as NAME.jinja"
        )
    return found


def templates_digest(folder: Path) -> str:
    """Give the SHA-256 of the user's templates: what is written depends on it.

    Raises:
        UsageError: They cannot be read.
    """
    digest = hashlib.sha256()
    for path in own_templates(folder):
        try:
            content = path.read_bytes()
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise UsageError(f"{path} cannot be read: {reason}") from error
        digest.update(f"{path.name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


@lru_cache(maxsize=8)
def templates(folder: Path | None = None, digest: str = "") -> Templates:
    """Give the templates of `folder` over the built-in ones, compiled once a process.

    Args:
        folder: The user's folder.
        digest: What its templates hold, so that changed ones are read again.
    """
    del digest
    return Templates(folder)
