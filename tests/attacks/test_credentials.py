"""A planted credential is searched for in all that a compile leaves, says and shows while it runs.

The server gives it back in every form it can think of. A compile that succeeds, one that fails, and
one that is killed in the middle; files, output, process list, the package, state and recordings.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from tests.attacks.attack import Attack, attacks
from tests.attacks.raw_server import RawServer, answer

SECRET = 'kH7/planted "93xQ+zZ'  # noqa: S105 (invented)
SHOWS_NOTHING = "import sys; from doc2tools.cli.main import run; run()"
WITHOUT_REDACTION = "\n".join(
    [
        "from doc2tools.sandbox.redaction import Redactor",
        "for name in ('text', 'data', 'headers'):",
        "    setattr(Redactor, name, lambda self, value: value)",
        SHOWS_NOTHING,
    ]
)
FORMS = {
    "plain": SECRET,
    "json": json.dumps(SECRET)[1:-1],
    "percent": quote(SECRET, safe=""),
    "plus": quote_plus(SECRET),
    "base64": base64.b64encode(SECRET.encode()).decode().rstrip("="),
    "base64-url": base64.urlsafe_b64encode(SECRET.encode()).decode().rstrip("="),
    "base64-1": base64.b64encode(b"x" + SECRET.encode()).decode(),
    "base64-2": base64.b64encode(b"xx" + SECRET.encode() + b":more").decode(),
    "basic": base64.b64encode(f"reader:{SECRET}".encode()).decode(),
    "hex": SECRET.encode().hex(),
    "twice-percent": quote(quote(SECRET, safe=""), safe=""),
}
SEARCHED = {
    # In base64, what stands before and after it changes the ends: the middle is looked for.
    name: form[12:-8] if name in ("base64-1", "base64-2", "basic") else form
    for name, form in FORMS.items()
}
PAGE = """
# Plant API

Base URL: `@BASE_URL@`

## Status

`GET /status`

## Me

`GET /me`

## Moved

`GET /moved`

## Slow

`GET /slow`
"""


def found_in(data: bytes) -> list[str]:
    """Tell in which forms the credential is in some bytes."""
    text = data.decode("latin-1").lower()
    return [name for name, form in SEARCHED.items() if form.lower() in text]


def searched(folder: Path) -> dict[str, list[str]]:
    """Give the files below `folder` that hold it, in their names or in what they hold."""
    found: dict[str, list[str]] = {}
    for path in folder.rglob("*"):
        forms = found_in(os.fsencode(str(path.relative_to(folder))))
        if path.is_file():
            data = path.read_bytes()
            if data[:2] == b"\x1f\x8b":
                data = gzip.decompress(data)
            forms += found_in(data)
        if forms:
            found[str(path)] = forms
    return found


def _family(pid: int) -> Iterable[int]:
    yield pid
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        for task in tasks:
            for child in (task / "children").read_text().split():
                yield from _family(int(child))
    except OSError:
        return


def shown_by_processes(pid: int) -> list[str]:
    """Tell where the process list shows it: command lines of all, environment of the children."""
    found: list[str] = []
    own = _read(pid, "cmdline")
    for number in _family(pid):
        if number != pid and _read(number, "cmdline") == own:
            continue  # between fork and exec it is still a copy
        for name in ("cmdline", "environ") if number != pid else ("cmdline",):
            data = _read(number, name)
            said = _read(number, "cmdline")[:60]
            found += [f"{name} of {said!r}: {form}" for form in found_in(data)]
    return found


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def _echo(head: bytes = b"", status: str = "200 OK") -> Callable[[str], Iterable[bytes]]:
    start = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nConnection: close\r\n".encode()

    def reply(request: str) -> Iterable[bytes]:
        body = {"request": request, "ok": True, **FORMS}
        own = (
            f"X-Echo: {FORMS['percent']} {FORMS['base64']}\r\nSet-Cookie: a={FORMS['percent']}\r\n"
        )
        yield answer(json.dumps(body).encode(), head + own.encode(), start)

    return reply


def _slow(_: str) -> Iterable[bytes]:
    time.sleep(5)
    yield answer(b'{"slow": true}')


def serve(server: RawServer, *, ends: str) -> None:
    """Have the server give back what it gets, in answers of all kinds."""
    fails = ends == "failed"
    status = "500 Internal Server Error" if fails else "200 OK"
    server.replies["/status"] = _echo(status=status)
    server.replies["/me"] = _echo(status="401 Unauthorized" if fails else "200 OK")
    location = f"Location: /status?again={FORMS['percent']}\r\n".encode()
    server.replies["/moved"] = _echo(location, "302 Found")
    if ends == "killed":
        server.replies["/slow"] = _slow
    server.replies["/login"] = _echo()


@contextmanager
def running(
    attack: Attack, folder: Path, server: RawServer, program: str
) -> Generator[subprocess.Popen[bytes]]:
    """Run a compile with the attack's configuration; all it can write to is below `folder`."""
    for name in ("docs", "home", "tmp"):
        (folder / name).mkdir()
    (folder / "docs" / "api.md").write_text(PAGE.replace("@BASE_URL@", server.base_url))
    (folder / "docs" / "doc2tools.toml").write_text(attack.material["config"])
    environment = {
        "PATH": os.environ["PATH"],
        "PLANTED": SECRET,
        "HOME": str(folder / "home"),
        "TMPDIR": str(folder / "tmp"),
    }
    if attack.material.get("in_file"):
        # Beside the folder that is searched, as the user's own copy is no leak.
        secret_file = folder.parent / f"{folder.name}-secret"
        secret_file.write_text(SECRET + "\n")
        config = folder / "docs" / "doc2tools.toml"
        config.write_text(config.read_text().replace("@SECRET_FILE@", str(secret_file)))
        del environment["PLANTED"]
    command = [sys.executable, "-c", program, "compile", str(folder / "docs"), "--allow", "GET"]
    command += ["--base-url", server.base_url, "--out", str(folder / "out"), "--name", "plant"]
    command += ["--timeout", "5", *attack.material.get("arguments", [])]
    with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, env=environment, cwd=folder)
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def leaks(attack: Attack, folder: Path, server: RawServer, program: str) -> list[str]:
    """Run the compile to its end, or to where it is killed, and give all places that show it."""
    ends = attack.material["ends"]
    serve(server, ends=ends)
    shown: set[str] = set()
    with running(attack, folder, server, program) as process:
        end = time.monotonic() + 40
        while process.poll() is None and time.monotonic() < end:
            shown.update(shown_by_processes(process.pid))
            asked = any("GET /slow" in request for request in server.seen)
            if ends == "killed" and asked and list((folder / "out").rglob("calls/*/*.json")):
                process.send_signal(signal.SIGKILL)
            time.sleep(0.1)
        code = process.wait()
    error = (folder / "stderr").read_text()
    assert code in {"done": (0, 1), "failed": (1, 2), "killed": (-9,)}[ends], error
    # Else it would be no wonder that nothing shows it.
    carried = attack.material["carried"]
    assert any(re.search(carried, request, re.I) for request in server.seen), server.seen[:3]
    return sorted([*shown, *(f"{path}: {forms}" for path, forms in searched(folder).items())])


@attacks("credentials")
def test_fails(attack: Attack, bubblewrap: None, server: RawServer, tmp_path: Path) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    assert leaks(attack, folder, server, SHOWS_NOTHING) == []
    if attack.material["ends"] != "failed":
        assert list((folder / "out").rglob("calls/*/*.json"))
    if attack.material["ends"] == "done":
        assert list((folder / "out" / "plant" / "src").rglob("*.py"))


@attacks("credentials", unguarded=True)
def test_succeeds_without_its_defence(
    attack: Attack, bubblewrap: None, server: RawServer, tmp_path: Path
) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    found = leaks(attack, folder, server, WITHOUT_REDACTION)
    assert any(attack.without["place"] in place for place in found), found


@pytest.mark.parametrize("name", sorted(FORMS))
def test_the_search_finds_each_form(name: str, tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"before " + FORMS[name].encode() + b" after")
    (tmp_path / "packed").write_bytes(gzip.compress(FORMS[name].encode()))
    found = searched(tmp_path)
    assert name in found[str(tmp_path / "log")]
    assert name in found[str(tmp_path / "packed")]
