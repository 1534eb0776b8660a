"""Parameters named in running text: "accepts an optional `limit`", "the "text" parameter"."""

# ruff: noqa: RUF001 - the typographic marks and letters are what documentation holds

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from doc2tools.compiler.extract.parameters.answers import tells_of_answer
from doc2tools.compiler.extract.parameters.mention import TOLD, Mention
from doc2tools.compiler.extract.parameters.naming import Name, is_identifier, read_name
from doc2tools.compiler.extract.parameters.phrases import read_statement
from doc2tools.compiler.extract.parameters.sentences import unquoted_lists
from doc2tools.compiler.extract.parameters.vocabulary import UNNAMED, word_set
from doc2tools.compiler.ir.base import Location
from doc2tools.compiler.ir.document import Run
from doc2tools.compiler.ir.source import Span

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"“(])")
_NOUN: Final = (
    r"(?:query[- ]?string|(?:query|url|uri|request|http|get|post|path|form|body|json)?[- ]?"
    r"(?:parameter|param|param[eè]tre|par[aá]metro|parâmetro|параметр\w{0,2}|argument|header|cookie|option|"
    r"flag|filtre|filtro|filter)|(?:form|body|json|post|request)[- ]field|query(?! (?:language|"
    r"result|expression)))"
)
_ANY_NOUN: Final = re.compile(_NOUN, re.I)
_QUOTED: Final = r"`[^`\n]{1,80}`"
_JOIN: Final = (
    r"(?:\s*\([^()`]{1,80}\))?\s*(?:,|and|or|/|&|,\s*and|,\s*or|und|oder|et|y|e|и)\s*(?:the |an? )?"
)
_LIST: Final = rf"{_QUOTED}(?:{_JOIN}{_QUOTED}){{0,12}}"
_BEFORE: Final = re.compile(
    rf"({_LIST})\s+(?:optional |required |mandatory |custom |special |additional |query |"
    rf"request |url |http )*({_NOUN})s?\b",
    re.I,
)
_AFTER: Final = re.compile(
    rf"\b({_NOUN})s?,?(?:\s+(?:called|named|name is|is|are|like|such as|of|"
    rf"namely))?\s*[:(]?\s*(?:the )?({_LIST})",
    re.I,
)
_ACCEPTS: Final = re.compile(
    rf"\b(?:accept|take|support|expect|allow|require|receive)s?\s+(?:(?:also|both|either|"
    rf"an?|the|these|following|optional|required|mandatory|additional|query|string|integer|"
    rf"numeric|boolean)\s+){{0,4}}({_LIST})",
    re.I,
)
_EITHER: Final = re.compile(
    r"\b(?:keys?|tokens?|credentials?|secret)\b[^.]{0,120}\b(?:or|alternatively)\b", re.I
)
_MUST_GIVE: Final = re.compile(
    rf"\b(?:must|have to|has to|need to|needs to)\s(?:always\s)?(?:specify|provide|supply|include|"
    rf"pass|give|send|contain|set)\s(?:both\s|the\s|an?\s|at least\s){{0,2}}{_LIST}"
    rf"|{_LIST}\s(?:is|are)\s(?:both\s|all\s|always\s)?(?:required|mandatory|obligatory)\b"
    r"|\b(?:all|every|each) (?:api |http )?(?:requests?|calls?|methods?|endpoints?)\b[^.`]{0,40}"
    rf"\b(?:needs?|requires?|must (?:have|include|contain|carry|pass)) {_LIST}",
    re.I,
)
_FILTERS: Final = re.compile(
    rf"\b(?:optionally,? (?:you (?:can|may) )?(?:pass|add|use|specify|set|include|"
    rf"provide|supply|give|append)|(?:filter|sort|narrow|search|limit)(?:ed|ing)?(?: \w{{1,20}})? "
    rf"(?:by|with|using|via)) "
    rf"(?:the |an? )?({_LIST})",
    re.I,
)
_OPTIONAL_NAME: Final = re.compile(
    rf"\b(optional|required|mandatory)\s+(?:query |string |integer )?({_LIST})", re.I
)
_AS: Final = re.compile(
    rf"({_LIST}|\b[a-z]{{1,30}}(?:_[a-z0-9]{{1,30}}){{1,4}}\b)\s+as an?\s+"
    r"(?:(?:GET|POST|or|and|/|optional|required|additional|query|url|request|string)[\s/]+){0,5}"
    r"(parameter|param|argument|header|cookie|query string)\b",
    re.I,
)
_APPENDED: Final = re.compile(r"`([?&][\w$.\-\[\]]{1,60}(?:=[^`]{0,60})?)`")
_PLAIN_NOUN: Final = _NOUN.replace("|query(?! (?:language|result|expression))", "")
_UNQUOTED: Final = re.compile(
    r"\b(?:the|an?)\s+(?:optional |required |mandatory |additional |query )?"
    rf"([A-Za-z_][\w\-\[\]]{{1,40}})\s+({_PLAIN_NOUN})\b",
    re.I,
)
_ALWAYS: Final = re.compile(r"\b(?:must|always|has to|have to|needs? to|required)\b", re.I)
_HEADER_NEAR: Final = re.compile(
    r"\b[Hh](?:eaders?|"
    r"EADERS?)\b[^.`]{0,40}?\b([A-Z][A-Za-z]{0,20}(?:-[A-Z][A-Za-z0-9]{0,20}){1,4})\b"
)
_TAKES: Final = re.compile(
    r"(?:(?:it|this|the (?:call|request|method|endpoint))\s)?(?:takes|accepts|requires|expects)\b",
    re.I,
)
_SEND: Final = re.compile(
    r"(?:please |then |to authenticate,? )?(?:you (?:must|have to|need to) )?"
    r"(?:send|pass|add|include|provide|supply|put|set) (?:your|the|an?) ",
    re.I,
)
_THIS: Final = re.compile(
    r"\b(?:this|that|the same) (?:cookie|header|parameter|token|key|value)\b", re.I
)
_QUOTES: Final = re.compile(r"[\"“‘']([A-Za-z_$?&][\w$.\-\[\]=?&]{0,60})[\"”’'](?!\w)")
_ANSWERED: Final = re.compile(
    r"\b(?:response headers?|sets? an?|returned|in the response|the response|responses?|"
    r"check the|inspect|look at the|read the|receive[sd]?)\b",
    re.I,
)
_GIVEN_BACK: Final = re.compile(
    r"\breturned\b|\bresponse header|\b(?:in|with|of|to) (?:the|every|each|its|all|your) "
    r"(?:\w{1,12} )?(?:responses?|answers?|repl(?:y|ies))\b|"
    r"\byou(?:'ll| will|’ll| can)? (?:get|receive|find)\b",
    re.I,
)
_PASSED: Final = re.compile(
    r"\bmust (?:always )?be (?:passed|given|provided|specified|supplied|included|set|sent)\b"
    r"|\b(?:is|are) (?:both |all |always )?(?:required|mandatory|obligatory|compulsory)\b"
    r"|\b(?:function|call|method|endpoint|request|it|this|operation|command) requires\b"
    r"|\b(?:must|have to|need to|has to) (?:pass|specify|provide|supply|include|give|send|"
    r"contain|set)\b",
    re.I,
)
_UNSURE: Final = re.compile(
    r"\b(?:optional|not|if|unless|when|either|or|can|may|only|registration|authentication)\b", re.I
)
_WORD: Final = re.compile(r"(?<![\w.-])[A-Za-z_][\w-]{1,40}(?![\w-])")
_SMALL_WORDS: Final = word_set("to from by of off on is be do go no yes get set all type")
_ALL_TAKE: Final = re.compile(
    r"\b(?:all|every|each)\s(?:api |the )?(?:requests?|calls?|methods?|endpoints?|functions?)\s"
    r"(?:takes?|has|have|carry|carries|expects?|contains?|includes?)\b",
    re.I,
)
_MUST: Final = re.compile(
    r"\b(?:must|requires?|required|requirements?|mandatory|at (?:a )?minimum|at least|"
    r"needs?|have to|has to|obligatoires?|obligatori[oa]s?|doit|doivent|deben?|erforderlich|"
    r"müssen|muss|verpflichtend|obrigatóri[oa]s?|devem?|обязательн\w{1,3}|должн\w{1,2}|wymagan\w{1,2})\b",
    re.I,
)
_MAY: Final = re.compile(
    r"\b(?:optional(?:ly)?|can|may|could|might|if you|additionally|possible|allows?|by default)\b",
    re.I,
)
_EVERYWHERE: Final = re.compile(
    r"\b(?:all|every|each|any)\s+(?:(?:of the|the|other|api|http|our|chart|get|post|single|"
    r"endpoint|rest|json|authenticated)\s+){0,3}"
    r"(?:requests?|calls?|endpoints?|methods?|queries|query|urls?|charts?|routes?|"
    r"resources?|apis?|operations?|functions?|services?)\b"
    r"|\brequests to (?:the|this|our) (?:api|server|service)\b"
    r"|\bwhen(?:ever)? (?:making|you make|calling) (?:an?y? )?(?:api )?(?:calls?|requests?)\b"
    r"|\b(?:above|following|these|those) (?:endpoints|methods|requests|calls|services|"
    r"routes|functions)\b"
    r"|\balle[nr]? (?:anfragen|endpunkte)\b|\btodas las (?:peticiones|solicitudes|"
    r"llamadas)\b|\btoutes les requêtes\b"
    r"|\bво всех запросах\b|\bвсе запросы\b|所有请求|所有接口|すべてのリクエスト",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Told:
    """A parameter that running text names.

    Attributes:
        everywhere: The sentence says that all requests take it.
        firm: The sentence says clearly that the request takes it.
        sentence: The sentence.
    """

    mention: Mention
    everywhere: bool
    firm: bool
    sentence: str

    @property
    def sends(self) -> bool:
        """Whether the sentence bids the reader to send it."""
        return _SEND.match(self.sentence) is not None


def speaks_of_all(text: str) -> bool:
    """Tell whether `text` speaks of all requests or endpoints."""
    return bool(_EVERYWHERE.search(text[:1000]))


def read_prose(runs: tuple[Run, ...], span: Span) -> list[Told]:
    """Find the parameters that a paragraph names as such."""
    found: list[Told] = []
    for sentence in _SENTENCE.split(_text(runs)[:6000])[:60]:
        if found and speaks_of_all(sentence) and _THIS.search(sentence):
            found[-1] = replace(found[-1], everywhere=True)
            if found[-1].mention.required is None and _ALWAYS.search(sentence):
                found[-1].mention.required, found[-1].mention.marked = True, True
        found.extend(_read_sentence(sentence, span))
    return found


def _text(runs: tuple[Run, ...]) -> str:
    parts: list[str] = []
    for run in runs:
        text = run.text
        bare = text.strip()
        named = run.code or (
            (run.strong or run.emphasis) and read_name(bare) is not None and " " not in bare
        )
        if named and bare and "`" not in bare and len(bare) < 80:
            before = text[: len(text) - len(text.lstrip())]
            after = text[len(text.rstrip()) :]
            parts.append(f"{before}`{bare}`{after}")
        else:
            parts.append(_QUOTES.sub(r"`\1`", text))
    return " ".join("".join(parts).split())


def demanded(runs: tuple[Run, ...]) -> list[str]:
    """Give all words of the sentences that say what must be passed, names or not."""
    text = _text(runs)[:4000]
    if not _PASSED.search(text):
        return []
    found: dict[str, None] = {}
    for sentence in _SENTENCE.split(text)[:40]:
        for clause in re.split(r"[,;] (?!and\b|or\b)", sentence):
            if _PASSED.search(clause) and not _UNSURE.search(clause):
                found.update(dict.fromkeys(_WORD.findall(clause)))
    return [word for word in found if word.lower() not in UNNAMED | _SMALL_WORDS][:100]


def _read_sentence(sentence: str, span: Span) -> list[Told]:
    if "`" not in sentence and _ANY_NOUN.search(sentence) is None:
        return []
    if tells_of_answer(sentence):
        return []
    everywhere = speaks_of_all(sentence)
    found: dict[str, Told] = {}
    for text, noun, firm in _named(sentence):
        for part in re.findall(r"`([^`]{1,80})`", text):
            name = read_name(part)
            if name is not None and name.name not in found and _usable(name, part):
                mention = _mention(name, noun, sentence, span)
                found[name.name] = Told(mention, everywhere, firm, sentence)
    if _ANSWERED.search(sentence) is None or _TAKES.match(sentence):
        for word, duty in unquoted_lists(sentence):
            mention = _mention(Name(word), "", sentence, span)
            if duty is not None:
                mention.required, mention.marked, mention.reason = duty, True, ""
            found[word] = Told(mention, everywhere, True, sentence)
    return _alternatives(list(found.values()), sentence)


def _alternatives(found: list[Told], sentence: str) -> list[Told]:
    """Where a key may go into a header or else into the query, it may for every request."""
    places = {told.mention.location for told in found}
    if not {"header", "query"} <= places or not _EITHER.search(sentence):
        return found
    return [replace(told, everywhere=True) for told in found]


def _named(sentence: str) -> Iterator[tuple[str, str, bool]]:
    """Yield quoted names, the noun beside them, and whether the request clearly takes them."""
    answered = bool(_ANSWERED.search(sentence) or _GIVEN_BACK.search(sentence))
    for pattern, quoted, noun in ((_BEFORE, 1, 2), (_AFTER, 2, 1)):
        for match in pattern.finditer(sentence):
            if not answered or _sends(sentence, match.group(noun).lower()):
                yield match.group(quoted), match.group(noun).lower(), True
    for match in _AS.finditer(sentence):
        quoted = match.group(1) if "`" in match.group(1) else f"`{match.group(1)}`"
        yield quoted, match.group(2).lower(), not answered
    for match in _APPENDED.finditer(sentence):
        yield match.group(0), "query", not answered
    if answered:
        return
    for match in _MUST_GIVE.finditer(sentence):
        yield match.group(0), "", True
    if _sends(sentence, "header"):
        for match in _HEADER_NEAR.finditer(sentence):
            yield f"`{match.group(1)}`", "header", False
    for match in _ACCEPTS.finditer(sentence):
        yield match.group(1), "", False
    for match in _OPTIONAL_NAME.finditer(sentence):
        yield match.group(2), "", False
    for match in _FILTERS.finditer(sentence):
        yield match.group(1), "", False
    yield from _unquoted(sentence)


def _unquoted(sentence: str) -> Iterator[tuple[str, str, bool]]:
    for match in _UNQUOTED.finditer(sentence):
        word, noun = match.group(1), match.group(2).lower()
        spelt = re.search(r"-|_|\A[A-Z0-9]+\Z", word) is not None
        if noun.endswith(("header", "cookie")) and not spelt:
            continue
        if word.lower() not in UNNAMED and is_identifier(word) and not word.lower().endswith("ing"):
            yield f"`{word}`", noun, False


def _usable(name: Name, text: str) -> bool:
    if text.startswith(("-", "/")) or "://" in text or (name.name.isupper() and len(name.name) < 2):
        return False
    return name.name.lower() not in {
        "get", "post", "put", "patch", "delete", "true", "false", "null", "json", "xml", "http",
        "https", "none", "curl", "string", "integer", "cors", "ssl", "tls", "jsonp", "api", "url",
        "uri", "csv", "html", "html5", "head", "options", "utf-8", "oauth", "oauth2", "jwt",
        "rest", "cli",
    }  # fmt: skip


def _sends(sentence: str, noun: str) -> bool:
    if "header" in noun and not re.search(
        r"\b(?:send|pass|set|include|provide|add|request header|accompanied by|supply)\b",
        sentence,
        re.I,
    ):
        return False
    return _GIVEN_BACK.search(sentence) is None


def _duty_before(name: str, sentence: str) -> bool:
    """Whether the sentence says of this name that it must be given."""
    return any(f"`{name}`" in match.group(0) for match in _MUST_GIVE.finditer(sentence))


def _mention(name: Name, noun: str, sentence: str, span: Span) -> Mention:
    mention = Mention(name.name, span, "prose", TOLD)
    mention.take_name(name)
    mention.location = _location(noun) or mention.location
    own = re.search(rf"`{re.escape(name.name)}` \((required|mandatory|optional)\b", sentence, re.I)
    statement = read_statement(sentence)
    if own:
        mention.required, mention.marked = own.group(1).lower() != "optional", True
    elif re.search(r"` \((?:required|mandatory)\)", sentence, re.I):
        mention.required, mention.reason = False, "others of the sentence are marked as required"
    elif _duty_before(name.name, sentence):
        mention.required, mention.marked = True, True
    elif statement.required is not None and not statement.contradiction:
        mention.required = statement.required
    elif _MUST.search(sentence) and not re.search(r"\b(?:not|optional)\b", sentence, re.I):
        mention.required, mention.marked = True, True
    elif _ALL_TAKE.search(sentence) and not _MAY.search(sentence):
        mention.required, mention.reason = True, "the text says that all requests take it"
    elif _MAY.search(sentence):
        mention.required, mention.reason = False, "the text offers it as a choice"
    if f"`{name.name}` parameter" in sentence or sentence.count("`") <= 6:
        mention.deprecated = statement.deprecated
    mention.description = sentence.replace("`", "")[:400]
    return mention


def _location(noun: str) -> Location | None:
    if "header" in noun:
        return "header"
    if "cookie" in noun:
        return "cookie"
    if "query" in noun or noun.startswith(("url", "get")):
        return "query"
    if noun.startswith(("body", "json")):
        return "body"
    return "form" if noun.startswith("form") else None
