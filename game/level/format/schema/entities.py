"""Pieces that are set into the world: signs, lights, targets, terrain, models."""

from __future__ import annotations

from .common import COMMON, MEANT
from .fields import Field, Kind, Record, facing, foot, length, surface

SIGN = Record(
    "sign",
    "A board with text.",
    (
        Field(
            "text",
            Kind.TEXT,
            "The text; `\\n` in double quotes starts a new line.",
            required=True,
            least=1,
            most=400,
        ),
        foot("Centre of the board."),
        facing("Direction the text faces."),
        length("letters", "Letter height.", 0.12, high=10),
        Field("width", Kind.NUMBER, "Width of the board. Default: fits the text.", None, "m", 0.05, 100),
        Field("height", Kind.NUMBER, "Height of the board. Default: fits the text.", None, "m", 0.05, 100),
        length("post", "Length of a post below the board; 0 for none.", 0.0, low=0.0, high=100),
        surface("surface", "Surface of board and post."),
        Field("collide", Kind.FLAG, "Whether the player collides with it.", False),
        Field("visible", Kind.FLAG, "Whether it is drawn.", True),
        COMMON[-1],
        MEANT,
    ),
    'sign: {text: "This way up", at: [0, 1.6, 0], facing: south, post: 1.4}',
)

PATCH = Record(
    "patch",
    "A patch of a terrain with another surface and a smooth border.",
    (
        Field("surface", Kind.SURFACE, "Surface of the patch.", required=True),
        Field(
            "where",
            Kind.FORMULA,
            "Positive inside, zero on the border: `6**2 - (x - 3)**2 - z**2` is a disc of radius 6 m around [3, 0].",
            required=True,
        ),
    ),
    'paint: [{surface: sand, where: "5**2 - (x - 8)**2 - (z + 3)**2"}]',
)
CUP = Record(
    "cup",
    "A round hole for a ball to fall into.",
    (
        Field("at", Kind.PLAN, "Centre of the hole.", unit="m", required=True),
        length("radius", "Radius of the hole; a golf hole has 0.054.", 0.11, low=0.03, high=5),
        length("depth", "Depth of the hole.", 0.2, low=0.02, high=20),
        surface("surface", "Surface of its inside. Default: the terrain's."),
    ),
    "cups: [{at: [3, -40]}]",
)
TERRAIN = Record(
    "terrain",
    "Terrain on a rectangular grid. Exactly one of `heights`, `formula` and `image` gives its heights.",
    (
        Field("from", Kind.PLAN, "One corner.", unit="m", required=True),
        Field("to", Kind.PLAN, "The opposite corner.", unit="m", required=True),
        Field("y", Kind.NUMBER, "Added to all heights.", 0.0, "m"),
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
            "Height in metres at x and z, in the coordinates of `from` and `to`; noise(x, z) makes hills from -1 to 1.",
            unit="m",
        ),
        Field(
            "image",
            Kind.TEXT,
            "An 8- or 16-bit greyscale PNG relative to this file, north up; its outer pixels lie on the border.",
            least=1,
            most=200,
        ),
        Field("height", Kind.SPAN, "Heights of black and of white in the image.", (0.0, 5.0), "m"),
        Field(
            "cell",
            Kind.NUMBER,
            "Maximum cell size. Default: 1; `heights` alone define their own cells.",
            None,
            "m",
            0.05,
            1000,
        ),
        Field("smooth", Kind.FLAG, "Whether to interpolate `heights` or pixels with curves.", False),
        Field(
            "paint",
            Kind.RECORDS,
            "Patches of other surfaces; later ones cover earlier ones.",
            record=PATCH,
            most=64,
        ),
        Field("cups", Kind.RECORDS, "Round holes for balls to fall into.", record=CUP, most=18),
        length("thickness", "Depth of a solid base below the lowest point; 0 for none.", 0.0, low=0.0),
        surface("steep_surface", "Surface of slopes steeper than `steep`. Default: `surface`."),
        Field("steep", Kind.NUMBER, "Slope from which `steep_surface` is used.", 40.0, "degrees", 0, 90),
        surface("side_surface", "Surface of the sides and base. Default: `surface`."),
        *COMMON,
        MEANT,
    ),
    'terrain: {from: [-20, -20], to: [20, 20], formula: "1.5 * noise(x / 8, z / 8)"}',
)
LIGHT = Record(
    "light",
    "A point light. Its light and shadows are computed once, when the level is loaded.",
    (
        foot("Position, not inside a solid."),
        Field("colour", Kind.COLOUR, "Colour of the light.", "#ffd6a0"),
        Field(
            "brightness",
            Kind.NUMBER,
            "Brightness; 1 lights a white surface 2 m away like the sun by day.",
            1.0,
            "suns",
            0.01,
            100,
        ),
        length("reach", "Range of the light.", 8.0, low=0.1, high=100),
        Field("visible", Kind.FLAG, "Whether to draw a small glow.", True),
        COMMON[-1],
        MEANT,
    ),
    'light: {at: [0, 2.5, 0], colour: "#ffd6a0", brightness: 1, reach: 8}',
)
TARGET = Record(
    "target",
    "A target to reach. It counts as reached when the player's body touches its sphere.",
    (
        foot("Centre; 1 m above the ground is easy to see."),
        length("radius", "Radius of the sphere.", 0.6, low=0.05, high=100),
        Field("visible", Kind.FLAG, "Whether to draw a marker.", True),
        Field("name", Kind.TEXT, "Name that the game shows when the target is reached."),
        MEANT,
    ),
    "target: {at: [0, 1, -4], radius: 0.6, name: The bell}",
)

MODEL = Record(
    "model",
    "A model file: glTF, OBJ or a Quake map. It is reloaded when it is saved. Nodes whose names end in `-col` "
    "collide, `-colonly` collide without being drawn, `-noimp` are left out. Without such names everything collides.",
    (
        Field(
            "file",
            Kind.TEXT,
            "A .glb, .gltf, .obj or .map file relative to this file: in the same folder, next to it (`../`) or below.",
            required=True,
            least=1,
            most=200,
        ),
        Field("at", Kind.POINT, "Position of the model's origin [0, 0, 0].", (0.0, 0.0, 0.0), "m"),
        facing("Direction the model's north (-Z with Y up) faces."),
        Field("scale", Kind.NUMBER, "Scale factor.", 1.0, "", 1e-6, 1e6),
        Field(
            "units",
            Kind.CHOICE,
            "Length of one unit in the file. Default: metres; 1/32 m for .map.",
            choices=("m", "cm", "mm", "inch", "foot"),
        ),
        Field("up", Kind.CHOICE, "The file's up axis. Default: y; z for .map.", choices=("y", "z")),
        surface("surface", "Surface for all of its materials that `surfaces` does not name."),
        Field(
            "surfaces",
            Kind.PAINT,
            "Surfaces for its materials (textures of a .map). Other materials keep their own colour.",
            most=250,
        ),
        *COMMON[1:],
        MEANT,
    ),
    "model: {file: castle.glb, at: [0, 0, -20], facing: 90, surfaces: {Wood: planks}}",
)

THINGS = (SIGN, TERRAIN, MODEL, LIGHT, TARGET)
