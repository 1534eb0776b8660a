from __future__ import annotations

from doc2tools.compiler.ir.document import Code, Heading, Paragraph, plain
from tests.unit.load.reading_pages import all_of, read

PROSE = "<p>" + "The harbour service answers with tides and boats. " * 8 + "</p>"
MENU = "".join(f'<li><a href="/docs/{n}">Topic number {n}</a></li>' for n in range(30))


def shown(page: str) -> str:
    document = read(page)
    return "\n".join(plain(b.runs) for b in all_of(document, Paragraph)) + "\n".join(
        plain(b.runs) for b in all_of(document, Heading)
    )


def test_navigation_goes_and_its_addresses_are_kept() -> None:
    document = read(f"<body><nav><ul>{MENU}</ul></nav><h1>Tides</h1>{PROSE}</body>")
    assert "/docs/3" in document.links
    assert [plain(b.runs) for b in all_of(document, Heading)] == ["Tides"]
    assert len(all_of(document, Paragraph)) == 1


def test_a_list_of_links_without_a_name_for_navigation_stays() -> None:
    assert "Topic number 3" in shown(f"<body><h1>Tides</h1><ul>{MENU}</ul>{PROSE}</body>")


def test_main_is_chosen_over_what_stands_around_it() -> None:
    page = f"<body><div>Sign up for our news</div><main><h1>Tides</h1>{PROSE}</main></body>"
    assert "Sign up" not in shown(page)


def test_an_article_that_holds_the_code_is_chosen_over_chrome_in_main() -> None:
    files = "".join(f"<tr><td><a href=/f{n}>file{n}.py</a><td>last year" for n in range(30))
    page = (
        f"<body><main><table>{files}</table><article><h1>Tides</h1>{PROSE}<pre>GET /t</pre>"
        "</article><h2>Languages</h2></main></body>"
    )
    assert "file3" not in shown(page)
    assert "Languages" not in shown(page)


def test_code_outside_main_is_not_lost() -> None:
    page = f"<body><main>{PROSE}</main><div class=samples><pre>GET /tides</pre></div></body>"
    assert [block.text for block in all_of(read(page), Code)] == ["GET /tides"]


def test_notes_in_aside_stay() -> None:
    page = f"<body><h1>T</h1>{PROSE}<aside>Needs the header X-Dock.</aside></body>"
    assert "X-Dock" in shown(page)


def test_a_header_with_the_title_stays() -> None:
    page = f"<body><header><h1>Tides</h1><a href=/>Home</a></header>{PROSE}</body>"
    assert "Tides" in shown(page)


def test_a_cookie_banner_goes() -> None:
    page = f'<body><div class="cookie-banner">We use cookies</div><h1>T</h1>{PROSE}</body>'
    assert "cookies" not in shown(page)


def test_a_body_that_is_there_twice_is_read_once() -> None:
    inner = f"<h1>Tides</h1>{PROSE}<h2>List</h2><p>GET /tides</p><pre>curl /tides</pre>"
    page = f"<body><div class=desktop>{inner}</div><div class=mobile>{inner}</div></body>"
    assert len(all_of(read(page), Code)) == 1


def test_small_parts_that_endpoints_repeat_stay() -> None:
    part = "<h3>Errors</h3><p>404 if absent</p>"
    page = "".join(f"<h2>GET /e{n}</h2><p>About {n}.</p>{part}" for n in range(6))
    assert shown(f"<body>{page}</body>").count("404 if absent") == 6


def test_a_noscript_copy_is_read_only_where_nothing_else_is_there() -> None:
    noscript = f"<noscript><h1>Tides</h1>{PROSE}</noscript>"
    assert "Tides" in shown(f"<body><div id=app></div>{noscript}</body>")
    assert "Tides" not in shown(f"<body><h1>Boats</h1>{PROSE}{noscript}</body>")
