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
_CONTINUED = re.compile(r"[ \t]{0,40}(?:-{1,2}[A-Za-z]|\"?'?https?://|--?\w)")
_VERBS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
_CURL_VALUES = frozenset(
    [
        "-X",
        "--request",
        "-d",
        "--data",
        "--data-raw",
        "--data-binary",
        "--data-ascii",
        "--data-urlencode",
        "--json",
        "-F",
        "--form",
        "--form-string",
        "-H",
        "--header",
        "-u",
        "--user",
        "-A",
        "--user-agent",
        "-b",
        "--cookie",
        "-c",
        "--cookie-jar",
        "-e",
        "--referer",
        "-o",
        "--output",
        "-T",
        "--upload-file",
        "--url",
        "-x",
        "--proxy",
        "-m",
        "--max-time",
        "--connect-timeout",
        "-w",
        "--write-out",
        "--cacert",
        "--cert",
        "--key",
        "-E",
        "--resolve",
        "--retry",
        "-K",
        "--config",
        "-r",
        "--range",
        "--ciphers",
        "--interface",
        "--unix-socket",
        "-D",
        "--dump-header",
        "--capath",
        "--limit-rate",
        "-y",
        "-Y",
        "-z",
        "--time-cond",
        "--aws-sigv4",
        "--oauth2-bearer",
        "--retry-delay",
        "--url-query",
        "-C",
        "--continue-at",
        "-t",
    ]
)
_DATA = frozenset(
    ["-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--data-urlencode"]
)
_WGET_VALUES = frozenset(
    ["-O", "-o", "-P", "-U", "-t", "-T", "-e", "-i", "-a", "-B", "-Q", "-w", "-l", "-A", "-R", "-D"]
)


@dataclass(slots=True)
class _Request:
    method: str = ""
    url: str = ""
    get: bool = False
    data: list[str] = field(default_factory=list[str])
    encoded: list[str] = field(default_factory=list[str])
    form: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    headers: dict[str, str] = field(default_factory=dict[str, str])
    others: list[str] = field(default_factory=list[str])


def shell_samples(text: str) -> Iterator[Sample]:
    """Yield the requests of all commands in `text`, in order."""
    text = text[:MAX_CODE]
    variables: dict[str, str] | None = None
    last = -1
    for match in _COMMAND.finditer(text):
        if match.start() < last:
            continue
        words, end = _words(text, match.end())
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
    parts = request.data + request.encoded
    if parts and request.get:
        joined = "&".join(parts)
        url += ("&" if "?" in url else "?") + joined
    elif parts:
        body = "&".join(parts)
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
        elif re.fullmatch(r"-[a-zA-Z]{2,8}", word):  # combined short options, `-sSXPOST`
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
    elif option in {"-I", "--head"}:
        request.method = request.method or "HEAD"
    elif option in {"--data-urlencode", "--url-query"}:
        request.encoded.append(value)
    elif option in _DATA:
        request.data.append(value)
    elif option == "--json":
        request.data.append(value)
        request.headers.setdefault("Content-Type", "application/json")
    elif option in {"-F", "--form", "--form-string"}:
        name, _, content = value.partition("=")
        request.form[name.strip()] = None if content.startswith(("@", "<")) else content
    elif option in {"-H", "--header"}:
        name, _, content = value.partition(":")
        request.headers[name.strip()] = content.strip()
    elif option in {"-u", "--user"}:
        request.headers["Authorization"] = "Basic"
    elif option in {"-b", "--cookie"}:
        request.headers["Cookie"] = value
    elif option in {"-T", "--upload-file"}:
        request.method = request.method or "PUT"
    elif option == "--url" or (not option.startswith("-") and not request.url):
        if looks_like_target(value or option):
            request.url = value or option
    elif not option.startswith("-"):
        request.others.append(option)


def _read_httpie(words: list[str]) -> _Request:
    request = _Request()
    pairs: list[str] = []
    for word in words:
        if word.upper() in _VERBS and not request.url and not request.method:
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
        elif option == "--post-data" or option == "--body-data":
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


def _words(text: str, start: int) -> tuple[list[str], int]:
    """Split one command into words as a shell does; gives them and the offset of its end."""
    words: list[str] = []
    current: list[str] = []
    open_word = False
    place = start
    size = len(text)
    while place < size:
        char = text[place]
        if char in "\"'":
            end = _closing(text, place)
            if end > place:
                inner = text[place + 1 : end]
                current.append(inner.replace('\\"', '"') if char == '"' else inner)
                open_word = True
                place = end + 1
                continue
            current.append("" if not open_word else char)
        elif char in "“”\u2018\u2019":
            pass
        elif char in "\\^`" and re.match(r"[ \t]{0,8}(?:\r?\n|\Z)", text[place + 1 : place + 12]):
            after = re.compile(r"[ \t]{0,8}\r?\n?[ \t]{0,80}").match(text, place + 1)
            if open_word:
                words.append("".join(current))
                current, open_word = [], False
            place = after.end() if after else size
            continue
        elif char == "\\" and place + 1 < size:
            place += 1
            current.append(text[place])
            open_word = True
        elif char == "\n":
            if not _CONTINUED.match(text, place + 1) or _COMMAND.match(text, place + 1):
                break
            if open_word:
                words.append("".join(current))
            current, open_word = [], False
        elif char in " \t\r":
            if open_word:
                words.append("".join(current))
            current, open_word = [], False
        elif char in "|;>" or (char == "&" and text[place : place + 2] == "&&" and not open_word):
            # an unquoted `<id>` or `a|b` inside an address is not a redirection
            if not (open_word and char in ">|;" and "/" in "".join(current)[-200:]):
                break
            current.append(char)
        elif char == "`" or (char == ")" and not open_word):
            break
        else:
            current.append(char)
            open_word = True
        place += 1
        if len(words) > 200:
            break
    if open_word:
        words.append("".join(current))
    return words, place


def _closing(text: str, place: int) -> int:
    """Find the quote that closes the one at `place`; -1 where none does within reach."""
    quote = text[place]
    end = place + 1
    limit = min(len(text), place + 8_000)
    while end < limit:
        if text[end] == "\\" and quote == '"':
            end += 2
            continue
        if text[end] == quote:
            return end
        end += 1
    return -1


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
