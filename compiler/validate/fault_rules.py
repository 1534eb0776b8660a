"""Errors in disguise: what in the body of a 2xx answer says that the call failed.

Looked for at the top, in one wrapper around it (`{"response": {"error": …}}`), and in a list whose
every entry failed (`{"results": [{"error": …}]}`).
"""

from __future__ import annotations

import re

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.outcome import Cause, VerdictKind
from doc2tools.compiler.validate.case import Case, Judgement, error
from doc2tools.compiler.validate.messages import route_missing, says_login, says_not_found
from doc2tools.param_db.naming import fold, path_noun

__all__ = ["error_in_body"]

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
_WRAPPERS = frozenset({"response", "result", "data", "meta"})
_RESULTS = frozenset({"results", "responses", "result", "data", "items", "answers", "replies"})
_CODED = re.compile(r"[A-Z]{3,20} \S")  # `WRONGTYPE Operation against …`
_XML_FAULTS = re.compile(
    r"(fault|errors?|exceptions?|exceptionreport|serviceexceptionreport|errorresponse|err)",
    re.IGNORECASE,
)
_ERROR_SENTENCE = re.compile(
    r"\s*(?:\W{0,3})(?:fatal |internal |unknown )?(?:errors?|err(?=[ :])|exception|invalid|"
    r"incorrect|failed|failure|bad request|not found|no such|no results?|unknown|missing|"
    r"unauthori[sz]ed|forbidden|access denied|usage:|(?:404|500|403|401|400)\s[a-z])",
    re.IGNORECASE,
)
_WRONG_WORDS = re.compile(
    r"\berror|\bfail|\binvalid|\bnot[ _]found|\bno such|does(?: not|n't) exist|\bnot exist|"
    r"\bmissing\b|\brequired\b|\bunknown\b|\bunsupported|\bdenied|\bunauthori|\bforbidden|"
    r"\bnot allowed|\bcould not|\bcannot|\bcan't|\bunable\b|\bincorrect|\bnot valid|\bexceed",
    re.IGNORECASE,
)


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
            why = _fault(payload, case) or _wrapped_fault(payload, case) or _refusal(payload)
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
    """Look one level down: into a wrapper, and into a list of which every entry failed."""
    for key, value in payload.items():
        usual = len(payload) <= 2 and key.lower() in _WRAPPERS
        if isinstance(value, dict) and (usual or len(payload) == 1):
            found = _fault(value, case, most=3 if usual else 1)
            if found:
                return f"{key}: {found}"
        if isinstance(value, list) and len(payload) <= 2 and key.lower() in _RESULTS:
            found = _every_entry_failed(value, case)
            if found:
                return f"{key}[]: {found}"
    return ""


def _every_entry_failed(entries: list[JsonValue], case: Case) -> str:
    found = ""
    for entry in entries[:50]:
        found = _fault(entry, case, most=1) if isinstance(entry, dict) else ""
        if not found:
            return ""
    return found


def _refusal(payload: dict[str, JsonValue]) -> str:
    """Read `{"NAME": [false, "why not"]}`: a flag and the words for it in place of a value."""
    value = next(iter(payload.values()), None)
    if len(payload) != 1 or not isinstance(value, list) or len(value) != 2 or value[0] is not False:
        return ""
    words = value[1]
    told = isinstance(words, str) and (_WRONG_WORDS.search(words[:300]) or _CODED.match(words))
    return f"false, and {_short(words)}" if told else ""


def _fault(payload: dict[str, JsonValue], case: Case, *, most: int = 3) -> str:
    """Give what in an object says that it is an error, or "".

    Args:
        payload: The object.
        case: Whose answer it is in.
        most: Fields beside the error's own that it may have; a record has more.
    """
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
        if name in _ERROR_KEYS and _is_fault_value(value, bool(messages)) and len(others) <= most:
            if key in documented and _same_fault_documented(key, value, case):
                continue
            return f"`{key}` is {_short(value)}"
        if name in _FLAG_KEYS and (value is False or str(value).lower() == "false"):
            return f"`{key}` is {_short(value)}"
        told = isinstance(value, str) and value.lower() in _BAD_WORDS
        plain = bool(messages) or not others
        if name in _STATUS_KEYS and told and plain and not record and (name != "type" or messages):
            return f"`{key}` is {_short(value)}"
        if name in _CODE_KEYS and _is_error_code(value) and messages and len(others) <= most:
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
