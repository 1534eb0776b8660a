# expect: parameter-dropped
# unlocked: sent GET /status
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    return client().get("/status", path={"item_id": item_id}, query={"day": day, "tags": tags, "verbose": verbose})
