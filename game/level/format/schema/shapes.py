"""Pieces with faces of their own: floors, walls, stairs and the like."""

from __future__ import annotations

from .common import DOOR, HOLE, ROOM_DOOR, ROOM_WINDOW, TILE, TO_COMMON, WINDOW, openings
from .fields import Field, Kind, Record, facing, foot, length, surface

QUAD = Record(
    "quad",
    "A flat convex quad. Its corners are in order, counter-clockwise seen from the front.",
    (
        Field("corners", Kind.CORNERS, "The four corners.", unit="m", required=True, least=4, most=4),
        *TO_COMMON,
    ),
    "quad: {corners: [[0, 0, 0], [4, 0, 0], [4, 1, -4], [0, 1, -4]]}",
)
TRIANGLE = Record(
    "triangle",
    "A triangle. Its corners are counter-clockwise seen from the front.",
    (
        Field("corners", Kind.CORNERS, "The three corners.", unit="m", required=True, least=3, most=3),
        *TO_COMMON,
    ),
    "triangle: {corners: [[0, 0, 0], [4, 0, 0], [0, 0, -4]]}",
)
FLOOR = Record(
    "floor",
    "A horizontal rectangle.",
    (
        Field("from", Kind.PLAN, "One corner.", unit="m", required=True),
        Field("to", Kind.PLAN, "The opposite corner.", unit="m", required=True),
        Field("y", Kind.NUMBER, "Height of the top.", 0.0, "m"),
        length("thickness", "Thickness of the slab, downwards; 0 makes a single face.", 0.0, low=0.0),
        Field("holes", Kind.RECORDS, "Holes, for example for stairs.", record=HOLE, most=16),
        TILE,
        *TO_COMMON,
    ),
    "floor: {from: [-20, -20], to: [20, 20]}",
)
WALL = Record(
    "wall",
    "A vertical wall along a line, with doorways and windows.",
    (
        Field("from", Kind.PLAN, "Start of its centre line.", unit="m", required=True),
        Field("to", Kind.PLAN, "End of its centre line.", unit="m", required=True),
        Field("y", Kind.NUMBER, "Height of its base.", 0.0, "m"),
        length("height", "Height from base to top.", 3.0),
        length("thickness", "Thickness, centred on the line.", 0.2),
        *openings(DOOR, WINDOW),
        TILE,
        *TO_COMMON,
    ),
    "wall: {from: [0, 0], to: [6, 0], doors: [{at: 2}], windows: [{at: 4.5}]}",
)
BOX = Record(
    "box",
    "A box between two opposite corners.",
    (
        Field("from", Kind.POINT, "One corner.", unit="m", required=True),
        Field("to", Kind.POINT, "The opposite corner.", unit="m", required=True),
        facing("Rotation about its centre, counter-clockwise seen from above."),
        surface("top_surface", "Surface of the top. Default: `surface`."),
        TILE,
        *TO_COMMON,
    ),
    "box: {from: [2, 0, 2], to: [3, 0.5, 4], facing: 30}",
)
ROOM = Record(
    "room",
    "Four walls, a floor, and a ceiling with a roof. `from` and `to` give the clear space inside.",
    (
        Field("from", Kind.POINT, "One inner corner.", unit="m", required=True),
        Field("to", Kind.POINT, "The opposite inner corner.", unit="m", required=True),
        length("thickness", "Thickness of walls and roof, outwards.", 0.2),
        Field(
            "floor",
            Kind.FLAG,
            "Whether it has its own floor. It is left out where another floor lies at the same height.",
            True,
        ),
        Field("ceiling", Kind.FLAG, "Whether it has a ceiling and a roof.", True),
        *openings(ROOM_DOOR, ROOM_WINDOW),
        Field("holes", Kind.RECORDS, "Holes in the ceiling.", record=HOLE, most=16),
        surface("floor_surface", "Surface of the floor. Default: `surface`."),
        surface("wall_surface", "Surface of the inside of the walls. Default: `surface`."),
        surface("ceiling_surface", "Surface of the ceiling. Default: `surface`."),
        surface("roof_surface", "Surface of the roof. Default: `surface`."),
        *TO_COMMON,
    ),
    "room: {from: [8, 0, -8], to: [16, 3, 0], doors: [{wall: west, at: 4, width: 1.2}]}",
)
STAIRS = Record(
    "stairs",
    "A straight flight of stairs, solid down to its base.",
    (
        foot("Centre of the bottom edge of the first riser."),
        facing("Direction of climb."),
        Field(
            "steps",
            Kind.INTEGER,
            "Number of risers; the last tread is that many rises above the base.",
            None,
            "",
            1,
            1000,
            True,
        ),
        length("rise", "Height of one step.", 0.18, high=10),
        length("run", "Depth of one tread.", 0.30, high=100),
        length("width", "Width from side to side.", 1.2),
        Field("open", Kind.FLAG, "Treads only, open between and below.", False),
        surface("side_surface", "Surface of risers and sides. Default: `surface`."),
        *TO_COMMON,
    ),
    "stairs: {at: [4, 0, 2], facing: east, steps: 10, rise: 0.18, run: 0.30, width: 2}",
)
SPIRAL_STAIRS = Record(
    "spiral_stairs",
    "Steps around a column, open below.",
    (
        foot("Base of the column, on its axis."),
        facing("Direction from the axis to the first riser."),
        Field(
            "steps",
            Kind.INTEGER,
            "Number of treads; the last is that many rises above the base.",
            None,
            "",
            1,
            1000,
            True,
        ),
        length("rise", "Height of one step.", 0.18, high=10),
        length("radius", "Distance from the axis to the outer edge.", 1.6),
        length("column", "Radius of the column.", 0.25),
        Field(
            "turn",
            Kind.NUMBER,
            "Angle of one tread; positive climbs counter-clockwise seen from above.",
            24.0,
            "degrees",
            -90,
            90,
        ),
        length("thickness", "Thickness of a tread; less than `rise` leaves gaps between treads.", 0.2, high=10),
        length("rail", "Height of a railing along the outer edge; 0 for none.", 0.0, low=0.0, high=10),
        surface("column_surface", "Surface of the column. Default: `surface`."),
        *TO_COMMON,
    ),
    "spiral_stairs: {at: [0, 0, 0], facing: south, steps: 20, radius: 1.6, turn: 24, rail: 0.9}",
)
RAMP = Record(
    "ramp",
    "A ramp, solid down to its base.",
    (
        foot("Centre of the bottom edge."),
        facing("Direction of climb."),
        length("length", "Horizontal length.", None, low=0.05),
        length("rise", "Height it climbs.", None),
        length("width", "Width from side to side.", 1.2),
        Field("open", Kind.FLAG, "A slab 0.1 m thick, open below.", False),
        surface("side_surface", "Surface of the sides and back. Default: `surface`."),
        *TO_COMMON,
    ),
    "ramp: {at: [-6, 0, 0], facing: north, length: 4, rise: 2, width: 2}",
)
PILLAR = Record(
    "pillar",
    "A vertical prism with a regular polygon as its outline.",
    (
        foot("Centre of its base."),
        length("radius", "Radius to the corners.", 0.3),
        length("height", "Height from base to top.", 3.0),
        Field("sides", Kind.INTEGER, "Number of sides; the first faces `facing`.", 12, "", 3, 64),
        facing("Direction the first side faces."),
        *TO_COMMON,
    ),
    "pillar: {at: [2, 0, 0], radius: 0.4, height: 3, sides: 16}",
)
ARCH = Record(
    "arch",
    "A wall along a line with one arched opening.",
    (
        Field("from", Kind.PLAN, "Start of its centre line.", unit="m", required=True),
        Field("to", Kind.PLAN, "End of its centre line.", unit="m", required=True),
        Field("y", Kind.NUMBER, "Height of its base.", 0.0, "m"),
        length("height", "Height from base to top.", 3.5),
        length("thickness", "Thickness, centred on the line.", 0.4),
        Field(
            "at",
            Kind.NUMBER,
            "Position of the centre of the opening along the line. Default: the middle.",
            None,
            "m",
        ),
        length("width", "Clear width of the opening.", 1.6),
        length("spring", "Height at which the arch begins; its top is half the width higher.", 2.0),
        Field("segments", Kind.INTEGER, "Number of straight segments of the arch.", 12, "", 2, 32),
        surface("inner_surface", "Surface of the inside of the opening. Default: `surface`."),
        *TO_COMMON,
    ),
    "arch: {from: [0, 0], to: [4, 0], height: 3.5, width: 1.6, spring: 2}",
)

SHAPES = (FLOOR, WALL, BOX, ROOM, STAIRS, SPIRAL_STAIRS, RAMP, PILLAR, ARCH)
PLAIN = (QUAD, TRIANGLE)
