"""Recordings: found again, whole or absent, whatever happens to the folder."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from doc2tools.compiler.ir.errors import StoreError
from doc2tools.compiler.ir.exchange import Exchange, Request, Response, TransportFailure
from doc2tools.sandbox.recordings import Recordings

REQUEST = Request(method="GET", url="http://api.example/items", headers={"Accept": "a"})


def exchange(status: int = 200, body: str = "{}") -> Exchange:
    return Exchange(request=REQUEST, response=Response(status=status, body=body))


def always(_: Exchange) -> bool:
    return True


class TestKey:
    def test_what_matters(self) -> None:
        key = Recordings.key(REQUEST)
        changes: tuple[dict[str, object], ...] = (
            {"method": "HEAD"},
            {"url": "http://api.example/items?x=1"},
            {"headers": {"Accept": "b"}},
            {"headers": {}},
            {"body": "x"},
            {"body_base64": True},
        )
        for change in changes:
            assert Recordings.key(REQUEST.model_copy(update=change)) != key
        assert Recordings.key(REQUEST, "bearer") != key

    def test_scopes_are_apart(self) -> None:
        keys = {Recordings.key(REQUEST, scope=scope) for scope in ("", "before", "after")}
        assert len(keys) == 3
        assert Recordings.key(REQUEST, scope="") == Recordings.key(REQUEST)

    def test_what_does_not(self) -> None:
        headers = {"accept": "a", "User-Agent": "x", "Accept-Encoding": "gzip", "Host": "h"}
        same = REQUEST.model_copy(update={"headers": headers})
        assert Recordings.key(same) == Recordings.key(REQUEST)
        assert len(Recordings.key(same)) == 64


class TestFolder:
    def test_another_store_finds_it(self, tmp_path: Path) -> None:
        key = Recordings.key(REQUEST)
        Recordings(tmp_path).put(key, exchange(body="ä\0\u2028"))
        found = Recordings(tmp_path).get(key)
        assert found is not None
        assert found.replayed
        assert found.response == exchange(body="ä\0\u2028").response
        assert [path.relative_to(tmp_path) for path in tmp_path.rglob("*.json")] == [
            Path(key[:2]) / f"{key[2:]}.json"
        ]

    @pytest.mark.parametrize("status", [408, 425, 429, 502, 503, 504])
    def test_passing_faults_are_not_kept(self, tmp_path: Path, status: int) -> None:
        Recordings(tmp_path).put("ab" * 32, exchange(status))
        assert list(tmp_path.iterdir()) == []

    def test_failures_are_not_kept(self, tmp_path: Path) -> None:
        failure = TransportFailure(cause="timeout", message="late")
        Recordings(tmp_path).put("ab" * 32, Exchange(request=REQUEST, failure=failure))
        assert list(tmp_path.iterdir()) == []

    def test_other_errors_are_kept(self, tmp_path: Path) -> None:
        Recordings(tmp_path).put("ab" * 32, exchange(500))
        assert Recordings(tmp_path).get("ab" * 32) is not None

    @pytest.mark.parametrize(
        "damage",
        [
            *(b"", b"{", b"null", b"[]", b'{"format": 0}', b"\xff\xfe", b"[" * 100_000),
            b'{"format": 1, "key": "other", "exchange": {}}',
        ],
    )
    def test_a_damaged_file_counts_as_absent(self, tmp_path: Path, damage: bytes) -> None:
        key = "ab" * 32
        Recordings(tmp_path).put(key, exchange())
        path = next(tmp_path.rglob("*.json"))
        path.write_bytes(damage)
        recordings = Recordings(tmp_path)
        assert recordings.get(key) is None
        assert recordings.once(key, exchange, always).response == exchange().response
        assert Recordings(tmp_path).get(key) is not None

    def test_a_file_in_anothers_place_is_not_taken(self, tmp_path: Path) -> None:
        recordings = Recordings(tmp_path)
        recordings.put("ab" * 32, exchange())
        (tmp_path / "ab" / ("ab" * 31 + ".json")).rename(tmp_path / "ab" / ("cd" * 31 + ".json"))
        assert recordings.get("ab" + "cd" * 31) is None

    def test_fresh_reads_only_its_own(self, tmp_path: Path) -> None:
        Recordings(tmp_path).put("ab" * 32, exchange(body="old"))
        fresh = Recordings(tmp_path, fresh=True)
        assert fresh.get("ab" * 32) is None
        fresh.put("ab" * 32, exchange(body="new"))
        found = fresh.get("ab" * 32)
        assert found is not None
        assert found.response is not None
        assert found.response.body == "new"

    def test_a_folder_that_cannot_be_written(self, tmp_path: Path) -> None:
        blocked = tmp_path / "file"
        blocked.write_text("")
        with pytest.raises(StoreError, match="cannot be written"):
            Recordings(blocked).put("ab" * 32, exchange())

    def test_without_a_folder(self) -> None:
        recordings = Recordings(None)
        recordings.put("k", exchange())
        assert recordings.get("k") is not None
        assert Recordings(None).get("k") is None

    def test_writers_at_once_leave_whole_files(self, tmp_path: Path) -> None:
        stores = [Recordings(tmp_path) for _ in range(4)]

        def write(number: int) -> None:
            stores[number % 4].put("ab" * 32, exchange(body=str(number) * 10_000))

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(write, range(100)))
        found = Recordings(tmp_path).get("ab" * 32)
        assert found is not None
        assert [path.suffix for path in tmp_path.rglob("*") if path.is_file()] == [".json"]


def test_killed_at_any_moment_leaves_whole_files(tmp_path: Path) -> None:
    source = "\n".join(
        [
            "import sys, pathlib",
            "from doc2tools.compiler.ir.exchange import *",
            "from doc2tools.sandbox.recordings import Recordings",
            "store = Recordings(pathlib.Path(sys.argv[1]))",
            "request = Request(method='GET', url='http://x/')",
            "print('ready', flush=True)",
            "for n in range(10**9):",
            "    body = str(n % 10) * 200_000",
            "    answer = Exchange(request=request, response=Response(status=200, body=body))",
            "    store.put(f'{n % 50:064x}', answer)",
        ]
    )
    for pause in (0.02, 0.05, 0.08):
        process = subprocess.Popen(
            [sys.executable, "-c", source, str(tmp_path)], stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(pause)
        process.kill()
        process.wait()
        process.stdout.close()
        files = list(tmp_path.rglob("*.json"))
        assert files
        for path in files:
            json.loads(path.read_bytes())


class TestOnce:
    def test_one_call_for_all(self) -> None:
        recordings = Recordings(None)
        calls: list[int] = []
        barrier = threading.Barrier(8)

        def send() -> Exchange:
            calls.append(1)
            time.sleep(0.1)
            return exchange()

        def ask(_: int) -> Exchange:
            barrier.wait()
            return recordings.once("k", send, always)

        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(ask, range(8)))
        assert len(calls) == 1
        assert sorted(one.replayed for one in found) == [False] + [True] * 7

    def test_an_exception_reaches_all_and_is_forgotten(self) -> None:
        recordings = Recordings(None)

        def broken() -> Exchange:
            raise StoreError("no")

        with pytest.raises(StoreError):
            recordings.once("k", broken, always)
        assert not recordings.once("k", exchange, always).replayed

    def test_what_may_not_be_kept(self) -> None:
        recordings = Recordings(None)
        recordings.once("k", lambda: exchange(401), lambda _: False)
        assert recordings.get("k") is None
