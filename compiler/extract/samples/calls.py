"""Requests made by calls: fetch, axios, jQuery, XMLHttpRequest, requests, httpx, and their kin."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from doc2tools.compiler.extract.samples.base import (
    MAX_CODE,
    Sample,
    body_fields,
    looks_like_target,
)
from doc2tools.compiler.extract.samples.literals import Arguments, read_arguments, read_variables
from doc2tools.compiler.ir.base import JsonValue

_MAX_READ = 200_000
"""Characters of arguments that are read in one block, nested calls counted again."""
_VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
_CALL = re.compile(
    r"(?P<object>(?:[A-Za-z_$][\w$]{0,40}(?:\(\))?(?:\.|::|->)){1,4})"
    r"(?P<verb>get|post|put|patch|delete|head|options|getJSON|GET|POST|PUT|PATCH|DELETE|Get|Post|"
    r"Put|Delete|(?:Get|Post|Put|Patch|Delete)(?:String|Stream|ByteArray|AsJson|FromJson)?Async|request|Request|open|Open|ajax|urlopen|fetch|"
    r"NewRequest|get_response|Do|send)(?:<[\w<>\[\], ]{1,60}>)?\s?\("
    r"|(?<![\w.$>])(?P<bare>fetch|axios|request|urlopen|got|ky|ajax|useFetch|superagent|"
    r"file_get_contents|curl_init|simplexml_load_file|fromJSON|Request|getJSON|read_csv|"
    r"read_json)\s?\("
)
_CLIENTS = re.compile(
    r"(?:requests|httpx|session|client|http|https|axios|\$|jQuery|\$http|got|superagent|request|"
    r"unirest|RestClient|HTTParty|Http|api|needle|ky|urllib\d?|faraday|conn|xhr|req|xmlhttp|"
    r"s|r|http_client|httpClient|this|self|c)\b",
    re.IGNORECASE,
)
_QUERY_KEYS = ("params", "qs", "query", "searchParams", "queryParams")
_FORM_KEYS = ("form", "formData", "files", "body", "json", "data")
_METHOD_KEYS = ("method", "type", "verb")
_URL_KEYS = ("url", "uri", "endpoint", "baseURL")


def call_samples(text: str) -> Iterator[Sample]:
    """Yield the requests that calls in `text` make, in order."""
    text = text[:MAX_CODE]
    variables: dict[str, JsonValue] | None = None
    last = -1
    read = 0
    for match in _CALL.finditer(text):
        if match.start() < last or read > _MAX_READ:
            continue
        if variables is None:
            variables = read_variables(text)
        arguments = read_arguments(text, match.end(), variables)
        read += arguments.end - match.end() + 20
        sample = _read(match, arguments)
        if sample:
            last = arguments.end
            yield sample


def _read(match: re.Match[str], arguments: Arguments) -> Sample | None:
    name = match.group("verb") or match.group("bare") or ""
    owner = (match.group("object") or "").rstrip(".:->")
    positional = list(arguments.positional)
    options: dict[str, JsonValue] = dict(arguments.keywords)
    method = name.upper() if name.upper() in _VERBS else ""
    asynchronous = re.match(r"(Get|Post|Put|Patch|Delete)(?:\w{0,12}Async)?\Z", name)
    if name == "getJSON":
        method = "GET"
    elif asynchronous:
        method = asynchronous.group(1).upper()
    stated = bool(method)
    first = positional[0] if positional else None
    if isinstance(first, str) and first.upper() in _VERBS and len(positional) > 1:
        method, stated = first.upper(), True
        positional.pop(0)
    for value in positional:
        if isinstance(value, dict):
            options = {**value, **options} if not options else {**options, **value}
    url = next((value for value in positional if isinstance(value, str)), "")
    url = url or next((v for k in _URL_KEYS if isinstance(v := options.get(k), str)), "")
    url = url.strip()
    if not looks_like_target(url):
        return None
    has_host = bool(re.match(r"(?:https?:)?//|[{<$]", url))
    if owner and not has_host and not _CLIENTS.search(owner):
        return None
    if match.group("bare") and not has_host and name in {"file_get_contents", "Request"}:
        return None
    for key in _METHOD_KEYS:
        value = options.get(key)
        if isinstance(value, str) and value.upper() in _VERBS:
            method, stated = value.upper(), True
    fields, query, body = _fields(options, method, positional)
    if query:
        url += ("&" if "?" in url else "?") + "&".join(f"{k}={_plain(v)}" for k, v in query.items())
    if not method:
        method = "POST" if body or fields else "GET"
        stated = method == "POST"
    headers = options.get("headers")
    return Sample(
        method=method,
        stated=stated,
        url=url,
        tool=f"{owner}.{name}" if owner else name,
        start=match.start(),
        end=arguments.end,
        fields=fields,
        headers=_headers(headers) if isinstance(headers, dict) else {},
        body=body,
    )


def _fields(
    options: Mapping[str, JsonValue], method: str, positional: list[JsonValue]
) -> tuple[dict[str, JsonValue], dict[str, JsonValue], str]:
    """Tell apart what goes to the body and what goes to the query."""
    query: dict[str, JsonValue] = {}
    fields: dict[str, JsonValue] = {}
    body = ""
    for key in _QUERY_KEYS:
        value = options.get(key)
        if isinstance(value, dict):
            query.update(value)
    for key in _FORM_KEYS:
        value = options.get(key)
        if isinstance(value, dict):
            target = query if key == "data" and method in {"GET", ""} else fields
            target.update(value)
            body = json.dumps(value) if target is fields else body
        elif isinstance(value, str) and not value.startswith("{"):
            body = value
            fields.update(body_fields(value))
        elif isinstance(value, str):
            body = value
            fields.update(body_fields(value) if '"' in value else {})
    known = {*_QUERY_KEYS, *_FORM_KEYS, *_METHOD_KEYS, *_URL_KEYS, "headers", "auth", "timeout"}
    objects = [value for value in positional if isinstance(value, dict)]
    if (
        method in {"POST", "PUT", "PATCH"}
        and objects
        and not fields
        and not known & set(objects[0])
    ):
        fields.update(objects[0])
        body = json.dumps(objects[0])
    return fields, query, body


def _headers(headers: Mapping[str, JsonValue]) -> dict[str, str]:
    return {k: v for k, v in headers.items() if isinstance(v, str)}


def _plain(value: JsonValue) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int | float) else "{value}"
