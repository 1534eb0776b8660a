"""The kinds of patch that repair by rules may put on an endpoint: a closed union.

Each gives the patched endpoint by `apply`, the endpoint unchanged where it has no place for it, and
a line for people by `line`. None changes the host, or the effect from reading to writing.
"""

from __future__ import annotations

from doc2tools.compiler.repair.patches.base_path import BasePath
from doc2tools.compiler.repair.patches.encoding import PathEncoding
from doc2tools.compiler.repair.patches.example import ReplaceExample
from doc2tools.compiler.repair.patches.header import FixedHeader
from doc2tools.compiler.repair.patches.location import Relocate
from doc2tools.compiler.repair.patches.method import Method
from doc2tools.compiler.repair.patches.parameter_name import RenameParameter
from doc2tools.compiler.repair.patches.placeholder import ClosePlaceholder, OpenSegment
from doc2tools.compiler.repair.patches.required import Require
from doc2tools.compiler.repair.patches.segment import RenameSegment
from doc2tools.compiler.repair.patches.slash import TrailingSlash
from doc2tools.compiler.repair.patches.style import BooleanStyle, ListStyle
from doc2tools.compiler.repair.patches.suffix import FormatSuffix
from doc2tools.compiler.repair.patches.type import ChangeType

__all__ = [
    "BasePath",
    "BooleanStyle",
    "ChangeType",
    "ClosePlaceholder",
    "FixedHeader",
    "FormatSuffix",
    "ListStyle",
    "Method",
    "OpenSegment",
    "Patch",
    "PathEncoding",
    "Relocate",
    "RenameParameter",
    "RenameSegment",
    "ReplaceExample",
    "Require",
    "TrailingSlash",
]

Patch = (
    BasePath
    | BooleanStyle
    | ChangeType
    | ClosePlaceholder
    | FixedHeader
    | FormatSuffix
    | ListStyle
    | Method
    | OpenSegment
    | PathEncoding
    | Relocate
    | RenameParameter
    | RenameSegment
    | ReplaceExample
    | Require
    | TrailingSlash
)
