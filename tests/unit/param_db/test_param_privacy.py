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
