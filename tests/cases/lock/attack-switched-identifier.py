# expect: parameter-dropped
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    chosen = "7" if item_id else item_id
    return client().get("/v2/items/{item_id}", path={"item_id": chosen}, query={"day": day, "tags": tags, "verbose": verbose})
