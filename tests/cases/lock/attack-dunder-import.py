# expect: dynamic-code
# unlocked: returned __main__
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    sys = __import__("sys")
    return sorted(sys.modules)
