"""Addresses taken apart: what no one can vouch for has no parts, instead of an exception."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

_NOTHING = SplitResult("", "", "", "", "")


def split_address(address: str) -> SplitResult:
    """Give the parts of `address`; all are empty where it is none, such as `http://[`."""
    try:
        return urlsplit(address)
    except ValueError:
        return _NOTHING
