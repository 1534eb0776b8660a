# expect: swallowed-exception, constant-answer
# unlocked: returned FAKE
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    try:
        answer = 1
    finally:
        return {"name": "FAKE"}
