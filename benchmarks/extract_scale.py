"""Extraction over generated folders of 100, 1,000 and 10,000 pages: time, memory, completeness.

    python -m benchmarks.extract_scale [PAGES …] [--uniform]

Half of the pages are Markdown in four styles, half HTML in four; each documents one to fifteen
endpoints, so that 150 pages hold about 1,150. With `--uniform` all pages are HTML of one style with
one endpoint each, and every fifty-fourth has two. Each size runs in a process of its own. Printed:
the share of endpoints found, seconds, milliseconds a page (which stay flat if time is linear), and
the peak of resident memory.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

from doc2tools.compiler.ir.options import CompileOptions, LimitOptions
from doc2tools.compiler.pipeline import extract_docs

NOUNS = (
    "order", "invoice", "shipment", "customer", "voucher", "parcel", "locker", "courier",
    "refund", "depot", "pallet", "manifest", "carrier", "tariff", "permit",
)  # fmt: skip
Route = tuple[str, str, str, str]
"""Method, path, noun, sentence."""


def routes(page: int, number_of: int = 0) -> list[Route]:
    """Give the endpoints of one page: between one and fifteen, no two pages alike."""
    found: list[Route] = []
    for number in range(number_of or 1 + (page * 7) % 15):
        noun = NOUNS[number % len(NOUNS)]
        path = f"/v2/area{page}/{noun}s"
        kind = (page + number) % 3
        if kind == 0:
            found.append(("GET", path, noun, f"Lists the {noun}s of the area."))
        elif kind == 1:
            found.append(("GET", f"{path}/{{{noun}_id}}", noun, f"Returns one {noun}."))
        else:
            found.append(("POST", path, noun, f"Adds a {noun}."))
    return found


def markdown_headings(page: int) -> str:
    """A heading, a code span and a parameter table for each endpoint."""
    lines = [f"# Area {page}", ""]
    for method, path, noun, text in routes(page):
        lines += [f"## {text[:-1]}", "", f"`{method} {path}`", "", text, ""]
        lines += ["| Name | Type | Description |", "|---|---|---|"]
        lines += [f"| `{noun}_code` | string | the code of the {noun} |", ""]
    return "\n".join(lines)


def markdown_table(page: int) -> str:
    """One table of all endpoints."""
    lines = [f"# Area {page}", "", "| Method | Path | Description |", "|---|---|---|"]
    lines += [f"| {method} | `{path}` | {text} |" for method, path, _, text in routes(page)]
    return "\n".join(lines) + "\n"


def markdown_list(page: int) -> str:
    """A bullet list."""
    lines = [f"# Area {page}", ""]
    lines += [f"- `{method} {path}` - {text}" for method, path, _, text in routes(page)]
    return "\n".join(lines) + "\n"


def markdown_fences(page: int) -> str:
    """Fenced blocks under headings, then a list of parameters."""
    lines = [f"# Area {page}", ""]
    for method, path, noun, text in routes(page):
        lines += [f"### {text[:-1]}", "", "```", f"{method} {path}", "```", "", text, ""]
        lines += [f"- `{noun}_code` (string, optional): the code of the {noun}", ""]
    return "\n".join(lines)


def html(
    page: int,
    body: Callable[[Route], str],
    before: str = "",
    after: str = "",
    number_of: int = 0,
) -> str:
    """Put endpoints between a site's usual navigation and footer."""
    links = "".join(f'<li><a href="/docs/{noun}">{noun}</a></li>' for noun in NOUNS)
    shown = "\n".join(body(route).replace("{", "&#123;") for route in routes(page, number_of))
    return (
        f"<!DOCTYPE html><html><head><title>Area {page}</title></head><body>"
        f"<nav><ul>{links}</ul></nav>\n<main><h1>Area {page}</h1>\n{before}{shown}{after}</main>"
        "\n<footer>Contact us, <a href='/imprint'>imprint</a></footer></body></html>"
    )


def html_headings(page: int) -> str:
    """Headings that hold verb and path."""
    return html(page, lambda r: f"<h2>{r[0]} <code>{r[1]}</code></h2><p>{r[3]}</p>")


def html_table(page: int) -> str:
    """One table of all endpoints."""
    head = "<table><tr><th>Method</th><th>URL</th><th>Description</th></tr>"
    return html(
        page, lambda r: f"<tr><td>{r[0]}</td><td>{r[1]}</td><td>{r[3]}</td></tr>", head, "</table>"
    )


def html_badges(page: int) -> str:
    """A badge with the verb beside the path."""
    return html(
        page,
        lambda r: (
            f'<section><h3>{r[3]}</h3><div><span class="badge">{r[0]}</span> '
            f"<code>{r[1]}</code></div></section>"
        ),
    )


def html_definitions(page: int) -> str:
    """A definition list."""
    return html(
        page, lambda r: f"<dt><code>{r[0]} {r[1]}</code></dt><dd>{r[3]}</dd>", "<dl>", "</dl>"
    )


STYLES: tuple[tuple[str, Callable[[int], str]], ...] = (
    ("md", markdown_headings), ("html", html_headings), ("md", markdown_table),
    ("html", html_table), ("md", markdown_list), ("html", html_badges),
    ("md", markdown_fences), ("html", html_definitions),
)  # fmt: skip


def write(folder: Path, pages: int, *, uniform: bool) -> set[tuple[str, str]]:
    """Write the folder and give its endpoints as (method, path)."""
    wanted: set[tuple[str, str]] = set()
    for page in range(pages):
        if uniform:
            number_of = 2 if page % 54 == 0 else 1
            text = html(
                page,
                lambda r: (
                    f"<h2>{r[3]}</h2><pre>{r[0]} {r[1]}</pre><table><tr><th>Parameter</th>"
                    f"<th>Description</th></tr><tr><td>{r[2]}_code</td><td>which {r[2]}</td></tr>"
                    "</table>"
                ),
                number_of=number_of,
            )
            (folder / f"area{page:05}.html").write_text(text, encoding="utf-8")
            wanted |= {(method, path) for method, path, _, _ in routes(page, number_of)}
            continue
        suffix, style = STYLES[page % len(STYLES)]
        (folder / f"area{page:05}.{suffix}").write_text(style(page), encoding="utf-8")
        wanted |= {(method, path) for method, path, _, _ in routes(page)}
    return wanted


def measure(pages: int, uniform: bool, pipe: Connection) -> None:
    """Extract a folder of `pages` pages and send the figures."""
    with tempfile.TemporaryDirectory() as name:
        wanted = write(Path(name), pages, uniform=uniform)
        options = CompileOptions(limits=LimitOptions(pages=pages))
        began = time.perf_counter()
        result = extract_docs([name], options, state=None)
        seconds = time.perf_counter() - began
    found = {(one.method.value, one.path.value) for page in result.drafts for one in page.endpoints}
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    pipe.send((len(wanted), len(wanted & found), len(found - wanted), seconds, memory))


def main() -> None:
    """Print a line for each size."""
    uniform = "--uniform" in sys.argv
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()] or [100, 1_000, 10_000]
    for pages in sizes:
        ours, theirs = multiprocessing.Pipe()
        process = multiprocessing.get_context("spawn").Process(
            target=measure, args=(pages, uniform, theirs)
        )
        process.start()
        wanted, right, extra, seconds, memory = ours.recv()
        process.join()
        print(
            f"{pages:>6} pages, {wanted} endpoints: {right} found, {extra} more; {seconds:.1f} s, "
            f"{1000 * seconds / pages:.2f} ms a page, peak {memory:.0f} MB"
        )


if __name__ == "__main__":
    main()
