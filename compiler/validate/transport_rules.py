"""Rules on calls that brought no answer: transport failures, time limits, faults of the code."""

from __future__ import annotations

from doc2tools.compiler.ir.exchange import TransportCause
from doc2tools.compiler.ir.outcome import Cause
from doc2tools.compiler.validate.case import Case, Judgement, Rule, error
from doc2tools.compiler.validate.filters import may_not_end

__all__ = ["TRANSPORT_RULES"]

_CAUSES: dict[TransportCause, tuple[Cause, str]] = {
    "unreachable": ("unreachable", "The server could not be reached"),
    "dns": ("unreachable", "The server's name could not be resolved"),
    "tls": ("tls", "The TLS connection failed"),
    "timeout": ("timeout", "No full answer came within the time limit"),
    "redirect": ("redirect", "The redirects did not end"),
    "protocol": ("unreachable", "The server did not speak HTTP as it should"),
    "refused-by-policy": ("blocked", "The gateway refused the request"),
    "budget": ("blocked", "The limit on calls is used up"),
}
_REDIRECT_ERRORS = frozenset({"TooManyRedirects", "InvalidSchema", "InvalidURL", "MissingSchema"})


def stream(case: Case) -> Judgement | None:
    """A stream that started well and did not end, or a call that is documented to wait."""
    failure = case.exchange.failure if case.exchange else None
    timed_out = case.run.timed_out or (failure is not None and failure.cause == "timeout")
    response = case.response
    started = response is not None and 200 <= response.status < 300
    if response is not None and started and response.content_type == "text/event-stream":
        documented = may_not_end(case.endpoint)
        if timed_out or response.truncated or not documented:
            return _stream(case, "it answered with text/event-stream and did not end")
    if not timed_out:
        return None
    if started and response is not None:
        return _stream(case, f"it started with {response.status} and did not end")
    if may_not_end(case.endpoint):
        return _stream(case, "it is documented to wait for an event")
    return None


def _stream(case: Case, why: str) -> Judgement:
    message = f"This is a stream or long poll: {why}."
    return error(case, "stream", "timeout", message, retry="never", said=False)


def transport_failure(case: Case) -> Judgement | None:
    """No answer came: the gateway says why."""
    failure = case.exchange.failure if case.exchange else None
    if failure is None or case.response is not None:
        if case.run.timed_out and case.response is None:
            message = "The call did not end within its time limit."
            return error(case, "timeout", "timeout", message, retry="never")
        return None
    cause, text = _CAUSES[failure.cause]
    redirected = len(case.run.exchanges) > 1
    if failure.cause == "refused-by-policy" and redirected:
        cause, text = "redirect", "The answer redirects to where the gateway does not go"
    message = f"{text}: {failure.message}" if failure.message else f"{text}."
    values_may_help = redirected or failure.cause in {"timeout", "protocol"}
    retry = "values" if values_may_help and failure.cause != "timeout" else "never"
    return error(case, "transport-failure", cause, message, failure.cause, retry=retry)


def no_call(case: Case) -> Judgement | None:
    """The code made no request at all."""
    if case.exchange is not None:
        return None
    fault = case.run.error
    if fault is None:
        message = "The tool returned without making a request."
        return error(case, "no-call", "code-fault", message, kind="code_error", retry="never")
    message = f"The tool raised {fault.kind} before any request: {fault.message[:300]}"
    return error(case, "no-call", "code-fault", message, kind="code_error", retry="values")


def redirect_end(case: Case) -> Judgement | None:
    """The last answer is a redirect that was not followed, or not to its end."""
    response = case.response
    if response is None or not 300 <= response.status < 400:
        return None
    target = response.headers.get("location", "")
    lowered = target.lower()
    if response.status == 304:
        return error(case, "not-modified", "empty-response", "The answer is 304 Not Modified.")
    if any(word in lowered for word in ("login", "signin", "sign_in", "/auth", "sso", "oauth")):
        message = f"The answer redirects to a login page: {target[:200]}"
        return error(case, "redirect-to-login", "unauthorised", message, retry="never")
    kind = case.run.error.kind if case.run.error else ""
    loops = kind in _REDIRECT_ERRORS or len(case.run.exchanges) > 3
    what = "The redirects did not end" if loops else "The answer is a redirect that leads nowhere"
    message = f"{what}: {response.status} to {target[:200] or 'no address'}"
    return error(case, "redirect", "redirect", message, said=False)


def login_page(case: Case) -> Judgement | None:
    """Redirects that ended on a login page."""
    if len(case.run.exchanges) < 2 or case.answer.kind != "html":
        return None
    url = case.run.exchanges[-1].request.url.lower().partition("?")[0]
    asks = "password" in case.answer.text[:20_000].lower()
    if asks and any(word in url for word in ("login", "signin", "sign_in", "sso")):
        message = "The redirects ended on a login page."
        return error(case, "login-page", "unauthorised", message, retry="never")
    return None


TRANSPORT_RULES: tuple[Rule, ...] = (
    stream,
    transport_failure,
    no_call,
    redirect_end,
    login_page,
)
