"""The passes together: nothing breaks them, and the same drafts give the same API."""

from __future__ import annotations

import keyword
import re
from collections import Counter

import pytest
from drafting import endpoint, page, parameter, sample, settle
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from doc2tools.compiler.ir.draft import EndpointDraft, PageDraft, ParameterDraft
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.passes.normalise import normalise
from doc2tools.compiler.passes.package_name import package_name

TEXT = st.text(max_size=40)
PATHS = st.one_of(
    st.lists(
        st.one_of(st.sampled_from(["users", "{id}", "v1", "", "é", "delete", "x{y}z", ":a"]), TEXT),
        max_size=5,
    ).map("/".join),
    TEXT,
)
BASES = st.one_of(
    st.sampled_from(
        ["https://a.shop.io/v1", "localhost:80", "https://{h}/x", "//", "http://[::1", "x"]
    ),
    TEXT,
)
PARAMETERS = st.builds(
    parameter,
    TEXT,
    st.sampled_from([None, "path", "query", "header", "body", "form", "cookie"]),
    st.tuples(st.one_of(TEXT, st.integers(), st.booleans(), st.lists(TEXT, max_size=2))),
    description=TEXT,
)


def draft(
    call: tuple[str, str],
    base: str,
    parameters: list[ParameterDraft],
    title: str,
    values: dict[str, str],
) -> EndpointDraft:
    line = " ".join(call)
    return endpoint(
        line,
        base=base,
        parameters=tuple(parameters),
        title=title,
        summary=title,
        samples=(sample(line, **values),),
    )


def draft_page(
    number: int, endpoints: list[EndpointDraft], bases: list[str], shared: list[ParameterDraft]
) -> PageDraft:
    return page(*endpoints, name=f"{number}.md", bases=tuple(bases), shared=tuple(shared))


ENDPOINTS = st.builds(
    draft,
    st.tuples(st.sampled_from(["GET", "POST", "DELETE", "PATCH", "get", "X"]), PATHS),
    st.one_of(st.just(""), BASES),
    st.lists(PARAMETERS, max_size=3),
    TEXT,
    st.dictionaries(st.from_regex(r"[a-z]{1,4}", fullmatch=True), TEXT, max_size=2),
)
PAGES = st.lists(
    st.builds(
        draft_page,
        st.integers(0, 3),
        st.lists(ENDPOINTS, max_size=4),
        st.lists(BASES, max_size=2),
        st.lists(PARAMETERS, max_size=1),
    ),
    max_size=3,
)


@limits(max_examples=300, deadline=None)
@given(PAGES, st.sampled_from(["", "http://127.0.0.1:9000", "http://127.0.0.1:9000/v1/"]))
def test_no_draft_breaks_the_passes(pages: list[PageDraft], base_url: str) -> None:
    options = CompileOptions(base_url=base_url)
    spec, diagnostics = normalise(pages, options)
    assert (spec, diagnostics) == normalise(pages, options)
    names = [tool.name for tool in spec.endpoints]
    assert len(set(names)) == len(names)
    for tool in spec.endpoints:
        assert re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_]{0,55}", tool.name, re.ASCII)
        assert tool.group.isidentifier()
        assert not keyword.iskeyword(tool.group)
        identifiers = [found.identifier for found in tool.parameters]
        assert len(set(identifiers)) == len(identifiers)
        assert all(name.isidentifier() and not keyword.iskeyword(name) for name in identifiers)
        slots = re.findall(r"\{([^{}/]*)\}", tool.path)
        assert sorted(slots) == sorted(p.name for p in tool.parameters if p.location == "path")
        for values in tool.samples:
            assert set(values) <= {found.name for found in tool.parameters}
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", found.code) for found in diagnostics)


def test_pages_and_counts_are_kept() -> None:
    spec, _ = settle(
        page(endpoint("GET /a"), title="Shop API"), page(name="b.md", title="Shop API")
    )
    assert spec.title == "Shop API"
    assert [(info.page, info.endpoints) for info in spec.pages] == [("a.md", 1), ("b.md", 0)]


@pytest.mark.parametrize(
    ("titles", "name", "title"),
    [
        (["Shop API Reference"], "", "Shop API"),
        (["Shop documentation"], "", "Shop"),
        (["API Reference"], "", "API Reference"),
        (["Users | Shop API", "Orders | Shop API"], "", "Shop API"),
        (["API documentation | Shop"], "", "Shop"),
        (["GitHub - ann/shop-api: The shop's API"], "", "shop-api"),
        (["HTTP API"], "shop", "Shop HTTP API"),
        (["HTTP API"], "", "HTTP API"),
        (["Users", "Orders"], "my_shop", "My shop API"),
        ([""], "api_shop", "Shop API"),
        (["Users", "Orders"], "", "Users"),
        ([], "", "API"),
    ],
)
def test_title(titles: list[str], name: str, title: str) -> None:
    pages = [page(name=f"{number}.md", title=text) for number, text in enumerate(titles)]
    assert settle(*pages, name=name)[0].title == title


def test_the_front_page_names_the_api() -> None:
    pages = [page(name="errors.md", title="Errors"), page(name="index.md", title="Shop admin API")]
    assert settle(*pages, name="shop")[0].title == "Shop admin API"


@pytest.mark.parametrize(
    ("name", "titles", "docs", "expected"),
    [
        ("shop", ["Other"], ["docs"], "shop"),
        ("json", [], [], "json_api"),
        ("class", [], [], "class_api"),
        ("requests", [], [], "requests_api"),
        ("test", [], [], "test_api"),
        ("doc2tools", [], [], "doc2tools_api"),
        ("", ["4chan API"], [], "api_4chan"),
        ("", ["Shop API Reference"], ["docs"], "shop"),
        ("", ["HTTP API | Shop"], ["docs"], "shop"),
        ("", ["API documentation"], ["./my-shop/docs"], "my_shop"),
        ("", [], ["https://docs.shop.io/api/v1"], "shop"),
        ("", ["GitHub - ann/shop-api: The shop"], [], "shop"),
        ("", [], ["/home/ann/shop/api.md"], "shop"),
    ],
)
def test_package_name(name: str, titles: list[str], docs: list[str], expected: str) -> None:
    assert package_name(CompileOptions(name=name), titles, docs) == expected


@given(TEXT, st.lists(TEXT, max_size=2), st.lists(TEXT, max_size=2))
def test_package_name_is_always_an_identifier(
    name: str, titles: list[str], docs: list[str]
) -> None:
    found = package_name(CompileOptions.model_construct(name=name), titles, docs)
    assert re.fullmatch(r"[a-z_][a-z0-9_]{0,50}", found)
    assert not keyword.iskeyword(found)


def test_time_grows_with_the_number_of_endpoints_only() -> None:
    pages = [
        page(
            *(
                endpoint(f"{method} /r{number}/{tail}", page=f"{number}.md", line=line)
                for line, (method, tail) in enumerate(
                    [("GET", ""), ("GET", "{id}"), ("POST", ""), ("DELETE", "{id}"), ("GET", "7")],
                    1,
                )
            ),
            name=f"{number}.md",
            bases=("https://shop.io",),
        )
        for number in range(200)
    ]
    spec, _ = settle(*pages)
    assert Counter(tool.method for tool in spec.endpoints) == {
        "GET": 600,
        "POST": 200,
        "DELETE": 200,
    }


@pytest.mark.parametrize(
    ("summary", "told"),
    [
        ("All the books.", "All the books."),
        (", /books/loans, /books/{id}.", ""),
        ("One book: , where id is its number.", "One book, where id is its number."),
        ("Lists the loans: by branch.", "Lists the loans: by branch."),
        (": the loans at 10:30.", "the loans at 10:30."),
        ("Formats: .json, .xml; and std::vector", "Formats: .json, .xml; and std::vector"),
        ("Use . to reach inner fields.", "Use . to reach inner fields."),
        ("", ""),
    ],
)
def test_what_a_cut_out_path_leaves_is_no_summary(summary: str, told: str) -> None:
    spec, _ = settle(page(endpoint("GET /books", summary=summary)))
    assert spec.endpoints[0].summary == told
