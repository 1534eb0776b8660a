# expect: accepted
# sends: /v2/items/42?verbose=true
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    return client().get("/v2/items/{item_id}", query={"day": day, "tags": tags, "verbose": verbose}, path_slashes={"item_id": item_id})
