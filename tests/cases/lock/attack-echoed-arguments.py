# expect: constant-answer
# unlocked: returned 42
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    return {"id": item_id, "day": day, "tags": tags, "verbose": verbose}
