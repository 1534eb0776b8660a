"""The prompts: our own fixed words, as files beside the templates."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import doc2tools.templates

FOLDER = Path(str(doc2tools.templates.__file__)).parent / "prompts"


@cache
def prompt(name: str) -> str:
    """Give the prompt `templates/prompts/NAME.md`; nothing is ever filled into it."""
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8").strip()
    if not text or not text.isascii():
        raise AssertionError(f"the prompt {name} is not plain ASCII text")
    return text
