"""Hostile code in the worker: what it tries fails there, and works where the walls are down."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path

import pytest

from doc2tools.compiler.ir.exchange import ToolRun
from doc2tools.sandbox import process
from doc2tools.sandbox.confinement import MEBIBYTE, Limits
from doc2tools.sandbox.sandbox import Sandbox
from tests.attacks.attack import Attack, attacks
from tests.attacks.conftest import new_gateway
from tests.attacks.raw_server import RawServer, answer, raw_server
from tests.attacks.toolkit import call, toolkit

PLANTED = "kH7-planted-secret-93xQ"
OpenSandbox = Callable[[str], tuple[Sandbox, RawServer]]
SMALL = Limits(cpu=2, file_size=2 * MEBIBYTE, memory=256 * MEBIBYTE, processes=64)


@pytest.fixture(scope="module")
def opened(bubblewrap: None) -> Generator[OpenSandbox]:
    """Give a function that opens a sandbox with some of its walls, once a kind."""
    kinds: dict[str, tuple[Sandbox, RawServer]] = {}
    limits = {
        "whole": ("strict", SMALL),
        "naked": ("weak", Limits(seccomp=False, landlock=False)),
        "weak": ("weak", Limits()),
        "wide": ("strict", Limits(cpu=600, file_size=64 * MEBIBYTE, memory=2048 * MEBIBYTE)),
    }
    with ExitStack() as stack:

        def open_one(kind: str) -> tuple[Sandbox, RawServer]:
            if kind not in kinds:
                server = stack.enter_context(raw_server())
                gateway = stack.enter_context(new_gateway(server.base_url))
                mode, given = limits[kind]
                sandbox = Sandbox(gateway, "weak" if mode == "weak" else "strict", limits=given)
                kinds[kind] = stack.enter_context(sandbox), server
            return kinds[kind]

        yield open_one


@pytest.fixture
def victim() -> Generator[RawServer]:
    with raw_server() as other:
        other.replies["*"] = answer(b'"reached"')
        yield other


def attempt(
    attack: Attack, sandbox: Sandbox, server: RawServer, victim: RawServer, folder: Path
) -> ToolRun:
    """Run the hostile code and tell what the parent saw."""
    secret = folder / "id_ed25519"
    secret.write_text(PLANTED)
    server.replies["/honest"] = answer(b'"honest"')
    words = {
        "@SECRET_FILE@": str(secret),
        "@FOLDER@": str(folder),
        "@PARENT@": str(os.getpid()),
        "@VICTIM@": str(victim.port),
        "@BASE_URL@": server.base_url,
    }
    code = attack.material["code"]
    for word, value in words.items():
        code = code.replace(word, value)
    root = sandbox.load(toolkit(server.base_url, code))
    return call(sandbox, root, "attack", timeout=attack.material.get("timeout", 8))


@attacks("sandbox")
def test_fails(
    attack: Attack,
    opened: OpenSandbox,
    victim: RawServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PLANTED", PLANTED)
    monkeypatch.setattr(process, "GRACE_SECONDS", 0.3)
    sandbox, server = opened("whole")
    run = attempt(attack, sandbox, server, victim, tmp_path)
    kind = "TimedOut" if run.timed_out else run.error.kind if run.error else ""
    expect = attack.expect
    if "error" in expect:
        assert kind in expect["error"], run.returned
    if "returned" in expect:
        assert re.search(expect["returned"], run.returned), (run.returned, run.error)
    assert PLANTED not in run.model_dump_json()
    assert len(run.exchanges) <= expect.get("exchanges", 0)
    assert victim.seen == []
    assert [path.name for path in tmp_path.iterdir()] == ["id_ed25519"]
    # Whatever it did to its worker: the next call works, and tells the truth.
    fresh = attack.material.get("fresh", False)
    root = sandbox.load(toolkit(server.base_url))
    honest = call(sandbox, root, "read", module="honest", alone=fresh)
    for pid in sandbox.pids if fresh else ():
        os.kill(pid, signal.SIGKILL)
    assert honest.returned == '[200, "\\"honest\\""]'
    assert [one.request.url for one in honest.exchanges] == [f"{server.base_url}/honest"]


@attacks("sandbox", unguarded=True)
def test_succeeds_without_its_defence(
    attack: Attack,
    opened: OpenSandbox,
    victim: RawServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PLANTED", PLANTED)
    sandbox, server = opened(attack.without["defence"])
    run = attempt(attack, sandbox, server, victim, tmp_path)
    shown = f"{run.returned} {run.error}"
    assert re.search(attack.without["returned"], shown), shown


def test_one_wall_is_not_all(opened: OpenSandbox, victim: RawServer, tmp_path: Path) -> None:
    """The weak mode lacks the namespaces and still keeps the commonest attacks out."""
    sandbox, server = opened("weak")
    if "read and write files" in sandbox.notice:
        pytest.skip("this kernel has no Landlock")
    source = "\n".join(
        [
            "def attack():",
            "    import socket",
            "    try:",
            "        socket.create_connection(('127.0.0.1', @VICTIM@)).close()",
            "    except OSError:",
            "        return open('@SECRET_FILE@').read()",
        ]
    )
    attack = Attack(Path("inline"), "", "sandbox", "", {"code": source})
    run = attempt(attack, sandbox, server, victim, tmp_path)
    assert run.error is not None
    assert run.error.kind == "PermissionError"
    assert victim.seen == []
