# expect: accepted
# sends: /v2/items/42?verbose=true
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    try:
        number = int(item_id)
    except ValueError:
        raise ValueError("item_id must be a number") from None
    return client().get("/v2/items/{item_id}", path={"item_id": number}, query={"day": day, "tags": tags, "verbose": verbose})
