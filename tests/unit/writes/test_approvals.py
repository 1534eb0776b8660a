"""One approved request at a time, and no other."""

from __future__ import annotations

import json

import pytest
from notebook_api import BASE, TITLE, call

from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.sandbox.approvals import Approval, Approvals, GuardedPolicy
from doc2tools.sandbox.policy import Policy

CREATE = Approval("POST", f"{BASE}/notes", "json", {"title": "ours", "n": 1})
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def approvals() -> Approvals:
    return Approvals()


@pytest.fixture
def policy(approvals: Approvals) -> Policy:
    options = CompileOptions(allow=("GET", "POST", "PUT", "DELETE"), base_url=BASE)
    return GuardedPolicy.guard(Policy.from_options(options, []), approvals)


def refusal(policy: Policy, method: str, path: str, body: object = None) -> str:
    """Ask the policy; "" where the request may be sent."""
    data = b"" if body is None else json.dumps(body).encode()
    failure = policy.decide(method, f"{BASE}{path}", JSON if data else {}, data)
    return failure.message if failure else ""


def test_reads_need_no_approval(policy: Policy) -> None:
    assert refusal(policy, "GET", "/notes") == ""


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_no_write_without_a_step(policy: Policy, method: str) -> None:
    assert "no step of a confirmed plan" in refusal(policy, method, "/notes", {"title": "ours"})


def test_the_approved_request_leaves_once(policy: Policy, approvals: Approvals) -> None:
    with approvals.granted(CREATE):
        assert refusal(policy, "POST", "/notes", {"n": 1, "title": "ours"}) == ""
        assert "no step" in refusal(policy, "POST", "/notes", {"n": 1, "title": "ours"})
    assert "no step" in refusal(policy, "POST", "/notes", {"n": 1, "title": "ours"})


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", "/notes", {"title": "ours", "n": 1}),
        ("DELETE", "/notes/1", None),
        ("POST", "/notes/", {"title": "ours", "n": 1}),
        ("POST", "/notes?x=1", {"title": "ours", "n": 1}),
        ("POST", "/notes/../users", {"title": "ours", "n": 1}),
        ("POST", "/Notes", {"title": "ours", "n": 1}),
        ("POST", "/%6eotes", {"title": "ours", "n": 1}),
        ("POST", "/users", {"title": "ours", "n": 1}),
        ("POST", "/notes", {"title": "other", "n": 1}),
        ("POST", "/notes", {"title": "ours", "n": 1, "id": 2}),
        ("POST", "/notes", {"title": "ours", "n": True}),
        ("POST", "/notes", {"title": "ours"}),
        ("POST", "/notes", [{"title": "ours", "n": 1}]),
        ("POST", "/notes", None),
    ],
)
def test_an_altered_request_does_not_leave(
    policy: Policy, approvals: Approvals, method: str, path: str, body: object
) -> None:
    with approvals.granted(CREATE):
        assert "not in the confirmed plan" in refusal(policy, method, path, body)
        # The approval is still there for the real one.
        assert refusal(policy, "POST", "/notes", {"title": "ours", "n": 1}) == ""


def test_a_key_given_twice_does_not_leave(approvals: Approvals) -> None:
    body = b'{"title": "other", "title": "ours", "n": 1}'
    with approvals.granted(CREATE):
        assert "body" in approvals.take("POST", f"{BASE}/notes", body)


def test_another_host_does_not_leave(approvals: Approvals) -> None:
    with approvals.granted(CREATE):
        assert approvals.take("POST", "http://127.0.0.1:10/notes", b'{"title":"ours","n":1}')
        assert approvals.take("POST", "http://localhost:9/notes", b'{"title":"ours","n":1}')


def test_forms_are_held_to_their_fields(approvals: Approvals) -> None:
    form = Approval("PUT", f"{BASE}/tags/ours", "form", {"label": "a b", "n": "1"})
    for body, fits in ((b"n=1&label=a+b", True), (b"label=a+b&n=1&n=2", False), (b"n=1", False)):
        with approvals.granted(form):
            assert (approvals.take("PUT", f"{BASE}/tags/ours", body) == "") is fits


def test_tools_that_the_user_named_pass_and_nothing_beside_them() -> None:
    approvals = Approvals([call("POST /search/{kind}", TITLE)])
    assert approvals.take("POST", f"{BASE}/search/books?q=1", b"{}") == ""
    for path in ("/search", "/search/a/b", "/searchx/a", "/users", "/x/search/a"):
        assert approvals.take("POST", f"{BASE}{path}", b"{}") != ""
    assert approvals.take("PUT", f"{BASE}/search/books", b"{}") != ""


def test_a_guarded_policy_never_sends_a_create_twice(policy: Policy) -> None:
    assert Policy().repeats_writes
    assert not policy.repeats_writes
