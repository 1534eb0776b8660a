"""What a heading or a lead-in says about the list or table below it: request, response or else."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, cast

from doc2tools.compiler.extract.parameters.vocabulary import (
    ERROR_WORDS,
    LOCATION_WORDS,
    OTHER_WORDS,
    PARAMETER_NOUNS,
    RESPONSE_WORDS,
    SUBSTRINGS,
    words,
)
from doc2tools.compiler.ir.base import Location

RoleKind = Literal["request", "response", "error", "other"]


@dataclass(frozen=True, slots=True)
class Role:
    """What a region of the page is about.

    Attributes:
        kind: Request parameters, the answer, errors, or something else altogether.
        location: Where the parameters are sent, if the text says so.
        explicit: The text speaks of parameters, not only of the request.
        text: The words that said it.
    """

    kind: RoleKind
    location: Location | None = None
    explicit: bool = True
    text: str = ""

    @property
    def asks(self) -> bool:
        """Whether the words clearly speak of a request, not of a form that answers have, too."""
        return bool(_ASKS.search(self.text)) or bool(
            set(words(self.text)) & PARAMETER_NOUNS - _VAGUE
        )

    @property
    def required(self) -> bool | None:
        """What a heading such as "Optional parameters" says of all that follows."""
        optional = bool(_OPTIONAL.search(self.text))
        needed = bool(_REQUIRED.search(self.text))
        return None if optional == needed else needed


_NOUNS: Final = (
    r"(?:par[aáâà]m\w{0,6}|arguments?|options?|fields?|headers?|query|body|attributes?|felder|"
    r"champs|campos)"
)
_OPTIONAL: Final = re.compile(
    rf"\boptional(?:e[nrs]?)? (?:\w{{1,12}} ){{0,2}}{_NOUNS}\b|\ball (?:of them |{_NOUNS} )?(?:are "
    rf")?optional\b|\(optional\)"
    rf"|\b{_NOUNS} (?:(?:are|is) (?:all )?optional|opcionales|opcionais|facultatifs|optionnels|"
    r"facoltativi|opzionali)\b",
    re.I,
)
_REQUIRED: Final = re.compile(
    rf"\b(?:required|mandatory|erforderliche?) (?:\w{{1,12}} ){{0,2}}{_NOUNS}\b|\bpflicht(?:"
    rf"parameter|felder|angaben)\b|\ball (?:of them |{_NOUNS} )?(?:are )?required\b|\(required\)"
    rf"|\b{_NOUNS} (?:(?:are|is) (?:all )?(?:required|mandatory)|obligatoires|requis|obligatorios|"
    r"requeridos|obrigatórios|obbligatori)\b"
    r"|\bmust (?:include|contain|carry|have|send|provide|pass|supply) (?:all |each )?(?:of "
    r")?the (?:following|these)\b",
    re.I,
)
_ASKS: Final = re.compile(r"\b(?:requests?|query|send|sent|post|put|patch|payload)\b", re.I)
_VAGUE: Final = frozenset(
    {"option", "options", "filter", "filters", "input", "inputs", "argument", "arguments"}
)
_OBLIGED: Final = frozenset({"required", "optional", "mandatory", "additional"})
_FIELD_WORDS: Final = frozenset({"fields", "field", "attributes", "properties", "keys", "values"})
_FIRM: Final = re.compile(
    r"\b(?:following|supported|available|accepts?|accepted|takes?|request|query|url|these|"
    r"optional|required|additional|valid|possible)\b",
    re.I,
)
_STRUCTURE: Final = frozenset(
    {
        "object",
        "objects",
        "model",
        "models",
        "schema",
        "schemas",
        "structure",
        "structures",
        "entity",
        "entities",
        "types",
    }
)
_REQUEST_BODY: Final = re.compile(
    r"\b(?:request|post|put|patch|json|http)[ -](?:body|payload)\b|\bbody of the request\b"
    r"|\b(?:with|following|this) (?:json )?(?:payload|body)\b"
    r"|\bjson (?:keys?|fields?|properties|attributes|members)\b|\bin the body\b|\bjson "
    r"(?:object|string|body|document) with\b",
    re.I,
)
_RETURNED: Final = re.compile(
    r"\breturn(?:s|ed|ing)?\b|\bresponse (?:object|body|contain|include|has|have|is|will|field|"
    r"header|parameter|data|format|structure|element|propert|example|code|attribute|value)"
    r"|\bresults? (?:contain|include|has|have|is|are|object|format|field)"
    r"|\b(?:object|array|list) (?:with|of|containing) (?:the following )?(?:properties|objects)\b",
    re.I,
)
_STATUS_CODES: Final = re.compile(
    r"\b(?:status|error|return|response|http|result) codes?\b|\bhttp status(?:es)?\b", re.I
)
_SUCCESS: Final = re.compile(
    r"\W{0,3}(?:on )?success(?:ful)?(?:\W{0,3}\Z|\s\(?[1-5]\d\d\b|\s(?:result|output|answer)s?\b)"
    r"|\W{0,3}(?:http )?[1-5]\d\d\s\(?(?:ok|created|accepted|no content)\b",
    re.I,
)
_COMMAND_LINE: Final = re.compile(
    r"\bcommand[ -]?line\b|\benvironment variables?\b|\bconfig(?:uration)? (?:file|options?)\b"
    r"|\bcommand options?\b|\bflags of the (?:server|daemon)\b",
    re.I,
)
_SAMPLE: Final = re.compile(
    r"\b(?:example|sample|beispiel|ejemplo|exemple|exemplo|пример)s?\b", re.I
)
_LONGEST_HEADING: Final = 12


@dataclass(frozen=True, slots=True)
class _Said:
    """A text taken apart once, for all rules to look at."""

    text: str
    heading: bool
    found: tuple[str, ...]
    known: frozenset[str]
    location: Location | None
    noun: bool
    answered: bool
    error: bool

    def says(self, *meant: str) -> bool:
        """Whether any of the words occurs."""
        return not self.known.isdisjoint(meant)


@lru_cache(maxsize=4096)
def read_role(text: str, *, heading: bool = True) -> Role | None:
    """Tell what `text` announces; `None` where it announces nothing.

    Args:
        text: A heading, a caption, or the lead-in sentence before a block.
        heading: Whether it is short by nature, so that a single word decides.
    """
    text = text.strip()[:600]
    found = tuple(words(text))
    long = heading and len(found) > _LONGEST_HEADING and not text.endswith(":")
    if not found or long:
        return None
    known = frozenset(found)
    meanings = frozenset(meaning for mark, meaning in SUBSTRINGS if mark in text)
    nouns = known & PARAMETER_NOUNS
    if not heading and nouns <= _VAGUE and not _FIRM.search(text):
        nouns = frozenset[str]()
    said = _Said(
        text,
        heading,
        found,
        known,
        _location(known, meanings, text),
        noun=bool(nouns) or "parameter" in meanings,
        answered=bool(known & RESPONSE_WORDS) or "response" in meanings,
        error=bool(known & ERROR_WORDS) or "error" in meanings,
    )
    return next((role for rule in _RULES if (role := rule(said)) is not None), None)


def _elsewhere(said: _Said) -> Role | None:
    return Role("other", text=said.text) if _COMMAND_LINE.search(said.text) else None


def _error(said: _Said) -> Role | None:
    codes = bool(_STATUS_CODES.search(said.text)) and not said.noun
    if not codes and not said.error:
        return None
    if codes or said.heading or not said.noun:
        return Role("error", text=said.text)
    return Role("request", said.location)


def _body(said: _Said) -> Role | None:
    if not _REQUEST_BODY.search(said.text) or said.says("response"):
        return None
    form = said.says("form", "urlencoded", "multipart")
    return Role("request", "form" if form else "body", text=said.text)


def _answer(said: _Said) -> Role | None:
    short = said.heading and len(said.found) <= 4
    if said.heading and not said.noun and _SUCCESS.match(said.text):
        return Role("response", text=said.text)
    stated = short or not said.noun or _RETURNED.search(said.text) is not None
    return Role("response", text=said.text) if said.answered and stated else None


def _parameters(said: _Said) -> Role | None:
    sent = said.location in {"header", "cookie"} and _FIRM.search(said.text) is not None
    if not said.noun and (not sent or said.says("response")):
        return None
    return Role("request", said.location, text=said.text)


def _place(said: _Said) -> Role | None:
    place = said.location
    if place is None or len(said.found) > 5 or not _says_only_location(said.known, place):
        return None
    return Role("request", place, explicit=place != "path", text=said.text)


def _obliged(said: _Said) -> Role | None:
    fields = said.found[0] in _OBLIGED and len(said.found) <= 4 and said.known & _FIELD_WORDS
    return Role("request", said.location, text=said.text) if fields else None


def _other(said: _Said) -> Role | None:
    other = said.known & OTHER_WORDS or said.found[-1] in _STRUCTURE
    fits = said.heading and other and len(said.found) <= 5
    return Role("other", text=said.text) if fits else None


def _request(said: _Said) -> Role | None:
    opening = said.found[0] in {"request", "requests", "anfrage", "petición", "requête"}
    fits = opening and len(said.found) <= 3
    return Role("request", None, explicit=False, text=said.text) if fits else None


_RULES: Final[tuple[Callable[[_Said], Role | None], ...]] = (
    _elsewhere, _error, _body, _answer, _parameters, _place, _obliged, _other, _request,
)  # fmt: skip
"""What a text may announce; the first rule that fits decides."""


def is_sample_heading(text: str) -> bool:
    """Tell whether a heading announces an example."""
    return bool(_SAMPLE.search(text[:200]))


def _says_only_location(known: frozenset[str], location: Location) -> bool:
    extra = known - LOCATION_WORDS[location]
    return extra <= {
        "request", "http", "url", "fields", "field", "data", "component", "components", "required",
        "optional", "the", "string", "strings", "variables", "variable", "post", "put", "patch",
        "get", "values", "value", "content", "schema", "format", "raw", "application", "type",
        "x", "www", "attributes", "properties", "object", "example", "sample",
    }  # fmt: skip


def _location(known: frozenset[str], meanings: frozenset[str], text: str) -> Location | None:
    for location in ("header", "cookie", "form", "body", "query", "path"):
        if location in meanings:
            return location
    for location, marks in LOCATION_WORDS.items():
        if known & marks:
            if location == "query" and known & LOCATION_WORDS["path"]:
                return None
            if location == "form" and "form" in known and not _form_words(known):
                continue
            if location == "query" and "search" in known and not known & {"query", "querystring"}:
                continue
            return cast("Location", location)
    if re.search(r"\bGET (?:request )?(?:param|var|arg)", text):
        return "query"
    return None


def _form_words(known: frozenset[str]) -> bool:
    return bool(known & {"data", "fields", "field", "parameters", "params", "encoded", "post"}) or (
        len(known) <= 2
    )
