"""Which object is ours, as told from what servers answer."""

from __future__ import annotations

import json

import pytest

from doc2tools.compiler.ir.exchange import Exchange, Request, Response
from doc2tools.compiler.validate.writes.calls import is_safe_id
from doc2tools.compiler.validate.writes.model import OWN
from doc2tools.compiler.validate.writes.proof import known_ids, named, named_in_list, shows

ITEM = f"http://127.0.0.1:9/api/notes/{OWN}"
OURS = "doc2tools-0123abcd"


def answer(value: object, status: int = 200, **headers: str) -> Exchange:
    text = value if isinstance(value, str) else json.dumps(value)
    media = "text/plain" if isinstance(value, str) else "application/json"
    response = Response(status=status, body=text, headers={"content-type": media, **headers})
    return Exchange(request=Request(method="GET", url="http://127.0.0.1:9/"), response=response)


@pytest.mark.parametrize(
    ("value", "headers", "expected"),
    [
        ({"id": 7, "title": OURS}, {}, ("7",)),
        ({"note_id": "n7", "id": 3, "title": OURS}, {}, ("n7",)),
        ({"_id": "5f", "title": OURS}, {}, ("5f",)),
        ({"status": "ok", "data": {"uuid": "a-b", "title": OURS}}, {}, ("a-b",)),
        ({"id": 9, "data": {"id": 7, "title": OURS}}, {}, ("7",)),
        ({"result": {"id": 7}}, {}, ("7",)),
        ({"note": {"name": "x", "slug": "x-1"}}, {}, ("x-1",)),
        (7, {}, ("7",)),
        ({"ok": True}, {}, ()),
        ([], {}, ()),
        ({"id": None, "title": OURS}, {}, ()),
        ({"id": True, "title": OURS}, {}, ()),
        ("", {"location": "/api/notes/7"}, ("7",)),
        ("", {"location": "http://127.0.0.1:9/api/notes/7/"}, ("7",)),
        ("", {"location": "https://public.example/v1/api/notes/7?x=1"}, ("7",)),
        ("", {"location": "/api/users/7"}, ()),
        ("", {"location": "/api/notes/"}, ()),
        ("", {"location": "/api/notes/7/parts"}, ()),
        ("", {"location": "http://[bad"}, ()),
        ({"id": 7}, {"location": "/api/notes/7"}, ("7",)),
        ({"id": 7}, {"location": "/api/notes/2"}, ("2", "7")),
    ],
)
def test_identifiers_in_the_answer_to_a_create(
    value: object, headers: dict[str, str], expected: tuple[str, ...]
) -> None:
    found = named([answer(value, 201, **headers)], ITEM, "note_id", OURS)
    assert found.identifiers == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([{"id": 1, "title": "x"}, {"id": 7, "title": OURS}], ("7",)),
        ({"notes": [{"id": 7, "title": OURS}], "total": 1}, ("7",)),
        ({"7": {"title": OURS}, "8": {"title": "x"}}, ("7",)),
        ([OURS, "x"], (OURS,)),
        ([{"id": 7, "title": OURS}, {"id": 8, "title": OURS}], ("7", "8")),
        ([{"id": 7, "title": f"{OURS}-2"}], ()),
        ([{"id": 7, "title": f"about {OURS}"}], ()),
        ("no JSON", ()),
    ],
)
def test_our_object_in_a_list(value: object, expected: tuple[str, ...]) -> None:
    assert named_in_list(answer(value), "id", OURS) == expected


def test_all_identifiers_of_a_list() -> None:
    listed = {"items": [{"id": 1, "owner": {"id": 44}}, {"id": "b"}], "next": None}
    assert {"1", "b"} <= known_ids(answer(listed), "id")
    assert {"x", "y"} <= known_ids(answer({"x": {}, "y": {}}), "id")
    assert {"3", "z"} <= known_ids(answer([3, "z"]), "id")


@pytest.mark.parametrize(
    ("value", "status", "exact", "any_step"),
    [
        ({"title": OURS}, 200, True, True),
        ({"deep": [{"title": OURS}]}, 200, True, True),
        ({"title": f"{OURS}-2"}, 200, False, True),
        ({"title": f"{OURS}-draft"}, 200, False, False),
        ({"title": f"{OURS}0"}, 200, False, False),
        ({"title": f"x{OURS}"}, 200, False, False),
        ({OURS: 1}, 200, False, False),
        (f"title: {OURS}\n", 200, True, True),
        ({"error": f"no note {OURS}"}, 404, False, False),
    ],
)
def test_what_shows_our_object(value: object, status: int, exact: bool, any_step: bool) -> None:
    assert shows(answer(value, status), OURS) is exact
    assert shows(answer(value, status), OURS, any_step=True) is any_step


@pytest.mark.parametrize("identifier", ["7", "a-b_c", "5f.1", "x:y", "user@host"])
def test_identifiers_that_may_stand_in_an_address(identifier: str) -> None:
    assert is_safe_id(identifier)


@pytest.mark.parametrize(
    "identifier", ["", ".", "..", "a/b", "7?all=1", "7#", "a b", "*", "7%2f..", "{id}", "x" * 300]
)
def test_identifiers_that_may_not(identifier: str) -> None:
    assert not is_safe_id(identifier)
