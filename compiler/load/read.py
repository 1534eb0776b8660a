"""One page's bytes to a `Document`; whatever the bytes are, a document comes back."""

from __future__ import annotations

from doc2tools.compiler.ir.document import Document
from doc2tools.compiler.ir.source import Diagnostic, Span
from doc2tools.compiler.load.encodings import MAX_BYTES, decode
from doc2tools.compiler.load.html import read_html
from doc2tools.compiler.load.markdown import read_markdown
from doc2tools.compiler.load.source import Source
from doc2tools.compiler.load.text import read_text


def read_document(source: Source) -> Document:
    """Read an HTML, Markdown or plain-text page; what is wrong with it is in its diagnostics."""
    span = Span(page=source.name, start=1, end=1)
    form = "html" if source.media == "html" else source.media
    if form == "openapi":
        form = "text"
    decoded = decode(source.data, html=form == "html")
    if decoded.binary:
        found = Diagnostic(
            code="page-binary",
            level="error",
            span=span,
            message="the file is not text, although its name says so",
            hint="leave it out, or save the page again as text",
        )
        return Document(page=source.name, url=source.url, format=form, diagnostics=(found,))
    read = {"html": read_html, "markdown": read_markdown, "text": read_text}[form]
    document = read(decoded.text, source.name, source.url)
    extra: list[Diagnostic] = []
    if decoded.truncated:
        extra.append(
            Diagnostic(
                code="page-truncated",
                level="warning",
                span=span,
                message=f"only the first {MAX_BYTES:,} bytes of the page were read",
                hint="split the page",
            )
        )
    if decoded.lossy:
        extra.append(
            Diagnostic(
                code="page-undecodable",
                level="warning",
                span=span,
                message="some bytes fit no encoding that the page declares; they were replaced",
                hint="save the page as UTF-8",
            )
        )
    if not extra:
        return document
    return document.model_copy(update={"diagnostics": (*extra, *document.diagnostics)})
