# expect: swallowed-exception
# unlocked: returned null
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    try:
        answer = client().get("/items/{item_id}", path={"item_id": item_id}, query={"day": day, "tags": tags, "verbose": verbose})
    except Exception:
        answer = None
    return answer
