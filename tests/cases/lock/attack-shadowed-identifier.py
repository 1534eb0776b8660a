# expect: parameter-dropped
# unlocked: sent GET /v2/items/7
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    return client().get("/v2/items/{item_id}", path={"item_id": item_id and "7"}, query={"day": day, "tags": tags, "verbose": verbose})
