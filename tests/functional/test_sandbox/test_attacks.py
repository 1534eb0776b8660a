"""What hostile code tries from inside, and that it works where the defence is taken out."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from scripted_server import ScriptedServer, serve
from toolkit import ATTACKS, Call, caller, no_reason, nothing, toolkit

from doc2tools.compiler.ir.exchange import ToolRun
from doc2tools.compiler.ir.plan import ToolCall
from doc2tools.sandbox.confinement import MEBIBYTE, Limits
from doc2tools.sandbox.gateway import Gateway
from doc2tools.sandbox.policy import Policy
from doc2tools.sandbox.sandbox import Sandbox

OpenGateway = Callable[..., Gateway]
PLANTED = "kH7-planted-secret-93xQ"


@pytest.fixture
def naked(server: ScriptedServer, open_gateway: OpenGateway) -> Generator[Call]:
    """Give calls in a worker without namespaces, filter and Landlock."""
    limits = Limits(seccomp=False, landlock=False)
    with Sandbox(open_gateway(server.base_url), "weak", limits=limits) as sandbox:
        assert "open connections" in sandbox.notice
        yield caller(sandbox, sandbox.load(toolkit(server.base_url)))


@pytest.fixture
def filtered(server: ScriptedServer, open_gateway: OpenGateway) -> Generator[Call]:
    """Give calls in a worker behind the system call filter alone."""
    limits = Limits(landlock=False)
    with Sandbox(open_gateway(server.base_url), "weak", limits=limits) as sandbox:
        assert "read and write files" in sandbox.notice
        yield caller(sandbox, sandbox.load(toolkit(server.base_url)))


@pytest.fixture
def weak(server: ScriptedServer, open_gateway: OpenGateway) -> Generator[Call]:
    """Give calls in the weak mode as it is."""
    with Sandbox(open_gateway(server.base_url), "weak") as sandbox:
        if "read and write files" in sandbox.notice:
            pytest.skip("this kernel has no Landlock")
        yield caller(sandbox, sandbox.load(toolkit(server.base_url)))


@pytest.fixture
def unfiltered(
    bubblewrap: None, server: ScriptedServer, open_gateway: OpenGateway
) -> Generator[Call]:
    """Give calls in a worker in namespaces, without the filter."""
    limits = Limits(seccomp=False)
    with Sandbox(open_gateway(server.base_url), "auto", limits=limits) as sandbox:
        assert "no system call filter" in sandbox.notice
        yield caller(sandbox, sandbox.load(toolkit(server.base_url)))


def kind(run: ToolRun) -> str:
    return run.error.kind if run.error else ""


class TestNetwork:
    """Past the gateway to a server of the user's own network."""

    @pytest.fixture
    def victim(self) -> Generator[ScriptedServer]:
        with serve() as other:
            yield other

    def attack(self, call: Call, victim: ScriptedServer) -> ToolRun:
        return call("attacks", "connect", host="127.0.0.1", port=victim.port)

    def test_works_without_defence(self, naked: Call, victim: ScriptedServer) -> None:
        assert "200 OK" in self.attack(naked, victim).returned
        assert len(victim.seen) == 1

    def test_namespaces_alone_hold(self, unfiltered: Call, victim: ScriptedServer) -> None:
        assert kind(self.attack(unfiltered, victim)) in ("ConnectionRefusedError", "OSError")
        assert victim.seen == []

    def test_the_filter_alone_holds(self, filtered: Call, victim: ScriptedServer) -> None:
        assert kind(self.attack(filtered, victim)) == "PermissionError"
        assert victim.seen == []

    def test_a_mounted_adapter_is_no_way_out(self, call: Call, server: ScriptedServer) -> None:
        run = call("attacks", "mount")
        assert run.returned == "200"
        assert len(run.exchanges) == 1

    def test_another_host_through_the_gateway(self, call: Call, victim: ScriptedServer) -> None:
        run = call("api", "get_url", url=f"{victim.base_url}/json")
        assert run.exchanges[0].failure is not None
        assert run.exchanges[0].failure.cause == "refused-by-policy"
        assert victim.seen == []

    def test_redirect_to_another_host(
        self,
        call: Call,
        server: ScriptedServer,
        victim: ScriptedServer,
        open_gateway: OpenGateway,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        path = f"/redirect?to={victim.base_url}/json"
        run = call("api", "get", path=path)
        assert [one.failure.cause if one.failure else "" for one in run.exchanges] == [
            "",
            "refused-by-policy",
        ]
        assert victim.seen == []
        monkeypatch.setattr(Policy, "_url_reason", no_reason)
        monkeypatch.setattr(Policy, "decide_address", nothing)
        with Sandbox(open_gateway(server.base_url), "strict") as sandbox:
            open_call = caller(sandbox, sandbox.load(toolkit(server.base_url)))
            assert open_call("api", "get", path=path).error is None
        assert victim.count("/json") == 1


class TestFiles:
    @pytest.fixture
    def secret_file(self, tmp_path: Path) -> Path:
        path = tmp_path / "id_ed25519"
        path.write_text(PLANTED)
        return path

    def test_reading(self, naked: Call, call: Call, secret_file: Path) -> None:
        assert PLANTED in naked("attacks", "read", path=str(secret_file)).returned
        assert kind(call("attacks", "read", path=str(secret_file))) == "FileNotFoundError"

    def test_the_weak_mode(
        self, naked: Call, weak: Call, secret_file: Path, tmp_path: Path
    ) -> None:
        environ = f"/proc/{os.getpid()}/environ"
        assert kind(naked("attacks", "read", path=environ)) == ""
        for path in (str(secret_file), environ, "/etc/passwd", str(Path.home())):
            assert kind(weak("attacks", "read", path=path)) == "PermissionError"
        target = tmp_path / "outside"
        assert kind(weak("attacks", "write", path=str(target))) == "PermissionError"
        assert not target.exists()
        assert kind(weak("attacks", "run_program")) == "PermissionError"
        assert (
            weak("attacks", "evaluate", expression="__import__('sqlite3').__name__").error is None
        )

    @pytest.mark.parametrize("path", ["/etc/passwd", "/proc/1/mem", "/proc/kcore"])
    def test_reading_the_system(self, call: Call, path: str) -> None:
        assert kind(call("attacks", "read", path=path)) in (
            "FileNotFoundError",
            "PermissionError",
            "OSError",
        )

    def test_home_is_empty(self, call: Call) -> None:
        listing = call("attacks", "evaluate", expression="os.listdir(os.environ['HOME'])")
        assert listing.returned == '"[]"'
        here = str(Path(__file__).parent)
        assert kind(call("attacks", "evaluate", expression=f"os.listdir({here!r})")) != ""

    def test_writing(self, naked: Call, call: Call, tmp_path: Path) -> None:
        target = tmp_path / "outside"
        assert kind(naked("attacks", "write", path=str(target))) == ""
        assert target.read_text() == "owned"
        target.unlink()
        assert kind(call("attacks", "write", path=str(target))) != ""
        assert not target.exists()

    @pytest.mark.parametrize(
        "path",
        [
            *("/x", "/usr/lib/x", "/packages/requests/x.py", "/worker/worker.py", "/dev/x"),
            *("/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/sys/x", os.__file__),
        ],
    )
    def test_writing_to_the_system(self, call: Call, path: str) -> None:
        assert kind(call("attacks", "write", path=path)) in (
            "OSError",
            "PermissionError",
            "FileNotFoundError",
        )

    def test_scratch_is_bounded(
        self, bubblewrap: None, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        source = "\n".join(
            [
                "for n in range(8):",
                "    with open(f'/tmp/{n}', 'wb') as stream:",
                "        stream.write(bytes(1_000_000))",
            ]
        )
        for scratch, error in ((4, "OSError"), (16, "")):
            limits = Limits(scratch=scratch * MEBIBYTE)
            with Sandbox(open_gateway(server.base_url), "strict", limits=limits) as sandbox:
                attacks = caller(sandbox, sandbox.load(toolkit(server.base_url)))
                assert kind(attacks("attacks", "execute", source=source)) == error


class TestEnvironment:
    def test_no_variable_of_ours(
        self,
        bubblewrap: None,
        server: ScriptedServer,
        open_gateway: OpenGateway,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setenv("PLANTED_TOKEN", PLANTED)
        with Sandbox(open_gateway(server.base_url), "strict") as sandbox:
            attacks = caller(sandbox, sandbox.load(toolkit(server.base_url)))
            found = attacks("attacks", "environment")
        assert kind(found) == ""
        assert PLANTED not in found.returned
        assert "PLANTED_TOKEN" not in found.returned
        # The same code in a plain child of ours finds it.
        source = ATTACKS.replace("from ..client import client", "") + "\nprint(environment())"
        plain = subprocess.run([sys.executable, "-c", source], capture_output=True, check=True)
        assert PLANTED in plain.stdout.decode()

    def test_other_processes_are_not_seen(self, call: Call) -> None:
        run = call(
            "attacks", "evaluate", expression="[n for n in os.listdir('/proc') if n.isdigit()]"
        )
        assert run.returned == "\"['1', '2']\""

    def test_nobody_without_capabilities(self, call: Call) -> None:
        expression = (
            "dict(line.split(':', 1) for line in open('/proc/self/status') if line[0] in 'CUNS')"
        )
        shown = json.loads(call("attacks", "evaluate", expression=expression).returned)
        lines: dict[str, str] = ast.literal_eval(shown)
        assert lines["Uid"].split()[0] == "65534"
        for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
            assert int(lines[name], 16) == 0
        assert lines["NoNewPrivs"].strip() == "1"
        assert lines["Seccomp"].strip() == "2"

    def test_no_descriptor_of_ours(self, call: Call, weak: Call) -> None:
        expression = "sorted({os.readlink(f'/proc/self/fd/{n}').split(':')[0] for n in range(64)"
        expression += " if os.path.lexists(f'/proc/self/fd/{n}')})"
        shown = json.loads(call("attacks", "evaluate", expression=expression).returned)
        assert ast.literal_eval(shown) == ["/dev/null", "socket"]
        count = "sum(map(_is_open, range(64)))"
        source = f"""
import os
def _is_open(fd):
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True
result = {count}
"""
        for mode in (call, weak):
            assert mode("attacks", "execute", source=source).returned == "4"

    def test_hostname(self, call: Call) -> None:
        assert (
            call("attacks", "evaluate", expression="os.uname().nodename").returned
            == "\"'sandbox'\""
        )


class TestProcesses:
    def test_programs(self, naked: Call, call: Call) -> None:
        assert naked("attacks", "run_program").returned == '"42\\n"'
        assert kind(call("attacks", "run_program")) == "PermissionError"

    @pytest.mark.parametrize("expression", ["os.fork()", "os.kill(1, 9)", "os.execv('/x', ['x'])"])
    def test_forks_and_signals(self, call: Call, expression: str) -> None:
        assert kind(call("attacks", "evaluate", expression=expression)) == "PermissionError"

    def test_new_namespaces(self, call: Call, unfiltered: Call) -> None:
        expression = "__import__('ctypes').CDLL(None).unshare(0x10000000)"
        assert call("attacks", "evaluate", expression=expression).returned == '"-1"'
        assert unfiltered("attacks", "evaluate", expression=expression).returned == '"-1"'

    def test_memory(self, call: Call) -> None:
        assert kind(call("attacks", "swell", size=2_000 * MEBIBYTE)) == "MemoryError"
        assert kind(call("attacks", "swell", size=10 * MEBIBYTE)) == ""

    def test_file_size(self, call: Call) -> None:
        source = "open('/tmp/big', 'wb').write(bytes(20_000_000))"
        assert kind(call("attacks", "execute", source=source)) == "OSError"

    def test_open_files(self, call: Call) -> None:
        source = "kept = [open('/dev/null') for _ in range(500)]"
        assert kind(call("attacks", "execute", source=source)) == "OSError"

    def test_processor_time(
        self, bubblewrap: None, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        limits = Limits(cpu=1)
        with Sandbox(open_gateway(server.base_url), "strict", limits=limits) as sandbox:
            attacks = caller(sandbox, sandbox.load(toolkit(server.base_url)))
            run = attacks("attacks", "hog", timeout=20)
            assert kind(run) == "WorkerDied"

    def test_threads(self, call: Call) -> None:
        run = call("attacks", "threads", count=20_000, timeout=10)
        assert kind(run) in ("RuntimeError", "MemoryError", "WorkerDied")
        assert kind(call("api", "get_json")) == ""


class TestForgery:
    """What the worker says is never what the verdict rests on."""

    def test_a_forged_verdict_brings_no_exchange(self, call: Call) -> None:
        run = call("attacks", "forge_verdict")
        assert run.exchanges == ()
        assert kind(call("api", "get_json")) == ""

    def test_a_request_for_no_call(self, call: Call, server: ScriptedServer) -> None:
        run = call("attacks", "forge_call", call="0" * 32)
        assert run.returned == '"sent"'
        assert run.exchanges == ()
        assert server.seen == []

    def test_a_request_from_a_thread_of_its_own(self, call: Call, server: ScriptedServer) -> None:
        run = call("attacks", "from_thread")
        assert "no call is under way" in run.returned
        assert run.exchanges == ()
        assert server.seen == []

    def test_patched_libraries_hide_nothing(self, strict: Sandbox, server: ScriptedServer) -> None:
        call = caller(strict, strict.load(toolkit(server.base_url)))
        run = call("attacks", "patch_requests")
        assert run.returned == "200"
        assert run.exchanges == ()
        later = call("api", "get", path="/status?code=500")
        assert later.exchanges == ()

    def test_a_call_alone_is_not_touched_by_earlier_code(
        self, strict: Sandbox, server: ScriptedServer
    ) -> None:
        root = strict.load(toolkit(server.base_url))
        caller(strict, root)("attacks", "patch_requests")
        given = ToolCall(tool="t", root=root, module="tools.api", function="get_json", arguments={})
        run = strict.run(given, alone=True)
        assert run.error is None
        assert len(run.exchanges) == 1

    @pytest.mark.parametrize(
        "text",
        [
            "\x00\x00\x00\x02\x00\x00\x00\x00[]",
            "\x00\x00\x00\x05\x00\x00\x00\x00no{no",
            "\xff\xff\xff\xff\xff\xff\xff\xff",
            "\x00\x00\xc3\x50\x00\x00\x00\x00" + "[" * 50_000,
        ],
    )
    def test_malformed_frames(self, call: Call, text: str) -> None:
        assert kind(call("attacks", "forge_bytes", text=text)) == "WorkerDied"
        assert kind(call("api", "get_json")) == ""

    def test_a_flood_of_frames(self, call: Call) -> None:
        assert kind(call("attacks", "flood_frames", count=1_000)) == "WorkerDied"
        assert kind(call("api", "get_json")) == ""

    def test_malformed_requests(self, call: Call) -> None:
        source = "\n".join(
            [
                "import gc, time",
                "channel = next(o for o in gc.get_objects() if type(o).__name__ == 'Channel')",
                "program = next(o for o in gc.get_objects() if type(o).__name__ == 'Program')",
                "call = next(iter(program._running))",
                "channel.send({'op': 'exchange', 'call': call, 'method': 1, 'url': []})",
                "time.sleep(1)",
            ]
        )
        assert kind(call("attacks", "execute", source=source)) == "WorkerDied"

    @pytest.mark.parametrize(
        ("function", "expected"), [("strange_error", "Strange"), ("surrogate", "ValueError")]
    )
    def test_strange_exceptions(self, call: Call, function: str, expected: str) -> None:
        run = call("attacks", function)
        assert kind(run) == expected
        assert ToolRun.model_validate_json(run.model_dump_json()) == run

    @pytest.mark.parametrize(
        ("method", "headers"),
        [
            ("GET", {"X-A": "1\r\nX-HTTP-Method-Override: DELETE"}),
            ("GET\r\nX-Evil: 1", {}),
            ("DELETE", {}),
            ("GET", {"X-HTTP-Method-Override": "DELETE"}),
            ("GET", {"X_HTTP_METHOD_OVERRIDE": "DELETE"}),
        ],
    )
    def test_smuggling(
        self, call: Call, server: ScriptedServer, method: str, headers: dict[str, str]
    ) -> None:
        run = call("api", "send", method=method, path="/echo", headers=headers)
        assert run.error is not None
        assert server.seen == []
        # And where the library in the worker is not in the way, as in code that knows the channel.
        pairs = [[name, value] for name, value in headers.items()]
        source = "\n".join(
            [
                "import gc, sys",
                "found = {type(o).__name__: o for o in gc.get_objects()}",
                "call = next(iter(found['Program']._running))",
                f"header = {{'call': call, 'method': {method!r}, 'headers': {pairs!r}}}",
                f"header['url'] = {server.base_url + '/echo'!r}",
                "result = found['Exchanges'].ask(header, b'')[0]",
            ]
        )
        raw = call("attacks", "execute", source=source)
        assert '"failure": "refused-by-policy"' in raw.returned
        assert server.seen == []
