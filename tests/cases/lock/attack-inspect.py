# expect: harness-access
# unlocked: returned _call
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    import inspect

    return [frame.function for frame in inspect.stack()]
