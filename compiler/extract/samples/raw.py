"""Raw HTTP messages: a request line, headers, an empty line, a body."""

from __future__ import annotations

import re
from collections.abc import Iterator

from doc2tools.compiler.extract.samples.base import MAX_CODE, Sample, body_fields

_REQUEST_LINE = re.compile(
    r"^[ \t]{0,8}(?:>[ \t])?(?P<method>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)[ \t]{1,4}"
    r"(?P<url>[/h{<*][^\n]{0,1800}?)[ \t]{1,4}HTTP/\d(?:\.\d)?[ \t]{0,8}\r?$",
    re.MULTILINE,
)
_HEADER = re.compile(r"[ \t]{0,8}(?:>[ \t])?([A-Za-z][\w-]{1,60}):[ \t]?([^\n]{0,1000})")


def raw_samples(text: str) -> Iterator[Sample]:
    """Yield the requests written as HTTP messages in `text`, in order."""
    text = text[:MAX_CODE]
    for match in _REQUEST_LINE.finditer(text):
        headers: dict[str, str] = {}
        place = match.end() + 1
        body = ""
        while place < len(text):
            end = text.find("\n", place)
            end = len(text) if end < 0 else end
            line = text[place:end].rstrip("\r")
            header = _HEADER.fullmatch(line)
            if header:
                headers[header.group(1)] = header.group(2).strip()
                place = end + 1
                continue
            if not line.strip(" >") and match.group("method") not in {"GET", "DELETE", "HEAD"}:
                rest = text[end + 1 : end + 20_001]
                if not re.match(r"\s{0,8}(?:HTTP/\d|<\s)", rest):
                    stop = re.search(r"\n\s{0,8}\n", rest)
                    body = rest[: stop.start()] if stop else rest
                    place = end + 1 + len(body)
            break
        url = match.group("url").strip()
        host = next((v for k, v in headers.items() if k.lower() == "host"), "")
        if host and url.startswith("/"):
            scheme = "http:" if ":" in host and "{" not in host else ""
            url = f"{scheme}//{host}{url}" if "." in host or "{" in host or ":" in host else url
        yield Sample(
            method=match.group("method"),
            stated=True,
            url=url,
            tool="HTTP message",
            start=match.start(),
            end=min(place, len(text)),
            fields=body_fields(body),
            headers={k: v for k, v in headers.items() if k.lower() != "host"},
            body=body.strip(),
        )
