# expect: dynamic-key
# unlocked: sent GET /items/42
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    name = "X-HTTP-Method" + "-Override"
    return client().get("/items/{item_id}", path={"item_id": item_id}, headers={name: "DELETE"}, query={"day": day, "tags": tags, "verbose": verbose})
