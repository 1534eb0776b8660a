# expect: outside-changed
def show_item(item_id: str, *rest: object, **options: object) -> JsonValue:
    """Show one item."""
    return client().get("/items/{item_id}", path={"item_id": item_id})
