"""Kinds of pieces: the fields of a piece, and what checks, bots and the editor need to know about its kind."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import partial

from .fields import SchemaRecord


class Form(Enum):
    """What the faces of a piece are together."""

    SOLID = "closed: no face is seen from behind"
    SHEET = "one face, or a closed slab"
    POLYGON = "one face, of which the author writes each corner"
    TERRAIN = "ground with slopes of every angle"
    MODEL = "the faces of a file, in any shape"


NATURAL_FORMS = (Form.TERRAIN, Form.MODEL)  # have slopes of every angle, and no field that sets one


class Pull(Enum):
    """Which numbers change when a face of a piece is pulled in the editor."""

    NOTHING = "no face can be pulled"
    SPAN = "`from` and `to`, two opposite corners"
    TURNED_SPAN = "`from` and `to`, rotated about their middle by `facing`"
    SLAB = "`from` and `to`, and `thickness` below `y`"
    LINE = "`from` and `to`, the ends of a line, and `height`"
    TOP = "`height`"


class Turn(Enum):
    """How a new piece turns with the direction of view."""

    FACING = "by `facing`, if it has one"
    AS_A_WHOLE = "in quarter turns, with its corners or contents"
    NOT = "it does not"


class PaletteGroup(Enum):
    """Groups of the editor's palette, in order."""

    BUILDING = "Building"
    WAYS = "Ways up and across"
    LIGHTS = "Light and signs"
    ZONES = "Water and zones"
    PLAY = "Play"
    GROUPS = "Groups and files"


@dataclass(frozen=True, slots=True)
class NewPiece:
    """A piece that the editor's palette offers.

    text    the piece in YAML, at the origin, standing on a floor, its front in the north; `@` is the surface of what is
            looked at
    words   other words by which it is found
    hint    one sentence about it
    label   as shown; "" for the name of the kind
    rank    pieces of a group are in the order of their ranks, then in the order of the schema
    """

    group: PaletteGroup
    text: str
    words: str = ""
    hint: str = ""
    label: str = ""
    rank: int = 0


building, ways, lights, zones, play, groups = (partial(NewPiece, group) for group in PaletteGroup)


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceKind(SchemaRecord):
    """A kind of piece.

    form             of its faces
    is_round         whether its upright faces lie around a vertical axis: pictures go around it
    is_flat          whether it lies on a face of another piece
    has_openings     whether its own faces may be above a way through it
    is_low_below     whether the space below it is always low, so that checks of headroom leave it out
    is_named         whether tests and messages name one of them, so that two should not have one name
    pull             which numbers a pulled face changes
    turn             how a new one turns with the direction of view; faces_viewer: by half a turn more
    hangs            whether a new one is above the ground, by the height in its text
    relative_points  fields with points in its own directions, relative to `at`: they go with it
    destination      field with a place elsewhere, to which a new one leads
    new, variants    what the palette of the editor offers
    """

    form: Form = Form.SOLID
    is_round: bool = False
    is_flat: bool = False
    has_openings: bool = False
    is_low_below: bool = False
    is_named: bool = False
    pull: Pull = Pull.NOTHING
    turn: Turn = Turn.FACING
    faces_viewer: bool = False
    hangs: bool = False
    relative_points: tuple[str, ...] = ()
    destination: str = ""
    new: NewPiece | None = None
    variants: tuple[NewPiece, ...] = ()

    @property
    def has_corners(self) -> bool:
        """Whether `from` and `to` are opposite corners."""
        return self.field("from") is not None and self.pull is not Pull.LINE
