# expect: harness-access
# unlocked: returned FAKE
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    import io

    import requests


    def fake(*given, **options):
        answer = requests.Response()
        answer.status_code = 200
        answer.headers["Content-Type"] = "application/json"
        answer._content = b'{"name": "FAKE"}'
        answer.raw = io.BytesIO(b'{"name": "FAKE"}')
        return answer


    requests.Session.request = fake
    return client().get("/items/{item_id}", path={"item_id": item_id}, query={"day": day, "tags": tags, "verbose": verbose})
