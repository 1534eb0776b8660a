"""Tool names, unique and stable: each operation keeps its name whatever is documented elsewhere.

Two operations that want the same name are told apart by what is in their own paths: the simpler one
keeps the name, the other takes its next longer one; what a text says of several names none of them.
Order of pages never matters.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence

from doc2tools.compiler.ir.spec import EffectKind
from doc2tools.compiler.passes.naming import GET_LIKE, PATH_VERBS, candidates, spoken_name
from doc2tools.compiler.passes.operation import Operation
from doc2tools.compiler.passes.paths import PLACEHOLDER, placeholders, resource_segments, shape
from doc2tools.compiler.passes.verbs import EITHER, NOUNS, STATE
from doc2tools.compiler.passes.words import fingerprint, singular, snake_case, split_words

MOST_LETTERS = 56
_VALID = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*", re.ASCII)
_RESERVED = frozenset(
    {
        *keyword.kwlist,
        *keyword.softkwlist,
        *(name.lower() for name in dir(builtins)),
        *("api", "client", "use", "tools", "models", "errors", "tests", "main", "self", "typing"),
    }
)
_MODULES = frozenset(
    {
        *keyword.kwlist, "api_tools", "aux", "client", "con", "conftest", "errors", "init", "main",
        "models", "nul", "prn", "tools",
    }
)  # fmt: skip
_METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
VERBS = GET_LIKE | PATH_VERBS | (STATE - NOUNS - EITHER) | {"format", "set", "update", "hit"}
MOST_MODULES = 40
MANY_MODULES = 24


def tool_names(operations: Sequence[Operation], kinds: Sequence[EffectKind]) -> tuple[str, ...]:
    """Give each operation its tool name."""
    titles = Counter((op.pages[0], _title(op)) for op in operations)
    members = {shape(operation.full_path) for operation in operations}
    spoken = [
        spoken_name(op, kind, _title(op) if titles[op.pages[0], _title(op)] == 1 else "")
        for op, kind in zip(operations, kinds, strict=True)
    ]
    said = Counter(spoken)
    wanted = [
        _options(
            op,
            kind,
            name if said[name] == 1 else "",
            f"{shape(op.full_path).rstrip('/')}/{{}}" in members,
        )
        for op, kind, name in zip(operations, kinds, spoken, strict=True)
    ]
    order = sorted(range(len(operations)), key=lambda index: _simplicity(operations[index]))
    first = {options[0] for options in wanted}
    names: dict[int, str] = {}
    taken: dict[str, Operation] = {}
    for index in order:
        if wanted[index][0] not in taken:
            names[index] = wanted[index][0]
            taken[names[index]] = operations[index]
    for index in order:
        if index in names:
            continue
        operation, name = operations[index], wanted[index][0]
        options = (*_told_apart(name, operation, taken[name]), *wanted[index])
        free = (option for option in options if option not in taken and option not in first)
        names[index] = next(free, "") or _numbered(name, operation, taken)
        taken[names[index]] = operation
    return tuple(names[index] for index in range(len(operations)))


def group_names(operations: Sequence[Operation], names: Sequence[str]) -> tuple[str, ...]:
    """Give each operation the module that its tool goes to: its resource.

    Where that makes too many modules, those with one tool go to `general`.
    """
    keys = [_resource(operation) for operation in operations]
    spelled: dict[str, set[str]] = {}
    for key in keys:
        spelled.setdefault(singular(key), set()).add(key)
    modules = [max(spelled[singular(key)], key=lambda name: (len(name), name)) for key in keys]
    count = Counter(modules)
    if len(count) > MANY_MODULES:
        modules = [name if count[name] > 1 else "general" for name in modules]
        count = Counter(modules)
    if len(count) > MOST_MODULES:
        ranked = sorted(count, key=lambda name: (-count[name], name))[: MOST_MODULES - 1]
        modules = [name if name in ranked else "general" for name in modules]
    tools = set(names)
    return tuple(f"{name}_tools" if name in tools or name in _MODULES else name for name in modules)


def _title(operation: Operation) -> str:
    return operation.draft.title.strip()


def _options(operation: Operation, kind: EffectKind, spoken: str, is_collection: bool) -> list[str]:
    verb = snake_case(operation.draft.method.value) or "call"
    plain: list[str] = []
    reserved: list[str] = []
    for name in candidates(operation, kind, spoken, is_collection):
        kept = name in _RESERVED or name[:1].isdigit()
        safe = _shortened(f"{verb}_{name}" if kept else name, operation)
        if _VALID.fullmatch(safe) and safe not in (*plain, *reserved):
            (reserved if kept else plain).append(safe)
    options = [*plain, *reserved] if kind != "read" else [*reserved[:1], *plain, *reserved[1:]]
    return options or [f"op_{_fingerprint(operation)}"]


def _shortened(name: str, operation: Operation) -> str:
    if len(name) <= MOST_LETTERS:
        return name
    cut = name[: MOST_LETTERS - 7].rpartition("_")[0] or name[: MOST_LETTERS - 7]
    return f"{cut}_{_fingerprint(operation)}"


def _told_apart(name: str, operation: Operation, other: Operation) -> Iterator[str]:
    """Yield `name` with the placeholders that `other`, which has that name, has not."""
    if operation.draft.method.value != other.draft.method.value:
        return
    theirs = placeholders(other.documented)
    own = [snake_case(slot) for slot in placeholders(operation.documented) if slot not in theirs]
    if shape(operation.documented) == shape(other.documented):
        own = own[-1:]
    if 0 < len(own) <= 2 and _literals(operation) == _literals(other):
        longer = f"{name.partition('_by_')[0]}_by_{'_and_'.join(own)}"
        if len(longer) <= MOST_LETTERS and _VALID.fullmatch(longer):
            yield longer


def _literals(operation: Operation) -> list[str]:
    return [
        part for part in resource_segments(operation.documented) if not PLACEHOLDER.search(part)
    ]


def _numbered(name: str, operation: Operation, taken: Container[str]) -> str:
    base = name[: MOST_LETTERS - 10]
    marked = f"{base}_{_fingerprint(operation)}"
    number = 2
    while marked in taken:
        marked = f"{base}_{_fingerprint(operation)}_{number}"
        number += 1
    return marked


def _fingerprint(operation: Operation) -> str:
    query = "&".join(f"{key}={value}" for key, value in operation.selectors)
    return fingerprint(
        f"{operation.draft.method.value} {operation.origin} {operation.documented}?{query}"
    )


def _simplicity(operation: Operation) -> tuple[object, ...]:
    method = operation.draft.method.value.upper()
    rank = _METHODS.index(method) if method in _METHODS else len(_METHODS)
    path = operation.documented
    parts = resource_segments(path)
    slots = len(PLACEHOLDER.findall(path))
    plain = path.replace("{", "").replace("}", "")
    return (len(parts), slots, len(operation.selectors), plain, rank, method, operation.selectors,
            operation.origin)  # fmt: skip


def _resource(operation: Operation) -> str:
    """Give the name of the resource: the first literal part of the path, else section or page."""
    parts = _literals(operation)
    for segment in parts:
        words = split_words(PLACEHOLDER.sub(" ", segment).partition(".")[0])
        if words[:1] == ["list"] or (words and words[0] in VERBS and len(parts) == 1):
            words = words[1:]
        bare = "_".join(words)
        if bare and not bare[0].isdigit():
            return bare[:40].strip("_")
    return "general"
