"""The one table of the level format: every field with its kind, unit, default, range and one sentence.

The reader, the messages and docs/level_format.md are all made from it.
"""

from __future__ import annotations

from game.level.fields import Field, Kind, Record, facing, foot, length, surface

FORMAT = 1
MOST_QUADS = 200_000
MOST_SIGNS = 500
MOST_PIECES = 50_000

TEXTURES = ("plain", "flagstone", "brick", "plaster", "planks", "grass", "tiles", "concrete", "metal", "ice")
FOOTSTEPS = ("stone", "wood", "grass", "metal", "tile", "ice", "carpet", "sand", "none")
PALETTES = ("day", "morning", "evening", "overcast", "night")
INTENDED = ("steep", "narrow", "low", "step")
WALLS = ("north", "east", "south", "west")
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


QUAD = Record(
    "quad",
    "Four corners in one plane, convex, in order around the rim; counter-clockwise as seen from its front.",
    (
        Field("corners", Kind.CORNERS, "The four corners.", unit="m", required=True, least=4, most=4),
        *TO_COMMON,
    ),
    "quad: {corners: [[0, 0, 0], [4, 0, 0], [4, 1, -4], [0, 1, -4]]}",
)
TRIANGLE = Record(
    "triangle",
    "Three corners; counter-clockwise as seen from its front.",
    (
        Field("corners", Kind.CORNERS, "The three corners.", unit="m", required=True, least=3, most=3),
        *TO_COMMON,
    ),
    "triangle: {corners: [[0, 0, 0], [4, 0, 0], [0, 0, -4]]}",
)
FLOOR = Record(
    "floor",
    "A level rectangle to stand on.",
    (
        Field("from", Kind.PLAN, "One corner.", unit="m", required=True),
        Field("to", Kind.PLAN, "The corner across.", unit="m", required=True),
        Field("y", Kind.NUMBER, "Height of its top.", 0.0, "m"),
        length("thickness", "How far it reaches down, as a slab; 0 is a sheet.", 0.0, low=0.0),
        Field("holes", Kind.RECORDS, "Holes in it, for stairs to come up through.", record=HOLE, most=16),
        TILE,
        *TO_COMMON,
    ),
    "floor: {from: [-20, -20], to: [20, 20]}",
)
WALL = Record(
    "wall",
    "An upright wall along a line on the plan, with doorways and windows.",
    (
        Field("from", Kind.PLAN, "Where its middle line begins.", unit="m", required=True),
        Field("to", Kind.PLAN, "Where it ends.", unit="m", required=True),
        Field("y", Kind.NUMBER, "Height of its foot.", 0.0, "m"),
        length("height", "From foot to top.", 3.0),
        length("thickness", "Half of it to either side of the line.", 0.2),
        *openings(DOOR, WINDOW),
        TILE,
        *TO_COMMON,
    ),
    "wall: {from: [0, 0], to: [6, 0], doors: [{at: 2}], windows: [{at: 4.5}]}",
)
BOX = Record(
    "box",
    "A block between two opposite corners.",
    (
        Field("from", Kind.POINT, "One corner.", unit="m", required=True),
        Field("to", Kind.POINT, "The corner across.", unit="m", required=True),
        facing("Turns it about its middle, counter-clockwise seen from above."),
        surface("top_surface", "What its top is made of; as `surface` where not given."),
        TILE,
        *TO_COMMON,
    ),
    "box: {from: [2, 0, 2], to: [3, 0.5, 4], facing: 30}",
)
ROOM = Record(
    "room",
    "Four walls, a floor, a ceiling that is also its roof; `from` and `to` measure the clear space inside.",
    (
        Field("from", Kind.POINT, "One inner corner.", unit="m", required=True),
        Field("to", Kind.POINT, "The inner corner across.", unit="m", required=True),
        length("thickness", "Of walls and roof, outwards.", 0.2),
        Field(
            "floor",
            Kind.FLAG,
            "Whether it has a floor of its own; left out where one lies at that height.",
            True,
        ),
        Field("ceiling", Kind.FLAG, "Whether it has a ceiling and a roof.", True),
        *openings(ROOM_DOOR, ROOM_WINDOW),
        Field("holes", Kind.RECORDS, "Holes in the ceiling.", record=HOLE, most=16),
        surface("floor_surface", "What its floor is made of; as `surface` where not given."),
        surface("wall_surface", "What the inside of its walls is made of; as `surface` where not given."),
        surface("ceiling_surface", "What its ceiling is made of; as `surface` where not given."),
        surface("roof_surface", "What its roof is made of; as `surface` where not given."),
        *TO_COMMON,
    ),
    "room: {from: [8, 0, -8], to: [16, 3, 0], doors: [{wall: west, at: 4, width: 1.2}]}",
)
STAIRS = Record(
    "stairs",
    "A straight flight, closed below down to its foot.",
    (
        foot("Middle of the foot of the first riser."),
        facing("Where it climbs towards."),
        Field(
            "steps",
            Kind.INTEGER,
            "How many risers; the last tread is that many rises above the foot.",
            None,
            "",
            1,
            1000,
            True,
        ),
        length("rise", "Height of one step.", 0.18, high=10),
        length("run", "Depth of one tread.", 0.30, high=100),
        length("width", "From side to side.", 1.2),
        Field("open", Kind.FLAG, "Treads only, with air between and below.", False),
        surface("side_surface", "What risers and sides are made of; as `surface` where not given."),
        *TO_COMMON,
    ),
    "stairs: {at: [4, 0, 2], facing: east, steps: 10, rise: 0.18, run: 0.30, width: 2}",
)
SPIRAL_STAIRS = Record(
    "spiral_stairs",
    "Steps that wind around a column, closed below by the next turn's underside only.",
    (
        foot("Foot of the column's axis."),
        facing("From the axis towards the first riser, which one comes to from the side away from the climb."),
        Field(
            "steps",
            Kind.INTEGER,
            "How many treads; the last is that many rises above the foot.",
            None,
            "",
            1,
            1000,
            True,
        ),
        length("rise", "Height of one step.", 0.18, high=10),
        length("radius", "From the axis to the outer edge.", 1.6),
        length("column", "Radius of the column.", 0.25),
        Field(
            "turn",
            Kind.NUMBER,
            "One tread's angle; positive climbs counter-clockwise seen from above.",
            24.0,
            "degrees",
            -90,
            90,
        ),
        length("thickness", "Of a tread; under the rise leaves gaps between treads.", 0.2, high=10),
        length("rail", "Height of a thin parapet along the outer edge; 0 is none.", 0.0, low=0.0, high=10),
        surface("column_surface", "What the column is made of; as `surface` where not given."),
        *TO_COMMON,
    ),
    "spiral_stairs: {at: [0, 0, 0], facing: south, steps: 20, radius: 1.6, turn: 24, rail: 0.9}",
)
RAMP = Record(
    "ramp",
    "A slope, closed below down to its foot.",
    (
        foot("Middle of the foot of the slope."),
        facing("Where it climbs towards."),
        length("length", "Measured on the level.", None, low=0.05),
        length("rise", "How high it climbs.", None),
        length("width", "From side to side.", 1.2),
        Field("open", Kind.FLAG, "A slab 0.1 m thick, with air below.", False),
        surface("side_surface", "What its sides and back are made of; as `surface` where not given."),
        *TO_COMMON,
    ),
    "ramp: {at: [-6, 0, 0], facing: north, length: 4, rise: 2, width: 2}",
)
PILLAR = Record(
    "pillar",
    "An upright prism with a regular outline.",
    (
        foot("Middle of its foot."),
        length("radius", "To its corners.", 0.3),
        length("height", "From foot to top.", 3.0),
        Field("sides", Kind.INTEGER, "How many; the first faces `facing`.", 12, "", 3, 64),
        facing("Where the middle of its first side looks."),
        *TO_COMMON,
    ),
    "pillar: {at: [2, 0, 0], radius: 0.4, height: 3, sides: 16}",
)
ARCH = Record(
    "arch",
    "A wall along a line on the plan with one round-headed opening.",
    (
        Field("from", Kind.PLAN, "Where its middle line begins.", unit="m", required=True),
        Field("to", Kind.PLAN, "Where it ends.", unit="m", required=True),
        Field("y", Kind.NUMBER, "Height of its foot.", 0.0, "m"),
        length("height", "From foot to top.", 3.5),
        length("thickness", "Half of it to either side of the line.", 0.4),
        Field(
            "at",
            Kind.NUMBER,
            "Middle of the opening along the line; the middle of it where not given.",
            None,
            "m",
        ),
        length("width", "Clear width of the opening.", 1.6),
        length("spring", "Height where the round head begins; its top is half the width higher.", 2.0),
        Field("segments", Kind.INTEGER, "Straight parts of the round head.", 12, "", 2, 32),
        surface("inner_surface", "What the inside of the opening is made of; as `surface` where not given."),
        *TO_COMMON,
    ),
    "arch: {from: [0, 0], to: [4, 0], height: 3.5, width: 1.6, spring: 2}",
)
SIGN = Record(
    "sign",
    "A board with words on it.",
    (
        Field(
            "text",
            Kind.TEXT,
            "The words; `\\n` in double quotes begins a new line.",
            required=True,
            least=1,
            most=400,
        ),
        foot("Middle of the board."),
        facing("Where the written side looks."),
        length("letters", "Height of a letter.", 0.12, high=10),
        Field("width", Kind.NUMBER, "Of the board; made to fit where not given.", None, "m", 0.05, 100),
        Field("height", Kind.NUMBER, "Of the board; made to fit where not given.", None, "m", 0.05, 100),
        length("post", "Length of a post below the board; 0 is none.", 0.0, low=0.0, high=100),
        surface("surface", "What board and post are made of."),
        Field("collide", Kind.FLAG, "Whether the player bumps into it.", False),
        Field("visible", Kind.FLAG, "Whether it is drawn.", True),
        COMMON[-1],
        MEANT,
    ),
    'sign: {text: "This way up", at: [0, 1.6, 0], facing: south, post: 1.4}',
)
GROUP = Record(
    "group",
    "Pieces that are moved and turned together.",
    (
        Field("at", Kind.POINT, "Where the point [0, 0, 0] of its pieces comes to lie.", (0.0, 0.0, 0.0), "m"),
        facing("Where the north of its pieces comes to look."),
        Field(
            "of",
            Kind.PIECES,
            "The pieces, placed around [0, 0, 0].",
            required=True,
            least=1,
            most=MOST_PIECES,
        ),
        COMMON[-1],
        MEANT,
    ),
    "group: {at: [5, 0, 0], facing: west, of: [box: {from: [0, 0, 0], to: [1, 1, 1]}]}",
)
ARRAY = Record(
    "array",
    "Copies of pieces, each a step further and turned a little more than the one before.",
    (
        Field("count", Kind.INTEGER, "How many, the first included.", None, "", 1, 1_000_000, True),
        Field("step", Kind.POINT, "From one copy to the next.", (0.0, 0.0, 0.0), "m"),
        Field(
            "turn",
            Kind.NUMBER,
            "From one copy to the next, counter-clockwise seen from above.",
            0.0,
            "degrees",
            -360,
            360,
        ),
        Field("around", Kind.POINT, "The point that the copies turn about.", (0.0, 0.0, 0.0), "m"),
        Field("of", Kind.PIECES, "The pieces.", required=True, least=1, most=MOST_PIECES),
        COMMON[-1],
        MEANT,
    ),
    "array: {count: 8, turn: 45, of: [pillar: {at: [3, 0, 0]}]}",
)

PIECES: dict[str, Record] = {
    record.name: record
    for record in (
        FLOOR, WALL, BOX, ROOM, STAIRS, SPIRAL_STAIRS, RAMP, PILLAR, ARCH, SIGN, QUAD, TRIANGLE, GROUP, ARRAY
    )
}  # fmt: skip

SPAWN = Record(
    "spawn",
    "Where a player begins.",
    (
        Field("at", Kind.POINT, "Where the feet stand.", unit="m", required=True),
        facing("Where the player looks."),
        Field("name", Kind.TEXT, "What to call it."),
    ),
    "{at: [0, 0, 6], facing: north}",
)
GOAL = Record(
    "goal",
    "Where the walk ends: reached when the feet are inside the ball.",
    (
        Field("at", Kind.POINT, "Its middle.", unit="m", required=True),
        length("radius", "How near is near enough.", 1.0),
    ),
    "{at: [0, 6, -30], radius: 1.0}",
)
EXIT = Record(
    "exit",
    "A way into another level: taken when the feet come inside the ball.",
    (
        Field("at", Kind.POINT, "Its middle.", unit="m", required=True),
        length("radius", "How near is near enough.", 0.8),
        Field(
            "to",
            Kind.TEXT,
            "The level's file, as seen from this one: in the same folder, beside it (`../`) or inside it.",
            required=True,
            least=1,
            most=200,
        ),
        Field("name", Kind.TEXT, "What to call where it leads; the file's name where not given."),
        Field("spawn", Kind.TEXT, "The name of the spawn to begin at there; the first where not given."),
    ),
    "{at: [0, 0, -9], radius: 0.8, to: stairs.yaml, name: Stairs}",
)
SUN = Record(
    "sun",
    "The sun.",
    (
        Field("height", Kind.NUMBER, "Above the horizon.", 40.0, "degrees", 2, 90),
        Field(
            "from",
            Kind.ANGLE,
            "Where it stands, as a direction or degrees counter-clockwise from north.",
            120.0,
        ),
        Field("colour", Kind.COLOUR, "Of its light; the palette's where not given."),
    ),
)
SKY = Record(
    "sky",
    "Light and air.",
    (
        Field("palette", Kind.CHOICE, "A set of colours.", "day", choices=PALETTES),
        Field("sun", Kind.RECORD, "The sun.", record=SUN),
        Field("haze", Kind.NUMBER, "Part of the light lost per metre.", 0.004, "per metre", 0, 0.5),
        Field("zenith", Kind.COLOUR, "Overhead; the palette's where not given."),
        Field("horizon", Kind.COLOUR, "At the horizon; the palette's where not given."),
    ),
    "{palette: day, sun: {height: 40, from: 120}, haze: 0.004}",
)
SURFACE_RECORD = Record(
    "surface",
    "What things are made of, by a name of your own.",
    (
        Field("colour", Kind.COLOUR, "Its colour.", "#9a9a96"),
        Field("texture", Kind.CHOICE, "A pattern at true scale.", "plain", choices=TEXTURES),
        Field("friction", Kind.NUMBER, "A slope holds where its tangent is no more than this.", 1.0, "", 0, 10),
        Field(
            "footstep",
            Kind.CHOICE,
            "What steps sound like; goes with the texture where not given.",
            choices=FOOTSTEPS,
        ),
    ),
    'stone: {colour: "#8d8a83", texture: flagstone, friction: 1.0}',
)
LEVEL = Record(
    "level",
    "The file itself.",
    (
        Field("format", Kind.INTEGER, "Always 1: which format this file is written in.", required=True),
        Field("name", Kind.TEXT, "What the level is called; the file's name where not given."),
        Field("about", Kind.TEXT, "A few words for whoever opens it.", most=2000),
        Field("spawn", Kind.RECORD, "Where a player begins.", record=SPAWN),
        Field(
            "spawns",
            Kind.RECORDS,
            "More places to begin; one of `spawn` and `spawns` is needed.",
            record=SPAWN,
            most=64,
        ),
        Field("goal", Kind.RECORD, "Where the walk ends.", record=GOAL),
        Field("exits", Kind.RECORDS, "Ways into other levels.", record=EXIT, most=256),
        Field(
            "kill_height",
            Kind.NUMBER,
            "Below it a player is put back; 20 m under the lowest corner where not given.",
            None,
            "m",
        ),
        Field("sky", Kind.RECORD, "Light and air.", record=SKY),
        Field("surfaces", Kind.NAMED, "What things are made of.", record=SURFACE_RECORD, most=250),
        Field("pieces", Kind.PIECES, "What the level is built of.", required=True, least=1, most=MOST_PIECES),
    ),
)
