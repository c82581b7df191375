"""Pieces that are set into the world: signs, lights, targets, terrain, models."""

from __future__ import annotations

from .common import COMMON, MEANT
from .fields import Field, Kind, Record, facing, foot, length, surface

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

PATCH = Record(
    "patch",
    "A patch of a terrain that is made of something else, along a smooth border.",
    (
        Field("surface", Kind.SURFACE, "What it is made of there.", required=True),
        Field(
            "where",
            Kind.FORMULA,
            "Positive inside, zero along the border: `6**2 - (x - 3)**2 - z**2` is a disc of 6 m about [3, 0].",
            required=True,
        ),
    ),
    'paint: [{surface: sand, where: "5**2 - (x - 8)**2 - (z + 3)**2"}]',
)
CUP = Record(
    "cup",
    "A round hole for a ball to fall into.",
    (
        Field("at", Kind.PLAN, "Its middle.", unit="m", required=True),
        length("radius", "Of the hole; a golf hole has 0.054.", 0.11, low=0.03, high=5),
        length("depth", "Of the hole.", 0.2, low=0.02, high=20),
        surface("surface", "What it is lined with; as the terrain where not given."),
    ),
    "cups: [{at: [3, -40]}]",
)
TERRAIN = Record(
    "terrain",
    "Hills: a grid of cells over a rectangle; exactly one of `heights`, `formula` and `image` says how high.",
    (
        Field("from", Kind.PLAN, "One corner.", unit="m", required=True),
        Field("to", Kind.PLAN, "The corner across.", unit="m", required=True),
        Field("y", Kind.NUMBER, "Added to all its heights.", 0.0, "m"),
        Field(
            "heights",
            Kind.GRID,
            "Heights at the corners of cells: rows from north to south, each from west to east.",
            unit="m",
            least=2,
            most=1000,
        ),
        Field(
            "formula",
            Kind.FORMULA,
            "Height in metres at x and z, which count as in `from` and `to`; noise(x, z) makes hills from -1 to 1.",
            unit="m",
        ),
        Field(
            "image",
            Kind.TEXT,
            "A greyscale PNG of 8 or 16 bits beside this file, north up; its rim pixels lie on the rim.",
            least=1,
            most=200,
        ),
        Field("height", Kind.SPAN, "Of an image: of black and of white.", (0.0, 5.0), "m"),
        Field(
            "cell",
            Kind.NUMBER,
            "Size of a cell at most; 1 where not given, but `heights` alone make their own cells.",
            None,
            "m",
            0.05,
            1000,
        ),
        Field("smooth", Kind.FLAG, "Joins `heights` or pixels by curves: few of them make round hills.", False),
        Field(
            "paint",
            Kind.RECORDS,
            "Patches of other surfaces; of two over each other the later one shows.",
            record=PATCH,
            most=64,
        ),
        Field("cups", Kind.RECORDS, "Round holes, for balls to fall into.", record=CUP, most=18),
        length("thickness", "How far it reaches below its lowest place, as a solid; 0 is a sheet.", 0.0, low=0.0),
        surface("steep_surface", "What is steeper than `steep` is made of; as `surface` where not given."),
        Field("steep", Kind.NUMBER, "Where `steep_surface` begins.", 40.0, "degrees", 0, 90),
        surface("side_surface", "What its sides and foot are made of; as `surface` where not given."),
        *COMMON,
        MEANT,
    ),
    'terrain: {from: [-20, -20], to: [20, 20], formula: "1.5 * noise(x / 8, z / 8)"}',
)
LIGHT = Record(
    "light",
    "A lamp: a point that lights what it sees. Its light is worked out once, with shadows, when the level is loaded.",
    (
        foot("Where it is; not inside anything."),
        Field("colour", Kind.COLOUR, "Of its light.", "#ffd6a0"),
        Field(
            "brightness",
            Kind.NUMBER,
            "How strong; 1 lights a white surface two metres away as the sun does by day.",
            1.0,
            "suns",
            0.01,
            100,
        ),
        length("reach", "Beyond it nothing is lit.", 8.0, low=0.1, high=100),
        Field("visible", Kind.FLAG, "Whether a small glow is drawn where it is.", True),
        COMMON[-1],
        MEANT,
    ),
    'light: {at: [0, 2.5, 0], colour: "#ffd6a0", brightness: 1, reach: 8}',
)
TARGET = Record(
    "target",
    "Something to reach: touched when the body comes within the ball.",
    (
        foot("Its middle; a metre above the ground is well seen."),
        length("radius", "How near is near enough.", 0.6, low=0.05, high=100),
        Field("visible", Kind.FLAG, "Whether a mark is drawn where it is.", True),
        Field("name", Kind.TEXT, "What the game calls it when it is reached."),
        MEANT,
    ),
    "target: {at: [0, 1, -4], radius: 0.6, name: The bell}",
)

MODEL = Record(
    "model",
    "A file from elsewhere: glTF, OBJ, or a Quake map; read again whenever it is saved. Nodes whose names end in "
    "`-col` collide, in `-colonly` collide unseen, in `-noimp` are left out; without such names all of it collides.",
    (
        Field(
            "file",
            Kind.TEXT,
            "A .glb, .gltf, .obj or .map file, seen from this one: in the same folder, beside it (`../`) or inside it.",
            required=True,
            least=1,
            most=200,
        ),
        Field("at", Kind.POINT, "Where its own [0, 0, 0] comes to lie.", (0.0, 0.0, 0.0), "m"),
        facing("Where its own north (-Z once Y is up) comes to look."),
        Field("scale", Kind.NUMBER, "How many times its own size it gets.", 1.0, "", 1e-6, 1e6),
        Field(
            "units",
            Kind.CHOICE,
            "What one unit of the file is; metres where not given, of a .map 1/32 m.",
            choices=("m", "cm", "mm", "inch", "foot"),
        ),
        Field("up", Kind.CHOICE, "Which of its axes points up; y where not given, of a .map z.", choices=("y", "z")),
        surface("surface", "What it is made of, whatever its own materials say; those not named in `surfaces`."),
        Field(
            "surfaces",
            Kind.PAINT,
            "What its materials (textures of a .map) stand for; each of the others is a surface of its own colour.",
            most=250,
        ),
        *COMMON[1:],
        MEANT,
    ),
    "model: {file: castle.glb, at: [0, 0, -20], facing: 90, surfaces: {Wood: planks}}",
)

THINGS = (SIGN, TERRAIN, MODEL, LIGHT, TARGET)
