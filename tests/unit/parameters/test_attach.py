"""Parameters of whole pages: evidence, samples, shared ones, contradictions, bad input."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doc2tools.compiler.extract.endpoints import find_endpoints
from doc2tools.compiler.extract.facts.page import page_facts
from doc2tools.compiler.extract.outline import Outline, outline
from doc2tools.compiler.extract.parameters.attach import Parameters, attach_parameters
from doc2tools.compiler.ir.draft import EndpointDraft, ParameterDraft
from doc2tools.compiler.load.read import read_document
from doc2tools.compiler.load.source import Source


def _outline(text: str) -> Outline:
    return outline(read_document(Source(name="page.md", data=text.encode(), media="markdown")))


def _read(text: str) -> Parameters:
    page = _outline(text)
    return attach_parameters(page, find_endpoints(page))


def _only(text: str) -> EndpointDraft:
    (endpoint,) = _read(text).endpoints
    return endpoint


def _named(endpoint: EndpointDraft, name: str) -> ParameterDraft:
    return next(p for p in endpoint.parameters if p.name.value == name)


def test_a_parameter_cites_the_row_that_states_it() -> None:
    endpoint = _only("# A\n\n## GET /a\n\n| Parameter | Required |\n|---|---|\n| `x` | yes |\n")
    parameter = _named(endpoint, "x")
    assert [str(span) for span in parameter.name.spans] == ["page.md:7"]
    assert parameter.required is not None
    assert parameter.required.value is True
    assert parameter.required.spans


def test_what_no_line_states_is_inferred_with_a_reason() -> None:
    parameter = _named(_only("# A\n\n## GET /a\n\nParameters:\n\n- `x`: a letter\n"), "x")
    assert parameter.location is not None
    assert parameter.location.value == "query"
    assert "GET" in parameter.location.inferred
    assert parameter.required is not None
    assert parameter.required.inferred


def test_path_parameters_come_first_in_their_order() -> None:
    endpoint = _only("# A\n\n## GET /a/{first}/b/{second}\n\nTakes the `limit` parameter.\n")
    assert [p.name.value for p in endpoint.parameters] == ["first", "second", "limit"]


def test_a_sample_fills_path_and_query_by_wire_name() -> None:
    endpoint = _only(
        "# A\n\n## GET /ships/{name}/ports\n\n```\n"
        "curl 'https://a.example.org/ships/vasa/ports?since=1628&open=true'\n```\n"
    )
    assert endpoint.samples[0].values == {"name": "vasa", "since": "1628", "open": "true"}
    examples = {p.name.value: [e.value for e in p.examples] for p in endpoint.parameters}
    assert examples == {"name": ["vasa"], "since": ["1628"], "open": ["true"]}


def test_values_of_one_sample_stay_together() -> None:
    endpoint = _only(
        "# A\n\n## GET /rates/{from}/{to}\n\n```\ncurl https://a.example.org/rates/EUR/SEK\n"
        "curl https://a.example.org/rates/USD/NOK\n```\n"
    )
    assert [sample.values for sample in endpoint.samples] == [
        {"from": "EUR", "to": "SEK"},
        {"from": "USD", "to": "NOK"},
    ]


def test_a_command_above_its_answer_is_a_sample() -> None:
    endpoint = _only(
        "# A\n\n## GET /v1/find\n\nParameters:\n\n- `who=<selector>`: whom\n- `n=<int>`: count\n\n"
        '```json\n$ curl \'http://localhost:80/v1/find?who={job="x"}&n=2\'\n{"a": 1}\n```\n'
    )
    assert endpoint.samples[0].values == {"who": '{job="x"}', "n": "2"}
    assert _named(endpoint, "n").examples[0].value == 2


def test_methods_of_one_path_share_their_sample() -> None:
    get, post = _read(
        "# A\n\n```\nGET /v1/find\nPOST /v1/find\n```\n\nParameters:\n\n- `who`: whom\n\n"
        "```\ncurl http://localhost:80/v1/find --data-urlencode 'who=Ada'\n```\n"
    ).endpoints
    assert (get.method.value, post.method.value) == ("GET", "POST")
    assert get.samples[-1].method == "GET"
    assert get.samples[-1].values == {"who": "Ada"}
    assert _named(get, "who").examples[0].value == "Ada"


def test_examples_have_the_parameters_type() -> None:
    endpoint = _only(
        "# A\n\n## GET /a\n\n| Parameter | Type | Example |\n|---|---|---|\n"
        "| `n` | integer | 12 |\n| `s` | string | 12 |\n| `b` | boolean | true |\n"
    )
    values = {p.name.value: p.examples[0].value for p in endpoint.parameters}
    assert values == {"n": 12, "s": "12", "b": True}


def test_a_json_body_gives_nested_fields() -> None:
    endpoint = _only(
        "# A\n\n```\ncurl -X POST https://a.example.org/v1/orders "
        '-d \'{"buyer": {"name": "Ada", "age": 36}, "lines": [{"item": 4}]}\'\n```\n'
    )
    buyer = _named(endpoint, "buyer")
    assert [(f.name.value, f.type and f.type.value) for f in buyer.fields] == [
        ("name", "string"),
        ("age", "integer"),
    ]
    lines = _named(endpoint, "lines")
    assert lines.item_type == "object"
    assert [f.name.value for f in lines.fields] == ["item"]
    assert endpoint.body_kind == "json"


def test_indented_rows_become_fields_of_the_row_above() -> None:
    endpoint = _only(
        "# A\n\n## POST /a\n\nBody:\n\n| Field | Type | Required |\n|---|---|---|\n"
        "| `point` | object | yes |\n| » `x` | number | yes |\n| » `y` | number | no |\n"
        "| `name` | string | no |\n"
    )
    assert [p.name.value for p in endpoint.parameters] == ["point", "name"]
    fields = {f.name.value: f.required and f.required.value for f in endpoint.parameters[0].fields}
    assert fields == {"x": True, "y": False}


def test_shared_parameters_are_given_once_and_to_each_endpoint() -> None:
    found = _read(
        "# A\n\n## Common parameters\n\nAll requests accept:\n\n- `lang`: language\n\n"
        "## GET /a\n\nA.\n\n## GET /b\n\nB.\n"
    )
    assert [p.name.value for p in found.shared] == ["lang"]
    assert [[p.name.value for p in e.parameters] for e in found.endpoints] == [["lang"], ["lang"]]


def test_statements_against_each_other_are_reported_with_their_line() -> None:
    found = _read(
        "# A\n\n## GET /a\n\n"
        "| Parameter | Required | Default |\n|---|---|---|\n| `x` | yes | 5 |\n\n"
        "Query parameters:\n\n- `x` (integer, optional, default 7): a number\n"
    )
    faults = [(str(d.span), d.code, d.level) for d in found.diagnostics]
    assert ("page.md:11", "parameter-contradiction", "warning") in faults
    assert len(faults) == 2
    assert {"both required and optional" in d.message for d in found.diagnostics} == {True, False}


def test_a_page_without_endpoints_has_no_parameters() -> None:
    assert _read("# A\n\n| Parameter | Type |\n|---|---|\n| `x` | string |\n") == Parameters(())


def test_the_same_page_gives_the_same_parameters() -> None:
    text = "# A\n\n## GET /a/{id}\n\nTakes the optional `c`.\n\n## POST /a\n\n- `d` (int)\n"
    assert _read(text) == _read(text)
    assert [p.name.value for e in _read(text).endpoints for p in e.parameters] == ["id", "c", "d"]


_PIECES = st.sampled_from(
    [
        "## GET /a/{id}", "### Parameters", "| Parameter | Type |\n|---|---|\n| `x` | int |",
        "- `b` (string, optional): text", "```json\n{\"a\": [1, {\"b\": 2}]}\n```", "**Response**",
        "```\ncurl -X POST https://a.example.org/a/1 -d x=1\n```",
        "All requests need the `k` header.",
        "term\n: definition", "`GET /b?x=<y>`", "| | |\n|---|---|\n| a | |", "> quote `?z=1`",
        "Takes the same parameters as `/a`.", "<dl><dt>a</dt><dd>b</dd></dl>",
        "1. one\n   - two\n     - three",
    ]
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(_PIECES, st.text(max_size=60)), max_size=14))
def test_no_page_makes_it_fail(pieces: list[str]) -> None:
    page = _outline("\n\n".join(pieces))
    findings = find_endpoints(page)
    found = attach_parameters(page, findings)
    assert len(found.endpoints) == len(findings.endpoints)
    for endpoint in found.endpoints:
        assert all(parameter.name.value for parameter in endpoint.parameters)
    facts = page_facts(page, findings)
    assert len(facts.complete(found.endpoints)) == len(found.endpoints)


@pytest.mark.parametrize(
    "filler",
    [
        "`",
        "`a`, ",
        "(",
        "[",
        "a=1&",
        "?a=",
        "a|b",
        "the parameter ",
        "- ",
        "{",
        '{"a":',
        "default ",
    ],
)
def test_long_repetitions_are_read_in_time(filler: str) -> None:
    body = filler * (200_000 // len(filler))
    page = _outline(f"# A\n\n## GET /a\n\nParameters: {body}\n\n- `x`: {body}\n")
    findings = find_endpoints(page)
    start = time.process_time()
    attach_parameters(page, findings)
    page_facts(page, findings)
    assert time.process_time() - start < 5


def test_time_grows_with_the_page_and_not_faster() -> None:
    def seconds(count: int) -> float:
        rows = "\n\n".join(
            f"## GET /t{n}/{{id}}\n\nTakes an optional `limit`.\n\n"
            "| Parameter | Type |\n|---|---|\n"
            f"| `a{n % 7}` | string |"
            for n in range(count)
        )
        page = _outline(f"# A\n\n{rows}\n")
        findings = find_endpoints(page)
        start = time.process_time()
        attach_parameters(page, findings)
        return time.process_time() - start

    seconds(20)
    assert seconds(600) < 30 * max(seconds(60), 0.01)
