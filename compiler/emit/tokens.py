"""How much of a model's context a package's tools take. A token is counted as four bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from doc2tools.compiler.emit.mcp_tools import definition, exported, wire
from doc2tools.compiler.ir.base import JsonValue

BYTES_PER_TOKEN = 4
LISTED = 5


def tokens(size: int) -> int:
    """Give the tokens of `size` bytes, rounded up."""
    return -(-size // BYTES_PER_TOKEN)


def listing_tokens(definitions: Sequence[Mapping[str, JsonValue]]) -> int:
    """Give the tokens of a `tools/list` result with these tools."""
    return tokens(len(wire({"tools": [dict(item) for item in definitions]})))


def tool_tokens(manifest: Mapping[str, JsonValue]) -> list[tuple[str, int]]:
    """Give each exported tool's share of `tools/list`, the largest first."""
    shares = [(str(e["name"]), tokens(len(wire(definition(e))))) for e in exported(manifest)]
    return sorted(shares, key=lambda share: (-share[1], share[0]))


def package_tokens(manifest: Mapping[str, JsonValue]) -> int:
    """Give the tokens of `tools/list` with all tools that the package holds."""
    return listing_tokens([definition(entry) for entry in exported(manifest)])


def largest_answers(manifest: Mapping[str, JsonValue]) -> list[tuple[str, int]]:
    """Give the tools whose proved answers take the most tokens, the largest first."""
    found: list[tuple[str, int]] = []
    for entry in exported(manifest):
        response = entry.get("response")
        size = response.get("bytes") if isinstance(response, dict) else None
        if isinstance(size, int):
            found.append((str(entry["name"]), tokens(size)))
    return sorted(found, key=lambda answer: (-answer[1], answer[0]))[:LISTED]


def summary(manifest: Mapping[str, JsonValue]) -> JsonValue:
    """Give what the manifest says of tokens."""
    largest: list[JsonValue] = [
        {"tool": name, "tokens": count} for name, count in largest_answers(manifest)
    ]
    return {"tools_list": package_tokens(manifest), "largest_answers": largest}


def excess(manifest: Mapping[str, JsonValue], limit: int) -> str:
    """Say by how much `tools/list` is over a limit, and through which tools; "" where it is not.

    Args:
        manifest: The package's manifest.
        limit: Tokens; 0 means no limit.
    """
    count = package_tokens(manifest)
    if not limit or count <= limit:
        return ""
    shares = tool_tokens(manifest)
    largest = ", ".join(f"{name} {share:,}" for name, share in shares[:LISTED])
    return (
        f"tools/list takes {count:,} tokens, more than the {limit:,} allowed; "
        f"the largest of {len(shares)} tools: {largest}"
    )
