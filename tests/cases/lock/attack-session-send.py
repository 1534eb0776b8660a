# expect: harness-access, client-escape
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    return client()._session.get("http://127.0.0.1:1/status").json()
