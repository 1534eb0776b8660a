# expect: outside-changed
def show_item(item_id: str, *, day: date | str | None = client().get("/status"), tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    return client().get("/items/{item_id}", path={"item_id": item_id}, query={"day": day, "tags": tags, "verbose": verbose})
