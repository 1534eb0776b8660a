"""Secrets and personal data are told by name and by look."""

from __future__ import annotations

import pytest

from doc2tools.param_db.privacy import is_personal_value, is_secret_name
from doc2tools.param_db.values import Value, ValueStore

SECRET_NAMES = [
    *("password", "userPassword", "api_key", "X-Api-Key", "accessToken", "client_secret", "jwt"),
    *("session_id", "Authorization", "private-key", "email", "phoneNumber", "first_name", "pwd"),
]
PUBLIC_NAMES = ["key", "id", "name", "keyword", "monkey", "label", "package_key", "title", "pins"]
PERSONAL = [
    *("ann@example.org", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "Bearer abcdefghijkl"),
    *("AKIAIOSFODNN7EXAMPLE", "-----BEGIN PRIVATE KEY-----\nabc", "http://ann:pw@host/x"),
    *("4111 1111 1111 1111", "+44 20 7946 0958", "ghp_abcdefghijklmnop"),
]
PUBLIC = ["localhost", "1.2.3", "2024-01-02", "a@b", "node-red/inject", "7", "https://host/x", "+1"]


@pytest.mark.parametrize("name", SECRET_NAMES)
def test_secret_names(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", PUBLIC_NAMES)
def test_public_names(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize("value", PERSONAL)
def test_personal_values_are_not_stored(value: str) -> None:
    assert is_personal_value(value)
    assert ValueStore().add([Value(name="note", value=value, resource="user")]) == 0


@pytest.mark.parametrize("value", PUBLIC)
def test_public_values_are_stored(value: str) -> None:
    assert not is_personal_value(value)
    assert ValueStore().add([Value(name="note", value=value, resource="user")]) == 1


def test_secret_names_guessed_values_and_redacted_ones_are_not_stored() -> None:
    refused = [
        Value(name="password", value="x"),
        Value(name="page", value=1, origin="guessed"),
        Value(name="user", value="***"),
        Value(name="ratio", value=float("nan")),
        Value(name="note", value="x" * 400),
        Value(name="note", value="  "),
    ]
    assert ValueStore().add(refused) == 0


@pytest.mark.parametrize(
    "name",
    ["accesstoken", "user_pass", "refreshToken", "clientsecret", "session_page_token", "full_name"],
)
def test_secret_names_in_one_word(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name", ["next_page_token", "pageToken", "nextToken", "continuation-token", "resumptionToken"]
)
def test_a_token_that_turns_pages_is_no_secret(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize(
    "value",
    [
        "write to ann.smith@example.org before noon",
        "curl -H 'X-Api-Key: 8f7d6e5c4b3a' https://host/x",
        "https://host/x?access_token=8f7d6e5c4b3a&page=2",
        "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
        "see eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
        "ftp://ann:pw12@host/x",
        '{"password": "hunter22"}',
    ],
)
def test_secrets_inside_a_text(value: str) -> None:
    assert is_personal_value(value)


@pytest.mark.parametrize(
    "value",
    [
        "lodash@4.17.21",
        "image@sha256:abcd",
        "title:dune",
        "https://host/x?page=2&key=name",
        "sk-SK",
        'job="node"',
        "up{job='node'}",
        "2024-01-02T10:20:30Z",
        "1234 5678",
        "+12",
    ],
)
def test_technical_texts_are_no_secrets(value: str) -> None:
    assert not is_personal_value(value)


def test_hostile_texts_are_looked_at_in_linear_time() -> None:
    for text in (
        "a" * 4000 + "@",
        "a@" * 2000,
        "x=" * 2000,
        "+1" + " " * 4000,
        "a.b-" * 1000 + "@a.",
    ):
        assert is_personal_value(text) in {True, False}
