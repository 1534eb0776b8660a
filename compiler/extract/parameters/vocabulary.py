"""Words by which documentation names its columns, headings and types, in several languages.

Structure decides first; these words only name what a structure is about. Scripts without spaces
between words are matched by substring, all others by whole words.
"""

# ruff: noqa: RUF001 - the typographic marks and letters are what documentation holds

from __future__ import annotations

import re
from typing import Final

WORD: Final = re.compile(r"[^\W_]+", re.UNICODE)


def word_set(text: str) -> frozenset[str]:
    """Give the words of `text`, which white space separates."""
    return frozenset(text.split())


PARAMETER_NOUNS: Final = word_set(
    """parameter parameters param params argument arguments args option options querystring
    filter filters input inputs modifier modifiers parametre paramètre paramètres parámetro
    parámetros parametro parametri parâmetro parâmetros parametros parametry parametr parametrar
    параметр параметры параметров аргументы аргумент anfrageparameter abfrageparameter
    pflichtparameter eingabe argumentos argomenti opciones opções opzioni optionen"""
)
"""Nouns that speak of what a caller sends."""

RESPONSE_WORDS: Final = word_set(
    """response responses return returns returned returning result results output outputs
    answer answers reply replies antwort antworten rückgabe ausgabe réponse reponse réponses
    retour respuesta respuestas salida resultado resultados resposta respostas retorno saída
    ответ ответа ответы ответе результат risposta risposte odpowiedź odpowiedzi yanıt
    antwoord svar"""
)

ERROR_WORDS: Final = word_set(
    """error errors exception exceptions fehler fehlercodes erreur erreurs errores erro erros
    errori ошибка ошибки ошибок błędy hata fouten"""
)

OTHER_WORDS: Final = word_set(
    """client library configuration config proxy nginx apache cors environment installation
    install setup changelog changes cli terminal deployment deploy docker sdk sdks
    permissions glossary credits license"""
)
"""Headings under which names are not request parameters."""

LOCATION_WORDS: Final[dict[str, frozenset[str]]] = {
    "header": word_set(
        """header headers entête entêtes kopfzeile kopfzeilen cabecera cabeceras cabeçalho
        cabeçalhos заголовок заголовки intestazione intestazioni nagłówki"""
    ),
    "cookie": word_set("cookie cookies"),
    "form": word_set("form formdata multipart urlencoded formulaire formulario formulário формы"),
    "body": word_set(
        """body payload json corps cuerpo corpo тело тела treść rumpf anfragetext
        requestbody"""
    ),
    "query": word_set("query querystring querystrings abfrage requête consulta запроса search"),
    "path": word_set("path route uri segment segments pfad chemin ruta caminho пути"),
}

SUBSTRINGS: Final[tuple[tuple[str, str], ...]] = (
    ("错误", "error"), ("錯誤", "error"), ("エラー", "error"), ("오류", "error"),
    ("状态码", "error"), ("返回", "response"), ("响应", "response"), ("響應", "response"),
    ("回應", "response"), ("レスポンス", "response"), ("応答", "response"), ("응답", "response"),
    ("请求头", "header"), ("請求頭", "header"), ("ヘッダ", "header"), ("헤더", "header"),
    ("请求体", "body"), ("請求體", "body"), ("ボディ", "body"), ("본문", "body"),
    ("表单", "form"), ("路径参数", "path"), ("パスパラメータ", "path"), ("查询", "query"),
    ("クエリ", "query"), ("쿼리", "query"), ("参数", "parameter"), ("參數", "parameter"),
    ("パラメータ", "parameter"), ("引数", "parameter"), ("파라미터", "parameter"),
    ("매개변수", "parameter"), ("요청 변수", "parameter"),
)  # fmt: skip
"""For scripts without word boundaries: what holds which meaning, the strongest first."""

COLUMN_WORDS: Final[dict[str, frozenset[str]]] = {
    "required": word_set(
        """required optional mandatory req obligatory necessary needed obligatoire requis
        obligatorio requerido obrigatório obrigatorio erforderlich pflicht pflichtfeld
        обязательный обязательно обязательность обязателен wymagane wymagany
        obbligatorio verplicht zorunlu"""
    ),
    "default": word_set(
        """default defaults standardwert vorgabe défaut predeterminado defecto padrão
        predefinito умолчанию domyślnie standaard"""
    ),
    "example": word_set(
        """example examples sample beispiel beispiele exemple exemples ejemplo ejemplos
        exemplo exemplos пример примеры esempio esempi przykład voorbeeld örnek"""
    ),
    "location": word_set("in location where place position ort lieu"),
    "type": word_set("type types typ datatype tipo тип datentyp schema format"),
    "values": word_set(
        """value values enum range allowed possible accepted valid constraints choices
        werte valeurs valeur valores valor значения значение valori wartości"""
    ),
    "description": word_set(
        """description descriptions desc meaning explanation notes note comment comments
        remarks remark details detail usage purpose info information function effect
        summary  beschreibung bedeutung erklärung descripción descripcion
        descrição descricao описание назначение комментарий opis descrizione
        omschrijving açıklama signification"""
    ),
    "name": word_set(
        """name names object key keys field fields property properties attribute attributes
        variable variables element parameter parameters param params argument arguments
        arg option options header headers component query flag filter nom nombre nome
        имя название поле параметр paramètre parámetro parâmetro parametro parametr feld
        schlüssel campo champ naam nazwa"""
    ),
}
"""Column kinds by words of the head, asked for in this order."""

COLUMN_SUBSTRINGS: Final[tuple[tuple[str, str], ...]] = (
    ("必填", "required"), ("必选", "required"), ("必須", "required"), ("必须", "required"),
    ("是否", "required"), ("필수", "required"), ("默认", "default"), ("預設", "default"),
    ("デフォルト", "default"), ("기본값", "default"), ("示例", "example"), ("范例", "example"),
    ("例", "example"), ("예시", "example"), ("位置", "location"), ("类型", "type"),
    ("類型", "type"), ("型", "type"), ("タイプ", "type"), ("타입", "type"), ("取值", "values"),
    ("可选值", "values"), ("说明", "description"), ("說明", "description"),
    ("描述", "description"), ("説明", "description"), ("설명", "description"),
    ("含义", "description"), ("备注", "description"), ("参数", "name"), ("參數", "name"),
    ("字段", "name"), ("名称", "name"), ("名稱", "name"), ("パラメータ", "name"),
    ("名前", "name"), ("이름", "name"), ("파라미터", "name"), ("필드", "name"),
)  # fmt: skip

FOREIGN_COLUMNS: Final = word_set(
    """code codes status reason method verb http url uri endpoint endpoints permission
    permissions scope error errors response returns result output event library language
    plan price version date"""
)
"""Words of a first column's head that show the table to list something else."""

FACT_LABELS: Final = word_set(
    """url uri method methods verb path endpoint endpoints description synopsis summary purpose
    authority permission permissions grammar syntax usage auth authentication authorization
    title request response responses returns example examples note notes headers body parameter
    parameters params arguments since version deprecated método métodos methode méthode metodo
    descripción descrição beschreibung ejemplo exemple beispiel ruta chemin pfad dirección adresse
    метод описание пример url-parameter"""
)
"""Labels of the facts on an endpoint; capitalised and not set as code they are no parameters."""

UNNAMED: Final = word_set(
    """a an and any are as at be both but by can each either every first following for from
    given has have if in is it its last more name named new next no none not of on one only
    optional or other our previous query request required same second single some such that
    the their these this those to two url use used using value when which with without you
    your additional extra body header path string several many required- url- http get post
    input search api above below custom special default important main parameter parameters
    also supported available no common global positional valid invalid correct wrong unknown
    missing certain different corresponding respective"""
)
"""Words that stand before "parameter" in prose without being a name."""


def words(text: str) -> list[str]:
    """Give the words of `text`, lower case."""
    return [word.lower() for word in WORD.findall(text)]
