"""Requests in code are read with method, address, headers and body, in any language."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from doc2tools.compiler.extract.samples import find_samples, request_sample
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.source import Span

HOST = "https://api.example.org"


@pytest.mark.parametrize(
    ("code", "method", "stated", "url", "fields"),
    [
        (f"curl {HOST}/x", "GET", False, f"{HOST}/x", {}),
        (f"$ curl -s '{HOST}/x?a=1' | jq .", "GET", False, f"{HOST}/x?a=1", {}),
        (f"curl -XPUT {HOST}/x -d a=1 -d 'b=two words'", "PUT", True, f"{HOST}/x",
         {"a": "1", "b": "two words"}),
        (f"curl {HOST}/x -d '{{\"a\": 1}}'", "POST", True, f"{HOST}/x", {"a": 1}),
        (f"curl -G {HOST}/x -d a=1 --data-urlencode 'q=b'", "GET", True, f"{HOST}/x?a=1&q=b", {}),
        (f"curl {HOST}/x --url-query a=1", "GET", False, f"{HOST}/x?a=1", {}),
        (f"curl -I {HOST}/x", "HEAD", True, f"{HOST}/x", {}),
        (f"curl -F file=@a.png -F name=b {HOST}/x", "POST", True, f"{HOST}/x",
         {"file": None, "name": "b"}),
        (f"curl -sSkXDELETE {HOST}/x", "DELETE", True, f"{HOST}/x", {}),
        (f"curl --json '{{\"a\": true}}' {HOST}/x", "POST", True, f"{HOST}/x", {"a": True}),
        (f"curl \\\n  -X POST \\\n  {HOST}/x", "POST", True, f"{HOST}/x", {}),
        (f"curl {HOST}/x/<id>/y", "GET", False, f"{HOST}/x/<id>/y", {}),
        (f"A={HOST}\ncurl $A/x", "GET", False, f"{HOST}/x", {}),
        ("http POST api.example.org/x a=1 q==2 X-Key:k", "POST", True, "api.example.org/x?q=2",
         {"a": "1"}),
        ("http :8080/x", "GET", False, "http://localhost:8080/x", {}),
        (f"wget -O out --post-data=a=1 {HOST}/x", "POST", True, f"{HOST}/x", {"a": "1"}),
        (f"Invoke-RestMethod -Uri {HOST}/x -Method Put", "PUT", True, f"{HOST}/x", {}),
        (f"fetch('{HOST}/x')", "GET", False, f"{HOST}/x", {}),
        (f"fetch('{HOST}/x', {{method: 'POST', body: JSON.stringify({{a: 1, b}})}})", "POST", True,
         f"{HOST}/x", {"a": 1, "b": None}),
        (f"const h = '{HOST}';\nfetch(`${{h}}/x/${{id}}`)", "GET", False, f"{HOST}/x/{{id}}", {}),
        (f"axios.get('{HOST}/x', {{params: {{a: 1}}}})", "GET", True, f"{HOST}/x?a=1", {}),
        (f"axios({{method: 'patch', url: '{HOST}/x', data: {{a: 1}}}})", "PATCH", True, f"{HOST}/x",
         {"a": 1}),
        (f"$.post('{HOST}/x', {{a: 1}})", "POST", True, f"{HOST}/x", {"a": 1}),
        (f"xhr.open('PUT', '{HOST}/x')", "PUT", True, f"{HOST}/x", {}),
        (f"requests.get('{HOST}/x', params={{'a': 'b'}})", "GET", True, f"{HOST}/x?a=b", {}),
        (f"requests.post(f'{HOST}/x/{{name}}', json={{'a': [1, 2]}})", "POST", True,
         f"{HOST}/x/{{name}}", {"a": [1, 2]}),
        (f"httpx.request('DELETE', '{HOST}/x')", "DELETE", True, f"{HOST}/x", {}),
        (f"B = '{HOST}'\nrequests.get(B + '/x/' + str(n))", "GET", True, f"{HOST}/x/{{n}}", {}),
        (f"requests.get('{HOST}/%s' % name)", "GET", True, f"{HOST}/{{name}}", {}),
        (f"requests.get('{HOST}/{{}}'.format(name))", "GET", True, f"{HOST}/{{name}}", {}),
        (f"urllib.request.urlopen('{HOST}/x')", "GET", False, f"{HOST}/x", {}),
        ("GET /x?a HTTP/1.1\nHost: api.example.org\n", "GET", True, "//api.example.org/x?a", {}),
        ("POST /x HTTP/1.1\nHost: api.example.org\n\na=1&b=2", "POST", True, "//api.example.org/x",
         {"a": "1", "b": "2"}),
    ],
)  # fmt: skip
def test_a_request_is_read(
    code: str, method: str, stated: bool, url: str, fields: Mapping[str, JsonValue]
) -> None:
    (sample,) = find_samples(code)
    assert (sample.method, sample.stated, sample.url) == (method, stated, url)
    assert dict(sample.fields) == fields


def test_several_requests_keep_their_order_and_places() -> None:
    code = f'curl {HOST}/a\n{{"x": "{HOST}/no"}}\ncurl -X POST {HOST}/b\n'
    first, second = find_samples(code)
    assert [first.url, second.url] == [f"{HOST}/a", f"{HOST}/b"]
    assert code[first.start : first.end] == f"curl {HOST}/a"
    assert code[second.start : second.end] == f"curl -X POST {HOST}/b"


@pytest.mark.parametrize(
    "code",
    ["curl --help", "the curl command", "cache.get('key')", "app.listen(8080)", "print('/x')",
     "http is a protocol", "<p>GET</p>", "fetch(", "curl '", "requests.get(", "GET HTTP/1.1", ""],
)  # fmt: skip
def test_what_is_no_request_gives_none(code: str) -> None:
    assert find_samples(code) == ()


def test_credentials_do_not_reach_the_record() -> None:
    code = f"curl -u me:secret -b sid=1 -H 'Authorization: Bearer t' -H 'X-Page: 2' {HOST}/x"
    (sample,) = find_samples(code)
    record = request_sample(sample, Span(page="p", start=1, end=1))
    assert record.headers == {"X-Page": "2"}
    assert "secret" not in record.model_dump_json()


def test_a_placeholder_value_is_recorded_as_unknown() -> None:
    (sample,) = find_samples(f"curl '{HOST}/x?a=1&b={{b}}'")
    record = request_sample(sample, Span(page="p", start=1, end=1))
    assert record.values == {"a": "1", "b": None}
