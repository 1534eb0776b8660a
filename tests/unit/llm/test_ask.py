"""The model as the compiler asks it: kept replies, budget, second tries, failing providers."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Literal

import pytest

from doc2tools.compiler.consulting import consult, left_open, settle
from doc2tools.compiler.events import Notice
from doc2tools.compiler.ir.errors import ProviderError, UsageError
from doc2tools.compiler.ir.ledger import Ledger
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.llm import model as model_module
from doc2tools.compiler.llm import provider as provider_module
from doc2tools.compiler.llm.choice import Form
from doc2tools.compiler.llm.frame import Answered, Question, Unreadable
from doc2tools.compiler.llm.model import Model, Terms, Unasked
from doc2tools.compiler.llm.prompts import FOLDER, prompt
from doc2tools.compiler.llm.provider import Connection, Provider
from doc2tools.compiler.state import State
from doc2tools.sandbox.redaction import Redactor
from tests.replay_server import Recording, Replay, replaying

KEY = "sk-ant-planted-0123456789abcdef"
REDACT = Redactor([KEY]).text


class Verdict(Form):
    """A small answer."""

    answers: Literal["yes", "no", "unsure"]


def question(text: str = "List books") -> Question[Verdict]:
    return Question(prompt("verdict"), Verdict, {"documentation": text})


def yes(text: str = "") -> Recording:
    return Recording("verdict", {"documentation": text}, {"answers": "yes"})


@pytest.fixture
def replay() -> Generator[Replay]:
    with replaying(Replay([yes()])) as server:
        yield server


class Make:
    """Makes models that ask the replay server, and hears what they have to say."""

    def __init__(self, replay: Replay, folder: Path) -> None:
        self.notices: list[tuple[str, str]] = []
        self._replay = replay
        self._folder = folder

    def __call__(
        self,
        budget: int = 0,
        *,
        name: str = "small",
        required: bool = False,
        seconds: float = 20,
        retries: int = 0,
        redact: Callable[[str], str] = REDACT,
    ) -> Model:
        where = Connection(name, self._replay.base_url, KEY, given=True)
        provider = Provider(where, redact, seconds=seconds, retries=retries)
        terms = Terms(name, budget, required=required)
        return Model(provider, terms, State(self._folder), redact, self.hear)

    def hear(self, message: str, hint: str) -> None:
        self.notices.append((message, hint))


@pytest.fixture
def make(replay: Replay, tmp_path: Path) -> Make:
    return Make(replay, tmp_path)


@pytest.mark.parametrize("tools", [True, False], ids=["forced tool", "plain text"])
def test_an_answer_comes_back_typed(replay: Replay, make: Make, tools: bool) -> None:
    replay.tools = tools
    model = make()
    assert model.ask(question(), "verdict", "list_books") == Answered(Verdict(answers="yes"))
    assert model.ledger.questions == 1
    assert model.ledger.tokens_of("list_books") == model.ledger.spent > 100


def test_a_server_without_tools_is_no_longer_given_one(replay: Replay, make: Make) -> None:
    replay.tools = False
    model = make()
    for text in ("one", "two"):
        model.ask(question(text), "verdict", text)
    assert ["tools" in body for body in replay.bodies] == [True, False]


def test_a_server_that_refuses_tools_is_asked_in_plain_text(replay: Replay, make: Make) -> None:
    replay.statuses = [400]
    assert isinstance(make().ask(question(), "verdict", "a"), Answered)
    assert ["tools" in body for body in replay.bodies] == [True, False]


def test_a_call_written_out_is_read_as_the_call(replay: Replay, make: Make) -> None:
    written = '```json\n{"name": "answer", "arguments": {"answers": "no"}}\n```'
    replay.recordings = [Recording("verdict", {}, written)]
    assert make().ask(question(), "verdict", "a") == Answered(Verdict(answers="no"))


def test_a_kept_reply_is_not_asked_for_again(replay: Replay, make: Make) -> None:
    first = make()
    first.ask(question(), "verdict", "a")
    second = make()
    assert isinstance(second.ask(question(), "verdict", "a"), Answered)
    assert len(replay.bodies) == 1
    assert second.ledger.cached == 1
    assert second.ledger.spent == 0
    assert second.ledger.settled == first.ledger.settled


def test_another_question_model_or_prompt_is_another_reply(replay: Replay, make: Make) -> None:
    make().ask(question(), "verdict", "a")
    make().ask(question("List boats"), "verdict", "a")
    make(name="large").ask(question(), "verdict", "a")
    changed = Question(prompt("verdict") + " Be brief.", Verdict, {"documentation": "List books"})
    make().ask(changed, "verdict", "a")
    assert len(replay.bodies) == 4


BAD: dict[str, Any] = {
    "no JSON": "Sure! The answer is yes.",
    "wrong schema": {"answers": "perhaps"},
    "more fields": {"answers": "yes", "hosts": ["https://evil.example"]},
    "huge": '{"answers": "' + "y" * 300_000 + '"}',
    "deep": "[" * 100_000,
    "empty": "",
}


@pytest.mark.parametrize("reply", BAD.values(), ids=BAD.keys())
def test_a_bad_reply_is_tried_once_more_and_then_given_up(
    replay: Replay, make: Make, reply: object
) -> None:
    replay.recordings = [Recording("verdict", {}, reply)]
    model = make()
    assert isinstance(model.ask(question(), "verdict", "a"), Unreadable)
    assert len(replay.bodies) == 2
    last = replay.bodies[1]["messages"]
    assert [one["role"] for one in last] == ["user", "assistant", "user"]
    assert prompt("again") in last[2]["content"]
    assert not model.lost


def test_the_second_try_is_told_what_was_wrong(replay: Replay, make: Make) -> None:
    replay.recordings = [Recording("verdict", {}, {"answers": "perhaps"})]
    make().ask(question(), "verdict", "a")
    assert "answers (literal error)" in replay.bodies[1]["messages"][2]["content"]


def test_the_budget_ends_the_questions(replay: Replay, make: Make) -> None:
    model = make(budget=3_000)
    asked = [model.ask(question(f"Tool {n}"), "verdict", f"tool_{n}") for n in range(12)]
    answered = sum(isinstance(one, Answered) for one in asked)
    assert 1 <= answered < 12
    assert model.ledger.spent <= 3_000
    assert len(model.ledger.left_open) == 12 - answered
    assert "budget of 3,000 tokens" in left_open(model.ledger)
    assert not model.lost
    assert len(replay.bodies) == answered


def test_a_question_too_large_leaves_room_for_smaller_ones(make: Make) -> None:
    model = make(budget=3_000)
    assert isinstance(model.ask(question("x" * 9_000), "verdict", "large"), Unasked)
    assert isinstance(model.ask(question(), "verdict", "small"), Answered)
    assert model.ledger.left_open == ("verdict large",)


def test_a_compile_repeated_ends_at_the_same_question(make: Make) -> None:
    ledgers: list[Ledger] = []
    for _ in range(2):
        model = make(budget=3_000)
        for number in range(12):
            model.ask(question(f"Tool {number}"), "verdict", f"tool_{number}")
        ledgers.append(model.ledger.settled)
    assert ledgers[0] == ledgers[1]


@pytest.mark.parametrize("status", [429, 529, 500, 503])
def test_the_client_repeats_what_is_worth_it(replay: Replay, make: Make, status: int) -> None:
    replay.statuses = [status]
    assert isinstance(make(retries=1).ask(question(), "verdict", "a"), Answered)


@pytest.mark.parametrize("status", [429, 529, 500])
def test_a_provider_that_keeps_failing_is_left_alone(
    replay: Replay, make: Make, status: int
) -> None:
    replay.statuses = [status] * 20
    model = make()
    asked = [model.ask(question(f"{n}"), "verdict", f"{n}") for n in range(5)]
    assert all(isinstance(one, Unasked) for one in asked)
    assert len(replay.bodies) <= 4
    assert model.lost
    assert len(make.notices) == 1
    assert model.ledger.left_open == tuple(f"verdict {n}" for n in range(5))


@pytest.mark.parametrize("status", [401, 403, 302])
def test_a_refusal_is_final_at_once(replay: Replay, make: Make, status: int) -> None:
    replay.statuses = [status] * 5
    model = make()
    for number in range(3):
        model.ask(question(f"{number}"), "verdict", f"{number}")
    assert len(replay.bodies) == 1


def test_a_provider_that_is_down_is_a_value(tmp_path: Path) -> None:
    where = Connection("small", "http://127.0.0.1:9", KEY, given=True)
    heard = Make(Replay([]), tmp_path).hear
    model = Model(Provider(where, str, retries=0), Terms("small"), State(tmp_path), str, heard)
    assert isinstance(model.ask(question(), "verdict", "a"), Unasked)


def test_a_slow_provider_is_given_up(replay: Replay, make: Make) -> None:
    replay.pause = 1.0
    asked = make(seconds=0.2, retries=2).ask(question(), "verdict", "a")
    assert isinstance(asked, Unasked)
    assert len(replay.bodies) == 1
    assert "within" in asked.reason


@pytest.mark.parametrize(
    "raw", [b"{}", b"[]", b"null", b'{"content": 3}', b"\xff\xfe", b'{"content": [{"type": 4}]}']
)
def test_what_is_no_message_is_a_value(replay: Replay, make: Make, raw: bytes) -> None:
    replay.raw = raw
    assert isinstance(make().ask(question(), "verdict", "a"), Unasked | Unreadable)


def test_required_makes_a_failing_provider_an_error(replay: Replay, make: Make) -> None:
    replay.statuses = [500] * 9
    with pytest.raises(ProviderError) as fault:
        make(required=True).ask(question(), "verdict", "a")
    assert fault.value.hint


def files_with(folder: Path, text: str) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if text.encode() in path.read_bytes()]


def test_a_key_that_the_server_echoes_is_not_kept(
    replay: Replay, make: Make, tmp_path: Path
) -> None:
    replay.echo_key = True
    replay.tools = False
    make().ask(question(), "verdict", "a")
    assert replay.keys == {KEY}
    assert list(tmp_path.rglob("*.json"))
    assert not files_with(tmp_path, KEY)


def test_without_redaction_the_key_would_be_kept(
    replay: Replay, make: Make, tmp_path: Path
) -> None:
    replay.echo_key = True
    replay.tools = False
    make(redact=str).ask(question(), "verdict", "a")
    assert files_with(tmp_path, KEY)


def test_a_redirect_does_not_take_the_key_elsewhere(replay: Replay, make: Make) -> None:
    replay.statuses = [307]
    assert isinstance(make().ask(question(), "verdict", "a"), Unasked)
    assert len(replay.bodies) == 1


def test_the_key_is_in_no_text_about_the_connection() -> None:
    where = Connection("small", "http://u:p@127.0.0.1:9", KEY, given=True)
    assert KEY not in repr(where)
    with pytest.raises(ProviderError) as fault:
        Provider(where, str, retries=0).send(model_module.Messages("s", "u"), [], 5)
    assert KEY not in f"{fault.value} {fault.value.hint}"
    assert "u:p" not in str(fault.value)


def test_auto_is_on_only_where_a_model_is_configured() -> None:
    auto = CompileOptions()
    assert settle(auto, {}).llm == "off"
    assert settle(auto, {"ANTHROPIC_API_KEY": KEY}).llm == "auto"
    assert settle(auto, {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}).llm == "auto"
    given = CompileOptions(llm_base_url="http://127.0.0.1:9")
    assert settle(given, {}).llm == "auto"
    assert settle(given, {}).llm_model == provider_module.DEFAULT_MODEL
    off = CompileOptions(llm="off", llm_model="x", llm_budget=3)
    assert settle(off, {"ANTHROPIC_API_KEY": KEY}) == settle(auto, {})


def test_the_key_is_no_part_of_the_options() -> None:
    settled = settle(CompileOptions(), {"ANTHROPIC_API_KEY": KEY})
    assert KEY not in settled.model_dump_json()


def test_a_required_model_that_is_not_configured_is_wrong_usage() -> None:
    with pytest.raises(UsageError):
        settle(CompileOptions(llm="required"), {})


@pytest.mark.parametrize("base", ["ftp://host", "127.0.0.1:80", "http://", "http://[", "x"])
def test_a_base_url_must_be_an_address(base: str) -> None:
    with pytest.raises(UsageError):
        settle(CompileOptions(llm_base_url=base), {})


def test_no_model_without_configuration(tmp_path: Path) -> None:
    said: list[object] = []
    assert consult(settle(CompileOptions(), {}), State(tmp_path), said.append, {}) is None
    assert said == []


def test_notices_are_redacted(replay: Replay, tmp_path: Path) -> None:
    replay.statuses = [401]
    options = settle(CompileOptions(llm_base_url=f"{replay.base_url}/{KEY}"), {})
    said: list[object] = []
    model = consult(options, State(tmp_path), said.append, {"ANTHROPIC_API_KEY": KEY})
    assert model is not None
    model.ask(question(), "verdict", "a")
    assert said
    assert all(isinstance(one, Notice) and KEY not in f"{one}" for one in said)


def test_prompts_are_plain_and_fixed() -> None:
    names = sorted(path.stem for path in FOLDER.glob("*.md"))
    assert names == ["again", "code", "frame", "page", "task", "tasks", "values", "verdict"]
    for name in names:
        assert "{{" not in prompt(name).replace('{"', "")
        assert prompt(name).isascii()
