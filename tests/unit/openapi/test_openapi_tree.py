from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from doc2tools.compiler.extract.openapi import draft_openapi
from doc2tools.compiler.extract.openapi_tree import Map, TreeError, plain, read_tree
from doc2tools.compiler.load.source import Source

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=20,
)
WORDS = st.sampled_from(
    [
        "openapi",
        "swagger",
        "paths",
        "get",
        "post",
        "parameters",
        "name",
        "in",
        "query",
        "path",
        "body",
        "schema",
        "type",
        "object",
        "string",
        "properties",
        "items",
        "$ref",
        "#/components/schemas/A",
        "#/paths",
        "allOf",
        "oneOf",
        "required",
        "example",
        "examples",
        "enum",
        "default",
        "components",
        "schemas",
        "A",
        "securitySchemes",
        "security",
        "servers",
        "url",
        "variables",
        "content",
        "application/json",
        "requestBody",
        "responses",
        "200",
        "host",
        "basePath",
        "schemes",
        "formData",
    ]
)
SPEC = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=5),
    max_leaves=40,
)


def tree_of(text: str) -> Map:
    found = read_tree(text)
    assert isinstance(found, Map)
    return found


@settings(max_examples=150, deadline=None)
@given(
    value=st.dictionaries(st.text(max_size=6), JSON, max_size=4), indent=st.sampled_from([None, 1])
)
def test_json_reads_as_the_standard_library_reads_it(value: dict[str, object], indent: int) -> None:
    assert plain(read_tree(json.dumps(value, indent=indent))) == value


@settings(max_examples=100, deadline=None)
@given(value=st.dictionaries(st.from_regex(r"[a-z]{1,5}", fullmatch=True), JSON, max_size=4))
@example(value={"a": {"<<": None}})
def test_yaml_reads_as_it_was_written(value: dict[str, object]) -> None:
    assert plain(read_tree(yaml.safe_dump(value) if value else "{}")) == value


@settings(max_examples=200, deadline=None)
@given(rest=st.dictionaries(WORDS, SPEC, max_size=6), paths=SPEC, old=st.booleans())
def test_any_description_gives_a_draft(rest: dict[str, object], paths: object, old: bool) -> None:
    head = {"swagger": "2.0"} if old else {"openapi": "3.0.0"}
    data = json.dumps({**rest, "paths": {"/a": paths}, **head}).encode()
    page = draft_openapi(Source(name="a.json", data=data, media="openapi"))
    assert page.page == "a.json"


@settings(max_examples=200, deadline=None)
@given(data=st.binary(max_size=120))
def test_any_bytes_give_a_draft(data: bytes) -> None:
    assert draft_openapi(Source(name="a", data=data, media="openapi")).page == "a"


def test_every_key_knows_its_line() -> None:
    for text in ('{\n "a": {\n  "b": 1},\n "c": [\n {"d": 2}]\n}', "\na:\n  b: 1\nc:\n  - d: 2\n"):
        tree = tree_of(text)
        assert (tree.line_of("a"), tree.map("a").line_of("b"), tree.line_of("c")) == (2, 3, 4)
        inner = tree.sequence("c")[0]
        assert isinstance(inner, Map)
        assert inner.line_of("d") == 5


def test_duplicate_keys_keep_the_last() -> None:
    assert plain(read_tree('{"a": 1, "a": 2}')) == {"a": 2}
    assert plain(read_tree("a: 1\na: 2\n")) == {"a": 2}


def test_yaml_anchors_merge_keys_and_plain_words() -> None:
    tree = read_tree(
        "base: &b {x: 1, y: no}\nuse:\n  <<: *b\n  x: 2\nother: *b\nwhen: 2024-01-02\n"
    )
    assert plain(tree) == {
        "base": {"x": 1, "y": "no"},
        "use": {"x": 2, "y": "no"},
        "other": {"x": 1, "y": "no"},
        "when": "2024-01-02",
    }


def test_aliases_are_shared_not_multiplied() -> None:
    levels = [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 30)]
    tree = tree_of("l0: &l0 [x]\n" + "\n".join(levels))
    assert len(tree) == 30
    assert plain(tree["l29"]) is None


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        "a: [" + "[" * 5_000,
        '{"a": "\\"' * 3,
        "{,}}",
    ],
)
def test_what_is_no_tree_says_so(text: str) -> None:
    with pytest.raises(TreeError):
        read_tree(text)


def test_halves_of_surrogate_pairs_do_not_get_through() -> None:
    tree = tree_of('{"a": "\\ud800x"}')
    assert tree.text("a").encode("utf-8") == b"?x"
