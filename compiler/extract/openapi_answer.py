"""The fields of an answer as its schema describes them: path, type, meaning, and whose they are.

Unlike a request, which needs one way that works, an answer may take any of its alternatives: the
fields of all branches of `oneOf` and `anyOf` are read.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from doc2tools.compiler.extract.openapi_schema import References, Schema
from doc2tools.compiler.extract.openapi_tree import Map, as_list, plain
from doc2tools.compiler.ir.base import JsonValue, ValueType
from doc2tools.compiler.ir.draft import AnswerField
from doc2tools.compiler.passes.answer_paths import KEYS, with_key

__all__ = ["MAX_ANSWER_FIELDS", "answer_fields"]

MAX_ANSWER_FIELDS = 400
_MAX_DEPTH = 8
_MAX_PARTS = 40


@dataclass(frozen=True, slots=True)
class _Node:
    """A schema that is still to be read, and where it stands in the answer.

    Attributes:
        owner: Name of the schema that holds it, as a field of which it is described.
        inherited: Name that it goes by itself if it has none: that of a named list, for its items.
    """

    schema: object
    path: str
    owner: str
    inherited: str = ""
    above: tuple[int, ...] = ()


@dataclass(slots=True)
class _Parts:
    """The schemas that together describe one place: compositions opened, each part once."""

    references: References
    found: list[tuple[Map, str]] = field(default_factory=list[tuple[Map, str]])
    seen: set[int] = field(default_factory=set[int])

    def collect(self, value: object, owner: str, depth: int = 0) -> None:
        name = _name_of(value)
        node = self.references.resolve(value)
        if depth > _MAX_DEPTH or id(node) in self.seen or len(self.found) >= _MAX_PARTS:
            return
        self.seen.add(id(node))
        name = name or node.text("title")[:80].strip() or owner
        if node.get("type") != "null":
            self.found.append((node, name))
        for key in ("allOf", "oneOf", "anyOf"):
            for part in node.sequence(key):
                self.collect(part, name, depth + 1)


def answer_fields(references: References, schema: object) -> tuple[AnswerField, ...]:
    """List the fields below `schema`, outer ones first, at most `MAX_ANSWER_FIELDS`.

    Lists and objects are listed only through what they hold, since no parameter takes one whole.
    """
    found: dict[str, AnswerField] = {}
    queue = deque([_Node(schema, "", "")])
    while queue and len(found) < MAX_ANSWER_FIELDS:
        node = queue.popleft()
        parts = _Parts(references)
        parts.collect(node.schema, node.inherited)
        for part, owner in parts.found:
            if id(part) in node.above or len(node.above) >= _MAX_DEPTH * 2:
                continue
            below = (*node.above, id(part))
            queue.extend(_inner(part, node, owner, below))
        scalar = _scalar(references, node, parts)
        if scalar is None:
            continue
        held = found.setdefault(scalar.path, scalar)
        if held is not scalar and node.owner not in held.owners:
            owners = (*held.owners, *scalar.owners)
            found[scalar.path] = held.model_copy(update={"owners": owners})
    return tuple(found.values())


def _inner(part: Map, node: _Node, owner: str, above: tuple[int, ...]) -> list[_Node]:
    path = node.path
    nodes: list[_Node] = []
    for name, value in list(part.map("properties").items())[:MAX_ANSWER_FIELDS]:
        nodes.append(_Node(value, with_key(path, name), owner, "", above))
    if part.get("items") is not None:
        nodes.append(_Node(part["items"], f"{path}[]", node.owner, owner, above))
    values = part.get("additionalProperties")
    if isinstance(values, Map) and len(values):
        below = f"{path}.{KEYS}" if path else KEYS
        nodes.append(_Node(values, below, node.owner, owner, above))
    return nodes


def _scalar(references: References, node: _Node, parts: _Parts) -> AnswerField | None:
    """Describe the place itself, if a single value or the keys of a map stand there."""
    schema = Schema(references, node.schema)
    kind: ValueType | None = schema.type
    maps = node.path.endswith("*")
    holds = {"object", "array", "file"}
    if not node.path or (kind in holds and not maps):
        return None
    if any(part.get("items") or part.get("properties") for part, _ in parts.found) and not maps:
        return None
    raw = as_list(schema.first("enum")[0])
    enum: tuple[JsonValue, ...] = tuple(plain(item) for item in raw[:50] if item is not None)
    return AnswerField(
        path=node.path,
        type="string" if maps else kind or "any",
        format="" if maps else schema.text("format")[:50],
        description=schema.text("description").strip()[:500],
        owners=(node.owner,) if node.owner else (),
        enum=() if maps else enum,
    )


def _name_of(value: object) -> str:
    """Give the name of the schema that a reference leads to."""
    if not isinstance(value, Map):
        return ""
    reference = value.text("$ref")
    return reference.rpartition("/")[2][:80] if reference.startswith("#") else ""
