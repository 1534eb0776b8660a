# expect: scope-escape, rebinding
# unlocked: returned FAKE
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    global client
    client = dict
    return {"name": "FAKE"}
