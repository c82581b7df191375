"""Schema of the level itself, and of spawns, goal, exits and sky."""

from __future__ import annotations

from .balls import PLAY
from .common import GOAL_CONDITIONS, INTENDED_FIELD, MAX_PIECES, PALETTES
from .fields import SchemaField, SchemaRecord, ValueKind, base_point_field, facing_field, length_field
from .golf import GOLF
from .groups import PREFAB
from .level_tests import TESTS_FIELD
from .piece_kind import PieceKind, play
from .player import PLAYER_FIELD
from .surfaces import SURFACE_RECORD
from .trials import CHALLENGES_FIELD, MEDALS_FIELD

SPAWN = PieceKind(
    "spawn",
    "A start position of the player.",
    (
        base_point_field("Position of the feet."),
        facing_field("Direction the player looks."),
        SchemaField("name", ValueKind.TEXT, "Name of the spawn."),
        INTENDED_FIELD,
    ),
    "{at: [0, 0, 6], facing: north}",
    keeps_defaults=True,
    new=play(
        "spawn: {name: spawn, at: [0, 0, 0], facing: north}",
        "start begin player",
        "Where a player starts who comes here by name.",
        rank=-1,
    ),
)
GOAL = PieceKind(
    "goal",
    "The end of the level. It is reached when the feet are inside its sphere.",
    (
        base_point_field("Centre of the sphere."),
        length_field("radius", "Radius of the sphere.", 1.0),
        SchemaField(
            "after",
            ValueKind.CHOICE,
            "What opens the goal: reaching all targets, or playing all holes.",
            choices=GOAL_CONDITIONS,
        ),
        INTENDED_FIELD,
    ),
    "{at: [0, 6, -30], radius: 1.0}",
    keeps_defaults=True,
    new=play("goal: {at: [0, 0, 0], radius: 1}", "end finish", "The end of the level.", rank=-1),
)
EXIT = PieceKind(
    "exit",
    "An exit to another level, taken when the feet are inside its sphere. On an upright wall next to it the game shows "
    "a panel: picture, name and description of that level, and the player's best time.",
    (
        base_point_field("Centre of the sphere."),
        length_field("radius", "Radius of the sphere.", 0.8),
        SchemaField(
            "to",
            ValueKind.TEXT,
            "Path of the level relative to this file: in the same folder, next to it (`../`) or below it.",
            required=True,
            min_count=1,
            max_count=200,
        ),
        SchemaField("name", ValueKind.TEXT, "Name of the destination. Default: the file name."),
        SchemaField("spawn", ValueKind.TEXT, "Name of the spawn to start at. Default: the first."),
    ),
    "{at: [0, 0, -9], radius: 0.8, to: stairs.yaml, name: Stairs}",
)
SUN = SchemaRecord(
    "sun",
    "The sun.",
    (
        SchemaField("height", ValueKind.NUMBER, "Angle above the horizon.", 40.0, "degrees", 2, 90),
        SchemaField(
            "from", ValueKind.ANGLE, "Compass direction of the sun, or degrees counter-clockwise from north.", 120.0
        ),
        SchemaField("colour", ValueKind.COLOUR, "Colour of its light. Default: the palette's."),
    ),
)
SKY = SchemaRecord(
    "sky",
    "Sky, sun and haze.",
    (
        SchemaField("palette", ValueKind.CHOICE, "Colour palette.", "day", choices=PALETTES),
        SchemaField("sun", ValueKind.RECORD, "The sun.", record=SUN),
        SchemaField("haze", ValueKind.NUMBER, "Fraction of light lost per metre.", 0.004, "per metre", 0, 0.5),
        SchemaField("zenith", ValueKind.COLOUR, "Colour overhead. Default: the palette's."),
        SchemaField("horizon", ValueKind.COLOUR, "Colour at the horizon. Default: the palette's."),
    ),
    "{palette: day, sun: {height: 40, from: 120}, haze: 0.004}",
)
MAX_AIM_LENGTH = 120  # characters: two lines of the title card

LEVEL = SchemaRecord(
    "level",
    "The level file.",
    (
        SchemaField("format", ValueKind.INTEGER, "Version of the file format: always 1.", required=True),
        SchemaField("name", ValueKind.TEXT, "Name of the level. Default: the file name."),
        SchemaField("about", ValueKind.TEXT, "A short description.", max_count=2000),
        SchemaField(
            "aim",
            ValueKind.TEXT,
            "What the player is to do, in one sentence. Write the last step after `, then`: Find three gems, then "
            "reach the light. Default: made from the goal, targets and holes.",
            max_count=MAX_AIM_LENGTH,
        ),
        SchemaField("spawn", ValueKind.RECORD, "A start position of the player.", record=SPAWN),
        SchemaField(
            "spawns",
            ValueKind.RECORDS,
            "More start positions, each with a name for exits and tests; `spawn` or `spawns` is required.",
            record=SPAWN,
            max_count=64,
        ),
        PLAYER_FIELD,
        SchemaField("goal", ValueKind.RECORD, "The end of the level.", record=GOAL),
        MEDALS_FIELD,
        CHALLENGES_FIELD,
        SchemaField("golf", ValueKind.RECORD, "Golf holes.", record=GOLF),
        SchemaField("play", ValueKind.RECORD, "Rules for balls.", record=PLAY),
        SchemaField("exits", ValueKind.RECORDS, "Exits to other levels.", record=EXIT, max_count=256),
        SchemaField(
            "kill_height",
            ValueKind.NUMBER,
            "A player below this height respawns. Default: 20 m below the lowest corner.",
            None,
            "m",
        ),
        SchemaField("sky", ValueKind.RECORD, "Sky, sun and haze.", record=SKY),
        SchemaField("surfaces", ValueKind.NAMED, "Surfaces by name.", record=SURFACE_RECORD, max_count=250),
        SchemaField(
            "define", ValueKind.PREFABS, "Prefabs: named pieces to `place` many times.", record=PREFAB, max_count=1000
        ),
        SchemaField(
            "ghosts", ValueKind.FLAG, "Keys 1 to 6 add ghosts that walk by other methods (docs/lab.md).", False
        ),
        SchemaField(
            "pieces", ValueKind.PIECES, "The pieces of the level.", required=True, min_count=1, max_count=MAX_PIECES
        ),
        TESTS_FIELD,
    ),
)
