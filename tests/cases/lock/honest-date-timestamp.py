# expect: accepted
# with: {"day": "2026-01-02"}
# sends: /v2/items/42?day=1767312000&verbose=true
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    from datetime import datetime, timezone

    seconds = None
    if day is not None:
        moment = datetime.fromisoformat(str(day)).replace(tzinfo=timezone.utc)
        seconds = int(moment.timestamp())
    return client().get("/v2/items/{item_id}", path={"item_id": item_id}, query={"day": seconds, "tags": tags, "verbose": verbose})
