"""Takes back what an earlier run created and could not delete: only that, and only when proved.

Requests go straight through the gateway, each delete under an approval of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from doc2tools.compiler.ir.exchange import Exchange, Request
from doc2tools.compiler.validate.writes.calls import curl, is_safe_id, own_address
from doc2tools.compiler.validate.writes.journal import Entry, Journal
from doc2tools.compiler.validate.writes.model import OWN, Leftover
from doc2tools.compiler.validate.writes.proof import GONE, answer_of, is_good, named_in_list, shows
from doc2tools.sandbox.approvals import Approval, Approvals

__all__ = ["Recovery", "leftover", "recover", "recover_all"]

Send = Callable[[Request], Exchange]
HEADERS = {"Accept": "application/json, */*;q=0.5"}


@dataclass(frozen=True, slots=True)
class Recovery:
    """What became of one entry: `left` is `None` when nothing of ours is there any more."""

    entry: Entry
    deleted: bool = False
    left: Leftover | None = None


def recover_all(
    journal: Journal, send: Send, approvals: Approvals, *, may_delete: bool
) -> tuple[Recovery, ...]:
    """Take back whatever the journal holds."""
    return tuple(
        recover(entry, journal, send, approvals, may_delete=may_delete)
        for entry in journal.pending()
    )


def recover(  # noqa: PLR0911 (one for each reason)
    entry: Entry, journal: Journal, send: Send, approvals: Approvals, *, may_delete: bool = True
) -> Recovery:
    """Look for the object of an entry, delete it if it is surely ours, and prove it gone.

    Args:
        entry: What may have been created.
        journal: Where it is forgotten once it is gone.
        send: Sends a request and gives the exchange; never from a recording.
        approvals: Where the delete is approved.
        may_delete: Whether the user allows DELETE.

    Raises:
        StoreError: The journal cannot be written.
    """
    headers = {**HEADERS, **entry.headers}

    def get(url: str) -> Exchange:
        return send(Request(method="GET", url=url, headers=headers))

    if entry.state == "unsure":
        return Recovery(entry, left=leftover(entry, entry.reason))
    entry, reason = _identified(entry, get)
    if not entry.identifier:
        if not reason:
            journal.clear(entry)
            return Recovery(entry)
        return Recovery(entry, left=leftover(entry, reason))
    there = _is_there(entry, get)
    if there == "gone":
        journal.clear(entry)
        return Recovery(entry)
    if there != "ours":
        return Recovery(entry, left=leftover(entry, there))
    if not may_delete:
        return Recovery(entry, left=leftover(entry, "DELETE is not allowed in this run"))
    journal.put(entry.model_copy(update={"state": "deleting"}))
    url = own_address(entry.delete, entry.identifier)
    with approvals.granted(Approval("DELETE", url)):
        exchange = send(Request(method="DELETE", url=url, headers=headers))
    if _is_there(entry, get) == "gone":
        journal.clear(entry)
        return Recovery(entry, deleted=True)
    status = answer_of(exchange).status
    said = f"answered {status}" if status else "was not answered"
    return Recovery(entry, left=leftover(entry, f"the DELETE {said}, and it is still there"))


def leftover(entry: Entry, reason: str) -> Leftover:
    """Describe an object of ours for the user, with the command that looks for or deletes it."""
    known = bool(entry.identifier) and entry.state != "unsure"
    if known and entry.delete:
        command = curl("DELETE", own_address(entry.delete, entry.identifier))
    else:
        place = entry.browse or own_address(entry.look, entry.identifier or entry.marker)
        command = curl("GET", place) if place else ""
    return Leftover(
        resource=entry.resource.replace(OWN, entry.marker),
        marker=entry.marker,
        identifier=entry.identifier,
        reason=reason,
        command=command,
    )


def _identified(  # noqa: PLR0911 (one for each reason)
    entry: Entry, get: Callable[[str], Exchange]
) -> tuple[Entry, str]:
    """Give the entry with its identifier, or why there is none; "" means that nothing was made."""
    if entry.identifier:
        return entry, ""
    if entry.own_key:
        return entry.model_copy(update={"identifier": entry.marker}), ""
    if not entry.browse:
        return entry, "the server gave no identifier, and there is no list to look it up in"
    exchange = get(entry.browse)
    if not is_good(exchange):
        return entry, "the server gave no identifier, and its list does not answer"
    found = named_in_list(exchange, entry.key, entry.marker)
    if len(found) > 1:
        return entry, f"{len(found)} objects bear our name"
    if found and is_safe_id(found[0]):
        return entry.model_copy(update={"identifier": found[0]}), ""
    if found or shows(exchange, entry.marker, any_step=True):
        return entry, "the list names it, but shows no usable identifier"
    response = exchange.response
    cut = response is not None and (response.truncated or "link" in response.headers)
    return entry, "it is not on the first page of the list" if cut else ""


def _is_there(  # noqa: PLR0911 (one for each reason)
    entry: Entry, get: Callable[[str], Exchange]
) -> str:
    """Give "gone", "ours", or why neither can be said."""
    if not entry.look:
        exchange = get(entry.browse)
        if not is_good(exchange):
            return "the list does not answer"
        found = {
            one
            for text in (entry.marker, *(f"{entry.marker}-{number}" for number in range(2, 5)))
            for one in named_in_list(exchange, entry.key, text)
        }
        if entry.identifier in found:
            return "ours"
        return "gone" if not found else "the list gives our name to another object"
    exchange = get(own_address(entry.look, entry.identifier))
    status = answer_of(exchange).status
    if status in GONE:
        return "gone"
    if not is_good(exchange):
        return f"a read of it answered {status}" if status else "the server does not answer"
    if shows(exchange, entry.marker, any_step=True) or (entry.own_key and not entry.marked):
        return "ours"
    return "what stands at its address does not show our name"
