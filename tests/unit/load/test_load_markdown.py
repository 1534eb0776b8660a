from __future__ import annotations

from textwrap import dedent

import pytest

from doc2tools.compiler.ir.document import (
    Code,
    DefinitionList,
    Document,
    Embedded,
    Heading,
    ListBlock,
    Paragraph,
    Table,
    plain,
)
from tests.unit.load.reading_pages import all_of, codes, read


def md(text: str) -> Document:
    return read(dedent(text), "markdown")


def test_lines_are_those_of_the_file() -> None:
    document = md("""\
        # Boats

        Lists
        boats.

        ```http
        GET /boats
        Accept: */*
        ```

        - one
        - two
        """)
    assert [(b.kind, b.span.start, b.span.end) for b in document.blocks] == [
        ("heading", 1, 1),
        ("paragraph", 3, 4),
        ("code", 7, 8),
        ("list", 11, 12),
    ]
    assert document.title == "Boats"


def test_table_rows_cite_their_own_lines() -> None:
    (table,) = all_of(md("|Name|About|\n|-|-|\n|`a`|one|\n|b|two|\n"), Table)
    assert [row[0].span.start for row in table.rows] == [3, 4]
    assert table.rows[0][0].runs[0].code
    assert [plain(cell.runs) for cell in table.header] == ["Name", "About"]


def test_rows_without_a_delimiter_row_are_a_table() -> None:
    (table,) = all_of(md("| a | one |\n| b | two |\n"), Table)
    assert [[plain(cell.runs) for cell in row] for row in table.rows] == [
        ["a", "one"],
        ["b", "two"],
    ]


def test_a_title_in_front_matter_is_the_first_heading() -> None:
    document = md("---\nlayout: api\ntitle: GET /boats/:id\n---\n\nOne boat.\n\n### Headers\n")
    first = document.blocks[0]
    assert isinstance(first, Embedded)
    assert first.origin == "front-matter"
    heading = all_of(document, Heading)[0]
    assert (plain(heading.runs), heading.level, heading.span.start) == ("GET /boats/:id", 1, 3)
    assert document.title == "GET /boats/:id"


def test_a_title_in_front_matter_does_not_double_the_body_s_own() -> None:
    document = md("---\ntitle: Boats\n---\n# Boats\n")
    assert len(all_of(document, Heading)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "{% highlight json %}\n{}\n{% endhighlight %}\n",
        "{{< highlight json >}}\n{}\n{{< /highlight >}}\n",
        "{% code-block json %}\n{}\n{% endcode-block %}\n",
        "```json\n{}\n```\n",
        "~~~ json\n{}\n~~~\n",
    ],
)
def test_every_way_to_mark_code(text: str) -> None:
    (code,) = all_of(md(text), Code)
    assert (code.text, code.language, code.span.start) == ("{}", "json", 2)


def test_containers_tabs_and_attribute_lists_leave_their_content() -> None:
    document = md("""\
        :::note Careful
        Slow.
        :::

        === "Python"

            ```python
            get("/boats")
            ```

        ## Boats {#boats}
        {: .label }
        """)
    assert [block.text for block in all_of(document, Code)] == ['get("/boats")']
    (heading,) = all_of(document, Heading)
    assert (plain(heading.runs), heading.anchor) == ("Boats", "boats")
    told = " ".join(plain(block.runs) for block in all_of(document, Paragraph))
    assert "Slow." in told
    assert "{" not in told
    assert ":::" not in told


def test_a_directive_that_states_an_endpoint_is_not_lost() -> None:
    document = md(
        '{% swagger method="get" path="/boats" baseUrl="https://a.test" summary="List" %}\n'
    )
    (block,) = all_of(document, Paragraph)
    assert plain(block.runs) == "GET https://a.test/boats List"


def test_directives_inside_code_stay() -> None:
    (code,) = all_of(md("```\n{% raw %}\n{: x }\n```\n"), Code)
    assert code.text == "{% raw %}\n{: x }"


def test_html_in_markdown_is_read() -> None:
    document = md("""\
        Text

        <table>
        <tr><th>Name</th></tr>

        <tr><td>limit</td></tr>
        </table>

        <details><summary>More</summary>

        ```
        GET /boats
        ```
        </details>
        """)
    (table,) = all_of(document, Table)
    assert table.span.start == 3
    assert plain(table.rows[0][0].runs) == "limit"
    assert all_of(document, Code)[0].text == "GET /boats"


@pytest.mark.parametrize(
    "line", ["GET /boats/<boat_id>/crew", "GET /files/<path>", "`GET /boats/<id>`", "/a/<int:id>"]
)
def test_placeholders_in_angle_brackets_stay(line: str) -> None:
    (block,) = all_of(md(line + "\n"), Paragraph)
    assert plain(block.runs) == line.strip("`")


def test_inline_html_gives_marks() -> None:
    (block,) = all_of(md("Use <code>/a</code> or <b>x</b><br>next\n"), Paragraph)
    assert [(run.text, run.code, run.strong) for run in block.runs] == [
        ("Use ", False, False),
        ("/a", True, False),
        (" or ", False, False),
        ("x", False, True),
        ("\nnext", False, False),
    ]


def test_definition_lists_and_nested_lists() -> None:
    document = md("limit\n:   How many\n\n- a\n    - b\n")
    (definitions,) = all_of(document, DefinitionList)
    assert plain(definitions.items[0].term) == "limit"
    assert len(all_of(document, ListBlock)) == 2


def test_links_keep_their_address() -> None:
    (block,) = all_of(md("See [the list](boats.md#list).\n"), Paragraph)
    assert block.runs[1].href == "boats.md#list"


def test_an_empty_page_says_so() -> None:
    assert codes(md("\n\n")) == ["page-empty"]


def test_plain_text_has_headings_code_and_lines() -> None:
    document = read("Boats\n=====\n\nLists boats\nby name\n\n    GET /boats\n", "text")
    assert [(b.kind, b.span.start) for b in document.blocks] == [
        ("heading", 1),
        ("paragraph", 4),
        ("code", 7),
    ]


def test_restructured_text_directives_and_literals() -> None:
    document = read(
        "Use ``GET /boats``, see `docs <https://a.test>`_.\n\n.. code-block:: json\n\n   {}\n",
        "text",
    )
    (block,) = all_of(document, Paragraph)
    assert [run.text for run in block.runs if run.code] == ["GET /boats"]
    assert [run.href for run in block.runs if run.href] == ["https://a.test"]
    (code,) = all_of(document, Code)
    assert (code.language, code.text, code.span.start) == ("json", "{}", 5)


def test_an_address_in_angle_brackets_stays_a_link() -> None:
    (block,) = all_of(md("<https://a.test/x> and /b/<int:id>\n"), Paragraph)
    assert plain(block.runs) == "https://a.test/x and /b/<int:id>"
    assert block.runs[0].href == "https://a.test/x"
    assert block.runs[-1].href == ""


def test_an_image_of_a_method_is_a_badge() -> None:
    (block,) = all_of(md("![GET](/badges/get.png) `/boats` ![logo](/logo.png)\n"), Paragraph)
    assert (block.runs[0].text, block.runs[0].badge) == ("GET", True)
    assert plain(block.runs) == "GET /boats"
