"""The manifest's ledger: what the questions to a model took, page by page and tool by tool.

It says what the replies took when they were made. What a later compile reads from the state folder
costs nothing then, but changes nothing here: the same input gives the same bytes.
"""

from __future__ import annotations

from doc2tools.compiler.ir.base import JsonValue
from doc2tools.compiler.ir.ledger import Ledger

__all__ = ["ledger_json"]


def ledger_json(ledger: Ledger | None) -> JsonValue:
    """Give the ledger as JSON; null where no model was used."""
    if ledger is None:
        return None
    return {
        "model": ledger.model,
        "questions": ledger.questions,
        "tokens_in": ledger.tokens_in,
        "tokens_out": ledger.tokens_out,
        "tokens": ledger.tokens_in + ledger.tokens_out,
        "entries": [
            {
                "about": entry.matter,
                "subject": entry.subject,
                "questions": entry.questions,
                "tokens_in": entry.tokens_in,
                "tokens_out": entry.tokens_out,
            }
            for entry in ledger.entries
        ],
        "left_open": list(ledger.left_open),
        "reason": ledger.reason,
    }
