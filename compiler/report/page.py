"""`report.html`: a self-contained page; no request leaves it, and no text of others is markup.

In go the manifest, the recorded calls and the dependency graph; out come the page's bytes, the same
for the same input.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

import doc2tools.templates
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.graph import DependencyGraph
from doc2tools.compiler.report.picture import draw
from doc2tools.compiler.report.view import report_view

__all__ = ["render_report"]

FOLDER = "report"


def render_report(
    manifest: Mapping[str, JsonValue],
    recordings: Sequence[JsonValue],
    graph: DependencyGraph | None,
) -> bytes:
    """Write the page.

    Args:
        manifest: The content of `doc2tools.json`.
        recordings: The content of `tests/recordings.json`.
        graph: The dependency graph; None where none was built.
    """
    style, script = _asset("report.css"), _asset("report.js")
    picture = draw(graph) if graph is not None and graph.edges else None
    text = (
        _environment()
        .get_template("report.html.jinja")
        .render(
            report=report_view(manifest, recordings, graph),
            picture=picture,
            style=style,
            script=script,
            policy=_policy(style, script),
        )
    )
    return text.encode("utf-8", "replace")


def _policy(style: str, script: str) -> str:
    """Give the content security policy: our own style and script by their hashes, nothing else."""
    allowed = {
        "style-src": f"'sha256-{_sha256(style)}'",
        "script-src": f"'sha256-{_sha256(script)}'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    rules = "; ".join(f"{name} {value}" for name, value in allowed.items())
    return f"default-src 'none'; {rules}"


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _environment() -> Environment:
    place = doc2tools.templates.__path__[0]
    return Environment(
        loader=FileSystemLoader(f"{place}/{FOLDER}"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _asset(name: str) -> str:
    environment = _environment()
    assert environment.loader is not None, "the environment above has one"  # noqa: S101 - as said
    return environment.loader.get_source(environment, name)[0]
