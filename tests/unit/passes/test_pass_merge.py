"""What several pages say about one operation becomes one endpoint."""

from __future__ import annotations

from drafting import cite, endpoint, only, page, parameter, sample, settle

from doc2tools.compiler.ir.draft import AuthDraft, PaginationDraft, ResponseExample


def test_same_endpoint_on_two_pages() -> None:
    spec, _ = settle(
        page(
            endpoint(
                "GET /users/{id}",
                line=4,
                summary="Get a user.",
                parameters=(parameter("id", "path"), parameter("full", "query")),
                responses=(ResponseExample(status=200, text="{}"),),
            ),
            bases=("https://shop.io/v1",),
        ),
        page(
            endpoint(
                "GET /v1/users/{userId}/",
                page="b.md",
                line=8,
                parameters=(parameter("userId", "path", (7,)), parameter("lang", "query")),
                samples=(sample("GET /v1/users/7", userId="7"),),
                responses=(ResponseExample(status=404, text="no"),),
            ),
            name="b.md",
            bases=("https://shop.io",),
        ),
    )
    (tool,) = spec.endpoints
    assert tool.url == "https://shop.io/v1/users/{id}"
    assert [p.name for p in tool.parameters] == ["id", "full", "lang"]
    assert [example.value for example in tool.parameters[0].examples] == [7]
    assert tool.samples == ({"id": 7},)
    assert [response.status for response in tool.responses] == [200, 404]
    assert {str(span) for span in tool.spans} == {"a.md:4", "b.md:8"}
    assert [info.endpoints for info in spec.pages] == [1, 1]


def test_methods_selectors_and_paths_keep_operations_apart() -> None:
    calls = ["GET /a", "POST /a", "GET /a?x=1", "GET /a?x=2", "GET /a/{b}", "GET /b"]
    drafts = [endpoint(call, line=number) for number, call in enumerate(calls, 1)]
    spec, _ = settle(page(*drafts))
    assert [f"{tool.method} {tool.url}" for tool in spec.endpoints] == calls


def test_selectors_in_another_order_are_the_same() -> None:
    tool = only(page(endpoint("GET /a?x=1&y=2"), endpoint("GET /a?y=2&x=1", line=2)))
    assert tool.fixed_query == {"x": "1", "y": "2"}


def test_one_page_may_document_two_endpoints_of_one_form() -> None:
    spec, _ = settle(page(endpoint("GET /g/{count}"), endpoint("GET /g/{topic}", line=2)))
    assert [tool.path for tool in spec.endpoints] == ["/g/{count}", "/g/{topic}"]


def test_the_same_path_on_two_hosts_is_two_endpoints() -> None:
    pages = [
        page(
            endpoint("GET /status", page=f"{host}.md"),
            name=f"{host}.md",
            bases=(f"https://{host}.shop.io",),
        )
        for host in ("cart", "stock")
    ]
    assert len(settle(*pages)[0].endpoints) == 2
    assert len(settle(*pages, base_url="http://127.0.0.1:1")[0].endpoints) == 1


def test_stated_facts_win_over_inferred_ones() -> None:
    guess = parameter("n").model_copy(
        update={
            "location": cite("query", inferred="seen in a sample"),
            "type": cite("string", inferred="seen in a sample"),
            "required": cite(True, inferred="in every sample"),
        }
    )
    said = parameter("n", "query", type="integer", required=False, description="How many.")
    for first, second in ((guess, said), (said, guess)):
        tool = only(
            page(endpoint("GET /a", parameters=(first,))),
            page(endpoint("GET /a", page="b.md", parameters=(second,)), name="b.md"),
        )
        (found,) = tool.parameters
        assert (found.type, found.required, found.description) == ("integer", False, "How many.")


def test_words_come_from_the_page_that_is_about_the_operation() -> None:
    mention = page(
        endpoint("GET /flows", summary="All calls answer with JSON.", section=("Errors",))
    )
    proper = page(
        endpoint("GET /flows", page="b.md", summary="Get the flows.", section=("GET /flows",)),
        name="b.md",
    )
    for pages in ((mention, proper), (proper, mention)):
        assert only(*pages).summary == "Get the flows."


def test_an_instance_on_another_page_becomes_a_sample() -> None:
    template = page(endpoint("GET /users/{id}/posts", summary="Lists posts."))
    example = page(
        endpoint("GET /users/42/posts", page="b.md", line=5, summary="An example."), name="b.md"
    )
    for pages in ((template, example), (example, template)):
        tool = only(*pages)
        assert tool.path == "/users/{id}/posts"
        assert tool.samples == ({"id": 42},)
        assert "b.md:5" in {str(span) for span in tool.spans}


def test_a_word_that_is_documented_by_itself_is_no_instance() -> None:
    spec, _ = settle(
        page(endpoint("GET /users/{id}")),
        page(endpoint("GET /users/search", page="b.md", summary="Find users."), name="b.md"),
    )
    assert len(spec.endpoints) == 2


def test_a_known_value_makes_an_instance() -> None:
    tool = only(
        page(endpoint("GET /repos/{name}", parameters=(parameter("name", "path", ("main",)),))),
        page(endpoint("GET /repos/main", page="b.md", summary="An example."), name="b.md"),
    )
    assert tool.samples == ({"name": "main"},)


def test_two_endpoints_of_one_page_are_never_folded() -> None:
    spec, _ = settle(page(endpoint("GET /users/{id}"), endpoint("GET /users/42", line=2)))
    assert len(spec.endpoints) == 2


def test_a_path_given_without_the_usual_prefix_is_the_same() -> None:
    calls = ["GET /api/repos", "GET /api/repos/{name}", "GET /api/keys", "GET /repos/{name}"]
    drafts = [endpoint(call, line=number) for number, call in enumerate(calls, 1)]
    spec, _ = settle(page(*drafts, bases=("https://h.io",)))
    assert [tool.path for tool in spec.endpoints] == [call.split()[1] for call in calls[:3]]


def test_shared_parameters_go_to_the_pages_endpoints_and_an_overviews_to_all() -> None:
    spec, _ = settle(
        page(name="overview.md", shared=(parameter("pretty", "query"),)),
        page(endpoint("GET /a"), endpoint("POST /b", line=2), shared=(parameter("lang", "query"),)),
        page(endpoint("GET /c", page="c.md"), name="c.md"),
    )
    found = {tool.path: [p.name for p in tool.parameters] for tool in spec.endpoints}
    assert found == {"/a": ["lang", "pretty"], "/b": ["lang", "pretty"], "/c": ["pretty"]}


def test_shared_path_and_body_parameters_go_only_where_they_fit() -> None:
    shared = (parameter("org", "path"), parameter("note", "body"))
    spec, diagnostics = settle(
        page(endpoint("GET /a"), endpoint("POST /{org}/b", line=2), shared=shared),
        base_url="http://127.0.0.1:1",
    )
    found = {tool.path: [p.name for p in tool.parameters] for tool in spec.endpoints}
    assert found == {"/a": [], "/{org}/b": ["org", "note"]}
    assert diagnostics == ()


def test_auth_and_pagination_come_from_the_endpoint_the_page_or_the_overview() -> None:
    basic, key = AuthDraft(type="basic"), AuthDraft(type="header", name="X-Key")
    paged = PaginationDraft(style="page", parameters=("page",))
    spec, _ = settle(
        page(name="auth.md", auth=(basic,), pagination=paged),
        page(endpoint("GET /a", auth=key), endpoint("GET /b", line=2)),
        page(
            endpoint("GET /c", page="c.md", parameters=(parameter("page", "query"),)),
            name="c.md",
            auth=(key,),
        ),
    )
    assert [tool.auth for tool in spec.endpoints] == [key, basic, key]
    assert [tool.pagination for tool in spec.endpoints] == [None, None, paged]
    assert spec.auth == (basic, key)
