"""Schema of solid pieces: floors, walls, boxes, rooms, stairs, ramps, pillars, arches, quads and triangles."""

from __future__ import annotations

from .common import COMMON_FIELDS_WITH_INTENDED, DOOR, HOLE, ROOM_DOOR, ROOM_WINDOW, TILE, WINDOW, opening_fields
from .fields import ValueKind, base_point_field, corner_fields, facing_field, length_field
from .piece_kind import Form, PieceKind, Pull, Turn, building, ways

_CENTRE_LINE = (
    *corner_fields(ValueKind.PLAN, "Start of its centre line.", "End of its centre line."),
    ValueKind.NUMBER.field("y", "Height of its base.", 0.0, "m"),
)

QUAD = PieceKind(
    "quad",
    "A flat convex quad. Its corners are in order, counter-clockwise seen from the front.",
    (
        ValueKind.CORNERS.field("corners", "The four corners.", unit="m", required=True, min_count=4, max_count=4),
        *COMMON_FIELDS_WITH_INTENDED,
    ),
    "quad: {corners: [[0, 0, 0], [4, 0, 0], [4, 1, -4], [0, 1, -4]]}",
    form=Form.POLYGON,
    new=building(
        "quad: {corners: [[-2, 0, 2], [2, 0, 2], [2, 1, -2], [-2, 1, -2]], surface: @}",
        "face slope",
        "One face with four corners.",
    ),
)
TRIANGLE = PieceKind(
    "triangle",
    "A triangle. Its corners are counter-clockwise seen from the front.",
    (
        ValueKind.CORNERS.field("corners", "The three corners.", unit="m", required=True, min_count=3, max_count=3),
        *COMMON_FIELDS_WITH_INTENDED,
    ),
    "triangle: {corners: [[0, 0, 0], [4, 0, 0], [0, 0, -4]]}",
    form=Form.POLYGON,
    new=building(
        "triangle: {corners: [[-2, 0, 2], [2, 0, 2], [-2, 0, -2]], surface: @}", "face", "One face with three corners."
    ),
)
FLOOR = PieceKind(
    "floor",
    "A horizontal rectangle.",
    (
        *corner_fields(ValueKind.PLAN),
        ValueKind.NUMBER.field("y", "Height of the top.", 0.0, "m"),
        length_field("thickness", "Thickness of the slab, downwards; 0 makes a single face.", 0.0, low=0.0),
        ValueKind.RECORDS.field("holes", "Holes, for example for stairs.", record=HOLE, max_count=16),
        TILE,
        *COMMON_FIELDS_WITH_INTENDED,
    ),
    "floor: {from: [-20, -20], to: [20, 20]}",
    form=Form.SHEET,
    pull=Pull.SLAB,
    turn=Turn.AS_A_WHOLE,
    new=building(
        "floor: {from: [-2, -2], to: [2, 2], thickness: 0.2, surface: @}",
        "ground plane platform",
        "A slab, which may have holes.",
    ),
)
WALL = PieceKind(
    "wall",
    "A vertical wall along a line, with doorways and windows.",
    (
        *_CENTRE_LINE,
        length_field("height", "Height from base to top.", 3.0),
        length_field("thickness", "Thickness, centred on the line.", 0.2),
        *opening_fields(DOOR, WINDOW),
        TILE,
        *COMMON_FIELDS_WITH_INTENDED,
    ),
    "wall: {from: [0, 0], to: [6, 0], doors: [{at: 2}], windows: [{at: 4.5}]}",
    has_openings=True,
    pull=Pull.LINE,
    turn=Turn.AS_A_WHOLE,
    new=building("wall: {from: [-2, 0], to: [2, 0], height: 3, surface: @}", hint="An upright wall."),
    variants=(
        building(
            "wall: {from: [-2, 0], to: [2, 0], height: 3, doors: [{at: 2, width: 1.2}], surface: @}",
            "doorway opening gate",
            "A wall with an open doorway.",
            "wall with door",
        ),
        building(
            "wall: {from: [-2, 0], to: [2, 0], height: 3, windows: [{at: 2}], surface: @}",
            "opening",
            "A wall with a window.",
            "wall with window",
        ),
    ),
)
BOX = PieceKind(
    "box",
    "A box between two opposite corners.",
    (
        *corner_fields(ValueKind.POINT),
        facing_field("Rotation about its centre, counter-clockwise seen from above."),
        ValueKind.SURFACE.field("top_surface", "Surface of the top. Default: `surface`."),
        TILE,
        *COMMON_FIELDS_WITH_INTENDED,
    ),
    "box: {from: [2, 0, 2], to: [3, 0.5, 4], facing: 30}",
    pull=Pull.TURNED_SPAN,
    turn=Turn.NOT,
    new=building(
        "box: {from: [-0.5, 0, -0.5], to: [0.5, 1, 0.5], surface: @}",
        "cube block crate",
        "A block. Pull its faces with + and -.",
        rank=-1,
    ),
)
ROOM = PieceKind(
    "room",
    "Four walls, a floor, and a ceiling with a roof. `from` and `to` give the clear space inside.",
    (
        *corner_fields(ValueKind.POINT, "One inner corner.", "The opposite inner corner."),
        length_field("thickness", "Thickness of walls and roof, outwards.", 0.2),
        ValueKind.FLAG.field(
            "floor",
            "Whether it has its own floor. It is left out where a face of another piece than a room is at its height.",
            True,
        ),
        ValueKind.FLAG.field("ceiling", "Whether it has a ceiling and a roof.", True),
        ValueKind.FLAG.field(
            "shared",
            "Whether its walls merge with those of rooms next to it: one wall, with the openings of both rooms. The "
            "inner faces must be one to two wall thicknesses apart.",
            False,
        ),
        *opening_fields(ROOM_DOOR, ROOM_WINDOW),
        ValueKind.RECORDS.field("holes", "Holes in the ceiling.", record=HOLE, max_count=16),
        ValueKind.SURFACE.field("floor_surface", "Surface of the floor. Default: `surface`."),
        ValueKind.SURFACE.field("wall_surface", "Surface of the inside of the walls. Default: `surface`."),
        ValueKind.SURFACE.field("ceiling_surface", "Surface of the ceiling. Default: `surface`."),
        ValueKind.SURFACE.field("roof_surface", "Surface of the roof. Default: `surface`."),
        *COMMON_FIELDS_WITH_INTENDED,
    ),
    "room: {from: [8, 0, -8], to: [16, 3, 0], doors: [{wall: west, at: 4, width: 1.2}]}",
    has_openings=True,
    pull=Pull.SPAN,
    turn=Turn.AS_A_WHOLE,
    new=building(
        "room: {from: [-3, 0, -3], to: [3, 3, 3], doors: [{wall: south, at: 3, width: 1.2}], surface: @}",
        "house hall chamber walls",
        "Four walls, floor and ceiling, with a doorway.",
    ),
)
STAIRS = PieceKind(
    "stairs",
    "A straight flight of stairs, solid down to its base.",
    (
        base_point_field("Centre of the bottom edge of the first riser."),
        facing_field("Direction of climb."),
        ValueKind.INTEGER.field(
            "steps", "Number of risers; the last tread is that many rises above the base.", None, "", 1, 1000, True
        ),
        length_field("rise", "Height of one step.", 0.18, high=10),
        length_field("run", "Depth of one tread.", 0.30, high=100),
        length_field("width", "Width from side to side.", 1.2),
        ValueKind.FLAG.field("open", "Treads only, open between and below.", False),
        ValueKind.SURFACE.field("side_surface", "Surface of risers and sides. Default: `surface`."),
        *COMMON_FIELDS_WITH_INTENDED,
    ),
    "stairs: {at: [4, 0, 2], facing: east, steps: 10, rise: 0.18, run: 0.30, width: 2}",
    is_low_below=True,
    new=ways(
        "stairs: {at: [0, 0, 0], steps: 10, rise: 0.18, run: 0.3, width: 1.5, surface: @}",
        "steps flight",
        "A flight of stairs that goes up away from you.",
    ),
)
SPIRAL_STAIRS = PieceKind(
    "spiral_stairs",
    "Steps around a column, open below.",
    (
        base_point_field("Base of the column, on its axis."),
        facing_field("Direction from the axis to the first riser."),
        ValueKind.INTEGER.field(
            "steps", "Number of treads; the last is that many rises above the base.", None, "", 1, 1000, True
        ),
        length_field("rise", "Height of one step.", 0.18, high=10),
        length_field("radius", "Distance from the axis to the outer edge.", 1.6),
        length_field("column", "Radius of the column.", 0.25),
        ValueKind.NUMBER.field(
            "turn", "Angle of one tread; positive climbs counter-clockwise seen from above.", 24.0, "degrees", -90, 90
        ),
        length_field("thickness", "Thickness of a tread; less than `rise` leaves gaps between treads.", 0.2, high=10),
        length_field("rail", "Height of a railing along the outer edge; 0 for none.", 0.0, low=0.0, high=10),
        ValueKind.SURFACE.field("column_surface", "Surface of the column. Default: `surface`."),
        *COMMON_FIELDS_WITH_INTENDED,
    ),
    "spiral_stairs: {at: [0, 0, 0], facing: south, steps: 20, radius: 1.6, turn: 24, rail: 0.9}",
    is_round=True,
    is_low_below=True,
    new=ways(
        "spiral_stairs: {at: [0, 0, 0], steps: 16, radius: 1.6, rail: 0.9, surface: @}",
        "spiral_stairs winding",
        "Winding stairs around a column.",
        "spiral stairs",
    ),
)
RAMP = PieceKind(
    "ramp",
    "A ramp, solid down to its base.",
    (
        base_point_field("Centre of the bottom edge."),
        facing_field("Direction of climb."),
        length_field("length", "Horizontal length.", None, low=0.05),
        length_field("rise", "Height it climbs.", None),
        length_field("width", "Width from side to side.", 1.2),
        ValueKind.FLAG.field("open", "A slab 0.1 m thick, open below.", False),
        ValueKind.SURFACE.field("side_surface", "Surface of the sides and back. Default: `surface`."),
        *COMMON_FIELDS_WITH_INTENDED,
    ),
    "ramp: {at: [-6, 0, 0], facing: north, length: 4, rise: 2, width: 2}",
    is_low_below=True,
    new=ways(
        "ramp: {at: [0, 0, 0], length: 4, rise: 1.5, width: 1.5, surface: @}",
        "slope",
        "A slope that goes up away from you.",
    ),
)
PILLAR = PieceKind(
    "pillar",
    "A vertical prism with a regular polygon as its outline.",
    (
        base_point_field("Centre of its base."),
        length_field("radius", "Radius to the corners.", 0.3),
        length_field("height", "Height from base to top.", 3.0),
        ValueKind.INTEGER.field("sides", "Number of sides; the first faces `facing`.", 12, "", 3, 64),
        facing_field("Direction the first side faces."),
        *COMMON_FIELDS_WITH_INTENDED,
    ),
    "pillar: {at: [2, 0, 0], radius: 0.4, height: 3, sides: 16}",
    is_round=True,
    pull=Pull.TOP,
    new=building(
        "pillar: {at: [0, 0, 0], radius: 0.4, height: 3, sides: 16, surface: @}",
        "column post cylinder",
        "A round column.",
    ),
)
ARCH = PieceKind(
    "arch",
    "A wall along a line with one arched opening.",
    (
        *_CENTRE_LINE,
        length_field("height", "Height from base to top.", 3.5),
        length_field("thickness", "Thickness, centred on the line.", 0.4),
        ValueKind.NUMBER.field(
            "at", "Position of the centre of the opening along the line. Default: the middle.", None, "m"
        ),
        length_field("width", "Clear width of the opening.", 1.6),
        length_field("spring", "Height at which the arch begins; its top is half the width higher.", 2.0),
        ValueKind.INTEGER.field("segments", "Number of straight segments of the arch.", 12, "", 2, 32),
        ValueKind.SURFACE.field("inner_surface", "Surface of the inside of the opening. Default: `surface`."),
        *COMMON_FIELDS_WITH_INTENDED,
    ),
    "arch: {from: [0, 0], to: [4, 0], height: 3.5, width: 1.6, spring: 2}",
    has_openings=True,
    pull=Pull.LINE,
    turn=Turn.AS_A_WHOLE,
    new=building(
        "arch: {from: [-2, 0], to: [2, 0], height: 3.5, width: 1.6, spring: 2, surface: @}",
        "gate vault doorway",
        "A wall with a round arch.",
    ),
)

SHAPE_RECORDS = (FLOOR, WALL, BOX, ROOM, STAIRS, SPIRAL_STAIRS, RAMP, PILLAR, ARCH)
POLYGON_RECORDS = (QUAD, TRIANGLE)
