"""Schema of signs, lights, targets, terrain, models and exhibits."""

from __future__ import annotations

from .common import COMMON_FIELDS, EXHIBITS, INTENDED_FIELD
from .fields import SchemaRecord, ValueKind, base_point_field, corner_fields, facing_field, length_field
from .piece_kind import Form, PieceKind, building, lights, play

SIGN = PieceKind(
    "sign",
    "A board with text. Where the text is `Your progress`, the game shows how many of its levels are finished.",
    (
        ValueKind.TEXT.field(
            "text",
            "The text; `\\n` in double quotes starts a new line. `{use|the left mouse button}` shows the player's key "
            "of an action of the settings file, and without one the words after the bar.",
            required=True,
            min_count=1,
            max_count=400,
        ),
        base_point_field("Centre of the board."),
        facing_field("Direction the text faces."),
        length_field("letters", "Letter height.", 0.12, high=10),
        ValueKind.NUMBER.field("width", "Width of the board. Default: fits the text.", None, "m", 0.05, 100),
        ValueKind.NUMBER.field("height", "Height of the board. Default: fits the text.", None, "m", 0.05, 100),
        length_field("post", "Length of a post below the board; 0 for none.", 0.0, low=0.0, high=100),
        ValueKind.SURFACE.field("surface", "Surface of board and post."),
        ValueKind.FLAG.field("collide", "Whether the player collides with it.", False),
        ValueKind.FLAG.field("visible", "Whether it is drawn.", True),
        COMMON_FIELDS[-1],
        INTENDED_FIELD,
    ),
    'sign: {text: "This way up", at: [0, 1.6, 0], facing: south, post: 1.4}',
    faces_viewer=True,
    hangs=True,
    new=lights('sign: {text: "This way", at: [0, 1.6, 0], post: 1.4}', "text board label", "A board with text."),
)

PATCH = SchemaRecord(
    "patch",
    "A patch of a terrain with another surface and a smooth border.",
    (
        ValueKind.SURFACE.field("surface", "Surface of the patch.", required=True),
        ValueKind.FORMULA.field(
            "where",
            "Positive inside, zero on the border: `6**2 - (x - 3)**2 - z**2` is a disc of radius 6 m around [3, 0].",
            required=True,
        ),
    ),
    'paint: [{surface: sand, where: "5**2 - (x - 8)**2 - (z + 3)**2"}]',
)
CUP = SchemaRecord(
    "cup",
    "A round hole for a ball to fall into.",
    (
        ValueKind.PLAN.field("at", "Centre of the hole.", unit="m", required=True),
        length_field("radius", "Radius of the hole; a golf hole has 0.054.", 0.11, low=0.03, high=5),
        length_field("depth", "Depth of the hole.", 0.2, low=0.02, high=20),
        ValueKind.SURFACE.field("surface", "Surface of its inside. Default: the terrain's."),
    ),
    "cups: [{at: [3, -40]}]",
)
TERRAIN = PieceKind(
    "terrain",
    "Terrain on a rectangular grid. Exactly one of `heights`, `formula` and `image` gives its heights.",
    (
        *corner_fields(ValueKind.PLAN),
        ValueKind.NUMBER.field("y", "Added to all heights.", 0.0, "m"),
        ValueKind.GRID.field(
            "heights",
            "Heights at the corners of cells: rows from north to south, each from west to east.",
            unit="m",
            min_count=2,
            max_count=1000,
        ),
        ValueKind.FORMULA.field(
            "formula",
            "Height in metres at x and z, in the coordinates of `from` and `to`; noise(x, z) makes hills from -1 to 1.",
            unit="m",
        ),
        ValueKind.TEXT.field(
            "image",
            "An 8- or 16-bit greyscale PNG relative to this file, north up; its outer pixels lie on the border.",
            min_count=1,
            max_count=200,
        ),
        ValueKind.SPAN.field("height", "Heights of black and of white in the image.", (0.0, 5.0), "m"),
        ValueKind.NUMBER.field(
            "cell", "Maximum cell size. Default: 1; `heights` alone define their own cells.", None, "m", 0.05, 1000
        ),
        ValueKind.FLAG.field("smooth", "Whether to interpolate `heights` or pixels with curves.", False),
        ValueKind.RECORDS.field(
            "paint", "Patches of other surfaces; later ones cover earlier ones.", record=PATCH, max_count=64
        ),
        ValueKind.RECORDS.field("cups", "Round holes for balls to fall into.", record=CUP, max_count=18),
        length_field("thickness", "Depth of a solid base below the lowest point; 0 for none.", 0.0, low=0.0),
        ValueKind.SURFACE.field("steep_surface", "Surface of slopes steeper than `steep`. Default: `surface`."),
        ValueKind.NUMBER.field("steep", "Slope from which `steep_surface` is used.", 40.0, "degrees", 0, 90),
        ValueKind.SURFACE.field("side_surface", "Surface of the sides and base. Default: `surface`."),
        *COMMON_FIELDS,
        INTENDED_FIELD,
    ),
    'terrain: {from: [-20, -20], to: [20, 20], formula: "1.5 * noise(x / 8, z / 8)"}',
    form=Form.TERRAIN,
    new=building(
        'terrain: {from: [-5, -5], to: [5, 5], formula: "0.4 * noise(x / 4, z / 4) + 0.5", thickness: 0.5, surface: @}',
        "hills ground landscape",
        "Ground with hills, by a formula.",
        rank=1,
    ),
)
LIGHT = PieceKind(
    "light",
    "A point light. Its light and shadows are computed once, when the level is loaded.",
    (
        base_point_field("Position, not inside a solid."),
        ValueKind.COLOUR.field("colour", "Colour of the light.", "#ffd6a0"),
        ValueKind.NUMBER.field(
            "brightness", "Brightness; 1 lights a white surface 2 m away like the sun by day.", 1.0, "suns", 0.01, 100
        ),
        length_field("reach", "Range of the light.", 8.0, low=0.1, high=100),
        ValueKind.FLAG.field("visible", "Whether to draw a small glow.", True),
        COMMON_FIELDS[-1],
        INTENDED_FIELD,
    ),
    'light: {at: [0, 2.5, 0], colour: "#ffd6a0", brightness: 1, reach: 8}',
    hangs=True,
    new=lights(
        'light: {at: [0, 2.4, 0], colour: "#ffd6a0", brightness: 1, reach: 8}',
        "lamp bulb",
        "A lamp without a body.",
        rank=-1,
    ),
)
TARGET = PieceKind(
    "target",
    "A target to reach. It counts as reached when the player's body touches its sphere.",
    (
        base_point_field("Centre; 1 m above the ground is easy to see."),
        length_field("radius", "Radius of the sphere.", 0.6, low=0.05, high=100),
        ValueKind.FLAG.field("visible", "Whether to draw a marker.", True),
        ValueKind.TEXT.field("name", "Name that the game shows when the target is reached."),
        INTENDED_FIELD,
    ),
    "target: {at: [0, 1, -4], radius: 0.6, name: The bell}",
    is_named=True,
    hangs=True,
    new=play("target: {at: [0, 1, 0], radius: 0.6, name: Bell}", "bell collect", "Something to be reached."),
)

MODEL = PieceKind(
    "model",
    "A model file: glTF, OBJ or a Quake map. It is reloaded when it is saved. Nodes whose names end in `-col` "
    "collide, `-colonly` collide without being drawn, `-noimp` are left out. Without such names everything collides.",
    (
        ValueKind.TEXT.field(
            "file",
            "A .glb, .gltf, .obj or .map file relative to this file: in the same folder, next to it (`../`) or below.",
            required=True,
            min_count=1,
            max_count=200,
        ),
        ValueKind.POINT.field("at", "Position of the model's origin [0, 0, 0].", (0.0, 0.0, 0.0), "m"),
        facing_field("Direction the model's north (-Z with Y up) faces."),
        ValueKind.NUMBER.field("scale", "Scale factor.", 1.0, "", 1e-6, 1e6),
        ValueKind.CHOICE.field(
            "units",
            "Length of one unit in the file. Default: metres; 1/32 m for .map.",
            choices=("m", "cm", "mm", "inch", "foot"),
        ),
        ValueKind.CHOICE.field("up", "The file's up axis. Default: y; z for .map.", choices=("y", "z")),
        ValueKind.SURFACE.field("surface", "Surface for all of its materials that `surfaces` does not name."),
        ValueKind.PAINT.field(
            "surfaces",
            "Surfaces for its materials (textures of a .map). Other materials keep their own colour and pictures.",
            max_count=250,
        ),
        ValueKind.TEXT.field(
            "textures",
            "Folder with the pictures of a .map: `brick1.png` for the texture `brick1`, also in folders below it.",
            max_count=200,
        ),
        *COMMON_FIELDS[1:],
        INTENDED_FIELD,
    ),
    "model: {file: castle.glb, at: [0, 0, -20], facing: 90, surfaces: {Wood: planks}}",
    form=Form.MODEL,
)

EXHIBIT = PieceKind(
    "exhibit",
    "An exhibit of the collision lab: a triangle whose corners the player drags (`use`), with the point where the line "
    "of sight meets it; or a ball on its box next to a ball on its plane. It never collides.",
    (
        base_point_field("Centre of its base."),
        facing_field("Direction its front faces."),
        ValueKind.CHOICE.field("show", "The exhibit to show.", choices=EXHIBITS, required=True),
        INTENDED_FIELD,
    ),
    "exhibit: {at: [0, 0, -4], facing: south, show: triangle}",
    new=play("exhibit: {at: [0, 0, 0], show: triangle}", "collision", "Shows the physics."),
)

ENTITY_RECORDS = (SIGN, TERRAIN, MODEL, LIGHT, TARGET)
