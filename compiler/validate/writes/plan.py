"""Plans what would be written: pure, from the settled API and the options to a `WritePlan`.

An operation is planned only in a family that can create an object of ours, read it and delete it
again; all others that change state stay blocked, each with its reason.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from doc2tools.compiler.ir.options import CompileOptions
from doc2tools.compiler.ir.spec import ApiSpec, Endpoint
from doc2tools.compiler.validate.writes.calls import step_url
from doc2tools.compiler.validate.writes.families import Group, collection_of, groups
from doc2tools.compiler.validate.writes.model import Action, Family, Given, Held, Step, WritePlan
from doc2tools.compiler.validate.writes.never import never
from doc2tools.compiler.validate.writes.values import Filled, Unfilled, fill
from doc2tools.param_db.naming import singular, words

__all__ = ["plan_writes"]

WRITES = ("POST", "PUT", "PATCH", "DELETE")
_CHANGES = ("PATCH", "PUT", "POST")
_SETTERS = frozenset(
    {"set", "replace", "overwrite", "update", "change", "modify", "apply", "edit", "switch"}
)
_BODIES = frozenset({"none", "json", "form"})


def plan_writes(spec: ApiSpec, options: CompileOptions) -> WritePlan:
    """Plan the writes of one compile.

    Args:
        spec: The settled API.
        options: The methods that may be called, and known values.

    Returns:
        The plan; empty unless a method that writes is allowed.
    """
    allowed = frozenset(options.allow) & frozenset(WRITES)
    if not allowed:
        return WritePlan()
    considered = [one for one in spec.endpoints if one.name not in options.allow_unsafe]
    families: list[Family] = []
    reasons: dict[str, str] = {}
    planned: set[str] = set()
    usable = [one for one in considered if _is_usable(one)]
    for group in groups(usable).values():
        if not any(one.method.upper() in WRITES for one in _members(group)):
            continue
        found = _Planner(group, options).family(reasons)
        if isinstance(found, Family):
            families.append(found)
            planned.update(found.tools)
        else:
            for one in _members(group):
                reasons.setdefault(one.name, found)
    blocked = tuple(
        Held(
            tool=one.name,
            method=one.method,
            url=one.url,
            reason=_own_reason(one, options) or reasons.get(one.name, "it belongs to no family"),
        )
        for one in considered
        if one.effect.kind != "read" and one.name not in planned
    )
    return WritePlan(families=tuple(families), blocked=blocked)


def _sets(endpoint: Endpoint) -> bool:
    """Tell whether a POST says that it sets what is there instead of adding to it."""
    text = words(f"{endpoint.title or endpoint.summary}"[:200])
    return any(singular(word) in _SETTERS for word in text[:2])


def _is_usable(endpoint: Endpoint) -> bool:
    method = endpoint.method.upper()
    return method in WRITES or (method == "GET" and endpoint.effect.kind == "read")


def _own_reason(endpoint: Endpoint, options: CompileOptions) -> str:
    """Give the reason that lies in the operation itself, before any family."""
    method = endpoint.method.upper()
    if method not in options.allow:
        return f"{method} is not among the allowed methods ({', '.join(options.allow)})"
    if method not in WRITES:
        return f"no plan is made for a {method} that changes state"
    if reason := never(endpoint):
        return f"never called: {reason}"
    if endpoint.fixed_query:
        return "a command in the query is not for trying out"
    return "" if endpoint.base_url else "the documentation gives no base URL for it"


def _members(group: Group) -> Iterator[Endpoint]:
    yield from group.collection.values()
    yield from group.item.values()
    yield from group.spare


class _Planner:
    """Plans one family."""

    def __init__(self, group: Group, options: CompileOptions) -> None:
        self.group = group
        self.options = options
        self.marker = ""
        self.steps: list[Step] = []

    def family(self, reasons: dict[str, str]) -> Family | str:
        """Give the family, or why there is none; reasons of single members go to `reasons`."""
        group = self.group
        create = self._create()
        delete, read, listing = (
            group.item.get("DELETE"),
            group.item.get("GET"),
            group.collection.get("GET"),
        )
        if create is None or delete is None or (read is None and listing is None):
            parts = (("create", create), ("read", read or listing), ("delete", delete))
            lacking = [name for name, one in parts if one is None]
            return f"nothing of ours can be tried out: no operation to {' or '.join(lacking)} it"
        for one in (create, delete):
            if reason := _own_reason(one, self.options):
                return f"{one.name}, which the plan needs, is not called: {reason}"
        if "GET" not in self.options.allow:
            return "GET is not allowed, so that nothing could be proved"
        own_key = create is group.item.get("PUT")
        if own_key and (reason := self._key_reason(create, read)):
            return reason
        shape = f"{create.base_url} {create.path}"
        self.marker = f"doc2tools-{hashlib.sha256(shape.encode()).hexdigest()[:8]}"
        failed = self._plan(create, read, listing, delete, own_key=own_key, reasons=reasons)
        if failed:
            return failed
        resource = next(step.url for step in self.steps if step.action == "create")
        return Family(
            resource=resource, marker=self.marker, own_key=own_key, steps=tuple(self.steps)
        )

    def _create(self) -> Endpoint | None:
        """Give the operation that creates: a POST just where the objects lie, else a PUT of one.

        `POST /flows` beside `/flow/{id}` may well mean something else, such as all of them.
        """
        group = self.group
        items = [one for one in (group.item.get("DELETE"), *group.item.values()) if one is not None]
        posts = [one for one in _members(group) if one.method.upper() == "POST"]
        posts = [one for one in posts if one.name not in group.key]
        fitting = [one for one in posts if items and collection_of(one) == collection_of(items[0])]
        if posts:
            return next((one for one in fitting if not _sets(one)), None)
        return group.item.get("PUT")

    def _key_reason(self, create: Endpoint, read: Endpoint | None) -> str:
        if read is None:
            return "no operation proves that a key of ours is free before it is written"
        key = self.group.key[create.name]
        parameter = next((one for one in create.parameters if one.name == key), None)
        if parameter is None or parameter.type not in {"string", "any"} or parameter.enum:
            return "its key cannot be a name of ours"
        if parameter.pattern or parameter.format not in {"", "path"}:
            return "its key cannot be a name of ours"
        return ""

    def _plan(
        self,
        create: Endpoint,
        read: Endpoint | None,
        listing: Endpoint | None,
        delete: Endpoint,
        *,
        own_key: bool,
        reasons: dict[str, str],
    ) -> str:
        marker = self.marker
        made = self._filled(create, marker, original=marker, always=not own_key)
        gone = self._filled(delete, marker, always=False)
        for one, found in ((create, made), (delete, gone)):
            if isinstance(found, Unfilled):
                return f"{one.name}, which the plan needs, is not called: {found.reason}"
        look = read and self._filled(read, marker, always=False)
        browse = listing and self._filled(listing, marker, always=False)
        looks = read if isinstance(look, Filled) else None
        lists = listing if isinstance(browse, Filled) else None
        if looks is None and (lists is None or own_key):
            return "nothing reads an object of ours without values that we lack"
        shows = marker if isinstance(made, Filled) and made.marked else ""
        if own_key and looks is not None:
            self._add("absent", looks, look)
        if lists is not None:
            self._add("list", lists, browse)
        self._add("create", create, made, shows=shows)
        reader, filled = (looks, look) if looks is not None else (lists, browse)
        self._read("read", reader, filled, shows)
        for number, (one, found) in enumerate(self._changes(create, reasons, own_key), 2):
            text = f"{marker}-{number}"
            filled_change = self._filled(one, text, original=marker) if found else None
            if isinstance(filled_change, Filled):
                self._add("change", one, filled_change, shows=text)
                self._read("read", reader, filled, text)
                shows = text
            elif isinstance(filled_change, Unfilled):
                reasons[one.name] = f"no change of ours can be made: {filled_change.reason}"
        self._add("delete", delete, gone, shows=shows)
        self._read("gone", reader, filled, "")
        return ""

    def _changes(
        self, create: Endpoint, reasons: dict[str, str], own_key: bool
    ) -> Iterator[tuple[Endpoint, bool]]:
        for method in _CHANGES:
            one = self.group.item.get(method)
            if one is None or (one is create and not own_key):
                continue
            if reason := _own_reason(one, self.options):
                reasons[one.name] = reason
                continue
            yield one, True

    def _filled(
        self, endpoint: Endpoint, marker: str, *, original: str = "", always: bool = True
    ) -> Filled | Unfilled:
        if endpoint.body_kind not in _BODIES:
            return Unfilled(f"its body is no JSON and no form ({endpoint.body_kind})")
        if endpoint.method.upper() == "DELETE":
            needed = [
                one.name
                for one in endpoint.parameters
                if one.required and one.location not in {"path", "header", "cookie"}
            ]
            if needed:
                return Unfilled(f"a delete that needs {', '.join(needed)} is not tried out")
        if endpoint.method.upper() in {"GET", "DELETE"}:
            sent = tuple(one for one in endpoint.parameters if one.location not in {"body", "form"})
            endpoint = endpoint.model_copy(update={"parameters": sent})
        key = self.group.key.get(endpoint.name, "")
        return fill(endpoint, self.options, marker, key=key, original=original, always=always)

    def _read(
        self, action: Action, reader: Endpoint | None, filled: Filled | Unfilled | None, shows: str
    ) -> None:
        if reader is not None:
            self._add(action, reader, filled, shows=shows)

    def _add(
        self,
        action: Action,
        endpoint: Endpoint,
        filled: Filled | Unfilled | None,
        *,
        shows: str = "",
    ) -> None:
        given: tuple[Given, ...] = filled.given if isinstance(filled, Filled) else ()
        key = self.group.key.get(endpoint.name, "")
        values = {one.name: one.value for one in given}
        self.steps.append(
            Step(
                action=action,
                tool=endpoint.name,
                method=endpoint.method.upper(),
                url=step_url(endpoint, values, key),
                given=given,
                key=key,
                shows=shows,
            )
        )
