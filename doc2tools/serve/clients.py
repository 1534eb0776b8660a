"""Gives a package's tools the client that they send with, call by call.

The package's own client takes base URL and credentials from this process's environment, and all
callers share it. A caller who brings a credential of their own gets a client without the server's,
which nobody else sees.
"""

from __future__ import annotations

import inspect
import os
import threading
from collections.abc import Mapping
from typing import Any

from doc2tools.compiler.emit.mcp_tools import JsonObject, exported, table
from doc2tools.compiler.ir.base import JsonValue
from doc2tools.sandbox.redaction import Redactor
from doc2tools.serve.api import ApiSession, Call, Transports, current
from doc2tools.serve.packages import Package

SENDING = frozenset({"request", "get", "post", "put", "patch", "delete", "head", "options"})
CREDENTIAL_HEADERS = frozenset({"authorization", "proxy-authorization", "cookie"})
CREDENTIAL_WORDS = ("auth", "token", "key", "secret", "session", "credential", "password")


class _Chosen(threading.local):
    client: Any = None


_chosen = _Chosen()


class _Dispatch:
    """Stands where the package keeps its client; passes on to the one that this call uses."""

    def __getattr__(self, name: str) -> object:
        found: Any = getattr(_chosen.client, name)
        if name not in SENDING:
            return found

        def send(*arguments: object, model: Any = None, **parts: object) -> object:  # noqa: ANN401
            # The answer as it came: a model would add the fields that it knows and the API left
            # out. `str` and `bytes` are no models; they say not to parse.
            return found(*arguments, model=model if model in (str, bytes) else None, **parts)

        return send


class Clients:
    """The clients of one toolkit."""

    def __init__(
        self,
        package: Package,
        manifest: JsonObject,
        transports: Transports,
        redactor: Redactor,
    ) -> None:
        """Make no client yet."""
        self._package = package
        self._manifest = manifest
        self._transports = transports
        self._redactor = redactor
        self._lock = threading.Lock()
        self._shared: Any = None

    def choose(self, call: Call) -> None:
        """Have this thread's next tool send with the client that the call may use.

        Raises:
            ImportError: The package cannot be imported.
        """
        module: Any = self._package.module("client")
        with self._lock:
            if self._shared is None:
                self._shared = self._new(module, credentials=True)
                module.use(_Dispatch())
        own = any(
            is_credential(name, str(getattr(module, "AUTH_NAME", ""))) for name in call.headers
        )
        _chosen.client = self._new(module, credentials=False) if own else self._shared
        current.call = call

    def leave(self) -> None:
        """Forget the call; learn the secrets that a login brought."""
        current.call = None
        _chosen.client = None
        credential: object = getattr(self._shared, "_auth", None)
        secrets: tuple[str, ...] = getattr(credential, "secrets", ())
        self._redactor.add(*secrets)

    def _new(self, module: Any, *, credentials: bool) -> Any:  # noqa: ANN401 - generated code
        session = ApiSession(
            self._transports,
            self._hosts(module),
            cookies=credentials and hasattr(module, "LOGIN_URL"),
            redactor=self._redactor,
        )
        options: dict[str, object] = {}
        if "largest" in inspect.signature(module.Client).parameters:
            options["largest"] = self._transports.answer_bytes
        return module.Client(session=session, credentials=credentials, **options)

    def _hosts(self, module: Any) -> list[str]:  # noqa: ANN401 - generated code
        base = os.environ.get(str(module.BASE_URL_VARIABLE)) or str(module.DEFAULT_BASE_URL)
        urls = [str(entry.get("url", "")) for entry in exported(self._manifest)]
        hosts = table(self._manifest, "options").get("allow_hosts")
        named = [str(host) for host in hosts] if isinstance(hosts, list) else []
        login = str(getattr(module, "LOGIN_URL", ""))
        return [
            base,
            *(url.partition("{")[0] for url in dict.fromkeys(urls)),
            *(f"{scheme}://{host}" for host in named for scheme in ("http", "https")),
            *([login] if "://" in login else []),
        ]


def is_credential(header: str, own: str = "") -> bool:
    """Say whether a header identifies its sender, so that the server's own must not go with it.

    Args:
        header: Its name.
        own: The header that carries the server's credential.
    """
    name = header.lower()
    if name in CREDENTIAL_HEADERS or name == own.lower():
        return True
    return any(word in name for word in CREDENTIAL_WORDS)


def secrets_of(manifest: JsonObject, environment: Mapping[str, str]) -> list[str]:
    """Give the values in the environment that a toolkit sends as credentials."""
    prefix = str(manifest.get("name", "")).upper()
    auth = table(table(manifest, "options"), "auth")
    names = [f"{prefix}_TOKEN", f"{prefix}_PASSWORD"]
    names += [str(auth.get(key, "")) for key in ("token_env", "password_env")]
    names += _variables(auth.get("body"))
    return [environment[name] for name in names if environment.get(name)]


def _variables(value: JsonValue) -> list[str]:
    if isinstance(value, str):
        return [value[1:]] if value.startswith("$") else []
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [name for item in inner for name in _variables(item)]
