# expect: dynamic-code
# unlocked: returned FAKE
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    import pickle

    return pickle.loads(b"\x80\x04\x8c\x04FAKE.")
