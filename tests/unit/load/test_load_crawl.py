from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.options import LimitOptions
from doc2tools.compiler.load.addresses import Prefix, resolve
from doc2tools.compiler.load.crawl import USER_AGENT
from doc2tools.compiler.load.discover import discover

Answer = tuple[int, dict[str, str], bytes]
HTML = {"Content-Type": "text/html; charset=utf-8"}


@dataclass
class Site:
    """A site on loopback and what was asked of it."""

    address: str = ""
    pages: dict[str, Answer] = field(default_factory=dict[str, Answer])
    asked: list[str] = field(default_factory=list[str])
    agents: set[str] = field(default_factory=set[str])

    def page(self, path: str, body: str) -> None:
        self.pages[path] = (200, HTML, body.encode())


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            site.agents.add(self.headers["User-Agent"])
            status, headers, body = site.pages.get(self.path, (404, HTML, b"none"))
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        site.address = f"http://127.0.0.1:{server.server_address[1]}"
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield site
        server.shutdown()
        thread.join()


def crawl(site: Site, path: str, pages: int = 50) -> tuple[list[str], list[str]]:
    sources, diagnostics = discover([site.address + path], LimitOptions(pages=pages, timeout=5))
    return [source.name for source in sources], [diagnostic.code for diagnostic in diagnostics]


def test_the_pages_below_the_prefix_are_read_once_each(site: Site) -> None:
    site.page(
        "/docs/",
        '<a href="boats.html#list">b</a><a href="boats.html">b</a><a href="/docs/deep/tides/">t</a>'
        '<a href="/blog/">no</a><a href="http://elsewhere.test/docs/">no</a>'
        '<a href="logo.png">no</a><a href="?page=2">no</a><a href="/docs/../admin">no</a>',
    )
    site.page("/docs/boats.html", "<p>GET /boats</p>")
    site.page("/docs/deep/tides/", "<p>GET /tides</p>")
    assert crawl(site, "/docs/") == (["index.html", "boats.html", "deep/tides/index.html"], [])
    assert site.asked == ["/robots.txt", "/docs/", "/docs/boats.html", "/docs/deep/tides/"]
    assert site.agents == {USER_AGENT}


def test_robots_txt_is_obeyed(site: Site) -> None:
    site.pages["/robots.txt"] = (200, {}, b"User-agent: *\nDisallow: /docs/private")
    site.page("/docs/", '<a href="private/x">x</a><a href="open">o</a>')
    site.page("/docs/open", "<p>GET /open</p>")
    assert crawl(site, "/docs/")[0] == ["index.html", "open.html"]
    assert "/docs/private/x" not in site.asked


def test_a_start_that_robots_txt_forbids_is_a_usage_error(site: Site) -> None:
    site.pages["/robots.txt"] = (200, {}, b"User-agent: doc2tools\nDisallow: /")
    with pytest.raises(UsageError, match=r"robots\.txt"):
        crawl(site, "/docs/")


def test_the_limit_on_pages_holds_and_is_said(site: Site) -> None:
    site.page("/", "".join(f'<a href="/p{n}">{n}</a>' for n in range(20)))
    for number in range(20):
        site.page(f"/p{number}", f"<p>page {number}</p>")
    names, codes = crawl(site, "/", pages=5)
    assert len(names) == 5
    assert codes == ["crawl-limit"]


def test_redirects_stay_within_the_prefix(site: Site) -> None:
    site.page("/docs/", '<a href="old">o</a><a href="out">x</a><a href="loop">l</a>')
    site.pages["/docs/old"] = (301, {"Location": "/docs/new"}, b"")
    site.pages["/docs/out"] = (302, {"Location": "/login"}, b"")
    site.pages["/docs/loop"] = (302, {"Location": "/docs/loop"}, b"")
    site.page("/docs/new", "<p>GET /new</p>")
    names, codes = crawl(site, "/docs/")
    assert names == ["index.html", "new.html"]
    assert codes == ["crawl-failed", "crawl-failed"]
    assert "/login" not in site.asked


def test_a_redirect_of_the_start_moves_the_prefix(site: Site) -> None:
    site.pages["/docs"] = (302, {"Location": "/guide/"}, b"")
    site.page("/guide/", '<p>GET /x</p><a href="/docs/old">old</a><a href="x">x</a>')
    site.page("/guide/x", "<p>GET /y</p>")
    assert crawl(site, "/docs")[0] == ["index.html", "x.html"]


def test_other_kinds_and_failures_are_left_out(site: Site) -> None:
    site.page(
        "/", '<a href="/a.json">a</a><a href="/feed">f</a><a href="/gone">g</a><a href="/m">m</a>'
    )
    site.pages["/a.json"] = (200, {"Content-Type": "application/json"}, b'{"openapi": "3.0.0"}')
    site.pages["/feed"] = (200, {"Content-Type": "application/pdf"}, b"%PDF")
    site.pages["/m"] = (200, {"Content-Type": "text/markdown"}, b"# M\n[next](/n.md)")
    site.pages["/n.md"] = (200, {"Content-Type": "text/plain"}, b"# N")
    names, codes = crawl(site, "/")
    assert names == ["index.html", "a.json", "m.md", "n.md"]
    assert codes == ["crawl-failed"]


def test_the_encoding_that_the_server_states_counts(site: Site) -> None:
    headers = {"Content-Type": "text/html; charset=windows-1250"}
    site.pages["/"] = (200, headers, "<p>Żółw".encode("cp1250"))
    sources, _ = discover([f"{site.address}/"], LimitOptions())
    assert "Żółw" in sources[0].data.decode("utf-8-sig")
    assert sources[0].url == f"{site.address}/"


@pytest.mark.parametrize("path", ["/missing", "/image"])
def test_a_start_that_is_no_page_is_a_usage_error(site: Site, path: str) -> None:
    site.pages["/image"] = (200, {"Content-Type": "image/png"}, b"\x89PNG")
    with pytest.raises(UsageError) as caught:
        crawl(site, path)
    assert caught.value.hint


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:1/", "http://user:secret@127.0.0.1/", "http://", "http://[bad/"]
)
def test_a_bad_address_is_a_usage_error_without_secrets(address: str) -> None:
    with pytest.raises(UsageError) as caught:
        discover([address], LimitOptions(timeout=2))
    assert "secret" not in str(caught.value)


def test_names_are_safe_as_file_paths() -> None:
    prefix = Prefix("https://a.test/docs/")
    assert prefix.name("https://a.test/docs/%2e%2e/x%20y/z", "html") == "x_y/z.html"
    assert prefix.name("https://a.test/docs/a.html", "html") == "a.html"
    assert prefix.name("https://a.test/docs/v1.2", "html") == "v1.2.html"
    assert not prefix.holds("https://a.test/docs/%2e%2e/admin")
    assert not prefix.holds("https://a.test.evil.test/docs/x")


def test_only_pages_are_linked() -> None:
    base = "https://a.test/docs/"
    assert resolve(base, "x#y") == "https://a.test/docs/x"
    for link in ("#y", "mailto:a@b.test", "javascript:x", "a.pdf", "x?y=1", "http://[", ""):
        assert resolve(base, link) == ""
