"""Schema of surfaces and of pictures, on surfaces and as decals."""

from __future__ import annotations

from .common import ALIGNMENTS, COMMON_FIELDS, DECAL_BASES, FOOTSTEPS, INTENDED_FIELD, SAMPLINGS, TEXTURES
from .fields import SchemaField, SchemaRecord, ValueKind, base_point_field
from .piece_kind import PieceKind

MIN_PICTURE_METRES = 0.01
MAX_PICTURE_METRES = 1000.0
MAX_PICTURE_PATH = 200  # characters


def picture_field(name: str, doc: str, kind: ValueKind = ValueKind.PICTURE, required: bool = False) -> SchemaField:
    """Field whose value is, or may be, the path of a picture."""
    return SchemaField(name, kind, doc, low=0, high=1, required=required, min_count=1, max_count=MAX_PICTURE_PATH)


def picture_size_field(doc: str, default: float | None = 1.0) -> SchemaField:
    """Field for the size of a picture in metres."""
    return ValueKind.SIZE.field(
        "size", doc, default, "m", MIN_PICTURE_METRES, MAX_PICTURE_METRES, required=default is None
    )


PICTURE_FIELDS = (
    picture_field("picture", "Picture that is repeated across the faces. It replaces `texture`."),
    picture_size_field("What one picture covers: across, or [across, up]. One number keeps the picture's proportions."),
    ValueKind.CHOICE.field(
        "align",
        "Where the picture begins: at the lower left corner of each piece, or at the level's origin, so that it "
        "continues from one piece to the next.",
        "piece",
        choices=ALIGNMENTS,
    ),
    picture_field("normal", "Normal map: green points up, as in Blender and glTF."),
    picture_field(
        "roughness", "0 for polished, 1 for matt. Of a picture the green channel counts. Default: 1.", ValueKind.FACTOR
    ),
    picture_field("metallic", "1 for bare metal. Of a picture the blue channel counts. Default: 0.", ValueKind.FACTOR),
    picture_field("occlusion", "Picture of the light that reaches the depths of the surface; its red channel counts."),
    picture_field(
        "emission", "Light that the surface itself sends out. It lights no other face: add a `light`.", ValueKind.GLOW
    ),
    ValueKind.NUMBER.field("brightness", "Factor of `emission`; 1 shows its own colour in the dark.", 1.0, "", 0, 100),
    ValueKind.FLAG.field(
        "cutout",
        "Whether parts of the picture with less than half opacity are left out, as "
        "in a fence. The player collides with the whole face.",
        False,
    ),
    ValueKind.FLAG.field(
        "see_through", "Whether what is behind shows through where the picture is not opaque, as in glass.", False
    ),
    ValueKind.CHOICE.field(
        "sampling", "`nearest` shows the pixels of the picture as sharp squares.", "smooth", choices=SAMPLINGS
    ),
    ValueKind.PAIR.field(
        "scroll",
        "Speed of the picture across the surface: to the right and up. Default: "
        "the speed of `flow` upwards; the top of the picture then points along `flow`.",
        (0.0, 0.0),
        "m/s",
        -20,
        20,
    ),
)
SURFACE_RECORD = SchemaRecord(
    "surface",
    "A named surface: look and physical properties.",
    (
        ValueKind.COLOUR.field(
            "colour", "Colour. It multiplies a `picture`, which shows as it is without it.", "#9a9a96"
        ),
        ValueKind.CHOICE.field("texture", "Texture pattern at true scale.", "plain", choices=TEXTURES),
        *PICTURE_FIELDS,
        ValueKind.NUMBER.field(
            "friction",
            "Coefficient of friction. Slopes hold up to this tangent; below 1 starting and stopping are slower.",
            1.0,
            "",
            0,
            10,
        ),
        ValueKind.NUMBER.field("bounce", "Fraction of the landing speed that it returns.", 0.0, "", 0, 1),
        ValueKind.NUMBER.field("speed", "Walking speed factor; below 1 for mud.", 1.0, "", 0, 4),
        ValueKind.PLAN.field("flow", "Conveyor velocity: east and south.", (0.0, 0.0), "m/s", -20, 20),
        ValueKind.NUMBER.field("rub", "For walls: fraction of the speed along it that is lost.", 0.0, "", 0, 1),
        ValueKind.NUMBER.field("roll", "Extra rolling resistance for balls, as a fraction of gravity.", 0.0, "", 0, 10),
        ValueKind.NUMBER.field("soft", "Fraction of a ball's bounce that it absorbs; 1 for sand.", 0.0, "", 0, 1),
        ValueKind.NUMBER.field(
            "spray", "Height to which drops of water fly up from its faces, in the picture alone.", 0.0, "m", 0, 20
        ),
        ValueKind.CHOICE.field("footstep", "Footstep sound. Default: matches the texture.", choices=FOOTSTEPS),
    ),
    'stone: {colour: "#8d8a83", texture: flagstone, friction: 1.0}',
)
DECAL = PieceKind(
    "decal",
    "A picture on a surface: a poster, an arrow, a stain. It has no sides and does not collide. What is transparent in "
    "the picture shows the surface, and the light is that of the surface.",
    (
        picture_field("picture", "The picture.", required=True),
        base_point_field("Centre of the picture, on the surface; it is drawn a few millimetres in front."),
        ValueKind.CHOICE.field("on", "What it is on.", "wall", choices=DECAL_BASES),
        ValueKind.ANGLE.field(
            "facing",
            "On a wall: direction that the picture faces. On a floor or ceiling: direction that its top points to.",
            0.0,
        ),
        picture_size_field("Size: across, or [across, up]. One number keeps the picture's proportions."),
        ValueKind.NUMBER.field(
            "pitch",
            "Slope of the surface: how far a floor rises in the direction of `facing`, or a wall leans back.",
            0.0,
            "degrees",
            -89,
            89,
        ),
        ValueKind.NUMBER.field("roll", "Turns the picture counter-clockwise.", 0.0, "degrees", -360, 360),
        ValueKind.COLOUR.field("colour", "Colour that multiplies the picture.", "white"),
        ValueKind.NUMBER.field("opacity", "Opacity of the whole picture.", 1.0, "", 0, 1),
        ValueKind.FLAG.field("visible", "Whether it is drawn.", True),
        COMMON_FIELDS[-1],
        INTENDED_FIELD,
    ),
    "decal: {picture: textures/poster.png, at: [0, 1.6, -4], facing: south, size: 1.2}",
    is_flat=True,
)
