"""Reads what running text says about a parameter: obligation, default, choices, range, examples.

The text is marked text: code, bold and quoted words stand in back quotes (see `marked`).
"""

# ruff: noqa: RUF001 - the typographic marks and letters are what documentation holds

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from doc2tools.compiler.extract.parameters.values import choices, is_nothing, number, unquote
from doc2tools.compiler.extract.parameters.vocabulary import word_set
from doc2tools.compiler.ir.document import Run

_ATOM: Final = (
    r"(?:`[^`]{1,80}`|\"[^\"]{1,80}\"|“[^”]{1,80}”|‘[^’]{1,80}’|'[^']{1,80}'|[^\s,;()|"
    r"`\"'<>]{1,80})"
)
_REQUIRED: Final = re.compile(
    r"(?:\A|[.;:,(\[|*–—-]\s*|\bis |\bare |\balways |\bfield )\**`?(?:required|mandatory|"
    r"compulsory|obligatory)`?\b"
    r"(?!\s*(?:if|when|unless|for\b|only|by|to\b|with|in\b|until|permission|scope))"
    r"|\A\W*(?:required|mandatory)\W*\Z|\b(?:string|integer|int|number|boolean|bool|array|"
    r"object|date|float)\)?,? \(?`?required\b"
    r"|\bmust (?:be|always be) (?:provided|specified|supplied|set|given|present|included|"
    r"passed|sent)\b"
    r"|\bmust (?:provide|specify|supply|include|pass) (?:this|it)\b"
    r"|\b(?:obligatorio|obligatoria|obligatoire|erforderlich|pflichtfeld|pflichtangabe|obrigatório|"
    r"obrigatória|obrigatorio|obbligatorio|обязательный|обязательное|обязательно|wymagany|wymagane|"
    r"verplicht|zorunlu|requerido|requis)\b|必填|必须|必選|必须|必須|필수",
    re.I,
)
_NOT_REQUIRED: Final = re.compile(
    r"\b(?:not|isn't|aren't|no longer|never) (?:strictly |always |a )?(?:required|"
    r"mandatory|necessary|needed)\b"
    r"|\bnon[- ](?:required|mandatory|obligatoire|obligatorio)\b|\bno (?:es )?(?:requerido|"
    r"obligatorio)\b"
    r"|\bnicht erforderlich\b|\bнеобязательн\w{1,4}\b|\bне обязательн\w{1,4}\b|非必填|非必须",
    re.I,
)
_OPTIONAL: Final = re.compile(
    r"\boptional(?:ly)?\b(?! (?:chaining|keyword))|\b(?:opcional|optionnel|optionnelle|"
    r"facultatif|facultative|"
    r"opzionale|facoltativo|opcjonalny|opcjonalne|optioneel|isteğe bağlı|valgfri)\b|可选|"
    r"可選|选填|任意|省略可|선택"
    r"|\bdefaults? (?:to|is|value|=|:)|\(default|\bby default\b|\bdefault:|\bpar défaut\b|"
    r"\bpor defecto\b|"
    r"\bstandardmäßig\b|\bпо умолчанию\b|默认|デフォルト"
    r"|\b(?:if|when|where) (?:it is |it's |this is |the parameter is |param is )?"
    r"(?:omitted|missing|absent|left out|left empty|left blank|blank|empty|unset|unspecified|not "
    r"(?:specified|set|provided|given|present|supplied|passed|included|used|sent|defined))\b"
    r"|\b(?:can|may|could) be (?:omitted|left out|left empty|left blank|null|skipped)\b"
    r"|\bwhen not (?:used|given|set|specified)\b|\bw/o\b",
    re.I,
)
_OPTIONAL_WORD: Final = re.compile(
    r"\b(?:optional|opcional|optionnel|optionnelle|facultatif|facultative|opzionale|"
    r"opcjonalny|optioneel)\b"
    r"|\bнеобязательн|可选|可選|选填|任意|省略可|선택|\bnot required\b",
    re.I,
)
_CONDITIONAL: Final = re.compile(
    r"\b(?:required|mandatory|needed|necessary) (?:if|when|unless|only|for|with|in case)\b"
    r"|\bonly (?:if|when|with|for|in)\b",
    re.I,
)
_DEFAULTS: Final = (
    re.compile(rf"\bdefaults? to\s*:?\s*(?:the (?:value|string) )?({_ATOM})", re.I),
    re.compile(
        rf"\b(?:the )?default(?: value| setting)?\s*(?:is|=|:|of|-|–)\s*:?\s*(?:set to )?({_ATOM})",
        re.I,
    ),
    re.compile(rf"[(\[,;]\s*default\s+({_ATOM})\s*[)\],;]", re.I),
    re.compile(
        rf"({_ATOM})\s*\((?:the |is |as )?(?:default|standard|par défaut|por defecto|по "
        rf"умолчанию|默认)\)",
        re.I,
    ),
    re.compile(r"(`[^`]{1,80}`|\b\d{1,9}(?:\.\d{1,6})?)\s+(?:is (?:used )?)?by default\b", re.I),
    re.compile(
        r"\bby default,?\s*(?:it is |this is |is |set to )?(`[^`]{1,80}`|\d{1,9})(?=[\s.,;)]|\Z)",
        re.I,
    ),
    re.compile(r"(`[^`]{1,80}`) is the default\b", re.I),
    re.compile(
        rf"(?:por defecto|par défaut|standardmäßig|predeterminado|padrão|по умолчанию|"
        rf"默认值?|預設|デフォルト(?:は|値)?)\s*[:：=]?\s*(?:ist |es |est |это |是|为)?({_ATOM})",
        re.I,
    ),
)
_NOT_DEFAULTS: Final = word_set(
    """the a an all none no value values to is in of and or if when for this current it that be
    used your present now unlimited true/false any every both as are will not what which
    empty default behavior behaviour"""
)
_ONE: Final = r"(?:`[^`]{1,60}`|\"[^\"]{1,60}\"|“[^”]{1,60}”|‘[^’]{1,60}’|'[^']{1,60}')"
_JOIN: Final = (
    r"(?:\s*\([^()]{1,120}\))?(?:\s*[,;/|]\s*(?:and |or |and/or |und |oder |et |ou |y |o |"
    r"и |или )?|\s+(?:and|or|and/or|und|oder|et|ou|y|o|и|или)\s+|\s*[或和、]\s*)"
)
_MARKED_LIST: Final = re.compile(rf"{_ONE}(?:{_JOIN}{_ONE}){{1,60}}")
_CHOICE_LEAD: Final = re.compile(
    r"\b(?:one of|any of|either|allowed|possible|accepted|valid|available|supported|"
    r"permitted|legal|known)\b[^.`\"“]{0,60}$"
    r"|\b(?:values?|options?|choices?|can be|may be|must be|could be|should be|set to|"
    r"accepts?|choose (?:from|between)|enum|use)\b[^.`\"“]{0,40}$"
    r"|(?:entweder|mögliche werte|valores (?:posibles|possíveis)|valeurs possibles|"
    r"возможные значения|допустимые значения|取值|可选值|可選值)[^.`\"“]{0,30}$",
    re.I,
)
_BARE_LIST: Final = re.compile(
    r"\b(?:one of(?: the following)?(?: values)?|(?:possible|allowed|accepted|valid|"
    r"available|supported|permitted) (?:values|options|choices|types|formats|sizes|"
    r"categories|languages)(?: are| include)?|currently supported|enum|values are|"
    r"choices)\s*(?::|=|\bare\b|\bis\b)?\s*[\[(]?\s*"
    r"([\w+.\-/]{1,40}(?:\s*(?:,|\||;)\s*(?:and |or )?[\w+.\-/]{1,40}){1,80}(?:,?\s+(?:or|"
    r"and)\s+[\w+.\-/]{1,40})?|[\w+.\-]{1,40}\s+or\s+[\w+.\-]{1,40})",
    re.I,
)
_EITHER: Final = re.compile(
    r"\b(?:either|can be|may be|must be|should be|is "
    r"either)\s+([\w+\-]{1,30})\s+or\s+([\w+\-]{1,30})(?=\s*(?:[.,;)]|\Z|\())",
    re.I,
)
_PARENTHESISED: Final = re.compile(
    r"\(((?:e\.g\.,? |for example,? )?[\w+\-]{1,30}(?:, [\w+\-]{1,30}){0,30},? (?:or|and) "
    r"[\w+\-]{1,30}|[\w+\-]{1,30}(?:\s?[|/]\s?[\w+\-]{1,30}){1,30}|[\w+\-]{1,30}(?:, "
    r"[\w+\-]{1,30}){2,30})\)"
)
_PIPED: Final = re.compile(r"(?<![\w|])([\w+.\-]{1,40}(?:\|[\w+.\-]{1,40}){1,40})(?![\w|])")
_DIGIT: Final = re.compile(r"\d")
_NUMBER: Final = r"([+-]?\d{1,12}(?:,\d{3}){0,4}(?:\.\d{1,9})?)"
_BETWEEN: Final = re.compile(
    rf"\b(?:between|from|range(?: is| of|:)?|in the range(?: of)?|zwischen|entre|от|"
    rf"de)\s*\[?\(?{_NUMBER}\s*(?:and|to|und|y|et|e|до|a|-|–|—|\.\.\.?|,)\s*{_NUMBER}",
    re.I,
)
_INTERVAL: Final = re.compile(rf"\[\s?{_NUMBER}\s?(?:,|\.\.\.?|;|-|–)\s?{_NUMBER}\s?\]")
_DASHED: Final = re.compile(
    rf"(?:\A|[\s(\[:=]){_NUMBER}\s?(?:-|–|—|\.\.\.?|~)\s?{_NUMBER}(?=\Z|[\s)\],.;])"
)
_MINIMUM: Final = re.compile(
    rf"\b(?:min(?:imum)?(?: value)?|at least|no less than|mindestens|mínimo|минимум|"
    rf"minimal)(?: is| of|:|=| von| de)?\s*:?\s*=?\s*{_NUMBER}|(?:>=|≥)\s*{_NUMBER}",
    re.I,
)
_MAXIMUM: Final = re.compile(
    rf"\b(?:max(?:imum)?(?: value| allowed| limit| is)?|at most|no more than|up to|not "
    rf"exceed(?:ing)?|höchstens|maximal|máximo|максимум|最大|最多)(?: is| of|:|=| von| "
    rf"de)?\s*:?\s*=?\s*{_NUMBER}|(?:<=|≤)\s*{_NUMBER}",
    re.I,
)
_LENGTHS: Final = re.compile(
    r"\A[^.;]{0,12}\b(?:char|letter|digit|byte|word|item|element|entr|second|minute|hour|"
    r"day|req|time|kb|mb|%)",
    re.I,
)
_EXAMPLES: Final = re.compile(
    rf"(?:\be\.?g\.?[,:]?|\bfor (?:example|instance)[,:]?|\bexamples?(?: value)?s?\s*[:=]|"
    rf"\bex\s*[.:]|\bsuch as|\bsample\s*[:=]|\bz\.\s?b\.|\bbeispiel\s*:|\bpar exemple\s*:?|"
    rf"\bpor ejemplo[,:]?|\bpor exemplo[,:]?|\bнапример[,:]?|例如[:：]?|例[:：]|"
    rf"比如[:：]?)\s*({_ATOM}(?:\s*(?:,|or|and|或)\s*`[^`]{{1,80}}`){{0,6}})",
    re.I,
)
_DATE_FORMATS: Final = (
    (re.compile(r"\b(?:rfc[ -]?3339|iso[ -]?8601|date-time)\b", re.I), "date-time"),
    (re.compile(r"\byyyy-mm-dd[t ]hh:mm", re.I), "date-time"),
    (re.compile(r"\byyyy-mm-dd\b", re.I), "date"),
    (re.compile(r"\buuid\b", re.I), "uuid"),
)
_OTHER_DATE: Final = re.compile(
    r"\b(?:dd[/.-]mm[/.-]yyyy|mm[/.-]dd[/.-]yyyy|yyyy[/.]mm[/.]dd|yyyymmdd|dd[/.-]mm[/.-]yy)\b",
    re.I,
)
_DEPRECATED: Final = re.compile(
    r"\b(?:deprecated|obsolete|no longer supported|veraltet|obsoleto|устарел\w{0,3})\b", re.I
)


@dataclass(frozen=True, slots=True)
class Statement:
    """What a text says about one parameter; empty fields are what it does not say.

    Attributes:
        required: As stated; `conditional` tells that it depends on something.
        contradiction: It says both required and optional.
        marked: It says so by the word "required" or "optional".
    """

    required: bool | None = None
    conditional: bool = False
    contradiction: bool = False
    marked: bool = False
    default: str = ""
    enum: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    examples: tuple[str, ...] = ()
    format: str = ""
    deprecated: bool = False


def marked(runs: tuple[Run, ...]) -> str:
    """Give the text of `runs` with code in back quotes, white space collapsed."""
    parts: list[str] = []
    for run in runs:
        text = run.text
        if run.code and text.strip() and "`" not in text and len(text) < 200:
            inner = text.strip()
            before = text[: len(text) - len(text.lstrip())]
            after = text[len(text.rstrip()) :]
            if parts and parts[-1].endswith("`"):
                parts[-1] = parts[-1][:-1]
                parts.append(f"{before}{inner}`{after}")
            else:
                parts.append(f"{before}`{inner}`{after}")
        else:
            parts.append(text)
    return " ".join("".join(parts).split())


@lru_cache(maxsize=2048)
def read_statement(text: str) -> Statement:
    """Read what `text` (marked text) says about one parameter."""
    text = text[:2000]
    if not text.strip():
        return Statement()
    required, conditional, contradiction = read_required(text)
    minimum, maximum = read_range(text)
    enum = read_enum(text)
    examples = read_examples(text)
    return Statement(
        required,
        conditional,
        contradiction,
        required is True or bool(_OPTIONAL_WORD.search(text)),
        read_default(text),
        enum,
        minimum,
        maximum,
        examples,
        read_format(text),
        bool(_DEPRECATED.search(text)) and "deprecated" not in text[:0],
    )


@lru_cache(maxsize=2048)
def read_required(text: str) -> tuple[bool | None, bool, bool]:
    """Tell whether `text` says required; whether under a condition; whether it says both."""
    optional = bool(_OPTIONAL.search(text)) or bool(_NOT_REQUIRED.search(text))
    needed = _REQUIRED.search(text)
    if needed and _NOT_REQUIRED.search(text):
        needed = None
    if optional and needed and re.search(r"\boptional\b", text, re.I):
        return False, False, not _CONDITIONAL.search(text)
    if needed:
        return True, False, False
    if optional:
        return False, bool(_CONDITIONAL.search(text)), False
    if _CONDITIONAL.search(text):
        return (
            (False, True, False) if re.search(r"\brequired\b", text, re.I) else (None, True, False)
        )
    return None, False, False


def read_default(text: str) -> str:
    """Give the default that `text` states, or ""."""
    for pattern in _DEFAULTS:
        found = pattern.search(text)
        if not found:
            continue
        value = found.group(1)
        bare = unquote(value.rstrip(".,;:"))
        if not bare or (value[0] not in "`\"'“‘" and bare.lower() in _NOT_DEFAULTS):
            continue
        return "" if is_nothing(bare) else bare
    return ""


def read_enum(text: str) -> tuple[str, ...]:
    """Give the choices that `text` lists, or ()."""
    for found in _MARKED_LIST.finditer(text):
        lead = text[max(0, found.start() - 120) : found.start()]
        values = _without_notes(found.group(0))
        if len(values) >= 2 and (_CHOICE_LEAD.search(lead) or not lead.strip()):
            return values
    bare = _BARE_LIST.search(text)
    if bare:
        values = tuple(choices(bare.group(1).rstrip(".")))
        if len(values) >= 2:
            return values
    either = _EITHER.search(text)
    if either:
        return (either.group(1), either.group(2))
    piped = _PIPED.search(text.replace("`", ""))
    if piped:
        return tuple(choices(piped.group(1)))
    listed = _PARENTHESISED.search(text)
    if listed and not listed.group(1).lower().startswith(("e.g", "for ex")):
        values = tuple(choices(listed.group(1)))
        if len(values) >= 2 and not {"optional", "required", "default"} & {
            v.lower() for v in values
        }:
            return values
    return ()


def read_range(text: str) -> tuple[float | None, float | None]:
    """Give the smallest and largest value that `text` states."""
    if _DIGIT.search(text) is None:
        return None, None
    for pattern in (_BETWEEN, _INTERVAL):
        both = pattern.search(text)
        if both and not _LENGTHS.match(text[both.end() :]):
            low, high = number(both.group(1)), number(both.group(2))
            if low is not None and high is not None and low < high:
                return low, high
    low = _bound(_MINIMUM, text)
    high = _bound(_MAXIMUM, text)
    if low is None and high is None:
        both = _DASHED.search(text)
        if both and not _LENGTHS.match(text[both.end() :]):
            low, high = number(both.group(1)), number(both.group(2))
            if (
                low is None
                or high is None
                or low >= high
                or high >= 1000 * max(1.0, abs(low) + 1000)
            ):
                return None, None
    return low, high


def read_examples(text: str) -> tuple[str, ...]:
    """Give the example values that `text` names."""
    found: dict[str, None] = {}
    for match in _EXAMPLES.finditer(text):
        quoted = re.findall(r"`([^`]{1,80})`", match.group(1))
        bare = "" if match.group(1).lower().rstrip(".,") in _NOT_DEFAULTS else match.group(1)
        for part in quoted or [bare]:
            value = unquote(part.rstrip(".,;:"))
            if value and not value.startswith(("http", "{", "<")):
                found.setdefault(value)
    return tuple(found)[:5]


def read_format(text: str) -> str:
    """Give the format of a date or an identifier that `text` names, or ""."""
    other = _OTHER_DATE.search(text)
    if other:
        return other.group(0).lower()
    return next((name for pattern, name in _DATE_FORMATS if pattern.search(text)), "")


def _bound(pattern: re.Pattern[str], text: str) -> float | None:
    found = pattern.search(text)
    if not found or _LENGTHS.match(text[found.end() :]):
        return None
    return number(next(group for group in found.groups() if group))


def _without_notes(text: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for part in re.findall(_ONE, text):
        value = unquote(part)
        if value and len(value) <= 60:
            found.setdefault(value)
    return tuple(found)
