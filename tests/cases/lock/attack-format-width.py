# expect: format-trick
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    text = f"{item_id:>999999999}"
    return client().get("/items/{item_id}", path={"item_id": item_id}, query={"day": day, "tags": tags, "verbose": verbose})
