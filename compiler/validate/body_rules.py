"""Rules on the body of a 2xx answer: errors in disguise, pages instead of data, nothing at all."""

from __future__ import annotations

import re

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.outcome import Cause
from doc2tools.compiler.validate.answer import visible_text
from doc2tools.compiler.validate.case import Case, Judgement, Rule, error, information
from doc2tools.compiler.validate.fault_rules import error_in_body
from doc2tools.compiler.validate.messages import route_missing, says_login, says_not_found
from doc2tools.compiler.validate.promises import status_parameter

__all__ = ["BODY_RULES", "is_envelope", "nothing_in"]

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
_COLLECTIONS = frozenset(
    {
        *("rows", "items", "results", "records", "hits", "entries", "values", "docs", "documents"),
        *("features", "objects", "elements", "list", "data"),
    }
)
_JSON_RPC = frozenset({"id", "jsonrpc"})
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


def empty_collection(case: Case) -> Judgement | None:
    """Well-formed data with nothing in it."""
    payload = case.answer.payload
    empty = nothing_in(payload) or _collection_is_empty(payload)
    if case.answer.kind not in {"json", "xml"} or not empty:
        return None
    shown = " ".join(case.answer.text[:120].split())
    if case.promises.examples and all(nothing_in(item) for item in case.promises.examples):
        return information(case, "empty-as-documented", f"empty, as documented: {shown}")
    if not case.parametrised:
        optional = any(parameter.location != "header" for parameter in case.endpoint.parameters)
        return information(case, "empty-list", f"empty list: {shown}", tentative=optional)
    if case.proved and not _only_null(payload):
        evidence = f"empty list, for values that the server itself gave: {shown}"
        return information(case, "empty-for-known-values", evidence, tentative=True)
    message = "The answer is well-formed but empty: the values match nothing."
    return error(
        case, "empty-collection", "empty-response", message, f"answer: {shown}", said=False
    )


def _only_null(payload: JsonValue) -> bool:
    """Tell whether an answer is null, bare or under one name: no list that could be empty."""
    if isinstance(payload, dict) and len(payload) == 1:
        payload = next(iter(payload.values()))
    return payload is None


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
    own = _JSON_RPC if isinstance(payload, dict) and "jsonrpc" in payload else frozenset[str]()
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
            if _only_numbered(node):
                empties += 1
                continue
            stack.extend((key, value, depth + 1) for value in node[:50])
        elif not is_envelope(key) and not (depth == 1 and key in own):
            return False
    return empties > 0


def _only_numbered(entries: list[JsonValue]) -> bool:
    """Tell whether all that a list's entries hold is their own number: `[{"statement_id": 0}]`."""
    return all(
        isinstance(entry, dict) and len(entry) == 1 and list(entry.values()) == [place]
        for place, entry in enumerate(entries)
    )


def _collection_is_empty(payload: JsonValue) -> bool:
    """Tell whether the one collection that an answer is about has no entry.

    Beside it there may be words about it, such as its name, columns and a count of 0, but no other
    records.
    """
    if not isinstance(payload, dict):
        return False
    collections = [value for key, value in payload.items() if key.lower() in _COLLECTIONS]
    if len(collections) != 1 or collections[0] not in ([], {}):
        return False
    records = any(
        isinstance(value, list) and any(isinstance(entry, dict | list) for entry in value)
        for value in payload.values()
    )
    counts = [
        value
        for key, value in payload.items()
        if isinstance(value, int) and key.lower().endswith(("count", "total"))
    ]
    return not records and not any(counts)


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
