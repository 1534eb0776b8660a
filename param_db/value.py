"""One parameter value with its provenance, and the rule for which values are kept at all."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from doc2tools.compiler.ir.base import Origin, ValueType
from doc2tools.param_db.fit import Scalar
from doc2tools.param_db.privacy import is_personal_value, is_secret_name

__all__ = ["MAX_PER_ANSWER", "MAX_PER_NAME", "ORIGIN_RANK", "Value", "is_kept"]

MAX_PER_ANSWER = 500
MAX_PER_NAME = 50
_MAX_LENGTH = 300

ORIGIN_RANK: dict[Origin, int] = {
    "configured": 0,
    "repaired": 1,
    "documented": 2,
    "observed": 3,
    "guessed": 9,
}
"""Order in which origins are tried."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value that a parameter may take, and where it came from.

    Attributes:
        name: The field or parameter that held it; "" for a bare list element or a map key.
        resource: Folded noun that it belongs to, such as `user`; "" where unknown.
        endpoint: Name of the tool whose documentation or answer gave it.
        field_path: Where in the answer, such as `users[].id`; "" for documented values.
        host: The server that it was seen on, `name:port`.
        record: The record that it came from; values of one record belong together.
        collection: Shape of the path whose answer listed it, such as `/users/{}/post`.
        context: Path arguments of the call that gave it, in path order.
    """

    name: str
    value: Scalar
    resource: str = ""
    type: ValueType = "string"
    description: str = ""
    origin: Origin = "observed"
    endpoint: str = ""
    field_path: str = ""
    host: str = ""
    record: str = ""
    collection: str = ""
    context: tuple[Scalar, ...] = ()
    successes: int = 0
    failures: int = 0


def is_kept(value: Value) -> bool:
    """Tell whether a store may hold `value`: none guessed, secret, personal, empty or overlong."""
    if value.origin == "guessed" or is_secret_name(value.name):
        return False
    if isinstance(value.value, str):
        text = value.value
        shown = text.strip(" *")  # asterisks are what redaction leaves
        return bool(shown) and len(text) <= _MAX_LENGTH and not is_personal_value(text)
    return not isinstance(value.value, float) or isfinite(value.value)
