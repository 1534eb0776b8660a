# expect: accepted
# sends: /v2/items/42
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    headers = {"X-Verbose": verbose, "X-Day": day, "X-Tags": tags}
    return client().get("/v2/items/{item_id}", path={"item_id": item_id}, headers=headers)
