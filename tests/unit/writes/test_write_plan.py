"""What is planned, with which values, and why the rest is not."""

from __future__ import annotations

import pytest
from notebook_api import ALL, BASE, NOTES, TITLE, call, family, field, plan, reasons

from doc2tools.compiler.ir.spec import Parameter
from doc2tools.compiler.validate.writes.model import OWN, Family


def sent(found: Family, action: str = "create") -> dict[str, object]:
    steps = [step for step in found.steps if step.action == action]
    return {one.name: one.value for one in steps[0].given}


def test_a_whole_family_is_planned_in_order() -> None:
    found = family(*NOTES)
    assert [(step.action, step.method, step.url) for step in found.steps] == [
        ("list", "GET", f"{BASE}/notes"),
        ("create", "POST", f"{BASE}/notes"),
        ("read", "GET", f"{BASE}/notes/{OWN}"),
        ("change", "PUT", f"{BASE}/notes/{OWN}"),
        ("read", "GET", f"{BASE}/notes/{OWN}"),
        ("delete", "DELETE", f"{BASE}/notes/{OWN}"),
        ("gone", "GET", f"{BASE}/notes/{OWN}"),
    ]
    assert sent(found) == {"title": found.marker}
    assert sent(found, "change") == {"title": f"{found.marker}-2"}
    assert found.marker.startswith("doc2tools-")
    assert len(found.marker) == 18


def test_a_key_of_ours_is_first_proved_free() -> None:
    found = family(
        call("PUT /tags/{name}", field("label")), call("GET /tags/{name}"),
        call("DELETE /tags/{name}"),
    )  # fmt: skip
    assert found.own_key
    assert [step.action for step in found.steps][:2] == ["absent", "create"]
    assert sent(found) == {"label": found.marker}


def test_nothing_is_planned_without_a_method_that_writes() -> None:
    found = plan(*NOTES, allow=("GET",))
    assert found.families == found.blocked == ()
    assert found.digest == ""


@pytest.mark.parametrize("lost", [1, 4])
def test_no_family_without_create_and_delete(lost: int) -> None:
    rest = [one for number, one in enumerate(NOTES) if number != lost]
    if lost == 1:  # a PUT creates under a key of ours, which proves itself at the first read
        assert family(*rest).own_key
    else:
        said = reasons(*rest)
        assert "no operation to delete" in said["post_notes"]


def test_no_family_without_a_read() -> None:
    said = reasons(NOTES[1], NOTES[3], NOTES[4])
    assert "no operation to read" in said["post_notes"]


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_no_family_without_its_methods(method: str) -> None:
    allow = tuple(one for one in ALL if one != method)
    assert plan(*NOTES, allow=allow).families == ()


def test_a_change_that_is_not_allowed_is_left_out() -> None:
    found = plan(*NOTES, allow=("GET", "POST", "DELETE"))
    assert [step.action for step in found.families[0].steps if step.writes] == ["create", "delete"]
    assert [one.tool for one in found.blocked] == ["put_notes_id"]
    assert "not among the allowed" in found.blocked[0].reason


def test_a_forbidden_member_forbids_the_family() -> None:
    delete = call("DELETE /notes/{id}", summary="Delete a note. This cannot be undone.")
    said = reasons(*NOTES[:4], delete)
    assert "cannot be undone" in said["delete_notes_id"]
    assert "which the plan needs" in said["post_notes"]


def test_a_forbidden_change_is_left_out_alone() -> None:
    change = call("PUT /notes/{id}", TITLE, summary="Publish a note")
    found = plan(*NOTES[:3], change, NOTES[4])
    assert len(found.families) == 1
    assert "people or other systems" in found.blocked[0].reason


@pytest.mark.parametrize("path", ["/users", "/keys", "/orders", "/jobs", "/messages"])
def test_forbidden_resources_stay_blocked(path: str) -> None:
    said = reasons(
        call(f"GET {path}"), call(f"POST {path}", TITLE), call(f"GET {path}/{{id}}"),
        call(f"DELETE {path}/{{id}}"),
    )  # fmt: skip
    assert all(reason.startswith("never called: ") for reason in said.values())
    assert len(said) == 2


def test_sample_values_are_used_and_names_replaced() -> None:
    create = call(
        "POST /notes", TITLE, field("colour", enum=("red", "green")), field("text"),
        field("stars", type="integer"), field("public", type="boolean"), field("author_id"),
        field("owner", type="object"), field("email"), field("meta", type="object"),
        samples=({
            "title": "Shopping", "colour": "green", "text": "milk", "stars": 4, "public": True,
            "author_id": 7, "owner": {"id": 1}, "email": "ada@example.org",
            "meta": {"lang": "en", "user_id": 3, "notify": True},
        },),
    )  # fmt: skip
    found = family(NOTES[0], create, *NOTES[2:])
    assert sent(found) == {
        "title": found.marker, "colour": "green", "text": "milk", "stars": 4, "public": False,
        "meta": {"lang": "en", "notify": False},
    }  # fmt: skip


def test_required_values_are_made_from_types() -> None:
    create = call(
        "POST /notes", TITLE, field("colour", enum=("red", "green"), required=True),
        field("stars", type="integer", minimum=3, required=True),
        field("day", format="date", required=True), field("tags", type="array", required=True),
        field("done", type="boolean", required=True),
    )  # fmt: skip
    found = family(NOTES[0], create, *NOTES[2:])
    assert sent(found) == {
        "title": found.marker, "colour": "red", "stars": 3, "day": "2001-01-01", "tags": [],
        "done": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("needed", "why"),
    [
        (field("author_id", required=True), "not ours"),
        (field("parentId", required=True, type="integer"), "not ours"),
        (field("email", required=True), "write to a person"),
        (field("password", required=True), "secret"),
        (field("callback_url", required=True), "run or call"),
        (field("photo", required=True, type="file"), "file"),
        (field("serial", required=True, pattern="[A-Z]{3}"), "no value is known"),
    ],
)
def test_needs_that_cannot_be_met_safely(needed: Parameter, why: str) -> None:
    said = reasons(NOTES[0], call("POST /notes", TITLE, needed), *NOTES[2:])
    assert why in said["post_notes"]
    assert why in said["delete_notes_id"]


def test_a_value_of_the_user_meets_a_need() -> None:
    create = call("POST /notes", TITLE, field("author_id", required=True))
    found = family(NOTES[0], create, *NOTES[2:], values={"author_id": "7"})
    assert sent(found) == {"title": found.marker, "author_id": "7"}


def test_objects_below_others_need_the_users_value() -> None:
    below = tuple(
        call(f"{one.method} /books/{{book}}{one.path}", *(p for p in one.parameters if p is TITLE))
        for one in NOTES
    )
    assert "below an object that is not ours" in reasons(*below)["post_books_book_notes"]
    found = family(*below, values={"book": "ours/x"})
    assert found.steps[0].url == f"{BASE}/books/ours%2Fx/notes"


def test_an_object_must_carry_our_name() -> None:
    said = reasons(NOTES[0], call("POST /notes", field("stars", type="integer")), *NOTES[2:])
    assert "no field can carry a name of ours" in said["post_notes"]


@pytest.mark.parametrize(
    "key", [{"type": "integer"}, {"enum": ("a", "b")}, {"format": "uuid"}, {"pattern": "x+"}]
)
def test_a_key_that_cannot_be_our_name(key: dict[str, object]) -> None:
    said = reasons(
        call("PUT /tags/{name}", field("name", "path", required=True, **key), field("label")),
        call("GET /tags/{name}"), call("DELETE /tags/{name}"),
    )  # fmt: skip
    assert "its key cannot be a name of ours" in said["put_tags_name"]


def test_a_delete_that_needs_more_than_a_path() -> None:
    delete = call("DELETE /notes/{id}", field("force", "query", required=True))
    assert "a delete that needs force" in reasons(*NOTES[:4], delete)["post_notes"]


def test_commands_in_queries_and_strange_bodies_are_not_planned() -> None:
    command = call("POST /notes", TITLE, fixed_query={"action": "create"})
    assert "command in the query" in reasons(NOTES[0], command)["post_notes"]
    upload = call("POST /notes", TITLE, body_kind="multipart")
    assert "no JSON and no form" in reasons(NOTES[0], upload, *NOTES[2:])["post_notes"]


def test_state_changing_gets_are_not_planned() -> None:
    rotate = call("GET /notes/rotate", effect={"kind": "write", "reason": "GET, but"})
    assert "no plan is made for a GET" in reasons(rotate)["get_notes_rotate"]


def test_tools_that_the_user_named_are_none_of_the_plans_business() -> None:
    found = plan(*NOTES, allow_unsafe=("post_notes",))
    assert "post_notes" not in {one.tool for one in found.blocked}
    assert "post_notes" not in {tool for one in found.families for tool in one.tools}


def test_the_digest_follows_every_step_and_nothing_else() -> None:
    first = plan(*NOTES)
    assert plan(*NOTES).digest == first.digest
    assert len(first.digest) == 12
    assert plan(*NOTES, call("POST /jobs")).digest == first.digest
    other = call("POST /notes", TITLE, field("text", required=True, default="hello"))
    assert plan(NOTES[0], other, *NOTES[2:]).digest != first.digest
    assert plan(*NOTES, allow=("GET", "POST", "DELETE")).digest != first.digest


def test_paths_of_create_and_singular_words_belong_together() -> None:
    found = family(
        call("GET /note.json"), call("POST /notes/new", TITLE), call("GET /notes/{id}"),
        call("DELETE /notes/{id}"),
    )  # fmt: skip
    assert found.tools == ("get_note.json", "post_notes_new", "get_notes_id", "delete_notes_id")


def test_a_field_that_repeats_the_key_stays_when_the_object_changes() -> None:
    found = family(
        call("GET /notes"), call("POST /notes", field("slug", required=True), field("text")),
        call("GET /notes/{slug}"),
        call("PUT /notes/{slug}", field("slug", required=True), field("text")),
        call("DELETE /notes/{slug}"),
    )  # fmt: skip
    assert sent(found, "change") == {"slug": found.marker, "text": f"{found.marker}-2"}


def test_addresses_of_samples_are_never_sent() -> None:
    create = call(
        "POST /notes", TITLE, field("source_url", required=True), field("avatar", format="uri"),
        field("meta", type="object"),
        samples=({
            "title": "Shopping", "source_url": "https://shop.example.com/",
            "avatar": "https://a.example.com/x.png", "meta": {"from": "http://b.example.com"},
        },),
    )  # fmt: skip
    nowhere = "https://example.invalid/"
    found = family(NOTES[0], create, *NOTES[2:])
    assert sent(found) == {
        "title": found.marker, "source_url": nowhere, "avatar": nowhere,
        "meta": {"from": nowhere},
    }  # fmt: skip


def test_a_post_beside_the_objects_is_no_create() -> None:
    items = (call("GET /flow/{id}"), call("DELETE /flow/{id}"))
    said = reasons(call("GET /flows"), call("POST /flows", TITLE), *items)
    assert "no operation to create" in said["post_flows"]
    both = family(call("GET /flows"), call("POST /flows", TITLE), call("POST /flow", TITLE), *items)
    assert [step.url for step in both.steps if step.action == "create"] == [f"{BASE}/flow"]


@pytest.mark.parametrize("title", ["Set the notes", "Replaces the notes", "Update notes"])
def test_a_post_that_sets_is_no_create(title: str) -> None:
    said = reasons(NOTES[0], call("POST /notes", TITLE, title=title), *NOTES[2:])
    assert "no operation to create" in said["post_notes"]
