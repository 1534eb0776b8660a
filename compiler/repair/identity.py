"""Whether a repaired tool is still the documented one, as far as its answer can tell.

A patch is proved by a call, and a call to a wrong address may answer, too. What the documentation
shows of the answer must fit, the answer must be no other tool's, and a renamed segment must matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from urllib.parse import quote, unquote

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.exchange import Exchange, Request
from doc2tools.compiler.ir.outcome import Tool, Validated
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.passes.splitting import split_address
from doc2tools.compiler.repair.evidence import same_answer
from doc2tools.compiler.repair.patches import (
    BasePath,
    ClosePlaceholder,
    FormatSuffix,
    Patch,
    RenameSegment,
)
from doc2tools.compiler.repair.spelling import supported
from doc2tools.compiler.validate.answer import read_answer, walk
from doc2tools.compiler.validate.body_rules import is_envelope
from doc2tools.compiler.validate.promises import promises

__all__ = [
    "answer_objection",
    "served_objection",
    "twin_objection",
    "wildcard_objection",
    "word_objection",
]

_TELLING_BYTES = 40
_MOST_KEYS = 60
_DEPTH = 1
_SERVED_KEYS = 3
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_TURN = str.maketrans(
    _LOWER + _LOWER.upper(), _LOWER[13:] + _LOWER[:13] + _LOWER[13:].upper() + _LOWER[:13].upper()
)


def answer_objection(endpoint: Endpoint, exchange: Exchange) -> str:
    """Say why an answer is not what the documentation tells of this tool, or ""."""
    if exchange.response is None:
        return "there is no answer"
    if exchange.response.status >= 400:
        return f"the answer has status {exchange.response.status}"
    answer = read_answer(exchange.response)
    promised = promises(endpoint)
    if answer.kind in {"json", "json-lines", "xml"}:
        shown = [example for example in promised.examples if isinstance(example, dict | list)]
        conflicts = [conflict(example, answer.payload) for example in shown]
        if conflicts and all(conflicts):
            return f"the answer is not as documented: {conflicts[0]}"
        fields = {path.replace("[]", "").rpartition(".")[2] for path in endpoint.response_fields}
        fields.discard("")
        if fields and not shown:
            held = {key for key, _ in walk(answer.payload, limit=5_000)}
            if not fields & held:
                return "the answer has none of the documented fields"
    elif promised.data and answer.kind in {"html", "text"}:
        return f"the answer is {answer.kind}, where data is documented"
    return ""


def twin_objection(
    endpoint: Endpoint, patches: Sequence[Patch], exchange: Exchange, others: Iterable[Tool]
) -> str:
    """Say whose answer it is, if a patch for which no word speaks gave another tool's, or "".

    Answers of different tools may well be the same, so that alone is nothing against a patch that
    the documentation's own words or spelling speak for.
    """
    if not any(isinstance(patch, BasePath | ClosePlaceholder) for patch in patches):
        return ""
    for other in others:
        if other.endpoint.name == endpoint.name or not isinstance(other.outcome, Validated):
            continue
        proof = other.outcome.attempt.exchange
        response = proof.response if proof else None
        if response is None or exchange.response is None or len(response.body) < _TELLING_BYTES:
            continue
        if response.body == exchange.response.body and "{" not in endpoint.path:
            return f"the answer is that of another tool, {other.endpoint.name}"
    return ""


def served_objection(patches: Sequence[Patch], before: Exchange | None, exchange: Exchange) -> str:
    """Say that the documented address is served, if its answer had the fields of this one, or "".

    `/standby` that answers 503 with the node's state is no wrong address: it tells the state so.
    """
    renamed = any(isinstance(patch, RenameSegment | BasePath | FormatSuffix) for patch in patches)
    if not renamed or before is None or before.response is None or exchange.response is None:
        return ""
    one, other = read_answer(before.response).payload, read_answer(exchange.response).payload
    if not isinstance(one, dict) or not isinstance(other, dict) or len(one) < _SERVED_KEYS:
        return ""
    own = {key for key in one if not is_envelope(key)}
    if len(own) < _SERVED_KEYS or not own <= set(other) or _says_error(one):
        return ""
    return "the documented address answers with the same fields"


def conflict(documented: JsonValue, answered: JsonValue, depth: int = 0) -> str:
    """Say where an answer's structure contradicts a documented example, or ""."""
    if documented in (None, "", [], {}) or answered in (None, "", [], {}):
        return ""
    one, other = _kind(documented), _kind(answered)
    if one != other:
        return f"{other} where {one} is documented"
    if isinstance(documented, dict) and isinstance(answered, dict):
        return _object_conflict(documented, answered, depth)
    if isinstance(documented, list) and isinstance(answered, list) and depth < _DEPTH:
        return conflict(documented[0], answered[0], depth + 1)
    return ""


def _object_conflict(
    documented: dict[str, JsonValue], answered: dict[str, JsonValue], depth: int
) -> str:
    keys = list(documented)[:_MOST_KEYS]
    own = [key for key in keys if not is_envelope(key)] or keys
    shared = [key for key in own if key in answered]
    if not shared and depth == 0:
        return f"none of its documented fields ({', '.join(own[:4])})"
    if depth < _DEPTH:
        for key in shared:
            if found := conflict(documented[key], answered[key], depth + 1):
                return f"in {key!r}, {found}"
    return ""


def _kind(value: JsonValue) -> str:
    if isinstance(value, dict):
        return "an object"
    return "a list" if isinstance(value, list) else "a plain value"


def word_objection(
    endpoint: Endpoint, patches: Sequence[Patch], exchange: Exchange | None, meant: Sequence[str]
) -> str:
    """Say why a renamed segment is too far from what is said of this tool, or "".

    Without an answer, an answer that would speak for it is supposed.

    Words from further away, such as a heading above several tools, are enough only where the
    documentation shows the answer, so that another tool's would be told apart.
    """
    for patch in patches:
        if not isinstance(patch, RenameSegment):
            continue
        said = any(word.rstrip("/").endswith(patch.after) for word in meant)
        if said or supported(endpoint, patch.before, patch.after, closely=True):
            continue
        if not _shows_fields(endpoint, exchange):
            return f"nothing that is said of this tool speaks for {patch.after!r}"
    return ""


def _shows_fields(endpoint: Endpoint, exchange: Exchange | None) -> bool:
    """Tell whether the answer has fields, beside those of an envelope, that are documented."""
    shown = {path.replace("[]", "").rpartition(".")[2] for path in endpoint.response_fields}
    for example in promises(endpoint).examples:
        shown |= {key for key, _ in walk(example, limit=2_000) if key}
    telling = {key for key in shown if key and key != "data" and not is_envelope(key)}
    if exchange is None or exchange.response is None:
        return bool(telling)
    held = {key for key, _ in walk(read_answer(exchange.response).payload, limit=5_000)}
    return bool(telling & held)


def wildcard_objection(
    patches: Sequence[Patch], exchange: Exchange, send: Callable[[Request], Exchange] | None
) -> tuple[str, int]:
    """Ask with nonsense in the place of a changed segment: the segment must make a difference.

    The nonsense is the word with its letters changed, as a server may take only words of its form.

    Returns:
        Why the patch proves nothing, or "", and the requests that went over the network.
    """
    if send is None:
        return "", 0
    calls = 0
    for patch in patches:
        if isinstance(patch, RenameSegment):
            word = patch.after
        elif isinstance(patch, ClosePlaceholder):
            word = patch.literal
        elif isinstance(patch, FormatSuffix) and not patch.added:
            word = unquote(split_address(exchange.request.url).path.rpartition("/")[2])
        else:
            continue
        address = _with_nonsense(exchange.request.url, word)
        if not address:
            continue
        request = exchange.request.model_copy(update={"url": address})
        beside = send(request)
        calls += not beside.replayed
        if beside.response is None or beside.response.status >= 300:
            continue
        if same_answer(beside, exchange) or _same_shape(beside, exchange):
            return f"any word in the place of {word!r} is answered alike", calls
    return "", calls


def _with_nonsense(url: str, word: str) -> str:
    """Give the address with nonsense in the place of the last segment that is `word`."""
    parts = split_address(url)
    segments = parts.path.split("/")
    for position in range(len(segments) - 1, 0, -1):
        if segments[position] == quote(word):
            segments[position] = quote(word.translate(_TURN))
            return parts._replace(path="/".join(segments)).geturl()
    return ""


def _same_shape(one: Exchange, other: Exchange) -> bool:
    """Tell whether two good answers have the same fields."""
    if one.response is None or other.response is None:
        return False
    first, second = read_answer(one.response), read_answer(other.response)
    if first.kind != second.kind:
        return False
    if isinstance(first.payload, dict) and isinstance(second.payload, dict):
        return set(first.payload) == set(second.payload) and not _says_error(first.payload)
    return isinstance(first.payload, list) == isinstance(second.payload, list)


def _says_error(payload: dict[str, JsonValue]) -> bool:
    return any(key.lower() in {"error", "errors", "message"} for key in payload)
