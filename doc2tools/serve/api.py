"""The way from a package's client to its API: bounded in time and bytes, to known hosts only.

`ApiSession` is what a package's `Client` sends with. Underneath is the transport that validation
uses: it cuts a connection at the call's deadline, stops reading at the limit, and undoes no
compression bomb. Each thread runs one call at a time, `current.call`.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPMessage
from http.cookiejar import DefaultCookiePolicy

import requests
from requests.adapters import BaseAdapter, HTTPAdapter
from requests.structures import CaseInsensitiveDict
from urllib3.response import HTTPResponse

from doc2tools.compiler.ir.options import TlsOptions
from doc2tools.sandbox.addresses import Origin, Refused, read_url
from doc2tools.sandbox.limits import Deadline
from doc2tools.sandbox.redaction import Redactor
from doc2tools.sandbox.transport import Answer, Transport, TransportError

__all__ = ["ApiSession", "Call", "OtherHostError", "TooLargeError", "Transports", "current"]

HARMLESS = frozenset({"accept", "accept-encoding", "user-agent", "content-type", "content-length"})
REDIRECTS = 10
_NO_TIME = 0.0


class OtherHostError(Exception):
    """The API redirects to a host that is none of the package's."""


class TooLargeError(Exception):
    """The API's answer is longer than what is read."""


@dataclass(eq=False)
class Call:
    """One call under way.

    Attributes:
        deadline: When it must be done.
        headers: The caller's own headers that go on to the API.
        cancelled: Whether nobody waits for it any more.
    """

    deadline: Deadline
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    cancelled: bool = False

    def cancel(self) -> None:
        """Have the connection cut."""
        self.cancelled = True
        self.deadline.extend(-max(0.0, self.deadline.remaining()))


class _Current(threading.local):
    call: Call | None = None


current = _Current()


class Transports:
    """One transport for each way of checking certificates; they share nothing."""

    def __init__(self, answer_bytes: int) -> None:
        """Open no connection.

        Args:
            answer_bytes: Bytes of an answer that are read.
        """
        self.answer_bytes = answer_bytes
        self._lock = threading.Lock()
        self._known: dict[TlsOptions, Transport] = {}

    def get(self, verify: bool | str | None) -> Transport:
        """Give the transport for what requests calls `verify`."""
        ca = verify if isinstance(verify, str) else ""
        tls = TlsOptions(verify=verify is not False, ca=ca)
        with self._lock:
            if tls not in self._known:
                # Which hosts may be called is decided by origin, before the transport is asked.
                self._known[tls] = Transport(
                    tls, lambda _origin, _address: None, response_bytes=self.answer_bytes
                )
            return self._known[tls]

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            for transport in self._known.values():
                transport.close()
            self._known.clear()


class _Adapter(BaseAdapter):
    def __init__(
        self, transports: Transports, hosts: frozenset[Origin], redactor: Redactor | None
    ) -> None:
        super().__init__()
        self._transports = transports
        self._hosts = hosts
        self._redactor = redactor
        self._builder = HTTPAdapter()

    def send(  # noqa: PLR0917 - requests' own signature
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: object = None,
        verify: bool | str = True,
        cert: object = None,
        proxies: Mapping[str, str] | None = None,
    ) -> requests.Response:
        del stream, timeout, cert, proxies  # the call's deadline and the operator's options count
        call = current.call
        target = read_url(str(request.url))
        if isinstance(target, Refused):
            raise requests.exceptions.InvalidURL(target.reason, request=request)
        origin = target.origin
        if origin not in self._hosts:
            raise OtherHostError
        if call is None or call.deadline.remaining() <= _NO_TIME:
            raise requests.ReadTimeout("no time left", request=request)
        headers = {name: _latin(value) for name, value in request.headers.items()}
        for name, value in call.headers.items():
            for other in [known for known in headers if known.lower() == name.lower()]:
                del headers[other]
            headers[name] = value
        try:
            answer = self._transports.get(verify).send(
                str(request.method), target, headers, _body(request), call.deadline
            )
        except TransportError as fault:
            raise _translated(fault, request) from None
        if answer.truncated:
            raise TooLargeError
        if self._redactor is not None:
            self._redactor.add(*_cookie_values(answer.set_cookies))
        return self._builder.build_response(request, _as_urllib3(answer, str(request.url)))

    def close(self) -> None:
        """Do nothing: the connections belong to the transports."""


class ApiSession(requests.Session):
    """Sends one toolkit's calls. It reads no proxy, netrc or certificate variables."""

    def __init__(
        self,
        transports: Transports,
        hosts: Iterable[str],
        *,
        cookies: bool,
        redactor: Redactor | None = None,
    ) -> None:
        """Open no connection.

        Args:
            transports: What sends.
            hosts: URLs whose hosts may be called.
            cookies: Whether cookies are kept, as a login needs it; nobody else's calls see them.
            redactor: Learns the values of cookies that are kept.
        """
        super().__init__()
        self.trust_env = False
        self.max_redirects = REDIRECTS
        if not cookies:
            self.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        found = (read_url(url) for url in hosts if url)
        origins = [target.origin for target in found if not isinstance(target, Refused)]
        upgraded = [origin.upgraded() for origin in origins]
        known = frozenset(origin for origin in (*origins, *upgraded) if origin is not None)
        adapter = _Adapter(transports, known, redactor if cookies else None)
        self.mount("http://", adapter)
        self.mount("https://", adapter)

    def rebuild_auth(
        self, prepared_request: requests.PreparedRequest, response: requests.Response
    ) -> None:
        """Send nothing that may be a credential to another host than was asked."""
        before, after = (read_url(str(r.url)) for r in (response.request, prepared_request))
        if isinstance(before, Refused) or isinstance(after, Refused):
            same = False
        else:
            same = after.origin in (before.origin, before.origin.upgraded())
        if not same:
            prepared_request.headers = CaseInsensitiveDict[str](
                {
                    name: value
                    for name, value in prepared_request.headers.items()
                    if name.lower() in HARMLESS
                }
            )
            if current.call is not None:
                current.call.headers = {}


def _latin(value: str | bytes) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value


def _body(request: requests.PreparedRequest) -> bytes:
    body: object = request.body
    if isinstance(body, str):
        return body.encode()
    return body if isinstance(body, bytes) else b""


def _cookie_values(cookies: Iterable[str]) -> list[str]:
    values = (cookie.partition(";")[0].partition("=")[2].strip() for cookie in cookies)
    return [value for value in values if len(value) >= 8]


def _as_urllib3(answer: Answer, url: str) -> HTTPResponse:
    message = HTTPMessage()
    for cookie in answer.set_cookies:
        message.add_header("Set-Cookie", cookie)
    return HTTPResponse(
        body=io.BytesIO(answer.body),
        headers=answer.headers,
        status=answer.status,
        preload_content=False,
        decode_content=False,
        request_url=url,
        original_response=_Original(message),  # pyright: ignore[reportArgumentType] - see there
    )


class _Original:
    """As much of `http.client.HTTPResponse` as requests reads cookies from."""

    def __init__(self, message: HTTPMessage) -> None:
        self.msg = message

    def isclosed(self) -> bool:
        return True

    def close(self) -> None:
        pass


def _translated(
    fault: TransportError, request: requests.PreparedRequest
) -> requests.RequestException:
    match fault.failure.cause:
        case "tls":
            return requests.exceptions.SSLError(request=request)
        case "timeout":
            return requests.ReadTimeout(request=request)
        case "protocol":
            return requests.exceptions.ContentDecodingError(request=request)
        case _:
            return requests.ConnectionError(request=request)
