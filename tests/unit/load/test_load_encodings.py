from __future__ import annotations

import pytest

from doc2tools.compiler.load.encodings import MAX_BYTES, decode, is_binary

WORDS = "Häfen und Gezeiten: Größe in m³"


@pytest.mark.parametrize(
    "data",
    [
        WORDS.encode("utf-8"),
        WORDS.encode("utf-8-sig"),
        WORDS.encode("utf-16"),
        WORDS.encode("utf-16-le"),
        WORDS.encode("utf-16-be"),
        b'<meta charset="latin-1">' + WORDS.encode("latin-1"),
        b'<meta charset="latin-1">' + WORDS.encode("utf-8"),
        WORDS.encode("cp1252"),
    ],
)
def test_the_text_comes_out_whatever_the_encoding(data: bytes) -> None:
    assert decode(data, html=True).text.removeprefix('<meta charset="latin-1">') == WORDS


def test_a_declared_encoding_counts_where_utf8_fails() -> None:
    data = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1250">Żółw'
    assert "Żółw" in decode(data.encode("cp1250"), html=True).text


def test_an_unknown_declaration_is_passed_over() -> None:
    assert "ä" in decode(b'<meta charset="nonsense">\xe4', html=True).text


def test_line_ends_become_line_feeds() -> None:
    assert decode(b"a\r\nb\rc\n", html=False).text == "a\nb\nc\n"


def test_bytes_that_fit_nothing_are_replaced_and_said() -> None:
    found = decode(b"abc \x81\x8d\xff def" * 3, html=False)
    assert found.lossy
    assert found.text.startswith("abc ")


@pytest.mark.parametrize("data", [b"\x89PNG\r\n", b"PK\x03\x04rest", bytes(100), b"%PDF-1.4"])
def test_binary_is_told_from_text(data: bytes) -> None:
    assert is_binary(data)


def test_a_page_over_the_limit_is_cut_between_characters() -> None:
    found = decode("é".encode() * (MAX_BYTES // 2) + b"x", html=False)
    assert found.truncated
    assert not found.lossy
