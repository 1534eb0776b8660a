"""What the lines of a code block are: requests, endpoints written down, sample output, or else."""

from __future__ import annotations

import re
from dataclasses import dataclass

from doc2tools.compiler.extract.samples import Sample, find_samples
from doc2tools.compiler.ir.document import Code

_RESPONSE_START = re.compile(
    r"\s{0,40}(?:\{\s{0,8}(?:[\"'}/]|\.\.\.|$)|\[\s{0,8}(?:[\"'{\[\]\d]|\.\.\.|$)|<\?xml|<!DOCTYPE|"
    r"<[a-zA-Z][\w:.-]{0,40}(?:\s[^<>\n]{0,200})?/?>\s{0,4}(?:$|<|[^|]{0,200}</)|"
    r"<?\s?HTTP/\d(?:\.\d)? \d{3}|\"[\w -]{1,60}\"\s?:)"
)
_RESPONSE_LABEL = re.compile(
    r"respon[sd]|answer|output|result|return|antwort|r[ée]ponse|respuesta|resposta|ответ|响应|返回",
    re.IGNORECASE,
)
_REQUEST_LABEL = re.compile(r"request|anfrage|requ[êe]te|requisi|запрос|请求", re.IGNORECASE)
_CONFIG = re.compile(
    r"^\s{0,20}(?:server\s?\{|location\s[^{\n]{1,80}\{|proxy_pass|upstream\s|listen\s\d|"
    r"<VirtualHost|version:\s|services:\s|image:\s|FROM\s\w|RUN\s|docker(?:-compose)?\s(?:run|build|up)|"
    r"scrape_configs:|apiVersion:|\[[\w.]{1,40}\]\s{0,5}$)",
    re.MULTILINE,
)
_DATA_LANGUAGES = frozenset(
    ("json", "json5", "jsonc", "xml", "html", "yaml", "yml", "toml", "ini", "css", "nginx",
     "dockerfile", "sql", "csv", "properties", "diff"),
)  # fmt: skip
_PROGRAMS = frozenset(
    ("javascript", "js", "jsx", "typescript", "ts", "tsx", "python", "python3", "py", "pycon",
     "ruby", "rb", "php", "java", "kotlin", "swift", "go", "golang", "rust", "c", "cpp", "csharp",
     "c#", "perl", "lua", "r", "powershell", "dart", "scala", "elixir", "objc"),
)  # fmt: skip
_PROGRAM_SIGNS = re.compile(
    r"^\s{0,20}(?:import\s\w|from\s\w[\w.]{0,40}\simport|(?:const|let|var|def|function|class|public|"
    r"using|package|func|fn|end)\s|#include|<\?php|#!/|\$\w{1,30}\s?=|return\b|print\(|console\.)",
    re.MULTILINE,
)


_WRITTEN_DOWN = re.compile(
    r"\s{0,40}(?:(?:GET|POST|PUT|PATCH|DELETE|HEAD)[ \t:]{1,6})?"
    r"(?:https?:/)?/[^\s/*]\S{0,500}\s{0,8}(?:\n|\Z|[-#(\u2013])"
)


_QUERY_LINE = re.compile(r"\s{0,40}[?&][\w\[\].-]{1,60}=\S{0,500}\s{0,8}\Z")
"""The continuation of a URL that is broken over several lines."""
_OPEN_TARGET = re.compile(r"(?:https?://|/)\S{1,290}\s{0,8}\Z")


@dataclass(frozen=True, slots=True)
class CodeLine:
    """One line of a block that is neither sample nor output."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class CodeReading:
    """A code block taken apart.

    Attributes:
        samples: Requests that it makes.
        lines: Lines that are neither part of a request nor of an answer.
        answer: Text of the sample output in it, or "".
        nature: `request` samples, `program` source, `answer` output, `config`, or `text`.
    """

    samples: tuple[Sample, ...]
    lines: tuple[CodeLine, ...]
    answer: str
    nature: str


def read_code(block: Code) -> CodeReading:
    """Take a code block apart."""
    text = block.text[:60_000]
    language = block.language
    if _is_answer(block, text):
        return CodeReading((), (), text, "answer")
    samples = find_samples(text)
    config = language in {"nginx", "dockerfile", "yaml", "yml", "toml", "ini", "properties", "sql"}
    if not samples and (config or _CONFIG.search(text)):
        return CodeReading((), (), "", "config")
    lines, answer = _rest(text, samples)
    signs = len(_PROGRAM_SIGNS.findall(text))
    program = signs >= 2 or (language in _PROGRAMS and not _WRITTEN_DOWN.match(text))
    nature = "program" if program else "request" if samples else "text"
    return CodeReading(samples, lines, answer, nature)


def line_of(text: str, offset: int) -> int:
    """Give the number of the line, from 0, on which `offset` falls."""
    return text.count("\n", 0, offset)


def _is_answer(block: Code, text: str) -> bool:
    if (
        block.label
        and _RESPONSE_LABEL.search(block.label)
        and not _REQUEST_LABEL.search(block.label)
    ):
        return not re.search(r"^\s{0,8}(?:curl|http|wget)\s", text)
    starts = bool(_RESPONSE_START.match(text))
    if block.language in _DATA_LANGUAGES and block.language not in {"yaml", "yml", "nginx"}:
        return starts or not re.search(r"^(?:GET|POST|PUT|PATCH|DELETE|curl)\s", text, re.MULTILINE)
    if not starts:
        return False
    return not re.search(r"^\s{0,8}(?:\$ )?curl\s", text, re.MULTILINE)


def _rest(text: str, samples: tuple[Sample, ...]) -> tuple[tuple[CodeLine, ...], str]:
    """Give the lines outside samples, and cut off the answer that follows a request."""
    covered: set[int] = set()
    for sample in samples:
        first, last = line_of(text, sample.start), line_of(text, max(sample.start, sample.end - 1))
        covered.update(range(first, last + 1))
    lines: list[CodeLine] = []
    answer: list[str] = []
    answering = False
    for number, line in enumerate(text.split("\n")):
        if number in covered:
            answering = False
            continue
        if not answering and _RESPONSE_START.match(line) and not _one_line_target(line):
            answering = True
        elif answering and re.match(r"(?:GET|POST|PUT|PATCH|DELETE)\s{1,4}[/h]", line):
            answering = False
        if answering:
            answer.append(line)
        elif line.strip() and len(line) < 2_000:
            last = lines[-1] if lines else None
            if last and _QUERY_LINE.match(line) and _OPEN_TARGET.search(last.text[-300:]):
                lines[-1] = CodeLine(last.number, last.text.rstrip() + line.strip())
            else:
                lines.append(CodeLine(number, line))
    return tuple(lines), "\n".join(answer)


def _one_line_target(line: str) -> bool:
    """`{base_url}/users` and `[/users]` begin like data but are targets."""
    return bool(re.match(r"\s{0,40}(?:\{\{?[\w .-]{1,40}\}?\}|\[[\w .-]{1,40}\])/\w", line))
