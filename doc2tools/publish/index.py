"""What a package index holds already: the simple repository API (PEP 503, PEP 691).

In go the index's address and a distribution's name; out come its versions, and the manifest of one.
What an index answers is read with bounds: it may be anybody's.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast
from urllib.parse import urljoin, urlsplit

import requests
from bs4 import BeautifulSoup
from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import Version
from pydantic import JsonValue

from doc2tools.compiler.ir.errors import PublishError
from doc2tools.toolkits import MANIFEST

__all__ = ["Published", "manifest_of", "published"]

Auth = tuple[str, str] | None

ACCEPT = "application/vnd.pypi.simple.v1+json, text/html;q=0.5"
PAGE_BYTES = 20_000_000
WHEEL_BYTES = 100_000_000
MANIFEST_BYTES = 50_000_000
SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Published:
    """What an index has of one distribution.

    Attributes:
        simple: The index's root for installers; "" where it has none of our guesses.
        files: File name to address, for each version.
    """

    simple: str
    files: dict[Version, dict[str, str]]

    @property
    def latest(self) -> Version | None:
        """The newest version, or None."""
        return max(self.files, default=None)


def simple_roots(url: str) -> tuple[str, ...]:
    """Give where the usual servers list what is uploaded to `url`."""
    root = url.rstrip("/")
    parts = urlsplit(url)
    if parts.hostname in {"upload.pypi.org", "test.pypi.org"}:
        host = "pypi.org" if parts.hostname == "upload.pypi.org" else "test.pypi.org"
        return (f"https://{host}/simple",)
    if root.endswith(("/simple", "/+simple")):
        return (root,)
    return (f"{root}/+simple", f"{root}/simple")


def published(url: str, distribution: str, auth: Auth, simple: str = "") -> Published:
    """Ask an index for the versions of a distribution.

    Args:
        url: Where packages are uploaded to.
        distribution: The distribution's name.
        auth: User name and password, if the index wants them for reading.
        simple: Where installers look, if it is none of the usual places.

    Raises:
        PublishError: The index does not answer, or wants other credentials.
    """
    name = canonicalize_name(distribution)
    roots = (simple.rstrip("/"),) if simple else simple_roots(url)
    for root in roots:
        page = f"{root}/{name}/"
        response, content = _get(page, auth, PAGE_BYTES)
        if response.status_code in {401, 403}:
            raise PublishError(
                f"the index refused to list {name}: {response.status_code} at {page}",
                hint="give credentials: keyring, .pypirc, or TWINE_USERNAME and TWINE_PASSWORD",
            )
        if response.status_code == 200:
            files: dict[Version, dict[str, str]] = {}
            for file, address in _links(response, content):
                version = _version(file, name)
                if version is not None:
                    files.setdefault(version, {})[file] = address
            if files:
                return Published(root, files)
        elif response.status_code != 404:
            raise PublishError(
                f"the index answered {response.status_code} at {page}",
                hint="check --index, or name the place for installers with --simple-url",
            )
    return Published("", {})


def manifest_of(found: Published, version: Version, auth: Auth) -> dict[str, JsonValue] | None:
    """Give the manifest inside a published wheel, or None where there is none to be read."""
    for name, address in sorted(found.files.get(version, {}).items()):
        if not name.endswith(".whl"):
            continue
        same = urlsplit(address).netloc == urlsplit(found.simple).netloc
        response, content = _get(address, auth if same else None, WHEEL_BYTES)
        if response.status_code == 200:
            return _manifest_in(content)
    return None


def _get(url: str, auth: Auth, limit: int) -> tuple[requests.Response, bytes]:
    try:
        with requests.Session() as session:
            response = session.get(
                url, auth=auth, timeout=SECONDS, headers={"Accept": ACCEPT}, stream=True
            )
            with response:
                content = response.raw.read(limit + 1, decode_content=True)
    except (requests.RequestException, OSError) as fault:
        raise PublishError(
            f"the index does not answer at {url}: {type(fault).__name__}",
            hint="check --index and the network",
        ) from fault
    if len(content) > limit:
        raise PublishError(f"the index answered more than {limit:,} bytes at {url}")
    return response, content


def _links(response: requests.Response, content: bytes) -> Iterator[tuple[str, str]]:
    """Give file names and addresses of a project's page, JSON or HTML."""
    if "json" in response.headers.get("content-type", ""):
        try:
            page: object = json.loads(content)
        except (ValueError, RecursionError):
            return
        files = cast("dict[str, object]", page).get("files") if isinstance(page, dict) else None
        for file in cast("list[object]", files) if isinstance(files, list) else []:
            entry = cast("dict[str, object]", file) if isinstance(file, dict) else {}
            name, address = entry.get("filename"), entry.get("url")
            if isinstance(name, str) and isinstance(address, str):
                yield name, urljoin(response.url, address)
        return
    for link in BeautifulSoup(content, "html.parser").find_all("a", href=True):
        yield link.get_text().strip(), urljoin(response.url, str(link["href"])).partition("#")[0]


def _version(file: str, name: str) -> Version | None:
    try:
        if file.endswith(".whl"):
            found, version, _, _ = parse_wheel_filename(file)
        else:
            found, version = parse_sdist_filename(file)
    except (InvalidWheelFilename, InvalidSdistFilename, ValueError):
        return None
    return version if found == name else None


def _manifest_in(wheel: bytes) -> dict[str, JsonValue] | None:
    try:
        with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
            places = [
                entry
                for entry in archive.infolist()
                if entry.filename.count("/") == 1 and entry.filename.endswith(f"/{MANIFEST}")
            ]
            if len(places) != 1 or places[0].file_size > MANIFEST_BYTES:
                return None
            with archive.open(places[0]) as file:
                content = file.read(MANIFEST_BYTES + 1)
        value: object = json.loads(content)
    except (zipfile.BadZipFile, OSError, ValueError, RecursionError, NotImplementedError):
        return None
    return cast("dict[str, JsonValue]", value) if isinstance(value, dict) else None
