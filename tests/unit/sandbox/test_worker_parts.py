"""What the worker is made of: frames, the filter, the interpreter's paths, the configuration."""

from __future__ import annotations

import json
import platform
import socket
import struct
import threading
from pathlib import Path

import pytest

from doc2tools.sandbox import frames
from doc2tools.sandbox.bubblewrap import Bubblewrap, probe
from doc2tools.sandbox.confinement import WORKER, Limits, configuration
from doc2tools.sandbox.frames import Channel, ChannelError
from doc2tools.sandbox.interpreter import find_interpreter
from doc2tools.sandbox.seccomp import build_filter
from doc2tools.sandbox.weak import weak_notice


class TestFrames:
    def test_there_and_back(self) -> None:
        left, right = (Channel(end) for end in socket.socketpair())
        body = bytes(range(256)) * 2_000
        sender = threading.Thread(target=left.send, args=({"op": "x", "text": "ä\0"}, body))
        sender.start()
        assert right.receive() == ({"op": "x", "text": "ä\0"}, body)
        sender.join()
        left.close()
        assert right.receive() is None
        right.close()
        assert left.receive() is None

    def test_many_senders(self) -> None:
        left, right = (Channel(end) for end in socket.socketpair())

        def send(number: int) -> None:
            for _ in range(50):
                left.send({"from": number}, bytes([number]) * 1000)

        threads = [threading.Thread(target=send, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for _ in range(400):
            frame = right.receive()
            assert frame is not None
            header, body = frame
            assert list(set(body)) == [header["from"]]
        for thread in threads:
            thread.join()
        for channel in (left, right):
            channel.close()
        assert left.receive() is None
        assert right.receive() is None

    @pytest.mark.parametrize(
        "data",
        [
            struct.pack(">II", frames.MAX_HEADER + 1, 0),
            struct.pack(">II", 2, frames.MAX_BODY + 1) + b"{}",
            struct.pack(">II", 2, 0) + b"[]",
            struct.pack(">II", 2, 0) + b"{]",
            struct.pack(">II", 100_000, 0) + b"[" * 100_000,
            struct.pack(">II", 1, 0) + b"\xff",
        ],
    )
    def test_malformed(self, data: bytes) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            channel = Channel(ours)
            theirs.sendall(data)
            with pytest.raises(ChannelError):
                channel.receive()
            channel.close()

    @pytest.mark.parametrize("data", [b"\0\0\0", struct.pack(">II", 10, 0) + b"{}"])
    def test_cut_off(self, data: bytes) -> None:
        ours, theirs = socket.socketpair()
        channel = Channel(ours)
        with theirs:
            theirs.sendall(data)
        assert channel.receive() is None
        channel.close()

    def test_an_end_that_does_not_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(frames, "SEND_SECONDS", 1)
        ours, theirs = socket.socketpair()
        channel = Channel(ours)
        with theirs, pytest.raises(ChannelError, match="does not read"):
            channel.send({}, bytes(5_000_000))
        channel.close()
        assert channel.receive() is None


class TestFilter:
    @pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
    def test_is_a_program_whose_jumps_stay_inside(self, machine: str) -> None:
        program = build_filter(machine)
        lines = list(struct.iter_unpack("=HBBI", program))
        assert 50 < len(lines) < 4096
        for place, (code, yes, no, _) in enumerate(lines):
            if code & 7 == 5:
                assert place + 1 + max(yes, no) < len(lines)
        assert lines[-1] == (0x06, 0, 0, 0x7FFF0000)

    @pytest.mark.parametrize(
        ("machine", "number", "argument", "verdict"),
        [
            ("x86_64", 0, 0, "allow"),  # read
            ("x86_64", 41, 2, "deny"),  # socket
            ("x86_64", 59, 0, "deny"),  # execve
            ("x86_64", 56, 0x11, "deny"),  # clone of a process
            ("x86_64", 56, 0x3D0F00, "allow"),  # clone of a thread
            ("x86_64", 435, 0, "deny"),  # clone3
            ("x86_64", 0x40000000, 0, "deny"),  # read in the x32 way
            ("aarch64", 63, 0, "allow"),  # read
            ("aarch64", 198, 2, "deny"),  # socket
            ("aarch64", 220, 0x11, "deny"),
            ("aarch64", 220, 0x3D0F00, "allow"),
        ],
    )
    def test_verdicts(self, machine: str, number: int, argument: int, verdict: str) -> None:
        arch = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}[machine]
        returned = interpret(build_filter(machine), {0: number, 4: arch, 16: argument})
        assert (returned == 0x7FFF0000) == (verdict == "allow")
        other = interpret(build_filter(machine), {0: number, 4: 0x40000003, 16: argument})
        assert other == 0x80000000

    def test_an_unknown_machine(self) -> None:
        assert build_filter("vax") == b""
        assert bool(build_filter()) == (platform.machine() in ("x86_64", "aarch64"))


def interpret(program: bytes, data: dict[int, int]) -> int:
    """Run a filter as the kernel would."""
    lines = list(struct.iter_unpack("=HBBI", program))
    accumulator = place = 0
    while True:
        code, yes, no, value = lines[place]
        place += 1
        if code == 0x20:
            accumulator = data[value]
        elif code == 0x06:
            return value
        else:
            holds = {
                0x15: accumulator == value,
                0x35: accumulator >= value,
                0x45: bool(accumulator & value),
            }[code]
            place += yes if holds else no


class TestInterpreter:
    def test_is_outside_the_virtual_environment(self) -> None:
        found = find_interpreter()
        assert found.executable.is_file()
        assert not found.executable.is_symlink()
        assert all(path.is_dir() for path in found.standard)
        assert any((path / "json").is_dir() for path in found.standard)

    def test_holds_the_libraries_and_no_more(self) -> None:
        packages = find_interpreter().packages
        assert {"requests", "pydantic", "pydantic_core", "urllib3", "idna"} <= packages.keys()
        assert not {"pytest", "hypothesis", "doc2tools", "lxml"} & packages.keys()
        assert all(path.exists() for path in packages.values())

    def test_configuration_holds_no_surprise(self) -> None:
        config = json.loads(
            configuration(7, Limits(), paths=["/p"], home="/h", count_processes=True)
        )
        assert config["fd"] == 7
        assert config["limits"]["RLIMIT_CORE"] == 0
        assert config["limits"]["RLIMIT_NPROC"] == 256
        assert config["files"] is None
        names = {"fd", "paths", "home", "limits", "seccomp", "files", "threads", "stack"}
        assert set(config) == names

    def test_the_weak_mode_says_what_it_lacks(self) -> None:
        assert "without namespaces" in weak_notice(())
        assert "environment" in weak_notice(("landlock",))
        both = weak_notice(("landlock", "seccomp"))
        assert "files" in both
        assert "connections past the gateway" in both

    def test_the_worker_imports_nothing_of_ours(self) -> None:
        assert "doc2tools" not in "".join(
            line for line in WORKER.read_text().splitlines() if "import" in line and '"' not in line
        )


class TestProbe:
    def test_says_what_is_there(self) -> None:
        found = probe()
        assert found.works == (found.reason == "")
        assert Path(found.python).is_file()
        assert found.seccomp == bool(build_filter())

    def test_binds_nothing_of_home_but_the_interpreter(self) -> None:
        if not probe().bubblewrap:
            pytest.skip("bubblewrap is not installed")
        arguments = Bubblewrap().arguments(Limits())
        sources = [arguments[n + 1] for n, word in enumerate(arguments) if word == "--ro-bind"]
        assert "/" not in sources
        assert str(Path.home()) not in sources
        assert "--bind" not in arguments
        for needed in ("--unshare-all", "--die-with-parent", "--new-session", "--clearenv"):
            assert needed in arguments
