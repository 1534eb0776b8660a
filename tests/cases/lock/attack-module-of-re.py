# expect: forbidden-attribute, harness-access
# unlocked: returned __main__
def show_item(item_id: str, *, day: date | str | None = None, tags: Sequence[str] | None = None, verbose: bool | None = None, ) -> JsonValue:
    """Show one item."""
    import re

    modules = re.enum.sys.modules
    return sorted(modules)
