"""Requests in shell samples: curl, HTTPie, wget, PowerShell's Invoke-RestMethod."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from doc2tools.compiler.extract.samples.base import (
    MAX_CODE,
    Sample,
    body_fields,
    looks_like_target,
)
from doc2tools.compiler.extract.samples.words import split_words
from doc2tools.compiler.ir.base import JsonValue

_COMMAND = re.compile(
    r"(?:^|(?<=[\s;|&`(]))(?:\$[ \t])?"
    r"(?P<tool>curl(?:\.exe)?|https?|xh|wget|Invoke-RestMethod|Invoke-WebRequest|irm|iwr)(?=[ \t])",
    re.MULTILINE,
)
_ASSIGNMENT = re.compile(
    r"^[ \t]{0,8}(?:export[ \t]{1,4}|set[ \t]{1,4}|\$[ \t])?\$?([A-Za-z_]\w{0,60})[ \t]?=[ \t]?"
    r"(?:\"([^\"\n]{1,300})\"|'([^'\n]{1,300})'|([^\s\"'$(`]{1,300}))[ \t]{0,8}$",
    re.MULTILINE,
)
_BARE_HOST = re.compile(r"(?:[\w-]{1,63}\.){1,5}[a-z]{2,18}(?::\d{1,5})?", re.IGNORECASE)
_CONTINUED = re.compile(r"[ \t]{0,40}(?:-{1,2}[A-Za-z]|\"?'?https?://|--?\w)")
_VERBS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
_CURL_OPTIONS = """
-X --request -d --data --data-raw --data-binary --data-ascii --data-urlencode --json -F --form
--form-string -H --header -u --user -A --user-agent -b --cookie -c --cookie-jar -e --referer -o
--output -T --upload-file --url -x --proxy -m --max-time --connect-timeout -w --write-out --cacert
--cert --key -E --resolve --retry -K --config -r --range --ciphers --interface --unix-socket -D
--dump-header --capath --limit-rate -y -Y -z --time-cond --aws-sigv4 --oauth2-bearer --retry-delay
--url-query -C --continue-at -t
"""
_CURL_VALUES = frozenset(_CURL_OPTIONS.split())
_DATA = frozenset(
    ("-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--data-urlencode", "--json")
)
_UPLOADS = frozenset(("-F", "--form", "--form-string"))
_HEADERS = frozenset(("-H", "--header", "-u", "--user", "-b", "--cookie"))
_HTTPIE_OPTIONS = (
    "-a --auth -A --auth-type -o --output --session --session-read-only --verify --cert --cert-key "
    "--proxy --timeout -p --print -s --style --pretty --max-redirects --boundary --raw"
)
_HTTPIE_VALUES = frozenset(_HTTPIE_OPTIONS.split())
_WGET_VALUES = frozenset(("-O", "-o", "-P", "-U", "-t", "-T", "-e", "-i", "-a", "-B", "-Q", "-w",
                          "-l", "-A", "-R", "-D"))  # fmt: skip


@dataclass(slots=True)
class _Request:
    method: str = ""
    url: str = ""
    get: bool = False
    data: list[str] = field(default_factory=list[str])
    query: list[str] = field(default_factory=list[str])
    form: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    headers: dict[str, str] = field(default_factory=dict[str, str])


def shell_samples(text: str) -> Iterator[Sample]:
    """Yield the requests of all commands in `text`, in order."""
    text = text[:MAX_CODE]
    variables: dict[str, str] | None = None
    last = -1
    for match in _COMMAND.finditer(text):
        if match.start() < last:
            continue
        words, end = split_words(text, match.end(), lambda place: _goes_on(text, place))
        if variables is None:
            variables = _variables(text)
        words = [_fill(word, variables) for word in words]
        tool = match.group("tool").lower().removesuffix(".exe")
        last = end
        request = _READERS.get(tool, _read_powershell)(words)
        if not request.url or not looks_like_target(request.url):
            continue
        yield _sample(request, "HTTPie" if tool in {"http", "https", "xh"} else tool,
                      match.start(), end)  # fmt: skip


def _sample(request: _Request, tool: str, start: int, end: int) -> Sample:
    url = request.url
    fields = dict(request.form)
    body = ""
    query = request.query + (request.data if request.get else [])
    if query:
        url += ("&" if "?" in url else "?") + "&".join(query)
    if request.data and not request.get:
        body = "&".join(request.data)
        fields.update(body_fields(body))
    stated = bool(request.method)
    method = request.method
    if not method:
        sends = bool(body or request.form) and not request.get
        method = "POST" if sends else "GET"
        stated = sends or request.get
    return Sample(method, stated, url, tool, start, end, fields, request.headers, body)


def _read_curl(words: list[str]) -> _Request:
    request = _Request()
    place = 0
    while place < len(words):
        word = words[place]
        place += 1
        option, value = word, ""
        if word.startswith("--") and "=" in word:
            option, _, value = word.partition("=")
        elif re.match(r"-[XdFHubAoeT](?=.)", word) and not word.startswith("--"):
            option, value = word[:2], word[2:]
        elif re.fullmatch(r"-[a-zA-Z]{2,20}", word):  # combined short options, `-sSXPOST`
            flags = word[1:]
            request.get = request.get or "G" in flags
            if "I" in flags:
                request.method = "HEAD"
            cut = re.search(r"[XdFHubAoeTcmw]", flags)
            if not cut:
                continue
            option, value = f"-{cut.group()}", flags[cut.end() :]
        if option in _CURL_VALUES and not value and place < len(words):
            value = words[place]
            place += 1
        _curl_option(request, option, value.lstrip("=") if len(option) == 2 else value)
    return request


def _curl_option(request: _Request, option: str, value: str) -> None:
    if option in {"-X", "--request"}:
        request.method = value.upper() if value.upper() in _VERBS else request.method
    elif option in {"-G", "--get"}:
        request.get = True
    elif option in {"-I", "--head", "-T", "--upload-file"}:
        request.method = request.method or ("HEAD" if option in {"-I", "--head"} else "PUT")
    elif option == "--url-query":
        request.query.append(value)
    elif option in _DATA:
        request.data.append(value)
        if option == "--json":
            request.headers.setdefault("Content-Type", "application/json")
    elif option in _UPLOADS:
        name, _, content = value.partition("=")
        request.form[name.strip()] = None if content.startswith(("@", "<")) else content
    elif option in _HEADERS:
        _curl_header(request, option, value)
    elif _is_address(request, option, value):
        url = value or option
        request.url = f"{url}/" if _BARE_HOST.fullmatch(url) else url


def _is_address(request: _Request, option: str, value: str) -> bool:
    given = option == "--url" or (not option.startswith("-") and not request.url)
    return given and looks_like_target(value or option)


def _curl_header(request: _Request, option: str, value: str) -> None:
    if option in {"-u", "--user"}:
        request.headers["Authorization"] = "Basic"
    elif option in {"-b", "--cookie"}:
        request.headers["Cookie"] = value
    else:
        name, _, content = value.partition(":")
        request.headers[name.strip()] = content.strip()


def _read_httpie(words: list[str]) -> _Request:
    request = _Request()
    pairs: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in _HTTPIE_VALUES:
            skip = True
            if word in {"-a", "--auth"}:
                request.headers["Authorization"] = "Basic"
        elif word.upper() in _VERBS and not request.url and not request.method:
            request.method = word.upper()
        elif word.startswith("-"):
            continue
        elif not request.url:
            request.url = f"http://localhost{word}" if re.match(r":\d*/", word) else word
        elif match := re.match(r"([\w.\[\]-]{1,80})(==|:=|=@|=|@|:)(.*)", word, re.DOTALL):
            name, mark, value = match.groups()
            if mark == "==":
                pairs.append(f"{name}={value}")
            elif mark == ":":
                request.headers[name] = value
            else:
                request.form[name] = None if "@" in mark else value
    if pairs:
        request.url += ("&" if "?" in request.url else "?") + "&".join(pairs)
    return request


def _read_wget(words: list[str]) -> _Request:
    request = _Request()
    skip = False
    for word in words:
        option, _, value = word.partition("=")
        if skip:
            skip = False
        elif option in {"--post-data", "--body-data"}:
            request.data.append(value)
        elif option == "--method" and value.upper() in _VERBS:
            request.method = value.upper()
        elif option == "--header":
            name, _, content = value.partition(":")
            request.headers[name.strip()] = content.strip()
        elif word.startswith("-"):
            skip = word in _WGET_VALUES
        elif not request.url:
            request.url = word
    return request


def _read_powershell(words: list[str]) -> _Request:
    request = _Request()
    place = 0
    while place < len(words):
        word = words[place]
        after = words[place + 1] if place + 1 < len(words) else ""
        option = word.lower()
        if option == "-uri":
            request.url = after
        elif option == "-method" and after.upper() in _VERBS:
            request.method = after.upper()
        elif option == "-body":
            request.data.append(after)
        elif not word.startswith("-") and not request.url and looks_like_target(word):
            request.url = word
            place -= 1
        place += 2
    return request


_READERS = {
    "curl": _read_curl,
    "http": _read_httpie,
    "https": _read_httpie,
    "xh": _read_httpie,
    "wget": _read_wget,
}


def _goes_on(text: str, place: int) -> bool:
    return bool(_CONTINUED.match(text, place)) and not _COMMAND.match(text, place)


def _variables(text: str) -> dict[str, str]:
    return {
        match.group(1): next(group for group in match.groups()[1:] if group)
        for match in _ASSIGNMENT.finditer(text)
    }


def _fill(word: str, variables: dict[str, str]) -> str:
    if "$" not in word or not variables:
        return word
    return re.sub(
        r"\$\{?([A-Za-z_]\w{0,60})\}?",
        lambda match: variables.get(match.group(1), match.group()),
        word,
    )
