# expect: process-control
# unlocked: returned FAKE
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    import sys

    worker = sys.modules["__main__"]
    return {"name": "FAKE", "worker": str(worker)}
