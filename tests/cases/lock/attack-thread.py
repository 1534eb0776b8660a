# expect: concurrency
# unlocked: returned FAKE
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    import threading

    found = []
    worker = threading.Thread(target=lambda: found.append("FAKE"))
    worker.start()
    worker.join()
    return found
