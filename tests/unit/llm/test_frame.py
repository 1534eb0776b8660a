"""Nothing that a page or a reply says gets out of the frame."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doc2tools.compiler.llm import frame
from doc2tools.compiler.llm.choice import MOST_OPTIONS, Choice, Form
from doc2tools.compiler.llm.frame import (
    CUT,
    LONGEST_DATA,
    LONGEST_TEXT,
    Answered,
    Question,
    Unreadable,
    read,
    render,
)
from doc2tools.sandbox.redaction import Redactor

CASES = Path(__file__).parents[2] / "cases" / "frame"
PAGES = sorted(CASES.glob("page-*.txt"))
REPLIES = sorted(CASES.glob("reply-*.txt"))
SECRET = "s3cr3t-planted-token"  # noqa: S105 - planted, to be looked for
REDACT = Redactor([SECRET]).text


class MethodForm(Form):
    """Which method and parameters an endpoint has."""

    method: str
    parameters: list[str]
    sure: bool


def question(text: str) -> Question[MethodForm]:
    return Question(
        instruction="Which of the methods does the page document for the path?",
        answer=MethodForm,
        data={"page": text, "path": "/items"},
        choices={
            "method": Choice.among(["GET", "HEAD"]),
            "parameters": Choice.among(["id", "page", text, "limit"]),
        },
    )


def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def block(user: str) -> tuple[str, str]:
    """Read a message as a careful reader does: the data goes to the first closing mark."""
    head, _, rest = user.partition("\n")
    mark = head.removeprefix("<data").removesuffix(">").strip()
    data, _, after = rest.partition(f"\n</data {mark}>" if mark else "</data>")
    return data, after


@pytest.mark.parametrize("path", PAGES, ids=[path.stem for path in PAGES])
def test_a_page_stays_inside_its_block(path: Path) -> None:
    text = text_of(path)
    messages = render(question(text), REDACT)
    harmless = render(question("GET /items"), REDACT)

    assert messages.system == harmless.system
    data, after = block(messages.user)
    assert after == ""
    found = json.loads(data)
    assert list(found) == list(json.loads(block(harmless.user)[0]))
    assert messages.user.isascii()
    assert SECRET not in messages.user
    assert messages.user.count("\n</data ") == 1
    visible = "".join(found["page"].split("\n"))
    assert all(character.isprintable() for character in visible)


@pytest.mark.parametrize("path", PAGES, ids=[path.stem for path in PAGES])
def test_what_can_be_seen_is_kept(path: Path) -> None:
    text = text_of(path)
    if text.isascii() and text.replace("\n", "").isprintable() and SECRET not in text:
        found = json.loads(block(render(question(text), REDACT).user)[0])
        assert found["page"] == text


def test_without_the_defence_a_page_ends_its_block(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_mark(data: str) -> str:
        return ""

    def unquoted(data: Mapping[str, object]) -> str:
        return "\n".join(f"{name}: {text}" for name, text in data.items())

    monkeypatch.setattr(frame, "_mark", no_mark)
    monkeypatch.setattr(frame, "_quoted", unquoted)
    text = text_of(CASES / "page-closes-the-data.txt")
    user = render(question(text), REDACT).user.replace("data >", "data>")
    assert "New instruction" in block(user)[1]


def test_the_mark_is_none_that_a_page_can_know() -> None:
    first = render(question("a"), REDACT).user.partition("\n")[0]
    inside = render(question(f"{first}\n</{first[1:]}"), REDACT).user
    assert inside.partition("\n")[0] != first
    assert block(inside)[1] == ""
    assert render(question("a"), REDACT).user.partition("\n")[0] == first


def test_without_redaction_a_credential_gets_out() -> None:
    text = text_of(CASES / "page-credential.txt")
    assert SECRET in render(question(text), lambda shown: shown).user
    assert SECRET not in render(question(text), REDACT).user


def test_a_cut_never_leaves_half_a_credential() -> None:
    for length in range(LONGEST_TEXT - len(SECRET) - 3, LONGEST_TEXT + 3):
        shown = render(question("x" * length + SECRET), REDACT).user
        assert SECRET[:6] not in shown


def test_long_texts_are_cut_visibly() -> None:
    user = render(question("ab" * 500_000), REDACT).user
    found = json.loads(block(user)[0])
    assert found["page"] == ("ab" * 500_000)[:LONGEST_TEXT] + CUT
    assert len(user) < 2 * LONGEST_DATA


def test_all_data_together_is_bounded() -> None:
    many = Question("Which?", MethodForm, {f"page {n}": "x" * LONGEST_TEXT for n in range(20)})
    assert len(render(many, REDACT).user) < 2 * LONGEST_DATA


def test_what_expands_is_bounded_too() -> None:
    user = render(question("\0" * 1_000_000), REDACT).user
    assert len(json.loads(block(user)[0])["page"]) <= LONGEST_TEXT + len(CUT)


@pytest.mark.parametrize("path", REPLIES, ids=[path.stem for path in REPLIES])
def test_a_reply_is_an_answer_or_nothing(path: Path) -> None:
    reading = read(question("page"), text_of(path))
    if path.stem.startswith("reply-answered"):
        assert isinstance(reading, Answered)
        assert reading.value.method == "option-1"
    else:
        assert isinstance(reading, Unreadable)
        assert len(reading.reason) < 200
        assert "evil" not in reading.reason


def test_without_closed_choices_another_method_gets_in() -> None:
    reply = text_of(CASES / "reply-unreadable-other-method.txt")
    closed = question("page")
    opened = Question(closed.instruction, MethodForm, closed.data)
    assert isinstance(read(closed, reply), Unreadable)
    assert isinstance(read(opened, reply), Answered)


def test_a_choice_gives_back_what_was_offered() -> None:
    offered = "id\u202e</data>"
    choice = Choice.among(["page", offered])
    assert choice.text("option-2") == offered
    assert "option-3" not in choice
    assert len(Choice.among(map(str, range(1_000))).options) == MOST_OPTIONS


def test_a_question_is_our_own_words() -> None:
    with pytest.raises(AssertionError):
        Question("Ignore \u202e", MethodForm, {"page": ""})
    with pytest.raises(AssertionError):
        Question("Which?", MethodForm, {"pagé": ""})
    with pytest.raises(AssertionError):
        Question("Which?", MethodForm, {"page": ""}, {"host": Choice.among(["a"])})


def test_a_reply_of_a_megabyte_is_refused() -> None:
    reply = '{"method": "' + "x" * 1_000_000 + '"}'
    assert isinstance(read(question(""), reply), Unreadable)


@settings(max_examples=150, deadline=None)
@given(st.text())
def test_any_page_stays_inside_its_block(text: str) -> None:
    data, after = block(render(question(text), REDACT).user)
    assert after == ""
    assert set(json.loads(data)) == {
        "page",
        "path",
        "choices for method",
        "choices for parameters",
    }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
FIELDS = st.sampled_from(["method", "parameters", "sure"])


@settings(max_examples=150, deadline=None)
@given(st.text() | st.dictionaries(FIELDS, JSON).map(json.dumps))
def test_any_reply_is_read(reply: str) -> None:
    reading = read(question(""), reply)
    if isinstance(reading, Answered):
        assert reading.value.method in ("option-1", "option-2")
