"""Names of pages that want to be paths elsewhere: files, folders, links, addresses."""

from __future__ import annotations

import gzip
import os
import time
from pathlib import Path

import pytest

from doc2tools.cli.main import main
from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.options import LimitOptions
from doc2tools.compiler.load import addresses, discover
from doc2tools.compiler.load.crawl import crawl
from doc2tools.compiler.load.encodings import MAX_BYTES
from tests.attacks.attack import Attack, attacks
from tests.attacks.raw_server import RawServer, answer, drip

PAGE = "# Weather API\n\nBase URL: `https://weather.example/v1`\n\n## Read\n\n`GET /items`\n"
SECRET = "kH7-planted-secret"  # noqa: S105 (invented)


def everything(folder: Path) -> dict[str, bytes]:
    """Give all files below `folder`."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def extract(attack: Attack, folder: Path, server: RawServer) -> tuple[set[str], str]:
    """Extract from the attack's documentation; give the paths written and their text."""
    docs = folder / "one" / "two" / "docs"
    docs.mkdir(parents=True)
    (folder / "secret.md").write_text(f"{PAGE}\n{SECRET}\n`GET /{SECRET}`\n")
    (folder / "keys").mkdir()
    (folder / "keys" / "more.md").write_text(f"{PAGE}\n`GET /{SECRET}`\n")
    out = folder / "one" / "two" / "out"
    given = str(docs)
    for name, text in attack.material.get("files", {}).items():
        path = docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text or PAGE)
    for name, target in attack.material.get("links", {}).items():
        (docs / name).symlink_to(target.replace("@FOLDER@", str(folder)))
    if "pages" in attack.material:
        for path, text in attack.material["pages"].items():
            server.replies[path] = answer(
                (text or PAGE).encode(),
                start=b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n",
            )
        given = server.base_url + attack.material["start"]
    before = everything(folder)
    main(["extract", given, "--out", str(out), "--quiet"])
    after = everything(folder)
    written = {path for path, data in after.items() if before.get(path) != data}
    return written, b"".join(after[path] for path in written).decode()


@attacks("docs-as-path")
def test_fails(attack: Attack, tmp_path: Path, server: RawServer) -> None:
    written, text = extract(attack, tmp_path, server)
    assert all(path.startswith("one/two/out/") for path in written), written
    assert len(written) >= attack.expect.get("written", 1)
    assert SECRET not in text
    for path in written:
        parts = Path(path).parts[3:]
        assert all(len(part) < 200 for part in parts)
        assert not any(character in path for character in "\0\n\r\x1b")
    asked = [request.split(" ")[1] for request in server.seen]
    assert not any(path.startswith("/keys") for path in asked), asked


def _any(*_: object) -> bool:
    return True


def _same(part: str) -> str:
    return part


def _no_link(_: Path) -> bool:
    return False


@attacks("docs-as-path", unguarded=True)
def test_succeeds_without_its_defence(
    attack: Attack, tmp_path: Path, server: RawServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    if attack.without["defence"] == "prefix":
        monkeypatch.setattr(addresses.Prefix, "holds", _any)
        monkeypatch.setattr(addresses, "_safe", _same)
    else:
        monkeypatch.setattr(discover.Path, "is_symlink", _no_link)
    written, text = extract(attack, tmp_path, server)
    outside = any(not path.startswith("one/two/out/") for path in written)
    asked = any("/keys" in request for request in server.seen)
    assert outside or asked or SECRET in text


def test_devices_are_not_read(tmp_path: Path) -> None:
    """A named pipe would be waited for, and a device never ends."""
    docs = tmp_path / "docs"
    docs.mkdir()
    os.mkfifo(docs / "pipe.md")
    (docs / "zero.md").symlink_to("/dev/zero")
    (docs / "api.md").write_text(PAGE)
    assert main(["extract", str(docs), "--out", str(tmp_path / "out"), "--quiet"]) == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["api.json"]


@pytest.mark.parametrize(
    "start",
    [
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9000\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX-Slow: ",
    ],
    ids=["body", "headers"],
)
def test_a_site_that_drips_is_not_waited_for(server: RawServer, start: bytes) -> None:
    """A byte now and then keeps every single read from timing out."""
    server.replies["/docs/"] = drip(start, 0.05, 100)
    started = time.monotonic()
    with pytest.raises(UsageError, match="slowly"):
        crawl(f"{server.base_url}/docs/", LimitOptions(timeout=0.1))
    assert time.monotonic() - started < 3


def test_a_page_that_is_a_bomb_is_cut(server: RawServer) -> None:
    body = gzip.compress(b"<p>nothing</p>" * 2_000_000)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
    server.replies["/docs/"] = answer(body, b"Content-Encoding: gzip\r\n", head)
    sources, _ = crawl(f"{server.base_url}/docs/", LimitOptions())
    assert len(sources[0].data) <= MAX_BYTES + 1
