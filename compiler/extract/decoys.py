"""What looks like an endpoint and is none, told by its own shape: files, pages, badges, chrome."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from doc2tools.compiler.extract.candidates import Candidate
from doc2tools.compiler.extract.templates import Target

_ASSET = re.compile(
    r"\.(?:png|jpe?g|gif|svg|ico|webp|css|js|mjs|map|woff2?|ttf|eot|pdf|zip|gz|tgz|bz2|rar|7z|exe|dmg|"
    r"apk|whl|jar|deb|rpm|mp3|mp4|mov|avi|md|rst|xsd|dtd|wsdl|proto|py|rb|go|rs|java|sh|conf|cfg|"
    r"service|sock|pem|crt|key|log|lock|sql|db|sqlite|ya?ml|toml|ini|docx?|xlsx?|pptx?|tsx?|jsx|vue)\Z",
    re.IGNORECASE,
)
_PAGE = re.compile(r"\.(?:html?|xhtml)\Z", re.IGNORECASE)
_FILE_SYSTEM = frozenset(
    [
        "etc",
        "usr",
        "var",
        "home",
        "tmp",
        "opt",
        "bin",
        "dev",
        "proc",
        "root",
        "lib",
        "lib64",
        "mnt",
        "sbin",
        "srv",
        "Users",
        "Library",
        "Applications",
        "System",
        "Windows",
        "sys",
        "boot",
        "media",
        "run",
    ]
)
_WEBSITE = re.compile(
    r"/(?:sign-?_?up|sign-?_?in|log-?in|register|pricing|plans?|blog|about(?:-us)?|contact(?:-us)?|"
    r"privacy(?:-policy)?|terms(?:-of-(?:service|use))?|tos|legal|faq|support|help|careers|jobs|"
    r"dashboard|docs?|documentation|apidocs?|api-docs?|developers?|guides?|tutorials?|wiki|forum|"
    r"community|changelog|news|press|donate|download|downloads|swagger|swagger-ui|redoc|reference|"
    r"questions|issues|pulls?|releases|tree|blob|raw|wiki)(?:/|\Z)",
    re.IGNORECASE,
)
_GENERAL_NAME = re.compile(r"(?:param(?:eter)?|key|arg(?:ument)?|name|field|option)_?[1-9n]", re.I)
_ACCOUNT = re.compile(
    r"/(?:sign|log-?in|register|plans|help|support|jobs|news|questions|issues|releases|download)",
    re.I,
)
_API_HOST = re.compile(r"(?:api|rest|ws|gateway)\d{0,2}[.-]", re.IGNORECASE)
_API_PATH = re.compile(r"/(?:api|rest|v\d{1,2})/", re.IGNORECASE)
_SCRIPT = re.compile(r"\.(?:py|pl|rb|sh|lua|exe|dll)\Z", re.IGNORECASE)
_BADGE = re.compile(
    r"(?:^|\.)(?:shields\.io|badgen\.net|badge\.fury\.io)\Z|/badges?(?:/|\.svg)|badge\.svg"
)
_LANGUAGE_PAGE = re.compile(r"/[a-z]{2}(?:-[A-Z]{2})?/?\Z")
_BROKEN = re.compile(r"[\s\"'`|\\^]|\.\./|//")
_MEDIA_TYPE = re.compile(
    r"(?:application|audio|font|image|message|model|multipart|text|video)/(?:\*|[a-z][\w.+-]{1,60})"
)
_PUNCTUATION_ONLY = re.compile(r"/?[\W_]*\Z")


_ARCHIVE = re.compile(
    r"\.(?:zip|tar|gz|tgz|bz2|xz|rar|7z|exe|dmg|apk|whl|jar|deb|rpm|msi|iso|sh|asc|sha256|sig)\Z",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"/\d{1,4}/\d{1,4}\.(?:png|jpe?g|gif|webp|svg)\Z", re.IGNORECASE)
"""A picture made to measure, `/200/300.png`."""
_MAX_PATH = 400
_ANSWERED = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|pdf|zip|ya?ml|js|mp3|mp4|ico|css|xsd|wsdl|md|log|key|db|sh|conf|"
    r"gz|py)\Z",
    re.IGNORECASE,
)
"""Files that a server can make on request."""
_PLATFORM = re.compile(
    r"/[\w.-]{0,60}(?:linux|darwin|macos|osx|windows|freebsd)[-_.]?(?:amd64|x86_64|x64|arm64|armv\d|aarch64|"
    r"i?[36]86|universal)[\w.-]{0,20}\Z",
    re.IGNORECASE,
)
_IMAGE_TAG = re.compile(r"/[\w.-]{1,60}:v?\d[\w.-]{0,30}\Z")


def asset(path: str) -> bool:
    """Tell whether a path ends like a file of a website or of a repository."""
    made = "{" in path.rpartition("/")[2] or _NUMBERED.search(path)
    return bool(_ASSET.search(path)) and "/cgi-bin/" not in path and not made


def refusal(target: Target, candidate: Candidate) -> str:
    """Say why a target cannot be an endpoint whatever the page's hosts are; "" if it can."""
    stated = bool(candidate.method) and candidate.kind != "mention"
    if candidate.kind == "sample" and candidate.method in {"", "GET"}:
        stated = stated and bool(target.host or target.base)
    checks = chain(
        _by_form(target, candidate, stated=stated), _by_path(target, candidate, stated=stated)
    )
    return next((reason for refused, reason in checks if refused), "")


_Check = tuple[object, str]


def _by_form(target: Target, candidate: Candidate, *, stated: bool) -> Iterator[_Check]:
    """What the text as a whole tells: other schemes, cut or general addresses, downloads."""
    path, text = target.path, candidate.text.strip()
    fetched = candidate.kind == "sample" and candidate.method in {"", "GET"}
    yield fetched and (_ARCHIVE.search(path) or _PLATFORM.search(path)), "a file to download"
    image = not target.scheme and target.host and _IMAGE_TAG.search(path)
    yield image and not stated, "a container image"
    optional = re.fullmatch(r"\[/[^\[\]/]{1,60}\]", text)
    yield optional and not stated, "an optional part of a path"
    general = sum(1 for name, _ in target.query if _GENERAL_NAME.fullmatch(name))
    yield general > 1, "the general form of addresses"
    cut = target.host and re.search(r"\w/(?:\.{3}|…)\Z", text) and not stated
    yield cut or target.base in {"...", "…"}, "a path cut short"
    paired = target.base == "API" and re.fullmatch(r"/[A-Z]{2,8}", path)
    yield paired and not stated, "two names of techniques"
    yield target.scheme in {"ws", "wss"}, "a WebSocket address"
    yield _BADGE.search(target.host) or _BADGE.search(path), "a badge"
    empty = not target.host and not target.query and path not in {"/", ""}
    empty = empty and _PUNCTUATION_ONLY.match(path) and "{" not in path
    yield empty and not stated, "no path"
    shown = re.sub(r"\{[^{}]*\}|\([^()]*\)", "x", path)[1:]
    yield len(path) > _MAX_PATH or _BROKEN.search(shown), "no path of a request"
    yield not target.rooted and _MEDIA_TYPE.fullmatch(text), "a media type"
    yield target.fragment and not stated and not target.query, "an address inside a page"


def _by_path(target: Target, candidate: Candidate, *, stated: bool) -> Iterator[_Check]:
    """What the path tells: files, pages, folders."""
    path = target.path
    aside = candidate.rule == "prose" and candidate.row is not None
    yield aside and _ASSET.search(path), "a file, not an operation"
    script = bool(target.query) and _SCRIPT.search(path)
    file = asset(path) and not script
    listed = stated or candidate.rule == "table"
    yield file and not (listed and _ANSWERED.search(path)), "a file, not an operation"
    page = _PAGE.search(path) and not stated and not target.query
    yield page, "a page of the website"
    loose = not target.rooted and candidate.rule not in {"table", "verb-path"}
    yield loose and not stated, "no path from a root"
    passing = not target.host and candidate.kind == "mention"
    yield passing and re.fullmatch(r"/\d{1,3}", path), "a number, no path"
    yield path.startswith("/*"), "a comment in a program"
    folder = not target.host and target.segments and target.segments[0] in _FILE_SYSTEM
    yield folder and not stated, "a path of a file system"


def website_page(target: Target) -> bool:
    """Tell whether the path is one that websites use for people: sign-up, docs, blog, pricing."""
    if target.query or "{" in target.path:
        return False
    page = _WEBSITE.search(target.path)
    api = _API_HOST.match(target.host) or _API_PATH.search(
        target.path[: page.start() if page else 0] + "/"
    )
    if page and api and _ACCOUNT.match(page.group()):
        return False
    return bool(page) or bool(_LANGUAGE_PAGE.fullmatch(target.path))
