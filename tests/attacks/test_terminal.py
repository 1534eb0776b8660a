"""Text that wants to act on the terminal: escape sequences, markup, hidden and turned text."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest

from doc2tools.cli import extract, screen, tables
from doc2tools.cli import main as front
from doc2tools.cli.main import main
from tests.attacks.attack import Attack, attacks
from tests.attacks.raw_server import RawServer, answer

OWN = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\?25[lh]|\x1b\[[0-9]*[AKG]|\r")
"""What rich itself sends: colours, the cursor off and on, lines taken back."""


def show(
    attack: Attack,
    folder: Path,
    server: RawServer,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> str:
    """Run the attack's commands as on a terminal, and as into a pipe; give all that came out."""
    docs = folder / "docs"
    docs.mkdir()
    text = attack.material.get("page", "").replace("@BASE_URL@", server.base_url)
    (docs / attack.material.get("file", "api.md")).write_text(text)
    server.replies["*"] = answer(attack.material.get("answer", '{"a": 1}').encode())
    if manifest := attack.material.get("manifest"):
        place = folder / "out" / "weather" / "src" / "weather"
        place.mkdir(parents=True)
        (place / "doc2tools.json").write_text(json.dumps(manifest))
    shown: dict[str, str] = {}
    words = {"@DOCS@": str(docs), "@OUT@": str(folder / "out"), "@BASE_URL@": server.base_url}
    capfd.readouterr()
    for forced in ("1", ""):
        monkeypatch.setenv("FORCE_COLOR", forced)
        for command in attack.material["commands"]:
            given: str = command
            for word, value in words.items():
                given = given.replace(word, value)
            main(given.split())
        captured = capfd.readouterr()
        shown[forced] = captured.out + captured.err
    # On a terminal, rich's own sequences are taken for granted; in a pipe there are none.
    return OWN.sub("", shown["1"]) + shown[""]


def obeyed(shown: str) -> set[str]:
    """Give the characters that a terminal would obey or hide."""
    return {c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")} - {"\n", "\t"}


@attacks("terminal")
def test_fails(
    attack: Attack,
    *,
    bubblewrap: None,
    server: RawServer,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = show(attack, tmp_path, server, capfd, monkeypatch)
    assert obeyed(shown) == set()
    plain = re.sub(r"\s+", "", shown)
    for literal in attack.expect.get("literally", []):
        assert re.sub(r"\s+", "", literal) in plain, shown


def _as_it_is(text: str) -> str:
    return text


@attacks("terminal", unguarded=True)
def test_succeeds_without_its_defence(
    attack: Attack,
    *,
    bubblewrap: None,
    server: RawServer,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if attack.without["defence"] == "markup":
        monkeypatch.setattr(screen, "escape_markup", _as_it_is)
    else:
        for module in (screen, tables, extract, front):
            monkeypatch.setattr(module, "plain", _as_it_is)
    shown = show(attack, tmp_path, server, capfd, monkeypatch)
    if "lost" in attack.without:
        assert attack.without["lost"] not in shown
    else:
        assert attack.without["obeyed"] in obeyed(shown)
