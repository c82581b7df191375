"""The level itself and what is not a piece: spawns, goal, exits, sky, surfaces."""

from __future__ import annotations

from .balls import PLAY
from .common import AFTER, FOOTSTEPS, MOST_PIECES, PALETTES, TEXTURES
from .fields import Field, Kind, Record, facing, length
from .golf import GOLF
from .groups import PREFAB

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
        Field("after", Kind.CHOICE, "What has to be done before: reach all targets, or play all holes.", choices=AFTER),
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
        Field(
            "friction",
            Kind.NUMBER,
            "A slope holds where its tangent is no more than this; under 1 one starts and stops that much slower.",
            1.0,
            "",
            0,
            10,
        ),
        Field("bounce", Kind.NUMBER, "Part of the speed of a landing that it gives back.", 0.0, "", 0, 1),
        Field("speed", Kind.NUMBER, "Times the speed that one walks at; mud has less than 1.", 1.0, "", 0, 4),
        Field("flow", Kind.PLAN, "How fast it runs, as a belt does: east and south.", (0.0, 0.0), "m/s", -20, 20),
        Field("rub", Kind.NUMBER, "Of a wall: part of the way along it that leaning on it costs.", 0.0, "", 0, 1),
        Field("roll", Kind.NUMBER, "What a rolling ball loses of its speed, as part of gravity.", 0.0, "", 0, 10),
        Field("soft", Kind.NUMBER, "Part of a ball's own bounce that it takes; sand takes it all.", 0.0, "", 0, 1),
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
        Field("golf", Kind.RECORD, "Holes of golf.", record=GOLF),
        Field("play", Kind.RECORD, "What balls do here, and what one may do with them.", record=PLAY),
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
        Field(
            "define",
            Kind.PREFABS,
            "Prefabs: pieces with a name, to `place` many times.",
            record=PREFAB,
            most=1000,
        ),
        Field(
            "ghosts",
            Kind.FLAG,
            "Keys 1 to 6 let walkers of other methods go along as ghosts (docs/lab.md).",
            False,
        ),
        Field("pieces", Kind.PIECES, "What the level is built of.", required=True, least=1, most=MOST_PIECES),
    ),
)
