"""The write plan end to end: other people's objects survive every server, and ours never do."""

from __future__ import annotations

import importlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from crud_server import ALL_OTHERS, DOCS, Notebook, serving

from doc2tools.compiler.events import Notice
from doc2tools.compiler.ir.errors import StoreError, UsageError
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.passes.normalise import normalise
from doc2tools.compiler.pipeline import CompileResult, compile_docs, extract_docs
from doc2tools.compiler.validate.writes.model import WritePlan
from doc2tools.compiler.validate.writes.plan import plan_writes

Cli = Callable[..., tuple[int, str, str]]
METHODS = ("GET", "POST", "PUT", "DELETE")
PROGRAM = [sys.executable, "-c", "from doc2tools.cli.main import run; run()"]
NOTE_TOOLS = ("create_note", "change_note", "delete_note")
TAG_TOOLS = ("set_tag", "delete_tag")


class Shop:
    """A notebook service, its documentation, and compiles of it."""

    def __init__(self, book: Notebook, base_url: str, folder: Path) -> None:
        self.book = book
        self.base_url = base_url
        self.docs = folder / "docs"
        self.out = folder / "out"
        self.docs.mkdir()
        (self.docs / "notebook.md").write_text(DOCS)
        self.notices: list[str] = []

    def compile(self, *, agree: bool = True, **options: object) -> CompileResult:
        given = {"allow": METHODS, "base_url": self.base_url, "name": "notebook", **options}
        settled = CompileOptions.model_validate(given)
        self.notices = []

        def listen(event: object) -> None:
            if isinstance(event, Notice):
                self.notices.append(event.message)

        return compile_docs(
            [str(self.docs)], settled, self.out, on_event=listen, confirm=lambda _: agree
        )

    def plan(self) -> WritePlan:
        """Give what a compile would show."""
        options = CompileOptions(allow=METHODS, base_url=self.base_url)
        drafts = extract_docs([str(self.docs)], options, state=None).drafts
        return plan_writes(normalise(drafts, options)[0], options)

    def words(self, *more: str) -> list[str]:
        return [
            "compile", str(self.docs), "--allow", ",".join(METHODS), "--base-url", self.base_url,
            "--name", "notebook", "--out", str(self.out), *more,
        ]  # fmt: skip

    @property
    def journal(self) -> list[Path]:
        return sorted((self.out / ".doc2tools" / "notebook" / "writes").glob("*.json"))


@pytest.fixture
def open_shop(tmp_path: Path) -> Generator[Callable[..., Shop]]:
    """Give a function that opens a service with the named ways."""
    opened: list[Any] = []

    def enter(*ways: str) -> Shop:
        book = Notebook(*ways)
        context = serving(book)
        opened.append(context)
        return Shop(book, context.__enter__(), tmp_path)

    yield enter
    for context in opened:
        context.__exit__(None, None, None)


def status(result: CompileResult) -> dict[str, str]:
    return {tool.endpoint.name: tool.outcome.status for tool in result.plan.tools}


def untouched(shop: Shop) -> bool:
    """Tell whether all that was there before is there still, byte for byte."""
    return shop.book.others() == ALL_OTHERS


def test_an_honest_service_proves_all_writes(open_shop: Callable[..., Shop]) -> None:
    shop = open_shop()
    result = shop.compile()
    found = status(result)
    assert {found[name] for name in (*NOTE_TOOLS, *TAG_TOOLS)} == {"validated"}
    assert {found[n] for n in ("start_job", "create_user", "delete_user", "delete_key")} == {
        "blocked"
    }
    assert shop.book.writes() == [
        "POST /notes", "PUT /notes/100", "DELETE /notes/100", *shop.book.writes()[3:]
    ]  # fmt: skip
    assert len(shop.book.writes()) == 6
    assert untouched(shop)
    assert shop.book.ours() == []
    assert shop.journal == []
    hints = {
        tool["name"]: tool["annotations"]
        for tool in json.loads(
            (result.folder / "src/notebook/doc2tools.json").read_text(encoding="utf-8")
        )["tools"]
    }
    assert hints["create_note"]["readOnlyHint"] is hints["create_note"]["destructiveHint"] is False
    assert hints["delete_note"]["destructiveHint"] is True
    assert hints["get_note"]["readOnlyHint"] is True


def test_a_second_compile_calls_nothing_and_changes_nothing(
    open_shop: Callable[..., Shop],
) -> None:
    shop = open_shop()
    shop.compile()
    seen = len(shop.book.log)
    again = shop.compile(agree=False)
    assert len(shop.book.log) == seen
    assert again.calls == 0
    assert again.changed == ()
    assert again.writes.confirmed


def test_another_page_does_not_run_the_plan_again(open_shop: Callable[..., Shop]) -> None:
    shop = open_shop()
    shop.compile()
    written = shop.book.writes()
    page = "# Posts\n\n`GET /posts` lists the posts.\n"
    (shop.docs / "more.md").write_text(page)
    result = shop.compile(agree=False)
    assert shop.book.writes() == written
    assert status(result)["create_note"] == "validated"


def test_the_packages_own_tests_pass_and_never_write(
    open_shop: Callable[..., Shop], tmp_path: Path
) -> None:
    shop = open_shop()
    folder = shop.compile().folder
    seen = shop.book.writes()
    environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
    for more in ([], ["--live"]):
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", "tests", *more],
            cwd=folder, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert run.returncode == 0, run.stdout
        held = re.findall(r"SKIPPED \[(\d+)\] .*a live call would change the server", run.stdout)
        assert held == (["5", "5"] if more else []), "five tools, and their asynchronous twins"
    assert shop.book.writes() == seen


def test_nothing_is_written_without_a_word(open_shop: Callable[..., Shop]) -> None:
    shop = open_shop()
    result = shop.compile(agree=False)
    assert shop.book.writes() == []
    assert status(result)["create_note"] == "blocked"
    assert status(result)["get_note"] == "validated"
    assert result.writes.plan.digest
    assert not result.writes.confirmed


def test_the_word_is_given_by_digest(doc2tools: Cli, open_shop: Callable[..., Shop]) -> None:
    shop = open_shop()
    code, stdout, stderr = doc2tools(*shop.words("--json"))
    assert code == 0
    plan = json.loads(stdout)["writes"]
    assert not plan["confirmed"]
    assert f"--confirm-writes {plan['digest']}" in stderr
    assert f"POST {shop.base_url}/notes" in stderr
    assert "stays blocked: POST" in stderr
    assert shop.book.writes() == []
    code, stdout, stderr = doc2tools(*shop.words("--json", "--confirm-writes", plan["digest"]))
    assert code == 0, stderr
    assert json.loads(stdout)["writes"]["confirmed"]
    assert json.loads(stdout)["counts"]["validated"] == 13
    assert len(shop.book.writes()) == 6


def test_a_stale_digest_ends_before_any_call(
    doc2tools: Cli, open_shop: Callable[..., Shop]
) -> None:
    shop = open_shop()
    (shop.docs / "doc2tools.toml").write_text('confirm_writes = "0123456789ab"\n')
    code, _, stderr = doc2tools(*shop.words())
    assert code == 2
    assert "0123456789ab was confirmed" in stderr
    assert shop.book.log == []


def test_a_changed_plan_needs_a_new_word(open_shop: Callable[..., Shop]) -> None:
    shop = open_shop()
    digest = shop.compile(agree=False).writes.plan.digest
    page = shop.docs / "notebook.md"
    page.write_text(page.read_text().replace('"text": "milk"', '"text": "oil"'))
    with pytest.raises(UsageError, match="was confirmed"):
        shop.compile(confirm_writes=digest)
    assert shop.book.writes() == []


@pytest.mark.parametrize(("answer", "writes"), [("n", 0), ("", 0), ("y", 6)])
def test_a_terminal_is_asked(open_shop: Callable[..., Shop], answer: str, writes: int) -> None:
    shop = open_shop()
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*PROGRAM, *shop.words()], stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True
    ) as process:
        os.close(theirs)
        shown = b""
        while b"[y/N]" not in shown:
            shown += os.read(ours, 65_536)
        assert shop.book.log == []
        os.write(ours, answer.encode() + b"\n")
        while True:
            try:
                if not os.read(ours, 65_536):
                    break
            except OSError:
                break
        assert process.wait(30) == 0
    os.close(ours)
    assert b"write plan" in shown
    assert len(shop.book.writes()) == writes


@pytest.mark.parametrize("way", ["mute", "location", "wrap", "words"])
def test_every_way_to_name_our_object_is_understood(
    open_shop: Callable[..., Shop], way: str
) -> None:
    shop = open_shop(way)
    found = status(shop.compile())
    assert {found[name] for name in NOTE_TOOLS} == {"validated"}
    assert untouched(shop)
    assert shop.book.ours() == []


def test_a_lying_identifier_deletes_nothing(open_shop: Callable[..., Shop]) -> None:
    shop = open_shop("lie")
    result = shop.compile()
    found = status(result)
    assert [found[name] for name in NOTE_TOOLS] == ["failed", "blocked", "blocked"]
    assert [line for line in shop.book.writes() if "notes" in line] == ["POST /notes"]
    assert untouched(shop)
    assert [one.identifier for one in result.writes.leftovers] == [""]
    assert "was there before" in result.writes.leftovers[0].reason
    assert result.writes.leftovers[0].command == f"curl -X GET {shop.base_url}/notes"
    # Nor does a later run, and with our word again it makes no second object.
    shop.compile()
    assert [line for line in shop.book.writes() if "notes" in line] == ["POST /notes"]


def test_a_delete_that_does_nothing_is_told(open_shop: Callable[..., Shop]) -> None:
    shop = open_shop("keep")
    result = shop.compile()
    found = status(result)
    assert found["create_note"] == found["change_note"] == "validated"
    assert found["delete_note"] == found["delete_tag"] == "failed"
    assert shop.book.writes().count("DELETE /notes/100") == 1
    commands = {one.command for one in result.writes.leftovers}
    assert f"curl -X DELETE {shop.base_url}/notes/100" in commands
    assert len(commands) == len(shop.journal) == 2
    assert untouched(shop)
    shop.book.ways.clear()
    assert shop.compile(agree=False).writes.leftovers == ()
    assert shop.book.ours() == shop.journal == []
    assert len([line for line in shop.notices if line.startswith("deleted doc2tools-")]) == 2


def test_a_create_that_is_not_answered_is_taken_back(open_shop: Callable[..., Shop]) -> None:
    shop = open_shop("crash")
    found = status(shop.compile())
    assert [found[name] for name in NOTE_TOOLS] == ["failed", "blocked", "blocked"]
    assert [line for line in shop.book.writes() if "notes" in line] == [
        "POST /notes", "DELETE /notes/100",
    ]  # fmt: skip
    assert shop.book.ours() == shop.journal == []
    assert untouched(shop)


def test_a_server_that_dies_is_cleaned_up_when_it_is_back(
    open_shop: Callable[..., Shop],
) -> None:
    shop = open_shop("die")
    first = shop.compile()
    assert [one.identifier for one in first.writes.leftovers] == ["100"]
    assert "does not answer" in first.writes.leftovers[0].reason
    assert shop.book.writes() == ["POST /notes"]
    again = shop.compile(agree=False)
    assert len(again.writes.leftovers) == len(shop.journal) == 1
    shop.book.dead = False
    assert shop.compile(agree=False).writes.leftovers == ()
    assert shop.book.writes() == ["POST /notes", "DELETE /notes/100"]
    assert shop.book.ours() == shop.journal == []
    assert untouched(shop)


@pytest.mark.parametrize(
    ("way", "writes"),
    [("refuse", ["POST /notes"]), ("busy", ["POST /notes", "DELETE /notes/100"])],
)
def test_a_create_is_never_sent_twice(
    open_shop: Callable[..., Shop], way: str, writes: list[str]
) -> None:
    shop = open_shop(way)
    assert status(shop.compile())["create_note"] == "failed"
    assert [line for line in shop.book.writes() if "notes" in line] == writes
    assert shop.book.ours() == shop.journal == []


def test_a_redirected_create_goes_nowhere(open_shop: Callable[..., Shop]) -> None:
    shop = open_shop("redirect")
    assert status(shop.compile())["create_note"] == "failed"
    assert "POST /users" not in shop.book.writes()
    assert untouched(shop)
    assert shop.book.ours() == []


def test_a_change_that_does_nothing_fails_alone(open_shop: Callable[..., Shop]) -> None:
    shop = open_shop("shrug")
    found = status(shop.compile())
    assert [found[name] for name in NOTE_TOOLS] == ["validated", "failed", "validated"]
    assert untouched(shop)
    assert shop.book.ours() == []


def test_an_object_of_our_name_that_we_did_not_make_is_left_alone(
    open_shop: Callable[..., Shop],
) -> None:
    shop = open_shop()
    plan = shop.plan()
    marker = next(one.marker for one in plan.families if not one.own_key)
    tag = next(one.marker for one in plan.families if one.own_key)
    shop.book.data["notes"]["50"] = {"id": 50, "title": marker}
    shop.book.data["tags"][tag] = {"label": "somebody's"}
    found = status(shop.compile())
    assert {found[name] for name in (*NOTE_TOOLS, *TAG_TOOLS)} == {"blocked"}
    assert shop.book.writes() == []


def test_a_killed_compile_is_cleaned_up_by_the_next(open_shop: Callable[..., Shop]) -> None:
    shop = open_shop("stall")
    digest = shop.plan().digest
    with subprocess.Popen(
        [*PROGRAM, *shop.words("--confirm-writes", digest)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        assert shop.book.stalled.wait(60)
        assert len(shop.journal) == 1
        process.send_signal(signal.SIGKILL)
    shop.book.released.set()
    shop.book.ways.clear()
    assert shop.book.ours() == ["/notes/100"]
    shop.compile(agree=False)
    assert shop.book.ours() == shop.journal == []
    assert shop.book.writes()[-1] == "DELETE /notes/100"
    assert untouched(shop)
    assert any(line.startswith("deleted doc2tools-") for line in shop.notices)


def test_clean_up_leaves_alone_what_is_not_ours(open_shop: Callable[..., Shop]) -> None:
    shop = open_shop("stall")
    digest = shop.plan().digest
    with subprocess.Popen(
        [*PROGRAM, *shop.words("--confirm-writes", digest)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        assert shop.book.stalled.wait(60)
        process.send_signal(signal.SIGKILL)
    shop.book.released.set()
    shop.book.ways.clear()
    shop.book.data["notes"]["100"] = {"id": 100, "title": "taken by somebody else"}
    before = shop.book.writes()
    left = shop.compile(agree=False).writes.leftovers
    assert [one.identifier for one in left] == ["100"]
    assert "does not show our name" in left[0].reason
    assert shop.book.writes() == before


def test_a_plan_is_pure(open_shop: Callable[..., Shop]) -> None:
    shop = open_shop()
    first = shop.compile(agree=False).writes.plan
    assert shop.compile(agree=False, limits={"concurrency": 2}).writes.plan == first
    assert WritePlan.model_validate_json(first.model_dump_json()).digest == first.digest


def test_the_package_writes_what_was_proved(
    open_shop: Callable[..., Shop], monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = open_shop()
    folder = shop.compile().folder
    monkeypatch.setattr(sys, "path", [str(folder / "src"), *sys.path])
    for name in [name for name in sys.modules if name.split(".")[0] == "notebook"]:
        monkeypatch.delitem(sys.modules, name)
    package: Any = importlib.import_module("notebook")
    monkeypatch.setenv("NOTEBOOK_BASE_URL", shop.base_url)
    created = package.tools.notes.create_note(title="By hand")
    assert shop.book.data["notes"][str(created.id)]["title"] == "By hand"


@pytest.mark.parametrize(
    ("when", "number"), [(when, number) for number in range(1, 7) for when in ("before", "after")]
)
def test_a_kill_at_any_write_leaves_nothing_in_the_end(
    open_shop: Callable[..., Shop], when: str, number: int
) -> None:
    shop = open_shop()
    digest = shop.plan().digest
    killed: list[list[Path]] = []
    with subprocess.Popen(
        [*PROGRAM, *shop.words("--confirm-writes", digest)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip

        def kill(at: str, count: int) -> None:
            if (at, count) == (when, number) and not killed:
                killed.append(shop.journal)
                process.send_signal(signal.SIGKILL)
                process.wait()

        shop.book.on_write = kill
    assert process.returncode == -signal.SIGKILL
    assert len(killed[0]) == 1
    last = shop.compile(agree=False)
    assert last.writes.leftovers == ()
    assert shop.book.ours() == shop.journal == []
    assert untouched(shop)


def test_a_tool_that_the_user_named_is_called_without_a_plan(
    open_shop: Callable[..., Shop],
) -> None:
    shop = open_shop()
    result = shop.compile(agree=False, allow_unsafe=("create_note",))
    assert status(result)["create_note"] == "validated"
    assert shop.book.writes() == ["POST /notes"]
    assert "create_note" not in {tool for one in result.writes.plan.families for tool in one.tools}


def test_nothing_is_sent_that_the_journal_cannot_hold(open_shop: Callable[..., Shop]) -> None:
    shop = open_shop()
    folder = shop.out / ".doc2tools" / "notebook"
    folder.mkdir(parents=True)
    (folder / "writes").write_text("in the way")
    with pytest.raises(StoreError, match="nothing was sent"):
        shop.compile()
    assert shop.book.writes() == []


def test_an_interrupted_compile_takes_back_at_once(open_shop: Callable[..., Shop]) -> None:
    shop = open_shop()
    digest = shop.plan().digest
    with subprocess.Popen(
        [*PROGRAM, *shop.words("--confirm-writes", digest)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip

        def interrupt(when: str, number: int) -> None:
            if (when, number) == ("before", 2):
                process.send_signal(signal.SIGINT)
                time.sleep(0.5)

        shop.book.on_write = interrupt
        assert process.wait(60) == 130
    assert shop.book.ours() == shop.journal == []
    assert untouched(shop)
