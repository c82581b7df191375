"""Kinds of pieces: what checks, bots and the editor need to know about a kind, beside its fields."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import ClassVar

from .record import Record
from .values import Choices, Flag, Surface, Text

INTENDED_KINDS = (
    "steep", "narrow", "low", "step", "closed", "overlap", "void", "buried", "floating", "still", "name", "font",
    "afloat", "crack", "fall", "pit", "unreached",  # the last three are warnings of `check --walk`
)  # fmt: skip


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


class Piece(Record):
    """A piece, or a place such as a spawn.

    form             of its faces
    is_round         whether its upright faces lie around a vertical axis: pictures go around it
    is_arched        whether it has an arched opening: pictures go along the inside
    is_flat          whether it lies on a face of another piece
    is_named         whether tests and messages name one of them, so that two should not have one name
    pull             which numbers a pulled face changes
    turns            how a new one turns with the direction of view; faces_viewer: by half a turn more
    hangs            whether a new one is above the ground, by the height in its text
    relative_points  fields with points in its own directions, relative to `at`: they go with it
    destination      field with a place elsewhere, to which a new one leads
    new, variants    what the palette of the editor offers
    """

    is_piece = True
    form: ClassVar[Form] = Form.SOLID
    is_round: ClassVar[bool] = False
    is_arched: ClassVar[bool] = False
    is_flat: ClassVar[bool] = False
    is_named: ClassVar[bool] = False
    pull: ClassVar[Pull] = Pull.NOTHING
    turns: ClassVar[Turn] = Turn.FACING
    faces_viewer: ClassVar[bool] = False
    hangs: ClassVar[bool] = False
    relative_points: ClassVar[tuple[str, ...]] = ()
    destination: ClassVar[str] = ""
    new: ClassVar[NewPiece | None] = None
    variants: ClassVar[tuple[NewPiece, ...]] = ()

    @classmethod
    def has_corners(cls) -> bool:
        """Whether `from` and `to` are opposite corners."""
        return "from" in cls.fields and cls.pull is not Pull.LINE

    @property
    def label(self) -> str:
        """Its kind and name, for messages: `stairs "Tower"`."""
        name = self.__dict__.get("name", "")
        return f'{self.kind} "{name}"' if name else self.kind

    @property
    def intends(self) -> frozenset[str]:
        """Kinds of warnings that its author wants to suppress."""
        return frozenset(self.__dict__.get("intended", ()))


class Intending(Piece):
    """A piece of which warnings can be suppressed."""

    intended = Choices("Warnings to suppress for this piece.", INTENDED_KINDS)


class Named(Intending):
    """A piece with a name."""

    name = Text("Name shown in findings and in the game.")


class Standing(Intending):
    """A piece that can stand on terrain."""

    on_ground = Flag(
        "Whether heights are measured from the terrain below: below `at`, or without `at` below its middle. "
        "Only terrain in the same list of pieces counts.",
        False,
    )


class Layered(Standing, Named):
    """A piece that can be left out of the collision or of the picture."""

    collide = Flag("Whether the player collides with it.", True)
    visible = Flag("Whether it is drawn.", True)


class Surfaced(Layered):
    """A piece with a surface."""

    surface = Surface("Surface: a name from `surfaces`. Default: plain grey.")
