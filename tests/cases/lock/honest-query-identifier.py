# expect: accepted
# sends: /v2/items?id=42&verbose=true
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    return client().get("/v2/items", query={"id": item_id, "day": day, "tags": tags, "verbose": verbose})
