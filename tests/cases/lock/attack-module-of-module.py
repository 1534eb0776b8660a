# expect: forbidden-attribute
# unlocked: returned python
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    import json

    return json.codecs.builtins.open("/proc/self/status").read()
