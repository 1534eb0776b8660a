# expect: accepted
# sends: /api/items/42?verbose=true
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    return client().get("/items/{item_id}", base="http://127.0.0.1:PORT/api", path={"item_id": item_id}, query={"day": day, "tags": tags, "verbose": verbose})
