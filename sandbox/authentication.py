"""Adds credentials on the way out, for the base URL's origin only; logs in where that is needed."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl, quote, urlencode

from doc2tools.compiler.ir.options import AuthOptions
from doc2tools.sandbox.addresses import Origin, Refused, Target, read_url
from doc2tools.sandbox.credentials import Credentials
from doc2tools.sandbox.redaction import Redactor
from doc2tools.sandbox.transport import Answer, TransportError

Send = Callable[[str, Target, dict[str, str], bytes], Answer]

PASSING = frozenset({408, 429, 500, 502, 503, 504})
MAX_FUTILE = 3
"""Logins after a 401 that may be followed by a 401 again, before 401 is taken as it is."""

_CREDENTIAL_HEADERS = frozenset({"authorization", "cookie", "cookie2"})


class Authenticator:
    """Holds the credentials of one compile. Thread-safe; `repr` shows nothing of them.

    Attributes:
        problem: Why the login failed, or "".
    """

    def __init__(
        self, auth: AuthOptions, credentials: Credentials, base_url: str, redactor: Redactor
    ) -> None:
        """Prepare; a login waits for the first request that needs it.

        Args:
            auth: The user's `[auth]`.
            credentials: What `load_credentials` read for it.
            base_url: Requests to its origin get the credentials.
            redactor: Learns the token or cookies that a login gives.
        """
        base = read_url(base_url) if base_url else Refused("no base URL")
        self._origins: tuple[Origin, ...] = ()
        if not isinstance(base, Refused):
            upgraded = base.origin.upgraded()
            self._origins = (base.origin, upgraded) if upgraded else (base.origin,)
        self._auth = auth
        self._credentials = credentials
        self._base_url = base_url
        self._redactor = redactor
        self._lock = threading.Lock()
        self._generation = 0
        self._futile = 0
        self._headers: dict[str, str] = {}
        self._cookies: dict[str, str] = dict(credentials.cookies)
        self._own_headers = {name.lower() for name in credentials.headers}
        if auth.type == "header":
            self._own_headers.add(auth.name.lower())
        self.problem = ""
        redactor.add(*credentials.secrets)

    def __repr__(self) -> str:
        """Name the scheme, and nothing else."""
        return f"Authenticator({self._auth.type})"

    @property
    def context(self) -> str:
        """What a recording depends on beside the request; names the scheme, holds no secret."""
        auth = self._auth
        return json.dumps([auth.type, auth.username, auth.name, auth.prefix, auth.url])

    @property
    def active(self) -> bool:
        """Whether any credentials are configured."""
        return self._auth.type != "none"

    def concerns(self, target: Target) -> bool:
        """Tell whether a request to `target` carries the credentials."""
        return self.active and target.origin in self._origins

    def strip(self, headers: Mapping[str, str]) -> dict[str, str]:
        """Give the headers without any credential that the tool set by itself."""
        return {
            name: value
            for name, value in headers.items()
            if name.lower() not in _CREDENTIAL_HEADERS
            and not name.lower().startswith("proxy-")
            and name.lower() not in self._own_headers
        }

    def strip_query(self, target: Target) -> Target:
        """Give `target` without the query parameter that carries the configured token."""
        names = self._credentials.query
        if not names or not target.query:
            return target
        kept = [
            part
            for part in target.query.split("&")
            if not any(name in names for name, _ in parse_qsl(part, keep_blank_values=True))
        ]
        if len(kept) == target.query.count("&") + 1:
            return target
        return _with_query(target, "&".join(kept))

    def sign(
        self, target: Target, headers: dict[str, str], send: Send
    ) -> tuple[Target, dict[str, str], int]:
        """Give target and headers with the credentials, and the login they belong to.

        Args:
            target: What is called; `concerns` holds for it.
            headers: The tool's headers, stripped.
            send: Sends the login request.

        Raises:
            TransportError: the login failed.
        """
        generation = self._generation
        if self._auth.type == "login" and not generation:
            generation = self.renew(0, send)
        signed = {**headers, **self._credentials.headers, **self._headers}
        if self._cookies:
            signed["Cookie"] = "; ".join(f"{key}={value}" for key, value in self._cookies.items())
        if self._credentials.query:
            extra = urlencode(self._credentials.query, quote_via=quote)
            target = _with_query(target, f"{target.query}&{extra}" if target.query else extra)
        return target, signed, generation

    def renew(self, generation: int, send: Send) -> int:
        """Log in again, unless another thread did since `generation`; give the new generation.

        Raises:
            TransportError: the login failed.
        """
        with self._lock:
            if self._generation == generation:
                if self.problem:
                    # A wrong credential is not tried again and again: that locks accounts.
                    raise TransportError("protocol", self.problem)
                self._log_in(send)
                self._generation += 1
            return self._generation

    @property
    def renewable(self) -> bool:
        """Whether a 401 may mean that a login has run out."""
        return self._auth.type == "login" and self._futile < MAX_FUTILE

    def note_renewal(self, status: int) -> None:
        """Learn what a call was answered with after a new login: 401 again means it was no use."""
        self._futile = self._futile + 1 if status == 401 else 0

    def _log_in(self, send: Send) -> None:
        url = self._auth.url
        if "://" not in url:
            url = f"{self._base_url.rstrip('/')}/{url.lstrip('/')}"
        target = read_url(url)
        if isinstance(target, Refused):
            raise self._failed(f"[auth] url cannot be used: {target.reason}")
        body, kind = self._login_body()
        headers = {"Content-Type": kind, "Accept": "*/*"} if body else {"Accept": "*/*"}
        answer = send(self._auth.method.upper(), target, headers, body)
        if answer.status in PASSING:
            raise TransportError("protocol", f"the login was answered with {answer.status}")
        if not 200 <= answer.status < 400:
            raise self._failed(
                f"logging in at {target.origin}{target.path.partition('?')[0]} was answered with "
                f"{answer.status}; check [auth] and its variables"
            )
        if self._auth.keep.startswith("json:"):
            token = _dig(answer.body, self._auth.keep.removeprefix("json:"))
            if not token:
                raise self._failed(f"the login's answer has no {self._auth.keep}")
            self._redactor.add(token)
            name = self._auth.name or "Authorization"
            prefix = self._auth.prefix or ("" if self._auth.name else "Bearer ")
            self._own_headers.add(name.lower())
            self._headers = {name: f"{prefix}{token}"}
        else:
            cookies = dict(filter(None, map(_cookie, answer.set_cookies)))
            if not cookies:
                raise self._failed("the login's answer sets no cookie")
            self._redactor.add(*cookies.values())
            self._cookies = cookies
        self.problem = ""

    def _login_body(self) -> tuple[bytes, str]:
        fields = self._credentials.login_body
        if not fields:
            return b"", ""
        if self._auth.body_kind == "form":
            return urlencode({k: str(v) for k, v in fields.items()}).encode(), (
                "application/x-www-form-urlencoded"
            )
        return json.dumps(dict(fields)).encode(), "application/json"

    def _failed(self, message: str) -> TransportError:
        self.problem = self._redactor.text(message)
        return TransportError("protocol", self.problem)


def _with_query(target: Target, query: str) -> Target:
    path = target.path.partition("?")[0]
    return Target(target.origin, f"{path}?{query}" if query else path, query)


def _cookie(line: str) -> tuple[str, str] | None:
    name, equals, value = line.partition(";")[0].partition("=")
    name, value = name.strip(), value.strip()
    return (name, value) if equals and name and value else None


def _dig(body: bytes, path: str) -> str:
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    for part in path.split("."):
        if isinstance(value, dict):
            value = value.get(part)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        elif isinstance(value, list) and part.isdigit() and int(part) < len(value):  # pyright: ignore[reportUnknownArgumentType]
            value = value[int(part)]  # pyright: ignore[reportUnknownVariableType]
        else:
            return ""
    if isinstance(value, str | int) and not isinstance(value, bool):
        text = str(value)
        return "" if any(character in text for character in "\r\n\0") else text
    return ""
