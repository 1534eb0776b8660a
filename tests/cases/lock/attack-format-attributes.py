# expect: format-trick
# unlocked: returned FAKE
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    text = "{0.__class__.__mro__}".format(item_id)
    return {"name": "FAKE", "text": text}
