# expect: harness-access
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    from ..client import Client

    return Client("http://127.0.0.1:1").get("/status")
