"""The warm worker: calls, errors, redirects, concurrency, death and time, in both modes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from scripted_server import ScriptedServer
from toolkit import Call, caller, toolkit

from doc2tools.compiler.ir.errors import SandboxError
from doc2tools.compiler.ir.exchange import ToolRun
from doc2tools.compiler.ir.plan import ToolCall
from doc2tools.sandbox import process, weak
from doc2tools.sandbox.confinement import Limits
from doc2tools.sandbox.gateway import Gateway
from doc2tools.sandbox.sandbox import Sandbox, probe

OpenGateway = Callable[..., Gateway]


@pytest.fixture(params=["strict", "weak"])
def sandbox(
    request: pytest.FixtureRequest, server: ScriptedServer, open_gateway: OpenGateway
) -> Generator[Sandbox]:
    if request.param == "strict":
        request.getfixturevalue("bubblewrap")
    with Sandbox(open_gateway(server.base_url), request.param, 50) as running:
        yield running


@pytest.fixture
def either(sandbox: Sandbox, server: ScriptedServer) -> Call:
    return caller(sandbox, sandbox.load(toolkit(server.base_url)))


class TestCalls:
    def test_a_tool_gives_its_answer(self, either: Call, server: ScriptedServer) -> None:
        run = either("api", "get_json")
        assert run.error is None
        assert run.returned == '{"status": "ok", "data": [1, 2, 3]}'
        assert [one.request.url for one in run.exchanges] == [f"{server.base_url}/json"]
        assert run.exchanges[0].response is not None
        assert run.exchanges[0].response.status == 200
        assert not run.timed_out

    def test_arguments_arrive(self, either: Call) -> None:
        run = either("api", "get_echo", text="Größe & Maß/%2F", number=7)
        url = run.exchanges[0].request.url
        assert url.endswith("/echo?text=Gr%C3%B6%C3%9Fe+%26+Ma%C3%9F%2F%252F&number=7")

    def test_an_error_of_the_server(self, either: Call) -> None:
        run = either("api", "get", path="/status?code=500")
        assert run.error is not None
        assert run.error.kind == "ApiError"
        assert run.error.message == "the server answered with 500"
        assert "tools/api.py" in run.error.traceback
        assert run.exchanges[0].response is not None
        assert run.exchanges[0].response.status == 500

    def test_redirects_are_hops_of_their_own(self, either: Call, server: ScriptedServer) -> None:
        run = either("api", "get", path="/redirect?to=/redirect%3Fto%3D/json")
        assert run.error is None
        statuses = [one.response.status for one in run.exchanges if one.response]
        assert statuses == [302, 302, 200]
        assert run.exchanges[-1].request.url == f"{server.base_url}/json"

    def test_endless_redirects(self, either: Call) -> None:
        run = either("api", "get", path="/loop")
        assert run.error is not None
        assert run.error.kind == "TooManyRedirects"
        assert len(run.exchanges) == 11

    def test_bytes_arrive_whole(self, either: Call) -> None:
        assert either("api", "get_size", path="/bytes").returned == "256"
        assert either("api", "get_size", path="/bomb").returned == "2000000"

    def test_failures_of_the_gateway_are_exceptions_of_requests(self, either: Call) -> None:
        refused = either("api", "get_url", url="http://198.51.100.7/")
        assert refused.error is not None
        assert refused.error.kind == "ConnectionError"
        assert "not on the allow-list" in refused.error.message
        assert refused.exchanges[0].failure is not None
        assert refused.exchanges[0].failure.cause == "refused-by-policy"

    def test_broken_code_is_the_tools_own_error(self, sandbox: Sandbox) -> None:
        broken = caller(sandbox, sandbox.load({"client.py": "def (", "tools/api.py": ""}))
        run = broken("api", "get_json")
        assert run.error is not None
        assert run.error.kind == "SyntaxError"
        files = {**toolkit("http://127.0.0.1:1"), "tools/api.py": "import nothing_there"}
        missing = caller(sandbox, sandbox.load(files))("api", "get_json")
        assert missing.error is not None
        assert missing.error.kind == "ModuleNotFoundError"

    def test_packages_do_not_mix(
        self, sandbox: Sandbox, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        files = toolkit(server.base_url)
        other = {**files, "tools/api.py": "def get_json():\n    return 'other'\n"}
        first, second = sandbox.load(files), sandbox.load(other)
        assert first != second
        assert caller(sandbox, second)("api", "get_json").returned == '"other"'
        assert '"ok"' in caller(sandbox, first)("api", "get_json").returned

    @pytest.mark.parametrize(
        "path",
        ["../client.py", "/etc/x.py", "a/../../b.py", "a\0.py", "a//b.py", "", "x.py/", "é.py"],
    )
    def test_paths_are_checked(self, path: str, open_gateway: OpenGateway) -> None:
        sandbox = Sandbox(open_gateway("http://127.0.0.1:1"))
        with pytest.raises(SandboxError, match="not the path of a file"):
            sandbox.load({path: ""})

    def test_an_unknown_package(self, sandbox: Sandbox) -> None:
        with pytest.raises(SandboxError, match="no package"):
            caller(sandbox, "never_loaded")("api", "get_json")


class TestManyCalls:
    def test_a_thousand_calls_are_one_start(self, either: Call, sandbox: Sandbox) -> None:
        def one(number: int) -> ToolRun:
            return either("api", "get_echo", text="x", number=number, timeout=30)

        with ThreadPoolExecutor(50) as pool:
            runs = list(pool.map(one, range(1000)))
        assert [run.error for run in runs if run.error] == []
        # Each call's requests are its own, whatever else was under way.
        assert all(len(run.exchanges) == 1 for run in runs)
        for number, run in enumerate(runs):
            assert run.exchanges[0].request.url.endswith(f"number={number}")
        assert sandbox.starts == 1

    def test_fifty_at_once(self, either: Call) -> None:
        def one(number: int) -> ToolRun:
            return either("api", "get", path=f"/hang?seconds=0.2&n={number}")

        started = time.monotonic()
        with ThreadPoolExecutor(50) as pool:
            runs = list(pool.map(one, range(50)))
        assert all(run.error is None for run in runs)
        # One after the other they would take 10 seconds.
        assert time.monotonic() - started < 5

    def test_a_call_may_not_send_without_end(self, either: Call) -> None:
        run = either("api", "get_many", count=60)
        assert run.error is not None
        assert run.exchanges[-1].failure is not None
        assert run.exchanges[-1].failure.cause == "budget"
        assert len(run.exchanges) == process.MAX_EXCHANGES + 1


class TestTime:
    def test_a_slow_server(self, either: Call, sandbox: Sandbox) -> None:
        run = either("api", "get", path="/hang", timeout=0.3)
        assert run.timed_out
        assert run.exchanges[0].failure is not None
        assert run.exchanges[0].failure.cause == "timeout"
        assert sandbox.starts == 1

    def test_a_loop_is_interrupted(self, either: Call, sandbox: Sandbox) -> None:
        run = either("attacks", "spin", timeout=0.3)
        assert run.timed_out
        assert run.error is None
        assert run.elapsed < 2
        assert sandbox.starts == 1

    def test_code_that_will_not_end_ends_its_worker(
        self, either: Call, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(process, "GRACE_SECONDS", 0.3)
        run = either("attacks", "stubborn", timeout=0.3)
        assert run.timed_out
        assert run.elapsed < 3
        assert either("api", "get_json").error is None
        assert sandbox.starts == 2

    def test_code_that_holds_the_interpreter(
        self, either: Call, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(process, "GRACE_SECONDS", 0.3)
        run = either("attacks", "hog", timeout=0.3)
        assert run.timed_out
        assert either("api", "get_json").error is None


class TestDeath:
    @pytest.mark.parametrize(
        ("function", "arguments", "reason"),
        [("leave", {"code": 3}, "exit code 3"), ("crash", {}, "SIGSEGV")],
    )
    def test_a_worker_that_dies(
        self, either: Call, function: str, arguments: dict[str, int], reason: str
    ) -> None:
        run = either("attacks", function, **arguments)
        assert run.error is not None
        assert run.error.kind == "WorkerDied"
        assert reason in run.error.message
        assert either("api", "get_json").error is None

    def test_calls_beside_it_do_not_suffer(self, either: Call) -> None:
        def one(number: int) -> ToolRun:
            if number == 5:
                time.sleep(0.15)
                return either("attacks", "leave", code=0)
            return either("api", "get", path=f"/hang?seconds=0.3&n={number}")

        with ThreadPoolExecutor(10) as pool:
            runs = list(pool.map(one, range(10)))
        errors = [run.error.kind if run.error else "" for run in runs]
        assert errors == [""] * 5 + ["WorkerDied"] + [""] * 4

    def test_the_worker_is_killed_from_outside(self, either: Call, sandbox: Sandbox) -> None:
        os.kill(sandbox.pids[0], signal.SIGKILL)
        assert either("api", "get_json").error is None
        assert sandbox.starts >= 2

    def test_nothing_is_left_running(
        self, server: ScriptedServer, open_gateway: OpenGateway, sandbox: Sandbox
    ) -> None:
        pid = sandbox.pids[0]
        children = _descendants(pid)
        sandbox.close()
        deadline = time.monotonic() + 3
        while time.monotonic() < deadline and any(map(_running, [pid, *children])):
            time.sleep(0.02)
        assert not any(map(_running, [pid, *children]))
        with pytest.raises(SandboxError):
            sandbox.load({"client.py": ""})

    @pytest.mark.parametrize("mode", ["strict", "weak"])
    def test_ends_with_its_parent(
        self, mode: str, request: pytest.FixtureRequest, tmp_path: Path
    ) -> None:
        if mode == "strict":
            request.getfixturevalue("bubblewrap")
        source = "\n".join(
            [
                "import sys, time",
                "from doc2tools.compiler.ir.options import CompileOptions",
                "from doc2tools.sandbox.gateway import Gateway",
                "from doc2tools.sandbox.policy import Policy",
                "from doc2tools.sandbox.recordings import Recordings",
                "from doc2tools.sandbox.sandbox import Sandbox",
                "gateway = Gateway(Policy(), CompileOptions(), '', Recordings(None))",
                "with Sandbox(gateway, sys.argv[1]) as sandbox:",
                "    print(sandbox.pids[0], flush=True)",
                "    time.sleep(30)",
            ]
        )
        parent = subprocess.Popen(
            [sys.executable, "-c", source, mode],
            stdout=subprocess.PIPE,
            env={**os.environ, "TMPDIR": str(tmp_path)},
        )
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        family = [pid, *_descendants(pid)]
        parent.kill()
        parent.wait()
        parent.stdout.close()
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline and any(map(_running, family)):
            time.sleep(0.02)
        assert not any(map(_running, family))

    def test_unsafe_calls_are_not_repeated(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        source = (
            "import os\nfrom ..client import client\n\n\ndef create():\n"
            "    client().request('POST', '/items')\n    os._exit(1)\n"
        )
        gateway = open_gateway(server.base_url, allow=("POST",))
        with Sandbox(gateway, "auto") as sandbox:
            root = sandbox.load({**toolkit(server.base_url), "tools/api.py": source})
            run = caller(sandbox, root)("api", "create")
        assert run.error is not None
        assert run.error.kind == "WorkerDied"
        assert [one.request.method for one in run.exchanges] == ["POST"]
        assert server.count("/items") == 1


class TestModes:
    def test_strict(self, strict: Sandbox) -> None:
        assert strict.mode == "strict"
        assert strict.notice == ""

    def test_weak_says_what_is_lost(
        self, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        with Sandbox(open_gateway(server.base_url), "weak") as sandbox:
            assert sandbox.mode == "weak"
            assert "weak" in sandbox.notice
            assert "without namespaces" in sandbox.notice or "can" in sandbox.notice

    def test_without_bubblewrap(
        self,
        server: ScriptedServer,
        open_gateway: OpenGateway,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setenv("PATH", "/nonexistent")
        assert not probe().works
        assert probe().reason == "bubblewrap is not installed"
        for mode in ("auto", "strict"):
            with (
                pytest.raises(SandboxError, match="not installed") as caught,
                Sandbox(open_gateway(server.base_url), mode),
            ):
                pass
            assert "apt-get install bubblewrap" in caught.value.hint
            assert "--sandbox weak" in caught.value.hint

    def test_strict_takes_no_less_than_both_walls(
        self, bubblewrap: None, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        limits = Limits(seccomp=False)
        with (
            pytest.raises(SandboxError, match="filter"),
            Sandbox(open_gateway(server.base_url), "strict", limits=limits),
        ):
            pass
        with Sandbox(open_gateway(server.base_url), "auto", limits=limits) as sandbox:
            assert "no system call filter" in sandbox.notice

    def test_code_of_a_model_does_not_run_weakly(
        self, strict: Sandbox, server: ScriptedServer, open_gateway: OpenGateway
    ) -> None:
        files = toolkit(server.base_url)
        assert caller(strict, strict.load(files, written_by_model=True))("api", "get_json")
        with (
            Sandbox(open_gateway(server.base_url), "weak") as sandbox,
            pytest.raises(SandboxError, match="weak"),
        ):
            sandbox.load(files, written_by_model=True)

    def test_the_weak_modes_folder_goes(
        self,
        server: ScriptedServer,
        open_gateway: OpenGateway,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        left = tmp_path / f"{weak.PREFIX}left"
        foreign = tmp_path / "another"
        link = tmp_path / f"{weak.PREFIX}link"
        (foreign / "kept").mkdir(parents=True)
        link.symlink_to(foreign)
        with Sandbox(open_gateway(server.base_url), "weak") as first:
            (held,) = tmp_path.glob(f"{weak.PREFIX}[!l]*")
            left.mkdir()
            for folder in (left, held, foreign):
                os.utime(folder, (0, 0))
            with Sandbox(open_gateway(server.base_url), "weak"):
                assert not left.exists()
                assert held.exists()
                assert (foreign / "kept").exists()
            assert first.pids
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["another", link.name])

    def test_start_is_quick(self, strict: Sandbox) -> None:
        started = time.monotonic()
        call = ToolCall(
            tool="", root=strict.load({"client.py": "x"}), module="m", function="f", arguments={}
        )
        strict.run(call, alone=True)
        assert time.monotonic() - started < 2


def _descendants(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            found += [child, *_descendants(child)]
    return found


def _running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
