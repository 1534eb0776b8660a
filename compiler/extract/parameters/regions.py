"""What a stretch of the page says of parameters, before it is known whose they are."""

from __future__ import annotations

from dataclasses import dataclass, field

from doc2tools.compiler.extract.parameters.mention import Mention
from doc2tools.compiler.extract.parameters.prose import Told
from doc2tools.compiler.extract.parameters.roles import Role
from doc2tools.compiler.ir.source import Span


@dataclass(frozen=True, slots=True)
class Listing:
    """A table or list of parameters, and where it stands.

    Attributes:
        index: Outline entry.
        role: What announced it, if anything.
        sure: It is a parameter list by its own head or by what announced it; else only names
            known from elsewhere can tell.
        firm: Its own head speaks of parameters.
        plausible: Nothing speaks against its listing what is sent: no answer was shown before.
    """

    index: int
    role: Role | None
    sure: bool
    mentions: list[Mention]
    plausible: bool = False
    firm: bool = False


@dataclass(slots=True)
class Region:
    """What a stretch of the page says of parameters.

    Attributes:
        demanded: Words of sentences that say what must be given.
        spared: Names that an address holds in brackets.
        answers: Keys of the sample answers.
    """

    listings: list[Listing] = field(default_factory=list[Listing])
    told: list[tuple[int, Told]] = field(default_factory=list[tuple[int, Told]])
    demanded: list[tuple[str, Span]] = field(default_factory=list[tuple[str, Span]])
    spared: list[tuple[str, Span]] = field(default_factory=list[tuple[str, Span]])
    answers: set[str] = field(default_factory=set[str])
    bodies: list[tuple[int, list[Mention]]] = field(default_factory=list[tuple[int, list[Mention]]])


def is_record(listing: Listing, region: Region) -> bool:
    """Tell whether an unannounced list has the fields that a sample answer beside it shows."""
    if listing.firm or listing.role is not None or len(listing.mentions) < 3:
        return False
    shown = sum(1 for mention in listing.mentions if mention.name in region.answers)
    return shown >= 0.7 * len(listing.mentions)
