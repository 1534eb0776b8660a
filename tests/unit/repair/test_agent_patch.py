"""A body becomes a change of the endpoint, or is refused; nothing else gets through."""

from __future__ import annotations

from typing import Any

import pytest

from doc2tools.compiler.emit.functions import name_functions
from doc2tools.compiler.ir.spec import Effect, Endpoint, Parameter
from doc2tools.compiler.repair.agent.patch import Inexpressible, patched

BASE = "http://127.0.0.1:8000"
READ = Effect(kind="read", reason="GET")


def endpoint(path: str = "/shelves/{shelf}/books", **changes: object) -> Endpoint:
    given = Endpoint(
        name="list_books",
        group="books",
        method="GET",
        base_url=BASE,
        path=path,
        effect=READ,
        parameters=(
            Parameter(name="shelf", identifier="shelf", location="path", required=True),
            Parameter(name="tag", identifier="tag", location="query", type="array"),
        ),
        samples=({"shelf": "a", "tag": "b"},),
    )
    return given.model_copy(update=changes)


OTHER = endpoint("/shelves", name="list_shelves", parameters=())
AUTHORS = endpoint("/authors/{shelf}/books", name="list_by_author")
SENT = 'path={"shelf": shelf}, query={"tag": tag}'


def patch(body: str, of: Endpoint | None = None) -> Endpoint | Inexpressible:
    before = of or endpoint()
    source = f'def list_books(shelf, *, tag=None):\n    """Say."""\n{body}\n'
    function = name_functions([before])[0]
    return patched(source, function, (BASE, f"{BASE}/v2"), (before, OTHER, AUTHORS))


EXPRESSED: dict[str, tuple[str, dict[str, Any]]] = {
    "a path": (
        f'    return client().get("/library/shelves/{{shelf}}/books", {SENT})',
        {"path": "/library/shelves/{shelf}/books"},
    ),
    "a fixed query value": (
        '    return client().get("/shelves/{shelf}/books", path={"shelf": shelf}, '
        'query={"tag": tag, "format": "json", "all": True})',
        {"fixed_query": {"format": "json", "all": "true"}},
    ),
    "a query in the path": (
        f'    return client().get("/shelves/{{shelf}}/books?format=json", {SENT})',
        {"fixed_query": {"format": "json"}},
    ),
    "a header": (
        f'    return client().get("/shelves/{{shelf}}/books", {SENT}, headers={{"Accept": "a/b"}})',
        {"fixed_headers": {"Accept": "a/b"}},
    ),
    "a name of its own": (
        '    where = "/shelves/{shelf}/books"\n    sent = {"tag": tag}\n'
        '    return client().get(where, path={"shelf": shelf}, query=sent)',
        {},
    ),
    "another base of the API": (
        f'    return client().get("/shelves/{{shelf}}/books", {SENT}, base="{BASE}/v2")',
        {"base_url": f"{BASE}/v2"},
    ),
}


@pytest.mark.parametrize(("body", "changes"), EXPRESSED.values(), ids=EXPRESSED.keys())
def test_a_request_becomes_a_change(body: str, changes: dict[str, Any]) -> None:
    assert patch(body) == endpoint().model_copy(update=changes)


def test_a_parameter_moves_and_is_renamed() -> None:
    found = patch(
        '    return client().get("/shelves/books", '
        'query={"shelf_id": shelf, "tags": joined(tag, ",")})'
    )
    assert isinstance(found, Endpoint)
    assert [(one.name, one.location, one.style) for one in found.parameters] == [
        ("shelf_id", "query", "repeat"),
        ("tags", "query", "comma"),
    ]
    assert found.samples == ({"shelf_id": "a", "tags": "b"},)


REFUSED = {
    "another resource": f'    return client().get("/shelves/{{shelf}}/authors", {SENT})',
    "another documented endpoint": f'    return client().get("/authors/{{shelf}}/books", {SENT})',
    "an action": f'    return client().get("/shelves/{{shelf}}/books/delete", {SENT})',
    "a parameter dropped": (
        '    return client().get("/shelves/{shelf}/books", path={"shelf": shelf})'
    ),
    "a parameter sent twice": (
        '    return client().get("/shelves/{shelf}/books", path={"shelf": shelf}, '
        'query={"tag": tag, "also": tag})'
    ),
    "a value computed": (
        '    return client().get("/shelves/{shelf}/books", path={"shelf": shelf[1:]}, '
        'query={"tag": tag})'
    ),
    "a path computed": f'    return client().get("/shelves/" + "{{shelf}}/books", {SENT})',
    "an answer taken apart": (
        f'    return client().get("/shelves/{{shelf}}/books", {SENT})["books"]'
    ),
    "a second call": (
        '    first = client().get("/shelves")\n'
        f'    return client().get("/shelves/{{shelf}}/books", {SENT})'
    ).replace("first = ", ""),
    "a condition": (
        f'    if shelf:\n        return client().get("/shelves/{{shelf}}/books", {SENT})'
    ),
    "an answer of its own": "    return {}",
    "another host": (
        f'    return client().get("/shelves/{{shelf}}/books", {SENT}, base="https://evil.example")'
    ),
    "names that are not plain": (
        '    return client().get("/shelves/{shelf}/books", path={"shelf": shelf}, query={tag: tag})'
    ),
    "unpacked": (
        '    return client().get("/shelves/{shelf}/books", path={"shelf": shelf}, query={**tag})'
    ),
    "a placeholder that is not filled": (
        '    return client().get("/shelves/{shelf}/books/{tag}", path={"shelf": shelf}, '
        'query={"tag": tag})'
    ),
    "dots": f'    return client().get("/../shelves//{{shelf}}/books", {SENT})',
    "a fixed value in the body": (
        f'    return client().get("/shelves/{{shelf}}/books", {SENT}, body={{"a": 1}})'
    ),
}


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_more_or_less_than_the_request_is_refused(body: str) -> None:
    assert isinstance(patch(body), Inexpressible)
