"""What single texts say: types, obligations, defaults, choices, ranges, names, roles."""

# ruff: noqa: RUF001 - documentation holds typographic quotes

from __future__ import annotations

import pytest

from doc2tools.compiler.extract.parameters.naming import read_name
from doc2tools.compiler.extract.parameters.phrases import read_required, read_statement
from doc2tools.compiler.extract.parameters.roles import read_role
from doc2tools.compiler.extract.parameters.types import read_type
from doc2tools.compiler.extract.parameters.values import choices, literal


@pytest.mark.parametrize(
    ("text", "kind", "item", "form"),
    [
        ("string", "string", None, ""),
        ("Int", "integer", None, ""),
        ("int64", "integer", None, "int64"),
        ("*required*, string", "string", None, ""),
        ("[]string", "array", "string", ""),
        ("int[]", "array", "integer", ""),
        ("array of strings", "array", "string", ""),
        ("List<Integer>", "array", "integer", ""),
        ("array of Point", "array", "object", ""),
        ("rfc3339 | unix_timestamp", "string", None, "date-time"),
        ("date", "string", None, "date"),
        ("uuid", "string", None, "uuid"),
        ("Decimal [-90,90] degrees", "number", None, ""),
        ("bool", "boolean", None, ""),
        ("file", "file", None, ""),
        ("Zeichenkette", "string", None, ""),
        ("целое число", "number", None, ""),
        ("字符串", "string", None, ""),
        ("Which page to show", None, None, ""),
    ],
)
def test_type_words(text: str, kind: str | None, item: str | None, form: str) -> None:
    typing = read_type(text)
    assert (typing.type, typing.item_type, typing.format) == (kind, item, form)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("asc|desc", ("asc", "desc")),
        ('"json" / "xml"', ("json", "xml")),
        ("string | integer", ()),
        ("<on | off>", ("on", "off")),
    ],
)
def test_choices_in_place_of_a_type(text: str, values: tuple[str, ...]) -> None:
    assert read_type(text).enum == values


@pytest.mark.parametrize(
    ("text", "required"),
    [
        ("Required. The name.", True),
        ("The name (required)", True),
        ("This field is required.", True),
        ("must be provided", True),
        ("obligatorio", True),
        ("必填", True),
        ("Optional. The name.", False),
        ("Defaults to 10.", False),
        ("the current time if omitted", False),
        ("not required", False),
        ("non-mandatory", False),
        ("необязательный", False),
        ("required if `b` is given", False),
        ("The required number of rooms", None),
        ("Name of the town", None),
    ],
)
def test_obligation(text: str, required: bool | None) -> None:
    assert read_required(text)[0] is required


def test_a_text_that_says_both_is_a_contradiction() -> None:
    statement = read_statement("required, optional")
    assert statement.contradiction
    assert statement.required is False


@pytest.mark.parametrize(
    ("text", "default"),
    [
        ("Defaults to `v1` if not set.", "v1"),
        ("default: 10", "10"),
        ("(default 10)", "10"),
        ("`true` (default), `false`", "true"),
        ("25 by default, at most 100", "25"),
        ("The default is `asc`.", "asc"),
        ("Standardmäßig 5", "5"),
        ("defaults to the current time", ""),
        ("The default behaviour is kept", ""),
        ("default: none", ""),
    ],
)
def test_default(text: str, default: str) -> None:
    assert read_statement(text).default == default


@pytest.mark.parametrize(
    ("text", "enum"),
    [
        ("One of `asc` or `desc`.", ("asc", "desc")),
        ("either `a` or `b`", ("a", "b")),
        ("possible values: small, medium, large", ("small", "medium", "large")),
        ("image size (small, medium or large)", ("small", "medium", "large")),
        ("`json` or `xml`. Optional.", ("json", "xml")),
        ("must be yes or no", ("yes", "no")),
        ("Set it together with `from` and `to`", ()),
        ("the name, the town, the street", ()),
    ],
)
def test_enum(text: str, enum: tuple[str, ...]) -> None:
    assert read_statement(text).enum == enum


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("between 1 and 100", 1, 100),
        ("1-100", 1, 100),
        ("integer 0 .. 360", 0, 360),
        ("max 50", None, 50),
        ("minimum: 3", 3, None),
        ("[-90,90]", -90, 90),
        ("up to 1,000 rows", None, 1000),
        ("at most 20 characters", None, None),
        ("no number here", None, None),
        ("2020-01-31", None, None),
    ],
)
def test_range(text: str, low: float | None, high: float | None) -> None:
    statement = read_statement(text)
    assert (statement.minimum, statement.maximum) == (low, high)


@pytest.mark.parametrize(
    ("text", "examples"),
    [
        ("e.g. `Porto`", ("Porto",)),
        ("for example, `a` or `b`", ("a", "b")),
        ("Example: user@example.com", ("user@example.com",)),
        ("z.B. 12", ("12",)),
        ("for example the town", ()),
    ],
)
def test_examples(text: str, examples: tuple[str, ...]) -> None:
    assert read_statement(text).examples == examples


@pytest.mark.parametrize(
    ("text", "name", "required", "value"),
    [
        ("limit", "limit", None, ""),
        ("limit*", "limit", True, ""),
        ("limit?", "limit", False, ""),
        ("[limit]", "limit", False, ""),
        (":user", "user", None, ""),
        ("{id}", "id", None, ""),
        ("?delete", "delete", None, ""),
        ("start=<rfc3339>", "start", None, "<rfc3339>"),
        ("match[]", "match[]", None, ""),
        ("filter[name]", "filter[name]", None, ""),
        ("X-Key: abc", "X-Key", None, "abc"),
        ("‘lang’", "lang", None, ""),
    ],
)
def test_names(text: str, name: str, required: bool | None, value: str) -> None:
    found = read_name(text)
    assert found is not None
    assert (found.name, found.required, found.value) == (name, required, value)


@pytest.mark.parametrize(
    "text", ["two words", "", "12", "--flag", "http://a.example/b", "a/b", "é"]
)
def test_what_is_no_name(text: str) -> None:
    assert read_name(text) is None


def test_nested_names_show_their_depth() -> None:
    found = read_name("» » street")
    assert found is not None
    assert (found.name, found.depth) == ("street", 2)


@pytest.mark.parametrize(
    ("text", "kind", "location"),
    [
        ("Query parameters", "request", "query"),
        ("Path Component", "request", "path"),
        ("Headers", "request", "header"),
        ("Request body", "request", "body"),
        ("JSON body params", "request", "body"),
        ("Form data", "request", "form"),
        ("Arguments", "request", None),
        ("Parámetros", "request", None),
        ("请求参数", "request", None),
        ("Response", "response", None),
        ("Response headers", "response", None),
        ("Return data", "response", None),
        ("返回参数", "response", None),
        ("HTTP errors", "error", None),
        ("Status codes", "error", None),
        ("Command line options", "other", None),
        ("Configuration", "other", None),
    ],
)
def test_headings(text: str, kind: str, location: str | None) -> None:
    role = read_role(text)
    assert role is not None
    assert (role.kind, role.location) == (kind, location)


@pytest.mark.parametrize("text", ["Overview", "Users", "Get one ship", "Instant queries", ""])
def test_headings_that_announce_nothing(text: str) -> None:
    assert read_role(text) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The request body must be a JSON string with the following fields:", "request"),
        ("In addition, the following options are supported for this service:", "request"),
        ("The response contains the following fields:", "response"),
        ("An object with the following properties is returned:", "response"),
    ],
)
def test_lead_ins(text: str, kind: str) -> None:
    role = read_role(text, heading=False)
    assert role is not None
    assert role.kind == kind


def test_a_heading_says_whether_its_parameters_are_required() -> None:
    optional, needed, neither = (
        read_role(text) for text in ("Optional parameters", "Required fields", "Parameters")
    )
    assert optional is not None
    assert needed is not None
    assert neither is not None
    assert (optional.required, needed.required, neither.required) == (False, True, None)


def test_choices_are_split_once_each() -> None:
    assert choices("a, b or `c` | a") == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("10", "integer", 10),
        ("1,000", "integer", 1000),
        ("0.5", "number", 0.5),
        ("true", "boolean", True),
        ("10", "string", "10"),
        ("10", None, "10"),
        ("true", None, "true"),
        ("ten", "integer", "ten"),
    ],
)
def test_literals(text: str, kind: str | None, value: object) -> None:
    assert literal(text, kind) == value  # pyright: ignore[reportArgumentType] - closed above
