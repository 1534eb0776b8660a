# expect: forbidden-name, parameter-dropped
# unlocked: sent GET /items
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    return list_items()
