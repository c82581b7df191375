"""Fields, limits and words that several records of the schema share."""

from __future__ import annotations

from .fields import SchemaField, SchemaRecord, ValueKind, corner_fields, length_field

FORMAT = 1
MAX_QUADS = 200_000
MAX_SIGNS = 500
MAX_LIGHTS = 100
MAX_TARGETS = 200
MAX_ZONES = 200
MAX_MOVERS = 100
MAX_CUPS = 100
MAX_EXHIBITS = 20
MAX_PIECES = 50_000
MAX_NESTING = 64  # depth of pieces inside pieces
MAX_INCLUDED_FILES = 64
MAX_INCLUDE_DEPTH = 8  # includes inside includes

TEXTURES = (
    "plain", "flagstone", "brick", "plaster", "planks", "grass", "tiles", "concrete", "metal", "ice", "belt", "earth",
    "sand", "leaves",
)  # fmt: skip
FOOTSTEPS = ("stone", "wood", "grass", "metal", "tile", "ice", "carpet", "sand", "none")
PALETTES = ("day", "morning", "evening", "overcast", "night")
INTENDED_KINDS = (
    "steep",
    "narrow",
    "low",
    "step",
    "closed",
    "overlap",
    "void",
    "buried",
    "floating",
    "still",
    "name",
    "font",
    "afloat",
    "fall",
    "pit",
    "unreached",
)  # the last three are warnings of `check --walk`
WALLS = ("north", "east", "south", "west")
GOAL_CONDITIONS = ("targets", "holes")
EXHIBITS = ("triangle", "resting")
SAMPLINGS = ("smooth", "nearest")
ALIGNMENTS = ("piece", "level")
DECAL_BASES = ("wall", "floor", "ceiling")
DEFAULT_SURFACE = "default"

SURFACE = ValueKind.SURFACE.field("surface", "Surface: a name from `surfaces`. Default: plain grey.")
COMMON_FIELDS = (
    SURFACE,
    ValueKind.FLAG.field("collide", "Whether the player collides with it.", True),
    ValueKind.FLAG.field("visible", "Whether it is drawn.", True),
    ValueKind.TEXT.field("name", "Name shown in findings and in the game."),
)
INTENDED_FIELD = ValueKind.CHOICES.field(
    "intended", "Warnings to suppress for this piece.", choices=INTENDED_KINDS, max_count=len(INTENDED_KINDS)
)
COMMON_FIELDS_WITH_INTENDED = (*COMMON_FIELDS, INTENDED_FIELD)
TILE = ValueKind.NUMBER.field(
    "tile", "Splits it into quads of at most this size; 0 does not split.", 0.0, "m", 0.0, 1000.0
)

DOOR_FIELDS = (
    ValueKind.NUMBER.field("at", "Position of its centre along the wall. Default: the middle of the wall.", None, "m"),
    length_field("width", "Clear width.", 1.0),
    length_field("height", "Clear height.", 2.1),
)
WINDOW_FIELDS = (
    DOOR_FIELDS[0],
    length_field("width", "Clear width.", 1.2),
    length_field("height", "Clear height.", 1.2),
    length_field("sill", "Height of its lower edge above the bottom of the wall.", 0.9),
)
ROOM_WALL = ValueKind.CHOICE.field("wall", "The wall it is in.", choices=WALLS, required=True)
DOOR = SchemaRecord("door", "A doorway in a wall.", DOOR_FIELDS)
WINDOW = SchemaRecord("window", "A window opening in a wall.", WINDOW_FIELDS)
ROOM_DOOR = SchemaRecord(
    "door",
    "A doorway; `at` is measured inside, from the west end (north and south walls) or the north end.",
    (ROOM_WALL, *DOOR_FIELDS),
)
ROOM_WINDOW = SchemaRecord("window", "A window opening; `at` is measured as for doors.", (ROOM_WALL, *WINDOW_FIELDS))

HOLE = SchemaRecord("hole", "A rectangular hole, seen from above.", (*corner_fields(ValueKind.PLAN),))


def pieces_field(doc: str) -> SchemaField:
    """The required list of pieces `of` of a container."""
    return ValueKind.PIECES.field("of", doc, required=True, min_count=1, max_count=MAX_PIECES)


def opening_fields(doors: SchemaRecord, windows: SchemaRecord) -> tuple[SchemaField, ...]:
    """Fields for the doors and windows of a wall or room."""
    return (
        ValueKind.RECORDS.field("doors", "Doorways.", record=doors, max_count=32),
        ValueKind.RECORDS.field("windows", "Window openings.", record=windows, max_count=32),
    )
