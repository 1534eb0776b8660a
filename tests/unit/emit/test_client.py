"""The generated client against a real server on loopback."""

from __future__ import annotations

import base64
import importlib
import shutil
import ssl
import subprocess
import warnings
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import pytest
from harbour_api import FIXED, Server, make_endpoint, make_plan, prove, serve
from urllib3 import HTTPResponse

from doc2tools.compiler.emit.answers import read_answer
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Response
from doc2tools.compiler.ir.options import AuthOptions
from doc2tools.compiler.ir.plan import PackagePlan
from doc2tools.compiler.ir.spec import Parameter

Load = Callable[[PackagePlan], ModuleType]
Client: TypeAlias = Any
"""The generated class; each test imports its own."""
VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")


@pytest.fixture
def client(load: Load, server: Server) -> Client:
    """Give a client without credentials."""
    tools = [prove(make_endpoint(name=f"call_{v.lower()}", method=v), "text") for v in VERBS]
    load(make_plan(*tools))
    module = importlib.import_module("harbour.client")
    return module.Client(server.url, retries=2, timeout=5.0)


def test_path_values_are_percent_encoded(client: Client, server: Server) -> None:
    client.get("/a/{x}/b/{y}", path={"x": "1/2 ü?#%", "y": "13.4,52.5;13.5,52.6:@"})
    assert server.asked[0]["path"] == "/a/1%2F2%20%C3%BC%3F%23%25/b/13.4,52.5;13.5,52.6:@"


def test_values_that_are_paths_keep_their_slashes(client: Client, server: Server) -> None:
    client.get("/keys/{key}", path_slashes={"key": "fleet/tugs one"})
    assert server.asked[0]["path"] == "/keys/fleet/tugs%20one"


@pytest.mark.parametrize("value", ["", ".", ".."])
def test_a_path_value_cannot_lead_elsewhere(client: Client, server: Server, value: str) -> None:
    with pytest.raises(ValueError, match="part of the path"):
        client.get("/ships/{ship_id}", path={"ship_id": value})
    assert server.asked == []


def test_query_values_are_written_as_servers_read_them(client: Client, server: Server) -> None:
    query = {
        "q": "a b&c=d;e+f",
        "none": None,
        "yes": True,
        "many[]": ["x", None, 2],
        "day": date(2024, 5, 6),
        "at": datetime(2024, 5, 6, 7, tzinfo=UTC),
        "filter": {"a": [1, True]},
        "half": 0.5,
        "empty": [],
    }
    client.get("/search?fixed=1", query=query)
    assert server.asked[0]["query"] == (
        "fixed=1&q=a%20b%26c%3Dd%3Be%2Bf&yes=true&many%5B%5D=x&many%5B%5D=2&day=2024-05-06"
        "&at=2024-05-06T07:00:00%2B00:00&filter=%7B%22a%22:%5B1,true%5D%7D&half=0.5"
    )


def test_bodies(client: Client, server: Server, tmp_path: Path) -> None:
    file = tmp_path / "log.txt"
    file.write_text("ahoy")
    client.post("/json", body={"a": [date(2024, 1, 2)], "left_out": None})
    client.post("/no-json", body={"left_out": None})
    client.post("/form", form={"a": "x y", "many": [1, 2], "left_out": None})
    client.post("/files", multipart={"file": file, "raw": b"raw", "note": "hi", "no": None})
    client.post("/plain", text="plain ü")
    bodies = [one["body"] for one in server.asked]
    assert bodies[:3] == ['{"a": ["2024-01-02"]}', "{}", "a=x+y&many=1&many=2"]
    assert 'name="file"; filename="log.txt"' in bodies[3]
    assert "ahoy" in bodies[3]
    assert 'name="note"\r\n\r\nhi' in bodies[3]
    assert bodies[4] == "plain ü"
    assert server.asked[0]["headers"]["content-type"] == "application/json"
    assert server.asked[3]["headers"]["content-type"].startswith("multipart/form-data")


def test_headers_and_cookies(client: Client, server: Server) -> None:
    client.get("/h", headers={"X-Dry-Run": True, "X-No": None}, cookies={"berth": 4})
    headers = server.asked[0]["headers"]
    assert headers["x-dry-run"] == "true"
    assert "x-no" not in headers
    assert headers["cookie"] == "berth=4"
    assert headers["user-agent"] == "harbour/0.1.0"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/text", "Grüße"),
        ("/latin", "Grüße"),
        ("/json-as-text", {"a": [1]}),
        ("/json-as-script", [1, 2]),
        ("/broken-json", "{nonsense"),
        ("/lines", [{"n": 1}, {"n": 2}]),
        ("/one-line", [{"n": 1}]),
        ("/lines-as-json", [{"n": 1}, {"n": 2}]),
        ("/bytes", b"\x89PNG\0"),
        ("/empty", None),
        ("/untyped", {"a": 1}),
        ("/page", "<p>hello"),
        ("/bom", [1]),
    ],
)
def test_answers_are_read_by_their_content(client: Client, path: str, value: object) -> None:
    assert client.get(path) == value


@pytest.mark.parametrize("path", FIXED)
def test_recordings_are_read_as_the_client_reads(client: Client, path: str) -> None:
    kind, content = FIXED[path]
    body = base64.b64encode(content).decode()
    headers = {"content-type": kind}
    recorded = read_answer(Response(status=200, headers=headers, body=body, body_base64=True))
    value = client.get(path)
    if isinstance(value, str):
        assert recorded.kind == "text" or recorded.value == value
    elif isinstance(value, bytes):
        assert recorded.kind == "bytes"
    else:
        assert recorded.kind == ("empty" if value is None else "json")
        assert recorded.value == value


def test_a_server_cannot_make_the_client_wait_for_hours(client: Client) -> None:
    module = importlib.import_module("harbour.client")
    answer = HTTPResponse(headers={"Retry-After": "86400"}, status=429)
    adapter = client._session.get_adapter("http://127.0.0.1")
    assert adapter.max_retries.get_retry_after(answer) == module.LONGEST_WAIT


def test_a_header_that_cannot_be_sent_is_the_callers_fault(client: Client, server: Server) -> None:
    with pytest.raises(ValueError, match="InvalidHeader") as caught:
        client.get("/x", headers={"X-Note": "a\r\nX-Other: b"})
    assert caught.value.__suppress_context__
    assert server.asked == []


def test_an_answer_can_be_asked_for_as_it_came(client: Client) -> None:
    assert client.get("/json-as-text", model=str) == '{"a": [1]}'
    assert client.get("/text", model=bytes) == "Grüße".encode()
    assert client.get("/lines", model=list[dict[str, int]]) == [{"n": 1}, {"n": 2}]
    assert client.get("/untyped", model=list[int]) == {"a": 1}


def test_a_busy_server_is_asked_again(client: Client, server: Server) -> None:
    assert client.get("/flaky")["path"] == "/flaky"
    assert len(server.asked) == 3


def test_a_call_that_changes_state_is_not_repeated(client: Client, server: Server) -> None:
    errors = importlib.import_module("harbour.errors")
    with pytest.raises(errors.ServerError):
        client.post("/flaky", body={"a": 1})
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("status", "name"),
    [
        (400, "ApiError"),
        (401, "AuthError"),
        (403, "AuthError"),
        (404, "NotFoundError"),
        (429, "RateLimitError"),
        (500, "ServerError"),
    ],
)
def test_errors_say_what_happened(client: Client, server: Server, status: int, name: str) -> None:
    errors = importlib.import_module("harbour.errors")
    with pytest.raises(errors.ApiError) as caught:
        client.get(f"/status/{status}", query={"a": 1})
    error: Any = caught.value
    assert type(error).__name__ == name
    assert error.status == status
    assert len(error.body) == 2_000
    assert error.url == f"{server.url}/status/{status}?a=1"
    assert f"answered {status}" in str(error)


def test_no_answer_is_an_error_that_says_what_to_do(client: Client, closed_port: int) -> None:
    errors = importlib.import_module("harbour.errors")
    module = importlib.import_module("harbour.client")
    lost = module.Client(f"http://user:word@127.0.0.1:{closed_port}", retries=0)
    with pytest.raises(errors.ApiConnectionError) as caught:
        lost.get("/x")
    assert "HARBOUR_BASE_URL" in str(caught.value)
    assert "word" not in str(caught.value)
    assert isinstance(caught.value, errors.ApiError)


def test_a_missing_base_url_is_said(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    load(make_plan(prove(make_endpoint(base_url=""), {"a": 1}), base_url=""))
    module = importlib.import_module("harbour.client")
    monkeypatch.delenv("HARBOUR_BASE_URL", raising=False)
    with pytest.raises(module.ApiConnectionError, match="HARBOUR_BASE_URL"):
        module.Client().get("/x")


def test_the_environment_gives_the_base_url(
    load: Load, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    package: Any = load(make_plan(prove(make_endpoint(), {"id": 7})))
    monkeypatch.setenv("HARBOUR_BASE_URL", f"{server.url}/v2/")
    package.get_ship(7, fields=["name", "flag"])
    assert server.asked[0]["path"] == "/v2/ships/7"
    assert server.asked[0]["query"] == "fields%5B%5D=name&fields%5B%5D=flag"


AUTH: dict[str, tuple[AuthOptions, dict[str, str]]] = {
    "basic": (AuthOptions(type="basic", username="pilot"), {"HARBOUR_PASSWORD": "secret-tökén"}),
    "bearer": (AuthOptions(type="bearer"), {"HARBOUR_TOKEN": "secret-token"}),
    "header": (
        AuthOptions(type="header", name="X-Key", prefix="Key "),
        {"HARBOUR_TOKEN": "secret-token"},
    ),
    "query": (AuthOptions(type="query", name="key"), {"HARBOUR_TOKEN": "secret-token"}),
    "cookie": (AuthOptions(type="cookie", name="sid"), {"HARBOUR_TOKEN": "secret-token"}),
}
CARRIED = {
    "basic": ("headers", "authorization", "Basic cGlsb3Q6c2VjcmV0LXTDtmvDqW4="),
    "bearer": ("headers", "authorization", "Bearer secret-token"),
    "header": ("headers", "x-key", "Key secret-token"),
    "query": ("query", "", "a=1&key=secret-token"),
    "cookie": ("headers", "cookie", "sid=secret-token"),
}


def open_client(
    load: Load, base: str, monkeypatch: pytest.MonkeyPatch, scheme: str, *, given: bool = True
) -> Client:
    """Give a client of a package with this scheme."""
    auth, variables = AUTH[scheme]
    for name, value in variables.items():
        if given:
            monkeypatch.setenv(name, value)
        else:
            monkeypatch.delenv(name, raising=False)
    load(make_plan(prove(make_endpoint(), {"id": 7}), auth=auth))
    return importlib.import_module("harbour.client").Client(base, retries=0)


@pytest.mark.parametrize("scheme", AUTH)
def test_credentials_come_from_the_environment(
    load: Load, server: Server, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    client = open_client(load, server.url, monkeypatch, scheme)
    client.get("/ships", query={"a": 1})
    client.get("/slash")
    part, name, value = CARRIED[scheme]
    asked = server.asked[0]
    assert (asked[part][name] if name else asked[part]) == value
    if part == "headers":
        assert server.asked[2]["path"] == "/slash/"
        assert server.asked[2][part][name] == value


@pytest.mark.parametrize("scheme", AUTH)
def test_a_redirect_to_another_host_takes_no_credential_along(
    load: Load,
    server: Server,
    other_server: Server,
    monkeypatch: pytest.MonkeyPatch,
    scheme: str,
) -> None:
    server.elsewhere = other_server.url.replace("127.0.0.1", "localhost")
    client = open_client(load, server.url, monkeypatch, scheme)
    client.get("/redirect")
    assert other_server.asked[0]["path"] == "/landed"
    assert "secret" not in str(other_server.asked)
    assert "cGlsb3Q6" not in str(other_server.asked)


@pytest.mark.parametrize("scheme", AUTH)
def test_another_host_gets_no_credential(
    load: Load,
    server: Server,
    other_server: Server,
    monkeypatch: pytest.MonkeyPatch,
    scheme: str,
) -> None:
    client = open_client(load, server.url, monkeypatch, scheme)
    client.get("/x", base=other_server.url)
    assert "secret" not in str(other_server.asked)
    assert "authorization" not in other_server.asked[0]["headers"]


@pytest.mark.parametrize("scheme", AUTH)
def test_errors_never_show_credentials(
    load: Load,
    server: Server,
    closed_port: int,
    monkeypatch: pytest.MonkeyPatch,
    scheme: str,
) -> None:
    client = open_client(load, server.url, monkeypatch, scheme)
    errors = importlib.import_module("harbour.errors")
    with pytest.raises(errors.AuthError) as refused:
        client.get("/status/401")
    assert "refused the credential" in str(refused.value)
    lost = importlib.import_module("harbour.client").Client(
        f"http://127.0.0.1:{closed_port}", retries=0
    )
    with pytest.raises(errors.ApiError) as caught:
        lost.get("/x")
    if scheme != "basic":
        assert "secret-token" not in str(refused.value) + refused.value.body
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_a_missing_credential_is_named(
    load: Load, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = open_client(load, server.url, monkeypatch, "bearer", given=False)
    errors = importlib.import_module("harbour.errors")
    with pytest.raises(errors.AuthError, match="HARBOUR_TOKEN"):
        client.get("/status/401")
    assert "authorization" not in server.asked[0]["headers"]


@pytest.mark.parametrize("keep", ["cookie", "json:data.token"])
def test_login_happens_once_and_again_after_401(
    load: Load, server: Server, monkeypatch: pytest.MonkeyPatch, keep: str
) -> None:
    body: dict[str, JsonValue] = {"user": "pilot", "password": "$PILOT_WORD"}
    auth = AuthOptions(type="login", url="login", body=body, keep=keep)
    load(make_plan(prove(make_endpoint(), {"id": 7}), auth=auth))
    module = importlib.import_module("harbour.client")
    monkeypatch.setenv("PILOT_WORD", "s3cret-word")
    client = module.Client(server.url, retries=0)
    client.get("/ships")
    client.get("/ships")
    with pytest.raises(module.ApiError):
        client.get("/status/401")
    paths = [one["path"] for one in server.asked]
    assert paths == ["/login", "/ships", "/ships", "/status/401", "/login", "/status/401"]
    assert server.asked[0]["body"] == '{"user": "pilot", "password": "s3cret-word"}'
    headers = server.asked[1]["headers"]
    if keep == "cookie":
        assert headers["cookie"] == "sid=abc"
    else:
        assert headers["authorization"] == "Bearer fresh"


def test_without_the_environment_no_login_is_tried(
    load: Load, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    auth = AuthOptions(type="login", url="/login", body={"password": "$PILOT_WORD"})
    load(make_plan(prove(make_endpoint(), {"id": 7}), auth=auth))
    monkeypatch.delenv("PILOT_WORD", raising=False)
    module = importlib.import_module("harbour.client")
    with pytest.raises(module.ApiError, match="PILOT_WORD"):
        module.Client(server.url, retries=0).get("/status/401")
    assert [one["path"] for one in server.asked] == ["/status/401"]


@pytest.fixture
def tls_server(tmp_path: Path) -> Generator[tuple[Server, Path]]:
    """Give a server with a certificate that nobody signed, and the certificate's path."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl makes the certificate")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-keyout", str(key), "-out", str(certificate), "-subj", "/CN=127.0.0.1"]
    command += ["-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    record = Server("")
    running = serve(record, context)
    yield record, certificate
    running.shutdown()
    running.server_close()


def test_tls_is_verified_unless_the_environment_says_otherwise(
    load: Load, tls_server: tuple[Server, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    record, certificate = tls_server
    load(make_plan(prove(make_endpoint(), {"id": 7})))
    module = importlib.import_module("harbour.client")
    with pytest.raises(module.ApiConnectionError, match="HARBOUR_TLS_VERIFY"):
        module.Client(record.url, retries=0).get("/x")
    monkeypatch.setenv("HARBOUR_TLS_VERIFY", str(certificate))
    assert module.Client(record.url, retries=0).get("/x")["path"] == "/x"
    monkeypatch.setenv("HARBOUR_TLS_VERIFY", "0")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert module.Client(record.url, retries=0).get("/x")["path"] == "/x"


def test_joined_arrays(load: Load, server: Server) -> None:
    joined = Parameter(
        name="ids",
        identifier="ids",
        location="query",
        type="array",
        item_type="integer",
        style="pipe",
    )
    endpoint = make_endpoint(path="/ships", parameters=(joined,))
    package: Any = load(make_plan(prove(endpoint, {"id": 7}, {"ids": [1, 2]})))
    module = importlib.import_module("harbour.client")
    module.use(module.Client(server.url))
    package.get_ship(ids=[1, 2])
    package.get_ship()
    assert [one["query"] for one in server.asked] == ["ids=1%7C2", ""]


def test_one_refusal_for_many_threads_is_one_login(
    load: Load, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PILOT_WORD", "word-of-the-pilot")
    body: dict[str, JsonValue] = {"password": "$PILOT_WORD"}
    auth = AuthOptions(type="login", url="login", body=body, keep="json:data.token")
    load(make_plan(prove(make_endpoint(), {"id": 1}), auth=auth))
    client: Client = importlib.import_module("harbour.client").Client(server.url, retries=0)
    assert client._log_in(after=0) == 1

    def refused(_: int) -> int:
        return client._log_in(after=1)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(refused, range(8))) == [2] * 8
    assert [asked["path"] for asked in server.asked] == ["/login", "/login"]
