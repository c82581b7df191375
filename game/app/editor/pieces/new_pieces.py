"""Entries of the palette of new pieces, from what the kinds of pieces offer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ....level.build.pieces import PIECES
from ....level.format.level_file import PLACES
from ....level.format.piece_kind import PaletteGroup, Piece

SURFACE_TOKEN = ", surface: @"  # replaced by the surface, or removed


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """Entry of the palette.

    label, group   as shown
    text           the piece in YAML; empty for an entry that cannot be placed now
    words          other words by which it is found
    hint           one sentence about it
    picture        image file
    surfaces       YAML texts of surfaces that the piece uses, by name
    """

    label: str
    text: str
    group: str = ""
    words: str = ""
    hint: str = ""
    picture: str = ""
    surfaces: tuple[tuple[str, str], ...] = ()

    @property
    def kind(self) -> type[Piece] | None:
        """Kind of the piece, with what it declares; None for an entry that cannot be placed now."""
        name = self.text.partition(":")[0]
        return PIECES.get(name) or PLACES.get(name)


PREFABS = "Prefabs"


def _new_pieces() -> Iterator[PaletteEntry]:
    """What the kinds of pieces offer, by group and rank."""
    kinds = (*PIECES.values(), *PLACES.values())
    offers = [(kind, new) for kind in kinds for new in (kind.new, *kind.variants) if new is not None]
    groups = list(PaletteGroup)
    offers.sort(key=lambda offer: (groups.index(offer[1].group), offer[1].rank))
    for kind, new in offers:
        yield PaletteEntry(new.label or kind.kind, new.text, new.group.value, new.words, new.hint)


NEW_PIECES = tuple(_new_pieces())
