"""Packages are imported by folder, under a name of their own; arguments are checked before."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from doc2tools.serve.arguments import check
from doc2tools.serve.clients import is_credential, secrets_of
from doc2tools.serve.outcomes import Failed
from doc2tools.serve.packages import Package


def write(folder: Path, answer: int) -> Path:
    (folder / "tools").mkdir(parents=True)
    (folder / "__init__.py").write_text("raise RuntimeError('all of it was imported')\n")
    (folder / "client.py").write_text(f"ANSWER = {answer}\n")
    (folder / "tools" / "__init__.py").write_text("")
    (folder / "tools" / "numbers.py").write_text(
        "from ..client import ANSWER\n\n\ndef answer() -> int:\n    return ANSWER\n"
    )
    return folder


def test_a_package_shadows_nothing(tmp_path: Path) -> None:
    package = Package(write(tmp_path / "json", 1))
    assert package.function("tools.numbers", "answer")() == 1
    assert sys.modules["json"] is json
    assert not any(str(tmp_path) in path for path in sys.path)


def test_the_old_code_runs_on_beside_the_new(tmp_path: Path) -> None:
    old = Package(write(tmp_path / "one", 1)).function("tools.numbers", "answer")
    new = Package(write(tmp_path / "two", 2)).function("tools.numbers", "answer")
    assert (old(), new()) == (1, 2)


def test_what_cannot_be_imported_is_one_kind_of_error(tmp_path: Path) -> None:
    package = Package(write(tmp_path / "numbers", 1))
    (tmp_path / "numbers/tools/broken.py").write_text("1 / 0\n")
    for module, name in [("tools.broken", "x"), ("tools.numbers", "x"), ("tools.none", "x"),
                         ("../../etc", "x"), ("tools.numbers", "ANSWER"), ("", "")]:  # fmt: skip
        with pytest.raises(ImportError):
            package.function(module, name)
    package.forget()
    assert not [name for name in sys.modules if name.startswith("_doc2tools") and "numbers" in name
                and str(tmp_path) in str(sys.modules[name].__file__)]  # fmt: skip


SCHEMA: Any = {
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        "note": {"type": "string"},
        "file": {"type": "string", "contentEncoding": "base64"},
    },
    "required": ["id"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ({"id": 7}, {"id": 7}),
        ({"id": 7, "note": None}, {"id": 7}),
        ({"id": 7, "file": "AQI="}, {"id": 7, "file": b"\x01\x02"}),
        ({"id": None}, "id: None is not of type 'integer'"),
        ({}, "'id' is a required property"),
        ({"id": 7, "x": 1}, "unexpected"),
        ({"id": 7, "file": "no base64!"}, "file: the value is not base64"),
        ({"id": "x" * 5_000}, "id:"),
    ],
)
def test_arguments(given: dict[str, Any], taken: object) -> None:
    checked = check(SCHEMA, given)
    if isinstance(taken, str):
        assert isinstance(checked, Failed)
        assert taken in checked.message
        assert len(checked.message) <= 1_000
    else:
        assert checked == taken


def test_secrets_are_found_by_the_variables_that_hold_them() -> None:
    manifest: Any = {
        "name": "lights",
        "options": {
            "auth": {"token_env": "", "password_env": "PW", "body": {"user": "u", "pin": ["$PIN"]}}
        },
    }
    environment = {"LIGHTS_TOKEN": "a", "LIGHTS_PASSWORD": "b", "PW": "c", "PIN": "d", "X": "e"}
    assert sorted(secrets_of(manifest, environment)) == ["a", "b", "c", "d"]


def test_headers_that_identify_their_sender() -> None:
    for name in ("Authorization", "Cookie", "X-Api-Key", "X-Auth-Token", "X-Own"):
        assert is_credential(name, "x-own")
    for name in ("Accept-Language", "X-Request-Id", "X-Tenant"):
        assert not is_credential(name, "x-own")
