# expect: accepted
# with: {"tags": ["a", "b"]}
# sends: /v2/items/42?tags=a,b&verbose=true
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    joined_tags = ",".join(tags) if tags is not None else None
    return client().get("/v2/items/{item_id}", path={"item_id": item_id}, query={"day": day, "tags": joined_tags, "verbose": verbose})
