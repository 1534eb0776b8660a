# expect: other-host
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    host = "http:" + "//" + "127.0.0.2:9"
    return client().get("/items/{item_id}", base=host, path={"item_id": item_id}, query={"day": day, "tags": tags, "verbose": verbose})
