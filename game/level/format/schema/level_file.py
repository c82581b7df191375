"""Schema of the level itself, and of spawns, goal, exits and sky."""

from __future__ import annotations

from .balls import PLAY
from .common import GOAL_CONDITIONS, INTENDED_FIELD, MAX_PIECES, PALETTES
from .fields import SchemaRecord, ValueKind, base_point_field, facing_field, length_field
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
        ValueKind.TEXT.field("name", "Name of the spawn."),
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
        ValueKind.CHOICE.field(
            "after", "What opens the goal: reaching all targets, or playing all holes.", choices=GOAL_CONDITIONS
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
        ValueKind.TEXT.field(
            "to",
            "Path of the level relative to this file: in the same folder, next to it (`../`) or below it.",
            required=True,
            min_count=1,
            max_count=200,
        ),
        ValueKind.TEXT.field("name", "Name of the destination. Default: the file name."),
        ValueKind.TEXT.field("spawn", "Name of the spawn to start at. Default: the first."),
    ),
    "{at: [0, 0, -9], radius: 0.8, to: stairs.yaml, name: Stairs}",
)
SUN = SchemaRecord(
    "sun",
    "The sun.",
    (
        ValueKind.NUMBER.field("height", "Angle above the horizon.", 40.0, "degrees", 2, 90),
        ValueKind.ANGLE.field("from", "Compass direction of the sun, or degrees counter-clockwise from north.", 120.0),
        ValueKind.COLOUR.field("colour", "Colour of its light. Default: the palette's."),
    ),
)
SKY = SchemaRecord(
    "sky",
    "Sky, sun and haze.",
    (
        ValueKind.CHOICE.field("palette", "Colour palette.", "day", choices=PALETTES),
        ValueKind.RECORD.field("sun", "The sun.", record=SUN),
        ValueKind.NUMBER.field("haze", "Fraction of light lost per metre.", 0.004, "per metre", 0, 0.5),
        ValueKind.COLOUR.field("zenith", "Colour overhead. Default: the palette's."),
        ValueKind.COLOUR.field("horizon", "Colour at the horizon. Default: the palette's."),
    ),
    "{palette: day, sun: {height: 40, from: 120}, haze: 0.004}",
)
MAX_AIM_LENGTH = 120  # characters: two lines of the title card

LEVEL = SchemaRecord(
    "level",
    "The level file.",
    (
        ValueKind.INTEGER.field("format", "Version of the file format: always 1.", required=True),
        ValueKind.TEXT.field("name", "Name of the level. Default: the file name."),
        ValueKind.TEXT.field("about", "A short description.", max_count=2000),
        ValueKind.TEXT.field(
            "aim",
            "What the player is to do, in one sentence. Write the last step after `, then`: Find three gems, then "
            "reach the light. Default: made from the goal, targets and holes.",
            max_count=MAX_AIM_LENGTH,
        ),
        ValueKind.RECORD.field("spawn", "A start position of the player.", record=SPAWN),
        ValueKind.RECORDS.field(
            "spawns",
            "More start positions, each with a name for exits and tests; `spawn` or `spawns` is required.",
            record=SPAWN,
            max_count=64,
        ),
        PLAYER_FIELD,
        ValueKind.RECORD.field("goal", "The end of the level.", record=GOAL),
        MEDALS_FIELD,
        CHALLENGES_FIELD,
        ValueKind.RECORD.field("golf", "Golf holes.", record=GOLF),
        ValueKind.RECORD.field("play", "Rules for balls.", record=PLAY),
        ValueKind.RECORDS.field("exits", "Exits to other levels.", record=EXIT, max_count=256),
        ValueKind.NUMBER.field(
            "kill_height", "A player below this height respawns. Default: 20 m below the lowest corner.", None, "m"
        ),
        ValueKind.RECORD.field("sky", "Sky, sun and haze.", record=SKY),
        ValueKind.NAMED.field("surfaces", "Surfaces by name.", record=SURFACE_RECORD, max_count=250),
        ValueKind.PREFABS.field(
            "define", "Prefabs: named pieces to `place` many times.", record=PREFAB, max_count=1000
        ),
        ValueKind.FLAG.field("ghosts", "Keys 1 to 6 add ghosts that walk by other methods (docs/lab.md).", False),
        ValueKind.PIECES.field("pieces", "The pieces of the level.", required=True, min_count=1, max_count=MAX_PIECES),
        TESTS_FIELD,
    ),
)
