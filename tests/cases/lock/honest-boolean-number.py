# expect: accepted
# sends: /v2/items/42?verbose=1
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    flag = None if verbose is None else int(verbose)
    return client().get("/v2/items/{item_id}", path={"item_id": item_id}, query={"day": day, "tags": tags, "verbose": flag})
