"""An address to pages: a polite crawl below the address's own prefix.

One request at a time, `robots.txt` obeyed, a stated user agent, sizes and times bounded.
"""

from __future__ import annotations

import re
import time
from collections import deque
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit, urlunsplit

import requests
import urllib3
from protego import Protego

from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.options import LimitOptions
from doc2tools.compiler.ir.source import Diagnostic, DiagnosticCode, Level, Span
from doc2tools.compiler.load.addresses import Prefix, host_of, is_loopback, resolve
from doc2tools.compiler.load.bounded import PageTimeoutError, time_limit
from doc2tools.compiler.load.dom import parse
from doc2tools.compiler.load.encodings import MAX_BYTES, decode, is_binary
from doc2tools.compiler.load.media import CONTENT_TYPES, media_of
from doc2tools.compiler.load.source import Source

USER_AGENT = "doc2tools/0.1 (API documentation compiler; obeys robots.txt)"
DELAY = 0.5
"""Seconds between two requests to a host that is not this machine, unless it asks for more."""

MAX_DELAY = 10.0
MAX_HOPS = 5
PATIENCE = 4
"""Times the timeout that the headers, and then the body, of a page may take in all."""
_MARKDOWN_LINK = re.compile(r"\]\(([^()\s]{1,1000})")


class _FetchError(Exception):
    """A page that could not be had; the text says why."""


@dataclass(frozen=True, slots=True)
class _Page:
    address: str
    data: bytes
    content_type: str
    charset: str


def crawl(address: str, limits: LimitOptions) -> tuple[list[Source], list[Diagnostic]]:
    """Fetch the page at `address` and the pages below it that it leads to.

    Raises:
        UsageError: the first page cannot be had.
    """
    try:
        parts = urlsplit(address)
    except ValueError as error:
        raise UsageError(f"{address}: {error}", "write it as https://host/path") from error
    if "@" in parts.netloc:
        raise UsageError(
            "the address holds a credential, which may not be given on the command line",
            "download the pages and compile the folder",
        )
    if not parts.hostname or not host_of(parts):
        raise UsageError(f"{address}: is no address", "write it as https://host/path")
    start = urlunsplit((parts.scheme.lower(), parts.netloc, parts.path or "/", parts.query, ""))
    with requests.Session() as session:
        session.headers["User-Agent"] = USER_AGENT
        session.headers["Accept"] = "text/html, text/markdown, text/plain, application/json"
        return _Crawler(session, start, limits).run()


class _Crawler:
    def __init__(self, session: requests.Session, start: str, limits: LimitOptions) -> None:
        self.session = session
        self.start = start
        self.limits = limits
        self.prefix = Prefix(start)
        self.robots: Protego | None = None
        self.delay = 0.0 if is_loopback(start) else DELAY
        if limits.requests_per_second and not is_loopback(start):
            self.delay = max(self.delay, 1 / limits.requests_per_second)
        self.last = 0.0
        self.diagnostics: list[Diagnostic] = []

    def run(self) -> tuple[list[Source], list[Diagnostic]]:
        self._read_robots()
        if not self._allowed(self.start):
            raise UsageError(
                f"{self.start}: the site's robots.txt does not allow it to be read",
                "download the pages with the owner's consent and compile the folder",
            )
        try:
            first = self._fetch(self.start, first=True)
        except _FetchError as error:
            raise UsageError(
                f"{self.start}: {error}",
                "check the address, or download the pages and compile the folder",
            ) from error
        sources: dict[str, Source] = {}
        contents: set[bytes] = set()
        queue: deque[str] = deque()
        known = {self.start, first.address}
        page: _Page | None = first
        fetched = 1
        while True:
            if page is not None and page.data not in contents:
                contents.add(page.data)
                for link in self._take(page, sources):
                    if link not in known and self.prefix.holds(link):
                        known.add(link)
                        queue.append(link)
            if not queue:
                break
            if fetched >= self.limits.pages:
                message = f"stopped after {fetched} pages; {len(queue)} more are linked"
                self._say("crawl-limit", "warning", self.start, message, "raise `limits.pages`")
                break
            address = queue.popleft()
            page = None
            if self._allowed(address):
                fetched += 1
                page = self._try(address, known)
        if not sources:
            raise UsageError(
                f"{self.start}: is no documentation page, but {first.content_type or 'unknown'}",
                "pages are HTML, Markdown, plain text or OpenAPI",
            )
        return list(sources.values()), self.diagnostics

    def _try(self, address: str, known: set[str]) -> _Page | None:
        try:
            page = self._fetch(address)
        except _FetchError as error:
            self._say("crawl-failed", "warning", address, str(error), "")
            return None
        if page.address != address:
            if page.address in known:
                return None
            known.add(page.address)
        return page

    def _take(self, page: _Page, sources: dict[str, Source]) -> list[str]:
        """Keep the page if it is documentation, and give the addresses that it links to."""
        name = urlsplit(page.address).path
        declared = CONTENT_TYPES.get(page.content_type)
        media = media_of(name, page.data, declared) if declared or not page.content_type else None
        if media is None or not page.data.strip() or is_binary(page.data):
            return []
        data = _as_utf8(page)
        name = self.prefix.name(page.address, media)
        number = 1
        stem, dot, suffix = name.rpartition(".")
        while name in sources:
            number += 1
            name = f"{stem}-{number}{dot}{suffix}"
        sources[name] = Source(name=name, data=data, media=media, url=page.address)
        if media == "html":
            return self._html_links(page, data)
        if media == "openapi":
            return []
        text = decode(data, html=False).text
        links = (resolve(page.address, found[1]) for found in _MARKDOWN_LINK.finditer(text))
        return [link for link in links if link]

    def _html_links(self, page: _Page, data: bytes) -> list[str]:
        root = parse(decode(data, html=True).text)
        base = page.address
        links: list[str] = []
        for node in root.nodes():
            if node.tag == "base" and node.get("href"):
                base = resolve(page.address, node.get("href")) or base
            elif node.tag == "meta" and node.get("name").lower() == "robots":
                if "nofollow" in node.get("content").lower():
                    return []
            elif node.tag == "a" and "nofollow" not in node.get("rel").lower():
                links.append(node.get("href"))
        return [link for link in (resolve(base, link) for link in links) if link]

    def _read_robots(self) -> None:
        parts = urlsplit(self.start)
        address = urlunsplit((parts.scheme, parts.netloc, "/robots.txt", "", ""))
        try:
            answer = self._get(address, follow=True)
            with answer:
                status = answer.status_code
                text = _body(answer, 500_000, self.limits.timeout).decode("utf-8", "replace")
        except (requests.RequestException, _FetchError, ValueError):
            return  # the page itself will say what is wrong with the host
        if status >= 500:
            # RFC 9309, section 2.3.1.4: a server error means that nothing may be crawled.
            text = "User-agent: *\nDisallow: /"
        elif status != 200:
            return
        self.robots = Protego.parse(text)
        asked = self.robots.crawl_delay("doc2tools")
        if asked and not is_loopback(self.start):
            self.delay = max(self.delay, min(float(asked), MAX_DELAY))

    def _allowed(self, address: str) -> bool:
        return self.robots is None or self.robots.can_fetch(address, "doc2tools")

    def _fetch(self, address: str, *, first: bool = False) -> _Page:
        """Get a page; redirects stay in the prefix, but the first page's may move it."""
        for _ in range(MAX_HOPS):
            self._wait()
            try:
                answer = self._get(address, follow=False)
                with answer:
                    if answer.is_redirect:
                        address = self._redirected(address, answer.headers["location"], first=first)
                        continue
                    if answer.status_code != 200:
                        raise _FetchError(f"the server answered {answer.status_code}")
                    data = _body(answer, MAX_BYTES + 1, self.limits.timeout * PATIENCE)
            except requests.RequestException as error:
                raise _FetchError(_reason(error)) from error
            except ValueError as error:
                raise _FetchError(f"the answer cannot be read: {error}") from error
            kind, _, rest = answer.headers.get("content-type", "").partition(";")
            charset = re.search(r"charset=\"?([\w.:-]{1,40})", rest, re.IGNORECASE)
            return _Page(address, data, kind.strip().lower(), charset[1] if charset else "")
        raise _FetchError("too many redirects")

    def _get(self, address: str, *, follow: bool) -> requests.Response:
        """Send the request and read the headers, which may drip as the body may."""
        try:
            with time_limit(self.limits.timeout * PATIENCE):
                return self.session.get(
                    address, timeout=self.limits.timeout, allow_redirects=follow, stream=True
                )
        except PageTimeoutError as error:
            raise _FetchError("the server answers too slowly") from error

    def _redirected(self, address: str, location: str, *, first: bool) -> str:
        target = urljoin(address, location).partition("#")[0]
        if first:
            before, after = urlsplit(address), urlsplit(target)
            same = (before.hostname or "").removeprefix("www.") == (
                after.hostname or ""
            ).removeprefix("www.")
            if not same or after.scheme not in ("http", "https"):
                raise _FetchError(f"it redirects to another host: {after.hostname}")
            if not self.prefix.holds(target):
                self.prefix = Prefix(target)
        elif not self.prefix.holds(target):
            raise _FetchError("it redirects out of the documentation")
        if not self._allowed(target):
            raise _FetchError("it redirects to where robots.txt does not allow")
        return target

    def _wait(self) -> None:
        left = self.last + self.delay - time.monotonic()
        if left > 0:
            time.sleep(left)
        self.last = time.monotonic()

    def _say(
        self, code: DiagnosticCode, level: Level, address: str, message: str, hint: str
    ) -> None:
        name = self.prefix.name(address, "html")
        span = Span(page=name, start=1, end=1)
        self.diagnostics.append(
            Diagnostic(
                code=code, level=level, span=span, message=f"{address}: {message}", hint=hint
            )
        )


def _body(answer: requests.Response, limit: int, seconds: float) -> bytes:
    """Read at most `limit` bytes, in at most `seconds`."""
    parts: list[bytes] = []
    size = 0
    end = time.monotonic() + seconds
    # Piece by piece as it comes: a server that drips is not waited for until a block is full.
    try:
        while size < limit and (chunk := answer.raw.read1(65_536, decode_content=True)):
            parts.append(chunk)
            size += len(chunk)
            if time.monotonic() > end:
                raise _FetchError("the server answers too slowly")
    except urllib3.exceptions.HTTPError as error:
        raise _FetchError(f"the answer cannot be read: {type(error).__name__}") from error
    return b"".join(parts)[:limit]


def _as_utf8(page: _Page) -> bytes:
    """Put a page whose server states another encoding into UTF-8, marked as such."""
    if not page.charset or page.charset.lower() in ("utf-8", "utf8", "us-ascii"):
        return page.data
    try:
        text = page.data.decode(page.charset)
    except (LookupError, ValueError):
        return page.data
    return b"\xef\xbb\xbf" + text.encode("utf-8", "replace")


def _reason(error: requests.RequestException) -> str:
    if isinstance(error, requests.exceptions.SSLError):
        return "its TLS certificate cannot be trusted"
    if isinstance(error, requests.Timeout):
        return "the server does not answer in time"
    if isinstance(error, requests.ConnectionError):
        return "the host cannot be reached"
    return f"cannot be fetched: {type(error).__name__}"
