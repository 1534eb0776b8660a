"""No page raises, and what hostile pages cost is bounded by counts, not by the clock."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doc2tools.compiler.ir.document import walk
from doc2tools.compiler.load.dom import MAX_DEPTH, Node, parse
from doc2tools.compiler.load.reading import texts
from doc2tools.compiler.load.source import Media
from tests.unit.load.reading_pages import codes, read

MARKUP = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "<div>",
                "</div>",
                "<p>",
                "<table>",
                "<tr>",
                "<td",
                "colspan=99>",
                "<td",
                "rowspan=9>",
                "<th>",
                "</table>",
                "<ul>",
                "<li>",
                "<dl>",
                "<dt>",
                "<dd>",
                "<pre>",
                "</pre>",
                "<code>",
                "</code>",
                "<a",
                "href=x>",
                "<h1>",
                "</h1>",
                "<br>",
                "<!--",
                "-->",
                "<script>",
                "</script>",
                "<![CDATA[",
                "]]>",
                "<x",
                "y=",
                "'",
                '"',
                "&",
                "&#0;",
                "&#xD800;",
                "&#99999999999;",
                ">",
                "<",
                "/",
                "<select>",
                "<option>",
                "<input",
                "value=/a>",
                "<title>",
                "<textarea>",
                "<nav>",
                "<main>",
                "<article>",
                "\n",
                "\t",
                "\\",
                "`",
                "```",
                "---",
                "|",
                "|-|",
                "#",
                "*",
                "_",
                "~",
                "[",
                "]",
                "(",
                ")",
                "!",
                "{%",
                "%}",
                "{{<",
                ">}}",
                ":::",
                "===",
                ":",
                ">",
                "\x00",
                "\ud7ff",
                "¶",
            ]
        ),
        st.text(max_size=8),
    ),
    max_size=60,
).map("".join)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=MARKUP, media=st.sampled_from(["html", "markdown", "text"]))
def test_any_text_gives_a_document_with_lines_inside_the_page(text: str, media: Media) -> None:
    document = read(text.encode("utf-8", "replace"), media)
    for block in walk(document.blocks):
        assert 1 <= block.span.start <= block.span.end <= document.lines
    assert document == read(text.encode("utf-8", "replace"), media)


@settings(max_examples=100, deadline=None)
@given(data=st.binary(max_size=300), media=st.sampled_from(["html", "markdown", "text"]))
def test_any_bytes_give_a_document(data: bytes, media: Media) -> None:
    assert read(data, media).page == "page"


@settings(max_examples=100, deadline=None)
@given(words=st.lists(st.from_regex(r"[a-z]{3,9}", fullmatch=True), min_size=1, max_size=30))
def test_no_visible_word_is_lost(words: list[str]) -> None:
    holders = ("<p>{}</p>", "<td>{}", "<li>{}", "<div>{}</div>", "<pre>{}</pre>", "{} ")
    inner = "".join(holders[n % len(holders)].format(word) for n, word in enumerate(words))
    shown = " ".join(texts(read(f"<body>{inner}</body>").blocks)).split()
    assert sorted(shown) == sorted(words)


@pytest.mark.parametrize(
    "text",
    [
        "<div>" * 5_000 + "deep",
        "<ul><li>" * 2_000 + "deep",
        "<table><tr><td>" * 2_000 + "deep",
        "<b>" * 5_000 + "deep",
        "<dl><dd>" * 2_000 + "deep",
        "<blockquote><pre>" * 2_000 + "deep",
    ],
)
def test_text_at_any_depth_is_kept(text: str) -> None:
    assert "deep" in " ".join(texts(read(text).blocks))


def test_depth_is_cut_without_losing_what_follows() -> None:
    document = read("<div>" * 3_000 + "a" + "</div>" * 3_000 + "<p>tail</p>")
    assert texts(document.blocks) == ["a", "tail"]
    depth, level = 0, [parse("<div>" * 3_000)]
    while level:
        level = [child for node in level for child in node.children if isinstance(child, Node)]
        depth += 1
    assert depth <= MAX_DEPTH + 1


def test_a_tag_with_very_many_attributes_keeps_some() -> None:
    document = read("<p " + " ".join(f"a{n}=1" for n in range(100_000)) + ">GET /x</p>")
    assert texts(document.blocks) == ["GET /x"]


def test_a_page_of_too_many_elements_is_cut_and_says_so() -> None:
    assert "page-truncated" in codes(read("<i></i>" * 210_000 + "x"))


def test_markdown_of_too_many_lines_is_cut_and_says_so() -> None:
    assert codes(read("a\n" * 60_100, "markdown")) == ["page-truncated"]


def test_markdown_nested_without_end_is_read() -> None:
    assert read(">" * 20_000 + "x\n\nGET /after\n", "markdown").blocks
