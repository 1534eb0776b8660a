"""Nothing secret or personal reaches the disk: the raw bytes of the store are searched."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from doc2tools.param_db import entry as entry_module
from doc2tools.param_db import value as value_module
from doc2tools.param_db.blank import blank_room, written
from doc2tools.param_db.chroma import Folder
from doc2tools.param_db.embedding import embedder
from doc2tools.param_db.store import stored_values
from doc2tools.param_db.value import Value

SECRETS = {
    "a value": Value(name="note", value="ghp_16C7e42F292c6912E7", resource="user"),
    "a named value": Value(name="api_key", value="plainhunter2000", resource="user"),
    "inside a value": Value(name="note", value="ask ann.smith@example.org today", resource="user"),
    "an address": Value(name="url", value="https://ann:hunter2000@h/x", resource="user"),
    "a query": Value(name="url", value="https://h/x?token=hunter2000", resource="user"),
    "a description": Value(
        name="id", value=1, resource="user", description="use Authorization: hunter2000 here"
    ),
    "a field path": Value(name="id", value=2, resource="user", field_path="ann@example.org.id"),
    "a key's path": Value(name="", value="x1", resource="user", field_path="password.hunter2000"),
    "a name": Value(name="ann@example.org", value=3, resource="user"),
    "a record": Value(name="id", value=4, resource="user", record="ann@x.org/[0]"),
    "a context": Value(name="id", value=5, resource="user", context=("ann@example.org",)),
    "a card": Value(name="note", value="paid with 4111 1111 1111 1111", resource="user"),
    "a token": Value(name="state", value="eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0", resource="user"),
}
SEARCHED = (
    *(
        b"ghp_16C7e42F",
        b"hunter2000",
        b"ann.smith",
        b"ann@example.org",
        b"4111 1111",
        b"eyJhbGci",
        b"ann@x.org",
    ),
)


def on_disk(folder: Folder) -> bytes:
    files = sorted(path for path in folder.path.rglob("*") if path.is_file())
    return b"".join(path.read_bytes() for path in files)


def keep(folder: Folder, values: list[Value]) -> None:
    with stored_values(folder, embedder()) as store:
        store.save([*values, Value(name="id", value="kept-9", resource="user")], "a.org")


def test_no_secret_is_on_disk(folder: Folder) -> None:
    keep(folder, list(SECRETS.values()))
    raw = on_disk(folder)
    assert b"kept-9" in raw
    assert [text for text in SEARCHED if text in raw] == []


@pytest.mark.parametrize("where", SECRETS)
def test_the_attack_succeeds_without_the_rule(
    where: str, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each secret would reach the disk if the rules said that nothing is one."""

    def nothing(_: str) -> bool:
        return False

    rules: list[str] = ["is_personal_value", "is_secret_name"]
    for module in (entry_module, value_module):
        for rule in rules:
            monkeypatch.setattr(module, rule, nothing)

    def bare(*parts: str) -> str:
        return "-".join(parts)

    monkeypatch.setattr(entry_module, "_digest", bare)
    clear: Callable[[], None] = entry_module._may_be_named.cache_clear  # pyright: ignore[reportPrivateUsage]
    clear()
    try:
        keep(folder, [SECRETS[where]])
    finally:
        clear()
    raw = on_disk(folder)
    assert [text for text in SEARCHED if text in raw]


def test_what_is_forgotten_is_off_the_disk(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "params")
    for number in range(3):  # an entry leaves traces wherever it was written
        with stored_values(folder, embedder()) as store:
            held = Value(name="id", value="very-private-17", resource="user", successes=number)
            store.save([held, Value(name="id", value="kept-9", resource="user")], "a.org")
    assert b"very-private-17" in on_disk(folder)
    with stored_values(folder, embedder()) as store:
        store.forget([one.id for one in store.every() if one.value == "very-private-17"])
    assert b"very-private-17" not in on_disk(folder)
    with stored_values(folder, embedder()) as store:
        assert [one.value for one in store.every()] == ["kept-9"]
        assert [found.entry.value for found in store.search("user id")] == ["kept-9"]


def test_the_index_writes_no_memory_of_the_process(folder: Folder) -> None:
    """Its room for vectors to come is written as it was found; what lay there must not stay."""
    keep(folder, [])
    (file,) = folder.path.glob("*/data_level0.bin")
    _, _, room, held, step = struct.unpack_from("<iQQQQ", file.with_name("header.bin").read_bytes())
    assert room > held
    assert file.stat().st_size == room * step
    assert not any(file.read_bytes()[held * step :])
    before = written(folder.path)
    dirty = b"s3cret" * (file.stat().st_size // 6)
    file.write_bytes(dirty.ljust(file.stat().st_size))
    blank_room(folder.path, before)
    assert b"s3cret" not in file.read_bytes()[held * step :]
    keep(folder, [Value(name="id", value=f"v{n}", resource=f"thing{n}") for n in range(150)])
    with stored_values(folder, embedder()) as store:
        # The index finds near neighbours, not surely the last of all.
        assert len(store.search("thing7 id", limit=151)) >= 140
