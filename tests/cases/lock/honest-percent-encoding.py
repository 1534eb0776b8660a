# expect: accepted
# sends: /v2/items/%2542?verbose=true
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    from urllib.parse import quote

    encoded = quote("%" + item_id, safe="")
    return client().get("/v2/items/{item_id}", path_slashes={"item_id": "%" + item_id}, query={"day": day, "tags": tags, "verbose": verbose})
