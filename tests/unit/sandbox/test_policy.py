"""The policy: what is refused, before any socket opens."""

from __future__ import annotations

import gzip
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doc2tools.compiler.ir.errors import UsageError
from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.sandbox.addresses import (
    Origin,
    Refused,
    as_address,
    canonical_host,
    read_url,
    special_range,
)
from doc2tools.sandbox.policy import Policy

API = "https://api.example.com/v1"


def policy(*base_urls: str, **options: object) -> Policy:
    # Unchecked, as the policy must not rely on what the options check.
    fields = {"allow": ("GET",), **options}
    return Policy.from_options(CompileOptions().model_copy(update=fields), base_urls)


def reason(
    given: Policy,
    url: str = f"{API}/items",
    method: str = "GET",
    headers: dict[str, str] | None = None,
    body: bytes = b"",
) -> str:
    failure = given.decide(method, url, headers or {}, body)
    if failure is None:
        return ""
    assert failure.cause == "refused-by-policy"
    return failure.message


class TestMethods:
    def test_only_what_is_allowed(self) -> None:
        given = policy(API, allow=("GET", "HEAD"))
        assert reason(given) == ""
        assert reason(given, method="HEAD") == ""
        assert "allowed: GET, HEAD" in reason(given, method="POST")

    def test_nothing_by_default(self) -> None:
        assert "allowed: none" in reason(policy(API, allow=()))
        assert reason(Policy()) != ""

    @pytest.mark.parametrize(
        "method", ["get", "Get", "GET ", " GET", "GET\n", "G\0ET", "GET\r\nX: 1", "GÉT", "", "*"]
    )
    def test_spellings(self, method: str) -> None:
        assert reason(policy(API), method=method) != ""

    def test_a_method_that_is_none(self) -> None:
        with pytest.raises(UsageError, match="not a method"):
            policy(API, allow=("get",))


class TestOverride:
    @pytest.mark.parametrize(
        "name",
        [
            "X-HTTP-Method-Override",
            "x-http-method-override",
            "X-Http-Method",
            "X-METHOD-OVERRIDE",
            "X_HTTP_Method_Override",
        ],
    )
    def test_headers(self, name: str) -> None:
        assert "override" in reason(policy(API), headers={name: "DELETE"})
        assert "override" in reason(policy(API), headers={name: "GET, DELETE"})
        assert reason(policy(API), headers={name: "GET"}) == ""

    @pytest.mark.parametrize(
        "query",
        [
            "_method=DELETE",
            "_METHOD=delete",
            "a=1&_method=PUT",
            "a=1;_method=PUT",
            "%5Fmethod=DELETE",
            "%255Fmethod=DELETE",
            "_method[]=DELETE",
            "_method%5B%5D=DELETE",
            "+_method=DELETE",
            "x-http-method-override=DELETE",
            "_method=GET&_method=DELETE",
            "_method",
        ],
    )
    def test_query(self, query: str) -> None:
        assert "override" in reason(policy(API), f"{API}/items?{query}")

    @pytest.mark.parametrize(
        "query", ["method=DELETE", "a_method=DELETE", "_method=GET", "x=_method"]
    )
    def test_query_that_is_none(self, query: str) -> None:
        assert reason(policy(API), f"{API}/items?{query}") == ""

    @pytest.mark.parametrize(
        ("content_type", "body"),
        [
            ("application/x-www-form-urlencoded", b"_method=DELETE"),
            ("application/x-www-form-urlencoded", b"a=1&_method=DELETE"),
            ("application/x-www-form-urlencoded", b"a=1&%5fmethod=DELETE"),
            ("Application/X-WWW-Form-URLEncoded; charset=utf-8", b"_method=DELETE"),
            ("", b"_method=DELETE"),
            ("text/plain", b"_method=DELETE"),
            ("application/json", b'{"_method": "DELETE"}'),
            ("application/json", b'{"_method": "POST", "_method": "DELETE"}'),
            ("application/json", b'{"\\u005fmethod": "DELETE"}'),
            ("application/json", '{"_method": "DELETE"}'.encode("utf-16")),
            ("application/json", b'\xef\xbb\xbf{"_method": "DELETE"}'),
            ("application/json", b'{"_method": "DELETE", broken'),
            ("", b' {"_method": "DELETE"}'),
            ("application/json", b"[" * 100_000 + b'"_method"'),
            ("multipart/form-data; boundary=b", b'--b\r\nContent-Disposition: form-data; '
             b'name="_method"\r\n\r\nDELETE\r\n--b--'),
            ("multipart/form-data; boundary=b", b"--b\r\nContent-Disposition: form-data; "
             b"name=_method\r\n\r\nDELETE\r\n--b--"),
        ],
    )  # fmt: skip
    def test_body(self, content_type: str, body: bytes) -> None:
        given = policy(API, allow=("POST",))
        headers = {"Content-Type": content_type} if content_type else {}
        assert "override" in reason(given, method="POST", headers=headers, body=body)

    @pytest.mark.parametrize(
        ("content_type", "body"),
        [
            ("application/json", b'{"method": "DELETE", "items": [1, 2]}'),
            ("application/x-www-form-urlencoded", b"method=DELETE&a=_method"),
            ("application/octet-stream", gzip.compress(b"anything" * 100, mtime=0)),
            ("text/plain", b"the field _method is refused"),
        ],
    )
    def test_body_that_is_none(self, content_type: str, body: bytes) -> None:
        given = policy(API, allow=("POST",))
        assert reason(given, method="POST", headers={"content-type": content_type}, body=body) == ""


class TestOrigins:
    def test_the_documented_one(self) -> None:
        given = policy(API)
        assert reason(given, "https://api.example.com/elsewhere") == ""
        assert reason(given, "https://API.EXAMPLE.COM./x") == ""
        assert reason(given, "https://api.example.com:443/x") == ""

    @pytest.mark.parametrize(
        "url",
        [
            "http://api.example.com/",
            "https://api.example.com:8443/",
            "https://evil.example/",
            "https://api.example.com.evil.example/",
            "https://xapi.example.com/",
            "https://example.com/",
        ],
    )
    def test_another(self, url: str) -> None:
        message = reason(policy(API), url)
        assert "not on the allow-list" in message
        assert "--allow-host" in message

    def test_http_may_move_up_to_https_and_not_down(self) -> None:
        assert reason(policy("http://api.example.com"), "https://api.example.com/") == ""
        assert reason(policy("https://api.example.com"), "http://api.example.com/") != ""
        assert reason(policy("http://api.example.com:81"), "https://api.example.com/") != ""

    def test_hosts_that_the_user_allows(self) -> None:
        given = policy(API, allow_hosts=("cdn.example", "files.example:8080", "[::1]:99"))
        assert reason(given, "https://cdn.example:1234/") == ""
        assert reason(given, "http://files.example:8080/") == ""
        assert reason(given, "http://files.example/") != ""
        assert reason(given, "http://[::1]:99/") == ""

    @pytest.mark.parametrize("host", ["", "a b", "x:port", "x:0", "x:99999", "ex%61mple", "1.2.3"])
    def test_hosts_that_are_none(self, host: str) -> None:
        with pytest.raises(UsageError, match="not a host"):
            policy(API, allow_hosts=(host,))

    @pytest.mark.parametrize(
        "url", ["api.example.com", "ftp://x/", "https://u@x/", "https://{host}/"]
    )
    def test_a_base_url_of_the_user_that_is_none(self, url: str) -> None:
        with pytest.raises(UsageError, match="base URL cannot be used"):
            policy(base_url=url)

    def test_a_base_url_of_the_documentation_that_is_none(self) -> None:
        given = policy("https://{region}.example.com", "nonsense", API)
        assert [str(origin) for origin in given.origins] == ["https://api.example.com"]


class TestConfusingUrls:
    @pytest.mark.parametrize(
        "url",
        [
            "https://api.example.com@evil.example/",
            "https://user:pass@api.example.com/",
            "https://evil.example\\@api.example.com/",
            "https://api.example.com\\evil",
            "https://api.example.com/\r\nHost: evil.example",
            "https://api.example.com/a b",
            "https://api.example.com/\tx",
            "https://api.example.com/\x00",
            " https://api.example.com/",
            "https://api%2eexample%2ecom/",
            "https://api.example.com%00.evil.example/",
            "https:///api.example.com/",
            "https:api.example.com/",
            "//api.example.com/",
            "/relative",
            "file:///etc/passwd",
            "gopher://api.example.com/",
            "javascript:alert(1)",
            "https://[::1/",
            "https://[api.example.com]/",
            "https://api.example.com:0/",
            "https://api.example.com:99999/",
            "https://api.example.com:8x/",
            "https://api.example.com:-1/",
            "https://api.example.com/é",
            "https://" + "a" * 300 + ".com/",
            "https://api.example.com/" + "a" * 20_000,
            "https://api..example.com/",
            "https://-api.example.com/",
            "",
        ],
    )
    def test_are_refused(self, url: str) -> None:
        assert reason(policy(API, allow_hosts=("evil.example",)), url) != ""

    @pytest.mark.parametrize(
        ("host", "canonical"),
        [
            ("EXAMPLE.com", "example.com"),
            ("example.com.", "example.com"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("\uff25\uff38AMPLE.com", "example.com"),
            ("127.0.0.1.", "127.0.0.1"),
            ("[0:0:0:0:0:0:0:1]".strip("[]"), "::1"),
            ("under_score.example", "under_score.example"),
        ],
    )
    def test_one_spelling_for_a_host(self, host: str, canonical: str) -> None:
        assert canonical_host(host) == canonical

    def test_a_fragment_is_not_sent(self) -> None:
        target = read_url("https://api.example.com/a?b=1#@evil.example/")
        assert not isinstance(target, Refused)
        assert target.path == "/a?b=1"
        assert target.origin.host == "api.example.com"

    @given(st.text(max_size=60))
    def test_any_text_is_read_or_refused(self, text: str) -> None:
        for url in (text, f"https://{text}", f"https://api.example.com/{text}"):
            target = read_url(url)
            if not isinstance(target, Refused):
                assert read_url(str(target)) == target
                assert str(target).isascii()


LOCAL = [
    "127.0.0.1",
    "127.255.0.9",
    "0.0.0.0",  # noqa: S104 (an address to refuse)
    "10.0.0.1",
    "172.16.5.5",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "::127.0.0.1",
    "2002:7f00:1::",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
]


def spelled(address: str) -> str:
    return f"http://[{address}]/" if ":" in address else f"http://{address}/"


class TestAddresses:
    @pytest.mark.parametrize("address", LOCAL)
    def test_special_ones_need_the_users_word(self, address: str) -> None:
        url = spelled(address)
        assert "--allow-host" in reason(policy(url), url)
        host = f"[{address}]" if ":" in address else address
        assert reason(policy(url, allow_hosts=(host,)), url) == ""
        assert reason(policy(base_url=url), url) == ""

    @pytest.mark.parametrize("address", LOCAL)
    def test_names_that_lead_there(self, address: str) -> None:
        origin = Origin(scheme="https", host="api.example.com", port=443)
        assert policy(API).decide_address(origin, address) is not None
        assert policy(base_url=API).decide_address(origin, address) is None

    @pytest.mark.parametrize("address", ["93.184.216.34", "8.8.8.8", "2606:4700::1111"])
    def test_public_ones(self, address: str) -> None:
        parsed = as_address(address)
        assert parsed is not None
        assert special_range(parsed) == ""
        assert reason(policy(spelled(address)), spelled(address)) == ""

    @pytest.mark.parametrize(
        "host",
        [
            "2130706433",
            "0x7f000001",
            "0x7f.0.0.1",
            "0177.0.0.1",
            "127.1",
            "127.0.1",
            "017700000001",
            "127.0.0.1.1",
            "1.2.3.4.5.6.7.8",
            "256.1.1.1",
            "0x",
            "fe80::1%25eth0",
            "①②⑦.⓪.⓪.①",
        ],
    )
    def test_unusual_spellings(self, host: str) -> None:
        url = f"http://[{host}]/" if "::" in host else f"http://{host}/"
        given = policy("http://127.0.0.1/", "http://anything.example/")
        assert reason(given, url) != ""

    @pytest.mark.parametrize("host", ["localhost", "LOCALHOST.", "api.localhost"])
    def test_names_of_this_machine(self, host: str) -> None:
        url = f"http://{host}/"
        assert "loopback" in reason(policy(url), url)
        assert reason(policy(base_url=url), url) == ""

    def test_the_users_word_is_for_one_port(self) -> None:
        given = policy("http://127.0.0.1:6379", base_url="http://127.0.0.1:8000/api")
        assert reason(given, "http://127.0.0.1:8000/x") == ""
        assert "--allow-host 127.0.0.1:6379" in reason(given, "http://127.0.0.1:6379/")


class TestHeaders:
    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("X-A", "1\r\nX-B: 2"),
            ("X-A", "1\n"),
            ("X-A", "1\x00"),
            ("X-A: 1\r\nX-B", "2"),
            ("X A", "1"),
            ("", "1"),
            ("X-É", "1"),
            ("X-A", "\u0100"),
            ("X-A", "\ud800"),
            ("Host", "evil.example"),
            ("host", "api.example.com:8443"),
            ("X-Original-URL", "/admin"),
            ("X-Rewrite-URL", "/admin"),
            ("X_Forwarded_Host", "evil.example"),
            ("X-A", "a" * 70_000),
        ],
    )
    def test_are_refused(self, name: str, value: str) -> None:
        assert reason(policy(API), headers={name: value}) != ""

    def test_two_spellings_of_one(self) -> None:
        headers = {"Content-Type": "text/plain", "content_type": "application/json"}
        assert "twice" in reason(policy(API), headers=headers)

    def test_too_many(self) -> None:
        assert reason(policy(API), headers={f"X-{n}": "1" for n in range(101)}) != ""

    def test_usual_ones(self) -> None:
        headers = {"Accept": "application/json", "X-Tab": "a\tb", "Host": "API.example.com:443"}
        assert reason(policy(API), headers=headers) == ""

    def test_a_body_that_is_too_long(self) -> None:
        given = policy(API, allow=("POST",))
        assert "longer" in reason(given, method="POST", body=bytes(9_000_000))


@given(
    method=st.text(max_size=10),
    url=st.text(max_size=50),
    name=st.text(max_size=20),
    value=st.text(max_size=30),
    body=st.binary(max_size=60),
)
def test_never_raises(method: str, url: str, name: str, value: str, body: bytes) -> None:
    given_policy = policy(API, allow=("GET", "POST"))
    for target in (url, f"{API}/{quote(url, errors='replace')}"):
        for verb in (method, "POST"):
            given_policy.decide(verb, target, {name: value, "Content-Type": value}, body)
