from __future__ import annotations

from pathlib import Path

import pytest

from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.options import LimitOptions
from doc2tools.compiler.load.discover import discover
from doc2tools.compiler.load.media import is_openapi, media_of

LIMITS = LimitOptions()
SPEC = b'{"info": {}, "components": {}, "openapi": "3.0.1", "paths": {}}'


def write(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def names(*docs: Path) -> list[str]:
    return [source.name for source in discover([str(doc) for doc in docs], LIMITS)[0]]


def test_a_folder_gives_its_pages_sorted_with_their_media(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "z.md": b"# Z",
            "a/b.html": b"<p>b",
            "a/page.md": b"<!DOCTYPE html><p>x",
            "api.json": SPEC,
            "api.yaml": b"info: {}\nopenapi: 3.1.0\n",
            "package.json": b'{"name": "x", "dependencies": {"openapi": "3.0"}}',
            "logo.png": b"\x89PNG",
            "doc2tools.toml": b"",
            ".git/x.md": b"x",
            ".hidden.md": b"x",
            "node_modules/p/README.md": b"x",
        },
    )
    sources, diagnostics = discover([str(tmp_path)], LIMITS)
    assert [(source.name, source.media) for source in sources] == [
        ("a/b.html", "html"),
        ("a/page.md", "html"),
        ("api.json", "openapi"),
        ("api.yaml", "openapi"),
        ("z.md", "markdown"),
    ]
    assert diagnostics == ()


def test_a_single_file_is_named_by_its_basename(tmp_path: Path) -> None:
    write(tmp_path, {"deep/boats.md": b"# Boats", "README": b"GET /boats"})
    assert names(tmp_path / "deep/boats.md") == ["boats.md"]
    sources, _ = discover([str(tmp_path / "README")], LIMITS)
    assert [(source.name, source.media) for source in sources] == [("README", "text")]


def test_equal_names_do_not_collide(tmp_path: Path) -> None:
    write(tmp_path, {"one/a.md": b"1", "two/a.md": b"2", "x/two/a.md": b"3"})
    assert names(tmp_path / "one", tmp_path / "two") == ["a.md", "two/a.md"]
    assert names(tmp_path / "one/a.md", tmp_path / "two/a.md", tmp_path / "x/two/a.md") == [
        "a.md",
        "a-2.md",
        "a-3.md",
    ]


def test_the_same_file_is_read_once(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": b"1", "b.md": b"2"})
    assert names(tmp_path / "a.md", tmp_path) == ["a.md", "b.md"]


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"docs/a.md": b"1", "secret/b.md": b"2"})
    (tmp_path / "docs/out.md").symlink_to(tmp_path / "secret/b.md")
    (tmp_path / "docs/folder").symlink_to(tmp_path / "secret")
    (tmp_path / "docs/broken.md").symlink_to(tmp_path / "nowhere.md")
    (tmp_path / "docs/inside.md").symlink_to(tmp_path / "docs/a.md")
    assert names(tmp_path / "docs") == ["a.md"]


def test_bad_pages_are_said_and_the_rest_is_read(tmp_path: Path) -> None:
    write(tmp_path, {"good.md": b"# Good", "empty.md": b" \n", "image.md": b"\x89PNG" + bytes(50)})
    sources, diagnostics = discover([str(tmp_path)], LIMITS)
    assert [source.name for source in sources] == ["good.md"]
    assert [(d.code, str(d.span)) for d in diagnostics] == [
        ("page-empty", "empty.md:1"),
        ("page-binary", "image.md:1"),
    ]
    assert all(d.hint for d in diagnostics)


@pytest.mark.parametrize("doc", ["nowhere", "no\0where", ""])
def test_a_missing_path_is_a_usage_error(tmp_path: Path, doc: str) -> None:
    with pytest.raises(UsageError) as caught:
        discover([str(tmp_path / "x") + doc], LIMITS)
    assert caught.value.hint


def test_a_folder_without_pages_is_a_usage_error(tmp_path: Path) -> None:
    write(tmp_path, {"a.png": b"x", "package.json": b"{}"})
    with pytest.raises(UsageError, match="no documentation pages"):
        discover([str(tmp_path)], LIMITS)


def test_json_that_is_no_openapi_is_a_usage_error_if_named(tmp_path: Path) -> None:
    write(tmp_path, {"package.json": b"{}"})
    with pytest.raises(UsageError, match="OpenAPI"):
        discover([str(tmp_path / "package.json")], LIMITS)


def test_no_docs_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        discover([], LIMITS)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (SPEC, True),
        (b'{"swagger": "2.0"}', True),
        (b"swagger: '2.0'\n", True),
        (b'{"paths": {"x": {"openapi": "3.0.0"}}}', False),
        (b"other:\n  openapi: 3.0.0\n", False),
        (b"[" * 100_000, False),
        (b"", False),
    ],
)
def test_openapi_is_told_by_a_key_of_the_top_level(data: bytes, expected: bool) -> None:
    assert is_openapi(data) is expected


def test_the_end_of_the_name_in_any_case_decides() -> None:
    assert media_of("API.HTM", b"<p>x") == "html"
    assert media_of("notes.rst", b"x") == "text"
    assert media_of("tool.py", b"x") is None
