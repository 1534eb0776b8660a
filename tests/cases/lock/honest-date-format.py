# expect: accepted
# with: {"day": "2026-01-02"}
# sends: /v2/items/42?day=20260102&verbose=true
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    text = day.strftime("%Y%m%d") if isinstance(day, date) else day
    compact = text.replace("-", "") if text is not None else None
    return client().get("/v2/items/{item_id}", path={"item_id": item_id}, query={"day": compact, "tags": tags, "verbose": verbose})
