"""Keys of an answer that are identifiers because the path says so: `/services` gives `{"web": []}`.

The keys themselves look like the fields of any record; only the plural in the path tells.
"""

from __future__ import annotations

from doc2tools.compiler.ir.exchange import Exchange
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.validate.answer import read_answer
from doc2tools.compiler.validate.body_rules import is_envelope
from doc2tools.param_db.naming import fold, is_structural, path_noun, path_shape, singular_phrase
from doc2tools.param_db.privacy import is_secret_name
from doc2tools.param_db.values import Value

__all__ = ["listed_keys"]

_MAX_KEYS = 60


def listed_keys(endpoint: Endpoint, exchange: Exchange) -> list[Value]:
    """Give the keys of an answer that maps names to lists, where the path names several things."""
    if exchange.response is None or "{" in endpoint.path:
        return []
    last = endpoint.path.partition("?")[0].rstrip("/").rpartition("/")[2]
    noun = singular_phrase(path_noun(endpoint.path))
    payload = read_answer(exchange.response).payload
    if not isinstance(payload, dict) or not last.endswith("s") or noun == last.lower():
        return []
    keys = list(payload)[:_MAX_KEYS]
    lists = all(isinstance(payload[key], list) for key in keys)
    named = [fold(key) for key in keys]
    if not lists or not keys or any(_wraps(name, noun) for name in named):
        return []
    return [
        Value(
            name="",
            value=key,
            resource=noun,
            origin="observed",
            endpoint=endpoint.name,
            field_path="*",
            record=f"{endpoint.name}()/{key}",
            collection=path_shape(endpoint.path),
        )
        for key in keys
        if not is_secret_name(key)
    ]


def _wraps(name: str, noun: str) -> bool:
    """Tell whether a key, folded, only says what its list holds."""
    return is_structural(name) or is_envelope(name) or noun in {name, singular_phrase(name)}
