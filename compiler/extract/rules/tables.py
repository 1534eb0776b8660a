"""Tables that list endpoints: a column of paths, with or without a column of methods."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from doc2tools.compiler.extract.candidates import Candidate
from doc2tools.compiler.extract.outline import Outline
from doc2tools.compiler.extract.text import Text, Token, flatten
from doc2tools.compiler.extract.verbs import as_method, methods_in_cell, verb_spans
from doc2tools.compiler.ir.document import Table, plain

_PATH_HEADER = re.compile(
    r"\b(?:paths?|end-?\s?points?|urls?|uris?|routes?|resources?|requests?|calls?|address(?:es)?|"
    r"link|http|operation|api|query|command|usage|service|pfade?|adresse|ruta|chemin|rota|"
    r"recurso|ressource|rotas)\b|路径|地址|接口|адрес|путь|パス|エンドポイント|경로",
    re.IGNORECASE,
)
_METHOD_HEADER = re.compile(
    r"\b(?:http\s)?(?:methods?|verbs?|type|action|http|méthode|método|methode)\b|方法|метод|メソッド|메서드",
    re.IGNORECASE,
)
_EXAMPLE_HEADER = re.compile(
    r"example|sample|beispiel|exemple|ejemplo|exemplo|пример|示例|例", re.IGNORECASE
)
_OTHER_HEADER = re.compile(
    r"permission|param|field|variable|file|response|output|default|value|config|option|scope|"
    r"directory|folder|environment|mime|json|note|remark|document|pointer|attribute",
    re.IGNORECASE,
)
_TEXT_HEADER = re.compile(
    r"descri|purpose|summary|action|what|function|meaning|comment|details|explan|info|returns|"
    r"beschreib|descripci|descriçã|описан|说明|描述",
    re.IGNORECASE,
)


_PARAMETER_HEADER = re.compile(
    r"\s*(?:(?:request|query|url|path|body|form|input)\s)?(?:params?|parameters?|fields?|arguments?|"
    r"propert(?:y|ies)|attributes?|variables?|options?|headers?|keys?|参数|параметр|parámetro)\b",
    re.IGNORECASE,
)


_NO = re.compile(r"(?:[-–—✗✘×/]|no|none|n/?a|false|nein|non|нет|否)?", re.IGNORECASE)  # noqa: RUF001 - marks of documentation


@dataclass(frozen=True, slots=True)
class _Layout:
    paths: int
    methods: int
    text: int
    confidence: float
    relative: bool
    marks: tuple[tuple[int, str], ...] = ()


class Tables:
    """Finds endpoints in the rows of tables."""

    name = "table"

    def find(self, outline: Outline) -> Iterator[Candidate]:
        """Yield a candidate for each target in a path column, with its row's method."""
        for entry in outline.entries:
            block = entry.block
            if isinstance(block, Table):
                yield from self._rows(block, entry.index)

    def _rows(self, table: Table, index: int) -> Iterator[Candidate]:
        texts = [[flatten(cell.runs) for cell in row] for row in table.rows]
        layout = _layout(table, texts)
        if not layout:
            return
        sure = min(layout.confidence, 0.65) if _repeats(texts, layout) else layout.confidence
        for number, row in enumerate(texts):
            if layout.paths >= len(row):
                continue
            cell = row[layout.paths]
            methods: tuple[str, ...] = ("",)
            if layout.marks:
                methods = _marked(row, layout.marks) or ("",)
            elif 0 <= layout.methods < len(row):
                methods = methods_in_cell(row[layout.methods].text) or ("",)
            summary = row[layout.text].text.strip() if 0 <= layout.text < len(row) else ""
            tokens = _cell_targets(cell, layout.relative)
            if verb_spans(cell) and tokens and methods == ("",):
                continue  # the cell states its own verbs: the rule for verb and path reads it
            for token in tokens:
                for method in methods:
                    yield Candidate(
                        text=token.raw,
                        index=index,
                        span=table.rows[number][layout.paths].span,
                        rule=self.name,
                        reason=f"{token.raw[:80]} is in a table's column of targets"
                        + (f", {method} in its row" if method else ""),
                        confidence=sure,
                        method=method,
                        row=number,
                        order=token.start,
                        emphasised=token.emphasised,
                        summary=summary[:300],
                    )


def _repeats(texts: list[list[Text]], layout: _Layout) -> bool:
    """A table without verbs that names a path in several rows tells something else about it."""
    if layout.methods >= 0:
        return False
    cells = [row[layout.paths].text.strip() for row in texts if layout.paths < len(row)]
    filled = [cell for cell in cells if cell]
    return len(set(filled)) < len(filled)


def _layout(table: Table, texts: list[list[Text]]) -> _Layout | None:
    """Tell which column holds targets, which methods, which the explanation."""
    if not texts or not texts[0]:
        return None
    if any(_PARAMETER_HEADER.match(plain(cell.runs)) for cell in table.header[:1]):
        return None
    width = max(len(row) for row in texts)
    headers = [plain(cell.runs) for cell in table.header] + [""] * width
    best: tuple[float, int, bool] = (0.0, -1, False)
    methods = _method_column(headers, texts, width)
    for column in range(min(width, 20)):
        cells = [row[column] for row in texts if column < len(row) and row[column].text.strip()]
        if not cells or column == methods:
            continue
        share = sum(1 for cell in cells if _cell_targets(cell, relative=False)) / len(cells)
        named = bool(_PATH_HEADER.search(headers[column]))
        other = bool(_OTHER_HEADER.search(headers[column]))
        example = bool(_EXAMPLE_HEADER.search(headers[column]))
        score = 0.0
        relative = False
        if share >= 0.5:
            score = 0.75 + 0.1 * share + (0.1 if named else 0) - (0.5 if other else 0)
            score -= 0.25 if example else 0
        elif share > 0 and named:
            score = 0.7
        elif named and methods >= 0 and _relative_share(cells) >= 0.6:
            score, relative = 0.7, True
        if methods >= 0:
            score += 0.05 if score else 0
        if score > best[0]:
            best = (score, column, relative)
    if best[0] < 0.5:
        return None
    marks = _verb_columns(headers)
    taken = {best[1], methods, *(column for column, _ in marks)}
    text = next(
        (c for c in range(width) if c not in taken and _TEXT_HEADER.search(headers[c])),
        -1,
    )
    if text < 0:
        text = next((c for c in range(width) if c not in taken
                     and _wordy(texts, c)), -1)  # fmt: skip
    return _Layout(best[1], methods, text, min(best[0], 0.95), best[2], marks)


def _verb_columns(headers: list[str]) -> tuple[tuple[int, str], ...]:
    """The columns that are headed by one verb each, where there are two or more."""
    found = [
        (column, as_method(header))
        for column, header in enumerate(headers[:20])
        if header.strip().isupper() and as_method(header)
    ]
    return tuple(found) if len(found) >= 2 else ()


def _marked(row: list[Text], marks: tuple[tuple[int, str], ...]) -> tuple[str, ...]:
    """The verbs whose column says something in this row, other than no."""
    return tuple(
        method
        for column, method in marks
        if column < len(row) and not _NO.fullmatch(row[column].text.strip())
    )


def _method_column(headers: list[str], texts: list[list[Text]], width: int) -> int:
    for column in range(min(width, 20)):
        cells = [row[column].text.strip() for row in texts if column < len(row)]
        filled = [cell for cell in cells if cell]
        hits = sum(1 for cell in filled if methods_in_cell(cell))
        if filled and hits / len(filled) >= (
            0.5 if _METHOD_HEADER.search(headers[column]) else 0.8
        ):
            return column
    return -1


def _cell_targets(cell: Text, relative: bool) -> list[Token]:
    """Targets that a cell holds as targets, not inside a sentence."""
    tokens = [t for t in cell.tokens if t.raw != "/" or cell.text.strip() == "/"]
    if tokens:
        outside = len(cell.text) - sum(token.end - token.start for token in tokens)
        leads = tokens[0].start <= 24
        return tokens if leads or outside <= 60 else []
    if relative:
        token = cell.target_at(len(cell.text) - len(cell.text.lstrip()))
        if token and token.end >= len(cell.text.rstrip()):
            return [token]
    return []


def _relative_share(cells: list[Text]) -> float:
    good = sum(
        1
        for cell in cells
        if re.fullmatch(r"\s*[\w{}<>:.~-]{1,60}(?:/[\w{}<>:.~-]{0,60}){0,12}\s*", cell.text)
    )
    return good / len(cells)


def _wordy(texts: list[list[Text]], column: int) -> bool:
    words = [len(row[column].text.split()) for row in texts if column < len(row)]
    return bool(words) and sum(words) / len(words) >= 2
