# expect: process-control
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    import os
    import signal

    os.kill(os.getpid(), signal.SIGKILL)
