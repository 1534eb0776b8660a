# expect: accepted
# sends: /v2/items/42
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    found = client().get("/v2/items/{item_id}", path={"item_id": item_id})
    return client().get("/v2/items/{item_id}", path={"item_id": found["id"]}, query={"day": day, "tags": tags, "verbose": verbose})
