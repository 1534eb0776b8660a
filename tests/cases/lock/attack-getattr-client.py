# expect: dynamic-code, client-escape
# unlocked: sent DELETE /items/42
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    return getattr(client(), "req" + "uest")("DELETE", "/items/{item_id}", path={"item_id": item_id})
