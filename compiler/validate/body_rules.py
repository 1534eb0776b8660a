"""Rules on the body of a 2xx answer: errors in disguise, pages instead of data, nothing at all."""

from __future__ import annotations

import re

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.outcome import Cause, VerdictKind
from doc2tools.compiler.validate.answer import visible_text
from doc2tools.compiler.validate.case import Case, Judgement, Rule, error, information
from doc2tools.compiler.validate.messages import route_missing, says_login, says_not_found
from doc2tools.compiler.validate.promises import status_parameter
from doc2tools.param_db.naming import fold, path_noun

__all__ = ["BODY_RULES", "is_envelope", "nothing_in"]

_ERROR_KEYS = frozenset(
    {
        *("error", "errors", "fault", "exception", "err", "errormessage", "error_message"),
        *("errorcode", "error_code", "faultstring", "errmsg", "error_msg", "errcode"),
    }
)
_FLAG_KEYS = frozenset({"success", "ok", "successful", "succeeded", "response", "valid_request"})
_STATUS_KEYS = frozenset({"status", "state", "result", "stat", "outcome", "type", "response"})
_CODE_KEYS = frozenset({"code", "cod", "statuscode", "status_code", "httpcode", "status", "error"})
_MESSAGE_KEYS = frozenset(
    {"message", "msg", "detail", "details", "title", "reason", "description", "error_description"}
)
_BAD_WORDS = frozenset({"error", "fail", "failed", "failure", "ko", "nok", "fault", "exception"})
_NO_ERROR = frozenset({"", "none", "null", "0", "false", "no", "ok", "success", "no error", "00"})
_ENVELOPE = frozenset(
    {
        *("status", "success", "ok", "code", "message", "msg", "count", "total", "page", "limit"),
        *("offset", "next", "previous", "prev", "version", "took", "time", "timestamp", "meta"),
        *("pagination", "links", "type", "kind", "per_page", "pages", "size", "total_pages"),
        *("totalcount", "total_count", "resultcount", "result_count", "totalresults", "has_more"),
        *("hasmore", "query", "q", "url", "self", "href", "request", "params", "parameters"),
        *("resulttype", "result_type", "datatype", "format", "schema", "requestid", "request_id"),
        *("timed_out", "last", "first", "start", "end", "page_size", "pagesize", "numfound"),
        *("hits_total", "generated", "copyright", "attribution", "license", "info", "warnings"),
        *(
            "errors",
            "error",
            "stat",
            "language",
            "input",
            "search",
            "term",
            "lang",
            "method",
            "cursor",
            "next_cursor",
        ),
    }
)
_XML_FAULTS = re.compile(
    r"(fault|errors?|exceptions?|exceptionreport|serviceexceptionreport|errorresponse|err)",
    re.IGNORECASE,
)
_ERROR_SENTENCE = re.compile(
    r"\s*(?:\W{0,3})(?:fatal |internal |unknown )?(?:errors?|exception|invalid|incorrect|failed|"
    r"failure|bad request|not found|no such|no results?|unknown|missing|unauthori[sz]ed|forbidden|"
    r"access denied|usage:|(?:404|500|403|401|400)\s[a-z])",
    re.IGNORECASE,
)
_WRONG_WORDS = re.compile(
    r"\berror|\bfail|\binvalid|\bnot[ _]found|\bno such|does(?: not|n't) exist|\bnot exist|"
    r"\bmissing\b|\brequired\b|\bunknown\b|\bunsupported|\bdenied|\bunauthori|\bforbidden|"
    r"\bnot allowed|\bcould not|\bcannot|\bcan't|\bunable\b|\bincorrect|\bnot valid|\bexceed",
    re.IGNORECASE,
)
_ERROR_TITLE = re.compile(
    r"\b(?:40[0-9]|41\d|5\d\d)\b|not found|\berror\b|\bforbidden\b|unauthori[sz]ed|access denied|"
    r"bad request|unavailable|\b(?:log|sign)[ -]?in\b|just a moment|attention required|"
    r"index of /",
    re.IGNORECASE,
)


def no_content(case: Case) -> Judgement | None:
    """204 and 205, and the answer to HEAD; for values that should find data it is nothing."""
    if case.answer.status == 204 and case.parametrised and case.promises.examples:
        message = "The answer has no content, where the documentation shows some."
        return error(case, "no-content-for-values", "empty-response", message)
    if case.answer.status in {204, 205} or case.endpoint.method == "HEAD":
        return information(case, "no-content", f"{case.answer.status} without a body, as it should")
    return None


def empty_body(case: Case) -> Judgement | None:
    """200 with no bytes."""
    bytes_wanted = case.answer.media in {"application/octet-stream", "text/plain"}
    if case.answer.size and (
        case.answer.kind == "binary" or bytes_wanted or case.answer.text.strip()
    ):
        return None
    if case.answer.status == 202 or status_parameter(case.endpoint):
        return None
    if case.promises.empty and not case.parametrised:
        return information(case, "empty-as-documented", "an empty answer is documented")
    return error(case, "empty-body", "empty-response", "The answer has no content.")


def page_instead(case: Case) -> Judgement | None:
    """HTML where data was promised, or an error, login or landing page."""
    answer = case.answer
    if answer.kind != "html":
        return None
    title = answer.title[:120]
    if _ERROR_TITLE.search(title):
        words = visible_text(answer)
        if says_login(title) and "password" in answer.text.lower():
            message = f"The answer is a login page: {title}"
            return error(case, "login-page", "unauthorised", message, retry="never")
        if not case.promises.html or says_not_found(title) or route_missing(words, strict=True):
            message = f"The answer is an error page: {title}"
            cause: Cause = "wrong-parameter-value" if case.in_path else "missing-path"
            found = cause if says_not_found(title) else "abnormal-response"
            return error(case, "error-page", found, message)
    if case.promises.html:
        return information(case, "page-as-documented", f"an HTML page, as documented: {title}")
    why = "data is documented" if case.promises.data else "no page is documented"
    message = f"The answer is an HTML page ({title or 'no title'}), but {why}."
    retry = "values" if case.parametrised else "advice"
    return error(
        case, "page-instead-of-data", "abnormal-response", message, said=False, retry=retry
    )


def same_as_nonsense(case: Case) -> Judgement | None:
    """The same answer as an address that does not exist gets."""
    control = case.control
    if control is None or control.response is None or case.response is None:
        return None
    if control.response.status != case.response.status or not case.answer.size:
        return None
    nonsense = control.request.url.rstrip("/").rpartition("/")[2]
    own = case.run.exchanges[-1].request.url
    if own == control.request.url:
        return None
    path = own.partition("?")[0].rstrip("/").rpartition("/")[2]
    same = case.response.body == control.response.body
    if not same and len(path) >= 3:
        same = case.response.body.replace(path, "") == control.response.body.replace(nonsense, "")
    if not same:
        return None
    message = "The server gives the same answer for an address that does not exist."
    return error(case, "same-as-nonsense", "missing-path", message, said=False, retry="never")


def error_in_body(case: Case) -> Judgement | None:
    """An error message under status 200."""
    answer = case.answer
    why = ""
    if answer.kind == "xml" and isinstance(answer.payload, dict):
        why = _xml_fault(answer.payload)
    elif answer.kind == "json":
        payload = answer.payload
        if isinstance(payload, list) and len(payload) == 1:
            payload = payload[0]
        if isinstance(payload, dict):
            why = _fault(payload, case) or _wrapped_fault(payload, case)
        elif isinstance(payload, str) and _ERROR_SENTENCE.match(payload[:400]):
            why = f"the text starts like an error: {payload[:80]}"
    elif answer.kind == "text" and answer.size < 400 and _ERROR_SENTENCE.match(answer.text):
        why = f"the text starts like an error: {answer.text[:80]}"
    if not why:
        return None
    return _disguised(case, why)


def _disguised(case: Case, why: str) -> Judgement:
    text = case.text
    cause: Cause = "abnormal-response"
    kind: VerdictKind = "request_error"
    named = case.complaint
    if named is not None and named.known:
        cause = "missing-parameter" if named.missing else "wrong-parameter-value"
    elif "rate limit" in text.lower() or "too many requests" in text.lower():
        cause = "rate-limited"
    elif says_login(text):
        cause = "unauthorised"
    elif route_missing(text, strict=True):
        cause = "missing-path"
    elif case.parametrised and (says_not_found(text) or named is not None):
        cause = "wrong-parameter-value"
    elif "internal" in text.lower() and "error" in text.lower():
        cause, kind = "server-fault", "server_error"
    message = f"The answer has status {case.answer.status} but holds an error."
    return error(case, "error-in-body", cause, message, why, kind=kind)


def _wrapped_fault(payload: dict[str, JsonValue], case: Case) -> str:
    """Look one level down: `{"response": {"error": …}}`."""
    if len(payload) > 2:
        return ""
    for key, value in payload.items():
        if isinstance(value, dict) and key.lower() in {"response", "result", "data", "meta"}:
            found = _fault(value, case)
            if found:
                return f"{key}: {found}"
    return ""


def _fault(payload: dict[str, JsonValue], case: Case) -> str:
    """Give what in an object says that it is an error, or ""."""
    documented = _documented_keys(case)
    messages = {key.lower() for key in payload} & _MESSAGE_KEYS
    others = [
        key
        for key, value in payload.items()
        if key.lower() not in _ERROR_KEYS | _MESSAGE_KEYS | _CODE_KEYS | _STATUS_KEYS | _FLAG_KEYS
        and value not in (None, "", [], {})
    ]
    subject = path_noun(
        case.endpoint.path
    )  # `/log/errors` answers with errors that it is asked for
    sent = {fold(name): value for name, value in case.sent.items()}
    record = any(str(payload[key]) == sent.get(fold(key)) for key in payload)
    for key, value in payload.items():
        name = key.lower()
        if name in _ERROR_KEYS and isinstance(value, list) and fold(key) == subject:
            continue
        if key in documented and name not in _STATUS_KEYS | _FLAG_KEYS | {"error"}:
            continue
        if name in _ERROR_KEYS and _is_fault_value(value, bool(messages)) and len(others) <= 3:
            if key in documented and _same_fault_documented(key, value, case):
                continue
            return f"`{key}` is {_short(value)}"
        if name in _FLAG_KEYS and (value is False or str(value).lower() == "false"):
            return f"`{key}` is {_short(value)}"
        told = isinstance(value, str) and value.lower() in _BAD_WORDS
        plain = bool(messages) or not others
        if name in _STATUS_KEYS and told and plain and not record and (name != "type" or messages):
            return f"`{key}` is {_short(value)}"
        if name in _CODE_KEYS and _is_error_code(value) and messages and len(others) <= 3:
            return f"`{key}` is {_short(value)}"
    return _bare_message(payload, documented, others)


def _bare_message(
    payload: dict[str, JsonValue], documented: frozenset[str], others: list[str]
) -> str:
    if others:
        return ""
    for key, value in payload.items():
        told = key.lower() in _MESSAGE_KEYS and key not in documented
        if told and isinstance(value, str) and _WRONG_WORDS.search(value[:300]):
            return f"`{key}` says {_short(value)}"
    return ""


def _documented_keys(case: Case) -> frozenset[str]:
    keys: set[str] = set()
    for example in case.promises.examples:
        first = example[0] if isinstance(example, list) and example else example
        if isinstance(first, dict):
            keys.update(first)
    return frozenset(keys)


def _same_fault_documented(key: str, value: JsonValue, case: Case) -> bool:
    for example in case.promises.examples:
        first = example[0] if isinstance(example, list) and example else example
        if isinstance(first, dict) and key in first:
            return _is_fault_value(first[key], True) == _is_fault_value(value, True)
    return False


def _is_fault_value(value: JsonValue, has_message: bool) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return (value >= 400 or value < 0) if not has_message else value != 0
    if isinstance(value, str):
        return value.strip().lower() not in _NO_ERROR
    return bool(value)


def _is_error_code(value: JsonValue) -> bool:
    text = str(value)
    return text.isdigit() and len(text) == 3 and 400 <= int(text) <= 599


def _xml_fault(payload: dict[str, JsonValue]) -> str:
    root = next(iter(payload), "")
    if _XML_FAULTS.fullmatch(root):
        return f"the root element is <{root}>"
    inner = payload.get(root)
    for _ in range(2):
        if not isinstance(inner, dict):
            break
        for key in inner:
            if key.lower() in {"fault", "error", "exception"} and inner[key]:
                return f"it holds <{key}>"
        inner = inner.get("Body")
    return ""


def _short(value: JsonValue) -> str:
    return repr(value)[:120]


def empty_collection(case: Case) -> Judgement | None:
    """Well-formed data with nothing in it."""
    if case.answer.kind not in {"json", "xml"} or not nothing_in(case.answer.payload):
        return None
    shown = " ".join(case.answer.text[:120].split())
    if case.promises.examples and all(nothing_in(item) for item in case.promises.examples):
        return information(case, "empty-as-documented", f"empty, as documented: {shown}")
    if not case.parametrised:
        optional = any(parameter.location != "header" for parameter in case.endpoint.parameters)
        return information(case, "empty-list", f"empty list: {shown}", tentative=optional)
    if case.proved:
        evidence = f"empty list, for values that the server itself gave: {shown}"
        return information(case, "empty-for-known-values", evidence, tentative=True)
    message = "The answer is well-formed but empty: the values match nothing."
    return error(
        case, "empty-collection", "empty-response", message, f"answer: {shown}", said=False
    )


def is_envelope(key: str) -> bool:
    """Tell whether a key only describes the answer (`status`, `count`, `next`)."""
    lowered = key.lower().lstrip("@_")
    return lowered in _ENVELOPE or lowered.endswith(("type", "_at", "count", "total"))


def nothing_in(payload: JsonValue) -> bool:
    """Tell whether a payload holds no information: only an envelope and empty collections."""
    if payload in (None, "", [], {}):
        return True
    if not isinstance(payload, dict | list):
        return False
    empties = 0
    stack: list[tuple[str, JsonValue, int]] = [("", payload, 0)]
    while stack:
        key, node, depth = stack.pop()
        if node in (None, "", [], {}):
            empties += 1
        elif depth > 6:
            return False
        elif isinstance(node, dict):
            stack.extend((name, value, depth + 1) for name, value in node.items())
        elif isinstance(node, list):
            stack.extend((key, value, depth + 1) for value in node[:50])
        elif not is_envelope(key):
            return False
    return empties > 0


def data_promised(case: Case) -> Judgement | None:
    """Plain text or bytes where the documentation shows JSON or XML."""
    promised = bool(case.promises.examples) and case.promises.data
    if (
        case.answer.kind not in {"text"}
        or not promised
        or (case.response is not None and case.response.truncated)
    ):
        return None
    if any(not isinstance(example, dict | list) for example in case.promises.examples):
        return None
    message = "The answer is plain text where structured data is documented."
    return error(case, "text-instead-of-data", "abnormal-response", message)


def broken_data(case: Case) -> Judgement | None:
    """A body that is labelled JSON or XML and is none."""
    response = case.response
    labelled = "json" in case.answer.media or "xml" in case.answer.media
    if case.answer.kind != "text" or not labelled or response is None or response.truncated:
        return None
    message = f"The answer is labelled {case.answer.media} and cannot be read as such."
    return error(case, "broken-data", "abnormal-response", message)


BODY_RULES: tuple[Rule, ...] = (
    no_content,
    empty_body,
    page_instead,
    same_as_nonsense,
    error_in_body,
    empty_collection,
    broken_data,
    data_promised,
)
