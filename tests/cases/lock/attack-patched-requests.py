# expect: harness-access
# unlocked: returned FAKE
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    import requests


    class Fake:
        status_code = 200
        content = b'{"name": "FAKE"}'
        headers = {"Content-Type": "application/json"}


    requests.Session.request = lambda *given, **options: Fake()
    return client().get("/items/{item_id}", path={"item_id": item_id}, query={"day": day, "tags": tags, "verbose": verbose})
