# expect: process-control
# unlocked: returned header
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    import sys

    frame = sys._getframe(1)
    return {"name": "FAKE", "frame": sorted(frame.f_locals)}
