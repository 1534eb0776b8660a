"""What must never be filled in: stand-ins of the documentation, credentials, long polls."""

from __future__ import annotations

import re

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.spec import Endpoint, Parameter
from doc2tools.compiler.passes.effect_paths import is_command
from doc2tools.param_db.naming import fold, words

__all__ = [
    "changes_state",
    "is_credential",
    "is_long_poll",
    "is_stand_in",
    "may_not_end",
    "promises_stream",
    "takes_command",
]

_STAND_IN = re.compile(
    r"\.{3}|\u2026|<[^<>]*>|\{[^{}]*\}|\[[a-z_ ]*\]|:[a-z_]+|\$[A-Z_]+|x{3,}|X{3,}|"
    r"your[-_ ].*|my[-_ ]?(api[-_ ]?key|token)|string|integer|number|boolean|object|array|null|"
    r"undefined|none|value|todo|tbd|n/a|\*+|%[sd]",
    re.IGNORECASE,
)
_CREDENTIAL_NAMES = frozenset(
    {
        "authorization",
        "proxy_authorization",
        "api_key",
        "apikey",
        "x_api_key",
        "access_token",
        "auth_token",
        "x_auth_token",
        "token",
        "cookie",
        "client_secret",
        "app_key",
        "appkey",
        "app_id",
        "appid",
        "api_token",
        "apitoken",
        "subscription_key",
        "password",
        "session",
    }
)
_POLL_NAMES = frozenset(
    {"wait", "stream", "follow", "watch", "longpoll", "long_poll", "tail", "streaming"}
)
_WRITE_VERBS = frozenset(
    {
        *("delete", "remove", "reset", "clear", "purge", "drop", "destroy", "kill", "shutdown"),
        *("restart", "reboot", "flush", "wipe", "erase", "truncate", "create", "add", "insert"),
        *("update", "set", "write", "save", "store", "put", "post", "patch", "start", "stop"),
        *("enable", "disable", "install", "uninstall", "import", "restore", "execute", "exec"),
        *("run", "send", "submit", "cancel", "move", "rename", "edit", "modify", "reload"),
        *("register", "unregister", "upload", "publish", "unpublish", "lock", "unlock", "trigger"),
    }
)
_SWITCHES = frozenset(
    {
        *("delete", "remove", "reset", "clear", "purge", "drop", "destroy", "kill", "shutdown"),
        *("restart", "reboot", "flush", "wipe", "erase", "truncate", "uninstall"),
    }
)
_COMMAND_NAMES = frozenset(
    {"action", "cmd", "command", "op", "operation", "method", "do", "task", "_method", "verb"}
)
_STREAM_TEXT = re.compile(
    r"\blong[- ]?poll|server[- ]sent event|event[- ]?stream|\bstreams? (?:of )?(?:the )?events?\b|"
    r"\bblocks? until\b|\bwebsocket|\btext/event-stream|connection (?:is kept|stays|remains) open|"
    r"\bcontinuous(?:ly)? stream|\bwatch(?:es)? for changes?\b|waits? for (?:a |the next )?change",
    re.IGNORECASE,
)


def is_stand_in(value: JsonValue, name: str = "") -> bool:
    """Tell whether a documented value only stands for one, such as `YOUR_KEY` or `<id>`."""
    if not isinstance(value, str):
        return value is None
    text = value.strip()[:400]
    if not text:
        return True
    return bool(_STAND_IN.fullmatch(text)) or (bool(name) and words(text) == words(name))


def is_credential(parameter: Parameter) -> bool:
    """Tell whether the parameter carries a credential, which only the gateway may add."""
    if parameter.location not in {"header", "query", "cookie"}:
        return False
    name = fold(parameter.name)
    return name in _CREDENTIAL_NAMES or (
        parameter.location == "header" and name.endswith(("_token", "_key", "_authorization"))
    )


def changes_state(parameter: Parameter, value: JsonValue) -> bool:
    """Tell whether sending `value` may turn a reading call into one that changes the server."""
    folded = fold(parameter.name)
    if folded in _SWITCHES:
        return str(value).lower() not in {"false", "0", "no", "off"}
    if parameter.location == "path" and is_command(str(value)[:100]):
        return True
    if not takes_command(parameter):
        return False
    verbs = words(str(value))
    return bool(verbs) and verbs[0] in _WRITE_VERBS


def takes_command(parameter: Parameter) -> bool:
    """Tell whether what the call does depends on the parameter, going by its name."""
    folded = fold(parameter.name)
    return folded in _SWITCHES | _COMMAND_NAMES or "method_override" in folded


def is_long_poll(name: str) -> bool:
    """Tell whether a parameter of this name makes the server hold the answer back."""
    return fold(name) in _POLL_NAMES


def promises_stream(endpoint: Endpoint) -> bool:
    """Tell whether the documentation says that the answer streams or waits for an event."""
    if "text/event-stream" in endpoint.content_types:
        return True
    text = " ".join((endpoint.title, endpoint.summary, endpoint.description[:2000]))
    return bool(_STREAM_TEXT.search(text))


def may_not_end(endpoint: Endpoint) -> bool:
    """Tell whether a call may never end, so that it gets a short time limit."""
    fixed = any(is_long_poll(name) for name in endpoint.fixed_query)
    return fixed or promises_stream(endpoint)
