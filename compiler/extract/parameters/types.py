"""Type words of documentation, in several languages, to JSON Schema's types and formats."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from doc2tools.compiler.extract.parameters.values import choices
from doc2tools.compiler.extract.parameters.vocabulary import word_set, words
from doc2tools.compiler.ir.base import ValueType

_LISTED: Final[tuple[tuple[ValueType, str, str], ...]] = (
    ("string", "", """string str strings text varchar char chars character characters zeichenkette
        chaîne texte cadena
        texto строка строковый stringa testo tekst keyword slug
        token metin"""),
    ("integer", "", """integer int integers ints long short bigint uint unsigned smallint
        int8 int16 uint8 uint16 uint32 uint64 ganzzahl entier entero inteiro целое intero"""),
    ("integer", "int32", "int32"),
    ("integer", "int64", "int64"),
    ("number", "", """number numbers float floats double decimal numeric real zahl
        numérico número numero число numérique"""),
    ("boolean", "", """boolean bool booleans bools flag booléen booleano логический
        wahrheitswert"""),
    ("array", "", "array list arrays lists liste lista список tableau vector sequence"),
    ("object", "", """object objects json map hash hashmap dict dictionary struct objet objeto
        objekt объект oggetto record"""),
    ("file", "", "file binary blob upload datei fichier archivo arquivo файл"),
    ("string", "date-time", """datetime timestamp rfc3339 iso8601 date-time
        unix_timestamp"""),
    ("string", "date", "date datum fecha дата"),
    ("string", "uuid", "uuid guid"),
    ("string", "email", "email e-mail"),
    ("string", "uri", "url uri link"),
    ("string", "ipv4", "ipv4"),
    ("string", "ipv6", "ipv6"),
    ("string", "", "enum time ip domain hostname duration"),
)  # fmt: skip
_TYPES: Final[dict[str, tuple[ValueType, str]]] = {
    word: (kind, form) for kind, form, listed in _LISTED for word in listed.split()
}
_SUBSTRINGS: Final[tuple[tuple[str, ValueType], ...]] = (
    ("布尔", "boolean"), ("布林", "boolean"), ("真偽", "boolean"), ("整数", "integer"),
    ("整型", "integer"), ("정수", "integer"), ("浮点", "number"), ("数字", "number"),
    ("数值", "number"), ("数値", "number"), ("숫자", "number"), ("数组", "array"),
    ("配列", "array"), ("列表", "array"), ("배열", "array"), ("对象", "object"),
    ("オブジェクト", "object"), ("객체", "object"), ("文件", "file"), ("ファイル", "file"),
    ("字符串", "string"), ("字串", "string"), ("文字列", "string"), ("문자열", "string"),
)  # fmt: skip
_ARRAY: Final = re.compile(
    r"\[\]\s?([A-Za-z]\w{1,30})|([A-Za-z]\w{1,30})\s?\[\s?\]"
    r"|\b(?:array|list|set|vector|sequence)\s?(?:[<(\[]\s?|\sof\s(?:\w{1,10}\s)?)([A-Za-z]\w{1,30})"
    r"|\b([A-Za-z]\w{1,30}) (?:array|list)\b",
    re.I,
)
_FILLERS: Final = word_set(
    """a an of or and the in as format unix utc url encoded comma separated required optional
    positive non negative bit utf ascii valid any single value values query path body header
    form iso 8601 rfc 3339 epoch seconds milliseconds degrees null nullable max min length
    chars default mandatory readonly only not no yes hex case sensitive dotted quoted random
    unique"""
)
_ENUMERATED: Final = re.compile(r"[\w.+-]{1,40}(?:\s?\|\s?[\w.+-]{1,40}){1,40}")
_QUOTED_CHOICES: Final = re.compile(
    r"[\"'`][^\"'`]{1,40}[\"'`](?:\s?[/|,]\s?[\"'`][^\"'`]{1,40}[\"'`]){1,40}"
)


@dataclass(frozen=True, slots=True)
class Typing:
    """What a text says about a type.

    Attributes:
        type: `None` where it says nothing.
        pure: Every word of the text is a type's word, a filler or a number.
        enum: Choices written in place of a type, such as `asc|desc`.
    """

    type: ValueType | None = None
    item_type: ValueType | None = None
    format: str = ""
    pure: bool = False
    enum: tuple[str, ...] = field(default=())


@lru_cache(maxsize=4096)
def read_type(text: str) -> Typing:
    """Read the type that `text` (a type cell, or the words after a name) states."""
    text = text.strip()[:300]
    if not text:
        return Typing()
    found = words(text.replace("date-time", "datetime").replace("e-mail", "email"))
    pure = bool(found) and all(
        word in _TYPES or word in _FILLERS or word.isdigit() for word in found
    )
    array = _ARRAY.search(text)
    if array:
        inner = next(group for group in array.groups() if group).lower()
        item = _TYPES.get(inner) or _TYPES.get(inner.removesuffix("s"))
        if item or array.group(0).lower().startswith(("array", "list", "[]")):
            return Typing("array", item[0] if item else "object", "", pure=pure or bool(item))
    enum = _enumerated(text)
    if enum and not all(word.lower() in _TYPES for word in enum):
        return Typing("string" if not _all_integers(enum) else "integer", enum=enum, pure=True)
    for mark, kind in _SUBSTRINGS:
        if mark in text:
            return Typing(kind, pure=len(text) <= len(mark) + 4)
    kinds = [_TYPES[word] for word in found if word in _TYPES]
    if not kinds:
        return Typing(pure=False)
    kind, form = kinds[0]
    others = {other for other, _ in kinds}
    if len(others) > 1:
        if others <= {"integer", "number"}:
            kind = "number"
        elif "|" in text or " or " in text:
            kind, form = ("string", form) if "string" in others else ("any", "")
    for _, other in kinds:
        form = form or other
    if form == "date-time" and ({"unix", "epoch"} & set(found)) and "rfc3339" not in found:
        kind, form = "integer", ""
    return Typing(kind, None, form if kind != "array" else "", pure=pure)


def _enumerated(text: str) -> tuple[str, ...]:
    plain = text.strip("<>{}()[] `")
    if _ENUMERATED.fullmatch(plain):
        return tuple(choices(plain))
    quoted = _QUOTED_CHOICES.fullmatch(text.strip("<>{}() "))
    return tuple(choices(quoted.group(0))) if quoted else ()


def _all_integers(values: tuple[str, ...]) -> bool:
    return all(value.lstrip("+-").isdigit() for value in values)
