"""The table of what is never called, from both sides."""

from __future__ import annotations

import pytest

from doc2tools.compiler.ir.base import Location
from doc2tools.compiler.ir.spec import Effect, Endpoint, Parameter
from doc2tools.compiler.validate.writes.never import never, never_field


def operation(call: str, title: str = "", text: str = "") -> Endpoint:
    """Give an operation from `METHOD /path`."""
    method, path = call.split()
    return Endpoint(
        name="tool",
        group="things",
        title=title,
        summary=title,
        description=text,
        method=method,
        base_url="http://127.0.0.1:9",
        path=path,
        effect=Effect(kind="write", reason=f"method {method}"),
    )


NEVER = {
    # keys, tokens, secrets, passwords, credentials
    "POST /keys": "secret",
    "DELETE /api-keys/{id}": "secret",
    "POST /apps/{id}/keys/rotate": "secret",
    "POST /accessTokens": "secret",
    "DELETE /tokens/{token}": "secret",
    "PUT /secrets/{name}": "secret",
    "POST /password": "secret",
    "POST /credentials": "secret",
    "POST /certificates": "secret",
    "POST /login": "secret",
    "DELETE /sessions/{id}": "secret",
    "POST /oauth/clients": "secret",
    # billing, payment, orders
    "POST /orders": "money",
    "DELETE /orders/{id}": "money",
    "POST /checkout": "money",
    "POST /invoices": "money",
    "PUT /billing/plan": "money",
    "POST /payments": "money",
    "POST /payment_methods": "money",
    "DELETE /subscriptions/{id}": "money",
    "POST /cart/items": "money",
    "POST /refunds": "money",
    # users, accounts, members, permissions
    "POST /users": "people",
    "DELETE /users/{id}": "people",
    "PATCH /accounts/{id}": "people",
    "DELETE /teams/{id}/members/{member}": "people",
    "PUT /acl/{name}": "people",
    "POST /roles": "people",
    "PUT /permissions/{id}": "people",
    "DELETE /organizations/{id}": "people",
    "DELETE /me": "people",
    # the service as a whole
    "POST /shutdown": "whole",
    "POST /restart": "whole",
    "PUT /-/reload": "commands",
    "POST /admin/reset": "people",
    "POST /reset": "whole",
    "POST /restore": "whole",
    "POST /backups": "whole",
    "POST /migrations": "whole",
    "POST /cache/purge": "whole",
    "POST /flush": "whole",
    "DELETE /nodes/{id}": "whole",
    "DELETE /databases/{name}": "whole",
    "PUT /settings/{name}": "whole",
    "POST /clear": "whole",
    "POST /disk/format": "whole",
    # bulk
    "POST /_bulk": "commands",
    "POST /notes/bulk": "many",
    "DELETE /notes/all": "many",
    "DELETE /notes/*": "commands",
    "POST /notes/batch": "many",
    "POST /index/_delete_by_query": "commands",
    "POST /notes/import": "many",
    # reaches people or other systems
    "POST /messages": "reaches",
    "POST /mail": "reaches",
    "POST /sms": "reaches",
    "POST /webhooks": "reaches",
    "POST /notifications": "reaches",
    "POST /articles/{id}/publish": "reaches",
    "POST /invitations": "reaches",
    # runs something
    "POST /jobs": "runs",
    "POST /scripts": "runs",
    "POST /execute": "runs",
    "POST /eval": "runs",
    "POST /deployments": "runs",
    "POST /pipelines/{id}/run": "runs",
    "PUT /functions/{name}": "runs",
}
REASONS = {
    "secret": "keys, tokens, secrets",
    "money": "cost money",
    "people": "belong to people",
    "whole": "service as a whole",
    "many": "many objects",
    "commands": "wildcards or commands",
    "reaches": "people or other systems",
    "runs": "runs something",
}
FINE = [
    "POST /notes",
    "PUT /notes/{id}",
    "PATCH /notes/{id}",
    "DELETE /notes/{id}",
    "POST /v1/books",
    "DELETE /v1/books/{isbn}",
    "PUT /tags/{name}",
    "DELETE /tags/{name}",
    "POST /tasks",
    "DELETE /todos/{id}",
    "POST /posts",
    "DELETE /comments/{id}",
    "POST /projects",
    "POST /bookmarks",
    "DELETE /albums/{album_id}",
    "POST /photos",
    "PUT /recipes/{slug}",
    "POST /categories",
    "DELETE /labels/{id}",
    "POST /playlists",
    "PUT /documents/{key}",
    "POST /stations",
    "POST /sensors/{sensor}/readings",
    "DELETE /dashboards/{uid}",
    "POST /folders",
    "POST /annotations",
    "PUT /repos/{name}",
    "DELETE /mirrors/{name}",
    "POST /pages",
    "POST /events",
    "POST /authors",
    "POST /api/rest/v2/shelves",
]
NEVER_SAID = [
    ("DELETE /notes/{id}", "Delete a note", "This is irreversible."),
    ("DELETE /notes/{id}", "Delete a note", "This action cannot be undone."),
    ("DELETE /notes/{id}", "Delete a note", "It can\u2019t be reversed afterwards."),
    ("DELETE /notes/{id}", "Delete all notes", ""),
    ("POST /notes", "Replaces every note with one", ""),
    ("PUT /notes/{id}", "Set the note", "Removes the entire history of the notebook."),
    ("POST /notes", "Create a note and notify followers", ""),
    ("POST /notes", "Create a note", "Sends an email to the owner."),
    ("POST /notes", "Create a note", "Followers are notified."),
    ("POST /notes", "Create a note", "This triggers a webhook."),
    ("POST /notes", "Publish a note", ""),
    ("POST /notes", "Share a note", ""),
    ("POST /notes", "Create an API key", "Gives a new API key."),
    ("POST /notes", "Create a note", "Your card will be charged: it charges the customer."),
    ("PUT /notes/{id}", "Change a note", "Restarts the indexer afterwards."),
    ("PUT /notes/{id}", "Rotate the note", ""),
    ("DELETE /notes/{id}", "Purge a note", ""),
    ("POST /notes", "Run a note", ""),
    ("POST /notes", "Bulk create", ""),
    ("DELETE /notes/{id}", "Revoke it", ""),
    ("POST /things", "Create a user", ""),
    ("DELETE /things/{id}", "Deletes an existing customer account", ""),
    ("POST /things", "Add a new order", ""),
    ("PUT /things/{id}", "Update the access key", ""),
]
FINE_SAID = [
    ("POST /notes", "Create a note", "All fields are optional."),
    ("POST /notes", "Create a note", "Returns all the properties of the new note."),
    ("PUT /notes/{id}", "Update a note", "Every field is replaced."),
    ("DELETE /notes/{id}", "Delete a note", "Answers 204 with no content at all."),
    ("DELETE /notes/{id}", "Removes one note", "Permanently deletes this note."),
    ("POST /notes", "Adds a new note", "The title is shown to readers."),
    ("PATCH /notes/{id}", "Rename a note", "As for all requests, send JSON."),
    ("POST /notes", "Create a note for the current user", ""),
    ("DELETE /notes/{id}", "Send a `DELETE` request to the URL endpoint /notes", ""),
    ("PUT /tags/{name}", "Set a tag", "Creates the tag if there is none."),
]
FIELDS_NEVER = [
    "password", "client_secret", "accessToken", "email", "contactEmail", "phone_number",
    "recipients", "webhook_url", "callbackUrl", "script", "command", "sql", "credit_card",
]  # fmt: skip
FIELDS_FINE = [
    "title", "name", "text", "colour", "due_date", "priority", "url", "emphasis", "tokenizer",
    "secretary_name", "latitude",
]  # fmt: skip


def field(name: str, location: Location = "body") -> Parameter:
    return Parameter(name=name, identifier="field", location=location)


@pytest.mark.parametrize(("call", "kind"), NEVER.items())
def test_is_never_called(call: str, kind: str) -> None:
    assert REASONS[kind] in never(operation(call))


@pytest.mark.parametrize("call", FINE)
def test_may_be_called(call: str) -> None:
    assert never(operation(call)) == ""


@pytest.mark.parametrize(("call", "title", "text"), NEVER_SAID)
def test_text_forbids(call: str, title: str, text: str) -> None:
    assert never(operation(call, title, text)) != ""


@pytest.mark.parametrize(("call", "title", "text"), FINE_SAID)
def test_text_does_not_forbid(call: str, title: str, text: str) -> None:
    assert never(operation(call, title, text)) == ""


@pytest.mark.parametrize("name", FIELDS_NEVER)
def test_field_is_never_filled(name: str) -> None:
    assert never_field(field(name)) != ""


@pytest.mark.parametrize("name", FIELDS_FINE)
def test_field_may_be_filled(name: str) -> None:
    assert never_field(field(name)) == ""


@pytest.mark.parametrize(
    ("base_url", "fine"),
    [
        ("https://api.example.org/v1", True),
        ("http://127.0.0.1:8080/rest/notes", True),
        ("http://[::1]:8080/", True),
        ("https://billing.example.org", False),
        ("https://api.example.org/admin/v2", False),
        ("https://auth.api.example.org", False),
    ],
)
def test_the_base_url_counts(base_url: str, fine: bool) -> None:
    moved = operation("POST /things").model_copy(update={"base_url": base_url})
    assert (never(moved) == "") is fine


def test_hostile_text_takes_no_time_and_no_exception() -> None:
    long = "sends " * 2000 + "all " * 2000 + "{" * 3000
    assert never(operation("POST /notes", long[:300], long)) != ""
    assert never(operation("POST /" + "a{b" * 2000, "", "")) == ""
