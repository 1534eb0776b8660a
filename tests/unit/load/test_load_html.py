from __future__ import annotations

import pytest

from doc2tools.compiler.ir.document import (
    Code,
    DefinitionList,
    Embedded,
    FormField,
    Heading,
    ListBlock,
    Paragraph,
    Run,
    Table,
    plain,
)
from tests.unit.load.reading_pages import all_of, body, codes, read


def paragraphs(inner: str) -> list[str]:
    return [plain(block.runs) for block in all_of(body(inner), Paragraph)]


def only_code(inner: str) -> Code:
    found = all_of(body(inner), Code)
    assert len(found) == 1
    return found[0]


class TestText:
    def test_blocks_cite_the_lines_they_stand_on(self) -> None:
        document = read(
            "<body>\n<h2 id=tides>Tides</h2>\n\n<p>\nGET\n/tides</p>\n<pre>\na\nb</pre>"
        )
        assert [(b.kind, b.span.start, b.span.end) for b in document.blocks] == [
            ("heading", 2, 2),
            ("paragraph", 5, 6),
            ("code", 8, 9),
        ]
        assert isinstance(document.blocks[0], Heading)
        assert document.blocks[0].anchor == "tides"

    def test_a_run_says_its_own_line_within_a_paragraph(self) -> None:
        (block,) = all_of(body("<p>one\ntwo <code>/three</code></p>"), Paragraph)
        assert [(run.text, run.code, run.line) for run in block.runs] == [
            ("one two ", False, 1),
            ("/three", True, 2),
        ]

    def test_text_without_an_element_of_its_own_is_kept(self) -> None:
        assert paragraphs("<div>Lists harbours<div>nested</div>tail</div>") == [
            "Lists harbours",
            "nested",
            "tail",
        ]

    def test_a_line_break_stays_and_an_empty_line_parts_paragraphs(self) -> None:
        assert paragraphs("GET /a<br>lists a<br><br>GET /b") == ["GET /a\nlists a", "GET /b"]

    def test_end_tags_may_be_left_out(self) -> None:
        document = body("<p>one<p>two<ul><li>a<li>b</ul><dl><dt>x<dd>y<dt>z<dd>w</dl>")
        assert len(all_of(document, ListBlock)[0].items) == 2
        assert len(all_of(document, DefinitionList)[0].items) == 2
        assert paragraphs("<p>one<p>two") == ["one", "two"]

    def test_invisible_characters_and_permalinks_go(self) -> None:
        document = body('<h2 id="x">Har\u00adbour\u200bs<a class="headerlink" href="#x">¶</a></h2>')
        (heading,) = all_of(document, Heading)
        assert (plain(heading.runs), heading.anchor) == ("Harbours", "x")

    def test_a_permalink_after_its_heading_names_that_heading_only(self) -> None:
        document = body('<h2>A</h2><a class="anchor" href="#a">#</a><h2>B</h2>')
        assert [heading.anchor for heading in all_of(document, Heading)] == ["a", ""]

    def test_marks_and_addresses(self) -> None:
        inner = '<p><b>GET</b> <i>x</i> <a href="/y" title="/full/y">cut…</a></p>'
        (block,) = all_of(body(inner), Paragraph)
        marked = [run for run in block.runs if run.text.strip()]
        assert marked[0].strong
        assert marked[1].emphasis
        assert (marked[2].href, marked[2].title) == ("/y", "/full/y")

    def test_a_method_set_apart_by_its_class_is_a_badge(self) -> None:
        document = body('<h3><span class="http-method">POST</span> /boats</h3>')
        assert all_of(document, Heading)[0].runs[0] == Run(text="POST", badge=True, line=1)

    def test_an_element_with_role_heading_is_a_heading(self) -> None:
        document = body('<div role="heading" aria-level="3">Boats</div>')
        assert all_of(document, Heading)[0].level == 3

    @pytest.mark.parametrize("tag", ["<userId>", "<id>", "<path>", "<source>"])
    def test_a_placeholder_that_was_not_escaped_is_text(self, tag: str) -> None:
        assert paragraphs(f"<p>GET /u/{tag}/x lists</p><p>next</p>")[0] == f"GET /u/{tag}/x lists"

    def test_links_are_resolved_against_the_base_only_if_there_is_one(self) -> None:
        page = '<head><base href="https://api.test/v1/"></head><body><p><a href="x">x</a>'
        (block,) = all_of(read(page), Paragraph)
        assert block.runs[0].href == "https://api.test/v1/x"


class TestCode:
    def test_spans_and_entities_give_the_text_that_a_reader_copies(self) -> None:
        code = only_code(
            '<pre><code class="language-HTTP"><span>GET</span> /a?x=1&amp;y=2\n  b</code></pre>'
        )
        assert (code.text, code.language) == ("GET /a?x=1&y=2\n  b", "http")

    @pytest.mark.parametrize(
        ("markup", "language"),
        [
            ('<div class="highlight highlight-source-json"><pre>{}</pre></div>', "json"),
            ('<pre class="brush: bash">ls</pre>', "bash"),
            ('<pre data-lang="python">x</pre>', "python"),
            ('<pre class="prettyprint lang-js">x</pre>', "js"),
            ('<pre class="wide">x</pre>', ""),
        ],
    )
    def test_the_language_is_read_off_class_names(self, markup: str, language: str) -> None:
        assert only_code(markup).language == language

    @pytest.mark.parametrize(
        "markup",
        [
            "<pre>a<br>b</pre>",
            "<pre><div>a</div><div>b</div></pre>",
            '<pre><span class="line">a</span>\n<span class="line">b</span></pre>',
            '<pre><span class="line-number">1</span>a\n<span class="line-number">2</span>b</pre>',
            "<code>a<br>b</code>",
            '<div class="code">a<br>b</div>',
            '<p style="font-family: Courier New">a<br>b</p>',
            '<table><tr><td class="gutter"><pre>1\n2</pre><td><pre>a\nb</pre></tr></table>',
        ],
    )
    def test_lines_broken_by_tags_are_put_together(self, markup: str) -> None:
        assert only_code(markup).text == "a\nb"

    def test_placeholders_in_italics_are_listed(self) -> None:
        assert only_code("<pre>GET /u/<var>id</var>/<em>x</em></pre>").emphasised == ("id", "x")

    def test_common_indentation_goes(self) -> None:
        assert only_code("<pre>\n    {\n      1\n    }</pre>").text == "{\n  1\n}"

    def test_code_in_a_closed_tab_is_kept_with_its_label(self) -> None:
        document = body(
            '<button role="tab" aria-controls="p2">Python</button>'
            '<div id="p2" hidden><pre>requests.get("/a")</pre></div>'
        )
        (code,) = all_of(document, Code)
        assert (code.hidden, code.label) == (True, "Python")


class TestTables:
    def test_spans_are_expanded(self) -> None:
        document = body(
            "<table><tr><th>Name<th colspan=2>About</tr>"
            "<tr><td rowspan=2>a<td>b<td>c</tr><tr><td>d<td>e</tr></table>"
        )
        (table,) = all_of(document, Table)
        assert [plain(cell.runs) for cell in table.header] == ["Name", "About", "About"]
        assert [[plain(cell.runs) for cell in row] for row in table.rows] == [
            ["a", "b", "c"],
            ["a", "d", "e"],
        ]

    def test_a_huge_span_is_cut(self) -> None:
        (table,) = all_of(
            body("<table><tr><td colspan=999999999 rowspan=99999>x<td>y</table>"), Table
        )
        assert len(table.rows) == 1
        assert len(table.rows[0]) <= 64

    def test_a_table_without_header_has_none(self) -> None:
        (table,) = all_of(body("<table><tr><td>limit<td>rows</table>"), Table)
        assert table.header == ()
        assert len(table.rows) == 1

    def test_rows_of_a_header_column_keep_it(self) -> None:
        (table,) = all_of(body("<table><tr><th>limit<td>rows<tr><th>skip<td>rows</table>"), Table)
        assert [row[0].header for row in table.rows] == [True, True]

    def test_cells_cite_their_own_lines_and_keep_code_lines(self) -> None:
        (table,) = all_of(
            body("<table>\n<tr><th>a</th></tr>\n<tr><td><pre>x\ny</pre></td></tr></table>"), Table
        )
        assert table.rows[0][0].span.start == 3
        assert plain(table.rows[0][0].runs) == "x\ny"

    def test_a_first_row_set_in_bold_is_the_header(self) -> None:
        rows = "<tr><td><b>Name</b><td><b>Type</b></tr><tr><td>limit<td>int</tr>"
        (table,) = all_of(body(f"<table>{rows}</table>"), Table)
        assert [plain(cell.runs) for cell in table.header] == ["Name", "Type"]
        (bold,) = all_of(body(f"<table>{rows.replace('int', '<b>int</b>')[:-5]}</table>"), Table)
        assert bold.header
        whole = rows.replace("limit", "<b>limit</b>").replace("int", "<b>int</b>")
        (plainly,) = all_of(body(f"<table>{whole}</table>"), Table)
        assert not plainly.header

    def test_a_layout_table_gives_the_blocks_in_it(self) -> None:
        document = body("<table><tr><td><h2>Boats</h2><p>GET /boats</p></td></tr></table>")
        assert all_of(document, Table) == []
        assert plain(all_of(document, Heading)[0].runs) == "Boats"

    def test_a_nested_table_follows_the_one_it_is_in(self) -> None:
        inner = "<table><tr><th>code<tr><td>200</table>"
        page = f"<table><tr><th>a<th>b<tr><td>x<td>{inner}<tr><td>y<td>z</table>"
        assert len(all_of(body(page), Table)) == 2


class TestFieldsAndEmbedded:
    def test_a_read_only_input_shows_its_value(self) -> None:
        document = body('<label for=u>Endpoint</label><input id=u readonly value="GET /tides">')
        (field,) = all_of(document, FormField)
        assert (field.label, field.value) == ("Endpoint", "GET /tides")

    def test_a_select_lists_its_choices(self) -> None:
        document = body("<select name=unit><option value=m>Metre<option value=ft selected>Foot")
        (field,) = all_of(document, FormField)
        assert (field.name, field.choices, field.value) == ("unit", ("m", "ft"), "ft")

    def test_samples_in_comments_and_attributes_are_kept(self) -> None:
        document = body(
            "<!-- try: curl https://api.test/tides -->"
            '<div data-clipboard-text="curl https://api.test/boats">copy</div>'
        )
        found = [(block.origin, block.text) for block in all_of(document, Embedded)]
        assert found == [
            ("comment", "try: curl https://api.test/tides"),
            ("attribute", "curl https://api.test/boats"),
        ]

    def test_an_attribute_that_repeats_shown_code_is_dropped(self) -> None:
        document = body(
            '<div data-copy="curl https://a.test/b"><pre>curl https://a.test/b</pre></div>'
        )
        assert all_of(document, Embedded) == []

    def test_page_data_is_read_where_the_body_is_empty(self) -> None:
        rich = "<h2>Boats</h2><p>GET /boats lists boats</p>" + "<p>More about boats.</p>" * 20
        data = rich.replace('"', "'").replace("<", "\\u003c")
        document = read(
            f'<body><div id=app></div><script type="application/json">{{"a":{{"html":"{data}"}}}}'
            "</script></body>"
        )
        assert plain(all_of(document, Heading)[0].runs) == "Boats"

    def test_an_openapi_description_in_page_data_is_kept(self) -> None:
        document = read(
            '<body><p>Docs</p><script>window.spec = {"openapi":"3.0.0","paths":{"/a":{}}};</script>'
        )
        (block,) = all_of(document, Embedded)
        assert (block.origin, block.name) == ("script", "openapi")


class TestHeadAndDiagnostics:
    def test_what_the_page_says_about_itself(self) -> None:
        document = read(
            '<html lang="de"><head><title> Boats \n API</title>'
            '<link rel="canonical" href="https://docs.test/boats"></head><body><p>x</p>'
        )
        assert (document.title, document.language) == ("Boats API", "de")
        assert document.url == "https://docs.test/boats"

    def test_an_empty_page_says_so(self) -> None:
        assert codes(read("<html><body></body></html>")) == ["page-empty"]

    def test_a_shell_says_so(self) -> None:
        page = '<body><div id="root"></div><script src="app.js"></script></body>'
        assert codes(read(page)) == ["page-javascript-shell"]

    def test_an_index_says_so(self) -> None:
        links = "".join(f'<li><a href="/p{n}">A page about topic {n}</a>' for n in range(20))
        assert codes(body(f"<ul>{links}</ul>")) == ["page-index-only"]

    def test_a_binary_file_says_so(self) -> None:
        document = read(b"\x89PNG\r\n\x1a\n" + bytes(200))
        assert codes(document) == ["page-binary"]
        assert document.blocks == ()
