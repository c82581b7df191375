"""The level itself and what is not a piece: spawns, goal, exits, sky, surfaces."""

from __future__ import annotations

from .balls import PLAY
from .common import AFTER, FOOTSTEPS, MOST_PIECES, PALETTES, TEXTURES
from .fields import Field, Kind, Record, facing, length
from .golf import GOLF
from .groups import PREFAB

SPAWN = Record(
    "spawn",
    "A start position of the player.",
    (
        Field("at", Kind.POINT, "Position of the feet.", unit="m", required=True),
        facing("Direction the player looks."),
        Field("name", Kind.TEXT, "Name of the spawn."),
    ),
    "{at: [0, 0, 6], facing: north}",
)
GOAL = Record(
    "goal",
    "The end of the level. It is reached when the feet are inside its sphere.",
    (
        Field("at", Kind.POINT, "Centre of the sphere.", unit="m", required=True),
        length("radius", "Radius of the sphere.", 1.0),
        Field("after", Kind.CHOICE, "What opens the goal: reaching all targets, or playing all holes.", choices=AFTER),
    ),
    "{at: [0, 6, -30], radius: 1.0}",
)
EXIT = Record(
    "exit",
    "An exit to another level, taken when the feet are inside its sphere.",
    (
        Field("at", Kind.POINT, "Centre of the sphere.", unit="m", required=True),
        length("radius", "Radius of the sphere.", 0.8),
        Field(
            "to",
            Kind.TEXT,
            "Path of the level relative to this file: in the same folder, next to it (`../`) or below it.",
            required=True,
            least=1,
            most=200,
        ),
        Field("name", Kind.TEXT, "Name of the destination. Default: the file name."),
        Field("spawn", Kind.TEXT, "Name of the spawn to start at. Default: the first."),
    ),
    "{at: [0, 0, -9], radius: 0.8, to: stairs.yaml, name: Stairs}",
)
SUN = Record(
    "sun",
    "The sun.",
    (
        Field("height", Kind.NUMBER, "Angle above the horizon.", 40.0, "degrees", 2, 90),
        Field(
            "from",
            Kind.ANGLE,
            "Compass direction of the sun, or degrees counter-clockwise from north.",
            120.0,
        ),
        Field("colour", Kind.COLOUR, "Colour of its light. Default: the palette's."),
    ),
)
SKY = Record(
    "sky",
    "Sky, sun and haze.",
    (
        Field("palette", Kind.CHOICE, "Colour palette.", "day", choices=PALETTES),
        Field("sun", Kind.RECORD, "The sun.", record=SUN),
        Field("haze", Kind.NUMBER, "Fraction of light lost per metre.", 0.004, "per metre", 0, 0.5),
        Field("zenith", Kind.COLOUR, "Colour overhead. Default: the palette's."),
        Field("horizon", Kind.COLOUR, "Colour at the horizon. Default: the palette's."),
    ),
    "{palette: day, sun: {height: 40, from: 120}, haze: 0.004}",
)
SURFACE_RECORD = Record(
    "surface",
    "A named surface: look and physical properties.",
    (
        Field("colour", Kind.COLOUR, "Colour.", "#9a9a96"),
        Field("texture", Kind.CHOICE, "Texture pattern at true scale.", "plain", choices=TEXTURES),
        Field(
            "friction",
            Kind.NUMBER,
            "Coefficient of friction. Slopes hold up to this tangent; below 1 starting and stopping are slower.",
            1.0,
            "",
            0,
            10,
        ),
        Field("bounce", Kind.NUMBER, "Fraction of the landing speed that it returns.", 0.0, "", 0, 1),
        Field("speed", Kind.NUMBER, "Walking speed factor; below 1 for mud.", 1.0, "", 0, 4),
        Field("flow", Kind.PLAN, "Conveyor velocity: east and south.", (0.0, 0.0), "m/s", -20, 20),
        Field("rub", Kind.NUMBER, "For walls: fraction of the speed along it that is lost.", 0.0, "", 0, 1),
        Field("roll", Kind.NUMBER, "Extra rolling resistance for balls, as a fraction of gravity.", 0.0, "", 0, 10),
        Field("soft", Kind.NUMBER, "Fraction of a ball's bounce that it absorbs; 1 for sand.", 0.0, "", 0, 1),
        Field(
            "footstep",
            Kind.CHOICE,
            "Footstep sound. Default: matches the texture.",
            choices=FOOTSTEPS,
        ),
    ),
    'stone: {colour: "#8d8a83", texture: flagstone, friction: 1.0}',
)
LEVEL = Record(
    "level",
    "The level file.",
    (
        Field("format", Kind.INTEGER, "Version of the file format: always 1.", required=True),
        Field("name", Kind.TEXT, "Name of the level. Default: the file name."),
        Field("about", Kind.TEXT, "A short description.", most=2000),
        Field("spawn", Kind.RECORD, "A start position of the player.", record=SPAWN),
        Field(
            "spawns",
            Kind.RECORDS,
            "More start positions; `spawn` or `spawns` is required.",
            record=SPAWN,
            most=64,
        ),
        Field("goal", Kind.RECORD, "The end of the level.", record=GOAL),
        Field("golf", Kind.RECORD, "Golf holes.", record=GOLF),
        Field("play", Kind.RECORD, "Rules for balls.", record=PLAY),
        Field("exits", Kind.RECORDS, "Exits to other levels.", record=EXIT, most=256),
        Field(
            "kill_height",
            Kind.NUMBER,
            "A player below this height respawns. Default: 20 m below the lowest corner.",
            None,
            "m",
        ),
        Field("sky", Kind.RECORD, "Sky, sun and haze.", record=SKY),
        Field("surfaces", Kind.NAMED, "Surfaces by name.", record=SURFACE_RECORD, most=250),
        Field(
            "define",
            Kind.PREFABS,
            "Prefabs: named pieces to `place` many times.",
            record=PREFAB,
            most=1000,
        ),
        Field(
            "ghosts",
            Kind.FLAG,
            "Keys 1 to 6 add ghosts that walk by other methods (docs/lab.md).",
            False,
        ),
        Field("pieces", Kind.PIECES, "The pieces of the level.", required=True, least=1, most=MOST_PIECES),
    ),
)
