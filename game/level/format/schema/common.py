"""What several records of the level format share, and the words and bounds they draw on."""

from __future__ import annotations

from .fields import Field, Kind, Record, length, surface

FORMAT = 1
MOST_QUADS = 200_000
MOST_SIGNS = 500
MOST_LIGHTS = 100
MOST_TARGETS = 200
MOST_ZONES = 200
MOST_MOVERS = 100
MOST_CUPS = 100
MOST_EXHIBITS = 20
MOST_PIECES = 50_000
MOST_NESTED = 64  # pieces inside each other
MOST_FILES = 64  # that a level includes
MOST_INCLUDED = 8  # inside each other

TEXTURES = (
    "plain", "flagstone", "brick", "plaster", "planks", "grass", "tiles", "concrete", "metal", "ice", "belt", "earth",
    "sand",
)  # fmt: skip
FOOTSTEPS = ("stone", "wood", "grass", "metal", "tile", "ice", "carpet", "sand", "none")
PALETTES = ("day", "morning", "evening", "overcast", "night")
INTENDED = ("steep", "narrow", "low", "step", "fall", "pit", "unreached")  # the last three: check --walk
WALLS = ("north", "east", "south", "west")
AFTER = ("targets", "holes")
EXHIBITS = ("triangle", "resting")
DEFAULT_SURFACE = "default"

SURFACE = surface("surface", "What it is made of: a name from `surfaces`; grey and plain where none is given.")
COMMON = (
    SURFACE,
    Field("collide", Kind.FLAG, "Whether the player bumps into it.", True),
    Field("visible", Kind.FLAG, "Whether it is drawn.", True),
    Field("name", Kind.TEXT, "What to call it in findings and in the game."),
)
MEANT = Field(
    "intended",
    Kind.CHOICES,
    "Warnings that are meant here and stay silent.",
    choices=INTENDED,
    most=len(INTENDED),
)
TO_COMMON = (*COMMON, MEANT)
TILE = Field(
    "tile",
    Kind.NUMBER,
    "Splits it into quads of at most this size; 0 leaves it as large as can be.",
    0.0,
    "m",
    0.0,
    1000.0,
)

DOOR_FIELDS = (
    Field(
        "at",
        Kind.NUMBER,
        "Its middle, measured along the wall; the middle of the wall where not given.",
        None,
        "m",
    ),
    length("width", "Clear width.", 1.0),
    length("height", "Clear height.", 2.1),
)
WINDOW_FIELDS = (
    DOOR_FIELDS[0],
    length("width", "Clear width.", 1.2),
    length("height", "Clear height.", 1.2),
    length("sill", "Height of its lower edge above the foot of the wall.", 0.9),
)
ROOM_WALL = Field("wall", Kind.CHOICE, "Which wall it is in.", choices=WALLS, required=True)
DOOR = Record("door", "A doorway in a wall.", DOOR_FIELDS)
WINDOW = Record("window", "A window opening in a wall.", WINDOW_FIELDS)
ROOM_DOOR = Record(
    "door",
    "A doorway; `at` counts from the west end (north and south walls) or the north end, inside.",
    (ROOM_WALL, *DOOR_FIELDS),
)
ROOM_WINDOW = Record("window", "A window opening; `at` as for doors.", (ROOM_WALL, *WINDOW_FIELDS))

HOLE = Record(
    "hole",
    "A rectangular hole, seen from above.",
    (
        Field("from", Kind.PLAN, "One corner.", unit="m", required=True),
        Field("to", Kind.PLAN, "The corner across.", unit="m", required=True),
    ),
)


def openings(doors: Record, windows: Record) -> tuple[Field, ...]:
    return (
        Field("doors", Kind.RECORDS, "Doorways.", record=doors, most=32),
        Field("windows", Kind.RECORDS, "Window openings.", record=windows, most=32),
    )
