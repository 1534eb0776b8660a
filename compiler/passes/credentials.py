"""Which parameters carry credentials: they are not arguments of a tool, the gateway adds them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from doc2tools.compiler.ir.base import Location
from doc2tools.compiler.ir.draft import AuthDraft, ParameterDraft
from doc2tools.compiler.passes.examples import is_secret_name
from doc2tools.compiler.passes.words import split_words

_SAYS_CREDENTIAL = re.compile(
    r"\b(?:api|access|auth(?:entication|orization)?|bearer|developer|application|app|private|secret"
    r"|subscription|personal|your|account|client|session)[ -](?:api[ -])?(?:key|token|secret)\b"
    r"|\bapikey\b|\bauthenticat|\bcredential|\bauthori[sz]ation token",
    re.IGNORECASE,
)
_QUERY_NAMES = frozenset(
    {
        "apikey", "accesstoken", "authtoken", "apitoken", "authkey", "accesskey", "appkey",
        "clientsecret", "appsecret", "apisecret", "subscriptionkey", "authorization",
        "privatetoken",
    }
)  # fmt: skip
_VAGUE = frozenset(
    {
        "key", "token", "auth", "appid", "secret", "jwt", "password", "passwd", "clientid",
    }
)  # fmt: skip


def credential_header(name: str) -> bool:
    """Tell whether a header of this name carries a credential."""
    known = {"authorization", "proxy-authorization", "cookie"}
    return name.lower() in known or is_secret_name(name)


def credential(
    parameter: ParameterDraft, name: str, place: Location, schemes: Sequence[AuthDraft]
) -> AuthDraft | None:
    """Give the scheme whose credential the parameter carries, or `None` if it carries none."""
    for scheme in schemes:
        carrier = scheme.name.lower() == name.lower() and scheme.type == place
        if carrier:
            return scheme
    if place not in {"query", "header", "cookie"} or not _carries(parameter, name, place):
        return None
    spans = parameter.name.spans
    if place == "cookie":
        return AuthDraft(type="cookie", name=name, description=parameter.description, spans=spans)
    if name.lower() == "authorization" and place == "header":
        about = f"{parameter.description} {' '.join(str(e.value) for e in parameter.examples[:3])}"
        if re.search(r"\bbasic\b", about, re.IGNORECASE):
            return AuthDraft(type="basic", description=parameter.description, spans=spans)
        return AuthDraft(type="bearer", name=name, description=parameter.description, spans=spans)
    kind = "query" if place == "query" else "header"
    return AuthDraft(type=kind, name=name, description=parameter.description, spans=spans)


def _carries(parameter: ParameterDraft, name: str, place: Location) -> bool:
    joined = "".join(split_words(name))
    told = bool(_SAYS_CREDENTIAL.search(parameter.description[:500]))
    if place == "header":
        return is_secret_name(name) or joined == "authorization" or (joined in _VAGUE and told)
    if place == "cookie":
        return is_secret_name(name) or (told and "session" in joined)
    return joined in _QUERY_NAMES or (joined in _VAGUE and told)
